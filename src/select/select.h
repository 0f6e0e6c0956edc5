/* Internals of cobloc_select: starts from neighbouring sizes, and the choice.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SELECT_SELECT_H
#define COB_SELECT_SELECT_H

#include "fit/fit.h"
#include "fit/saved.h"
#include "select/selection.h"

/* What is needed to start one size from the result of another: the run of one model, with hard
 * labels whatever the inference. */
typedef struct cob_neighbourhood {
    cob_problem problem;
    cob_prepared prepared;
    cob_start_data data;
    int threads;
    int64_t rows, cols; /* of the caller's matrix */
} cob_neighbourhood;

/* `k` and `l` are the largest sizes needed; an error if the matrix is too small for them. Methods
 * have no neighbours: for them this is the only check. */
cobloc_status cob_neighbourhood_open(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                     const cob_algorithm *algorithm, int k, int l,
                                     cob_neighbourhood *out, cobloc_error *err);
void cob_neighbourhood_close(cob_neighbourhood *around);

/* Labels of the caller's rows and columns for k and l clusters, made from the clusters of `from`,
 * which has more clusters on one or both sides (merged) or one fewer (split). */
cobloc_status cob_merged_labels(const cob_neighbourhood *around, const cobloc_result *from, int k,
                                int l, int32_t *rows, int32_t *cols, cobloc_error *err);
cobloc_status cob_split_labels(const cob_neighbourhood *around, const cobloc_result *from, int k,
                               int l, int32_t *rows, int32_t *cols, cobloc_error *err);

/* Partitions of one model from many clusters to few. */
typedef struct cob_path {
    cob_algorithm algorithm;
    cob_neighbourhood around;
    cob_run *run; /* as many clusters as there are now */
} cob_path;

/* Begins with k clusters, and as many columns as go with them. Close it also after a failure. */
cobloc_status cob_path_open(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                            const cob_algorithm *algorithm, int k, cob_watch watch, cob_path *path,
                            cobloc_error *err);
/* On to k clusters, which are fewer. */
cobloc_status cob_path_step(cob_path *path, int k, cobloc_error *err);
/* The clusters of the caller's rows; -1: it is empty. */
void cob_path_labels(const cob_path *path, int32_t *rows);
void cob_path_close(cob_path *path);

/* The algorithm of this name, which must exist. */
cob_algorithm cob_algorithm_of(const char *name);

/* Whether sizes have values of this rule beside their fits, from cob_measure_sizes. */
bool cob_rule_is_a_score(cobloc_choice by);

/* Writes the chosen fit and the curve into a folder that the caller finishes. */
cobloc_status cob_selection_files(const cobloc_selection *selection, const cobloc_matrix *matrix,
                                  const cobloc_select_options *options, cob_folder *folder,
                                  cobloc_error *err);

/* The labels of the sizes above the chosen one: to larger.tsv of a folder, and into a curve. */
cobloc_status cob_larger_write(const cobloc_selection *selection, const cob_folder *folder,
                               cobloc_error *err);
cobloc_status cob_larger_read(const char *folder, cobloc_curve *curve, cobloc_error *err);

/* Fills in values, spreads, the best, the chosen size and the summary from the results. */
void cob_choose(cobloc_selection *selection, double within);

/* The gap between the best and the second best criterion; NaN for fewer than two. */
double cob_spread(const double *criteria, int count, bool minimised);

#endif
