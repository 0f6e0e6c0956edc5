/* glbm: the Gaussian latent block model, x_ij ~ Normal(mu_kl, s2_kl), a mean and a variance a
 * block.
 *
 *     mu_kl = B1_kl / c_kl,  s2_kl = B2_kl / c_kl - mu_kl^2,  A1 = mu / s2,  A2 = -1 / (2 s2)
 *
 * with B1 and B2 the sums of the entries of a block and of their squares, and c_kl its cells that
 * are not missing. A cell that is 0 is a number like others.
 *
 * A block of equal numbers would have no variance and an infinite likelihood: variances are at
 * least a millionth of that of the whole table. Sums of squares cancel: where the table holds zeros
 * beside numbers whose mean is more than 1e6 times their standard deviation, variances are not to
 * be trusted. A table without zeros is centred first and has no such limit.
 *
 * Govaert, Nadif, "Co-Clustering: Models, Algorithms and Applications", Wiley, 2013, chapter 5.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

enum { MEAN, VARIANCE };
enum { SUM, SQUARES }; /* layers */

/* A table of one number everywhere has any variance. */
static double least_variance(const cob_stats *stats)
{
    return stats->variance > 0 ? 1e-6 * stats->variance : 1;
}

/* The sum of the squared distances of a block's cells from a number. */
static double scatter(const cob_stats *stats, int k, int l, double centre)
{
    double cells = cob_cells(stats, k, l), sum = cob_block_of(stats, SUM, k, l);
    double mean = cob_ratio(sum, cells), away = mean - centre;
    double own = cob_block_of(stats, SQUARES, k, l) - sum * mean;
    return fmax(own, 0) + cells * away * away;
}

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    double least = least_variance(stats), all = stats->variance;
    cob_estimate_proportions(stats, theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++) {
            double cells = cob_cells(stats, k, l);
            double mean = cob_ratio(cob_block_of(stats, SUM, k, l), cells);
            double own = cells > 0 ? scatter(stats, k, l, mean) / cells : all;
            *cob_parameter(theta, MEAN, k, l) = stats->origin + mean;
            *cob_parameter(theta, VARIANCE, k, l) = fmax(own, least);
        }
}

static double log_density_at(double away, double variance)
{
    return -(log(2 * acos(-1) * variance) + away * away / variance) / 2;
}

static void rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    for (int k = 0; k < stats->g; k++) {
        out->b[k] = 0;
        out->e[k] = cob_log(theta->pi[k]);
        for (int l = 0; l < stats->m; l++) {
            double mean = *cob_parameter(theta, MEAN, k, l) - stats->origin;
            double variance = *cob_parameter(theta, VARIANCE, k, l);
            *cob_weight_of(out, stats, SUM, k, l) = mean / variance;
            *cob_weight_of(out, stats, SQUARES, k, l) = -1 / (2 * variance);
            cob_say_zero(stats, out, k, l, log_density_at(mean, variance));
        }
    }
}

static double value(const cob_stats *stats, const cob_theta *theta)
{
    double value = cob_proportions_value(stats, theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++) {
            double mean = *cob_parameter(theta, MEAN, k, l) - stats->origin;
            double variance = *cob_parameter(theta, VARIANCE, k, l);
            value += cob_cells(stats, k, l) * log_density_at(0, variance) -
                     scatter(stats, k, l, mean) / (2 * variance);
        }
    return value;
}

const cob_model cob_model_glbm = {
    .name = "glbm",
    .title = "Gaussian latent block model, for any real numbers",
    .criterion = "complete log-likelihood",
    .structure = &cob_free_columns,
    .by_blocks = true,
    .likelihood = true,
    .law = COB_LAW_GAUSSIAN,
    .entries = COB_MOMENTS,
    .takes_missing = true,
    .estimate = estimate,
    .rule = rule,
    .value = value,
    .free_parameters = cob_all_blocks,
};
