/* Packing values.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/values.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vectors.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

cobloc_status cob_values_pack(double **from, int64_t count, cob_between some, cob_ranks *ranks,
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
    *values = *kind == COBLOC_F64 ? *from : NULL;
    if (*kind == COBLOC_F64)
        *from = NULL;
    if (*kind == COBLOC_ONES || *kind == COBLOC_F64)
        return COBLOC_OK;
    *values = cob_alloc((size_t)count, cob_kind_width(*kind));
    if (!*values)
        return cob_fail_memory(err, (size_t)count, cob_kind_width(*kind));
    for (int64_t e = some.first; e < some.last; e++)
        cob_value_set(*kind, *values, e, (*from)[e]);
    return COBLOC_OK;
}

/* ---- sums over all values -------------------------------------------------------------------- */

enum { PIECE = 512, SIDES = 8, SMALL = 256 };

typedef struct values_of {
    const cobloc_view *view;
    cob_shared_values shared;
    double (*function)(double);
    bool counts;    /* small ones are counted: */
    int64_t *found; /* how often each occurs */
} values_of;

COB_INLINE void read_piece(cobloc_value_kind kind, const void *values, int64_t first, int64_t end,
                           double *made)
{
    for (int64_t e = first; e < end; e++)
        made[e - first] = cob_value_get(kind, values, e);
}

/* A piece of the values from `first` on, before `last`, also where they are not there: where it
 * ends. */
static int64_t make_piece(const values_of *of, int64_t first, int64_t last, double made[PIECE])
{
    const cob_weigher *weigher = of->shared.weigher;
    int64_t end = first + PIECE < last ? first + PIECE : last;
    if (first >= of->shared.weighed.first && end <= of->shared.weighed.last)
        weigher = NULL;
    if (weigher)
        cob_weigh_some(weigher, first, end, made);
    else
        COB_FOR_KIND(of->view->kind, read_piece(KIND, of->view->values, first, end, made))
    for (int64_t i = 0; of->shared.unit > 0 && i < end - first; i++)
        made[i] /= of->shared.unit;
    return end;
}

double cob_largest_value(const cobloc_view *view, cob_between entries,
                         const cob_shared_values *shared)
{
    values_of of = {.view = view, .shared = *shared};
    double largest = 0;
#pragma omp parallel for schedule(static) num_threads(cob_threads(0)) reduction(max : largest)
    for (int64_t piece = entries.first / PIECE; piece < (entries.last + PIECE - 1) / PIECE;
         piece++) {
        double made[PIECE];
        int64_t first = piece * PIECE < entries.first ? entries.first : piece * PIECE;
        int64_t last = (piece + 1) * PIECE < entries.last ? (piece + 1) * PIECE : entries.last;
        int64_t end = make_piece(&of, first, last, made);
        for (int64_t i = 0; i < end - first; i++)
            largest = fabs(made[i]) > largest ? fabs(made[i]) : largest;
    }
    cob_ranks_largest(shared->ranks, &largest);
    return largest;
}

COB_INLINE void add_count(uint32_t count, const values_of *of, uint32_t *found, double *sum)
{
    if (count < SMALL)
        found[count]++;
    else
        *sum += of->function(count);
}

/* Counts how often each small count occurs, and adds the function of others to `sum`. There are
 * several histograms, since equal neighbours would wait for each other's increments. */
COB_INLINE double add_counts(cobloc_value_kind kind, const void *values, int64_t first,
                             int64_t last, const values_of *of, double sum)
{
    uint32_t of_side[SIDES][SMALL] = {{0}};
    int64_t e = first;
    for (; e + SIDES <= last; e += SIDES)
        for (int s = 0; s < SIDES; s++)
            add_count((uint32_t)cob_value_get(kind, values, e + s), of, of_side[s], &sum);
    for (; e < last; e++)
        add_count((uint32_t)cob_value_get(kind, values, e), of, of_side[0], &sum);
#pragma omp critical(cob_found_values)
    for (int s = 0; s < SIDES; s++)
        for (int x = 0; x < SMALL; x++)
            of->found[x] += of_side[s][x];
    return sum;
}

/* A sum over the values of a block, but for small counts. */
static double sum_block(const void *data, int64_t first, int64_t last)
{
    const values_of *of = data;
    double sum = 0, made[PIECE];
    if (of->counts && !of->shared.weigher)
        COB_FOR_KIND(of->view->kind, return add_counts(KIND, of->view->values, first, last, of, 0))
    for (int64_t end; first < last; first = end) {
        end = make_piece(of, first, last, made);
        if (of->counts)
            sum = add_counts(COBLOC_F64, made, 0, end - first, of, sum);
        for (int64_t i = 0; !of->counts && i < end - first; i++)
            sum += of->function(made[i]);
    }
    return sum;
}

static double make_sum(const cobloc_view *view, double (*function)(double), int threads,
                       const cob_shared_values *shared)
{
    enum { WORTH_THREADS = 2000000 }; /* counts that take one thread a millisecond */
    int64_t found[SMALL] = {0};
    values_of of = {.view = view, .function = function, .found = found};
    if (shared)
        of.shared = *shared;
    of.counts = view->kind <= COBLOC_U32 && !(of.shared.unit > 0);
    if (of.counts && view->kind == COBLOC_ONES)
        return (double)view->nnz * function(1);
    if (of.counts && view->nnz < WORTH_THREADS)
        threads = 1;
    double sum =
        cob_ranks_sum_blocks(of.shared.ranks, sum_block, &of, view->nnz, COB_SUM_BLOCK, threads);
    if (of.counts && of.shared.ranks)
        cob_ranks_add(of.shared.ranks, found, SMALL);
    for (int x = 0; x < SMALL; x++)
        if (found[x] > 0)
            sum += (double)found[x] * function(x);
    return sum;
}

double cob_sum_over_values(const cobloc_view *view, double (*function)(double), int threads,
                           const cob_shared_values *shared)
{
    cob_known_sums *known = shared ? shared->known : NULL;
    for (int i = 0; known && i < known->count; i++)
        if (known->functions[i] == function)
            return known->sums[i];
    double sum = make_sum(view, function, threads, shared);
    if (known && known->count < COB_KNOWN_SUMS) {
        known->functions[known->count] = function;
        known->sums[known->count++] = sum;
    }
    return sum;
}
