/* Lines times vectors: what methods that only need products walk the non-zeros with.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/kernels.h"

#include "base/parallel.h"
#include "base/vectors.h"
#include "matrix/values.h"

#define SUM_LINE(type, value)                                                                      \
    do {                                                                                           \
        const type *values = view->values;                                                         \
        (void)values;                                                                              \
        for (int64_t e = first; e < last; e++)                                                     \
            sum += (value)*dense[view->indices[e]];                                                \
    } while (0)

/* The sum of a line's entries times their numbers in `dense`. */
static double times_line(const cobloc_view *view, int64_t line, const double *dense)
{
    int64_t first = view->offsets[line], last = view->offsets[line + 1];
    double sum = 0;
    switch (view->kind) {
    case COBLOC_ONES:
        SUM_LINE(void, 1);
        break;
    case COBLOC_U8:
        SUM_LINE(uint8_t, values[e]);
        break;
    case COBLOC_U16:
        SUM_LINE(uint16_t, values[e]);
        break;
    case COBLOC_U32:
        SUM_LINE(uint32_t, values[e]);
        break;
    case COBLOC_F32:
        SUM_LINE(float, (double)values[e]);
        break;
    case COBLOC_F64:
        SUM_LINE(double, values[e]);
        break;
    }
    return sum;
}

void cob_multiply_vector(const cobloc_view *view, const double *dense, int threads, double *out)
{
#pragma omp parallel for schedule(dynamic, 256) num_threads(cob_threads(threads))
    for (int64_t line = 0; line < view->major; line++)
        out[line] = times_line(view, line, dense);
}

/* So many columns at a time that their sums stay in registers. Rows of the dense matrix come from
 * all over the place: they are asked for some entries ahead. */
enum { WIDEST = 32, STEP = 4, AHEAD = 16, CACHE_LINE = 8 };

COB_INLINE void times_columns(const cobloc_view *view, int64_t line, const double *dense,
                              int columns, int width, double *restrict out)
{
    double sums[WIDEST] = {0};
    int64_t most = view->nnz - AHEAD;
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
        double value = cob_value_get(view->kind, view->values, e);
        const double *row = dense + (int64_t)view->indices[e] * columns;
        const double *next = dense + (int64_t)view->indices[e < most ? e + AHEAD : e] * columns;
        for (int c = 0; c < width; c += CACHE_LINE)
            COB_PREFETCH(next + c);
        for (int c = 0; c < width; c++)
            sums[c] += value * row[c];
    }
    for (int c = 0; c < width; c++)
        out[c] = sums[c];
}

#define WIDTH(steps)                                                                               \
    case steps:                                                                                    \
        times_columns(view, line, dense + c, columns, STEP * (steps), out + c);                    \
        break

COB_CLONES
void cob_line_times(const cobloc_view *view, int64_t line, const double *dense, int columns,
                    double *out)
{
    for (int c = 0, width; c < columns; c += width) {
        width = columns - c < STEP     ? columns - c
                : columns - c < WIDEST ? (columns - c) / STEP * STEP
                                       : WIDEST;
        switch (width / STEP) {
            WIDTH(1);
            WIDTH(2);
            WIDTH(3);
            WIDTH(4);
            WIDTH(5);
            WIDTH(6);
            WIDTH(7);
            WIDTH(8);
        default:
            times_columns(view, line, dense + c, columns, width, out + c);
        }
    }
}

/* Four sums at a time: each addition waits for the one before it, those of others do not. */
void cob_line_times_some(const cobloc_view *view, int64_t line, const double *dense, int columns,
                         const int *which, int count, double *out)
{
    for (int c = 0; c < count; c += 4) {
        const double *at[4];
        double sums[4] = {0};
        for (int i = 0; i < 4; i++)
            at[i] = dense + which[c + i < count ? c + i : c];
        for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
            double value = cob_value_get(view->kind, view->values, e);
            int64_t row = (int64_t)view->indices[e] * columns;
            for (int i = 0; i < 4; i++)
                sums[i] += value * at[i][row];
        }
        for (int i = 0; i < 4 && c + i < count; i++)
            out[c + i] = sums[i];
    }
}
