/* A matrix times one vector: what methods that only need products walk the non-zeros with.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/kernels.h"

#include "base/parallel.h"

/* The sum of a line's entries times their numbers in `dense`. */
#define SUM_LINE(type, value)                                                                      \
    do {                                                                                           \
        const type *values = view->values;                                                         \
        (void)values;                                                                              \
        for (int64_t e = first; e < last; e++)                                                     \
            sum += (value)*dense[view->indices[e]];                                                \
    } while (0)

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
