/* dlbm3: the diagonal Bernoulli latent block model with one dispersion and equal proportions. What
 * is left to minimise is the number of cells that are wrong: zeros inside co-clusters, ones
 * outside.
 *
 *     W = sum over k of (z_k w_k - B_kk)  +  (N - sum of B_kk),   eps = W / (n d), at most 1/2
 *
 * In a table of next to nothing but zeros W is smallest where co-clusters are next to nothing, too:
 * every start loses some of them. Where that happens, the labels are those of a variant in which
 * every block counts the same, whatever its size,
 *
 *     sum over k of (1 - m_kk)  +  sum over k != l of m_kl,   m_kl = B_kl / (z_k w_l)
 *
 * so that a row goes where the mean of its cells is largest, with row clusters of equal weight.
 *
 * Laclau, Nadif, 2017, equation 17. With the same criterion, `block` is the algorithm of Li, "A
 * general model for clustering binary data", KDD 2005.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

static double value(const cob_stats *stats, const cob_theta *theta)
{
    double wrong = stats->total;
    (void)theta;
    for (int k = 0; k < stats->g; k++)
        wrong += stats->z[k] * stats->w[k] - 2 * cob_block(stats, k, k);
    return wrong;
}

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    double eps = cob_at_most_half(value(stats, theta) / (stats->n * stats->d));
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            *cob_delta(theta, k, l) = k == l ? 1 - eps : eps;
    for (int k = 0; k < stats->g; k++)
        theta->pi[k] = theta->rho[k] = 1.0 / stats->g;
}

static void rule(const cob_stats *stats, const cob_theta *theta, const cob_model_settings *settings,
                 cob_rule *out)
{
    (void)theta;
    (void)settings;
    for (int k = 0; k < stats->g; k++) {
        out->A[k] = 2;
        out->b[k] = 0;
        out->e[k] = -stats->w[k];
    }
}

/* ---- every block counts the same ------------------------------------------------------------- */

static double balanced_value(const cob_stats *stats, const cob_theta *theta)
{
    double wrong = stats->g;
    (void)theta;
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++) {
            double mean = cob_ratio(cob_block(stats, k, l), stats->z[k] * stats->w[l]);
            wrong += k == l ? -mean : mean;
        }
    return wrong;
}

static void balanced_rule(const cob_stats *stats, const cob_theta *theta,
                          const cob_model_settings *settings, cob_rule *out)
{
    (void)theta;
    (void)settings;
    for (int k = 0; k < stats->g; k++) {
        out->A[k] = cob_ratio(1, stats->w[k]);
        out->b[k] = out->e[k] = 0;
    }
}

static const cob_model balanced = {
    .name = "balanced dlbm3",
    .criterion = "share of wrong cells, block by block",
    .minimised = true,
    .diagonal = true,
    .binary = true,
    .of_stats = true,
    .zeros_matter = true,
    .estimate = estimate,
    .rule = balanced_rule,
    .value = balanced_value,
};

/* ---- the models ------------------------------------------------------------------------------ */

static double one(int g, int m)
{
    (void)g;
    (void)m;
    return 1;
}

#define DLBM3(model_name, model_title, other)                                                      \
    {                                                                                              \
        .name = model_name, .title = model_title, .criterion = "wrong cells", .minimised = true,   \
        .diagonal = true, .binary = true, .of_stats = true, .zeros_matter = true,                  \
        .estimate = estimate, .rule = rule, .value = value, .log_likelihood = cob_bernoulli_value, \
        .free_parameters = one, .instead = other                                                   \
    }

const cob_model cob_model_dlbm3 =
    DLBM3("dlbm3", "diagonal Bernoulli latent block model, one dispersion", &balanced);
const cob_model cob_model_block =
    DLBM3("block", "block diagonal clustering of binary data (Li)", NULL);
