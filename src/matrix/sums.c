/* Sums of a line's entries over clusters, and products with dense matrices.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/sums.h"

#include "base/parallel.h"
#include "matrix/kernels.h"
#include "matrix/tally.h"
#include "matrix/values.h"

#include <string.h>

int64_t cob_longest_of_counts(cobloc_value_kind kind)
{
    return kind == COBLOC_ONES ? INT32_MAX
                               : INT32_MAX / (kind == COBLOC_U8 ? UINT8_MAX : UINT16_MAX);
}

#define U32(e) ((const uint32_t *)view->values)[e]
#define F32(e) (double)((const float *)view->values)[e]
#define F64(e) ((const double *)view->values)[e]

void cob_sum_numbers(const cobloc_view *view, int64_t line, const int32_t *labels, int from,
                     double *sums, double *totals)
{
    const int32_t *indices = view->indices;
    int64_t e = view->offsets[line], last = view->offsets[line + 1];
    double *spare = sums + from;
    memset(sums, 0, 2 * (size_t)from * sizeof *sums);
    switch (view->kind) {
    case COBLOC_ONES:
        SUM_BY_LABEL(ONE);
        break;
    case COBLOC_U8:
        SUM_BY_LABEL(U8);
        break;
    case COBLOC_U16:
        SUM_BY_LABEL(U16);
        break;
    case COBLOC_U32:
        SUM_BY_LABEL(U32);
        break;
    case COBLOC_F32:
        SUM_BY_LABEL(F32);
        break;
    case COBLOC_F64:
        SUM_BY_LABEL(F64);
        break;
    }
    for (int l = 0; l < from; l++)
        totals[l] = sums[l] + spare[l];
}

/* The same for small counts and few clusters, as in most tables: integers are faster to add than
 * doubles, and labels of one byte stay in the nearest cache. */
void cob_sum_counts(const cobloc_view *view, int64_t line, const uint8_t *labels, int from,
                    int32_t *sums, double *totals)
{
    memset(sums, 0, 2 * (size_t)from * sizeof *sums);
    tally_in_memory(view, view->offsets[line], view->offsets[line + 1], labels, from, sums);
    for (int l = 0; l < from; l++)
        totals[l] = sums[l] + sums[from + l];
}

/* The same for one-byte counts and at most four clusters, whose sums share one register. */
void cob_count_packed(const cobloc_view *view, int64_t line, const uint8_t *labels, int32_t *sums)
{
    static const uint64_t unit[COB_PACKED] = {1, 1 << 16, (uint64_t)1 << 32, (uint64_t)1 << 48};
    const int32_t *indices = view->indices;
    const uint8_t *values = view->values;
    int64_t e = view->offsets[line], last = view->offsets[line + 1];
    memset(sums, 0, COB_PACKED * sizeof *sums);
    while (e < last) {
        uint64_t packed = 0;
        int64_t stop = last - e > UINT8_MAX ? e + UINT8_MAX : last; /* before a sum overflows */
        if (view->kind == COBLOC_ONES)
            for (; e < stop; e++)
                packed += unit[labels[indices[e]]];
        else
            for (; e < stop; e++)
                packed += values[e] * unit[labels[indices[e]]];
        for (int l = 0; l < COB_PACKED; l++)
            sums[l] += (int32_t)(packed >> (16 * l) & UINT16_MAX);
    }
}

void cob_sum_packed(const cobloc_view *view, int64_t line, const uint8_t *labels, int from,
                    double *totals)
{
    int32_t sums[COB_PACKED];
    cob_count_packed(view, line, labels, sums);
    for (int l = 0; l < from; l++)
        totals[l] = sums[l];
}

/* ---- plain products -------------------------------------------------------------------------- */

void cob_multiply(const cobloc_view *view, const double *dense, int columns, int threads,
                  double *out)
{
#pragma omp parallel for schedule(dynamic, 64) num_threads(cob_threads(threads))
    for (int64_t line = 0; line < view->major; line++)
        cob_line_times(view, line, dense, columns, out + line * columns);
}

/* Among more clusters than this, neighbours are seldom in the same one. */
enum { REDUCED = 64 };

void cob_reduce(const cobloc_view *view, const int32_t *labels, int clusters, int threads,
                double *out)
{
#pragma omp parallel for schedule(dynamic, 64) num_threads(cob_threads(threads))
    for (int64_t line = 0; line < view->major; line++) {
        double *sums = out + line * clusters, partial[2 * REDUCED];
        if (clusters <= REDUCED) {
            cob_sum_numbers(view, line, labels, clusters, partial, sums);
            continue;
        }
        memset(sums, 0, (size_t)clusters * sizeof *sums);
        for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++)
            sums[labels[view->indices[e]]] += cob_value_get(view->kind, view->values, e);
    }
}
