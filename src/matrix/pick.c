/* Some of the rows and columns of a matrix, and all but the empty ones.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/matrix.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <string.h>

static int64_t count_kept(const int32_t *map, int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        kept += !map || map[i] >= 0;
    return kept;
}

/* The entries of the rows that stay: some of them may be in columns that do not. */
static int64_t count_entries(const cobloc_matrix *matrix, const int32_t *row_map)
{
    const int64_t *offsets = matrix->by_row.offsets;
    int64_t entries = 0;
    for (int64_t i = 0; i < matrix->rows; i++)
        entries += !row_map || row_map[i] >= 0 ? offsets[i + 1] - offsets[i] : 0;
    return entries;
}

cobloc_status cob_matrix_pick(const cobloc_matrix *matrix, const int32_t *row_map,
                              const int32_t *col_map, int threads, cobloc_matrix **out,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_side *from = &matrix->by_row;
    int64_t rows = count_kept(row_map, matrix->rows), cols = count_kept(col_map, matrix->cols);
    int64_t room = count_entries(matrix, row_map), entries = 0, row = 0;
    cobloc_value_kind kind;
    double *values = NULL;
    cob_side to = {0};
    COB_TRY(cob_side_alloc(&to, rows, room, COBLOC_ONES, err));
    COB_NEW(values, room);
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
    COB_TRY(
        cob_values_pack(&values, entries, (cob_between){0, entries}, NULL, &kind, &to.values, err));
    COB_TRY(cob_matrix_own(rows, cols, kind, &to, threads, out, err));
done:
    cob_free(values);
    cob_side_free(&to);
    return status;
}

cobloc_status cob_matrix_detach(cobloc_matrix **matrix, const cobloc_matrix *from,
                                const int32_t *row_map, const int32_t *col_map, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *made = NULL;
    COB_TRY(cob_matrix_pick(*matrix, NULL, NULL, 0, &made, err));
    COB_TRY(cob_matrix_copy_names(made, from, row_map, col_map, err));
    cob_names_move(&made->categories, &(*matrix)->categories);
    made->missing = (*matrix)->missing;
    (*matrix)->missing = NULL;
    COB_TRY(cob_budget_begin(cob_budget_bytes(from->budget), &made->budget, err));
    cobloc_matrix_free(*matrix);
    *matrix = made;
    made = NULL;
done:
    cobloc_matrix_free(made);
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

/* In pieces, in order: they may lie in files. Ranks need what they copied no more. */
static void renumber(const int32_t *from, cob_between entries, const int32_t *map, bool ranks,
                     int32_t *to)
{
    enum { PIECE = 1 << 18 };
    int threads = cob_threads(0);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t first = entries.first; first < entries.last; first += PIECE) {
        int64_t later = first + (int64_t)threads * PIECE;
        int64_t last = first + PIECE < entries.last ? first + PIECE : entries.last;
        if (later + PIECE <= entries.last)
            cob_read_ahead(from + later, PIECE * sizeof *from);
        for (int64_t e = first; e < last; e++)
            to[e] = map[from[e]];
        if (ranks)
            cob_give_back(from + first, (size_t)(last - first) * sizeof *from);
    }
}

/* The non-empty lines of one side and their sums; indices are copied where they are `renumbered`,
 * offsets and sums where lines are empty, and other arrays borrowed. */
static cobloc_status squeeze(const cob_side *side, double *sums, int64_t major,
                             const int32_t *lines, int64_t line_count, bool renumbered,
                             cob_side *copy, double **own_sums, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t nnz = side->offsets[major];
    *copy = (cob_side){NULL, renumbered ? NULL : side->indices, side->values};
    if (renumbered)
        COB_NEW(copy->indices, nnz); /* a rank never touches most of it */
    if (line_count == major) {
        copy->offsets = side->offsets;
        *own_sums = sums;
        return COBLOC_OK;
    }
    COB_NEW(copy->offsets, line_count + 1);
    COB_NEW(*own_sums, line_count);
#pragma omp parallel for schedule(static) num_threads(cob_threads(0))
    for (int64_t i = 0; i < major; i++)
        if (lines[i] >= 0) {
            copy->offsets[lines[i]] = side->offsets[i];
            (*own_sums)[lines[i]] = sums[i];
        }
    copy->offsets[line_count] = nnz;
done:
    return status;
}

/* The indices of one side, as far as they are this rank's. */
static void renumber_side(const cob_side *side, const int32_t *map, const cob_part *part, int of,
                          int64_t major, cob_side *copy)
{
    cob_between own = cob_part_lines(part, of, major);
    if (copy->indices != side->indices)
        renumber(side->indices, (cob_between){copy->offsets[own.first], copy->offsets[own.last]},
                 map, part->ranks != NULL, copy->indices);
}

cobloc_status cob_matrix_drop_empty(const cobloc_matrix *matrix, const cob_parts *parts,
                                    cobloc_matrix **out, int32_t *row_map, int32_t *col_map,
                                    cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_part part = {0};
    cobloc_matrix *made = NULL;
    COB_CHECK(matrix->nnz > 0, COBLOC_BAD_DATA, "the matrix holds no entries at all");
    COB_TRY(parts ? cob_matrix_verify(matrix, NULL, err) : cobloc_matrix_verify(matrix, err));
    COB_NEW_ZERO(made, 1);
    made->rows = number_filled(&matrix->by_row, matrix->rows, row_map);
    made->cols = number_filled(&matrix->by_col, matrix->cols, col_map);
    made->nnz = matrix->nnz;
    made->kind = matrix->kind;
    made->negative = matrix->negative;
    made->total = matrix->total;
    made->lent = (cob_sides){matrix->by_row, matrix->by_col};
    made->lent_sums[0] = matrix->row_sums;
    made->lent_sums[1] = matrix->col_sums;
    COB_TRY(squeeze(&matrix->by_row, matrix->row_sums, matrix->rows, row_map, made->rows,
                    made->cols < matrix->cols, &made->by_row, &made->row_sums, err));
    COB_TRY(squeeze(&matrix->by_col, matrix->col_sums, matrix->cols, col_map, made->cols,
                    made->rows < matrix->rows, &made->by_col, &made->col_sums, err));
    if (parts)
        part = cob_part_of(parts, made);
    renumber_side(&matrix->by_row, col_map, &part, 0, made->rows, &made->by_row);
    renumber_side(&matrix->by_col, row_map, &part, 1, made->cols, &made->by_col);
    COB_TRY(cob_names_copy(&made->categories, &matrix->categories, err));
    if (matrix->missing)
        COB_TRY(cob_matrix_pick(matrix->missing, row_map, col_map, 0, &made->missing, err));
    if (made->missing && made->missing->nnz == 0) {
        cobloc_matrix_free(made->missing);
        made->missing = NULL;
    }
    *out = made;
    made = NULL;
done:
    cobloc_matrix_free(made);
    return status;
}

cobloc_status cobloc_matrix_drop_empty(const cobloc_matrix *matrix, cobloc_matrix **out,
                                       int32_t *row_map, int32_t *col_map, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t *rows = NULL, *cols = NULL;
    cobloc_matrix *made = NULL;
    COB_NEW(rows, matrix->rows);
    COB_NEW(cols, matrix->cols);
    COB_TRY(cob_matrix_drop_empty(matrix, NULL, &made, rows, cols, err));
    COB_TRY(cob_matrix_detach(&made, matrix, rows, cols, err));
    if (row_map)
        memcpy(row_map, rows, (size_t)matrix->rows * sizeof *rows);
    if (col_map)
        memcpy(col_map, cols, (size_t)matrix->cols * sizeof *cols);
    *out = made;
    made = NULL;
done:
    cobloc_matrix_free(made);
    cob_free(rows);
    cob_free(cols);
    return status;
}
