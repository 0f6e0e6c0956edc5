/* The loop, and which inference goes through which phases of it.
 * SPDX-License-Identifier: MIT
 */
#include "engine/resume.h"
#include "engine/steps.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* ---- hard and soft iterations ---------------------------------------------------------------- */

/* A rule that is not monotone can run in circles: the criterion comes back to what it was a few
 * iterations ago. True at the best place of such a circle. */
static bool runs_in_circles(const cob_run *run)
{
    enum { LONGEST = 6 };
    double now = run->trace[run->trace_count - 1];
    for (size_t back = 2; back <= LONGEST && back < run->trace_count; back++) {
        double then = run->trace[run->trace_count - 1 - back];
        if (cob_better(run->problem->model, then, now))
            return false;
        if (then == now)
            return true;
    }
    return false;
}

bool cob_settled(const cob_run *run, double before, int64_t moved, bool soft)
{
    if ((moved == 0 && !soft) || runs_in_circles(run))
        return true;
    return fabs(run->criterion - before) <= run->problem->tolerance * (fabs(before) + 1e-12);
}

/* A half-iteration of a rule that promises nothing: taken back if it made things worse. */
static cob_pass step_if_better(cob_run *run, cob_axis side, cob_manner how)
{
    double before = run->criterion;
    if (run->problem->model->ascent != COB_TAKES_BACK)
        return cob_step(run, side, how);
    cob_fetch_labels(run);
    cob_keep_labels(run, &run->best);
    cob_pass pass = cob_step(run, side, how);
    run->criterion = cob_criterion(run, false);
    if (cob_better(run->problem->model, before, run->criterion)) {
        cob_take_labels(run, &run->best);
        cob_run_measure(run);
        pass.moved = pass.kept = 0;
    }
    return pass;
}

/* Hard or soft iterations until they settle. */
static cobloc_status iterate_held(cob_run *run, cob_assign assign, int iterations,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool soft = assign == COB_ASSIGN_SOFT, over = false, rests = run->place.more;
    cob_manner how = {.assign = assign, .temperature = 1, .soft = soft};
    run->stop = COBLOC_STOP_ITERATIONS;
    for (int i = run->place.step; i < iterations && !over && !rests; i++) {
        double before = run->criterion;
        run->iteration++;
        cob_pass rows = step_if_better(run, COB_ROWS, how);
        cob_pass cols = step_if_better(run, COB_COLS, how);
        run->criterion = cob_criterion(run, soft);
        run->kept = rows.kept + cols.kept;
        COB_TRY(cob_note_criterion(run, err));
        over = cob_must_end(run, (double)(i + 1) / iterations);
        rests = (i > 0 || !soft) && cob_settled(run, before, rows.moved + cols.moved, soft);
        COB_TRY(cob_may_keep(run, i + 1, rests, err));
    }
    if (rests && !over)
        run->stop = COBLOC_STOP_CONVERGED;
done:
    return status;
}

/* The same; what a device holds is brought there and back. */
static cobloc_status iterate(cob_run *run, cob_assign assign, int iterations, cobloc_error *err)
{
    for (cob_axis side = COB_ROWS; run->held && assign == COB_ASSIGN_SOFT && side <= COB_COLS;
         side++)
        cob_held_send_soft(run->held, (int)side, run->side[side].soft);
    cobloc_status status = iterate_held(run, assign, iterations, err);
    if (status != COBLOC_OK)
        return status;
    cob_fetch_labels(run);
    return cob_check_held(run, err);
}

/* ---- drawn columns --------------------------------------------------------------------------- */

enum { PURPOSE_COLUMNS = 43 }; /* of random numbers */

/* Columns that are drawn in proportion to their scores, beside rows that choose the best: leaves
 * poor starts behind. */
static cobloc_status draw_columns(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_manner draw = {.assign = COB_ASSIGN_SHARE, .purpose = PURPOSE_COLUMNS};
    for (int i = 0; i < p->drawn; i++) {
        run->iteration++;
        cob_step(run, COB_COLS, draw);
        cob_step(run, COB_ROWS, (cob_manner){.assign = COB_ASSIGN_HARD});
        run->criterion = cob_criterion(run, false);
        COB_TRY(cob_note_criterion(run, err));
        if (cob_must_end(run, (double)(i + 1) / p->max_iterations))
            break;
    }
done:
    return status;
}

/* ---- soft ------------------------------------------------------------------------------------ */

static void harden_start(cob_run *run)
{
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        cob_run_side *own = &run->side[side];
        size_t lines = (size_t)cob_line_count(run->problem, side), clusters = (size_t)own->clusters;
        memset(own->soft, 0, lines * clusters * sizeof *own->soft);
        for (size_t i = 0; i < lines; i++)
            own->soft[i * clusters + (size_t)own->labels[i]] = 1;
        own->entropy = 0;
    }
}

/* Labels are the most probable clusters; one that is nobody's first choice gets the line that loses
 * least by it. */
static cobloc_status label_soft(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    run->kept = 0;
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        cob_run_side *own = &run->side[side];
        cob_shares shares = {own->soft, own->labels, own->clusters};
        int repaired;
        COB_TRY(cob_repair_empty(own->labels, cob_line_count(run->problem, side), own->clusters,
                                 run->problem->side[side].fixed, cob_loss_by_share, &shares,
                                 &repaired, err));
        run->kept += repaired;
    }
done:
    return status;
}

cobloc_status cob_run_iterate(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_phase at = cob_resumed_in(run);
    run->stop = COBLOC_STOP_CONVERGED;
    if (at == COB_NO_PHASE) {
        run->trace_count = 0;
        cob_run_measure(run);
        COB_TRY(draw_columns(run, err));
    }
    if (cob_is_stochastic(p->inference) && at < COB_SETTLING)
        COB_TRY(p->model->likelihood ? cob_sample(run, err) : cob_anneal(run, err));
    if (cob_is_soft(p->inference) && at < COB_SETTLING)
        harden_start(run);
    if (run->stop == COBLOC_STOP_CANCELLED || run->stop == COBLOC_STOP_TIME)
        goto done;
    cob_begin_phase(run, COB_SETTLING);
    if (cob_is_soft(p->inference)) {
        COB_TRY(iterate(run, COB_ASSIGN_SOFT, p->max_iterations, err));
        COB_TRY(label_soft(run, err));
    } else if (p->inference == COBLOC_HARD || !p->model->likelihood ||
               p->model->structure->settles) {
        COB_TRY(iterate(run, COB_ASSIGN_HARD, p->max_iterations - p->drawn, err));
    } else {
        run->stop = COBLOC_STOP_CONVERGED; /* a chain of the length that was asked for */
    }
done:
    cob_end_phase(run);
    return status;
}

cobloc_status cob_run_refine(cob_run *run, int iterations, cobloc_error *err)
{
    if (run->place.step == 0)
        cob_run_measure(run);
    return iterate(run, COB_ASSIGN_HARD, iterations, err);
}
