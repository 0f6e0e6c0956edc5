/* The entries of a matrix divided by their approximation from two factors, for factorisations by
 * divergence.
 *
 * SPDX-License-Identifier: MIT
 */
#include "matrix/kernels.h"

#include "base/parallel.h"
#include "base/vectors.h"
#include "matrix/values.h"

#include <math.h>
#include <string.h>

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
