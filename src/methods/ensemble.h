/* Ensembles: several co-clusterings of one matrix, from which a consensus is made.
 *
 * A co-clustering l with the co-clusters c says that row i and column j belong together where both
 * are in the same c. Scaled by the sizes of its co-clusters that is Z~ W~', and the mean over all
 * co-clusterings is M (n by d). M is dense and is never formed: it is R diag(s) C', where R (n by
 * all co-clusters) and C (d by all co-clusters) hold a 1 for each co-cluster that a row or column
 * is in, and s_c = 1 / (count sqrt(rows of c, columns of c)); or, by relevance, that of c over the
 * count. Memory and time follow (n + d) times the number of co-clusterings.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_ENSEMBLE_H
#define COB_METHODS_ENSEMBLE_H

#include "methods/method.h"

/* ---- members --------------------------------------------------------------------------------- */

/* One co-clustering, its row and column clusters paired: co-cluster k holds the rows and columns of
 * label k. */
typedef struct cob_member {
    int32_t *rows, *cols; /* labels, -1: in none; NULL: there is no such co-clustering */
    int clusters;         /* labels are below this */
    double modularity;    /* of the matrix */
    double *relevance; /* of each co-cluster: what its columns have to do with its rows, 0 to 1 */
} cob_member;

void cob_members_free(cob_member *members, int count);

/* Copies a co-clustering of x, pairs its clusters where that is not done, and measures it. */
cobloc_status cob_member_make(const cobloc_matrix *x, const cobloc_copartition *given, int threads,
                              cob_member *member, cobloc_error *err);

/* A fit that gives a member. */
typedef struct cob_base_fit {
    const char *model;
    int k;
    uint64_t seed;
} cob_base_fit;

/* What all of them share. */
typedef struct cob_base_settings {
    cobloc_weight weight; /* of x, for every fit */
    int restarts;
    int threads;
    const cob_watch *watch;
    double share; /* of all the work that is watched, they are so much */
} cob_base_settings;

/* Fits x `count` times, in parallel. Members whose k is more than x can give stay NULL; that all of
 * them do is an error. `members` has room for all, zeroed, and is the caller's to free, also on
 * failure. */
cobloc_status cob_members_fit(const cobloc_matrix *x, const cob_base_fit *fits, int count,
                              const cob_base_settings *settings, cob_member *members,
                              cobloc_error *err);

/* The sizes of the paper's members, and what they must reach of the best modularity. */
enum { COB_LEAST_SIZE = 2, COB_MOST_SIZE = 25 };
#define COB_KEEP_SHARE 0.8

/* Releases the members that do not reach this share of the best modularity; 0: none. */
void cob_members_keep(cob_member *members, int count, double share);

/* ---- factors --------------------------------------------------------------------------------- */

/* M as a product. */
typedef struct cob_factors {
    cobloc_matrix *rows, *cols; /* R and C: n and d by co-clusters, of ones */
    double *scale;              /* s, one a co-cluster */
    int clusters;               /* of all members together */
} cob_factors;

/* What s_c stands for. */
typedef enum cob_scaling { COB_SCALE_BY_SIZE, COB_SCALE_BY_RELEVANCE } cob_scaling;

/* Stacks the members that there are. */
cobloc_status cob_factors_make(const cob_member *members, int count, int64_t n, int64_t d,
                               cob_scaling scaling, cob_factors *factors, cobloc_error *err);
void cob_factors_free(cob_factors *factors);

/* What a method joins: the user's co-clusterings; or its own, dcc with 2 to 25 co-clusters, those
 * of a good modularity. */
cobloc_status cob_factors_prepare(const cob_method_problem *problem, cob_scaling scaling,
                                  cob_factors *factors, cobloc_error *err);

/* Blocks, margins and total of M, of labels for as many row clusters as column clusters. */
cobloc_status cob_factors_measure(const cob_factors *factors, const int32_t *rows,
                                  const int32_t *cols, int threads, cob_stats *stats,
                                  cobloc_error *err);

/* How much more block (k, l) holds than the margins would give it. */
double cob_excess(const cob_stats *stats, int k, int l);

/* The modularity of co-clusters k, k; 0 where there is nothing at all. */
double cob_diagonal_modularity(const cob_stats *stats);

#endif
