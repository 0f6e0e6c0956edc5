/* Packing values.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/values.h"

#include "base/alloc.h"

cobloc_status cob_values_pack(double **from, int64_t count, cobloc_value_kind *kind, void **values,
                              cobloc_error *err)
{
    cob_tally tally = {0};
    for (int64_t e = 0; e < count && !(tally.reals && tally.not_floats); e++)
        cob_tally_add(&tally, (*from)[e]);
    *kind = cob_tally_kind(&tally);
    *values = NULL;
    if (*kind == COBLOC_F64) {
        *values = *from;
        *from = NULL;
    }
    if (*kind == COBLOC_ONES || *kind == COBLOC_F64)
        return COBLOC_OK;
    *values = cob_alloc((size_t)count, cob_kind_width(*kind));
    if (!*values)
        return cob_fail_memory(err, (size_t)count, cob_kind_width(*kind));
    for (int64_t e = 0; e < count; e++)
        cob_value_set(*kind, *values, e, (*from)[e]);
    return COBLOC_OK;
}

#define SUM_SQUARES(type)                                                                          \
    for (int64_t e = 0; e < count; e++)                                                            \
    sum += (uint64_t)((const type *)values)[e] * ((const type *)values)[e]

double cob_sum_squares(cobloc_value_kind kind, const void *values, int64_t count)
{
    uint64_t sum = 0;
    double total = 0;
    switch (kind) {
    case COBLOC_ONES:
        return (double)count;
    case COBLOC_U8:
        SUM_SQUARES(uint8_t);
        return (double)sum;
    case COBLOC_U16:
        SUM_SQUARES(uint16_t);
        return (double)sum;
    default:
        for (int64_t e = 0; e < count; e++) {
            double value = cob_value_get(kind, values, e);
            total += value * value;
        }
        return total;
    }
}

enum { SIDE = 4, SMALL = 256 };

/* Four histograms: neighbouring values are often equal, and their increments would wait for each
 * other. */
#define COUNT_SMALL(type)                                                                          \
    for (int64_t e = 0; e < count; e++) {                                                          \
        uint32_t x = ((const type *)values)[e];                                                    \
        if (x < SMALL)                                                                             \
            found[e % SIDE][x]++;                                                                  \
        else                                                                                       \
            sum += function(x);                                                                    \
    }

double cob_sum_over_values(cobloc_value_kind kind, const void *values, int64_t count,
                           double (*function)(double))
{
    int64_t found[SIDE][SMALL] = {{0}};
    double sum = 0;
    if (kind == COBLOC_ONES)
        return (double)count * function(1);
    if (kind == COBLOC_U8)
        COUNT_SMALL(uint8_t)
    else if (kind == COBLOC_U16)
        COUNT_SMALL(uint16_t)
    else if (kind == COBLOC_U32)
        COUNT_SMALL(uint32_t)
    else
        for (int64_t e = 0; e < count; e++)
            sum += function(cob_value_get(kind, values, e));
    for (int x = 0; x < SMALL; x++) {
        int64_t times = found[0][x] + found[1][x] + found[2][x] + found[3][x];
        if (times > 0)
            sum += (double)times * function(x);
    }
    return sum;
}
