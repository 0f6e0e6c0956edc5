/* socc: self-organised co-clustering. Columns fall into three sections: main (specific to one row
 * cluster), second (to two) and common (to all); see sections.h. A block is meaningful, with the
 * parameter delta_l of its column cluster, or noise, with one delta for all.
 *
 *     delta_l = sum of B_kl / sum of R_k C_l over the meaningful k;  delta the same over all noise
 *
 * That is for effects that are known. Where the sums of the data stand in for them, they are scaled
 * by a factor for each row cluster and each column cluster, so that a block has the parameter
 * a_k b_l (1 + lift_l where it is meaningful), all of which maximise the likelihood together; a
 * lift is not negative, else a main section could not be told from a second one upside down.
 *
 * Selosse, Jacques, Biernacki, "Self-organized co-clustering for textual data synthesis", 2019.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

#include "models/sections.h"

/* ---- parameters ------------------------------------------------------------------------------ */

/* A column cluster's sums, and what they would be at a rate of 1: of noise and of what is
 * meaningful. */
typedef struct sums {
    double sum[2], effect[2];
} sums;

static void estimate_known(const cob_stats *stats, cob_theta *theta)
{
    double noise = 0, noise_effect = 0;
    int g = stats->g;
    for (int l = 0; l < stats->m; l++) {
        cob_section about = cob_section_at(g, l);
        sums s = {{0}, {0}};
        for (int k = 0; k < g; k++) {
            int inside = cob_section_has(about, k);
            s.sum[inside] += cob_block(stats, k, l);
            s.effect[inside] += stats->R[k] * stats->C[l];
        }
        for (int k = 0; k < g; k++)
            *cob_delta(theta, k, l) = cob_ratio(s.sum[1], s.effect[1]);
        noise += s.sum[0];
        noise_effect += s.effect[0];
    }
    for (int l = 0; l < stats->m; l++)
        for (int k = 0; k < g; k++)
            if (!cob_section_has(cob_section_at(g, l), k))
                *cob_delta(theta, k, l) = cob_ratio(noise, noise_effect);
}

/* The best factor of a column cluster's effects and its best lift, given those of the rows; all
 * three make up its parameters. Where what is meaningful would be the emptier part, there is no
 * lift. */
static void scale_section(const cob_stats *stats, cob_theta *theta, int l)
{
    int g = stats->g, common = stats->m - 1;
    cob_section about = cob_section_at(g, l);
    sums s = {{0}, {0}};
    for (int k = 0; k < g; k++) {
        int inside = cob_section_has(about, k);
        s.sum[inside] += cob_block(stats, k, l);
        s.effect[inside] += stats->R[k] * stats->C[l] * *cob_delta(theta, k, common);
    }
    double rate[2] = {cob_ratio(s.sum[0], s.effect[0]), cob_ratio(s.sum[1], s.effect[1])};
    if (rate[1] < rate[0])
        rate[0] = rate[1] = cob_ratio(s.sum[0] + s.sum[1], s.effect[0] + s.effect[1]);
    for (int k = 0; k < g; k++)
        *cob_delta(theta, k, l) = rate[cob_section_has(about, k)] * *cob_delta(theta, k, common);
}

/* The best factors of the row clusters' effects, given the rest; how much they change. */
static double scale_rows(const cob_stats *stats, cob_theta *theta)
{
    int common = stats->m - 1;
    double all = 0, expected = 0, change = 0;
    for (int k = 0; k < stats->g; k++) {
        all += cob_block(stats, k, common);
        expected += stats->R[k] * stats->C[common] * *cob_delta(theta, k, common);
    }
    for (int k = 0; k < stats->g; k++) {
        double *factor = cob_delta(theta, k, common);
        double found = cob_block(stats, k, common);
        double fitted = stats->R[k] * stats->C[common] * *factor * cob_ratio(all, expected);
        for (int l = 0; l < common; l++) {
            found += cob_block(stats, k, l);
            fitted += stats->R[k] * stats->C[l] * *cob_delta(theta, k, l);
        }
        if (!(found > 0 && fitted > 0))
            continue;
        *factor *= found / fitted;
        change = fmax(change, fabs(found / fitted - 1));
    }
    return change;
}

/* Effects that are only sums hold what their blocks made of them: a column that is full in one row
 * cluster alone has a small sum. So they are scaled, by a factor for each cluster, until the
 * likelihood is largest; every step improves it. The common columns, where nothing else happens,
 * keep the factors of the rows meanwhile: from the last call on, so that none ends below it. */
static void estimate_scaled(const cob_stats *stats, cob_theta *theta)
{
    enum { MOST = 200 };
    int common = stats->m - 1;
    double change = 1;
    for (int k = 0; k < stats->g; k++)
        if (!(*cob_delta(theta, k, common) > 0))
            *cob_delta(theta, k, common) = 1;
    for (int i = 0; i < MOST && change > 1e-9; i++) {
        for (int l = 0; l < common; l++)
            scale_section(stats, theta, l);
        change = scale_rows(stats, theta);
    }
    for (int l = 0; l <= common; l++)
        scale_section(stats, theta, l);
}

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    cob_estimate_proportions(stats, theta);
    if (stats->sums_as_effects)
        estimate_scaled(stats, theta);
    else
        estimate_known(stats, theta);
}

/* ---- the model ------------------------------------------------------------------------------- */

static double free_parameters(int g, int m, int values)
{
    (void)values;
    return (double)g * m; /* as printed in the paper's equation 6 */
}

const cob_model cob_model_socc = {
    .name = "socc",
    .title = "self-organised co-clustering: main, second and common terms",
    .criterion = "complete log-likelihood",
    .likelihood = true,
    .law = COB_LAW_POISSON,
    .structure = &cob_sections,
    .inference = COBLOC_STOCHASTIC,
    .estimate = estimate,
    .rule = cob_poisson_rule,
    .value = cob_poisson_value,
    .free_parameters = free_parameters,
};
