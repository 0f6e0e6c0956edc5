/* Hierarchical clustering by Ward's criterion, from a table of distances.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_WARD_H
#define COB_BASE_WARD_H

#include "base/error.h"

/* Merges `count` points into k clusters, always the two whose union costs least. `squares` (count
 * by count, symmetric) holds the squared distances and is overwritten. Labels are numbered by their
 * first points; `cost` receives the sum of the squared heights of the merges (Lance and Williams).
 * O(count^2) time, by nearest-neighbour chains. */
cobloc_status cob_ward(double *squares, int64_t count, int k, int32_t *labels, double *cost,
                       cobloc_error *err);

#endif
