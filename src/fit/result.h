/* What a fit finds, what it needs, what is read back and where new rows belong; fit/fields.c says
 * what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_RESULT_H
#define COB_FIT_RESULT_H

#include "base/names.h"
#include "fit/options.h"

/* One of the fits that model auto chose from. */
typedef struct cob_candidate {
    const char *model;
    cobloc_weight weight;
    double agreement;
    int dust;
} cob_candidate;

/* A size that was tried before one was chosen. */
typedef struct cob_tried {
    int k, l;
    double value;
} cob_tried;

struct cobloc_result {
    cob_object head;
    const char *model, *criterion_name;
    cobloc_inference inference;
    cobloc_weight weight;
    double unit, mean_length, scale;
    int k, l;
    int64_t n, d, nnz;
    uint64_t seed;
    int threads; /* that the fit was asked to use; 0: any number */
    int restarts, best_restart;
    double *restart_criteria;
    double criterion;
    int iterations;
    cobloc_stop stop;
    double seconds;
    char device[256];
    int ranks;
    int64_t messages, bytes_sent;
    int repaired, at_bound, dust;
    double agreement;
    cob_candidate *candidates;
    int candidate_count;
    int32_t *row_labels, *col_labels;
    double *row_probabilities, *col_probabilities;
    int64_t *row_sizes, *col_sizes;
    double *blocks, *parameters;
    int parameter_count;
    char **parameter_names;
    double *row_proportions, *col_proportions;
    double *row_rule, *components;
    int rule_width;
    double effect_scale;
    char **col_names;
    int32_t *merges;
    double *merge_criteria;
    double r_hat;
    double *trace;
    int trace_count;
    int64_t empty_rows, empty_cols;
    double row_passes, col_passes;
    double icl, log_likelihood, free_parameters, modularity, explained_information;
    const char *size_rule;
    cob_tried *sizes;
    int size_count;
    char size_summary[256];
};

struct cobloc_fit_need {
    cob_object head;
    double total, matrix, copies, similarities, start;
    int starts;
};

struct cobloc_saved {
    cob_object head;
    char *folder;
    cobloc_result *result;
    cobloc_fit_options options;
    char *input, *format, *variable, *text;
    double total;
    int64_t *col_frequencies;
    double *col_sums, *centres;
    int64_t cols; /* lengths of these three: columns, */
    int k;        /* and the row clusters of the result */
    cob_names row_names, col_names, categories;
    cobloc_missing missing; /* how the file was read */
    cobloc_values values;
};

struct cobloc_predict_options {
    cob_object head;
    const double *row_effects;
    int64_t row_effect_count;
    int threads;
    int scores;
    cobloc_communicator communicator;
};

struct cobloc_prediction {
    cob_object head;
    int64_t n;
    int k;
    int32_t *labels;
    double *probabilities, *scores;
    int by_name;
    int64_t unknown_cols;
    double unknown_share;
    int64_t missing_cols, unplaced;
};

extern const cob_type cob_result_type, cob_fit_need_type, cob_saved_type, cob_prediction_type,
    cob_predict_options_type;

void cob_predict_options_default(cobloc_predict_options *options);

/* cobloc_fit_memory into a struct of the caller's. */
cobloc_status cob_fit_memory(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                             cobloc_fit_need *need, cobloc_error *err);

#endif
