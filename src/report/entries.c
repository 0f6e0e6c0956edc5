/* A matrix in the order of its co-clustering.
 * SPDX-License-Identifier: MIT
 */
#include "report/entries.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* ---- grids ----------------------------------------------------------------------------------- */

void cob_grid_free(cob_grid *grid)
{
    cob_free(grid->counts);
    *grid = (cob_grid){0};
}

cobloc_status cob_grid_of(const cobloc_matrix *matrix, const cob_order *rows, const cob_order *cols,
                          int64_t col_from, int64_t col_to, int grid_rows, int grid_cols,
                          cob_grid *grid, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = cobloc_matrix_by_rows(matrix);
    int64_t n = view.major, width = col_to - col_from;
    cob_grid g = {grid_rows, grid_cols, NULL};
    COB_NEW_ZERO(g.counts, (size_t)grid_rows * (size_t)grid_cols);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = (rows ? rows->place[i] : i) * grid_rows / n;
        uint32_t *line = g.counts + at * grid_cols;
        for (int64_t e = view.offsets[i]; e < view.offsets[i + 1]; e++) {
            int64_t place = (cols ? cols->place[view.indices[e]] : view.indices[e]) - col_from;
            if (place >= 0 && place < width)
                line[place * grid_cols / width]++;
        }
    }
    *grid = g;
    g.counts = NULL;
done:
    cob_grid_free(&g);
    return status;
}

cobloc_status cob_count_blocks(const cobloc_matrix *matrix, const cobloc_result *result,
                               int64_t **counts, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = cobloc_matrix_by_rows(matrix);
    COB_NEW_ZERO(*counts, (size_t)result->k * (size_t)result->l);
    for (int64_t i = 0; i < view.major; i++)
        for (int64_t e = view.offsets[i]; result->row_labels[i] >= 0 && e < view.offsets[i + 1];
             e++) {
            int32_t l = result->col_labels[view.indices[e]];
            if (l >= 0)
                (*counts)[(int64_t)result->row_labels[i] * result->l + l]++;
        }
done:
    return status;
}

/* ---- entries --------------------------------------------------------------------------------- */

void cob_packed_entries_free(cob_packed_entries *packed)
{
    cob_bytes_free(&packed->places);
    cob_bytes_free(&packed->values);
}

/* Sign, exponent and 20 bits of the fraction. The largest doubles are not rounded, to stay finite.
 */
static uint32_t upper_half(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t upper = (uint32_t)(bits >> 32), largest = 0x7FEFFFFF;
    bool up = (bits & 0x80000000) != 0 && (upper & 0x7FFFFFFF) < largest;
    return upper + up;
}

static void pack_value(cob_packed_entries *p, double value)
{
    if (p->code == COB_VALUES_COUNTS) {
        cob_bytes_varint(&p->values, (uint64_t)value);
    } else if (p->code == COB_VALUES_REALS) {
        uint32_t upper = upper_half(value);
        for (int shift = 0; shift < 32; shift += 8)
            cob_bytes_byte(&p->values, (unsigned char)(upper >> shift & 255));
    }
    p->most = fmax(p->most, fabs(value));
}

/* Sorts the entries by row, and each row by place. Visiting the columns in their order does this
 * without comparisons. */
static void arrange(const cobloc_view *by_cols, const cob_order *rows, const cob_order *cols,
                    int64_t *next, int32_t *places, int64_t *entries)
{
    for (int64_t q = 0; q < by_cols->major; q++) {
        int64_t col = cols->at[q];
        for (int64_t e = by_cols->offsets[col]; e < by_cols->offsets[col + 1]; e++) {
            int64_t to = next[rows->place[by_cols->indices[e]]]++;
            places[to] = (int32_t)q;
            entries[to] = e;
        }
    }
}

cobloc_status cob_pack_entries(const cobloc_matrix *matrix, const cob_order *rows,
                               const cob_order *cols, cob_packed_entries *packed, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = cobloc_matrix_by_rows(matrix), by_cols = cobloc_matrix_by_cols(matrix);
    int64_t n = view.major, *next = NULL, *entries = NULL, at = 0;
    int32_t *places = NULL;
    cob_packed_entries p = {.code = view.kind == COBLOC_ONES  ? COB_VALUES_ONES
                                    : view.kind <= COBLOC_U32 ? COB_VALUES_COUNTS
                                                              : COB_VALUES_REALS};
    COB_NEW(next, n);
    COB_NEW(places, view.nnz);
    COB_NEW(entries, view.nnz);
    for (int64_t r = 0; r < n; r++) {
        next[r] = at;
        at += view.offsets[rows->at[r] + 1] - view.offsets[rows->at[r]];
    }
    arrange(&by_cols, rows, cols, next, places, entries);
    for (int64_t r = 0, e = 0; r < n; r++) {
        int32_t last = -1;
        cob_bytes_varint(&p.places, (uint64_t)(next[r] - e));
        for (; e < next[r]; e++) {
            cob_bytes_varint(&p.places, (uint64_t)(places[e] - last - 1));
            last = places[e];
            pack_value(&p, cobloc_view_value(&by_cols, entries[e]));
        }
    }
    COB_CHECK(!p.places.failed && !p.values.failed, COBLOC_NO_MEMORY, "out of memory");
    *packed = p;
    p = (cob_packed_entries){0};
done:
    cob_packed_entries_free(&p);
    cob_free(next);
    cob_free(places);
    cob_free(entries);
    return status;
}
