/* Real numbers as integers: x is taken for the nearest multiple of a unit, a power of two, and sums
 * are sums of integers, which do not depend on their order.
 *
 * Entries have 32 bits: x is rounded by at most 2^-32 of the largest one. Where that is too coarse
 * for a line whose entries are all small, they have 51. In both cases all of them add up to less
 * than 2^62. Multiples of a larger power of two stay as they are; counts are their own integers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_GRID_H
#define COB_MATRIX_GRID_H

#include "matrix/values.h"

#include <stdbool.h>

typedef struct cob_value_grid {
    double scale, unit; /* x is nearly unit times the integer nearest to scale x; scale unit = 1 */
} cob_value_grid;

enum { COB_GRID_BITS = 32, COB_GRID_MOST_BITS = 51 };

/* For `count` numbers, none of which is larger than `largest` or less than its negative. */
cob_value_grid cob_grid_for(double largest, int64_t count, int bits);

/* For the entries of a view, of whose lines a rank looks at `own`; counts have a unit of 1. */
cob_value_grid cob_grid_of_entries(const cobloc_view *view, cob_between own, cob_ranks *ranks,
                                   int bits);

/* The entries of lines `own` as integers: as many as 32 bits hold, or else doubles. The caller
 * frees *values, which stays NULL for counts; all else belongs to `view`. */
cobloc_status cob_view_on_grid(const cobloc_view *view, cob_between own, cob_value_grid grid,
                               int bits, cobloc_view *out, void **values, cobloc_error *err);

/* The integer nearest to x, up to 2^51 in size: the sum has no bits for a fraction. */
static inline double cob_whole(double x)
{
    const double large = 0x1.8p52;
    return (x + large) - large;
}

/* A number on the grid, as far as 32 bits hold it if `words`. */
static inline double cob_on_grid(double x, cob_value_grid grid, bool words)
{
    double whole = cob_whole(x * grid.scale);
    return words && whole > UINT32_MAX ? UINT32_MAX : whole;
}

/* An entry that is an integer. */
COB_INLINE int64_t cob_entry(cobloc_value_kind kind, const void *values, int64_t e)
{
    return (int64_t)cob_value_get(kind, values, e);
}

/* sums[i] = unit times the integers of line i, added up, of lines `own`; returns what all of them
 * add up to, as an integer. */
int64_t cob_grid_sums(const cobloc_view *view, cob_between own, double unit, double *sums);

#endif
