/* cobloc: scores of clusters against known classes, and tests of differences.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_SCORE_H
#define COBLOC_SCORE_H

#include "cobloc/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* acc, nmi, ari, purity, ... of one labeling; of rows and columns together; and how many lines of
 * each class are in each cluster. */
typedef struct cobloc_scores cobloc_scores;
typedef struct cobloc_coscores cobloc_coscores;
typedef struct cobloc_confusion cobloc_confusion;
typedef struct cobloc_paired_test cobloc_paired_test;
COBLOC_API void cobloc_scores_free(cobloc_scores *scores);
COBLOC_API void cobloc_coscores_free(cobloc_coscores *scores);
COBLOC_API void cobloc_confusion_free(cobloc_confusion *confusion);
COBLOC_API void cobloc_paired_test_free(cobloc_paired_test *test);

/* Compares two labelings of the same lines: the clusters found with the true classes. Lines with a
 * negative label in either are left out. */
COBLOC_API cobloc_status cobloc_score(const int32_t *labels, const int32_t *truth, int64_t count,
                                      cobloc_scores **out, cobloc_error *err);

/* Compares two co-clusterings, by rows, by columns, and by cells; the cells are never formed. */
COBLOC_API cobloc_status cobloc_coscore(const int32_t *row_labels, const int32_t *row_truth,
                                        int64_t rows, const int32_t *col_labels,
                                        const int32_t *col_truth, int64_t cols,
                                        cobloc_coscores **out, cobloc_error *err);

/* How many lines of each class are in each cluster. Classes and clusters that the best matching
 * puts together come first, in the same places, so that what agrees stands on the diagonal; then
 * what is left over of either. Labels without a line do not appear. */
COBLOC_API cobloc_status cobloc_confusion_of(const int32_t *labels, const int32_t *truth,
                                             int64_t count, cobloc_confusion **out,
                                             cobloc_error *err);

/* Two methods, tried on the same occasions: is the difference more than chance? Needs two pairs or
 * more; both tests are two-sided. */
COBLOC_API cobloc_status cobloc_test_paired(const double *first, const double *second, int count,
                                            cobloc_paired_test **out, cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
