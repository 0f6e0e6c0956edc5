/* The largest eigenvalues of symmetric operators, and their vectors.
 *
 * Sums are added in a fixed order for any number of threads, and nothing is kept between calls, so
 * results are bit-identical and several threads may call these functions at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_EIGEN_H
#define COB_BASE_EIGEN_H

#include "base/error.h"
#include "base/random.h"

/* out = A in, for vectors of `size` numbers. */
typedef struct cob_operator {
    int size;
    cobloc_status (*apply)(void *data, const double *in, double *out, cobloc_error *err);
    void *data;
    int threads;
} cob_operator;

/* The eigenvectors of the `count` largest eigenvalues, largest first, each of unit length, one
 * after the other. A must have no negative eigenvalues; count <= size. The stream gives the start
 * vector.
 */
cobloc_status cob_eigenvectors(const cob_operator *a, int count, cob_stream stream, double *vectors,
                               cobloc_error *err);

/* Replaces a symmetric matrix (size by size) by its eigenvectors, one after the other; `values`
 * receives the eigenvalues, smallest first. */
cobloc_status cob_eigen_dense(double *matrix, int size, double *values, cobloc_error *err);

#endif
