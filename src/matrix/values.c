/* Packing values.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/values.h"

#include "base/alloc.h"

cobloc_status cob_values_pack(const double *from, int64_t count, cobloc_value_kind *kind,
                              void **values, cobloc_error *err)
{
    cob_tally tally = {0};
    for (int64_t e = 0; e < count; e++)
        cob_tally_add(&tally, from[e]);
    *kind = cob_tally_kind(&tally);
    *values = NULL;
    if (*kind == COBLOC_ONES)
        return COBLOC_OK;
    *values = cob_alloc((size_t)count, cob_kind_width(*kind));
    if (!*values)
        return cob_fail_memory(err, (size_t)count, cob_kind_width(*kind));
    for (int64_t e = 0; e < count; e++)
        cob_value_set(*kind, *values, e, from[e]);
    return COBLOC_OK;
}
