/* A new matrix in terms of a fitted one.
 * SPDX-License-Identifier: MIT
 */
#include "fit/saved.h"

#include "base/alloc.h"
#include "base/intern.h"

#include <math.h>
#include <string.h>

/* ---- columns --------------------------------------------------------------------------------- */

static cobloc_status check_distinct(const cob_names *names, const char *whose, cobloc_error *err)
{
    int64_t again;
    cobloc_status status = cob_names_find_repeat(names, &again, err);
    if (status == COBLOC_OK && again >= 0)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "two columns of %s have the name '%.60s': they cannot be told apart", whose,
                        cob_names_get(names, again));
    return status;
}

/* map[j]: the column of the fit that has the name of column j, or -1. */
static cobloc_status match_names(const cob_names *fitted, const cob_names *names, int32_t *map,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_intern known = {0};
    COB_TRY(check_distinct(fitted, "the fit", err));
    COB_TRY(check_distinct(names, "the matrix", err));
    for (int64_t pass = 0; pass < 2; pass++) { /* first those of the fit get their numbers */
        const cob_names *list = pass == 0 ? fitted : names;
        for (int64_t j = 0; j < list->count; j++) {
            const char *name = cob_names_get(list, j);
            int64_t number;
            COB_TRY(cob_intern_add(&known, name, strlen(name), &number, err));
            if (pass == 1)
                map[j] = number < fitted->count ? (int32_t)number : -1;
        }
    }
done:
    cob_intern_free(&known);
    return status;
}

static cobloc_status match_columns(const cobloc_saved *s, const cobloc_matrix *matrix, int32_t *map,
                                   cobloc_prediction *told, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t d = s->result->d;
    bool both = s->col_names.count > 0 && matrix->col_names.count > 0;
    told->by_name = both && !cob_names_equal(&s->col_names, &matrix->col_names);
    if (told->by_name) {
        COB_TRY(match_names(&s->col_names, &matrix->col_names, map, err));
    } else {
        COB_CHECK(matrix->cols == d, COBLOC_BAD_DATA,
                  "the matrix has %lld columns, the fit %lld; only names on both sides could tell "
                  "which is which",
                  (long long)matrix->cols, (long long)d);
        for (int64_t j = 0; j < d; j++)
            map[j] = (int32_t)j;
    }
    told->by_name = both;
    told->missing_cols = d;
    for (int64_t j = 0; j < matrix->cols; j++) {
        bool here = map[j] >= 0, says = here && s->result->col_labels[map[j]] >= 0;
        bool filled = matrix->by_col.offsets[j + 1] > matrix->by_col.offsets[j];
        told->missing_cols -= here;
        told->unknown_cols += filled && !says;
        told->unknown_share += says ? 0 : matrix->col_sums[j];
        if (!says)
            map[j] = -1;
    }
    if (matrix->total > 0)
        told->unknown_share /= matrix->total;
done:
    return status;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* How cells of a new matrix become cells of a fitted one. */
typedef struct translation {
    const int32_t *cols; /* the column of the fit, or -1 */
    double *codes;  /* of categories: the number in the fit; NaN: it had none; NULL: no codes */
    double *absent; /* every cell of a row as it begins; NULL: at 0 */
    int64_t d;
} translation;

static void translation_free(translation *t)
{
    cob_free(t->codes);
    cob_free(t->absent);
}

/* Categories go by their names where both have them, else by their numbers. */
static cobloc_status match_codes(const cobloc_saved *s, const cobloc_matrix *matrix, translation *t,
                                 cobloc_error *err)
{
    enum { CODES = 256 };
    cobloc_status status = COBLOC_OK;
    const cob_names *fitted = &s->categories, *own = &matrix->categories;
    COB_NEW(t->codes, CODES);
    for (int c = 0; c < CODES; c++)
        t->codes[c] = c < s->result->parameter_count ? c : (double)NAN;
    for (int64_t c = 0; fitted->count > 0 && c < own->count; c++) {
        t->codes[c] = NAN;
        for (int64_t f = 0; f < fitted->count; f++)
            if (strcmp(cob_names_get(own, c), cob_names_get(fitted, f)) == 0)
                t->codes[c] = (double)f;
    }
done:
    return status;
}

/* Where a 0 is no more likely than other numbers, a column that is not there is missing, and a cell
 * that is not stored is of the first category. */
static cobloc_status begin_rows(const cobloc_matrix *matrix, translation *t, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(t->absent, t->d);
    for (int64_t j = 0; j < t->d; j++)
        t->absent[j] = NAN;
    for (int64_t j = 0; j < matrix->cols; j++)
        if (t->cols[j] >= 0)
            t->absent[t->cols[j]] = t->codes ? t->codes[0] : 0;
done:
    return status;
}

/* Entries of one row, as they are collected. */
typedef struct entries {
    int64_t count;
    int32_t *indices;
    double *values; /* NaN: missing */
} entries;

static void push(entries *to, int32_t col, double value)
{
    to->indices[to->count] = col;
    to->values[to->count++] = value;
}

/* What row `i` says of columns that the fit has; where they all begin with something, in `cells`.
 */
static void collect(const translation *t, const cobloc_matrix *matrix, int64_t i, double *cells,
                    entries *to)
{
    const cob_side *have = &matrix->by_row;
    const cob_side *lack = matrix->missing ? &matrix->missing->by_row : NULL;
    int64_t first = to->count;
    for (int64_t e = have->offsets[i]; e < have->offsets[i + 1]; e++) {
        double x = cob_value_get(matrix->kind, have->values, e);
        if (t->cols[have->indices[e]] >= 0)
            push(to, t->cols[have->indices[e]], t->codes ? t->codes[(int)x] : x);
    }
    for (int64_t e = lack ? lack->offsets[i] : 0; lack && e < lack->offsets[i + 1]; e++)
        if (t->cols[lack->indices[e]] >= 0)
            push(to, t->cols[lack->indices[e]], NAN);
    if (!t->absent)
        return;
    memcpy(cells, t->absent, (size_t)t->d * sizeof *cells);
    for (int64_t e = first; e < to->count; e++)
        cells[to->indices[e]] = to->values[e];
    to->count = first;
    for (int64_t j = 0; j < t->d; j++)
        if (cells[j] != 0)
            push(to, (int32_t)j, cells[j]);
}

/* Entries of a matrix in some of its rows. */
static int64_t count_in(const cobloc_matrix *matrix, cob_between rows)
{
    return matrix ? matrix->by_row.offsets[rows.last] - matrix->by_row.offsets[rows.first] : 0;
}

static cobloc_status keep_known(const cobloc_matrix *matrix, cob_between rows, const translation *t,
                                cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t stored = count_in(matrix, rows) + count_in(matrix->missing, rows), *offsets = NULL;
    size_t most = t->absent ? (size_t)(rows.last - rows.first) * (size_t)t->d + (size_t)matrix->cols
                            : (size_t)stored;
    entries all = {0};
    double *cells = NULL;
    COB_NEW(offsets, matrix->rows + 1);
    COB_NEW(all.indices, most);
    COB_NEW(all.values, most);
    COB_NEW(cells, t->absent ? t->d : 0);
    for (int64_t i = 0; i < matrix->rows; i++) {
        offsets[i] = all.count;
        if (i >= rows.first && i < rows.last)
            collect(t, matrix, i, cells, &all);
    }
    offsets[matrix->rows] = all.count;
    COB_TRY(cobloc_matrix_from_compressed(matrix->rows, t->d, 0, offsets, COBLOC_ARRAY_I64,
                                          all.indices, COBLOC_ARRAY_I32, all.values,
                                          COBLOC_ARRAY_F64, NULL, NULL, out, err));
done:
    cob_free(offsets);
    cob_free(all.indices);
    cob_free(all.values);
    cob_free(cells);
    return status;
}

/* The weights of then: by the frequencies and lengths in the fitted matrix. */
static cobloc_status weigh(const cobloc_saved *saved, cobloc_matrix **matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = saved->result;
    cobloc_matrix *weighted = NULL;
    double *factors = NULL;
    cob_weighing how = cob_result_weighing(r);
    if (r->weight == COBLOC_WEIGHT_NONE && how.scale == 0)
        return COBLOC_OK;
    COB_NEW(factors, r->d);
    for (int64_t j = 0; j < r->d; j++)
        factors[j] = cob_idf(r->n, saved->col_frequencies[j]);
    how.idf = factors;
    COB_TRY(cob_matrix_weighted(*matrix, *matrix, NULL, &how, &weighted, NULL, err));
    COB_TRY(cob_matrix_detach(&weighted, *matrix, NULL, NULL, err));
    cobloc_matrix_free(*matrix);
    *matrix = weighted;
    weighted = NULL;
done:
    cobloc_matrix_free(weighted);
    cob_free(factors);
    return status;
}

cobloc_status cob_make_known(const cobloc_saved *saved, const cob_algorithm *algorithm,
                             const cobloc_matrix *matrix, cob_between rows, cobloc_prediction *told,
                             cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_entries says = algorithm->model ? algorithm->model->entries : COB_VALUES;
    cobloc_matrix *known = NULL;
    int32_t *map = NULL;
    translation t = {.d = saved->result->d};
    COB_NEW(map, matrix->cols);
    COB_TRY(match_columns(saved, matrix, map, told, err));
    t.cols = map;
    if (says == COB_CODES)
        COB_TRY(match_codes(saved, matrix, &t, err));
    if (says != COB_VALUES)
        COB_TRY(begin_rows(matrix, &t, err));
    COB_TRY(keep_known(matrix, rows, &t, &known, err));
    COB_TRY(weigh(saved, &known, err));
    *out = known;
    known = NULL;
done:
    cobloc_matrix_free(known);
    translation_free(&t);
    cob_free(map);
    return status;
}
