/* Weighted copies of a matrix, and the copy without empty rows and columns.
 * SPDX-License-Identifier: MIT
 */
#include "base/fields.h"
#include "matrix/matrix.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- weights --------------------------------------------------------------------------------- */

double cob_idf(int64_t rows, int64_t frequency)
{
    return log((1 + (double)rows) / (1 + (double)frequency)) + 1;
}

/* factor[j]: the given factor of the column, or that of the number of rows with an entry in it. */
static cobloc_status inverse_document_frequencies(const cobloc_matrix *matrix, const double *given,
                                                  double **factor, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const int64_t *offsets = matrix->by_col.offsets;
    COB_NEW(*factor, matrix->cols);
    for (int64_t j = 0; j < matrix->cols; j++)
        (*factor)[j] = given ? given[j] : cob_idf(matrix->rows, offsets[j + 1] - offsets[j]);
done:
    return status;
}

/* Rows are divided first by `scale`, which is 1 unless a square would over- or underflow, then by
 * the Euclidean length of the rest. */
typedef struct lengths {
    double *factor; /* of the columns; NULL: none */
    double *scale, *length;
} lengths;

static double entry_of(const cobloc_matrix *matrix, const cob_side *side, int64_t e,
                       const double *factor, int64_t col)
{
    double x = cob_value_get(matrix->kind, side->values, e);
    return factor ? x * factor[col] : x;
}

static void measure_rows(const cobloc_matrix *matrix, const lengths *by)
{
    const cob_side *side = &matrix->by_row;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < matrix->rows; i++) {
        double largest = 0, squares = 0;
        for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++) {
            double x = entry_of(matrix, side, e, by->factor, side->indices[e]);
            largest = fabs(x) > largest ? fabs(x) : largest;
            squares += x * x;
        }
        by->scale[i] = largest > 1e-140 && largest < 1e140 ? 1 : largest;
        if (by->scale[i] != 1) {
            squares = 0;
            for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++) {
                double x = entry_of(matrix, side, e, by->factor, side->indices[e]) / largest;
                squares += x * x;
            }
        }
        by->length[i] = sqrt(squares);
    }
}

/* The values of one side. A value so small beside others that it would become 0 is set to the
 * smallest positive number. */
static void divide(const cobloc_matrix *matrix, bool columns, const lengths *by, double *values)
{
    const cob_side *side = columns ? &matrix->by_col : &matrix->by_row;
#pragma omp parallel for schedule(static)
    for (int64_t line = 0; line < (columns ? matrix->cols : matrix->rows); line++)
        for (int64_t e = side->offsets[line]; e < side->offsets[line + 1]; e++) {
            int64_t row = columns ? side->indices[e] : line,
                    col = columns ? line : side->indices[e];
            double x = entry_of(matrix, side, e, by->factor, col);
            x = (by->scale[row] == 1 ? x : x / by->scale[row]) / by->length[row];
            values[e] = x != 0 ? x : copysign(4.9406564584124654e-324, x);
        }
}

static cobloc_status copy_side(const cobloc_matrix *matrix, const cob_side *side, int64_t lines,
                               cobloc_value_kind kind, cob_side *copy, cobloc_error *err)
{
    cobloc_status status = cob_side_alloc(copy, lines, matrix->nnz, kind, err);
    if (status == COBLOC_OK) {
        memcpy(copy->offsets, side->offsets, (size_t)(lines + 1) * sizeof *copy->offsets);
        memcpy(copy->indices, side->indices, (size_t)matrix->nnz * sizeof *copy->indices);
        if (kind != COBLOC_ONES)
            memcpy(copy->values, side->values, (size_t)matrix->nnz * cob_kind_width(kind));
    }
    return status;
}

/* The values of both sides of a copy, divided by the lengths of its rows, packed. */
static cobloc_status weigh(const cobloc_matrix *matrix, bool frequencies, const double *given,
                           cobloc_value_kind *kind, cob_side *by_row, cob_side *by_col,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *values[] = {NULL, NULL};
    cob_side *sides[] = {by_row, by_col};
    lengths by = {0};
    COB_NEW(by.scale, matrix->rows);
    COB_NEW(by.length, matrix->rows);
    if (frequencies)
        COB_TRY(inverse_document_frequencies(matrix, given, &by.factor, err));
    measure_rows(matrix, &by);
    for (int side = 0; side < 2; side++) {
        COB_NEW(values[side], matrix->nnz);
        divide(matrix, side == 1, &by, values[side]);
        COB_TRY(cob_values_pack(&values[side], matrix->nnz, kind, &sides[side]->values, err));
    }
done:
    cob_free(by.factor);
    cob_free(by.scale);
    cob_free(by.length);
    cob_free(values[0]);
    cob_free(values[1]);
    return status;
}

cobloc_status cob_tfidf_factors(const cobloc_matrix *matrix, double **rows, double **cols,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    lengths by = {0};
    COB_NEW(by.scale, matrix->rows);
    COB_NEW(by.length, matrix->rows);
    COB_TRY(inverse_document_frequencies(matrix, NULL, cols, err));
    by.factor = *cols;
    measure_rows(matrix, &by);
    for (int64_t i = 0; i < matrix->rows; i++) {
        double length = by.length[i] > 0 ? by.length[i] : 1; /* a row without entries */
        by.length[i] = 1 / (by.scale[i] > 0 ? by.scale[i] : 1) / length;
    }
    *rows = by.length;
    by.length = NULL;
done:
    cob_free(by.scale);
    cob_free(by.length);
    return status;
}

const char *const cob_weight_names[] = {"auto", "none", "binary", "tfidf", "rownorm", NULL};

const char *cobloc_weight_name(cobloc_weight weight)
{
    return cob_choice_name(cob_weight_names, (int)weight);
}

cobloc_status cobloc_matrix_weighted(const cobloc_matrix *matrix, cobloc_weight weight,
                                     cobloc_matrix **out, cobloc_error *err)
{
    return cob_matrix_weighted(matrix, weight, NULL, out, err);
}

cobloc_status cob_matrix_weighted(const cobloc_matrix *matrix, cobloc_weight weight,
                                  const double *factors, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_side by_row = {0}, by_col = {0};
    cobloc_matrix *made = NULL;
    COB_CHECK(weight >= COBLOC_WEIGHT_NONE && weight <= COBLOC_WEIGHT_ROWNORM, COBLOC_BAD_ARGUMENT,
              "unknown weight %d", (int)weight);
    COB_TRY(cobloc_matrix_verify(matrix, err));
    cobloc_value_kind kind = weight == COBLOC_WEIGHT_NONE ? matrix->kind : COBLOC_ONES;
    COB_TRY(copy_side(matrix, &matrix->by_row, matrix->rows, kind, &by_row, err));
    COB_TRY(copy_side(matrix, &matrix->by_col, matrix->cols, kind, &by_col, err));
    if (weight > COBLOC_WEIGHT_BINARY)
        COB_TRY(
            weigh(matrix, weight == COBLOC_WEIGHT_TFIDF, factors, &kind, &by_row, &by_col, err));
    COB_TRY(cob_matrix_own_both(matrix->rows, matrix->cols, kind, &by_row, &by_col, NULL, 0, &made,
                                err));
    COB_TRY(cob_matrix_copy_names(made, matrix, err));
    if (weight != COBLOC_WEIGHT_NONE)
        cob_names_free(&made->categories); /* its values are no longer codes */
    if (matrix->missing)
        COB_TRY(
            cob_matrix_weighted(matrix->missing, COBLOC_WEIGHT_NONE, NULL, &made->missing, err));
    *out = made;
    made = NULL;
done:
    cobloc_matrix_free(made);
    cob_side_free(&by_row);
    cob_side_free(&by_col);
    return status;
}

/* ---- without empty lines --------------------------------------------------------------------- */

/* Numbers the lines that have entries; returns how many there are. */
static int64_t number_filled(const cob_side *side, int64_t major, int32_t *map)
{
    int32_t next = 0;
    for (int64_t i = 0; i < major; i++)
        map[i] = side->offsets[i + 1] > side->offsets[i] ? next++ : -1;
    return next;
}

static cobloc_status pick_names(const cob_names *from, const int32_t *map, cob_names *to,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int64_t i = 0; i < from->count; i++)
        if (map[i] >= 0) {
            const char *name = cob_names_get(from, i);
            COB_TRY(cob_names_add(to, name, strlen(name), err));
        }
done:
    return status;
}

/* The non-empty lines of one side, with indices renumbered by `indices`; NULL: unchanged. Arrays
 * that are lent are not copied. */
static cobloc_status squeeze(const cob_side *side, int64_t major, const int32_t *lines,
                             int64_t line_count, const int32_t *indices, cobloc_value_kind kind,
                             bool borrow, cob_side *copy, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t nnz = side->offsets[major];
    size_t width = cob_kind_width(kind);
    COB_NEW(copy->offsets, line_count + 1);
    for (int64_t i = 0; i < major; i++)
        if (lines[i] >= 0)
            copy->offsets[lines[i]] = side->offsets[i];
    copy->offsets[line_count] = nnz;
    if (borrow && !indices) {
        copy->indices = side->indices;
    } else {
        COB_NEW(copy->indices, nnz);
#pragma omp parallel for schedule(static)
        for (int64_t e = 0; e < nnz; e++)
            copy->indices[e] = indices ? indices[side->indices[e]] : side->indices[e];
    }
    if (borrow) {
        copy->values = side->values;
    } else if (width > 0) {
        copy->values = cob_alloc((size_t)nnz, width);
        if (!copy->values)
            return cob_fail_memory(err, (size_t)nnz, width);
        memcpy(copy->values, side->values, (size_t)nnz * width);
    }
done:
    return status;
}

cobloc_status cobloc_matrix_drop_empty(const cobloc_matrix *matrix, cobloc_matrix **out,
                                       int32_t *row_map, int32_t *col_map, cobloc_error *err)
{
    return cob_matrix_drop_empty(matrix, false, out, row_map, col_map, err);
}

cobloc_status cob_matrix_drop_empty(const cobloc_matrix *matrix, bool borrow, cobloc_matrix **out,
                                    int32_t *row_map, int32_t *col_map, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_sides all = {matrix->by_row, matrix->by_col}, *lent = borrow ? &all : NULL;
    int32_t *rows = NULL, *cols = NULL;
    cob_side by_row = {0}, by_col = {0};
    cobloc_matrix *made = NULL;
    COB_CHECK(matrix->nnz > 0, COBLOC_BAD_DATA, "the matrix holds no entries at all");
    COB_TRY(cobloc_matrix_verify(matrix, err));
    COB_NEW(rows, matrix->rows);
    COB_NEW(cols, matrix->cols);
    int64_t row_count = number_filled(&matrix->by_row, matrix->rows, rows);
    int64_t col_count = number_filled(&matrix->by_col, matrix->cols, cols);
    COB_TRY(squeeze(&matrix->by_row, matrix->rows, rows, row_count,
                    col_count < matrix->cols ? cols : NULL, matrix->kind, borrow, &by_row, err));
    COB_TRY(squeeze(&matrix->by_col, matrix->cols, cols, col_count,
                    row_count < matrix->rows ? rows : NULL, matrix->kind, borrow, &by_col, err));
    COB_TRY(cob_matrix_own_both(row_count, col_count, matrix->kind, &by_row, &by_col, lent, 0,
                                &made, err));
    if (!borrow) {
        COB_TRY(pick_names(&matrix->row_names, rows, &made->row_names, err));
        COB_TRY(pick_names(&matrix->col_names, cols, &made->col_names, err));
        COB_TRY(pick_names(&matrix->row_labels, rows, &made->row_labels, err));
        COB_TRY(cob_matrix_copy_text(made, matrix, err));
    }
    COB_TRY(cob_names_copy(&made->categories, &matrix->categories, err));
    if (matrix->missing)
        COB_TRY(cob_missing_pick(matrix->missing, rows, row_count, cols, col_count, &made->missing,
                                 err));
    if (row_map)
        memcpy(row_map, rows, (size_t)matrix->rows * sizeof *rows);
    if (col_map)
        memcpy(col_map, cols, (size_t)matrix->cols * sizeof *cols);
    *out = made;
    made = NULL;
done:
    cobloc_matrix_free(made);
    cob_sides_free(&by_row, &by_col, lent);
    cob_free(rows);
    cob_free(cols);
    return status;
}
