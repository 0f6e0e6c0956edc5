/* The loop, and which inference goes through which phases of it.
 * SPDX-License-Identifier: MIT
 */
#include "engine/steps.h"

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

static bool settled(const cob_run *run, double before, int64_t moved, bool soft)
{
    if ((moved == 0 && !soft) || runs_in_circles(run))
        return true;
    return fabs(run->criterion - before) <= run->problem->tolerance * (fabs(before) + 1e-12);
}

/* A half-iteration of a rule that promises nothing: taken back if it made things worse. */
static cob_pass step_if_better(cob_run *run, cob_pass (*step)(cob_run *, cob_manner),
                               cob_manner how)
{
    double before = run->criterion;
    if (!run->problem->model->may_worsen)
        return step(run, how);
    cob_keep_labels(run, run->best_rows, run->best_cols);
    cob_pass pass = step(run, how);
    run->criterion = cob_criterion(run, false);
    if (cob_better(run->problem->model, before, run->criterion)) {
        cob_restore_labels(run, run->best_rows, run->best_cols);
        cob_run_measure(run);
        pass.moved = pass.kept = 0;
    }
    return pass;
}

/* Hard or soft iterations until they settle. */
static cobloc_status iterate(cob_run *run, cob_assign assign, int iterations, cobloc_error *err)
{
    bool soft = assign == COB_ASSIGN_SOFT;
    cob_manner how = {.assign = assign, .temperature = 1, .soft = soft};
    run->stop = COBLOC_STOP_ITERATIONS;
    for (int i = 0; i < iterations; i++) {
        double before = run->criterion;
        run->iteration++;
        cob_pass rows = step_if_better(run, cob_step_rows, how);
        cob_pass cols = step_if_better(run, cob_step_cols, how);
        run->criterion = cob_criterion(run, soft);
        run->kept = rows.kept + cols.kept;
        cobloc_status status = cob_note_criterion(run, err);
        if (status != COBLOC_OK)
            return status;
        if (cob_must_end(run, (double)(i + 1) / iterations))
            return COBLOC_OK;
        if ((i > 0 || !soft) && settled(run, before, rows.moved + cols.moved, soft)) {
            run->stop = COBLOC_STOP_CONVERGED;
            return COBLOC_OK;
        }
    }
    return COBLOC_OK;
}

/* ---- soft ------------------------------------------------------------------------------------ */

static void harden_start(cob_run *run)
{
    const cob_problem *p = run->problem;
    size_t n = (size_t)p->rows.major, d = (size_t)p->cols.major;
    memset(run->row_soft, 0, n * (size_t)run->g * sizeof *run->row_soft);
    memset(run->col_soft, 0, d * (size_t)run->m * sizeof *run->col_soft);
    for (size_t i = 0; i < n; i++)
        run->row_soft[i * (size_t)run->g + (size_t)run->row_labels[i]] = 1;
    for (size_t j = 0; j < d; j++)
        run->col_soft[j * (size_t)run->m + (size_t)run->col_labels[j]] = 1;
}

/* Labels are the most probable clusters; one that is nobody's first choice gets the line that loses
 * least by it. */
static cobloc_status label_soft(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_shares of_rows = {run->row_soft, run->row_labels, run->g};
    cob_shares of_cols = {run->col_soft, run->col_labels, run->m};
    int rows, cols;
    COB_TRY(cob_repair_empty(run->row_labels, p->rows.major, run->g, p->fix_rows, cob_loss_by_share,
                             &of_rows, &rows, err));
    COB_TRY(cob_repair_empty(run->col_labels, p->cols.major, run->m, p->fix_cols, cob_loss_by_share,
                             &of_cols, &cols, err));
    run->kept = rows + cols;
done:
    return status;
}

cobloc_status cob_run_iterate(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    run->trace_count = 0;
    run->stop = COBLOC_STOP_CONVERGED;
    cob_run_measure(run);
    if (cob_is_stochastic(p->inference))
        COB_TRY(p->model->likelihood ? cob_sample(run, err) : cob_anneal(run, err));
    if (cob_is_soft(p->inference))
        harden_start(run);
    if (run->stop == COBLOC_STOP_CANCELLED || run->stop == COBLOC_STOP_TIME)
        goto done;
    if (cob_is_soft(p->inference)) {
        run->entropy_rows = run->entropy_cols = 0;
        COB_TRY(iterate(run, COB_ASSIGN_SOFT, p->max_iterations, err));
        COB_TRY(label_soft(run, err));
    } else if (p->inference == COBLOC_HARD || !p->model->likelihood || p->model->settles) {
        COB_TRY(iterate(run, COB_ASSIGN_HARD, p->max_iterations, err));
    } else {
        run->stop = COBLOC_STOP_CONVERGED; /* a chain of the length that was asked for */
    }
done:
    return status;
}

cobloc_status cob_run_refine(cob_run *run, int iterations, cobloc_error *err)
{
    cob_run_measure(run);
    return iterate(run, COB_ASSIGN_HARD, iterations, err);
}
