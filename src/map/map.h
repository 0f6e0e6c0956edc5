/* The steps of a map: features of the rows, their nearest neighbours, places in the plane.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MAP_MAP_H
#define COB_MAP_MAP_H

#include "base/fields.h"
#include "base/random.h"
#include "base/watch.h"
#include "matrix/matrix.h"

#include "cobloc/map.h"

struct cobloc_map_options {
    cob_object head;
    int neighbours, dims, iterations;
    uint64_t seed;
    int threads;
    cobloc_progress progress;
};

struct cobloc_map {
    cob_object head;
    int64_t n;
    double *x, *y;
    double kept;
    int neighbours;
};

extern const cob_type cob_map_options_type, cob_map_type;

void cob_map_options_default(cobloc_map_options *options);

/* What random numbers are for. */
enum { COB_MAP_VECTORS = 60, COB_MAP_TREES, COB_MAP_PLACES };

/* Points, `count` by `dims`. */
typedef struct cob_map_points {
    int64_t count;
    int dims;
    float *at;
} cob_map_points;

/* The rows with entries (map[p] is the row of point p, both are made here): the coordinates of
 * their TF-IDF directions along the leading singular vectors, of unit length. `plane` receives the
 * two coordinates of each that a map may start from. */
cobloc_status cob_map_features(const cobloc_matrix *matrix, const cobloc_map_options *options,
                               cob_map_points *points, int64_t **map, double **plane,
                               cobloc_error *err);

/* count by k: the nearest other points of each, nearest first, -1 behind the last. Found by random
 * trees, then among neighbours of neighbours (Dong, Charikar, Li 2011): nearly all are right, and
 * time is that of count log count. */
cobloc_status cob_map_neighbours(const cob_map_points *points, int k, uint64_t seed, int threads,
                                 int32_t *near, cobloc_error *err);

/* Forces between places that push all apart: sums of (1 + d^2)^-2 (place - other), and of (1 +
 * d^2)^-1 over all others, each cell of a quadtree that is far enough taken as one point (Barnes
 * and Hut 1986). */
typedef struct cob_repulsion cob_repulsion;
cobloc_status cob_repulsion_new(int64_t count, cob_repulsion **out, cobloc_error *err);
void cob_repulsion_free(cob_repulsion *r);
/* `places` and `forces`: x, y of each. Returns the sum over all pairs. */
double cob_repulsion_find(cob_repulsion *r, const double *places, int threads, double *forces);

/* Moves the places, count pairs of x and y that hold a start, to where neighbours are near: t-SNE
 * (van der Maaten and Hinton 2008) with the same affinity for all k neighbours. */
cobloc_status cob_map_layout(const int32_t *near, int64_t count, int k, int iterations, int threads,
                             const cob_watch *watch, double *places, cobloc_error *err);

#endif
