/* Internals of cobloc_describe: clusters as groups of rows and columns, and the steps of a
 * description.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DESCRIBE_DESCRIBE_H
#define COB_DESCRIBE_DESCRIBE_H

#include "describe/description.h"
#include "fit/fit.h"

/* The rows of some row clusters and the columns of some column clusters: a bloc or a topic. */
typedef struct cob_group {
    cobloc_bloc *bloc;        /* the result */
    int row_count, col_count; /* numbers of clusters */
    int *row_clusters, *col_clusters;
    double row_sum, outside_sum; /* sums of all entries in these rows, and in the others */
    cobloc_term *pool;           /* its most frequent terms, */
    int pool_count, pool_most;   /* more than will be shown */
} cob_group;

/* What the steps of a description share. */
typedef struct cob_describing {
    const cobloc_result *r;
    const cobloc_matrix *matrix;
    const cobloc_describe_options *o;
    cobloc_description *out;
    double *sums;   /* k by l: sums of the blocks, unweighted, */
    double *counts; /* and their numbers of entries */
    double *row_sums, *col_sums;
    double mean; /* of all cells */
    int threads;
    int group_count;
    cob_group *groups; /* blocs, then topics */
} cob_describing;

/* Checks what is given and makes the groups; release it in any case (describe.c). */
cobloc_status cob_describing_open(cob_describing *d, cobloc_error *err);
void cob_describing_free(cob_describing *d);

/* Names a bloc by its most characteristic terms, or their numbers if they have no names
 * (describe.c). */
enum { COB_NAME_TERMS = 3 };
cobloc_status cob_name_bloc(const cobloc_matrix *matrix, cobloc_bloc *bloc, cobloc_error *err);

/* Sums and counts of the blocks, densities and lifts (blocks.c). */
cobloc_status cob_measure_blocks(cob_describing *d, cobloc_error *err);
/* Makes the groups from clusters that go together (blocks.c). */
cobloc_status cob_make_groups(cob_describing *d, cobloc_error *err);

/* The most frequent and the most characteristic terms of every group (terms.c). */
cobloc_status cob_find_terms(cob_describing *d, cobloc_error *err);

/* Co-occurrence of terms: the number of rows that contain both terms of a pair, `count` by `count`,
 * with the rows of each term on the diagonal (coherence.c). A column of -1 occurs nowhere. At most
 * 64 terms. `masks` has one zero per row and is zero again afterwards. */
enum { COB_MOST_TERMS = 64 };
void cob_count_pairs(const cobloc_view *cols, const int64_t *terms, int count, uint64_t *masks,
                     double *pairs);
/* NPMI, PMI / -log p, of two terms that occur in a and b of n rows, together in `both`. */
double cob_npmi(double both, double a, double b, double n);

/* Coherence, terms ordered by NPMI, and the graph of every group (coherence.c). */
cobloc_status cob_find_coherence(cob_describing *d, cobloc_error *err);
cobloc_status cob_make_graph(const cob_describing *d, cob_group *group, cobloc_error *err);

/* Similarity inside and outside, and stability, of every bloc (quality.c). */
cobloc_status cob_find_similarity(cob_describing *d, cobloc_error *err);
cobloc_status cob_find_stability(cob_describing *d, cobloc_error *err);

/* The rule of rows without one of their model's, k by l + 2 and zero at first: the excess of a
 * block's share over its expectation, as in modularity, which is defined for any pair of partitions
 * (rows.c). */
void cob_shares_rule(const double *lifts, const double *col_sums, int k, int l, bool diagonal,
                     double *rule);
/* Typical and borderline rows (rows.c). */
cobloc_status cob_find_rows(cob_describing *d, cobloc_error *err);

/* The margin and the second choice of every row; NaN and -1 for those without a cluster (rows.c).
 */
cobloc_status cob_find_margins(const cob_describing *d, double *margins, int32_t *seconds,
                               cobloc_error *err);

#endif
