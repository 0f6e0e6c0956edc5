/* Many starts, the best of them.
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <math.h>

/* ---- chains ---------------------------------------------------------------------------------- */

cobloc_status cob_restarts_alloc(const cob_problem *problem, int count, cob_restarts *r,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t cells = (size_t)problem->g * (size_t)problem->m * (size_t)count;
    bool chains = problem->model->likelihood && cob_is_stochastic(problem->inference);
    *r = (cob_restarts){0};
    COB_NEW(r->criteria, count);
    for (int i = 0; i < count; i++)
        r->criteria[i] = NAN;
    if (chains) {
        COB_NEW(r->means, cells);
        COB_NEW(r->squares, cells);
        COB_NEW_ZERO(r->draws, count);
    }
done:
    return status;
}

void cob_restarts_free(cob_restarts *r)
{
    cob_free(r->criteria);
    cob_free(r->means);
    cob_free(r->squares);
    cob_free(r->draws);
    *r = (cob_restarts){0};
}

/* Keeps what a chain drew, its clusters numbered canonically so that chains can be compared. */
static cobloc_status keep_chain(const cob_run *run, cob_restarts *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int *rows = NULL, *cols = NULL;
    size_t cells = (size_t)run->g * (size_t)run->m;
    if (!r->means || run->draws == 0)
        return COBLOC_OK;
    COB_NEW(rows, run->g);
    COB_NEW(cols, run->m);
    COB_TRY(cob_canonical_order(run, rows, cols, err));
    for (int k = 0; k < run->g; k++)
        for (int l = 0; l < run->m; l++) {
            size_t from = (size_t)k * (size_t)run->m + (size_t)l;
            size_t to = run->restart * cells + (size_t)rows[k] * (size_t)run->m + (size_t)cols[l];
            r->means[to] = run->mean.delta[from];
            r->squares[to] = run->square.delta[from];
        }
    r->draws[run->restart] = run->draws;
done:
    cob_free(rows);
    cob_free(cols);
    return status;
}

/* sqrt((W (n-1)/n + B/n) / W) of one parameter: B between the chains' means, W within the chains.
 */
static double r_hat_of(const cob_restarts *r, int count, int cells, int cell)
{
    double chains = 0, draws = 0, mean = 0, within = 0, between = 0;
    for (int i = 0; i < count; i++)
        if (r->draws[i] > 1) {
            double m = r->means[(size_t)i * (size_t)cells + (size_t)cell];
            chains++;
            draws = r->draws[i];
            mean += m;
            within += (r->squares[(size_t)i * (size_t)cells + (size_t)cell] - m * m) * draws /
                      (draws - 1);
        }
    mean /= chains;
    within /= chains;
    for (int i = 0; i < count; i++)
        if (r->draws[i] > 1)
            between +=
                pow(r->means[(size_t)i * (size_t)cells + (size_t)cell] - mean, 2) / (chains - 1);
    if (chains < 2)
        return NAN;
    if (within <=
        1e-24 * mean * mean) /* the chains do not move: do they stand at the same place? */
        return between <= 1e-18 * mean * mean ? 1 : INFINITY;
    return sqrt((within * (draws - 1) / draws + between) / within);
}

double cob_r_hat(const cob_restarts *r, int count, int cells)
{
    double largest = NAN;
    for (int cell = 0; r->means && cell < cells; cell++) {
        double one = r_hat_of(r, count, cells, cell);
        if (isnan(largest) || one > largest)
            largest = one;
    }
    return largest;
}

/* ---- the race -------------------------------------------------------------------------------- */

/* Runs that keep all their clusters by themselves come before those that had to be held. */
static bool better_run(const cob_model *model, const cob_run *a, const cob_run *b)
{
    if (!b)
        return true;
    if ((a->kept == 0) != (b->kept == 0))
        return a->kept == 0;
    if (a->criterion != b->criterion)
        return cob_better(model, a->criterion, b->criterion);
    return a->restart < b->restart;
}

static cobloc_status one_restart(const cob_problem *problem, cobloc_start start,
                                 const cob_start_data *data, uint32_t restart, int threads,
                                 cob_run **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *run = NULL;
    COB_TRY(cob_run_new(problem, problem->g, problem->m, restart, threads, &run, err));
    COB_TRY(cob_start(run, start, data, err));
    if (start == COBLOC_START_AUTO && problem->model->likelihood &&
        (problem->settings.exact || !problem->model->needs_exact)) {
        COB_TRY(cob_run_refine(run, problem->max_iterations, err));
        COB_TRY(cob_split_and_merge(run, data, err));
    }
    COB_TRY(cob_run_iterate(run, err));
    *out = run;
    run = NULL;
done:
    cob_run_free(run);
    return status;
}

/* What the threads share while restarts run; guarded by the critical section. */
typedef struct race {
    cob_run *best;
    cob_restarts *restarts;
    cobloc_error failure;
    bool over; /* cancelled, out of time, or failed */
} race;

static void finish_one(race *r, const cob_problem *problem, cob_run *run, cobloc_status status,
                       cobloc_error *err)
{
#pragma omp critical(cob_restarts)
    {
        if (status == COBLOC_OK)
            status = keep_chain(run, r->restarts, err);
        if (status != COBLOC_OK) {
            if (r->failure.status == COBLOC_OK)
                r->failure = *err;
            r->over = true;
        } else {
            r->restarts->criteria[run->restart] = run->criterion;
            if (run->stop == COBLOC_STOP_CANCELLED || run->stop == COBLOC_STOP_TIME)
                r->restarts->stop = run->stop;
            r->over = r->over || r->restarts->stop != COBLOC_STOP_CONVERGED;
            if (better_run(problem->model, run, r->best)) {
                cob_run *worse = r->best;
                r->best = run;
                run = worse;
            }
        }
    }
    cob_run_free(run);
}

cobloc_status cob_run_restarts(const cob_problem *problem, cobloc_start start,
                               const cob_start_data *data, int count, int threads,
                               cob_restarts *restarts, cob_run **best, cobloc_error *err)
{
    race r = {.restarts = restarts};
    threads = cob_threads(threads);
    int outer = count < threads ? count : threads, inner = threads / outer;
#pragma omp parallel for schedule(dynamic, 1) num_threads(outer)
    for (int i = 0; i < count; i++) {
        bool over;
#pragma omp atomic read
        over = r.over;
        if (over)
            continue;
        cobloc_stop why = i > 0 ? cob_must_stop(problem, (uint32_t)i, 0) : COBLOC_STOP_CONVERGED;
        if (why != COBLOC_STOP_CONVERGED) {
#pragma omp critical(cob_restarts)
            {
                restarts->stop = why;
                r.over = true;
            }
            continue;
        }
        cob_run *run = NULL;
        cobloc_error own = {COBLOC_OK, ""};
        cobloc_status status = one_restart(problem, start, data, (uint32_t)i, inner, &run, &own);
        finish_one(&r, problem, run, status, &own);
    }
    if (r.failure.status != COBLOC_OK) {
        cob_run_free(r.best);
        return cob_fail(err, r.failure.status, "%s", r.failure.message);
    }
    *best = r.best;
    return COBLOC_OK;
}
