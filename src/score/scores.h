/* Scores; score/fields.c says what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SCORE_SCORES_H
#define COB_SCORE_SCORES_H

#include "base/fields.h"

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

#endif
