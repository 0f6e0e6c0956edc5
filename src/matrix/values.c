/* Packing values.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/values.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vectors.h"

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

/* ---- sums over all values -------------------------------------------------------------------- */

enum { BLOCK = 1 << 20 };

typedef struct values_of {
    cobloc_value_kind kind;
    const void *values;
    double (*function)(double);
} values_of;

/* Counts are summed exactly, reals in the order of the entries. */
COB_INLINE double squares_between(cobloc_value_kind kind, const void *values, int64_t first,
                                  int64_t last)
{
    uint64_t exact = 0;
    double sum = 0;
    for (int64_t e = first; e < last; e++) {
        double value = cob_value_get(kind, values, e);
        if (kind <= COBLOC_U16)
            exact += (uint64_t)value * (uint64_t)value;
        else
            sum += value * value;
    }
    return kind <= COBLOC_U16 ? (double)exact : sum;
}

static double sum_squares(const void *data, int64_t first, int64_t last)
{
    const values_of *of = data;
    double sum = 0;
    COB_FOR_KIND(of->kind, sum = squares_between(KIND, of->values, first, last))
    return sum;
}

double cob_sum_squares(cobloc_value_kind kind, const void *values, int64_t count, int threads,
                       cob_ranks *ranks)
{
    values_of of = {kind, values, NULL};
    return cob_ranks_sum_blocks(ranks, sum_squares, &of, count, BLOCK, threads);
}

enum { SIDE = 4, SMALL = 256 };

/* Counts how often each small count occurs. Four histograms: neighbouring values are often equal,
 * and their increments would wait for each other. */
COB_INLINE void count_small(cobloc_value_kind kind, const void *values, int64_t first, int64_t last,
                            int64_t *found)
{
    int64_t of_side[SIDE][SMALL] = {{0}};
    for (int64_t e = first; e < last; e++) {
        double value = cob_value_get(kind, values, e);
        if (value < SMALL)
            of_side[e % SIDE][(int)value]++;
    }
    for (int x = 0; x < SMALL; x++)
        found[x] += of_side[0][x] + of_side[1][x] + of_side[2][x] + of_side[3][x];
}

static void count_all_small(const values_of *of, int64_t count, int threads, cob_ranks *ranks,
                            int64_t *found)
{
    cob_between own = cob_ranks_blocks(ranks, (count + BLOCK - 1) / BLOCK);
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(+ : found[ : SMALL])     \
    if (count > BLOCK)
    for (int64_t b = own.first; b < own.last; b++) {
        int64_t first = b * BLOCK, last = first + BLOCK < count ? first + BLOCK : count;
        COB_FOR_KIND(of->kind, count_small(KIND, of->values, first, last, found))
    }
    if (ranks)
        cob_ranks_add(ranks, found, SMALL);
}

/* Of counts, those that are not small. */
static double sum_others(const void *data, int64_t first, int64_t last)
{
    const values_of *of = data;
    double sum = 0;
    for (int64_t e = first; e < last; e++) {
        double value = cob_value_get(of->kind, of->values, e);
        if (of->kind > COBLOC_U32 || value >= SMALL)
            sum += of->function(value);
    }
    return sum;
}

double cob_sum_over_values(cobloc_value_kind kind, const void *values, int64_t count,
                           double (*function)(double), int threads, cob_ranks *ranks)
{
    values_of of = {kind, values, function};
    int64_t found[SMALL] = {0};
    double sum = 0;
    if (kind == COBLOC_ONES)
        return (double)count * function(1);
    if (kind <= COBLOC_U32)
        count_all_small(&of, count, threads, ranks, found);
    if (kind > COBLOC_U8)
        sum = cob_ranks_sum_blocks(ranks, sum_others, &of, count, BLOCK, threads);
    for (int x = 0; x < SMALL; x++)
        if (found[x] > 0)
            sum += (double)found[x] * function(x);
    return sum;
}
