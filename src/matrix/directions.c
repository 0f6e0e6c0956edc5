/* Directions, and products of weighted lines.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/directions.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* ---- factors --------------------------------------------------------------------------------- */

cobloc_status cob_directions_make(cob_directions *directions, const cobloc_matrix *matrix,
                                  const cob_part *part, cobloc_error *err)
{
    *directions = (cob_directions){.matrix = matrix};
    if (part)
        directions->part = *part;
    return cob_tfidf_factors(matrix, &directions->part, &directions->rows, &directions->cols, err);
}

void cob_directions_free(cob_directions *directions)
{
    cob_free(directions->rows);
    cob_free(directions->cols);
    *directions = (cob_directions){0};
}

cob_weighed cob_directions_by_rows(const cob_directions *d)
{
    return (cob_weighed){.view = cobloc_matrix_by_rows(d->matrix),
                         .turned = cobloc_matrix_by_cols(d->matrix),
                         .own = d->rows,
                         .other = d->cols,
                         .part = d->part,
                         .unit = true};
}

cob_weighed cob_directions_by_cols(const cob_directions *d)
{
    return (cob_weighed){.view = cobloc_matrix_by_cols(d->matrix),
                         .turned = cobloc_matrix_by_rows(d->matrix),
                         .own = d->cols,
                         .other = d->rows,
                         .part = cob_part_turned(d->part)};
}

void cob_line_lengths(const cob_weighed *lines, double *lengths)
{
    const int64_t *offsets = lines->view.offsets;
    for (int64_t i = 0; i < lines->view.major; i++) {
        double squares = lines->unit && offsets[i] < offsets[i + 1] ? 1 : 0;
        for (int64_t e = offsets[i]; !lines->unit && e < offsets[i + 1]; e++) {
            double value = cob_weighed_value(lines, i, e);
            squares += value * value;
        }
        lengths[i] = sqrt(squares);
    }
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
