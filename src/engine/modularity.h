/* Modularity: how much more blocks hold than the margins alone would give them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_MODULARITY_H
#define COB_ENGINE_MODULARITY_H

#include "engine/stats.h"

/* The excess of block (k, l): B_kl - R_k C_l / N. */
static inline double cob_excess(const cob_stats *s, int k, int l)
{
    return s->total > 0 ? cob_block(s, k, l) - s->R[k] * s->C[l] / s->total : 0;
}

/* 1/N times the excess of all blocks in which a column cluster l meets its row cluster partner[l]
 * (-1: it has none; NULL: l itself). 0 where X holds nothing. */
double cob_modularity(const cob_stats *stats, const int *partner);

/* The row cluster, of the first g, that each of the first m column clusters goes with: one to one,
 * by the largest modularity, where there are as many; else the one with the largest excess. */
cobloc_status cob_pair_clusters(const cob_stats *stats, int g, int m, int *partner,
                                cobloc_error *err);

#endif
