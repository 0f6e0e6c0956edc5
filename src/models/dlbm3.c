/* dlbm3: the diagonal Bernoulli latent block model with one dispersion and equal proportions. What
 * is left to minimise is the number of cells that are wrong: zeros inside co-clusters, ones
 * outside.
 *
 *     W = sum over k of (z_k w_k - B_kk)  +  (N - sum of B_kk),   eps = W / (n d), at most 1/2
 *
 * Cells that are missing are neither right nor wrong: z_k w_k and n d are those that are not.
 *
 * In a table of next to nothing but zeros W is smallest where co-clusters are next to nothing, too:
 * every start loses some of them. Where that happens, the labels are those of a variant in which
 * every block counts the same, whatever its size: a row of cluster k is wrong by
 *
 *     1 - x_ik / w_k  +  sum over l != k of x_il / w_l
 *
 * and goes where that is least, which is where the mean of its cells is largest; so does a column.
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
        wrong += cob_cells(stats, k, k) - 2 * cob_block(stats, k, k);
    return wrong;
}

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    theta->at_bound = 0;
    double eps = cob_at_most_half(value(stats, theta) / cob_all_cells(stats), theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            *cob_delta(theta, k, l) = k == l ? 1 - eps : eps;
    for (int k = 0; k < stats->g; k++)
        theta->pi[k] = theta->rho[k] = 1.0 / stats->g;
}

static void rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    (void)theta;
    for (int k = 0; k < stats->g; k++) {
        out->A[k] = 2;
        out->b[k] = out->e[k] = 0;
        cob_say_zero(stats, out, k, k, -1);
    }
}

/* ---- every block counts the same ------------------------------------------------------------- */

/* By how much the mean row is wrong and the mean column. The mean over blocks would not do: a row
 * alone with the columns that nobody else has is a block without a zero. */
static double balanced_value(const cob_stats *stats, const cob_theta *theta)
{
    double rows = stats->n, cols = stats->d;
    (void)theta;
    for (int k = 0; k < stats->g; k++) {
        double inside = cob_block(stats, k, k);
        rows += cob_ratio(stats->C[k] - 2 * inside, stats->w[k]);
        cols += cob_ratio(stats->R[k] - 2 * inside, stats->z[k]);
    }
    return (rows / stats->n + cols / stats->d) / 2;
}

static void balanced_rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    (void)theta;
    for (int k = 0; k < stats->g; k++) {
        out->A[k] = cob_ratio(1, stats->w[k]);
        out->b[k] = out->e[k] = 0;
        cob_say_zero(stats, out, k, k, 0); /* here a missing cell is a zero */
    }
}

static const cob_model balanced = {
    .name = "balanced dlbm3",
    .criterion = "wrong cells of the mean row and column, block by block",
    .minimised = true,
    .structure = &cob_paired_columns,
    .law = COB_LAW_BERNOULLI,
    .takes_missing = true,
    .ascent = COB_WANDERS,
    .diagonal_rule = true,
    .of_stats = true,
    .by_blocks = true,
    .estimate = estimate,
    .rule = balanced_rule,
    .value = balanced_value,
};

/* ---- the models ------------------------------------------------------------------------------ */

static double one(int g, int m, int values)
{
    (void)g;
    (void)m;
    (void)values;
    return 1;
}

#define DLBM3(model_name, model_title, other)                                                      \
    {                                                                                              \
        .name = model_name, .title = model_title, .criterion = "wrong cells", .minimised = true,   \
        .structure = &cob_paired_columns, .law = COB_LAW_BERNOULLI, .takes_missing = true,         \
        .diagonal_rule = true, .of_stats = true, .by_blocks = true, .equal_proportions = true,     \
        .estimate = estimate, .rule = rule, .value = value, .log_likelihood = cob_bernoulli_value, \
        .free_parameters = one, .further_start = other                                             \
    }

const cob_model cob_model_dlbm3 =
    DLBM3("dlbm3", "diagonal Bernoulli latent block model, one dispersion", &balanced);
const cob_model cob_model_block =
    DLBM3("block", "block diagonal clustering of binary data (Li)", NULL);
