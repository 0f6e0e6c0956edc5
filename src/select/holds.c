/* Whether a table is what a block model says: then its ICL is right, and else it sees a cluster in
 * every deviation.
 *
 * Poisson: counts vary by their mean and no more. With mu_ij = r_i c_j delta_kl the sum of
 * x (x - 1) is that of mu^2. What it exceeds this by, divided by the sum of mu, is 0; of texts,
 * whose words come in bursts, it is about 1. r^2 and c^2 are estimated by r (r - 1) and c (c - 1),
 * whose means they are.
 *
 * Bernoulli: the sums of rows and of columns vary by what the blocks say and no more: the sum of
 * (r_i - E r_i)^2 over the sum of variances is 1. Of texts it is far more, since long ones have
 * more of all words.
 *
 * SPDX-License-Identifier: MIT
 */
#include "select/size.h"

#include "base/alloc.h"

static const double POISSON_EXCESS = 0.1, BERNOULLI_RATIO = 1.5;

/* The sum of s (s - 1) over the lines of each cluster. */
static void sum_pairs(const cob_run *run, cob_axis side, double *out)
{
    const double *sums = cob_matrix_sums(run->problem->x, side);
    for (int64_t i = 0; i < cob_line_count(run->problem, side); i++)
        out[run->side[side].labels[i]] += sums[i] * (sums[i] - 1);
}

static double pairs(double x)
{
    return x * (x - 1);
}

cobloc_status cob_poisson_excess(const cob_run *run, double *excess, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_stats *s = &run->stats;
    const cobloc_matrix *x = run->problem->x;
    double *rows = NULL, *cols = NULL, expected = 0;
    COB_NEW_ZERO(rows, s->g);
    COB_NEW_ZERO(cols, s->m);
    sum_pairs(run, COB_ROWS, rows);
    sum_pairs(run, COB_COLS, cols);
    for (int k = 0; k < s->g; k++)
        for (int l = 0; l < s->m; l++) {
            double delta = s->R[k] * s->C[l] > 0 ? cob_block(s, k, l) / (s->R[k] * s->C[l]) : 0;
            expected += delta * delta * rows[k] * cols[l];
        }
    cobloc_view lines = cobloc_matrix_by_rows(x);
    double found = cob_sum_over_values(&lines, pairs, run->threads, NULL);
    *excess = (found - expected) / s->total;
done:
    cob_free(rows);
    cob_free(cols);
    return status;
}

/* The squared deviations of the sums of one side, and their variances. */
static double sum_ratio(const cob_run *run, cob_axis side)
{
    const double *sums = cob_matrix_sums(run->problem->x, side);
    cob_stats s = cob_stats_from(&run->stats, side);
    double found = 0, expected = 0;
    for (int64_t i = 0; i < cob_line_count(run->problem, side); i++) {
        int k = run->side[side].labels[i];
        double mean = 0, variance = 0;
        for (int l = 0; l < s.m; l++) {
            double p = s.z[k] * s.w[l] > 0 ? cob_block(&s, k, l) / (s.z[k] * s.w[l]) : 0;
            mean += s.w[l] * p;
            variance += s.w[l] * p * (1 - p);
        }
        found += (sums[i] - mean) * (sums[i] - mean);
        expected += variance;
    }
    return expected > 0 ? found / expected : 0;
}

double cob_bernoulli_ratio(const cob_run *run)
{
    double rows = sum_ratio(run, COB_ROWS), cols = sum_ratio(run, COB_COLS);
    return rows > cols ? rows : cols;
}

cobloc_status cob_model_holds(const cob_run *run, bool *holds, cobloc_error *err)
{
    double excess = 0;
    if (run->problem->model->law == COB_LAW_BERNOULLI) {
        *holds = cob_bernoulli_ratio(run) < BERNOULLI_RATIO;
        return COBLOC_OK;
    }
    cobloc_status status = cob_poisson_excess(run, &excess, err);
    *holds = excess > -POISSON_EXCESS && excess < POISSON_EXCESS;
    return status;
}
