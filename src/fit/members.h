/* The members of an ensemble that are fitted, as any user would fit them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_MEMBERS_H
#define COB_FIT_MEMBERS_H

#include "fit/fit.h"
#include "methods/ensemble.h"

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

/* For a method that joins co-clusterings and was given none: dcc with 2 to 25 co-clusters, those of
 * a good modularity. They become task->prepared.base, `kept` of them. */
cobloc_status cob_members_usual(cob_task *task, int *kept, cobloc_error *err);

#endif
