/* The contingency table of two labelings of the same items.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SCORE_CONTINGENCY_H
#define COB_SCORE_CONTINGENCY_H

#include "score/scores.h"

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

#endif
