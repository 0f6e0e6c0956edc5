/* Directions, and the products of lines that are weighed.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/directions.h"

#include "base/alloc.h"

#include <string.h>

/* ---- factors --------------------------------------------------------------------------------- */

cobloc_status cob_directions_make(cob_directions *directions, const cobloc_matrix *matrix,
                                  cobloc_error *err)
{
    *directions = (cob_directions){.matrix = matrix};
    return cob_tfidf_factors(matrix, &directions->rows, &directions->cols, err);
}

cobloc_status cob_weighed_values(const cob_weighed *lines, double **values, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = &lines->view;
    COB_NEW(*values, view->nnz);
    for (int64_t i = 0; i < view->major; i++)
        for (int64_t e = view->offsets[i]; e < view->offsets[i + 1]; e++)
            (*values)[e] = cob_weighed_value(lines, i, e);
done:
    return status;
}

cobloc_status cob_directions_fill(cob_directions *directions, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_weighed rows = cob_directions_by_rows(directions);
    cob_weighed cols = cob_directions_by_cols(directions);
    COB_TRY(cob_weighed_values(&rows, &directions->by_row, err));
    COB_TRY(cob_weighed_values(&cols, &directions->by_col, err));
done:
    return status;
}

void cob_directions_free(cob_directions *directions)
{
    cob_free(directions->by_row);
    cob_free(directions->by_col);
    cob_free(directions->rows);
    cob_free(directions->cols);
    *directions = (cob_directions){0};
}

cob_weighed cob_directions_by_rows(const cob_directions *d)
{
    return (cob_weighed){cobloc_matrix_by_rows(d->matrix),
                         cobloc_matrix_by_cols(d->matrix),
                         d->rows,
                         d->cols,
                         d->by_row,
                         d->by_col};
}

cob_weighed cob_directions_by_cols(const cob_directions *d)
{
    return (cob_weighed){cobloc_matrix_by_cols(d->matrix),
                         cobloc_matrix_by_rows(d->matrix),
                         d->cols,
                         d->rows,
                         d->by_col,
                         d->by_row};
}

/* ---- one line with all ----------------------------------------------------------------------- */

void cob_products_with(const cob_weighed *lines, int64_t line, double *out)
{
    const cobloc_view *view = &lines->view, *turned = &lines->turned;
    memset(out, 0, (size_t)view->major * sizeof *out);
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
        int64_t index = view->indices[e];
        double value = cob_weighed_value(lines, line, e);
        if (lines->other)
            value *= lines->other[index];
        for (int64_t f = turned->offsets[index]; f < turned->offsets[index + 1]; f++)
            out[turned->indices[f]] += value * cob_value_get(turned->kind, turned->values, f);
    }
    for (int64_t i = 0; lines->own && i < view->major; i++)
        out[i] *= lines->own[i];
}
