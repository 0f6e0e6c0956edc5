/* The order of rows or columns by cluster: cluster after cluster, original order within a cluster,
 * lines without a cluster last.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_ORDER_H
#define COB_REPORT_ORDER_H

#include "report/charts.h"

typedef struct cob_order {
    int64_t count;
    int clusters;
    int32_t *at;     /* the line at each place */
    int32_t *place;  /* the place of each line */
    int64_t *starts; /* cluster c has places starts[c] to starts[c + 1] - 1; lines without a cluster
                        follow the last */
} cob_order;

cobloc_status cob_order_of(const int32_t *labels, int64_t count, int clusters, cob_order *order,
                           cobloc_error *err);
void cob_order_free(cob_order *order);

#endif
