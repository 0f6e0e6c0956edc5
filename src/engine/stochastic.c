/* Inference by draws: SEM-Gibbs, and annealing.
 * SPDX-License-Identifier: MIT
 */
#include "engine/resume.h"
#include "engine/steps.h"

#include <string.h>

/* ---- annealing ------------------------------------------------------------------------------- */

cobloc_status cob_anneal(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    bool over = false;
    cob_begin_phase(run, COB_ANNEALING);
    double *best = &run->place.value;
    if (run->place.step == 0) {
        *best = run->criterion;
        cob_keep_labels(run, &run->best);
    }
    for (int i = run->place.step; i < p->stochastic && !over; i++) {
        double left = 1 - (double)i / p->stochastic;
        cob_manner how = {.assign = COB_ASSIGN_DRAW, .temperature = p->temperature * left};
        run->iteration++;
        cob_step(run, COB_ROWS, how);
        cob_step(run, COB_COLS, how);
        run->criterion = cob_criterion(run, false);
        COB_TRY(cob_note_criterion(run, err));
        if (cob_better(p->model, run->criterion, *best)) {
            *best = run->criterion;
            cob_fetch_labels(run);
            cob_keep_labels(run, &run->best);
        }
        over = cob_must_end(run, (double)i / p->stochastic);
        COB_TRY(cob_may_keep(run, i + 1, 0, err));
    }
    cob_take_labels(run, &run->best);
    cob_run_measure(run);
    COB_TRY(cob_check_held(run, err));
done:
    cob_end_phase(run);
    return status;
}

/* ---- SEM-Gibbs ------------------------------------------------------------------------------- */

static void add_theta(const cob_theta *from, double *to_delta, double *to_pi, double *to_rho,
                      bool squared)
{
    for (size_t i = 0; i < (size_t)from->parameters * (size_t)from->g * (size_t)from->m; i++)
        to_delta[i] += squared ? from->delta[i] * from->delta[i] : from->delta[i];
    for (int k = 0; k < from->g; k++)
        to_pi[k] += from->pi[k];
    for (int l = 0; l < from->m; l++)
        to_rho[l] += from->rho[l];
}

static void scale_theta(cob_theta *theta, double factor)
{
    for (size_t i = 0; i < (size_t)theta->parameters * (size_t)theta->g * (size_t)theta->m; i++)
        theta->delta[i] *= factor;
    for (int k = 0; k < theta->g; k++)
        theta->pi[k] *= factor;
    for (int l = 0; l < theta->m; l++)
        theta->rho[l] *= factor;
}

/* The label that was drawn most often; of equally frequent ones, the first. */
static void take_modes(cob_run_side *side, int64_t lines)
{
    for (int64_t i = 0; i < lines; i++) {
        const uint16_t *own = side->counts + i * side->clusters;
        int best = 0;
        for (int k = 1; k < side->clusters; k++)
            if (own[k] > own[best])
                best = k;
        side->labels[i] = best;
    }
}

static void count_labels(cob_run_side *side, int64_t lines)
{
    for (int64_t i = 0; i < lines; i++)
        side->counts[i * side->clusters + side->labels[i]]++;
}

/* Draws labels and re-estimates; the parameters after the burn-in are averaged. */
static cobloc_status draw_parameters(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_manner how = {.assign = COB_ASSIGN_DRAW, .temperature = 1};
    bool over = false;
    cob_begin_phase(run, COB_SAMPLING);
    if (run->place.step == 0) {
        run->draws = 0;
        scale_theta(&run->mean, 0);
        scale_theta(&run->square, 0);
    }
    for (int i = run->place.step; i < p->stochastic && !over; i++) {
        run->iteration++;
        cob_pass rows = cob_step(run, COB_ROWS, how), cols = cob_step(run, COB_COLS, how);
        run->criterion = cob_criterion(run, false);
        run->kept = rows.kept + cols.kept;
        COB_TRY(cob_note_criterion(run, err));
        if (i >= p->burn_in) {
            add_theta(&run->theta, run->mean.delta, run->mean.pi, run->mean.rho, false);
            add_theta(&run->theta, run->square.delta, run->square.pi, run->square.rho, true);
            run->draws++;
        }
        over = cob_must_end(run, (double)(i + 1) / p->stochastic);
        COB_TRY(cob_may_keep(run, i + 1, 0, err));
    }
    if (run->draws > 0) {
        scale_theta(&run->mean, 1.0 / run->draws);
        scale_theta(&run->square, 1.0 / run->draws);
        cob_theta_copy(&run->theta, &run->mean);
    }
done:
    return status;
}

/* Draws labels with the averaged parameters; each line takes the label it was given most often. */
static cobloc_status draw_labels(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    int64_t lines[2] = {cob_line_count(p, COB_ROWS), cob_line_count(p, COB_COLS)};
    cob_manner how = {.assign = COB_ASSIGN_DRAW, .temperature = 1, .keep_theta = true};
    cob_begin_phase(run, COB_DRAWING);
    for (cob_axis side = COB_ROWS; run->place.step == 0 && side <= COB_COLS; side++)
        memset(run->side[side].counts, 0,
               (size_t)lines[side] * (size_t)run->side[side].clusters * sizeof(uint16_t));
    for (int i = run->place.step; i < p->stochastic - p->burn_in; i++) {
        run->iteration++;
        cob_step(run, COB_ROWS, how);
        cob_step(run, COB_COLS, how);
        cob_fetch_labels(run);
        for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
            count_labels(&run->side[side], lines[side]);
        COB_TRY(cob_may_keep(run, i + 1, 0, err));
    }
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        take_modes(&run->side[side], lines[side]);
done:
    return status;
}

cobloc_status cob_sample(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (cob_resumed_in(run) != COB_DRAWING)
        COB_TRY(draw_parameters(run, err));
    if (run->draws > 0)
        COB_TRY(draw_labels(run, err));
    else
        cob_fetch_labels(run);
    cob_end_phase(run);
    COB_TRY(cob_run_fill_empty(run, &run->kept, err));
    cob_run_measure(run);
    COB_TRY(cob_check_held(run, err));
done:
    return status;
}
