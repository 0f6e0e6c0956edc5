/* What a matrix knows of its rows, columns and values beside the numbers: names, labels, fields and
 * categories.
 *
 * SPDX-License-Identifier: MIT
 */
#include "matrix/matrix.h"

#include "base/alloc.h"

#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

const char *cobloc_matrix_row_name(const cobloc_matrix *matrix, int64_t row)
{
    return cob_names_get(&matrix->row_names, row);
}

const char *cobloc_matrix_col_name(const cobloc_matrix *matrix, int64_t col)
{
    return cob_names_get(&matrix->col_names, col);
}

const char *cobloc_matrix_row_label(const cobloc_matrix *matrix, int64_t row)
{
    return cob_names_get(&matrix->row_labels, row);
}

static cobloc_status set_names(cob_names *target, const char *const *names, int64_t count,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names made = {0};
    for (int64_t i = 0; names && i < count; i++)
        COB_TRY(cob_names_add(&made, names[i], strlen(names[i]), err));
    cob_names_move(target, &made);
done:
    cob_names_free(&made);
    return status;
}

cobloc_status cobloc_matrix_set_row_names(cobloc_matrix *matrix, const char *const *names,
                                          cobloc_error *err)
{
    return set_names(&matrix->row_names, names, matrix->rows, err);
}

cobloc_status cobloc_matrix_set_col_names(cobloc_matrix *matrix, const char *const *names,
                                          cobloc_error *err)
{
    return set_names(&matrix->col_names, names, matrix->cols, err);
}

cobloc_status cobloc_matrix_set_row_labels(cobloc_matrix *matrix, const char *const *labels,
                                           cobloc_error *err)
{
    return set_names(&matrix->row_labels, labels, matrix->rows, err);
}

/* ---- fields ---------------------------------------------------------------------------------- */

int64_t cobloc_matrix_field_count(const cobloc_matrix *matrix)
{
    return matrix->field_names.count;
}

const char *cobloc_matrix_field_name(const cobloc_matrix *matrix, int64_t field)
{
    return cob_names_get(&matrix->field_names, field);
}

const char *cobloc_matrix_row_field(const cobloc_matrix *matrix, int64_t row, int64_t field)
{
    if (field < 0 || field >= matrix->field_names.count || row < 0 || row >= matrix->rows)
        return NULL;
    return cob_names_get(&matrix->field_values, field * matrix->rows + row);
}

int64_t cobloc_matrix_find_field(const cobloc_matrix *matrix, const char *name)
{
    for (int64_t f = 0; f < matrix->field_names.count; f++)
        if (strcmp(cob_names_get(&matrix->field_names, f), name) == 0)
            return f;
    return -1;
}

cobloc_status cobloc_matrix_add_field(cobloc_matrix *matrix, const char *name,
                                      const char *const *values, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names names = {0}, all = {0};
    COB_CHECK(*name && cobloc_matrix_find_field(matrix, name) < 0, COBLOC_BAD_ARGUMENT,
              "there is a field '%.60s' already", name);
    COB_CHECK(matrix->field_names.count < COB_MATRIX_FIELDS, COBLOC_BAD_ARGUMENT,
              "there are %d fields already", COB_MATRIX_FIELDS);
    COB_TRY(cob_names_copy(&names, &matrix->field_names, err));
    COB_TRY(cob_names_copy(&all, &matrix->field_values, err));
    COB_TRY(cob_names_add(&names, name, strlen(name), err));
    for (int64_t i = 0; i < matrix->rows; i++)
        COB_TRY(cob_names_add(&all, values[i], strlen(values[i]), err));
    cob_names_move(&matrix->field_names, &names);
    cob_names_move(&matrix->field_values, &all);
done:
    cob_names_free(&names);
    cob_names_free(&all);
    return status;
}

/* ---- categories ------------------------------------------------------------------------------ */

cobloc_status cobloc_matrix_set_categories(cobloc_matrix *matrix, const char *const *names,
                                           int64_t count, cobloc_error *err)
{
    if (names && !cob_are_codes(matrix, count))
        return cob_fail(err, COBLOC_BAD_DATA,
                        "the matrix has values other than the whole numbers from 0 to %lld, the "
                        "codes of %lld categories",
                        (long long)count - 1, (long long)count);
    return set_names(&matrix->categories, names, count, err);
}

int64_t cobloc_matrix_category_count(const cobloc_matrix *matrix)
{
    return matrix->categories.count;
}

const char *cobloc_matrix_category_name(const cobloc_matrix *matrix, int64_t code)
{
    return cob_names_get(&matrix->categories, code);
}

/* The names of lines that stay; of several lists of so many `lines`, one behind the other. */
static cobloc_status pick_names(const cob_names *from, int64_t lines, const int32_t *map,
                                cob_names *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (!map)
        return cob_names_copy(to, from, err);
    for (int64_t i = 0; i < from->count; i++)
        if (map[i % lines] >= 0) {
            const char *name = cob_names_get(from, i);
            COB_TRY(cob_names_add(to, name, strlen(name), err));
        }
done:
    return status;
}

cobloc_status cob_matrix_copy_names(cobloc_matrix *to, const cobloc_matrix *from,
                                    const int32_t *row_map, const int32_t *col_map,
                                    cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(pick_names(&from->row_names, from->rows, row_map, &to->row_names, err));
    COB_TRY(pick_names(&from->col_names, from->cols, col_map, &to->col_names, err));
    COB_TRY(pick_names(&from->row_labels, from->rows, row_map, &to->row_labels, err));
    COB_TRY(cob_names_copy(&to->field_names, &from->field_names, err));
    COB_TRY(pick_names(&from->field_values, from->rows, row_map, &to->field_values, err));
    COB_TRY(cob_names_copy(&to->categories, &from->categories, err));
    COB_TRY(cob_copy_text(from->text, &to->text, err));
done:
    return status;
}
