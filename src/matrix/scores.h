/* What is done with the scores of a line: made by a rule, compared, turned into probabilities.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_SCORES_H
#define COB_MATRIX_SCORES_H

#include "base/exponential.h"
#include "matrix/kernels.h"

/* The scores of a line by its sums over the clusters of the other side. */
static inline void cob_score_line(const cob_rule *rule, const double *restrict sums, double effect,
                                  double *restrict scores)
{
    int to = rule->to;
    const double *restrict A = rule->A, *restrict b = rule->b, *restrict constant = rule->e;
    if (rule->diagonal) {
        for (int k = 0; k < to; k++)
            scores[k] = sums[k] * A[k] + effect * b[k] + constant[k];
        for (int l = to; l < rule->from; l++) /* of further layers */
            scores[l % to] += sums[l] * A[l];
        return;
    }
    for (int k = 0; k < to; k++)
        scores[k] = effect * rule->b[k] + rule->e[k];
    for (int l = 0; l < rule->from; l++) {
        const double *column = rule->A + (int64_t)l * to;
        double sum = sums[l];
        if (sum != 0)
            for (int k = 0; k < to; k++)
                scores[k] += sum * column[k];
    }
}

/* The place of the largest score; of equal ones the line's own label (-1: it has none), else the
 * first. */
static inline int cob_best_of(const double *scores, int count, int own)
{
    int best = own >= 0 ? own : 0;
    for (int k = 0; k < count; k++)
        if (scores[k] > scores[best])
            best = k;
    return best;
}

/* Turns scores, which are log-probabilities up to a constant, into probabilities; returns their
 * entropy. One logarithm is enough: that of a share is that of its score, less that of the sum. The
 * kernels of devices do the same (device/lines.cu, device/soft.cu). */
static inline double cob_to_probabilities(double *scores, int count, double temperature)
{
    double largest = scores[cob_best_of(scores, count, -1)], sum = 0, weighted = 0;
    for (int k = 0; k < count; k++) {
        double below = (largest - scores[k]) / temperature;
        scores[k] = below < COB_NEGLIGIBLE ? cob_exp_minus(below) : 0;
        sum += scores[k];
        if (scores[k] > 0)
            weighted += scores[k] * below;
    }
    for (int k = 0; k < count; k++)
        scores[k] /= sum;
    return cob_log_above(sum) + weighted / sum;
}

/* Turns numbers that are not negative into their shares of the sum, equal ones where all are 0;
 * returns the place of the largest. */
static inline int cob_to_shares(double *values, int count)
{
    double sum = 0;
    int best = cob_best_of(values, count, -1);
    for (int k = 0; k < count; k++)
        sum += values[k];
    for (int k = 0; k < count; k++)
        values[k] = sum > 0 ? values[k] / sum : 1.0 / count;
    return best;
}

#endif
