/* Restarts in families: the first of each, its founders, know of nothing; then every pair of them
 * has a start that lies between what the two found.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_FAMILY_H
#define COB_FIT_FAMILY_H

#include "fit/fit.h"

enum { COB_FOUNDERS = 6, COB_FAMILY = COB_FOUNDERS + COB_FOUNDERS * (COB_FOUNDERS - 1) / 2 };

typedef struct cob_family {
    bool crosses;                   /* else all restarts are founders */
    cob_labels found[COB_FOUNDERS]; /* the labels of each founder, */
    bool has[COB_FOUNDERS];         /* as far as there are some */
    int finished;                   /* restarts, of all families so far */
} cob_family;

/* Whether the restarts of a task form families: where starts are not asked for by name, clusters
 * can be cut and merged, and chains need not be independent of each other. */
bool cob_has_families(const cob_task *task);

bool cob_is_founder(const cob_family *family, int restart);

/* The place of a founder in its family, twice; or the places of the two that another restart lies
 * between. */
typedef struct cob_pair {
    int first, second;
} cob_pair;

cob_pair cob_places(const cob_family *family, int restart);

/* Whether a restart has all that it builds on. Founders of a later family wait for all of the one
 * before, whose places they take. */
bool cob_can_begin(const cob_family *family, int restart);

/* A restart has finished; what a founder found is kept. */
cobloc_status cob_family_note(const cob_task *task, cob_family *family, const cob_outcome *outcome,
                              cobloc_error *err);

void cob_family_free(cob_family *family);

#endif
