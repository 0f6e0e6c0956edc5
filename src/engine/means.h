/* k-means of the lines of a sparse matrix, plain and spherical, with dense centres.
 *
 * Lines are looked at only where their cluster can have changed: every line has an upper bound of
 * the distance from its own centre and a lower one of that from every other (Elkan 2003), which are
 * loosened by how far the centres went. They leave out work and change nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_MEANS_H
#define COB_ENGINE_MEANS_H

#include "base/kmeans.h"
#include "matrix/directions.h"
#include "matrix/kernels.h"

#include <stdbool.h>

typedef struct cob_means {
    const cobloc_view *view, *turned; /* the lines, and the same matrix by the other side */
    int k, threads;
    bool spherical;  /* lines by their direction, centres of unit length */
    bool unbounded;  /* every line is looked at, every time; for tests */
    int32_t *labels; /* borrowed */
    double *centres; /* minor by k */
    double *squares; /* k: of the centres' lengths */
    double value;    /* of the labels. Plain: the sum of the squared distances from the means, to be
                        minimised; spherical: the sum of length times cosine, to be maximised */
    int64_t products; /* of lines and centres that were computed, since the start */

    /* Room. */
    double *lengths;      /* of the lines */
    double *sums;         /* minor by k: of the lines of the clusters, */
    int32_t *summed;      /* by these labels; -1: it is in none */
    double *drift, *gone; /* k: how far centres went in the last step, and in all */
    double *upper;        /* lines: the distance from the own centre is at most this, */
    float *lower;         /* lines by k: from the others at least this, less what they went */
    double *products_of;  /* threads by k, of one line */
    int *near;            /* the centres that it may belong to */
    double *lanes;        /* for sums of columns side by side */
    double total;         /* of the squared lengths */
} cob_means;

/* Room for all of it; views and labels are borrowed. */
cobloc_status cob_means_alloc(cob_means *means, const cobloc_view *view, const cobloc_view *turned,
                              int k, bool spherical, int threads, int32_t *labels,
                              cobloc_error *err);
void cob_means_free(cob_means *means);

/* k-means++ (Arthur and Vassilvitskii 2007): labels by the nearest of k lines, each the best of
 * `trials` that are drawn by their distance from those before. No cluster stays empty; `repaired`
 * receives how many were given a line for that (NULL: nobody asks). */
cobloc_status cob_seed_lines(const cob_weighed *lines, int k, bool spherical, int trials,
                             cob_stream stream, int32_t *labels, int *repaired, cobloc_error *err);

/* Centres from the labels as they stand, and the value of these. */
void cob_means_centre(cob_means *means);

/* A round (see cob_rounds) of a cob_means: lines to the nearest centres, of equally near ones their
 * own; a cluster without lines gets the one that is farthest from its centre; then centres. */
cobloc_status cob_means_round(void *means, cob_round *found, cobloc_error *err);

/* How many lines a start looks at more than twice, for k clusters. */
int64_t cob_sample_size(const cobloc_view *lines, int k);

/* For starts: a few iterations from such seeds, labels 0 .. k-1, no cluster empty. Of many lines
 * only a sample, of which a copy is made, is looked at more than twice. */
cobloc_status cob_means_start(const cob_weighed *lines, int k, bool spherical, int iterations,
                              cob_stream stream, int threads, int32_t *labels, cobloc_error *err);

/* ---- without bounds (nearest.c) ---------------------------------------------------------------
 */

/* None of so many lines is in a cluster: all labels are -1. */
void cob_clear_labels(int32_t *labels, int64_t count, int threads);

/* Some of the lines, weighed. */
typedef struct cob_line_copies {
    cobloc_view view;
    cob_side *side;       /* its arrays */
    const int64_t *lines; /* which ones, in order */
} cob_line_copies;

/* Every line to the nearest of the centres that k clusters have by the labels as they stand, where
 * -1 is in none; of equals the first; so many times, or until no label changes. Spherical: lines by
 * their direction, centres of unit length. Some clusters may come out empty. Ranks go over their
 * own lines, and all get all labels. `copies` are of all lines that have a label, or NULL: from
 * few of them, the first centres are found sooner. Then they are freed, before all centres take
 * room. */
cobloc_status cob_nearest(const cob_weighed *lines, const cob_line_copies *copies, int k,
                          bool spherical, int rounds, int threads, int32_t *labels,
                          cobloc_error *err);

#endif
