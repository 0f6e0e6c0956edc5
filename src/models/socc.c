/* socc: self-organised co-clustering. Columns fall into three sections: main (specific to one row
 * cluster), second (to two) and common (to all); so there are g + g(g-1)/2 + 1 column clusters. A
 * block is meaningful, with the parameter delta_l of its column cluster, or noise, with one delta
 * for all.
 *
 *     delta_l = sum of B_kl / sum of R_k C_l over the meaningful k;  delta the same over all noise
 *
 * Selosse, Jacques, Biernacki, "Self-organized co-clustering for textual data synthesis", 2019.
 *
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

#include "models/socc.h"

int cob_socc_col_clusters(int g)
{
    return g + g * (g - 1) / 2 + 1;
}

void cob_socc_pair(int g, int l, int *a, int *b)
{
    int pair = l - g;
    for (*a = 0; pair >= g - 1 - *a; ++*a)
        pair -= g - 1 - *a;
    *b = *a + 1 + pair;
}

bool cob_socc_meaningful(int g, int k, int l)
{
    int a, b;
    if (l < g)
        return k == l;
    if (l == cob_socc_col_clusters(g) - 1)
        return true;
    cob_socc_pair(g, l, &a, &b);
    return k == a || k == b;
}

static void estimate(const cob_stats *stats, cob_theta *theta)
{
    double noise = 0, noise_effect = 0;
    int g = stats->g;
    cob_estimate_proportions(stats, theta);
    for (int l = 0; l < stats->m; l++) {
        double sum = 0, effect = 0;
        for (int k = 0; k < g; k++)
            if (cob_socc_meaningful(g, k, l)) {
                sum += cob_block(stats, k, l);
                effect += stats->R[k] * stats->C[l];
            } else {
                noise += cob_block(stats, k, l);
                noise_effect += stats->R[k] * stats->C[l];
            }
        for (int k = 0; k < g; k++)
            *cob_delta(theta, k, l) = cob_ratio(sum, effect);
    }
    for (int l = 0; l < stats->m; l++)
        for (int k = 0; k < g; k++)
            if (!cob_socc_meaningful(g, k, l))
                *cob_delta(theta, k, l) = cob_ratio(noise, noise_effect);
}

/* The log-likelihood of one column whose row clusters in a section share a rate and the others
 * another. */
static double fit_of_section(int g, int l, const double *sums, const double *mass)
{
    double sum[2] = {0, 0}, effect[2] = {0, 0};
    for (int k = 0; k < g; k++) {
        int inside = cob_socc_meaningful(g, k, l);
        sum[inside] += sums[k];
        effect[inside] += mass[k];
    }
    return cob_xlog(sum[0], cob_ratio(sum[0], effect[0])) +
           cob_xlog(sum[1], cob_ratio(sum[1], effect[1]));
}

/* The section that explains a column best, where those with two rates must be worth the second one,
 * and must be fuller inside than outside. */
static int place_column(int g, const double *sums, const double *mass)
{
    int common = cob_socc_col_clusters(g) - 1, best = common;
    double total = 0, all = 0;
    for (int k = 0; k < g; k++) {
        total += sums[k];
        all += mass[k];
    }
    double most = fit_of_section(g, common, sums, mass) + 0.5 * log(total + 1);
    for (int l = 0; l < common; l++) {
        double inside = 0, effect = 0, fit = fit_of_section(g, l, sums, mass);
        for (int k = 0; k < g; k++)
            if (cob_socc_meaningful(g, k, l)) {
                inside += sums[k];
                effect += mass[k];
            }
        if (fit > most && inside * all > total * effect) {
            most = fit;
            best = l;
        }
    }
    return best;
}

static double free_parameters(int g, int m)
{
    return (double)g * m; /* as printed in the paper's equation 6 */
}

const cob_model cob_model_socc = {
    .name = "socc",
    .title = "self-organised co-clustering: main, second and common terms",
    .criterion = "complete log-likelihood",
    .likelihood = true,
    .effects = true,
    .usual_inference = COBLOC_STOCHASTIC,
    .col_clusters = cob_socc_col_clusters,
    .place_column = place_column,
    .estimate = estimate,
    .rule = cob_poisson_rule,
    .value = cob_poisson_value,
    .free_parameters = free_parameters,
};
