/* The rows of a matrix by their directions: weighed by TF-IDF, of unit length. The factors stand
 * beside the matrix, of which no copy is made.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_DIRECTIONS_H
#define COB_MATRIX_DIRECTIONS_H

#include "matrix/matrix.h"

#include <stdbool.h>

/* Lines of one side, weighed: entry (i, j) counts x_ij own[i] other[j]. */
typedef struct cob_weighed {
    cobloc_view view, turned;  /* the lines, and the same matrix by the other side */
    const double *own, *other; /* NULL: all 1 */
    bool unit;                 /* lines that hold something have unit length */
    bool points;               /* lines are points, by their distance; else directions */
    cob_part part;             /* lines of `view` [0] and `turned` [1] that are this rank's */
    double deadline;           /* when k-means of them must end, on cob_clock; 0: never */
} cob_weighed;

static inline double cob_weighed_value(const cob_weighed *lines, int64_t line, int64_t e)
{
    double x = cob_value_get(lines->view.kind, lines->view.values, e);
    if (lines->own)
        x *= lines->own[line];
    return lines->other ? x * lines->other[lines->view.indices[e]] : x;
}

void cob_line_lengths(const cob_weighed *lines, double *lengths);

/* out[i] = the product of one line with line i, for all lines, which must be here. Only entries
 * that share an index with one of the line are looked at. */
void cob_products_with(const cob_weighed *lines, int64_t line, double *out);

typedef struct cob_directions {
    const cobloc_matrix *matrix; /* borrowed; NULL: nothing was made */
    double *rows, *cols;         /* the factors; NULL: all 1 */
    cob_part part;
} cob_directions;

/* `part`: NULL is all. */
cobloc_status cob_directions_make(cob_directions *directions, const cobloc_matrix *matrix,
                                  const cob_part *part, cobloc_error *err);
void cob_directions_free(cob_directions *directions);

cob_weighed cob_directions_by_rows(const cob_directions *directions);
cob_weighed cob_directions_by_cols(const cob_directions *directions);

#endif
