/* fnmtf: fast non-negative matrix tri-factorisation, X ~ Z S W' with Z and W one-hot.
 *
 *     error = ||X - Z S W'||^2 = ||X||^2 - sum of B_kl^2 / (z_k w_l),   S_kl = B_kl / (z_k w_l)
 *
 * Wang, Nie, Huang, Makedon, "Fast nonnegative matrix tri-factorization for large-scale data
 * co-clustering", IJCAI 2011.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    cob_estimate_proportions(stats, theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            *cob_delta(theta, k, l) = cob_ratio(cob_block(stats, k, l), stats->z[k] * stats->w[l]);
}

static void rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    for (int k = 0; k < stats->g; k++) {
        out->b[k] = out->e[k] = 0;
        for (int l = 0; l < stats->m; l++) {
            double s = *cob_delta(theta, k, l);
            out->A[(size_t)l * (size_t)out->to + (size_t)k] = 2 * s;
            out->e[k] -= stats->w[l] * s * s;
        }
    }
}

/* Squares cancel: an error below 1e-16 of the sum of squares is not known, and may come out below
 * 0.
 */
static double value(const cob_stats *stats, const cob_theta *theta)
{
    double error = stats->squares;
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++) {
            double s = *cob_delta(theta, k, l);
            error += stats->z[k] * stats->w[l] * s * s - 2 * cob_block(stats, k, l) * s;
        }
    return fmax(error, 0);
}

/* The error is least where cells that are Normal(S_kl, s^2), with one s for all and clusters of
 * equal proportions, are most likely. */
static double log_likelihood(const cob_stats *stats, const cob_theta *theta)
{
    double cells = stats->n * stats->d, variance = value(stats, theta) / cells;
    return cob_equal_proportions_value(stats) -
           cells / 2 * (log(2 * acos(-1)) + cob_log(variance) + 1);
}

static double free_parameters(int g, int m, int values)
{
    return cob_all_blocks(g, m, values) + 1;
}

const cob_model cob_model_fnmtf = {
    .name = "fnmtf",
    .title = "fast non-negative matrix tri-factorisation",
    .criterion = "squared error",
    .minimised = true,
    .structure = &cob_free_columns,
    .law = COB_LAW_GAUSSIAN,
    .estimate = estimate,
    .rule = rule,
    .value = value,
    .by_blocks = true,
    .equal_proportions = true,
    .log_likelihood = log_likelihood,
    .free_parameters = free_parameters,
};
