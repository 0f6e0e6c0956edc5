/* The rules that several models share.
 * SPDX-License-Identifier: MIT
 */
#include "models/common.h"

void cob_estimate_proportions(const cob_stats *stats, cob_theta *theta)
{
    for (int k = 0; k < stats->g; k++)
        theta->pi[k] = stats->z[k] / stats->n;
    for (int l = 0; l < stats->m; l++)
        theta->rho[l] = stats->w[l] / stats->d;
}

void cob_estimate_lift(const cob_stats *stats, cob_theta *theta)
{
    cob_estimate_proportions(stats, theta);
    for (int k = 0; k < stats->g; k++) {
        const double *block = stats->block + (size_t)k * stats->down;
        double *delta = cob_delta(theta, k, 0);
        for (int l = 0; l < stats->m; l++) {
            double expected = stats->R[k] * stats->C[l]; /* a block without mass is 0 itself */
            delta[l] = block[l] * stats->total / (expected > 0 ? expected : 1);
        }
    }
}

double cob_all_blocks(int g, int m, int values)
{
    return (double)g * m * values;
}

double cob_equal_proportions_value(const cob_stats *stats)
{
    return -stats->n * log(stats->g) - stats->d * log(stats->m);
}

double cob_proportions_value(const cob_stats *stats, const cob_theta *theta)
{
    double value = 0;
    for (int k = 0; k < stats->g; k++)
        value += cob_xlog(stats->z[k], theta->pi[k]);
    for (int l = 0; l < stats->m; l++)
        value += cob_xlog(stats->w[l], theta->rho[l]);
    return value;
}

void cob_poisson_rule(const cob_stats *stats, const cob_theta *theta, cob_rule *rule)
{
    for (int k = 0; k < stats->g; k++) {
        double rate = 0;
        for (int l = 0; l < stats->m; l++) {
            double delta = *cob_delta(theta, k, l);
            rule->A[(size_t)l * (size_t)rule->to + (size_t)k] = cob_log(delta);
            rate += stats->C[l] * delta;
        }
        rule->b[k] = -rate;
        rule->e[k] = cob_log(theta->pi[k]);
    }
}

double cob_poisson_value(const cob_stats *stats, const cob_theta *theta)
{
    double value = stats->constant + cob_proportions_value(stats, theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++) {
            double delta = *cob_delta(theta, k, l);
            value += cob_xlog(cob_block(stats, k, l), delta) - stats->R[k] * stats->C[l] * delta;
        }
    return value;
}

void cob_bernoulli_rule(const cob_stats *stats, const cob_theta *theta, cob_rule *rule)
{
    for (int k = 0; k < stats->g; k++) {
        rule->b[k] = 0;
        rule->e[k] = cob_log(theta->pi[k]);
        for (int l = 0; l < stats->m; l++) {
            double alpha = *cob_delta(theta, k, l);
            *cob_weight_of(rule, stats, 0, k, l) = cob_log(alpha) - cob_log(1 - alpha);
            cob_say_zero(stats, rule, k, l, cob_log(1 - alpha));
        }
    }
}

double cob_bernoulli_value(const cob_stats *stats, const cob_theta *theta)
{
    double value = cob_proportions_value(stats, theta);
    for (int k = 0; k < stats->g; k++)
        for (int l = 0; l < stats->m; l++) {
            double alpha = *cob_delta(theta, k, l), ones = cob_block(stats, k, l);
            double zeros = cob_cells(stats, k, l) - ones;
            value += cob_xlog(ones, alpha) + cob_xlog(zeros, 1 - alpha);
        }
    return value;
}
