/* Restarts in families: the first of each, its founders, know of nothing; then every pair of them
 * has a start that lies between what the two found.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_FAMILY_H
#define COB_FIT_FAMILY_H

#include "fit/fit.h"

enum { COB_FOUNDERS = 6, COB_FAMILY = COB_FOUNDERS + COB_FOUNDERS * (COB_FOUNDERS - 1) / 2 };

typedef struct cob_founder {
    int32_t *rows, *cols; /* its labels */
    double criterion;
    int kept;
    uint32_t restart;
} cob_founder;

typedef struct cob_family {
    bool crosses; /* else all restarts are founders */
    cob_founder founders[COB_FOUNDERS];
} cob_family;

/* Whether the restarts of a task form families: where starts are not asked for by name, clusters
 * can be cut and merged, and chains need not be independent of each other. */
bool cob_has_families(const cob_task *task);

bool cob_is_founder(const cob_family *family, uint32_t restart);

/* The first restart, from `restart` on, that has to wait until all before it are done. */
uint32_t cob_next_generation(const cob_family *family, uint32_t restart);

/* Keeps what a founder found. */
cobloc_status cob_keep_founder(const cob_task *task, cob_family *family, const cob_outcome *outcome,
                               cobloc_error *err);

/* Puts the founders in order, the best first: their pairs are run in that order. */
void cob_rank_founders(const cob_task *task, cob_family *family);

/* The labels that a restart which is no founder starts between. */
void cob_parents(const cob_family *family, uint32_t restart, cob_labels parents[2]);

void cob_family_free(cob_family *family);

#endif
