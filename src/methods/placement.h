/* How new rows are assigned to the clusters of a fit of a method.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_PLACEMENT_H
#define COB_METHODS_PLACEMENT_H

#include "base/error.h"

#include <stdbool.h>

/* A fit, as its folder stores it. */
typedef struct cob_fitted {
    int64_t n, d;
    int k, l;
    cobloc_weight weight;
    const int64_t *row_sizes, *col_sizes;
    const double *row_probabilities; /* n by k, or NULL */
    const int32_t *col_labels;
    const double *col_probabilities; /* d by l, or NULL */
    const int64_t *col_frequencies;
    const double *col_sums; /* of the unweighted entries */
    const double *blocks;   /* k by l: sums of the weighted entries */
    const double *centres;  /* d by k: the sums of the rows of each cluster, or the components of
                               the method; NULL if it needs none */
} cob_fitted;

/* Row cluster k and column cluster k, with their sums. */
typedef struct cob_bloc {
    double held;       /* the sum of their block, */
    double rows, cols; /* and of all entries of the rows, and of the columns */
    double row_count, col_count;
    double total; /* of all entries */
} cob_bloc;

typedef struct cob_placement cob_placement;

/* A placement, prepared for rows. */
typedef struct cob_placer {
    const cob_placement *by;
    const cob_fitted *fitted;
    double *table;   /* d by k */
    double *plus;    /* k */
    double *gram;    /* k by k, if needed */
    cob_bloc *blocs; /* k, if needed */
} cob_placer;

struct cob_placement {
    bool centres;  /* it needs the sums of the clusters' rows, or components */
    bool probable; /* its scores are log-probabilities */

    /* Makes what all rows share; it belongs to `placer`, also on failure. NULL: nothing. */
    cobloc_status (*open)(cob_placer *placer, cobloc_error *err);

    /* Computes the k scores of a row, which goes to the largest. The row has the columns of the
     * fit, and its entries are weighted like those. `room`: scratch for (entries of the row + 1) *
     * k numbers. Several threads call this at a time. */
    void (*score)(const cob_placer *placer, const cobloc_view *rows, int64_t row, double *room,
                  double *scores);

    /* For cob_score_by_gain: the contribution of a bloc to the criterion; more is better. */
    double (*worth)(const cob_bloc *bloc);
};

cobloc_status cob_placer_open(const cob_placement *by, const cob_fitted *fitted, cob_placer *placer,
                              cobloc_error *err);
void cob_placer_free(cob_placer *placer);

/* ---- for methods ----------------------------------------------------------------------------- */

/* The number of rows of a cluster; with probabilities, their sum. */
double cob_fitted_size(const cob_fitted *fitted, int k);

/* scores = the row times placer->table, plus placer->plus; `open` sets both to 0. */
cobloc_status cob_open_table(cob_placer *placer, cobloc_error *err);
void cob_score_by_table(const cob_placer *placer, const cobloc_view *rows, int64_t row,
                        double *room, double *scores);

/* For diagonal methods: a row goes to the cluster for which the criterion of the weighted matrix
 * with this row added is best, while all other rows and the columns stay. */
cobloc_status cob_open_blocs(cob_placer *placer, cobloc_error *err);
void cob_score_by_gain(const cob_placer *placer, const cobloc_view *rows, int64_t row, double *room,
                       double *scores);

/* ---- new rows of a factorisation (fold.c) ---------------------------------------------------- */

/* New rows of a factorisation: finds the coefficients that fit the row best, while the components
 * of the columns stay fixed. */

/* Both use the centres as components, scaled so that the largest coefficient gives the cluster. The
 * scores are the logarithms of the coefficients' shares. */
extern const cob_placement cob_fold_by_squares;    /* the smallest squared error */
extern const cob_placement cob_fold_by_divergence; /* the smallest Kullback-Leibler divergence */

#endif
