/* Some of the rows and columns of a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/matrix.h"

#include "base/alloc.h"

static int64_t count_kept(const int32_t *map, int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        kept += !map || map[i] >= 0;
    return kept;
}

cobloc_status cob_matrix_pick(const cobloc_matrix *matrix, const int32_t *row_map,
                              const int32_t *col_map, int threads, cobloc_matrix **out,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_side *from = &matrix->by_row;
    int64_t rows = count_kept(row_map, matrix->rows), cols = count_kept(col_map, matrix->cols);
    int64_t entries = 0, row = 0;
    cobloc_value_kind kind;
    double *values = NULL;
    cob_side to = {0};
    COB_TRY(cob_side_alloc(&to, rows, matrix->nnz, COBLOC_ONES, err));
    COB_NEW(values, matrix->nnz);
    to.offsets[0] = 0;
    for (int64_t i = 0; i < matrix->rows; i++) {
        if (row_map && row_map[i] < 0)
            continue;
        for (int64_t e = from->offsets[i]; e < from->offsets[i + 1]; e++) {
            int32_t col = from->indices[e];
            if (col_map && col_map[col] < 0)
                continue;
            to.indices[entries] = col_map ? col_map[col] : col;
            values[entries++] = cob_value_get(matrix->kind, from->values, e);
        }
        to.offsets[++row] = entries;
    }
    COB_TRY(cob_values_pack(&values, entries, &kind, &to.values, err));
    COB_TRY(cob_matrix_own(rows, cols, kind, &to, threads, out, err));
done:
    cob_free(values);
    cob_side_free(&to);
    return status;
}
