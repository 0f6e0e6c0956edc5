/* k-means, whatever the points are stored as: seeds by k-means++, and rounds until they settle.
 *
 * Points in a few dimensions (base/points.h), lines of a sparse matrix (engine/means.h) and such
 * lines with rounded centres, for starts (matrix/nearest.c), each bring a round of their own: what
 * makes one of them fast would slow the others down.
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
    /* away[i] = how far point i is from point `chosen`: what the value is a sum of. */
    void (*measure)(const void *data, int64_t chosen, double *away);
    const double *first; /* weights by which the first seed is drawn; NULL: all are 1 */
} cob_points;

/* Greedy k-means++ (Arthur and Vassilvitskii 2007): every seed is the best of a few points
 * (`trials`) that are drawn by their distance from the seeds before. Labels and distances are those
 * to the nearest seed; no cluster stays empty, `repaired` counts those that were given a point for
 * that. */
cobloc_status cob_kmeans_seed(const cob_points *points, int k, int trials, cob_stream stream,
                              int32_t *labels, double *distances, int *repaired, cobloc_error *err);

/* The trials that are worth it where the seeds matter. */
int cob_kmeans_trials(int k);

/* ---- rounds ---------------------------------------------------------------------------------- */

/* What a round found. */
typedef struct cob_round {
    int64_t changed; /* labels that did */
    int repaired;    /* clusters that were given a point, since they had none */
    double value;    /* of the labels; NaN: it is not known */
} cob_round;

typedef struct cob_rounds {
    void *data;
    /* Moves centres to their points, and points to their centres. */
    cobloc_status (*round)(void *data, cob_round *found, cobloc_error *err);
    double value; /* before the first round */

    int most;         /* rounds */
    double tolerance; /* a smaller change of the value, as a part of it, is none */
    /* Hears of every round; may say that it is the last. NULL: nobody does. */
    cobloc_status (*note)(void *user, const cob_round *found, bool settled, bool *ends,
                          cobloc_error *err);
    void *user;
} cob_rounds;

/* Rounds until no label changes, the value hardly does, there were enough, or `note` says so. */
cobloc_status cob_kmeans_settle(const cob_rounds *rounds, cobloc_error *err);

#endif
