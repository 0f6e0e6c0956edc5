/* Scores of rows by the rule of a result.
 * SPDX-License-Identifier: MIT
 */
#include "fit/place.h"

#include <math.h>
#include <string.h>

static void sum_entries(const cob_placing *p, int64_t row, double *sums)
{
    const cobloc_view *v = &p->rows;
    memset(sums, 0, (size_t)p->l * sizeof *sums);
    for (int64_t e = v->offsets[row]; e < v->offsets[row + 1]; e++) {
        int64_t col = v->indices[e];
        double value = cobloc_view_value(v, e);
        for (int l = 0; p->soft && l < p->l; l++)
            sums[l] += value * p->soft[col * p->l + l];
        if (!p->soft && p->labels[col] >= 0)
            sums[p->labels[col]] += value;
    }
}

void cob_score_row(const cob_placing *p, int64_t row, double *sums, double *scores)
{
    double effect = p->effects[row] * p->effect_scale;
    sum_entries(p, row, sums);
    for (int k = 0; k < p->k; k++) {
        const double *rule = p->rule + (int64_t)k * (p->l + 2);
        scores[k] = effect * rule[p->l] + rule[p->l + 1];
        for (int l = 0; l < p->l; l++)
            scores[k] += sums[l] * rule[l];
    }
}

int cob_largest(const double *values, int count, int but)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (i != but && (best < 0 || values[i] > values[best]))
            best = i;
    return best;
}

void cob_softmax(double *scores, int count)
{
    double largest = scores[cob_largest(scores, count, -1)], sum = 0;
    for (int i = 0; i < count; i++)
        sum += scores[i] = exp(scores[i] - largest);
    for (int i = 0; i < count; i++)
        scores[i] /= sum;
}
