/* plbm: the Poisson latent block model, x_ij ~ Poisson(r_i c_j delta_kl).
 *
 *     delta_kl = B_kl / (R_k C_l),  pi = z / n,  rho = w / d
 *
 * Govaert, Nadif, "Latent block model for contingency table", Communications in Statistics 39,
 * 2010.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    cob_estimate_proportions(stats, theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            *cob_delta(theta, k, l) = cob_ratio(cob_block(stats, k, l), stats->R[k] * stats->C[l]);
}

const cob_model cob_model_plbm = {
    .name = "plbm",
    .title = "Poisson latent block model",
    .criterion = "complete log-likelihood",
    .structure = &cob_free_columns,
    .likelihood = true,
    .by_blocks = true,
    .by_lift = true,
    .law = COB_LAW_POISSON,
    .estimate = estimate,
    .rule = cob_poisson_rule,
    .value = cob_poisson_value,
    .free_parameters = cob_all_blocks,
};
