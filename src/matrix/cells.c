/* What cells hold besides counts and positive reals: negative values, codes of categories, or
 * nothing at all.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "matrix/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- negative values ------------------------------------------------------------------------- */

bool cob_any_negative(cobloc_value_kind kind, const void *values, int64_t count)
{
    bool found = false;
    for (int64_t e = 0; kind > COBLOC_U32 && e < count; e++)
        found |= cob_value_get(kind, values, e) < 0;
    return found;
}

int cobloc_matrix_has_negative(const cobloc_matrix *matrix)
{
    return matrix->negative;
}

/* ---- codes ----------------------------------------------------------------------------------- */

bool cob_are_codes(const cobloc_matrix *matrix, int64_t count)
{
    bool codes = matrix->kind <= COBLOC_U32 && count > (matrix->nnz > 0);
    for (int64_t e = 0; codes && matrix->kind != COBLOC_ONES && e < matrix->nnz; e++)
        codes = cob_value_get(matrix->kind, matrix->by_row.values, e) < (double)count;
    return codes;
}

/* ---- what a method accepts ------------------------------------------------------------------- */

enum { PLACE_ROOM = 160 };

/* "row 3 (Bonn), column 7 (rain)", of an entry by rows; with names if they are known. */
static void describe_place(const cobloc_matrix *matrix, const cob_side *side, int64_t e,
                           char text[PLACE_ROOM])
{
    int64_t row = cob_line_at(side->offsets, matrix->rows, e), col = side->indices[e];
    const char *names[] = {cob_names_get(&matrix->row_names, row),
                           cob_names_get(&matrix->col_names, col)};
    char shown[2][48] = {"", ""};
    for (int i = 0; i < 2; i++)
        if (names[i])
            snprintf(shown[i], sizeof shown[i], " (%.40s)", names[i]);
    snprintf(text, PLACE_ROOM, "row %lld%s, column %lld%s", (long long)(row + 1), shown[0],
             (long long)(col + 1), shown[1]);
}

cobloc_status cob_matrix_check_range(const cobloc_matrix *matrix, cobloc_error *err)
{
    const cobloc_view rows = cobloc_matrix_by_rows(matrix);
    const double *values = rows.values, most = 1e154 / (double)rows.nnz, least = 1e-154;
    char place[PLACE_ROOM];
    int64_t e = 0;
    if (rows.kind != COBLOC_F64 || rows.nnz == 0) /* counts and floats are always in range */
        return COBLOC_OK;
    double largest =
        cob_largest_value(&rows, (cob_between){0, rows.nnz}, &(cob_shared_values){.ranks = NULL});
    if (largest <= most && largest >= least)
        return COBLOC_OK;
    while (fabs(values[e]) != largest)
        e++;
    describe_place(matrix, &matrix->by_row, e, place);
    if (largest < least)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "the largest value, %g in %s, is too small to compute with: products of "
                        "sums would vanish; multiply all values by the same number",
                        values[e], place);
    return cob_fail(err, COBLOC_BAD_DATA,
                    "the value %g in %s is too large to compute with: products of sums would "
                    "overflow; with %lld entries, at most %.3g is possible",
                    values[e], place, (long long)rows.nnz, most);
}

cobloc_status cob_matrix_check_cells(const cobloc_matrix *matrix, const char *who,
                                     bool takes_negative, bool takes_missing, cobloc_error *err)
{
    char place[PLACE_ROOM];
    const void *values = matrix->by_row.values;
    if (matrix->negative && !takes_negative) {
        int64_t e = 0;
        while (!(cob_value_get(matrix->kind, values, e) < 0))
            e++;
        describe_place(matrix, &matrix->by_row, e, place);
        return cob_fail(err, COBLOC_BAD_DATA,
                        "%s takes no negative values, and the first, %g, stands in %s", who,
                        cob_value_get(matrix->kind, values, e), place);
    }
    if (matrix->missing && !takes_missing) {
        describe_place(matrix, &matrix->missing->by_row, 0, place);
        return cob_fail(err, COBLOC_BAD_DATA,
                        "%s takes no missing cells, and the first of %lld is %s; '--missing zero' "
                        "reads them as 0",
                        who, (long long)matrix->missing->nnz, place);
    }
    return COBLOC_OK;
}

/* ---- missing cells --------------------------------------------------------------------------- */

const cobloc_matrix *cobloc_matrix_missing(const cobloc_matrix *matrix)
{
    return matrix->missing;
}

int64_t cobloc_matrix_missing_count(const cobloc_matrix *matrix)
{
    return matrix->missing ? matrix->missing->nnz : 0;
}

int64_t cobloc_matrix_missing_as_zero(const cobloc_matrix *matrix)
{
    return matrix->zeroed;
}

/* The first column of row `i` in which both present an entry; -1: none. */
static int32_t shared_column(const cob_side *a, const cob_side *b, int64_t i)
{
    int64_t x = a->offsets[i], y = b->offsets[i];
    while (x < a->offsets[i + 1] && y < b->offsets[i + 1]) {
        if (a->indices[x] == b->indices[y])
            return a->indices[x];
        if (a->indices[x] < b->indices[y])
            x++;
        else
            y++;
    }
    return -1;
}

cobloc_status cob_matrix_take_missing(cobloc_matrix *matrix, cobloc_matrix **cells,
                                      cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *ones = NULL;
    for (int64_t i = 0; i < matrix->rows; i++) {
        int32_t col = shared_column(&matrix->by_row, &(*cells)->by_row, i);
        COB_CHECK(col < 0, COBLOC_BAD_DATA,
                  "the cell in row %lld, column %lld has a value and is also missing",
                  (long long)(i + 1), (long long)col + 1);
    }
    if ((*cells)->kind != COBLOC_ONES) { /* a cell that is missing twice is missing */
        COB_TRY(cobloc_matrix_weighted(*cells, COBLOC_WEIGHT_BINARY, &ones, err));
        cobloc_matrix_free(*cells);
        *cells = ones;
    }
    matrix->missing = *cells;
    *cells = NULL;
done:
    return status;
}
