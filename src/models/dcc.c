/* dcc: directional co-clustering on rows of unit length, diagonal.
 *
 *     T = sum over k of B_kk / sqrt(z_k w_k)
 *
 * as the base co-clusterings of "Ensemble block co-clustering" use it (Affeldt, Labiod, Nadif,
 * 2020).
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

static double scale(const cob_stats *stats, int k)
{
    double cells = stats->z[k] * stats->w[k];
    return cells > 0 ? 1 / sqrt(cells) : 0;
}

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    cob_estimate_proportions(stats, theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++)
            *cob_delta(theta, k, l) = k == l ? scale(stats, k) : 0;
}

static void rule(const cob_stats *stats, const cob_theta *theta, cob_rule *out)
{
    for (int k = 0; k < stats->g; k++) {
        out->A[k] = *cob_delta(theta, k, k);
        out->b[k] = out->e[k] = 0;
    }
}

static double value(const cob_stats *stats, const cob_theta *theta)
{
    double trace = 0;
    for (int k = 0; k < stats->g; k++)
        trace += cob_block(stats, k, k) * *cob_delta(theta, k, k);
    return trace;
}

const cob_model cob_model_dcc = {
    .name = "dcc",
    .title = "directional co-clustering, diagonal",
    .criterion = "trace",
    .structure = &cob_paired_columns,
    .diagonal_rule = true,
    .by_blocks = true,
    .law = COB_LAW_DIRECTIONAL,
    .ascent = COB_TAKES_BACK, /* rows choose by sizes that their choices change */
    .estimate = estimate,
    .rule = rule,
    .value = value,
};
