/* splbm: the sparse Poisson latent block model. Diagonal blocks have a parameter each, all others
 * share one: x_ij ~ Poisson(r_i c_j gamma_kk) inside co-cluster k, Poisson(r_i c_j gamma) outside.
 *
 *     gamma_kk = B_kk / (R_k C_k),  gamma = (N - sum B_kk) / (N^2 - sum R_k C_k)
 *
 * The published algorithms score rows by log pi_k + XW_ik log(gamma_kk / gamma); the exact
 * maximiser of the likelihood, splbm-exact, also subtracts r_i C_k (gamma_kk - gamma). The first
 * does better where classes are of very different sizes, the second is monotone and does better
 * where they are not.
 *
 * Ailem, Role, Nadif, "Sparse Poisson latent block model for document clustering", IEEE TKDE 29,
 * 2017.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    double inside = 0, covered = 0;
    cob_estimate_proportions(stats, theta);
    for (int k = 0; k < stats->g; k++) {
        inside += cob_block(stats, k, k);
        covered += stats->R[k] * stats->C[k];
    }
    double gamma =
        cob_ratio(stats->total - inside, stats->row_effect * stats->col_effect - covered);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            *cob_delta(theta, k, l) =
                k == l ? cob_ratio(cob_block(stats, k, k), stats->R[k] * stats->C[k]) : gamma;
}

/* The common parameter: any block off the diagonal has it. */
static double off_diagonal(const cob_theta *theta)
{
    return theta->g > 1 ? *cob_delta(theta, 0, 1) : 0;
}

static void rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    double gamma = off_diagonal(theta);
    for (int k = 0; k < stats->g; k++) {
        out->A[k] = cob_log(*cob_delta(theta, k, k)) - cob_log(gamma);
        out->b[k] = 0;
        out->e[k] = cob_log(theta->pi[k]);
    }
}

static void exact_rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    double gamma = off_diagonal(theta);
    rule(stats, theta, out);
    for (int k = 0; k < stats->g; k++)
        out->b[k] = -stats->C[k] * (*cob_delta(theta, k, k) - gamma);
}

/* What lies outside, with the common parameter that suits it best. */
static double rest(const cob_stats *stats, double inside, double covered)
{
    double outside = stats->total - inside;
    double uncovered = stats->row_effect * stats->col_effect - covered;
    double gamma = cob_ratio(outside, uncovered);
    return cob_xlog(outside, gamma) - uncovered * gamma;
}

/* As of any Poisson model, with all blocks off the diagonal in one. */
static double value(const cob_stats *stats, const cob_theta *theta)
{
    double value = stats->constant + cob_proportions_value(stats, theta);
    double outside = stats->total, uncovered = stats->row_effect * stats->col_effect;
    for (int k = 0; k < stats->g; k++) {
        double own = *cob_delta(theta, k, k), sum = cob_block(stats, k, k);
        double covered = stats->R[k] * stats->C[k];
        value += cob_xlog(sum, own) - covered * own;
        outside -= sum;
        uncovered -= covered;
    }
    double gamma = off_diagonal(theta);
    return value + cob_xlog(outside, gamma) - uncovered * gamma;
}

static double free_parameters(int g, int m, int values)
{
    (void)m;
    (void)values;
    return g + 1;
}

#define SPLBM(model_name, model_title, model_rule, model_ascent)                                   \
    {                                                                                              \
        .name = model_name, .title = model_title, .criterion = "complete log-likelihood",          \
        .structure = &cob_paired_columns, .law = COB_LAW_POISSON, .ascent = model_ascent,          \
        .likelihood = true, .diagonal_rule = true, .estimate = estimate, .rule = model_rule,       \
        .value = value, .by_blocks = true, .rest = rest, .free_parameters = free_parameters        \
    }

const cob_model cob_model_splbm =
    SPLBM("splbm", "sparse Poisson latent block model, diagonal", rule, COB_WANDERS);
const cob_model cob_model_splbm_exact =
    SPLBM("splbm-exact", "sparse Poisson latent block model, diagonal, maximised exactly",
          exact_rule, COB_ASCENDS);
