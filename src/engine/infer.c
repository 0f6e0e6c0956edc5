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

/* Labels are the most probable clusters; one that is nobody's first choice gets the line that likes
 * it best, of those whose own cluster can spare it. */
static int label_soft(int32_t *labels, const double *soft, int64_t lines, int clusters,
                      double *sizes, const int32_t *fixed)
{
    int moved = 0;
    memset(sizes, 0, (size_t)clusters * sizeof *sizes);
    for (int64_t i = 0; i < lines; i++)
        sizes[labels[i]]++;
    for (int k = 0; k < clusters; k++) {
        int64_t best = -1;
        for (int64_t i = 0; sizes[k] == 0 && i < lines; i++)
            if (sizes[labels[i]] > 1 && !(fixed && fixed[i] >= 0) &&
                (best < 0 || soft[i * clusters + k] > soft[best * clusters + k]))
                best = i;
        if (best >= 0) {
            sizes[labels[best]]--;
            sizes[k]++;
            labels[best] = k;
            moved++;
        }
    }
    return moved;
}

/* `turned` is free between iterations: its vectors lend room for the sizes. */
static void label_all(cob_run *run)
{
    const cob_problem *p = run->problem;
    run->kept = label_soft(run->row_labels, run->row_soft, p->rows.major, run->g, run->turned.w,
                           p->fix_rows) +
                label_soft(run->col_labels, run->col_soft, p->cols.major, run->m, run->turned.z,
                           p->fix_cols);
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
        label_all(run);
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
