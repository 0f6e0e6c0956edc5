/* k-means of points in a few dimensions, and what k-means and its kin share: drawing far points,
 * and no cluster without members.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_KMEANS_H
#define COB_BASE_KMEANS_H

#include "base/error.h"
#include "base/random.h"

/* ---- parts ----------------------------------------------------------------------------------- */

/* An index with probability proportional to its weight, u uniform in (0, 1); where no weight is
 * positive, any. */
int64_t cob_draw_by_weight(const double *weights, int64_t count, double u);

/* What a line loses by going to another cluster. */
typedef double (*cob_loss_fn)(const void *data, int64_t line, int cluster);

/* Gives every cluster without members the line that loses least by it, of those in clusters that
 * can spare one, as long as there are such lines. `repaired` counts the clusters filled. */
cobloc_status cob_repair_empty(int32_t *labels, int64_t count, int clusters, cob_loss_fn loss,
                               const void *data, int *repaired, cobloc_error *err);

/* For cob_repair_empty with `data` an array of misfits (of k-means: the distances to the centres):
 * the line that fits worst where it is goes. */
double cob_loss_by_misfit(const void *data, int64_t line, int cluster);

/* For cob_repair_empty with `data` a cob_shares: what the line has more of its own cluster than of
 * the other. */
typedef struct cob_shares {
    const double *soft; /* lines by k */
    const int32_t *labels;
    int k;
} cob_shares;
double cob_loss_by_share(const void *data, int64_t line, int cluster);

/* ---- dense k-means --------------------------------------------------------------------------- */

typedef struct cob_kmeans {
    const double *points; /* count by dims */
    int64_t count;
    int dims, k;
    int threads;
    int32_t *labels;   /* count */
    double *distances; /* count: squared, of each point to its centre */
    double *centres;   /* k by dims */
    double error;      /* the sum of the distances */
    int repaired;      /* clusters that were given a point in the last step */
    double *turned;    /* room: the centres, dims by k, and k squares of their lengths */
    double *bounds;    /* room: how near a point's second centre may be */
} cob_kmeans;

/* Room for all of it; the points are borrowed. */
cobloc_status cob_kmeans_alloc(cob_kmeans *means, const double *points, int64_t count, int dims,
                               int k, int threads, cobloc_error *err);
void cob_kmeans_free(cob_kmeans *means);

/* Greedy k-means++ (Arthur and Vassilvitskii 2007): every centre is the best of a few points that
 * are drawn by their distance from those before it. Labels, distances and error follow. */
cobloc_status cob_kmeans_seed(cob_kmeans *means, cob_stream stream, cobloc_error *err);

/* One step of Lloyd's algorithm: centres to the means of their points, points to the nearest
 * centres; a cluster without points gets the farthest. `changed` counts the labels that did. */
cobloc_status cob_kmeans_step(cob_kmeans *means, int64_t *changed, cobloc_error *err);

/* Steps until no label changes, the error falls by less than `tolerance` of itself, or there were
 * `most` of them; returns through `steps` how many. */
cobloc_status cob_kmeans_run(cob_kmeans *means, int most, double tolerance, int *steps,
                             cobloc_error *err);

/* The squared distance of a point from a centre. */
double cob_kmeans_distance(const cob_kmeans *means, int64_t point, int centre);

#endif
