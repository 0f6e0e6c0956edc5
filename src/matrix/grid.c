/* The units of real numbers.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/grid.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "matrix/values.h"

#include <math.h>

cob_value_grid cob_grid_for(double largest, int64_t count, int bits)
{
    enum { SUM_BITS = 62, LARGEST_POWER = 1000 };
    int exponent, spare = SUM_BITS;
    for (int64_t lines = 1; lines < count; lines *= 2)
        spare--;
    bits = bits < spare ? bits : spare;
    frexp(largest, &exponent);
    int power = largest > 0 ? bits - exponent : 0;
    power = power < LARGEST_POWER ? power : LARGEST_POWER; /* the scale stays finite */
    return (cob_value_grid){ldexp(1, power), ldexp(1, -power)};
}

cob_value_grid cob_grid_of_entries(const cobloc_view *view, cob_between own, cob_ranks *ranks,
                                   int bits)
{
    cob_between entries = {view->offsets[own.first], view->offsets[own.last]};
    if (view->kind <= COBLOC_U32)
        return (cob_value_grid){1, 1};
    return cob_grid_for(cob_largest_value(view, entries, &(cob_shared_values){.ranks = ranks}),
                        view->nnz, bits);
}

cobloc_status cob_view_on_grid(const cobloc_view *view, cob_between own, cob_value_grid grid,
                               int bits, cobloc_view *out, void **values, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view from = *view, to = *view; /* `out` may be `view` */
    uint32_t *words = NULL;
    double *numbers = NULL; /* a rank never touches most of these */
    int64_t first = from.offsets[own.first], last = from.offsets[own.last];
    if (from.kind > COBLOC_U32 && bits <= COB_GRID_BITS)
        COB_NEW(words, from.nnz);
    else if (from.kind > COBLOC_U32)
        COB_NEW(numbers, from.nnz);
#pragma omp parallel for schedule(static) num_threads(cob_threads(0)) if (words || numbers)
    for (int64_t e = first; e < (words || numbers ? last : first); e++) {
        double x = cob_on_grid(cob_value_get(from.kind, from.values, e), grid, words != NULL);
        if (words)
            words[e] = (uint32_t)x;
        else
            numbers[e] = x;
    }
    if (words || numbers) {
        to.kind = words ? COBLOC_U32 : COBLOC_F64;
        to.values = *values = words ? (void *)words : (void *)numbers;
    }
    *out = to;
done:
    return status;
}

int64_t cob_grid_sums(const cobloc_view *view, cob_between own, double unit, double *sums)
{
    int64_t total = 0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(cob_threads(0)) reduction(+ : total)
    for (int64_t i = own.first; i < own.last; i++) {
        int64_t sum = 0;
        for (int64_t e = view->offsets[i]; e < view->offsets[i + 1]; e++)
            sum += cob_entry(view->kind, view->values, e);
        sums[i] = (double)sum * unit;
        total += sum;
    }
    return total;
}
