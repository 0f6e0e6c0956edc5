/* coclus: direct maximisation of graph modularity.
 *
 *     Q = 1/N sum over k of (B_kk - R_k C_k / N)
 *
 * Ailem, Role, Nadif, "Co-clustering document-term matrices by direct maximization of graph
 * modularity", CIKM 2015.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/modularity.h"
#include "models/registry.h"

static void rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    (void)theta;
    for (int k = 0; k < stats->g; k++) {
        out->A[k] = 1;
        out->b[k] = -stats->C[k] / stats->total;
        out->e[k] = 0;
    }
}

static double value(const cob_stats *stats, const cob_theta *theta)
{
    (void)theta;
    return cob_modularity(stats, NULL);
}

const cob_model cob_model_coclus = {
    .name = "coclus",
    .title = "modularity, diagonal",
    .criterion = "modularity",
    .structure = &cob_paired_columns,
    .diagonal_rule = true,
    .by_blocks = true,
    .of_stats = true,
    .estimate = cob_estimate_lift,
    .rule = rule,
    .value = value,
};
