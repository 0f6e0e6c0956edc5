/* The spectral embedding of rows and columns, for the spectral methods and for starts.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_SPECTRAL_H
#define COB_METHODS_SPECTRAL_H

#include "base/points.h"
#include "methods/method.h"

/* How many singular vectors separate k clusters, after Dhillon: ceil(log2 k). */
int cob_spectral_dims(int k);

/* Points for rows and columns, rows first: D_r^-1/2 U and D_c^-1/2 V, of the `dims` leading
 * singular pairs of the modularity matrix (spectrum.h). (rows + cols) by dims numbers; the
 * caller frees them. */
cobloc_status cob_spectral_embedding(const cobloc_matrix *x, const cob_part *part, int dims,
                                     uint64_t seed, int threads, const cob_watch *watch,
                                     double **points, cobloc_error *err);

/* Divides singular vectors (count by dims) by the square roots of the margins, which gives the
 * points. A line with margin 0 is at 0. */
void cob_spectral_scale(const double *vectors, const double *margins, int64_t count, int dims,
                        double *points);

/* ---- for methods that cluster such points ---------------------------------------------------- */

/* One k-means++ start, with the random numbers of `purpose`; sets out's iterations and stop. */
cobloc_status cob_spectral_cluster(const cob_method_problem *problem, cob_point_means *means,
                                   uint32_t purpose, cob_outcome *out, cobloc_error *err);

/* The labels of `count` points from `first` on, without empty clusters; `kept` counts the clusters
 * that were given a point for that. */
cobloc_status cob_spectral_labels(const cob_point_means *means, int64_t first, int64_t count,
                                  int32_t *labels, int *kept, cobloc_error *err);

/* The sum over clusters of what leaves a cluster divided by what it holds, rows and columns
 * together. */
double cob_normalised_cut(const cob_stats *stats);
/* New rows go to the cluster that reduces the cut most. */
extern const cob_placement cob_place_by_cut;

#endif
