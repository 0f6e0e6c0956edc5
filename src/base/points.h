/* k-means of points in a few dimensions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_POINTS_H
#define COB_BASE_POINTS_H

#include "base/kmeans.h"

typedef struct cob_point_means {
    const double *points; /* count by dims */
    int64_t count;
    int dims, k;
    int threads;
    double deadline;    /* of the seeds: on cob_clock; 0: none */
    int32_t *labels;    /* count */
    double *distances;  /* count: squared, from each point to its centre */
    double *centres;    /* k by dims */
    double error;       /* the sum of the distances */
    double *transposed; /* scratch: the centres, dims by k, and their k squared lengths */
    double *bounds;     /* scratch: lower bounds of the distance to the second nearest centre */
} cob_point_means;

/* Allocates everything; the points are borrowed. */
cobloc_status cob_point_means_alloc(cob_point_means *means, const double *points, int64_t count,
                                    int dims, int k, int threads, cobloc_error *err);
void cob_point_means_free(cob_point_means *means);

/* Labels, distances and error by k-means++. */
cobloc_status cob_point_means_seed(cob_point_means *means, cob_stream stream, cobloc_error *err);

/* A round (see cob_rounds) of a cob_point_means: moves centres to the means of their points, then
 * assigns points to the nearest centre. An empty cluster gets the farthest point. */
cobloc_status cob_point_means_round(void *means, cob_round *found, cobloc_error *err);

/* The squared distance of a point from a centre. */
double cob_point_means_distance(const cob_point_means *means, int64_t point, int centre);

#endif
