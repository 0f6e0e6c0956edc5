/* k-means for any representation of points: seeds by k-means++, and rounds until convergence.
 *
 * There are three kinds of rounds: for points in a few dimensions (base/points.h), for lines of a
 * sparse matrix (engine/means.h), and for such lines with rounded centres, for starts
 * (engine/nearest.c). What makes one of them fast would slow down the others.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_KMEANS_H
#define COB_BASE_KMEANS_H

#include "base/error.h"
#include "base/random.h"

#include <stdbool.h>

/* ---- seeds ----------------------------------------------------------------------------------- */

typedef struct cob_points {
    int64_t count;
    const void *data;
    /* away[i] = the distance of point i from point `chosen`; the value is a sum of these. */
    void (*measure)(const void *data, int64_t chosen, double *away);
    const double *first; /* weights for drawing the first seed; NULL: all 1 */
    double deadline;     /* on cob_clock; 0: none. Clusters without a seed then get any point */
} cob_points;

/* Greedy k-means++ (Arthur and Vassilvitskii 2007): each seed is the best of a few points
 * (`trials`) drawn by their distance from the seeds so far. Labels and distances are those of the
 * nearest seed. No cluster is empty; `repaired` counts those that were given a point for that. */
cobloc_status cob_kmeans_seed(const cob_points *points, int k, int trials, cob_stream stream,
                              int32_t *labels, double *distances, int *repaired, cobloc_error *err);

/* The number of trials to use if seeds matter. */
int cob_kmeans_trials(int k);

/* ---- rounds ---------------------------------------------------------------------------------- */

/* The result of a round. */
typedef struct cob_round {
    int64_t changed; /* number of labels that changed */
    int repaired;    /* empty clusters that were given a point */
    double value;    /* of the labels; NaN: not known */
} cob_round;

typedef struct cob_rounds {
    void *data;
    /* Computes centres from labels, then labels from centres. */
    cobloc_status (*round)(void *data, cob_round *found, cobloc_error *err);
    double value; /* before the first round */

    int most;         /* number of rounds */
    double deadline;  /* on cob_clock; 0: none. There is no round after it, and maybe none at all */
    double tolerance; /* a smaller relative change of the value means convergence */
    /* Called after every round; *ends = true makes it the last. May be NULL. */
    cobloc_status (*note)(void *user, const cob_round *found, bool settled, bool *ends,
                          cobloc_error *err);
    void *user;
} cob_rounds;

/* Runs rounds until no label changes, the value converges, `most` is reached, or `note` ends them.
 */
cobloc_status cob_kmeans_settle(const cob_rounds *rounds, cobloc_error *err);

#endif
