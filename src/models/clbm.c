/* clbm: the categorical latent block model. A cell of block (k, l) is of category c with
 * probability p_kl(c), and the categories have no order.
 *
 *     p_kl(c) = B^c_kl / c_kl,  A^c = log p_kl(c) - log p_kl(0)
 *
 * with B^c_kl the cells of category c in a block and c_kl all its cells that are not missing.
 * Category 0, usually the most frequent one, is what is not stored. With two categories this is
 * lbm.
 *
 * Keribin, Brault, Celeux, Govaert, "Estimation and selection for the latent block model on
 * categorical data", Statistics and Computing 25, 2015.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

/* How many cells of a block are of a category. */
static double count(const cob_stats *stats, int category, int k, int l)
{
    double rest = cob_cells(stats, k, l);
    if (category > 0)
        return cob_block_of(stats, category - 1, k, l);
    for (int c = 0; c < stats->values; c++)
        rest -= cob_block_of(stats, c, k, l);
    return fmax(rest, 0);
}

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    cob_estimate_proportions(stats, theta);
    for (int c = 0; c < theta->parameters; c++)
        for (int k = 0; k < stats->g; k++)
            for (int l = 0; l < stats->m; l++) {
                double cells = cob_cells(stats, k, l);
                *cob_parameter(theta, c, k, l) =
                    cells > 0 ? count(stats, c, k, l) / cells : 1.0 / theta->parameters;
            }
}

static void rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    for (int k = 0; k < stats->g; k++) {
        out->b[k] = 0;
        out->e[k] = cob_log(theta->pi[k]);
        for (int l = 0; l < stats->m; l++) {
            double zero = cob_log(*cob_parameter(theta, 0, k, l));
            for (int c = 1; c < theta->parameters; c++)
                *cob_weight_of(out, stats, c - 1, k, l) =
                    cob_log(*cob_parameter(theta, c, k, l)) - zero;
            cob_say_zero(stats, out, k, l, zero);
        }
    }
}

static double value(const cob_stats *stats, const cob_theta *theta)
{
    double value = cob_proportions_value(stats, theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            for (int c = 0; c < theta->parameters; c++)
                value += cob_xlog(count(stats, c, k, l), *cob_parameter(theta, c, k, l));
    return value;
}

const cob_model cob_model_clbm = {
    .name = "clbm",
    .title = "categorical latent block model",
    .criterion = "complete log-likelihood",
    .structure = &cob_free_columns,
    .by_blocks = true,
    .likelihood = true,
    .law = COB_LAW_CATEGORICAL,
    .entries = COB_CODES,
    .takes_missing = true,
    .estimate = estimate,
    .rule = rule,
    .value = value,
    .free_parameters = cob_all_blocks,
};
