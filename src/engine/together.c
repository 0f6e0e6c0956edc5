/* Many runs in step: their passes are done together by a device, and what is between two passes is
 * done here, run by run; meanwhile the device has passes of other teams to do. They give what each
 * would give alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "engine/starts.h"
#include "engine/steps.h"

typedef struct member {
    cob_run *run;
    cob_pass pass;
    double before, half; /* the criterion before the iteration, and before its half */
    int64_t moved;       /* in the iteration, */
    int64_t step_moved;  /* and in its half */
    int step_kept;
} member;

/* Those that have not ended come first. */
typedef struct group {
    const cob_problem *problem;
    cob_team *team;
    member *members;
    int count;
} group;

/* ---- passes ---------------------------------------------------------------------------------- */

static cobloc_status check_all(const group *g, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int i = 0; i < g->count; i++)
        COB_TRY(cob_held_check(g->members[i].run->held, err));
done:
    return status;
}

/* One half-iteration of all. */
static cobloc_status step_all(const group *g, cob_axis side, cob_manner how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int i = 0; i < g->count; i++) {
        member *one = &g->members[i];
        cob_held_take_place(one->run->held, i);
        one->pass = cob_step_begin(one->run, side, how);
        cob_pass_announce(&one->pass, one->run->side[side].room);
    }
    COB_TRY(cob_team_pass(g->team, g->count, err));
    for (int i = 0; i < g->count; i++)
        cob_step_end(g->members[i].run, side, how, &g->members[i].pass);
    COB_TRY(check_all(g, err));
done:
    return status;
}

/* Statistics, parameters and criteria of the labels as they stand. */
static cobloc_status measure_all(const group *g, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_manner how = {.assign = COB_ASSIGN_KEEP, .keep_theta = true};
    COB_TRY(step_all(g, COB_ROWS, how, err));
    COB_TRY(step_all(g, COB_COLS, how, err));
    for (int i = 0; i < g->count; i++) {
        cob_run *run = g->members[i].run;
        g->problem->model->estimate(&run->stats, &run->theta);
        run->criterion = cob_criterion(run, false);
    }
done:
    return status;
}

/* Those of a group that are to be measured again come first. */
static int bring_first(group *g, bool (*which)(const member *))
{
    int count = 0;
    for (int i = 0; i < g->count; i++)
        if (which(&g->members[i])) {
            member one = g->members[i];
            g->members[i] = g->members[count];
            g->members[count++] = one;
        }
    return count;
}

/* ---- starts ---------------------------------------------------------------------------------- */

static bool has_empty(const member *one)
{
    const cob_stats *s = &one->run->stats;
    bool any = false;
    for (int k = 0; k < s->g; k++)
        any = any || s->z[k] < 0.5;
    for (int l = 0; l < s->m; l++)
        any = any || s->w[l] < 0.5;
    return any;
}

/* Random labels; where they leave a cluster empty, it gets a line. */
static cobloc_status start_all(group *g, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_draw_starts(g->team, g->members[0].run, err));
    COB_TRY(measure_all(g, err));
    group some = *g;
    some.count = bring_first(g, has_empty);
    for (int i = 0; i < some.count; i++) {
        cob_run *run = g->members[i].run;
        cob_fetch_labels(run);
        COB_TRY(cob_held_check(run->held, err));
        COB_TRY(cob_finish_start(run, err));
        for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
            cob_held_send(run->held, (int)side, run->side[side].labels);
    }
    if (some.count > 0)
        COB_TRY(measure_all(&some, err));
done:
    return status;
}

/* ---- iterations ------------------------------------------------------------------------------ */

static bool has_lost(const member *one)
{
    return cob_better(one->run->problem->model, one->half, one->run->criterion);
}

/* Steps that made things worse are taken back. */
static cobloc_status take_back(group *g, cob_axis side, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    group some = *g;
    for (int i = 0; i < g->count; i++)
        g->members[i].run->criterion = cob_criterion(g->members[i].run, false);
    some.count = bring_first(g, has_lost);
    for (int i = 0; i < some.count; i++) {
        member *one = &g->members[i];
        cob_held_take_back(one->run->held, (int)side);
        one->step_moved = 0;
        one->step_kept = 0;
    }
    if (some.count > 0)
        COB_TRY(measure_all(&some, err));
done:
    return status;
}

static cobloc_status half_iteration(group *g, cob_axis side, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int i = 0; i < g->count; i++)
        g->members[i].half = g->members[i].run->criterion;
    COB_TRY(step_all(g, side, (cob_manner){.assign = COB_ASSIGN_HARD, .temperature = 1}, err));
    for (int i = 0; i < g->count; i++) {
        g->members[i].step_moved = g->members[i].pass.moved;
        g->members[i].step_kept = g->members[i].pass.kept;
    }
    if (g->problem->model->ascent == COB_TAKES_BACK)
        COB_TRY(take_back(g, side, err));
    for (int i = 0; i < g->count; i++) {
        g->members[i].moved += g->members[i].step_moved;
        g->members[i].run->kept += g->members[i].step_kept;
    }
done:
    return status;
}

/* Those that have settled, or all if time is over, end. */
static cobloc_status end_iteration(group *g, int done_so_far, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int left = 0;
    for (int i = 0; i < g->count; i++)
        g->members[i].run->criterion = cob_criterion(g->members[i].run, false);
    bool over = cob_must_end(g->members[0].run, (double)done_so_far / g->problem->max_iterations);
    cobloc_stop why = g->members[0].run->stop;
    for (int i = 0; i < g->count; i++) {
        member one = g->members[i];
        COB_TRY(cob_note_criterion(one.run, err));
        bool rests = cob_settled(one.run, one.before, one.moved, false);
        one.run->stop = over ? why : rests ? COBLOC_STOP_CONVERGED : COBLOC_STOP_ITERATIONS;
        one.run->disturbed = over;
        if (!rests && !over)
            g->members[left++] = one;
    }
    g->count = left;
done:
    return status;
}

static cobloc_status iterate_all(group *g, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int i = 0; i < g->problem->max_iterations && g->count > 0; i++) {
        for (int j = 0; j < g->count; j++) {
            member *one = &g->members[j];
            one->before = one->run->criterion;
            one->moved = one->run->kept = 0;
            one->run->iteration++;
        }
        COB_TRY(half_iteration(g, COB_ROWS, err));
        COB_TRY(half_iteration(g, COB_COLS, err));
        COB_TRY(end_iteration(g, i + 1, err));
    }
done:
    return status;
}

cobloc_status cob_iterate_together(cob_team *team, cob_run *const *runs, int count,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = runs[0]->problem;
    group g = {.problem = p, .team = team, .count = count};
    COB_NEW_ZERO(g.members, count);
    for (int i = 0; i < count; i++) {
        g.members[i].run = runs[i];
        runs[i]->stop = COBLOC_STOP_ITERATIONS;
    }
    COB_TRY(start_all(&g, err));
    COB_TRY(iterate_all(&g, err));
done:
    cob_free(g.members);
    return status;
}
