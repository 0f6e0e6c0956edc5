/* What a pass goes over: the lines of each side, and how the memberships of one side become those
 * of the lines' minor index. There are three kinds.
 *
 * The matrix itself; real values become integers, multiples of a unit (grid.h).
 *
 * Layers: an entry x says phi_1(x), phi_2(x), ..., so the tables phi_1(X), phi_2(X), ... are put
 * side by side. A column stands in every one of them, and its label there is c m + w_j in layer c.
 * One pass then gives all sums and all block tables. Missing cells are one more table, of ones.
 * Every layer has its own range, hence its own unit.
 *
 * A product M = R diag(s) C', which is never formed: the lines are those of R, and instead of the
 * memberships W of the columns stands the table diag(s) C' W.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_OPERAND_H
#define COB_ENGINE_OPERAND_H

#include "engine/model.h"
#include "matrix/grid.h"
#include "matrix/matrix.h"

/* M = R diag(s) C', of matrices that somebody else owns. */
typedef struct cob_factors {
    const cobloc_matrix *factor[2]; /* R and C, both by the inner index */
    const double *scale;            /* s */
} cob_factors;

/* The memberships of one side as lines of the other take them, and the room for that. */
typedef struct cob_lent {
    const int32_t *labels;
    const double *soft; /* NULL: the labels */
    int32_t *copies;
    double *table;
} cob_lent;

typedef struct cob_operand {
    cobloc_view lines[2];
    cob_side own[2]; /* the arrays of these lines that were made for it */
    cob_depth depth;
    double origin;       /* taken from every cell before its moments: 0, if some cells hold 0 */
    double variance;     /* of the cells, where moments are asked for */
    cob_value_grid grid; /* of the entries, where there is one layer; */
    double *units;       /* the units of several layers; NULL: 1 */
    double total;        /* of the matrix, */
    double
        *sums[2]; /* and of the lines of a real matrix on the grid; NULL: as the matrix has them */
    bool turned;  /* the lines of one side are those of the other, turned */
    cob_factors product; /* where there is one */

    /* Fills in lent->labels or lent->soft for the memberships of one side, soft where not NULL. */
    void (*lend)(const struct cob_operand *operand, cob_axis of, const int32_t *labels,
                 const double *soft, int clusters, int threads, cob_lent *lent);
} cob_operand;

/* What a model is to be given of a matrix. `part`: the lines of this rank, where a rank has only
 * the entries of its own; layers need all. */
cobloc_status cob_operand_make(const cobloc_matrix *x, const cob_model *model, const cob_part *part,
                               cob_operand *operand, cobloc_error *err);
/* The product, with one layer. */
cob_operand cob_operand_of_product(cob_factors product);
void cob_operand_free(cob_operand *operand);

cobloc_status cob_lent_alloc(const cob_operand *operand, cob_axis of, int clusters, cob_lent *lent,
                             cobloc_error *err);
void cob_lent_free(cob_lent *lent);

/* The lines of one side as points for plain k-means, where the directions of a model's entries mean
 * nothing. Moments: the numbers themselves. Codes: every category is equally far from every other.
 * A missing cell is where it changes least: at the mean of its column (or row), or at an equal
 * distance from all categories. */
cobloc_status cob_points_make(const cobloc_matrix *x, const cob_operand *operand,
                              const cob_model *model, cob_axis side, cobloc_matrix **out,
                              cobloc_error *err);

#endif
