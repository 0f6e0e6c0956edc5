/* What column clusters mean: how many there are, where columns start, and which row clusters they
 * go with. Every model names one of these structures; nobody else need know which.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_STRUCTURE_H
#define COB_ENGINE_STRUCTURE_H

#include "engine/stats.h"

enum { COB_CLUSTER_NAME = 48 };

typedef struct cob_structure {
    /* The number of column clusters for g row clusters; NULL: as many as the user says. Where there
     * is a rule, columns follow from the rows; else they are clustered by themselves. */
    int (*clusters)(int g);

    /* Where a column starts, by its sums over g row clusters of the masses `mass`. */
    int (*place)(int g, const double *sums, const double *mass);

    /* The new numbers of the column clusters, where row cluster k becomes rows[k]; NULL: by their
     * own sizes. */
    void (*order)(int g, const int *rows, int *cols);

    /* What column cluster l is called: its kind, and then which one it is ("main 2"). NULL: it has
     * a number only. */
    void (*name)(int g, int l, char text[COB_CLUSTER_NAME]);

    /* Whether row cluster k and column cluster l go together, to one that asks about clusters of
     * side `of`. NULL: where their block holds more than its margins would give it. */
    bool (*together)(int g, int k, int l, cob_axis of);

    bool paired; /* row cluster k and column cluster k are one co-cluster: they are matched, split
                    and merged together */
    bool merges; /* two clusters may become one; else each has a meaning that no other has */
    bool may_be_empty; /* a cluster without members of its own is no flaw */
    bool draws;   /* columns that are placed tend to one local optimum: every second start draws
                     them instead */
    bool settles; /* stochastic inference ends with hard iterations: the labels drawn most often
                     still scatter about the optimum */
    int restarts; /* how often a fit starts where nobody says; 0: as often as most */
} cob_structure;

/* Column clusters are what they turn out to be. */
extern const cob_structure cob_free_columns;
/* Column cluster k goes with row cluster k, and there are no others. */
extern const cob_structure cob_paired_columns;

/* The row cluster in which a column has its largest share: of x^Z_jk / R_k. */
int cob_largest_share(int g, const double *sums, const double *mass);

/* The number of column clusters beside g row clusters, where `wanted` is what the user says. */
static inline int cob_column_clusters(const cob_structure *structure, int g, int wanted)
{
    return structure->clusters ? structure->clusters(g) : wanted;
}

#endif
