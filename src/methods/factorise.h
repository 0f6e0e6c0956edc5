/* Non-negative factors of a sparse matrix, X ~ W H' or F S G': what the factorisations share.
 *
 * A factor belongs to one side of the matrix and has a number for each line and cluster. The matrix
 * itself is only multiplied by factors.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_FACTORISE_H
#define COB_METHODS_FACTORISE_H

#include "methods/method.h"

typedef struct cob_factor {
    cobloc_view view; /* the lines are its major side */
    int k, threads;
    double *values;   /* lines by k, never negative */
    double *products; /* lines by k: of the matrix with the other factor */
    double *gram;     /* k by k: values' values */
    int chunks;       /* parts of the lines that are summed separately */
    double *room;     /* scratch for their sums */
} cob_factor;

/* The number of threads worth using. */
int cob_factor_threads(const cob_method_problem *problem);

/* A factor of k clusters for the lines of a side; its values are not set. `widest`: the largest
 * number of columns that cob_factor_inner will be called with. Free it even after a failure. */
cobloc_status cob_factor_alloc(cob_factor *factor, cobloc_view view, int k, int widest, int threads,
                               cobloc_error *err);
void cob_factor_free(cob_factor *factor);

/* out (k by columns) = values' other, with `other` lines by columns. The result does not depend on
 * the number of threads. */
void cob_factor_inner(cob_factor *factor, const double *other, int columns, double *out);
/* gram = values' values. */
void cob_factor_measure(cob_factor *factor);

/* out[c] = the sum of the values of cluster c. */
void cob_factor_sums(const cob_factor *factor, double *out);

/* Sets a value to 0 before it becomes denormal, which would be slow. */
static inline double cob_factor_flush(double value)
{
    return value > 1e-150 ? value : 0;
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* The starts that factorisations accept besides auto. */
#define COB_FACTOR_STARTS (COB_METHOD_STARTS | 1u << COBLOC_START_SKMEANS)

/* The user's start, or the default: k-means. */
cobloc_start cob_factor_start(const cob_method_problem *problem);

/* Random numbers in (0, scale). `side`: 0 for rows, 1 for columns. */
void cob_factor_draw(const cob_method_problem *problem, int side, double scale, cob_factor *factor);

/* Spherical k-means++ of the lines of a side: labels 0 .. factor->k - 1. */
cobloc_status cob_factor_means(const cob_method_problem *problem, int side,
                               const cob_factor *factor, int32_t *labels, cobloc_error *err);

/* Labels as a factor: 1 in a line's cluster and a small number elsewhere, because multiplications
 * never change a 0. */
#define COB_FACTOR_BLUR (1.0 / 6) /* as in Ding and others: 0.2 for 1.2 */
void cob_factor_of_labels(const int32_t *labels, cob_factor *factor);

/* ---- iterating ------------------------------------------------------------------------------- */

/* Repeats `step`, which returns the loss after it, until the relative change of the loss is below
 * the tolerance, or a limit of the problem is reached. */
cobloc_status cob_factor_iterate(const cob_method_problem *problem, double (*step)(void *data),
                                 void *data, cob_outcome *out, cobloc_error *err);

/* Assigns lines to the cluster of their largest share: values times the `scales` of the clusters,
 * divided by their sum. Every cluster gets a line. `soft` receives the shares, which replace
 * factor->products. */
cobloc_status cob_factor_assign(cob_factor *factor, const double *scales, int32_t *labels,
                                double **soft, int *kept, cobloc_error *err);

#endif
