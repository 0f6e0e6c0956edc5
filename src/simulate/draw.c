/* Draws from distributions.
 * SPDX-License-Identifier: MIT
 */
#include "simulate/simulate.h"

#include "base/gamma.h"

#include <math.h>

cob_draws cob_draws_at(uint64_t seed, uint32_t purpose, int64_t line)
{
    return (cob_draws){.stream = cob_stream_at(seed, 0, 0, purpose), .item = (uint64_t)line << 32};
}

static const double pi = 3.14159265358979323846;

/* Box-Muller; the second number of the pair is discarded. */
double cob_draw_normal(cob_draws *draws)
{
    double radius = sqrt(-2 * log(cob_draw_uniform(draws)));
    return radius * cos(2 * pi * cob_draw_uniform(draws));
}

/* Marsaglia and Tsang 2000; shapes below 1 via shape + 1. */
double cob_draw_gamma(cob_draws *draws, double shape)
{
    if (shape < 1) {
        double power = pow(cob_draw_uniform(draws), 1 / shape);
        return power * cob_draw_gamma(draws, shape + 1);
    }
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = cob_draw_normal(draws), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        if (log(cob_draw_uniform(draws)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

/* ---- Poisson --------------------------------------------------------------------------------- */

/* Inversion: the smallest count whose distribution function exceeds a uniform number. */
static int64_t small_poisson(cob_draws *draws, double mean)
{
    double u = cob_draw_uniform(draws), share = exp(-mean), sum = share;
    int64_t count = 0;
    while (u > sum && count < 200) { /* 200: rounding may keep the sum below 1 */
        share *= mean / (double)++count;
        sum += share;
    }
    return count;
}

/* Transformed rejection with squeeze: PTRS of Hoermann 1993. */
static int64_t large_poisson(cob_draws *draws, double mean)
{
    double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
    double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
    double log_mean = log(mean);
    for (;;) {
        double u = cob_draw_uniform(draws) - 0.5, v = cob_draw_uniform(draws);
        double us = 0.5 - fabs(u), k = floor((2 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= v_r)
            return (int64_t)k;
        if (k < 0 || (us < 0.013 && v > us))
            continue;
        if (log(v * inverse_alpha / (a / (us * us) + b)) <=
            k * log_mean - mean - cob_log_gamma(k + 1))
            return (int64_t)k;
    }
}

int64_t cob_draw_poisson(cob_draws *draws, double mean)
{
    return mean < 10 ? small_poisson(draws, mean) : large_poisson(draws, mean);
}

/* ---- categories ------------------------------------------------------------------------------ */

void cob_alias_fill(cob_alias *places, int64_t count, const int32_t *numbers, const double *weights,
                    int32_t *room)
{
    int64_t small = 0, large = count; /* two stacks that grow from the ends of `room` */
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += weights[i];
    for (int64_t i = 0; i < count; i++) {
        places[i] = (cob_alias){weights[i] * (double)count / sum, numbers[i], numbers[i]};
        room[places[i].keep < 1 ? small++ : --large] = (int32_t)i;
    }
    while (small > 0 && large < count) {
        cob_alias *low = &places[room[--small]], *high = &places[room[large]];
        low->other = high->own;
        high->keep -= 1 - low->keep;
        if (high->keep < 1)
            room[small++] = room[large++];
    }
}
