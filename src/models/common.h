/* What models have in common: proportions, safe logarithms, and the rules of the Poisson and
 * Bernoulli families.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MODELS_COMMON_H
#define COB_MODELS_COMMON_H

#include "engine/model.h"

#include <math.h>

/* An empty block has parameter 0, whose logarithm must stay finite: floored at this, everywhere. */
#define COB_SMALLEST 1e-300

static inline double cob_log(double x)
{
    return log(x > COB_SMALLEST ? x : COB_SMALLEST);
}

/* x log y, which is 0 for x = 0 whatever y is. */
static inline double cob_xlog(double x, double y)
{
    return x > 0 ? x * cob_log(y) : 0;
}

static inline double cob_ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* A dispersion is at most one half: beyond it a model would turn into its mirror image. */
static inline double cob_at_most_half(double eps, cob_theta *theta)
{
    theta->at_bound += eps > 0.5;
    return eps < 0.5 ? eps : 0.5;
}

/* What a zero in block (k, l) says to the score of k: said for all cells, and taken back for those
 * that are missing. */
static inline void cob_say_zero(const cob_stats *stats, cob_rule *rule, int k, int l, double zero)
{
    rule->e[k] += stats->w[l] * zero;
    if (stats->layers > stats->values)
        *cob_weight_of(rule, stats, stats->values, k, l) = -zero;
}

/* pi = z / n, rho = w / d. */
void cob_estimate_proportions(const cob_stats *stats, cob_theta *theta);
/* And delta_kl = B_kl N / (R_k C_l): how much more a block holds than margins alone would give it.
 */
void cob_estimate_lift(const cob_stats *stats, cob_theta *theta);
/* g m values: a parameter for each block and layer. */
double cob_all_blocks(int g, int m, int values);
/* What the labels alone say where all clusters are equally likely: -n log g - d log m. */
double cob_equal_proportions_value(const cob_stats *stats);
/* The sum of z log pi and w log rho. */
double cob_proportions_value(const cob_stats *stats, const cob_theta *theta);

/* Poisson(r_i c_j delta_kl): A = log delta, b = -sum_l C_l delta_kl, e = log pi. */
void cob_poisson_rule(const cob_stats *stats, const cob_theta *theta, cob_rule *rule);
double cob_poisson_value(const cob_stats *stats, const cob_theta *theta);

/* Bernoulli(delta_kl): A = logit delta, b = 0, e = log pi + sum_l w_l log(1 - delta_kl); what a
 * zero says is taken back for cells that are missing. */
void cob_bernoulli_rule(const cob_stats *stats, const cob_theta *theta, cob_rule *rule);
double cob_bernoulli_value(const cob_stats *stats, const cob_theta *theta);

#endif
