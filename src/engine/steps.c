/* Half-iterations.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "engine/steps.h"

#include "base/alloc.h"

#include <string.h>
#include <time.h>

/* What one iteration uses random numbers for. */
enum { PURPOSE_ROWS = 1, PURPOSE_COLS = 2 };

/* ---- half-iterations ------------------------------------------------------------------------- */

static cob_pass row_pass(cob_run *run, cob_manner how)
{
    const cob_problem *p = run->problem;
    return (cob_pass){
        .view = &p->rows,
        .effects = p->row_effects,
        .to = run->g,
        .from = run->m,
        .other_labels = run->col_labels,
        .other_soft = how.soft ? run->col_soft : NULL,
        .assign = how.assign,
        .rule = &run->row_rule,
        .fixed = p->fix_rows,
        .stream = cob_stream_at(p->seed, run->restart, run->iteration, PURPOSE_ROWS),
        .temperature = how.temperature,
        .temperature_by_effect = !p->model->likelihood,
        .labels = run->row_labels,
        .soft = how.soft ? run->row_soft : NULL,
        .block = run->stats.block,
        .sizes = run->stats.z,
        .masses = run->stats.R,
    };
}

cob_pass cob_step_rows(cob_run *run, cob_manner how)
{
    const cob_problem *p = run->problem;
    p->model->rule(&run->stats, &run->theta, &p->settings, &run->row_rule);
    cob_pass pass = row_pass(run, how);
    cob_pass_run(&pass, run->row_room);
    run->entropy_rows = pass.entropy;
    if (!how.keep_theta)
        p->model->estimate(&run->stats, &run->theta);
    return pass;
}

/* Everything turned round, and turned back. */
cob_pass cob_step_cols(cob_run *run, cob_manner how)
{
    const cob_problem *p = run->problem;
    cob_stats_transpose(&run->turned, &run->stats);
    cob_theta_transpose(&run->turned_theta, &run->theta);
    p->model->rule(&run->turned, &run->turned_theta, &p->settings, &run->col_rule);
    cob_pass pass = {
        .view = &p->cols,
        .effects = p->col_effects,
        .to = run->m,
        .from = run->g,
        .other_labels = run->row_labels,
        .other_soft = how.soft ? run->row_soft : NULL,
        .assign = how.assign,
        .rule = &run->col_rule,
        .fixed = p->fix_cols,
        .stream = cob_stream_at(p->seed, run->restart, run->iteration, PURPOSE_COLS),
        .temperature = how.temperature,
        .temperature_by_effect = !p->model->likelihood,
        .labels = run->col_labels,
        .soft = how.soft ? run->col_soft : NULL,
        .block = run->turned.block,
        .sizes = run->turned.z,
        .masses = run->turned.R,
    };
    cob_pass_run(&pass, run->col_room);
    run->entropy_cols = pass.entropy;
    cob_stats_transpose(&run->stats, &run->turned);
    if (!how.keep_theta)
        p->model->estimate(&run->stats, &run->theta);
    return pass;
}

double cob_criterion(const cob_run *run, bool soft)
{
    double value = run->problem->model->value(&run->stats, &run->theta);
    return soft ? value + run->entropy_rows + run->entropy_cols : value;
}

void cob_run_measure(cob_run *run)
{
    cob_pass rows = row_pass(run, (cob_manner){.assign = COB_ASSIGN_KEEP});
    cob_pass_run(&rows, run->row_room);
    /* The pass over the rows gives the blocks; of the columns only the margins are missing. */
    memset(run->stats.w, 0, (size_t)run->m * sizeof *run->stats.w);
    memset(run->stats.C, 0, (size_t)run->m * sizeof *run->stats.C);
    for (int64_t j = 0; j < run->problem->cols.major; j++) {
        run->stats.w[run->col_labels[j]] += 1;
        run->stats.C[run->col_labels[j]] += run->problem->col_effects[j];
    }
    run->problem->model->estimate(&run->stats, &run->theta);
    run->criterion = cob_criterion(run, false);
}

/* ---- what goes with them --------------------------------------------------------------------- */

cobloc_status cob_note_criterion(cob_run *run, cobloc_error *err)
{
    if (!cob_grow(&run->trace, &run->trace_capacity, run->trace_count + 1, sizeof *run->trace))
        return cob_fail_memory(err, run->trace_count, sizeof *run->trace);
    run->trace[run->trace_count++] = run->criterion;
    return COBLOC_OK;
}

cobloc_stop cob_must_stop(const cob_problem *p, uint32_t restart, double done)
{
    int cancelled = 0;
    if (cob_clock() > p->deadline)
        return COBLOC_STOP_TIME;
    if (p->progress.report) {
        double all = (restart + (done < 1 ? done : 1)) / (p->restarts > 0 ? p->restarts : 1);
#pragma omp critical(cob_progress)
        {
            if (p->progress_made && all < *p->progress_made)
                all = *p->progress_made;
            if (p->progress_made)
                *p->progress_made = all;
            cancelled = p->progress.report(p->progress.user, "fitting", all < 1 ? all : 1);
        }
    }
    return cancelled ? COBLOC_STOP_CANCELLED : COBLOC_STOP_CONVERGED;
}

bool cob_must_end(cob_run *run, double done)
{
    cobloc_stop why = cob_must_stop(run->problem, run->restart, done);
    if (why != COBLOC_STOP_CONVERGED)
        run->stop = why;
    return why != COBLOC_STOP_CONVERGED;
}

void cob_keep_labels(const cob_run *run, int32_t *rows, int32_t *cols)
{
    memcpy(rows, run->row_labels, (size_t)run->problem->rows.major * sizeof *rows);
    memcpy(cols, run->col_labels, (size_t)run->problem->cols.major * sizeof *cols);
}

void cob_restore_labels(cob_run *run, const int32_t *rows, const int32_t *cols)
{
    memcpy(run->row_labels, rows, (size_t)run->problem->rows.major * sizeof *rows);
    memcpy(run->col_labels, cols, (size_t)run->problem->cols.major * sizeof *cols);
}

double cob_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
