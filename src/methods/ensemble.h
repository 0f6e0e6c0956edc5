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

/* Releases the members that do not reach this share of the best modularity; 0: none. */
void cob_members_keep(cob_member *members, int count, double share);

/* ---- the stack ------------------------------------------------------------------------------- */

/* M as a product. */
typedef struct cob_stack {
    cobloc_matrix *rows, *cols; /* R and C: n and d by co-clusters, of ones */
    double *scale;              /* s, one a co-cluster */
    int clusters;               /* of all members together */
} cob_stack;

/* What s_c stands for. */
typedef enum cob_scaling { COB_STACK_BY_SIZE, COB_STACK_BY_RELEVANCE } cob_scaling;

/* Stacks the members that there are. */
cobloc_status cob_stack_make(const cob_member *members, int count, int64_t n, int64_t d,
                             cob_scaling scaling, cob_stack *stack, cobloc_error *err);
void cob_stack_free(cob_stack *stack);

/* Stacks what a method is to join. */
cobloc_status cob_stack_prepare(const cob_method_problem *problem, cob_scaling scaling,
                                cob_stack *stack, cobloc_error *err);

/* Blocks, margins and total of M, of labels for as many row clusters as column clusters. */
cobloc_status cob_stack_measure(const cob_stack *stack, const int32_t *rows, const int32_t *cols,
                                int threads, cob_stats *stats, cobloc_error *err);

#endif
