/* The largest eigenvalues of symmetric operators, and their vectors.
 *
 * All sums have an order of their own, whatever the number of threads, and nothing is kept between
 * calls: results are the same to the bit, and any number of threads may call at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_EIGEN_H
#define COB_MATRIX_EIGEN_H

#include "base/error.h"
#include "base/random.h"

/* out = A in, for vectors of `size` numbers. */
typedef struct cob_operator {
    int size;
    cobloc_status (*apply)(void *data, const double *in, double *out, cobloc_error *err);
    void *data;
    int threads;
} cob_operator;

/* The `count` largest eigenvalues' vectors, the largest first, each of unit length, one after the
 * other. A has no negative eigenvalues; count <= size. The stream tells where to start from. */
cobloc_status cob_eigenvectors(const cob_operator *a, int count, cob_stream stream, double *vectors,
                               cobloc_error *err);

/* All eigenvectors of a symmetric matrix (size by size) in place of it, one after the other, and
 * their values, the smallest first. */
cobloc_status cob_eigen_dense(double *matrix, int size, double *values, cobloc_error *err);

#endif
