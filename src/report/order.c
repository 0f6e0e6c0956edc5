/* The order of rows or columns by cluster.
 * SPDX-License-Identifier: MIT
 */
#include "report/entries.h"

#include "base/alloc.h"

void cob_order_free(cob_order *order)
{
    cob_free(order->at);
    cob_free(order->place);
    cob_free(order->starts);
    *order = (cob_order){0};
}

cobloc_status cob_order_of(const int32_t *labels, int64_t count, int clusters, cob_order *order,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_order o = {.count = count, .clusters = clusters};
    int64_t *next = NULL;
    COB_NEW(o.at, count);
    COB_NEW(o.place, count);
    COB_NEW_ZERO(o.starts, clusters + 2);
    COB_NEW(next, clusters + 1);
    for (int64_t i = 0; i < count; i++)
        o.starts[(labels[i] < 0 ? clusters : labels[i]) + 1]++;
    for (int c = 0; c <= clusters; c++) {
        o.starts[c + 1] += o.starts[c];
        next[c] = o.starts[c];
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t place = next[labels[i] < 0 ? clusters : labels[i]]++;
        o.at[place] = (int32_t)i;
        o.place[i] = (int32_t)place;
    }
    *order = o;
    o = (cob_order){0};
done:
    cob_order_free(&o);
    cob_free(next);
    return status;
}
