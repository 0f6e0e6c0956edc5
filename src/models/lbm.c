/* lbm: the Bernoulli latent block model (LBCEM), x_ij ~ Bernoulli(alpha_kl); and its diagonal,
 * parsimonious kin: a co-cluster is full of ones (alpha_kk = 1 - eps) and everything else of zeros
 * (alpha_kl = eps), with eps in [0, 1/2] for each block (dlbm1) or for each row cluster (dlbm2).
 *
 *     lbm, dlbm1: alpha_kl = B_kl / (z_k w_l);  dlbm2: eps_k = what is wrong in row cluster k /
 * (z_k d)
 *
 * with the cells that are not missing for z_k w_l and z_k d.
 *
 * The bounds are a constraint, not a remark: without them dlbm2 finds its mirror image.
 *
 * Laclau, Nadif, "Diagonal latent block model for binary data", Statistics and Computing 27, 2017.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

static void estimate_lbm(const cob_stats *stats, cob_theta *theta)
{
    cob_estimate_proportions(stats, theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            *cob_delta(theta, k, l) = cob_ratio(cob_block(stats, k, l), cob_cells(stats, k, l));
}

static void estimate_dlbm1(const cob_stats *stats, cob_theta *theta)
{
    estimate_lbm(stats, theta);
    theta->at_bound = 0;
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++) {
            double *alpha = cob_delta(theta, k, l);
            *alpha =
                k == l ? 1 - cob_at_most_half(1 - *alpha, theta) : cob_at_most_half(*alpha, theta);
        }
}

static void estimate_dlbm2(const cob_stats *stats, cob_theta *theta)
{
    cob_estimate_proportions(stats, theta);
    theta->at_bound = 0;
    for (int k = 0; k < stats->g; k++) {
        double wrong = cob_cells(stats, k, k) - 2 * cob_block(stats, k, k);
        double cells = stats->z[k] * stats->d;
        for (int l = 0; l < stats->m; l++) {
            wrong += cob_block(stats, k, l);
            cells -= cob_missing(stats, k, l);
        }
        double eps = cob_at_most_half(cob_ratio(wrong, cells), theta);
        for (int l = 0; l < stats->m; l++)
            *cob_delta(theta, k, l) = k == l ? 1 - eps : eps;
    }
}

static double one_a_row_cluster(int g, int m, int values)
{
    (void)m;
    (void)values;
    return g;
}

const cob_model cob_model_lbm = {
    .name = "lbm",
    .title = "Bernoulli latent block model",
    .criterion = "complete log-likelihood",
    .structure = &cob_free_columns,
    .by_blocks = true,
    .likelihood = true,
    .law = COB_LAW_BERNOULLI,
    .takes_missing = true,
    .estimate = estimate_lbm,
    .rule = cob_bernoulli_rule,
    .value = cob_bernoulli_value,
    .free_parameters = cob_all_blocks,
};

const cob_model cob_model_dlbm1 = {
    .name = "dlbm1",
    .title = "diagonal Bernoulli latent block model, a dispersion a block",
    .criterion = "complete log-likelihood",
    .structure = &cob_paired_columns,
    .likelihood = true,
    .law = COB_LAW_BERNOULLI,
    .takes_missing = true,
    .estimate = estimate_dlbm1,
    .rule = cob_bernoulli_rule,
    .value = cob_bernoulli_value,
    .free_parameters = cob_all_blocks,
};

const cob_model cob_model_dlbm2 = {
    .name = "dlbm2",
    .title = "diagonal Bernoulli latent block model, a dispersion a row cluster",
    .criterion = "complete log-likelihood",
    .structure = &cob_paired_columns,
    .likelihood = true,
    .law = COB_LAW_BERNOULLI,
    .takes_missing = true,
    .estimate = estimate_dlbm2,
    .rule = cob_bernoulli_rule,
    .value = cob_bernoulli_value,
    .free_parameters = one_a_row_cluster,
};
