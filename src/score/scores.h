/* Scores; score/fields.c says what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SCORE_SCORES_H
#define COB_SCORE_SCORES_H

#include "base/fields.h"
#include "base/lines.h"
#include "cobloc/labels.h"

struct cobloc_scores {
    cob_object head;
    double acc, nmi, ari, purity, sdcs, truth_sdcs;
    int clusters, classes;
    int64_t lines;
};

struct cobloc_coscores {
    cob_object head;
    cobloc_scores rows, cols;
    double cce, cari;
};

struct cobloc_confusion {
    cob_object head;
    int classes, clusters;
    int32_t *class_labels, *cluster_labels;
    int64_t *counts;
};

struct cobloc_paired_test {
    cob_object head;
    int pairs;
    double difference, sd, t, t_p, wilcoxon, wilcoxon_p;
};

extern const cob_type cob_scores_type, cob_coscores_type, cob_confusion_type, cob_paired_test_type;

/* Like the public functions of these names, but fill a struct of the caller. */
cobloc_status cob_score(const int32_t *labels, const int32_t *truth, int64_t count,
                        cobloc_scores *scores, cobloc_error *err);
cobloc_status cob_coscore(const int32_t *row_labels, const int32_t *row_truth, int64_t rows,
                          const int32_t *col_labels, const int32_t *col_truth, int64_t cols,
                          cobloc_coscores *scores, cobloc_error *err);
cobloc_status cob_test_paired(const double *first, const double *second, int count,
                              cobloc_paired_test *test, cobloc_error *err);

/* ---- the contingency table of two labelings (contingency.c) ---------------------------------- */

/* Counts items by their two labels; items with a negative label are left out. */
typedef struct cob_contingency {
    int clusters, classes; /* the largest labels plus 1; some may have no items */
    double *cells;         /* clusters by classes */
    double *cluster_sizes, *class_sizes;
    double total;
} cob_contingency;

/* `table` must be zero-initialised; free it even after a failure. */
cobloc_status cob_contingency_count(const int32_t *labels, const int32_t *truth, int64_t count,
                                    cob_contingency *table, cobloc_error *err);
void cob_contingency_free(cob_contingency *table);

/* ---- labels from files (labels.c) ------------------------------------------------------------ */

struct cobloc_labels {
    cob_object head;
    char *path; /* of the file; NULL: from the matrix */
    int64_t count;
    int32_t *labels;
    int64_t class_count;
    char **class_names;
    char note[512];
    cob_lines lines;
};

extern const cob_type cob_labels_type;

/* Numbers the lines' labels, and names the classes. */
cobloc_status cob_labels_number(cobloc_labels *labels, cobloc_error *err);

#endif
