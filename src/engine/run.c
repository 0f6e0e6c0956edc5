/* The problem and the room of a run.
 * SPDX-License-Identifier: MIT
 */
#include "engine/engine.h"

#include "base/alloc.h"
#include "matrix/values.h"

#include <math.h>

/* ---- the problem ----------------------------------------------------------------------------- */

static double sum(const double *values, int64_t count)
{
    double total = 0;
    for (int64_t i = 0; i < count; i++)
        total += values[i];
    return total;
}

/* The sum over i of r_i log(effect_i): sums of x_ij log r_i c_j fall apart into two of these. */
static double log_effects(const double *sums, const double *effects, int64_t count)
{
    double total = 0;
    for (int64_t i = 0; i < count; i++)
        if (sums[i] > 0)
            total += sums[i] * log(effects[i]);
    return total;
}

static double log_factorial(double x)
{
    return lgamma(x + 1);
}

void cob_problem_measure(cob_problem *p)
{
    const double *row_sums = cobloc_matrix_row_sums(p->x), *col_sums = cobloc_matrix_col_sums(p->x);
    p->rows = cobloc_matrix_by_rows(p->x);
    p->cols = cobloc_matrix_by_cols(p->x);
    p->sums_as_effects = !p->row_effects && !p->col_effects;
    if (!p->row_effects)
        p->row_effects = row_sums;
    if (!p->col_effects)
        p->col_effects = col_sums;
    p->spare = (size_t)p->rows.nnz * (sizeof *p->rows.indices + cob_kind_width(p->rows.kind)) /
               (size_t)(p->at_once > 0 ? p->at_once : 1);
    p->total = cobloc_matrix_total(p->x);
    p->row_effect = sum(p->row_effects, p->rows.major);
    p->col_effect = sum(p->col_effects, p->cols.major);
    p->squares = cob_sum_squares(p->rows.kind, p->rows.values, p->rows.nnz);
    if (!p->model->likelihood && !p->model->log_likelihood)
        return;
    double factorials =
        cob_sum_over_values(p->rows.kind, p->rows.values, p->rows.nnz, log_factorial);
    p->constant = log_effects(row_sums, p->row_effects, p->rows.major) +
                  log_effects(col_sums, p->col_effects, p->cols.major) - factorials;
}

/* ---- room ------------------------------------------------------------------------------------ */

static cobloc_status rule_alloc(cob_rule *rule, int to, int from, bool diagonal, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *rule = (cob_rule){.to = to, .from = from, .diagonal = diagonal};
    COB_NEW(rule->A, diagonal ? (size_t)to : (size_t)to * (size_t)from);
    COB_NEW(rule->b, to);
    COB_NEW(rule->e, to);
done:
    return status;
}

static void rule_free(cob_rule *rule)
{
    cob_free(rule->A);
    cob_free(rule->b);
    cob_free(rule->e);
}

static cobloc_status run_alloc(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    int g = run->g, m = run->m;
    size_t n = (size_t)p->rows.major, d = (size_t)p->cols.major;
    COB_NEW_ZERO(run->row_labels, n);
    COB_NEW_ZERO(run->col_labels, d);
    if (cob_is_soft(p->inference)) {
        COB_NEW(run->row_soft, n * (size_t)g);
        COB_NEW(run->col_soft, d * (size_t)m);
    }
    if (cob_is_stochastic(p->inference) || p->model->may_worsen) {
        COB_NEW(run->best_rows, n);
        COB_NEW(run->best_cols, d);
    }
    if (cob_is_stochastic(p->inference) && p->model->likelihood) {
        COB_NEW(run->row_counts, n * (size_t)g);
        COB_NEW(run->col_counts, d * (size_t)m);
        COB_TRY(cob_theta_alloc(&run->mean, g, m, err));
        COB_TRY(cob_theta_alloc(&run->square, g, m, err));
    }
    COB_TRY(cob_stats_alloc(&run->stats, g, m, err));
    COB_TRY(cob_stats_alloc(&run->turned, m, g, err));
    COB_TRY(cob_theta_alloc(&run->theta, g, m, err));
    COB_TRY(cob_theta_alloc(&run->turned_theta, m, g, err));
    COB_TRY(rule_alloc(&run->row_rule, g, m, p->model->diagonal && !p->model->dense_rule, err));
    COB_TRY(rule_alloc(&run->col_rule, m, g, p->model->diagonal && !p->model->dense_rule, err));
    COB_TRY(cob_pass_room_new(&p->rows, g, m, run->threads, p->spare, &run->row_room, err));
    COB_TRY(cob_pass_room_new(&p->cols, m, g, run->threads, p->spare, &run->col_room, err));
done:
    return status;
}

cobloc_status cob_run_new(const cob_problem *problem, int g, int m, uint32_t restart, int threads,
                          cob_run **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *run = NULL;
    COB_NEW_ZERO(run, 1);
    run->problem = problem;
    run->g = g;
    run->m = m;
    run->restart = restart;
    run->threads = threads;
    COB_TRY(run_alloc(run, err));
    run->stats.n = (double)problem->rows.major;
    run->stats.d = (double)problem->cols.major;
    run->stats.total = problem->total;
    run->stats.row_effect = problem->row_effect;
    run->stats.col_effect = problem->col_effect;
    run->stats.squares = problem->squares;
    run->stats.constant = problem->constant;
    run->stats.sums_as_effects = problem->sums_as_effects;
    *out = run;
    run = NULL;
done:
    cob_run_free(run);
    return status;
}

void cob_run_free(cob_run *run)
{
    if (!run)
        return;
    cob_free(run->row_labels);
    cob_free(run->col_labels);
    cob_free(run->row_soft);
    cob_free(run->col_soft);
    cob_free(run->best_rows);
    cob_free(run->best_cols);
    cob_free(run->row_counts);
    cob_free(run->col_counts);
    cob_theta_free(&run->mean);
    cob_theta_free(&run->square);
    cob_stats_free(&run->stats);
    cob_stats_free(&run->turned);
    cob_theta_free(&run->theta);
    cob_theta_free(&run->turned_theta);
    rule_free(&run->row_rule);
    rule_free(&run->col_rule);
    cob_pass_room_free(run->row_room);
    cob_pass_room_free(run->col_room);
    cob_free(run->trace);
    cob_free(run);
}
