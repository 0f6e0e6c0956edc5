/* Many starts, the best of them.
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "engine/steps.h"
#include "fit/alike.h"
#include "fit/checkpoint.h"
#include "fit/spread.h"

#include <math.h>
#include <sched.h>

/* ---- the race -------------------------------------------------------------------------------- */

/* Of equals the earlier one, whichever came in first. */
bool cob_outcome_beats(const cob_algorithm *algorithm, const cob_outcome *a, const cob_outcome *b)
{
    if (!b->row_labels)
        return true;
    if (cob_algorithm_prefers(algorithm, a->criterion, a->kept, b->criterion, b->kept))
        return true;
    return !cob_algorithm_prefers(algorithm, b->criterion, b->kept, a->criterion, a->kept) &&
           a->restart < b->restart;
}

/* The labels from which the phases of a run go on. */
static cobloc_status begin_run(const cob_task *task, const cob_family *family, cob_run *run,
                               cobloc_error *err)
{
    cob_pair pair = cob_places(family, (int)run->restart);
    if (cob_is_founder(family, (int)run->restart))
        return cob_start(run, task->start, &task->data, err);
    return cob_start_between(run, &family->found[pair.first], &family->found[pair.second], err);
}

/* From a start of our own choice: to an optimum, and out of it to a better one. */
static cobloc_status improve_run(const cob_task *task, cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *problem = run->problem;
    cob_phase at = cob_resumed_in(run);
    if (task->start != COBLOC_START_AUTO || !problem->model->likelihood ||
        problem->model->ascent == COB_WANDERS)
        return COBLOC_OK;
    if (at <= COB_REFINING) {
        cob_begin_phase(run, COB_REFINING);
        COB_TRY(cob_run_refine(run, problem->max_iterations, err));
        cob_end_phase(run);
    }
    if (at <= COB_POLISHING)
        COB_TRY(cob_split_and_merge(run, &task->data, err));
done:
    return status;
}

/* What was freed before the first run, or by a start, would stay beside what comes next, which
 * needs it in pieces of other sizes. */
static void return_freed(const cob_task *task)
{
    if (task->prepared.x->nnz >= COB_WORTH_RETURNING)
        cob_alloc_trim();
}

/* `ended`: the run of another restart that is no longer needed; its room is used again. */
static cobloc_status run_model(const cob_task *task, const cob_family *family, cob_saver *saver,
                               uint32_t restart, int threads, cob_run **ended, cob_outcome *out,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *run = NULL;
    if (cob_is_founder(family, (int)restart) && task->start != COBLOC_START_RANDOM) {
        cob_run_free(*ended); /* k-means needs the memory before passes do */
        *ended = NULL;
    }
    if (*ended) {
        COB_TRY(cob_run_again(ended, restart, &run, err));
    } else {
        return_freed(task);
        COB_TRY(cob_run_new(&task->problem, task->k, task->l, restart, threads, &run, err));
    }
    COB_TRY(cob_saver_read_run(saver, run, err));
    if (cob_resumed_in(run) == COB_NO_PHASE)
        COB_TRY(begin_run(task, family, run, err));
    return_freed(task);
    COB_TRY(improve_run(task, run, err));
    COB_TRY(cob_run_iterate(run, err));
    cob_outcome_of_run(run, out);
    run = NULL;
done:
    cob_run_free(run);
    return status;
}

static cobloc_status run_method(const cob_task *task, uint32_t restart, int threads,
                                cob_outcome *out, cobloc_error *err)
{
    cob_method_problem problem = task->method;
    problem.restart = restart;
    problem.threads = threads;
    return cob_method_start(task->algorithm.method, &problem, out, err);
}

/* What the threads share while restarts run; guarded by the critical section. */
typedef struct race {
    const cob_task *task;
    cob_outcome *best;
    cob_restarts *restarts;
    cob_family family;
    cob_saver saver;
    cob_turns turns;
    cobloc_error failure;
    bool over;   /* cancelled, out of time, or failed */
    bool spread; /* over groups: it is saved after each round, not after each start */
} race;

/* Threads look at `over` without waiting for the critical section. */
static void end_race(race *r)
{
#pragma omp atomic write
    r->over = true;
}

static bool has_ended(race *r)
{
    bool over;
#pragma omp atomic read
    over = r->over;
    return over;
}

/* A start without a finite criterion is no result, and no other start could be compared with it. */
static cobloc_status check_criterion(const cob_task *task, const cob_outcome *outcome,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(isfinite(outcome->criterion), COBLOC_BAD_DATA,
              "the %s of %s is not a finite number: values of the matrix are too far apart, or too "
              "large or too small",
              task->algorithm.criterion, task->algorithm.name);
done:
    return status;
}

static void keep_better(race *r, cob_outcome *outcome)
{
    if (!cob_outcome_beats(&r->task->algorithm, outcome, r->best))
        return;
    cob_outcome worse = *r->best;
    *r->best = *outcome;
    *outcome = worse;
    cob_note_best(&r->task->watch, r->best->criterion);
}

/* A restart takes its place among those that have ended. */
static cobloc_status note(race *r, cob_outcome *outcome, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_task *task = r->task;
    cob_restarts *all = r->restarts;
    COB_TRY(check_criterion(task, outcome, err));
    if (!r->spread)
        COB_TRY(cob_saver_before(&r->saver, task, all, &r->family, r->best, outcome, err));
    COB_TRY(cob_keep_chain(task, outcome, all, err));
    COB_TRY(cob_family_note(task, &r->family, outcome, err));
    all->criteria[outcome->restart] = outcome->criterion;
    if (outcome->stop == COBLOC_STOP_CANCELLED || outcome->stop == COBLOC_STOP_TIME)
        all->stop = outcome->stop;
    keep_better(r, outcome);
    if (all->stop != COBLOC_STOP_CONVERGED || cob_enough_alike(task, all, r->best))
        end_race(r);
    if (!r->spread)
        COB_TRY(cob_saver_after(&r->saver, task, all, &r->family, r->best, err));
done:
    return status;
}

/* Notes those whose turn it is, as long as more are wanted; `outcome` becomes one that is not. */
static cobloc_status note_in_order(race *r, cob_outcome *outcome, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_outcome one;
    cob_turns_put(&r->turns, outcome);
    while (status == COBLOC_OK && !cob_enough_alike(r->task, r->restarts, r->best) &&
           cob_turns_take(&r->turns, &one)) {
        status = note(r, &one, err);
        cob_outcome_free(outcome);
        *outcome = one;
    }
    return status;
}

/* Of an outcome and the best so far, `outcome` becomes the one that is no longer needed. */
static void finish_one(race *r, cob_outcome *outcome, cobloc_status status, cobloc_error *err)
{
#pragma omp critical(cob_restarts)
    {
        if (status == COBLOC_OK)
            status = (r->turns.waiting ? note_in_order : note)(r, outcome, err);
        if (status != COBLOC_OK) {
            if (r->failure.status == COBLOC_OK)
                r->failure = *err;
            end_race(r);
        }
    }
}

/* Whether restart number i is not to begin any more. The first always begins, whatever other
 * threads have met in the meantime: there must be a result. */
static bool race_is_over(race *r, int i)
{
    if (i == 0)
        return false;
    if (has_ended(r))
        return true;
    cobloc_stop why = cob_must_stop(&r->task->watch, (uint32_t)i, 0);
    if (why == COBLOC_STOP_CONVERGED)
        return false;
#pragma omp critical(cob_restarts)
    {
        r->restarts->stop = why;
        end_race(r);
    }
    return true;
}

static void run_one(race *r, int i, int threads, cob_run **ended)
{
    const cob_task *task = r->task;
    cob_outcome outcome = {0};
    cobloc_error own = {COBLOC_OK, ""};
    if (!isnan(r->restarts->criteria[i]) || race_is_over(r, i)) /* it had ended before */
        return;
    cobloc_status status =
        task->algorithm.model
            ? run_model(task, &r->family, &r->saver, (uint32_t)i, threads, ended, &outcome, &own)
            : run_method(task, (uint32_t)i, threads, &outcome, &own);
    finish_one(r, &outcome, status, &own);
    *ended = outcome.run;
    if (!outcome.run) /* else the arrays are the run's */
        cob_outcome_free(&outcome);
}

/* Whether all that restart number i builds on is there. */
static bool is_ready(race *r, int i)
{
    bool ready;
#pragma omp critical(cob_restarts)
    ready = r->over || cob_can_begin(&r->family, i);
    return ready;
}

/* Every so many restarts, in a row. */
typedef struct stretch {
    int first, last, step;
} stretch;

/* Each on a thread of its own, in their order. They seldom wait: restarts build on others that
 * began long before. */
static void run_side_by_side(race *r, stretch some, int outer)
{
    int next = some.first;
#pragma omp parallel num_threads(outer)
    for (cob_run *ended = NULL;;) {
        int i;
#pragma omp atomic capture
        {
            i = next;
            next += some.step;
        }
        if (i >= some.last) {
            cob_run_free(ended);
            break;
        }
        while (!is_ready(r, i))
            sched_yield();
        run_one(r, i, 1, &ended);
    }
}

/* ---- together -------------------------------------------------------------------------------- */

/* Restarts in step, a team on each of some threads: while one makes rules, the device has the
 * passes of others to do. */
enum { MOST_TEAMS = 4 };
typedef struct teams {
    cob_team *of[MOST_TEAMS];
    int count; /* 0: restarts go alone */
    int each;  /* restarts that go together */
} teams;

static void free_teams(teams *t)
{
    for (int i = 0; i < t->count; i++)
        cob_team_free(t->of[i]);
}

/* Teams for restarts from random labels, where passes are short; as many as the device has room
 * for. */
static teams gather(const cob_task *task)
{
    enum { WORTH_GATHERING = 4 };
    cob_held *held = task->problem.held;
    teams t = {.count = 0};
    const int clusters[] = {task->k, task->l};
    if (!held || task->ranks || task->kept || task->until_same ||
        task->start != COBLOC_START_RANDOM || task->inference != COBLOC_HARD ||
        task->restarts < WORTH_GATHERING || !cob_held_takes(held, clusters))
        return t;
    int most = cob_held_together(held), batches = (task->restarts + most - 1) / most;
    int threads = cob_threads(task->threads);
    threads = threads < MOST_TEAMS ? threads : MOST_TEAMS;
    t.each = (task->restarts + batches - 1) / batches;
    for (int i = 0; most > 1 && i < threads && i < batches; i++) {
        cobloc_error ignored = {COBLOC_OK, ""};
        if (cob_team_new(held, clusters, t.each, &t.of[t.count], &ignored) != COBLOC_OK)
            break;
        t.count++;
    }
    return t;
}

/* Which of some outcomes is the best. */
static int best_of(const cob_task *task, const cob_outcome *outcomes, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (cob_outcome_beats(&task->algorithm, &outcomes[i], &outcomes[best]))
            best = i;
    return best;
}

/* So many restarts of a team. Only the labels of the best of them are brought back. */
static cobloc_status run_batch(race *r, cob_team *team, int first, int count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_task *task = r->task;
    cob_run **runs = NULL;
    cob_outcome *outcomes = NULL;
    COB_NEW_ZERO(runs, count);
    COB_NEW_ZERO(outcomes, count);
    for (int i = 0; i < count; i++) {
        COB_TRY(
            cob_run_new(&task->problem, task->k, task->l, (uint32_t)(first + i), 1, &runs[i], err));
        COB_CHECK(runs[i]->held, COBLOC_NO_MEMORY, "out of memory");
        cob_held_join(runs[i]->held, team, i);
    }
    COB_TRY(cob_iterate_together(team, runs, count, err));
    for (int i = 0; i < count; i++)
        cob_outcome_of_run(runs[i], &outcomes[i]);
    int best = best_of(task, outcomes, count);
    cob_fetch_labels(runs[best]);
    COB_TRY(cob_held_check(runs[best]->held, err));
    for (int i = 0; i < count; i++) { /* it comes first, and no other can better it */
        int next = (best + i) % count;
        cob_held_leave(runs[next]->held);
        runs[next] = NULL;
        finish_one(r, &outcomes[next], COBLOC_OK, err);
        cob_outcome_free(&outcomes[next]);
    }
done:
    for (int i = 0; runs && i < count; i++)
        cob_run_free(runs[i]);
    cob_free(runs);
    cob_free(outcomes);
    return status;
}

/* All threads are there, though only some have a team: to let the others go, and to make them again
 * afterwards, takes longer than the passes over a small matrix. */
static void run_together(race *r, const teams *t)
{
    int all = r->task->restarts, next = 0;
#pragma omp parallel num_threads(cob_threads(r->task->threads))
    for (int first = 0; cob_thread() < t->count && first < all;) {
#pragma omp atomic capture
        {
            first = next;
            next += t->each;
        }
        cobloc_error own = {COBLOC_OK, ""};
        int count = all - first < t->each ? all - first : t->each;
        if (first < all && !race_is_over(r, first) &&
            run_batch(r, t->of[cob_thread()], first, count, &own) != COBLOC_OK) {
            cob_outcome none = {0};
            finish_one(r, &none, own.status, &own);
        }
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void run_some(race *r, stretch some, int outer)
{
    int threads = cob_threads(r->task->threads);
    cob_run *ended = NULL;
    if (outer > 1)
        run_side_by_side(r, some, outer);
    /* Not within a parallel region, be it of one: each pass would make its threads there. */
    for (int i = some.first; outer <= 1 && i < some.last; i += some.step)
        run_one(r, i, threads, &ended);
    cob_run_free(ended);
}

static bool has_run(const race *r, int first, int last)
{
    for (int i = first; i < last; i++)
        if (isnan(r->restarts->criteria[i]))
            return false;
    return true;
}

/* What ranks of a group do together. */
static cobloc_status run_group(race *r, stretch some, int outer, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_task *task = r->task;
    COB_TRY(cob_group_begin(task->ranks, err));
    run_some(r, some, outer);
    if (r->failure.status != COBLOC_OK)
        status = cob_fail(err, r->failure.status, "%s", r->failure.message);
    COB_TRY(cob_group_end(task->ranks, task->group, status, err));
done:
    return status;
}

/* Rounds of restarts, each of them one group's. */
static cobloc_status run_spread(race *r, int outer, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_task *task = r->task;
    int groups = task->groups;
    for (int first = 0, last;
         first < task->restarts && !r->over && !cob_enough_alike(task, r->restarts, r->best);
         first = last) {
        last = cob_round_end(task, &r->family, first, outer);
        if (has_run(r, first, last)) /* before it was resumed */
            continue;
        stretch own = {first + (task->own - first % groups + groups) % groups, last, groups};
        COB_TRY(run_group(r, own, outer, err));
        COB_TRY(cob_round_share(task, first, last, r->restarts, &r->family, r->best, err));
        r->over = r->restarts->stop != COBLOC_STOP_CONVERGED;
        if (r->over || cob_clock() > task->watch.deadline)
            r->saver.sealed = true;
        COB_TRY(cob_saver_after(&r->saver, task, r->restarts, &r->family, r->best, err));
    }
done:
    return status;
}

cobloc_status cob_run_race(const cob_task *task, cob_restarts *restarts, cob_outcome *best,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    race r = {.task = task, .best = best, .restarts = restarts};
    teams together = gather(task);
    int outer = cob_task_beside_device(task);
    r.family.crosses = cob_has_families(task);
    cob_saver_open(&r.saver, task);
    COB_TRY(cob_restarts_alloc(task, restarts, err));
    COB_TRY(cob_saver_read(&r.saver, task, restarts, &r.family, best, err));
    r.over = cob_enough_alike(task, restarts, best);
    r.spread = task->groups > 1;
    if (!r.spread)
        COB_TRY(cob_turns_new(task, restarts, &r.turns, err));
    if (r.spread)
        COB_TRY(run_spread(&r, outer, err));
    else if (together.count > 0)
        run_together(&r, &together);
    else
        COB_TRY(run_group(&r, (stretch){0, task->restarts, 1}, outer, err));
    COB_CHECK(r.failure.status == COBLOC_OK, r.failure.status, "%s", r.failure.message);
    COB_TRY(cob_saver_close(&r.saver, task, restarts, &r.family, best, err));
done:
    free_teams(&together);
    cob_turns_free(&r.turns);
    cob_family_free(&r.family);
    return status;
}
