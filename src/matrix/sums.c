/* Sums of lines over clusters, and products with dense matrices, as real numbers.
 * SPDX-License-Identifier: MIT
 */
#include "base/parallel.h"
#include "base/vectors.h"
#include "matrix/kernels.h"
#include "matrix/values.h"

#include <string.h>

void cob_multiply(const cobloc_view *view, const double *dense, int columns, int threads,
                  double *out)
{
#pragma omp parallel for schedule(dynamic, 64) num_threads(cob_threads(threads))
    for (int64_t line = 0; line < view->major; line++)
        cob_line_times(view, line, dense, columns, out + line * columns);
}

/* Every other entry goes to `odd`: neighbours are often in the same cluster, and each addition
 * would wait for the one before. */
COB_INLINE void sum_line(const cobloc_view *view, cobloc_value_kind kind, int64_t line,
                         const int32_t *labels, double *restrict even, double *restrict odd)
{
    int64_t e = view->offsets[line], last = view->offsets[line + 1];
    for (; e + 1 < last; e += 2) {
        even[labels[view->indices[e]]] += cob_value_get(kind, view->values, e);
        odd[labels[view->indices[e + 1]]] += cob_value_get(kind, view->values, e + 1);
    }
    if (e < last)
        even[labels[view->indices[e]]] += cob_value_get(kind, view->values, e);
}

/* Among more clusters than this, neighbours are seldom in the same one. */
enum { REDUCED = 64 };

static void reduce_line(const cobloc_view *view, int64_t line, const int32_t *labels, int clusters,
                        double *sums)
{
    double odd[REDUCED];
    memset(sums, 0, (size_t)clusters * sizeof *sums);
    memset(odd, 0, sizeof odd);
    if (clusters > REDUCED)
        for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++)
            sums[labels[view->indices[e]]] += cob_value_get(view->kind, view->values, e);
    else if (view->kind == COBLOC_ONES)
        sum_line(view, COBLOC_ONES, line, labels, sums, odd);
    else if (view->kind == COBLOC_U8)
        sum_line(view, COBLOC_U8, line, labels, sums, odd);
    else if (view->kind == COBLOC_F64)
        sum_line(view, COBLOC_F64, line, labels, sums, odd);
    else
        sum_line(view, view->kind, line, labels, sums, odd);
    for (int l = 0; l < clusters && clusters <= REDUCED; l++)
        sums[l] += odd[l];
}

void cob_reduce(const cobloc_view *view, const int32_t *labels, int clusters, int threads,
                double *out)
{
#pragma omp parallel for schedule(dynamic, 64) num_threads(cob_threads(threads))
    for (int64_t line = 0; line < view->major; line++)
        reduce_line(view, line, labels, clusters, out + line * clusters);
}
