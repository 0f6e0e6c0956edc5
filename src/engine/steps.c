/* Half-iterations.
 * SPDX-License-Identifier: MIT
 */
#include "engine/steps.h"

#include "base/alloc.h"

#include <string.h>

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
        .turned = p->row_effects == cobloc_matrix_row_sums(p->x) ? &p->cols : NULL,
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
        .turned = p->col_effects == cobloc_matrix_col_sums(p->x) ? &p->rows : NULL,
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

/* A pass over the rows gives the blocks; of the columns only the margins are missing then. */
static void measure_columns(const int32_t *labels, const double *effects, int64_t count,
                            cob_stats *stats)
{
    memset(stats->w, 0, (size_t)stats->m * sizeof *stats->w);
    memset(stats->C, 0, (size_t)stats->m * sizeof *stats->C);
    for (int64_t j = 0; j < count; j++) {
        stats->w[labels[j]] += 1;
        stats->C[labels[j]] += effects[j];
    }
}

cobloc_status cob_measure_labels(const cobloc_matrix *x, const int32_t *rows, const int32_t *cols,
                                 int threads, cob_stats *stats, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = cobloc_matrix_by_rows(x);
    cob_pass_room *room = NULL;
    int32_t *labels = NULL; /* a pass may change them; this one does not */
    COB_NEW(labels, view.major);
    memcpy(labels, rows, (size_t)view.major * sizeof *rows);
    COB_TRY(cob_pass_room_new(&view, stats->g, stats->m, threads, 0, &room, err));
    cob_pass pass = {.view = &view,
                     .effects = cobloc_matrix_row_sums(x),
                     .to = stats->g,
                     .from = stats->m,
                     .other_labels = cols,
                     .assign = COB_ASSIGN_KEEP,
                     .labels = labels,
                     .block = stats->block,
                     .sizes = stats->z,
                     .masses = stats->R};
    cob_pass_run(&pass, room);
    measure_columns(cols, cobloc_matrix_col_sums(x), view.minor, stats);
    stats->n = (double)view.major;
    stats->d = (double)view.minor;
    stats->total = stats->row_effect = stats->col_effect = cobloc_matrix_total(x);
    stats->sums_as_effects = true;
done:
    cob_pass_room_free(room);
    cob_free(labels);
    return status;
}

void cob_run_measure(cob_run *run)
{
    cob_pass rows = row_pass(run, (cob_manner){.assign = COB_ASSIGN_KEEP});
    cob_pass_run(&rows, run->row_room);
    cob_pass_forget(run->col_room);
    measure_columns(run->col_labels, run->problem->col_effects, run->problem->cols.major,
                    &run->stats);
    run->problem->model->estimate(&run->stats, &run->theta);
    run->criterion = cob_criterion(run, false);
}

/* ---- what goes with them --------------------------------------------------------------------- */

cobloc_status cob_note_criterion(cob_run *run, cobloc_error *err)
{
    return cob_push_number(&run->trace, &run->trace_count, &run->trace_capacity, run->criterion,
                           err);
}

bool cob_must_end(cob_run *run, double done)
{
    cobloc_stop why = cob_must_stop(&run->problem->watch, run->restart, done);
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
