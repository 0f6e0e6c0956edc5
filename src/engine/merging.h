/* What greedy merging knows of the clusters that it may merge, and keeps from merge to merge.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_MERGING_H
#define COB_ENGINE_MERGING_H

#include "engine/affinity.h"
#include "engine/joined.h"
#include "engine/screen.h"
#include "engine/starts.h"

/* What a merge joins: clusters of one side, or co-clusters, which are clusters of both. */
typedef enum cob_joined {
    COB_OF_ROWS = 1 << COB_ROWS,
    COB_OF_COLS = 1 << COB_COLS,
    COB_OF_BOTH = COB_OF_ROWS | COB_OF_COLS
} cob_joined;

/* Where no more clusters than these are merged into few, all is computed anew when the other side
 * has merged, which is exact; and so are lines of few blocks, hardly quicker to follow. */
enum { COB_MANY = COB_FINE_MANY };

/* In the place of the first partner: they are not known. */
enum { COB_UNKNOWN = -2 };

/* Two clusters as one: the other one (-1: nobody), and the criterion of both by themselves. */
typedef struct cob_couple {
    int partner;
    double value;
} cob_couple;

/* What is kept of the clusters that may be merged: of one side, or co-clusters. */
typedef struct cob_front {
    bool known;            /* else all but the products is to be computed anew */
    double *own;           /* the criterion of each cluster by itself, */
    cob_couple *couples;   /* and COB_PARTNERS couples of each */
    int *partners;         /* the COB_PARTNERS clusters that each may best be merged with, */
    cob_products products; /* by which these are found, */
    bool measured;         /* once they are; */
    cob_screen screen;     /* and a quick look at them */
} cob_front;

typedef struct cob_merging {
    cob_joining at;         /* what is now */
    double deadline;        /* on cob_clock */
    cob_stats trial;        /* with room for as many clusters; only without a sum over blocks */
    double value;           /* of what is now; when screened, it counts as 0 */
    cob_front fronts[2];    /* of rows, or co-clusters; of columns */
    double nothing;         /* the criterion without any of those that are joined, */
    double inside, covered; /* and what all co-clusters hold and cover */
    int *numbers[2];        /* the current number of each original cluster, */
    int count[2];           /* of which there are so many, */
    int most;               /* and at most so many on a side */
    int left[2];            /* clusters that there are now */
    cob_gaps gaps[2];       /* the numbers of those that were merged into others */
    bool exact;             /* nothing follows merges of the other side, */
    bool screened;          /* and all values are those of a quick look */
    double second;          /* the value of the next best merge to that */
    cob_merge_step *path;   /* where the next step goes; or NULL */
} cob_merging;

typedef struct cob_merge {
    int a, b;
    cob_joined what;
    double value;
} cob_merge;

/* The side whose clusters are joined; where both are, either does. */
static inline cob_axis cob_side_of(cob_joined what)
{
    return what == COB_OF_COLS ? COB_COLS : COB_ROWS;
}

static inline cob_front *cob_front_of(cob_merging *m, cob_joined what)
{
    return &m->fronts[cob_side_of(what)];
}

/* Begins the merges of a kind: what they are computed from. */
void cob_begin_step(cob_merging *m, cob_joined what);

/* The criterion after a merge; `*alone` receives what the two are by themselves. */
double cob_merging_value(cob_merging *m, cob_joined what, int a, int b, double *alone);

/* Before c and d become one, what is kept of the other side than theirs follows; and after b was
 * merged into a < b, what is kept of their own. */
void cob_follow_other_merge(cob_merging *m, cob_joined what, int c, int d);
void cob_follow_own_merge(cob_merging *m, cob_joined what, int a, int b);

/* Whether the gaps that merged clusters have left are to be closed; and closes them. */
bool cob_must_close(const cob_merging *m);
void cob_close_gaps(cob_merging *m);

#endif
