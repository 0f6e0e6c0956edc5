/* Filling empty clusters.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_EMPTY_H
#define COB_BASE_EMPTY_H

#include "base/error.h"

/* The loss of moving a line to another cluster. */
typedef double (*cob_loss_fn)(const void *data, int64_t line, int cluster);

/* Gives every empty cluster the line with the smallest loss, from clusters that have more than one,
 * as long as there are such lines; in a tie, the first. Without `loss` it is the first line of the
 * largest cluster. Lines with a `fixed` label (-1: free; NULL: all are) stay. `repaired` (or NULL)
 * counts the filled clusters. */
cobloc_status cob_repair_empty(int32_t *labels, int64_t count, int clusters, const int32_t *fixed,
                               cob_loss_fn loss, const void *data, int *repaired,
                               cobloc_error *err);

/* `data` is an array of misfits (for k-means: the distances to the centres): moves the line that
 * fits its cluster worst. */
double cob_loss_by_misfit(const void *data, int64_t line, int cluster);

/* `data` is a cob_shares: the share of the line's own cluster minus that of the other. */
typedef struct cob_shares {
    const double *soft; /* lines by k */
    const int32_t *labels;
    int k;
} cob_shares;
double cob_loss_by_share(const void *data, int64_t line, int cluster);

#endif
