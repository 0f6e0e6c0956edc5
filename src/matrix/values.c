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

/* Counts are summed exactly, reals in the order of the entries. */
COB_INLINE double sum_squares(cobloc_value_kind kind, const void *values, int64_t count)
{
    uint64_t exact = 0;
    double sum = 0;
    for (int64_t e = 0; e < count; e++) {
        double value = cob_value_get(kind, values, e);
        if (kind <= COBLOC_U16)
            exact += (uint64_t)value * (uint64_t)value;
        else
            sum += value * value;
    }
    return kind <= COBLOC_U16 ? (double)exact : sum;
}

double cob_sum_squares(cobloc_value_kind kind, const void *values, int64_t count)
{
    double sum = 0;
    COB_FOR_KIND(kind, sum = sum_squares(KIND, values, count))
    return sum;
}

enum { SIDE = 4, SMALL = 256 };

/* Small counts go to four histograms: neighbouring values are often equal, and their increments
 * would wait for each other. Returns the sum over the others. */
COB_INLINE double count_small(cobloc_value_kind kind, const void *values, int64_t count,
                              int64_t found[SIDE][SMALL], double (*function)(double))
{
    double sum = 0;
    for (int64_t e = 0; e < count; e++) {
        double value = cob_value_get(kind, values, e);
        if (kind <= COBLOC_U32 && value < SMALL)
            found[e % SIDE][(int)value]++;
        else
            sum += function(value);
    }
    return sum;
}

double cob_sum_over_values(cobloc_value_kind kind, const void *values, int64_t count,
                           double (*function)(double))
{
    int64_t found[SIDE][SMALL] = {{0}};
    double sum = 0;
    COB_FOR_KIND(kind, sum = count_small(KIND, values, count, found, function))
    for (int x = 0; x < SMALL; x++) {
        int64_t times = found[0][x] + found[1][x] + found[2][x] + found[3][x];
        if (times > 0)
            sum += (double)times * function(x);
    }
    return sum;
}
