/* The spectral embedding of rows and columns, for the spectral methods and for starts.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_SPECTRAL_H
#define COB_METHODS_SPECTRAL_H

#include "base/random.h"
#include "base/watch.h"
#include "matrix/matrix.h"

/* How many singular vectors tell k clusters apart, after Dhillon: ceil(log2 k). */
int cob_spectral_dims(int k);

/* Points for rows and columns, the rows first: D_r^-1/2 U and D_c^-1/2 V, of the `dims` leading
 * singular pairs of the modularity matrix (matrix/spectrum.h). (rows + cols) by dims numbers, the
 * caller's to free. */
cobloc_status cob_spectral_embedding(const cobloc_matrix *x, int dims, uint64_t seed, int threads,
                                     const cob_watch *watch, double **points, cobloc_error *err);

#endif
