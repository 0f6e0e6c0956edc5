/* Half-iterations.
 * SPDX-License-Identifier: MIT
 */
#include "engine/steps.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

/* What one iteration uses random numbers for: the rows, and next the columns. */
enum { PURPOSE_LINES = 1 };

/* ---- half-iterations ------------------------------------------------------------------------- */

/* A pass over the lines of one side, which fills in the statistics as that side sees them. */
static cob_pass pass_of(cob_run *run, cob_axis side, cob_manner how)
{
    const cob_problem *p = run->problem;
    const cob_operand *operand = &p->operand;
    const cob_problem_side *lines = &p->side[side];
    cob_axis across = cob_other_side(side);
    cob_run_side *own = &run->side[side], *other = &run->side[across];
    cob_stats stats = cob_stats_from(&run->stats, side);
    bool updates = operand->turned && !p->apart && lines->effects == lines->sums;
    const cob_share *share = p->ranks ? &p->share[side] : NULL;
    int64_t first = share ? share->first : 0;
    if (!run->held)
        operand->lend(operand, across, other->labels, how.soft ? other->soft : NULL,
                      other->clusters, run->threads, &other->lent);
    return (cob_pass){
        .view = share ? &share->view : &operand->lines[side],
        .share = share,
        .first = first,
        .effects = lines->effects + first,
        .to = own->clusters,
        .from = stats.layers * other->clusters,
        .layers = stats.layers,
        .units = stats.layers > 1 ? operand->units : &operand->grid.unit,
        .effect_grid = lines->grid,
        .other_labels = other->lent.labels,
        .other_soft = other->lent.soft,
        .assign = how.assign,
        .rule = &own->rule,
        .fixed = lines->fixed ? lines->fixed + first : NULL,
        .stream = cob_stream_at(p->seed, run->restart, run->iteration,
                                how.purpose ? how.purpose : PURPOSE_LINES + side),
        .temperature = how.temperature,
        .temperature_by_effect = !p->model->likelihood,
        .labels = own->labels + first,
        .soft = how.soft ? own->soft + (size_t)first * (size_t)own->clusters : NULL,
        .turned = updates ? &operand->lines[across] : NULL,
        .elsewhere = updates ? p->elsewhere[across] : NULL,
        .holder = run->held ? cob_held_holder(run->held, (int)side) : NULL,
        .block = stats.block,
        .down = stats.down,
        .across = stats.across,
        .layer = stats.layer,
        .sizes = stats.z,
        .masses = stats.R,
        .exact_block = run->blocks,
        .exact_masses = own->masses,
    };
}

cob_pass cob_step_begin(cob_run *run, cob_axis side, cob_manner how)
{
    cob_stats stats = cob_stats_from(&run->stats, side);
    cob_theta theta = cob_theta_from(&run->theta, side);
    if (how.assign != COB_ASSIGN_KEEP)
        run->problem->model->rule(&stats, &theta, &run->side[side].rule);
    return pass_of(run, side, how);
}

void cob_step_end(cob_run *run, cob_axis side, cob_manner how, cob_pass *pass)
{
    cob_pass_run(pass, run->side[side].room);
    run->side[side].entropy = pass->entropy;
    if (!how.keep_theta)
        run->problem->model->estimate(&run->stats, &run->theta);
}

cob_pass cob_step(cob_run *run, cob_axis side, cob_manner how)
{
    cob_pass pass = cob_step_begin(run, side, how);
    cob_step_end(run, side, how, &pass);
    return pass;
}

double cob_criterion(const cob_run *run, bool soft)
{
    double value = run->problem->model->value(&run->stats, &run->theta);
    return soft ? value + run->side[COB_ROWS].entropy + run->side[COB_COLS].entropy : value;
}

static void count_members(const int32_t *labels, int64_t count, int clusters, double *sizes)
{
    memset(sizes, 0, (size_t)clusters * sizeof *sizes);
    for (int64_t j = 0; j < count; j++)
        sizes[labels[j]] += 1;
}

/* Blocks in units as real numbers; the masses are their sums. */
static void take_blocks(cob_stats *s, const int64_t *blocks, double unit)
{
    int64_t total = 0;
    for (int k = 0; k < s->g; k++) {
        int64_t row = 0;
        for (int l = 0; l < s->m; l++)
            row += blocks[(size_t)k * s->down + (size_t)l * s->across];
        s->R[k] = (double)row * unit;
        total += row;
    }
    for (int l = 0; l < s->m; l++) {
        int64_t column = 0;
        for (int k = 0; k < s->g; k++)
            column += blocks[(size_t)k * s->down + (size_t)l * s->across];
        s->C[l] = (double)column * unit;
    }
    s->total = s->row_effect = s->col_effect = (double)total * unit;
    s->sums_as_effects = true;
}

cobloc_status cob_measure_labels(const cobloc_matrix *x, const int32_t *rows, const int32_t *cols,
                                 int threads, cob_stats *stats, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = cobloc_matrix_by_rows(x);
    cob_between all = {0, view.major};
    cob_value_grid grid = cob_grid_of_entries(&view, all, NULL, COB_GRID_MOST_BITS);
    cob_pass_room *room = NULL;
    int32_t *labels = NULL; /* a pass may change them; this one does not */
    int64_t *blocks = NULL;
    void *values = NULL;
    COB_TRY(cob_view_on_grid(&view, all, grid, COB_GRID_MOST_BITS, &view, &values, err));
    COB_NEW(labels, view.major);
    COB_NEW(blocks, (size_t)stats->g * (size_t)stats->m);
    memcpy(labels, rows, (size_t)view.major * sizeof *rows);
    COB_TRY(cob_pass_room_new(&view, stats->g, stats->m, threads, 0, &room, err));
    cob_pass pass = {.view = &view,
                     .to = stats->g,
                     .from = stats->m,
                     .units = &grid.unit,
                     .other_labels = cols,
                     .assign = COB_ASSIGN_KEEP,
                     .labels = labels,
                     .block = stats->block,
                     .exact_block = blocks,
                     .down = stats->down,
                     .across = stats->across,
                     .sizes = stats->z};
    cob_pass_run(&pass, room);
    count_members(cols, view.minor, stats->m, stats->w);
    take_blocks(stats, blocks, grid.unit);
    stats->n = (double)view.major;
    stats->d = (double)view.minor;
done:
    cob_pass_room_free(room);
    cob_free(labels);
    cob_free(blocks);
    cob_free(values);
    return status;
}

/* A pass over the rows gives the blocks; of the columns only sizes and masses are missing then. */
static void measure_columns(cob_run *run)
{
    const cob_problem_side *cols = &run->problem->side[COB_COLS];
    cob_run_side *own = &run->side[COB_COLS];
    cob_stats *stats = &run->stats;
    int64_t *masses = own->masses;
    int threads = cob_threads_worth(cob_threads(run->threads), cols->view.major);
    count_members(own->labels, cols->view.major, stats->m, stats->w);
    memset(masses, 0, (size_t)stats->m * sizeof *masses);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : masses[:stats->m])
    for (int64_t j = 0; j < cols->view.major; j++)
        masses[own->labels[j]] += llrint(cols->effects[j] * cols->grid.scale);
    for (int l = 0; l < stats->m; l++)
        stats->C[l] = (double)own->masses[l] * cols->grid.unit;
}

void cob_run_measure(cob_run *run)
{
    for (cob_axis side = COB_ROWS; run->held && side <= COB_COLS; side++)
        cob_held_send(run->held, (int)side, run->side[side].labels);
    cob_pass rows = pass_of(run, COB_ROWS, (cob_manner){.assign = COB_ASSIGN_KEEP});
    cob_pass_run(&rows, run->side[COB_ROWS].room);
    cob_pass_forget(run->side[COB_COLS].room);
    measure_columns(run);
    run->problem->model->estimate(&run->stats, &run->theta);
    run->criterion = cob_criterion(run, false);
}

void cob_fetch_labels(cob_run *run)
{
    for (cob_axis side = COB_ROWS; run->held && side <= COB_COLS; side++) {
        cob_run_side *own = &run->side[side];
        cob_held_fetch(run->held, (int)side, own->labels);
        if (own->soft && run->place.phase == COB_SETTLING)
            cob_held_fetch_soft(run->held, (int)side, own->soft);
    }
}

cobloc_status cob_check_held(const cob_run *run, cobloc_error *err)
{
    return run->held ? cob_held_check(run->held, err) : COBLOC_OK;
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
    if (why != COBLOC_STOP_CONVERGED) {
        run->stop = why;
        run->disturbed = true;
    }
    return why != COBLOC_STOP_CONVERGED;
}
