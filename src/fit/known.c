/* A new matrix in terms of a fitted one.
 * SPDX-License-Identifier: MIT
 */
#include "fit/known.h"

#include "base/alloc.h"
#include "base/intern.h"

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

static cobloc_status keep_known(const cobloc_matrix *matrix, const int32_t *map, int64_t d,
                                cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view rows = cobloc_matrix_by_rows(matrix);
    int64_t *offsets = NULL, count = 0;
    int32_t *indices = NULL;
    double *values = NULL;
    COB_NEW(offsets, rows.major + 1);
    COB_NEW(indices, rows.nnz);
    COB_NEW(values, rows.nnz);
    for (int64_t i = 0; i < rows.major; i++) {
        offsets[i] = count;
        for (int64_t e = rows.offsets[i]; e < rows.offsets[i + 1]; e++)
            if (map[rows.indices[e]] >= 0) {
                indices[count] = map[rows.indices[e]];
                values[count++] = cobloc_view_value(&rows, e);
            }
    }
    offsets[rows.major] = count;
    COB_TRY(cobloc_matrix_from_compressed(rows.major, d, 0, offsets, COBLOC_ARRAY_I64, indices,
                                          COBLOC_ARRAY_I32, values, COBLOC_ARRAY_F64, NULL, NULL,
                                          out, err));
done:
    cob_free(offsets);
    cob_free(indices);
    cob_free(values);
    return status;
}

/* The weights of then: TF-IDF by the frequencies in the fitted matrix. */
static cobloc_status weigh(const cobloc_saved *saved, cobloc_matrix **matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = saved->result;
    cobloc_matrix *weighted = NULL;
    double *factors = NULL;
    if (r->weight == COBLOC_WEIGHT_NONE)
        return COBLOC_OK;
    COB_NEW(factors, r->d);
    for (int64_t j = 0; j < r->d; j++)
        factors[j] = cob_idf(r->n, saved->col_frequencies[j]);
    COB_TRY(cob_matrix_weighted(*matrix, r->weight, factors, &weighted, err));
    cobloc_matrix_free(*matrix);
    *matrix = weighted;
done:
    cob_free(factors);
    return status;
}

cobloc_status cob_make_known(const cobloc_saved *saved, const cobloc_matrix *matrix,
                             cobloc_prediction *told, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *known = NULL;
    int32_t *map = NULL;
    COB_TRY(cobloc_matrix_verify(matrix, err));
    COB_NEW(map, matrix->cols);
    COB_TRY(match_columns(saved, matrix, map, told, err));
    COB_TRY(keep_known(matrix, map, saved->result->d, &known, err));
    COB_TRY(weigh(saved, &known, err));
    *out = known;
    known = NULL;
done:
    cobloc_matrix_free(known);
    cob_free(map);
    return status;
}
