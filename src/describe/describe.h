/* Behind cobloc_describe: the clusters as groups of rows and columns, and what is found out of
 * them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DESCRIBE_DESCRIBE_H
#define COB_DESCRIBE_DESCRIBE_H

#include "describe/description.h"
#include "fit/fit.h"

/* The rows of some row clusters and the columns of some column clusters: a bloc, or a topic. */
typedef struct cob_group {
    cobloc_bloc *bloc;        /* what it becomes */
    int row_count, col_count; /* clusters, */
    int *row_clusters, *col_clusters;
    double row_sum, outside_sum; /* of all entries of these rows, and of the others */
    cobloc_term *pool;           /* its most frequent terms, */
    int pool_count, pool_most;   /* more than are shown */
} cob_group;

/* All that the parts of a description share. */
typedef struct cob_describing {
    const cobloc_result *r;
    const cobloc_matrix *matrix;
    const cobloc_describe_options *o;
    cobloc_description *out;
    double *sums;   /* k by l: of the blocks, of the matrix as it is, */
    double *counts; /* and how many entries they have */
    double *row_sums, *col_sums;
    int group_count;
    cob_group *groups; /* blocs, then topics */
} cob_describing;

/* Sums and counts of the blocks, densities and lifts (blocks.c). */
cobloc_status cob_measure_blocks(cob_describing *d, cobloc_error *err);
/* The groups, with the clusters that go together (blocks.c). */
cobloc_status cob_make_groups(cob_describing *d, cobloc_error *err);

/* The most frequent and the most telling terms of every group (terms.c). */
cobloc_status cob_find_terms(cob_describing *d, cobloc_error *err);

/* How often terms are together: pairs that rows have both of, `count` by `count`, with the numbers
 * of their rows on the diagonal (coherence.c). `cols` may hold -1: never. At most 64 terms; `masks`
 * has room for a number for each row, all 0, and is left so. */
enum { COB_MOST_TERMS = 64 };
void cob_count_pairs(const cobloc_view *cols, const int64_t *terms, int count, uint64_t *masks,
                     double *pairs);
/* PMI / -log p of two terms that a and b of n rows have, and both of `both` rows. */
double cob_npmi(double both, double a, double b, double n);

/* Coherence, terms by NPMI, and graphs of every group (coherence.c). */
cobloc_status cob_find_coherence(cob_describing *d, cobloc_error *err);
cobloc_status cob_make_graph(const cob_describing *d, cob_group *group, cobloc_error *err);

/* Typical and borderline rows (rows.c). */
cobloc_status cob_find_rows(cob_describing *d, cobloc_error *err);

#endif
