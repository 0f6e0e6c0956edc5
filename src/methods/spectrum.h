/* Singular vectors of the modularity matrix of a table: X minus what its margins alone predict,
 * with each side scaled by its margins:
 *
 *     M = D_r^-1/2 (X - r c' / N) D_c^-1/2
 *
 * These are the singular vectors of D_r^-1/2 X D_c^-1/2 without the trivial first pair, sqrt(r / N)
 * and sqrt(c / N), whose singular value is 1. M is never formed, only multiplied by vectors, so X
 * itself may be a product that is not formed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_SPECTRUM_H
#define COB_METHODS_SPECTRUM_H

#include "base/random.h"
#include "base/watch.h"
#include "matrix/matrix.h"

typedef struct cob_spectrum {
    int count;      /* singular values, */
    double *values; /* largest first, all at most 1 */
    double *left;   /* their vectors: rows by count, */
    double *right;  /* and columns by count. Vectors of a value of 0 are 0. */
} cob_spectrum;

/* The `count` largest singular values of x and their vectors, of unit length. The stream gives the
 * start vector. Ranks with a part each of x share the products. Returns COBLOC_CANCELLED if the
 * watch is cancelled; time limits do not stop it. */
cobloc_status cob_spectrum_find(const cobloc_matrix *x, const cob_part *part, int count,
                                cob_stream stream, int threads, const cob_watch *watch,
                                cob_spectrum *out, cobloc_error *err);
void cob_spectrum_free(cob_spectrum *spectrum);

/* A non-negative table X = rows diag(scale) cols', given by its factors. */
typedef struct cob_product {
    const cobloc_matrix *rows, *cols; /* n and d by the same number of columns */
    const double *scale;              /* one for each of these */
    double *row_sums, *col_sums;      /* of X */
    double total;
} cob_product;

/* Sums rows and columns; the caller keeps the factors. */
cobloc_status cob_product_make(const cobloc_matrix *rows, const double *scale,
                               const cobloc_matrix *cols, int threads, cob_product *product,
                               cobloc_error *err);
void cob_product_free(cob_product *product);

/* cob_spectrum_find for a product. */
cobloc_status cob_spectrum_find_product(const cob_product *x, int count, cob_stream stream,
                                        int threads, const cob_watch *watch, cob_spectrum *out,
                                        cobloc_error *err);

#endif
