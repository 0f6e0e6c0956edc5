/* croki2: phi-squared co-clustering, in the place of your model. Copy this file to
 * src/models/NAME.c, and say here what is maximised, with the formulas, and who published it.
 *
 *     phi^2 = sum over k, l of B_kl delta_kl / N - 1,   delta_kl = B_kl N / (R_k C_l)
 *
 * Govaert, "Classification croisee", 1983.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

/* The rule: row i chooses the cluster k with the largest sum_l XW_il A_kl + r_i b_k + e_k. The same
 * function serves the columns, which see the statistics as if they were the rows. */
static void rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    for (int k = 0; k < stats->g; k++) {
        out->b[k] = out->e[k] = 0;
        for (int l = 0; l < stats->m; l++) {
            double delta = *cob_delta(theta, k, l);
            out->A[(size_t)l * (size_t)out->to + (size_t)k] = 2 * delta;
            out->b[k] -= stats->C[l] / stats->total * delta * delta;
        }
    }
}

/* The criterion, from the statistics and the parameters. */
static double value(const cob_stats *stats, const cob_theta *theta)
{
    double sum = 0;
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            sum += cob_block(stats, k, l) * *cob_delta(theta, k, l);
    return sum / stats->total - 1;
}

const cob_model cob_model_croki2 = {
    .name = "croki2",
    .title = "phi-squared co-clustering",
    .criterion = "phi-squared",
    .structure = &cob_free_columns,
    .by_blocks = true, /* a claim: it makes merging fast, and test_claims.c holds it */
    .estimate = cob_estimate_lift,
    .rule = rule,
    .value = value,
};
