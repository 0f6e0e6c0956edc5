/* Products of lines with vectors and memberships, for starts and for methods that use the matrix
 * only through products.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/kernels.h"

#include "base/parallel.h"
#include "base/vectors.h"
#include "matrix/values.h"

#include <math.h>
#include <string.h>

/* The inner product of a line with `dense`. */
COB_INLINE double times_line(const cobloc_view *view, cobloc_value_kind kind, int64_t line,
                             const double *dense)
{
    double sum = 0;
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++)
        sum += cob_value_get(kind, view->values, e) * dense[view->indices[e]];
    return sum;
}

void cob_multiply_vector(const cobloc_view *view, const double *dense, int threads, double *out)
{
#pragma omp parallel for schedule(dynamic, 256) num_threads(cob_threads(threads))
    for (int64_t line = 0; line < view->major; line++)
        COB_FOR_KIND(view->kind, out[line] = times_line(view, KIND, line, dense))
}

/* As many columns at a time as their sums fit into registers. Rows of the dense matrix are
 * scattered in memory, so they are prefetched some entries ahead. Each addition waits for the one
 * before, so with few columns, odd entries have sums of their own. */
enum { WIDEST = 32, STEP = 4, AHEAD = 16, CACHE_LINE = 8, NARROW = 8 };

COB_INLINE void add_row(const cobloc_view *view, cobloc_value_kind kind, int64_t e,
                        const double *dense, int columns, int width, double *restrict sums)
{
    double value = cob_value_get(kind, view->values, e);
    const double *row = dense + (int64_t)view->indices[e] * columns;
    for (int c = 0; c < width; c++)
        sums[c] += value * row[c];
}

COB_INLINE void times_columns(const cobloc_view *view, cobloc_value_kind kind, int64_t line,
                              const double *dense, int columns, int width, double *restrict out)
{
    double sums[WIDEST] = {0};
    int64_t most = view->nnz - AHEAD;
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
        const double *next = dense + (int64_t)view->indices[e < most ? e + AHEAD : e] * columns;
        for (int c = 0; c < width; c += CACHE_LINE)
            COB_PREFETCH(next + c);
        add_row(view, kind, e, dense, columns, width, sums);
    }
    for (int c = 0; c < width; c++)
        out[c] = sums[c];
}

COB_INLINE void times_few_columns(const cobloc_view *view, cobloc_value_kind kind, int64_t line,
                                  const double *dense, int columns, int width, double *restrict out)
{
    double even[NARROW] = {0}, odd[NARROW] = {0};
    int64_t e = view->offsets[line], last = view->offsets[line + 1];
    for (; e + 2 <= last; e += 2) {
        add_row(view, kind, e, dense, columns, width, even);
        add_row(view, kind, e + 1, dense, columns, width, odd);
    }
    if (e < last)
        add_row(view, kind, e, dense, columns, width, even);
    for (int c = 0; c < width; c++)
        out[c] = even[c] + odd[c];
}

COB_INLINE void times_all(const cobloc_view *view, cobloc_value_kind kind, int64_t line,
                          const double *dense, int columns, double *out)
{
    if (columns <= NARROW)
        COB_FOR_COUNT(columns, times_few_columns(view, kind, line, dense, columns, COUNT, out))
    for (int c = 0, width; columns > NARROW && c < columns; c += width) {
        width = columns - c < STEP     ? columns - c
                : columns - c < WIDEST ? (columns - c) / STEP * STEP
                                       : WIDEST;
        COB_FOR_COUNT(width / STEP, times_columns(view, kind, line, dense + c, columns,
                                                  COUNT > 0 ? COUNT * STEP : width, out + c))
    }
}

/* The most frequent kind of values has its own loop. */
COB_CLONES
void cob_line_times(const cobloc_view *view, int64_t line, const double *dense, int columns,
                    double *out)
{
    if (view->kind == COBLOC_F64)
        times_all(view, COBLOC_F64, line, dense, columns, out);
    else
        times_all(view, view->kind, line, dense, columns, out);
}

/* Four sums at a time, in the same order as above. */
COB_INLINE void times_some(const cobloc_view *view, cobloc_value_kind kind, int64_t line,
                           const double *dense, int columns, const int *which, int count,
                           double *out)
{
    int64_t first = view->offsets[line], most = view->nnz - AHEAD;
    int paired = columns <= NARROW;
    for (int c = 0; c < count; c += 4) {
        const double *at[4];
        double sums[2][4] = {{0}};
        for (int i = 0; i < 4; i++)
            at[i] = dense + which[c + i < count ? c + i : c];
        for (int64_t e = first; e < view->offsets[line + 1]; e++) {
            double value = cob_value_get(kind, view->values, e);
            int64_t row = (int64_t)view->indices[e] * columns;
            int64_t next = (int64_t)view->indices[e < most ? e + AHEAD : e] * columns;
            double *sum = sums[paired & (int)(e - first)];
            for (int i = 0; i < 4; i++) {
                COB_PREFETCH(at[i] + next);
                sum[i] += value * at[i][row];
            }
        }
        for (int i = 0; i < 4 && c + i < count; i++)
            out[c + i] = paired ? sums[0][i] + sums[1][i] : sums[0][i];
    }
}

void cob_line_times_some(const cobloc_view *view, int64_t line, const double *dense, int columns,
                         const int *which, int count, double *out)
{
    if (view->kind == COBLOC_F64)
        times_some(view, COBLOC_F64, line, dense, columns, which, count, out);
    else
        times_some(view, view->kind, line, dense, columns, which, count, out);
}

void cob_multiply(const cobloc_view *view, const double *dense, int columns, int threads,
                  double *out)
{
#pragma omp parallel for schedule(dynamic, 64) num_threads(cob_threads(threads))
    for (int64_t line = 0; line < view->major; line++)
        cob_line_times(view, line, dense, columns, out + line * columns);
}

/* Among few clusters, neighbours are often in the same one, and each addition would wait for the
 * one before: every other entry has sums of its own. */
COB_INLINE void reduce_line(const cobloc_view *view, cobloc_value_kind kind, int64_t line,
                            const int32_t *labels, int clusters, double *sums)
{
    enum { FEW = 64 };
    double rest[FEW] = {0}, *odd = clusters <= FEW ? rest : sums;
    int64_t e = view->offsets[line], last = view->offsets[line + 1];
    memset(sums, 0, (size_t)clusters * sizeof *sums);
    for (; e + 1 < last; e += 2) {
        sums[labels[view->indices[e]]] += cob_value_get(kind, view->values, e);
        odd[labels[view->indices[e + 1]]] += cob_value_get(kind, view->values, e + 1);
    }
    if (e < last)
        sums[labels[view->indices[e]]] += cob_value_get(kind, view->values, e);
    for (int l = 0; l < clusters && clusters <= FEW; l++)
        sums[l] += rest[l];
}

COB_INLINE void reduce_lines(const cobloc_view *view, cobloc_value_kind kind, const int32_t *labels,
                             int clusters, double *out)
{
    for (int64_t line = 0; line < view->major; line++)
        reduce_line(view, kind, line, labels, clusters, out + line * clusters);
}

void cob_reduce(const cobloc_view *view, const int32_t *labels, int clusters, int threads,
                double *out)
{
    threads = cob_threads(threads);
    if (threads == 1) { /* a parallel region would take longer than a few lines */
        COB_FOR_KIND(view->kind, reduce_lines(view, KIND, labels, clusters, out))
        return;
    }
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (int64_t line = 0; line < view->major; line++)
        COB_FOR_KIND(view->kind,
                     reduce_line(view, KIND, line, labels, clusters, out + line * clusters))
}

/* ---- quotients, for factorisations by divergence --------------------------------------------- */

/* Lower bound of an approximation, so that quotients stay finite. */
static const double SMALLEST = 1e-200;

COB_CLONES
static void quotients_of_line(const cobloc_view *view, int64_t line, const double *restrict own,
                              const double *restrict other, int columns, double *restrict out,
                              double *logs)
{
    memset(out, 0, (size_t)columns * sizeof *out);
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
        const double *row = other + (int64_t)view->indices[e] * columns;
        double value = cob_value_get(view->kind, view->values, e);
        double expected = cob_inner(own, row, columns);
        if (expected > SMALLEST) {
            double quotient = value / expected;
            for (int c = 0; c < columns; c++)
                out[c] += quotient * row[c];
        }
        if (logs)
            *logs += value * log(value / (expected > SMALLEST ? expected : SMALLEST));
    }
}

void cob_multiply_quotients(const cobloc_view *view, const double *own, const double *other,
                            int columns, int threads, double *out, double *logs)
{
#pragma omp parallel for schedule(dynamic, 64) num_threads(cob_threads(threads))
    for (int64_t line = 0; line < view->major; line++) {
        if (logs)
            logs[line] = 0;
        quotients_of_line(view, line, own + line * columns, other, columns, out + line * columns,
                          logs ? logs + line : NULL);
    }
}
