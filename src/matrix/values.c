/* Packing values.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/values.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vectors.h"

#include <math.h>
#include <string.h>

/* Values `some` of `count`, as a kind that holds them. */
static cobloc_status pack_as(double **from, int64_t count, cob_between some, cobloc_value_kind kind,
                             void **values, cobloc_error *err)
{
    *values = NULL;
    if (kind == COBLOC_F64) {
        *values = *from;
        *from = NULL;
    }
    if (kind == COBLOC_ONES || kind == COBLOC_F64)
        return COBLOC_OK;
    *values = cob_alloc((size_t)count, cob_kind_width(kind));
    if (!*values)
        return cob_fail_memory(err, (size_t)count, cob_kind_width(kind));
    for (int64_t e = some.first; e < some.last; e++)
        cob_value_set(kind, *values, e, (*from)[e]);
    return COBLOC_OK;
}

cobloc_status cob_values_pack_part(double **from, int64_t count, cob_between some, cob_ranks *ranks,
                                   cobloc_value_kind *kind, void **values, cobloc_error *err)
{
    cob_tally tally = {0}, other;
    for (int64_t e = some.first; e < some.last && !(tally.reals && tally.not_floats); e++)
        cob_tally_add(&tally, (*from)[e]);
    if (ranks && !cob_ranks_gather(ranks, &tally, sizeof tally))
        return cob_ranks_check(ranks, err);
    for (int rank = 0; ranks && rank < ranks->size; rank++) {
        memcpy(&other, ranks->all + (size_t)rank * sizeof other, sizeof other);
        cob_tally_merge(&tally, &other);
    }
    *kind = cob_tally_kind(&tally);
    return pack_as(from, count, some, *kind, values, err);
}

cobloc_status cob_values_pack(double **from, int64_t count, cobloc_value_kind *kind, void **values,
                              cobloc_error *err)
{
    return cob_values_pack_part(from, count, (cob_between){0, count}, NULL, kind, values, err);
}

/* ---- sums over all values -------------------------------------------------------------------- */

enum { PIECE = 512 };

typedef struct values_of {
    cobloc_value_kind kind;
    const void *values;
    const cob_weigher *weigher; /* NULL: the values are there */
    double (*function)(double);
    double unit;
} values_of;

static values_of values_shared(cobloc_value_kind kind, const void *values,
                               const cob_shared_values *shared)
{
    return (values_of){.kind = kind, .values = values, .weigher = shared ? shared->weigher : NULL};
}

static cob_ranks *ranks_of(const cob_shared_values *shared)
{
    return shared ? shared->ranks : NULL;
}

/* A piece of the values from `first` to the end of a block, also where they are not there: where it
 * ends. */
static int64_t make_piece(const values_of *of, int64_t first, int64_t last, double made[PIECE])
{
    int64_t end = first + PIECE < last ? first + PIECE : last;
    for (int64_t e = first; !of->weigher && e < end; e++)
        made[e - first] = cob_value_get(of->kind, of->values, e);
    if (of->weigher)
        cob_weigh_some(of->weigher, first, end, made);
    if (of->weigher && end == last)
        cob_weigh_leave(of->weigher, (end - 1) / COB_SUM_BLOCK * COB_SUM_BLOCK, end);
    return end;
}

/* ---- squares --------------------------------------------------------------------------------- */

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
    double sum = 0, made[PIECE];
    if (!of->weigher)
        COB_FOR_KIND(of->kind, sum = squares_between(KIND, of->values, first, last))
    for (int64_t end; of->weigher && first < last; first = end) {
        end = make_piece(of, first, last, made);
        for (int64_t i = 0; i < end - first; i++)
            sum += made[i] * made[i];
    }
    return sum;
}

double cob_sum_squares(cobloc_value_kind kind, const void *values, int64_t count, int threads,
                       const cob_shared_values *shared)
{
    values_of of = values_shared(kind, values, shared);
    return cob_ranks_sum_blocks(ranks_of(shared), sum_squares, &of, count, COB_SUM_BLOCK, threads);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

double cob_largest_value(cobloc_value_kind kind, const void *values, int64_t count,
                         const cob_shared_values *shared)
{
    values_of of = values_shared(kind, values, shared);
    cob_between own = cob_ranks_blocks(ranks_of(shared), (count + PIECE - 1) / PIECE);
    double largest = 0;
#pragma omp parallel for schedule(static) num_threads(cob_threads(0)) reduction(max : largest)
    for (int64_t piece = own.first; piece < own.last; piece++) {
        double made[PIECE];
        int64_t first = piece * PIECE, block = (first / COB_SUM_BLOCK + 1) * COB_SUM_BLOCK;
        int64_t end = make_piece(&of, first, block < count ? block : count, made);
        for (int64_t i = 0; i < end - first; i++)
            largest = fmax(largest, fabs(made[i]));
    }
    cob_ranks_largest(ranks_of(shared), &largest);
    return largest;
}

static double sum_sizes(const void *data, int64_t first, int64_t last)
{
    const values_of *of = data;
    double sum = 0, made[PIECE];
    for (int64_t end; first < last; first = end) {
        end = make_piece(of, first, last, made);
        for (int64_t i = 0; i < end - first; i++)
            sum += fabs(made[i]) / of->unit;
    }
    return sum;
}

double cob_sum_sizes(cobloc_value_kind kind, const void *values, int64_t count, double unit,
                     const cob_shared_values *shared)
{
    values_of of = values_shared(kind, values, shared);
    of.unit = unit;
    return cob_ranks_sum_blocks(ranks_of(shared), sum_sizes, &of, count, COB_SUM_BLOCK,
                                cob_threads(0));
}

/* ---- any function ---------------------------------------------------------------------------- */

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

static void count_made(const values_of *of, int64_t first, int64_t last, int64_t *found)
{
    double made[PIECE];
    for (int64_t end; first < last; first = end) {
        end = make_piece(of, first, last, made);
        for (int64_t i = 0; i < end - first; i++)
            if (made[i] < SMALL)
                found[(int)made[i]]++;
    }
}

static void count_all_small(const values_of *of, int64_t count, int threads, cob_ranks *ranks,
                            int64_t *found)
{
    cob_between own = cob_ranks_blocks(ranks, (count + COB_SUM_BLOCK - 1) / COB_SUM_BLOCK);
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(+ : found[ : SMALL])     \
    if (count > COB_SUM_BLOCK)
    for (int64_t b = own.first; b < own.last; b++) {
        int64_t first = b * COB_SUM_BLOCK,
                last = first + COB_SUM_BLOCK < count ? first + COB_SUM_BLOCK : count;
        if (of->weigher)
            count_made(of, first, last, found);
        else
            COB_FOR_KIND(of->kind, count_small(KIND, of->values, first, last, found))
    }
    if (ranks)
        cob_ranks_add(ranks, found, SMALL);
}

/* Of counts, those that are not small. */
static double sum_others(const void *data, int64_t first, int64_t last)
{
    const values_of *of = data;
    double sum = 0, made[PIECE];
    for (int64_t end; first < last; first = end) {
        end = make_piece(of, first, last, made);
        for (int64_t i = 0; i < end - first; i++)
            if (of->kind > COBLOC_U32 || made[i] >= SMALL)
                sum += of->function(made[i]);
    }
    return sum;
}

double cob_sum_over_values(cobloc_value_kind kind, const void *values, int64_t count,
                           double (*function)(double), int threads, const cob_shared_values *shared)
{
    values_of of = values_shared(kind, values, shared);
    cob_ranks *ranks = ranks_of(shared);
    int64_t found[SMALL] = {0};
    double sum = 0;
    of.function = function;
    if (kind == COBLOC_ONES)
        return (double)count * function(1);
    if (kind <= COBLOC_U32)
        count_all_small(&of, count, threads, ranks, found);
    if (kind > COBLOC_U8)
        sum = cob_ranks_sum_blocks(ranks, sum_others, &of, count, COB_SUM_BLOCK, threads);
    for (int x = 0; x < SMALL; x++)
        if (found[x] > 0)
            sum += (double)found[x] * function(x);
    return sum;
}
