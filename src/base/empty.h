/* No cluster without members.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_EMPTY_H
#define COB_BASE_EMPTY_H

#include "base/error.h"

/* What a line loses by going to another cluster. */
typedef double (*cob_loss_fn)(const void *data, int64_t line, int cluster);

/* Gives every cluster without members the line that loses least by it, of those in clusters that
 * can spare one, as long as there are such lines; of equals the first. Without `loss` it is the
 * first line of the largest cluster. Lines with a `fixed` label (-1: free; NULL: all are) stay.
 * `repaired` counts the clusters filled; NULL: nobody asks. */
cobloc_status cob_repair_empty(int32_t *labels, int64_t count, int clusters, const int32_t *fixed,
                               cob_loss_fn loss, const void *data, int *repaired,
                               cobloc_error *err);

/* `data` is an array of misfits (of k-means: the distances to the centres): the line that fits
 * worst where it is goes. */
double cob_loss_by_misfit(const void *data, int64_t line, int cluster);

/* `data` is a cob_shares: what the line has more of its own cluster than of the other. */
typedef struct cob_shares {
    const double *soft; /* lines by k */
    const int32_t *labels;
    int k;
} cob_shares;
double cob_loss_by_share(const void *data, int64_t line, int cluster);

#endif
