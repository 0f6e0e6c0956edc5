/* info --check: whether what a matrix says about itself follows from its entries.
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>

/* Sums of reals differ by their order. */
static bool are_near(double a, double b, double sizes)
{
    return fabs(a - b) <= 1e-9 * sizes;
}

/* `total` and `sizes` receive the sums of the entries and of their absolute values. */
static bool margins_fit(const cobloc_view *view, const double *sums, int64_t empty, double *total,
                        double *sizes)
{
    *total = *sizes = 0;
    for (int64_t i = 0; i < view->major; i++) {
        double sum = 0, size = 0;
        for (int64_t e = view->offsets[i]; e < view->offsets[i + 1]; e++) {
            sum += cobloc_view_value(view, e);
            size += fabs(cobloc_view_value(view, e));
        }
        if (!are_near(sum, sums[i], size))
            return false;
        empty -= view->offsets[i] == view->offsets[i + 1];
        *total += sum;
        *sizes += size;
    }
    return empty == 0;
}

/* Row after row, each entry must be the next one of its column. */
static bool orientations_agree(const cobloc_view *rows, const cobloc_view *cols, int64_t *next)
{
    for (int64_t j = 0; j < cols->major; j++)
        next[j] = cols->offsets[j];
    for (int64_t i = 0; i < rows->major; i++)
        for (int64_t e = rows->offsets[i]; e < rows->offsets[i + 1]; e++) {
            int32_t j = rows->indices[e];
            int64_t at = next[j]++;
            if (at >= cols->offsets[j + 1] || cols->indices[at] != i ||
                cobloc_view_value(rows, e) != cobloc_view_value(cols, at))
                return false;
        }
    return true;
}

const char *cli_find_fault(const cobloc_matrix *m)
{
    cobloc_view rows = cobloc_matrix_by_rows(m), cols = cobloc_matrix_by_cols(m);
    double total, sizes;
    int64_t *next = cli_memory(malloc((size_t)cols.major * sizeof *next));
    bool agree = orientations_agree(&rows, &cols, next);
    free(next);
    if (!agree)
        return "the entries by rows and by columns are not the same";
    if (!margins_fit(&rows, cobloc_matrix_row_sums(m), cobloc_matrix_empty_rows(m), &total, &sizes))
        return "the sums of the rows, or the number of empty ones, are wrong";
    if (!margins_fit(&cols, cobloc_matrix_col_sums(m), cobloc_matrix_empty_cols(m), &total, &sizes))
        return "the sums of the columns, or the number of empty ones, are wrong";
    if (!are_near(total, cobloc_matrix_total(m), sizes))
        return "the total is wrong";
    const cobloc_matrix *missing = cobloc_matrix_missing(m);
    return missing ? cli_find_fault(missing) : NULL;
}
