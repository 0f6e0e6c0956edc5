/* Which clusters may best be merged: the most promising partners of each, read off the block table.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_AFFINITY_H
#define COB_ENGINE_AFFINITY_H

#include "engine/stats.h"

#include <stdbool.h>

enum { COB_PARTNERS = 3 };

/* The products of all pairs of lines of a table, each cluster's with each other's; or, of
 * co-clusters, what each pair shares, the sum of the two blocks between them. A merge changes few
 * of them, or all by little: they are kept from merge to merge. */
typedef struct cob_products {
    bool paired;     /* they are of co-clusters */
    double *of;      /* row after row; NULL: blocks have several layers, for which there are none */
    size_t room;     /* each with so much room */
    double *squares; /* of each with itself, once more: side by side they are looked at faster */
    double *lines;   /* room for two lines of the other side, */
    double *turned;  /* for the table as that side sees it, */
    int *filled;     /* and for where a line has anything */
} cob_products;

/* Of so many clusters, where the other side has so many. */
cobloc_status cob_products_alloc(cob_products *products, int clusters, int others, bool paired,
                                 cobloc_error *err);
void cob_products_free(cob_products *products);

/* All of them. These functions take the statistics as the side sees them whose lines they are. */
void cob_products_measure(cob_products *products, const cob_stats *s);
/* Of so many clusters, b becomes a part of a, and has nothing any more. */
void cob_products_join(cob_products *products, int count, int a, int b);
/* Leaves out those that have nothing. */
void cob_products_close(cob_products *products, int count, const cob_gaps *gaps);
/* Before c and d of the other side become one: s is what was. */
void cob_products_follow(cob_products *products, const cob_stats *s, int c, int d);

/* How much two clusters belong together: the larger the more. */
double cob_affinity(const cob_stats *s, const cob_products *products, int a, int b);

/* The clusters that a may best be merged with; how many. There is room for a number of each. */
int cob_find_partners(const cob_stats *s, const cob_products *products, const cob_gaps *gaps, int a,
                      double *room, int partner[COB_PARTNERS]);

#endif
