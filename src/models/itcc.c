/* itcc: information-theoretic co-clustering (also CROINFO). Keeps as much as it can of the mutual
 * information between rows and columns.
 *
 *     I = sum over k, l of B_kl / N log delta_kl,   delta_kl = B_kl N / (R_k C_l)
 *
 * Dhillon, Mallela, Modha, "Information-theoretic co-clustering", KDD 2003.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

static void rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    for (int k = 0; k < stats->g; k++) {
        out->b[k] = out->e[k] = 0;
        for (int l = 0; l < stats->m; l++)
            out->A[(size_t)l * (size_t)out->to + (size_t)k] = cob_log(*cob_delta(theta, k, l));
    }
}

static double value(const cob_stats *stats, const cob_theta *theta)
{
    double information = 0;
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            information += cob_xlog(cob_block(stats, k, l) / stats->total, *cob_delta(theta, k, l));
    return fmax(information, 0); /* of independent tables, terms cancel */
}

/* Mutual information is, up to a constant and the factor N, the log-likelihood of counts that are
 * Poisson(r_i c_j delta_kl) with clusters of equal proportions (Govaert, Nadif, "Mutual
 * information, phi-squared and model-based co-clustering for contingency tables", ADAC 12, 2018).
 */
static double log_likelihood(const cob_stats *stats, const cob_theta *theta)
{
    double value = stats->constant + cob_equal_proportions_value(stats) - stats->total;
    (void)theta;
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++) {
            double sum = cob_block(stats, k, l);
            value += cob_xlog(sum, cob_ratio(sum, stats->R[k] * stats->C[l]));
        }
    return value;
}

const cob_model cob_model_itcc = {
    .name = "itcc",
    .title = "information-theoretic co-clustering",
    .criterion = "mutual information",
    .structure = &cob_free_columns,
    .estimate = cob_estimate_lift,
    .rule = rule,
    .value = value,
    .by_blocks = true,
    .by_lift = true,
    .equal_proportions = true,
    .log_likelihood = log_likelihood,
    .free_parameters = cob_all_blocks,
};
