/* Singular vectors of the modularity matrix of a table, X less what its margins alone would give,
 * each side scaled by its margins:
 *
 *     M = D_r^-1/2 (X - r c' / N) D_c^-1/2
 *
 * These are the singular vectors of D_r^-1/2 X D_c^-1/2 without the trivial first pair, sqrt(r / N)
 * and sqrt(c / N), whose singular value is 1. M is never formed: it is only multiplied by vectors.
 * So X itself may be a product that is not formed, either.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_SPECTRUM_H
#define COB_MATRIX_SPECTRUM_H

#include "base/random.h"
#include "base/watch.h"
#include "matrix/matrix.h"

typedef struct cob_spectrum {
    int count;      /* singular values, */
    double *values; /* the largest first, all at most 1 */
    double *left;   /* their vectors: rows by count, */
    double *right;  /* and columns by count. Where a value is 0, so are its vectors. */
} cob_spectrum;

/* The `count` largest singular values of x and their vectors, of unit length. The stream tells
 * where to start from. Ends with COBLOC_CANCELLED when the watch says so; time does not stop it. */
cobloc_status cob_spectrum_find(const cobloc_matrix *x, int count, cob_stream stream, int threads,
                                const cob_watch *watch, cob_spectrum *out, cobloc_error *err);
void cob_spectrum_free(cob_spectrum *spectrum);

/* A table X = rows diag(scale) cols', non-negative, of which only the factors are there. */
typedef struct cob_product {
    const cobloc_matrix *rows, *cols; /* n and d by the same number of columns */
    const double *scale;              /* one for each of these */
    double *row_sums, *col_sums;      /* of X */
    double total;
} cob_product;

/* Sums rows and columns; the factors stay the caller's. */
cobloc_status cob_product_make(const cobloc_matrix *rows, const double *scale,
                               const cobloc_matrix *cols, int threads, cob_product *product,
                               cobloc_error *err);
void cob_product_free(cob_product *product);

/* The same as above. */
cobloc_status cob_spectrum_find_product(const cob_product *x, int count, cob_stream stream,
                                        int threads, const cob_watch *watch, cob_spectrum *out,
                                        cobloc_error *err);

#endif
