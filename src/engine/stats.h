/* The sufficient statistics of a pair of partitions: all that a model ever sees of the data.
 *
 * X is n by d; Z (n by g) and W (d by m) are memberships, one-hot or rows that sum to 1. Margins
 * are the effects of rows and columns: the sums of X, unless the user gave others.
 *
 * An entry x may say several things, one a layer: phi_1(x), phi_2(x), ..., each 0 where x is 0.
 * Every layer has its own block table Z' phi(X) W. Cells whose value is missing are one more layer,
 * the last, of ones.
 *
 * Columns are the rows of the transposed matrix. Statistics and parameters can be seen from either
 * side: the view from the columns shares all numbers and swaps their names.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_STATS_H
#define COB_ENGINE_STATS_H

#include "engine/gaps.h"

#include <stdbool.h>

typedef enum cob_axis { COB_ROWS, COB_COLS } cob_axis;

static inline cob_axis cob_other_side(cob_axis side)
{
    return side == COB_ROWS ? COB_COLS : COB_ROWS;
}

typedef struct cob_stats {
    int g, m;          /* row and column clusters */
    double n, d;       /* rows and columns */
    double total;      /* N, the sum of X */
    double row_effect; /* the sum of all row effects: N by default */
    double col_effect;
    double squares;       /* the sum of the squares of X */
    double constant;      /* what the log-likelihood of counts holds beside the blocks:
                             sum of x_ij log(r_i c_j) - log x_ij! */
    bool sums_as_effects; /* of both rows and columns; else some of them are known beforehand */
    double missing;       /* cells without a value */
    double variance;      /* of the cells that have one: where the layers are moments */
    bool codes;           /* layers are how often 1, 2, ... occur; else the first is the sum */
    double origin; /* what was taken from every cell first, so that sums of squares are exact */
    int values,
        layers;    /* layers of what entries say, and of all: the last may be what is missing */
    double *block; /* B = Z'XW: B_kl stands at k * down + l * across, */
    size_t down, across;
    size_t layer;  /* and that of the next layer so much behind */
    double *z, *w; /* sizes of the clusters */
    double *R, *C; /* their effects: sums of the margins */
} cob_stats;

/* How many numbers a table has for each block. */
typedef struct cob_depth {
    int values, layers; /* of statistics */
    int parameters;     /* of what is estimated */
} cob_depth;

/* What a model estimates: the proportions, and for each block one number or several. */
typedef struct cob_theta {
    int g, m;
    int parameters;
    double *delta; /* delta_kl stands at k * down + l * across, */
    size_t down, across;
    size_t parameter; /* and the next parameter of the block so much behind */
    double *pi;       /* g */
    double *rho;      /* m */
    int at_bound;     /* how many parameters the model keeps from their best value, at a bound */
} cob_theta;

/* Tables are made one behind the other, each row after row: down is m, across is 1. */
cobloc_status cob_stats_alloc_deep(cob_stats *stats, int g, int m, cob_depth depth,
                                   cobloc_error *err);
/* With one number for each block. */
cobloc_status cob_stats_alloc(cob_stats *stats, int g, int m, cobloc_error *err);
void cob_stats_free(cob_stats *stats);
void cob_stats_copy(cob_stats *to, const cob_stats *from); /* same g and m */

/* The new number of cluster k when b is merged into a < b: those above b move down. */
static inline int cob_number_merged(int k, int a, int b)
{
    return k == b ? a : k > b ? k - 1 : k;
}

/* to = from with clusters a and b > a merged, of the rows, the columns, or both. There is room for
 * as many clusters as before. */
void cob_stats_merge(const cob_stats *from, bool rows, bool cols, int a, int b, cob_stats *to);

/* The same in place: b is left without anything. Tables stand row after row. */
void cob_stats_join(cob_stats *stats, bool rows, bool cols, int a, int b);

/* Leaves out clusters that have nothing. */
void cob_stats_close(cob_stats *stats, const cob_gaps *rows, const cob_gaps *cols);

cobloc_status cob_theta_alloc_deep(cob_theta *theta, int g, int m, cob_depth depth,
                                   cobloc_error *err);
cobloc_status cob_theta_alloc(cob_theta *theta, int g, int m, cobloc_error *err);
void cob_theta_free(cob_theta *theta);
void cob_theta_copy(cob_theta *to, const cob_theta *from);

/* The same numbers as one side sees them, which is to itself the rows. From the columns twice is
 * from the rows. */
cob_stats cob_stats_from(const cob_stats *stats, cob_axis side);
cob_theta cob_theta_from(const cob_theta *theta, cob_axis side);

static inline double cob_block(const cob_stats *s, int k, int l)
{
    return s->block[(size_t)k * s->down + (size_t)l * s->across];
}

static inline double cob_block_of(const cob_stats *s, int layer, int k, int l)
{
    return s->block[(size_t)layer * s->layer + (size_t)k * s->down + (size_t)l * s->across];
}

/* The cells of a block that are missing, and those that are not. */
static inline double cob_missing(const cob_stats *s, int k, int l)
{
    return s->layers > s->values ? cob_block_of(s, s->values, k, l) : 0;
}

static inline double cob_cells(const cob_stats *s, int k, int l)
{
    return s->z[k] * s->w[l] - cob_missing(s, k, l);
}

/* The sum of the entries of a block, whatever its layers are. */
double cob_block_sum(const cob_stats *stats, int k, int l);

/* All cells that are not missing. */
static inline double cob_all_cells(const cob_stats *s)
{
    return s->n * s->d - s->missing;
}

static inline double *cob_parameter(const cob_theta *theta, int parameter, int k, int l)
{
    return &theta->delta[(size_t)parameter * theta->parameter + (size_t)k * theta->down +
                         (size_t)l * theta->across];
}

static inline double *cob_delta(const cob_theta *theta, int k, int l)
{
    return &theta->delta[(size_t)k * theta->down + (size_t)l * theta->across];
}

#endif
