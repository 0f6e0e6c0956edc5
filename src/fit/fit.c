/* cobloc_fit.
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "fit/alike.h"
#include "fit/auto.h"
#include "fit/checkpoint.h"
#include "fit/members.h"
#include "methods/spectral.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STOCHASTIC = 50, BURN_IN = 35 };
static const double TEMPERATURE = 0.05, MEMORY_SHARE = 0.5;

/* ---- options --------------------------------------------------------------------------------- */

static cobloc_status column_clusters(const cob_algorithm *a, const cobloc_fit_options *o, int *l,
                                     cobloc_error *err)
{
    int own = cob_algorithm_columns(a, o->k);
    *l = own ? own : o->l ? o->l : o->k;
    if (own && o->l && o->l != own)
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "%s with %d row clusters has %d column clusters, not %d", a->name, o->k,
                        own, o->l);
    return COBLOC_OK;
}

static cobloc_status check_inference(const cob_algorithm *a, cobloc_inference inference,
                                     cobloc_error *err)
{
    if (inference < COBLOC_HARD || inference > COBLOC_SVEM)
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "there is no inference number %d",
                        (int)inference);
    if (cob_algorithm_takes(a, inference))
        return COBLOC_OK;
    if (cob_algorithm_takes(a, COBLOC_SOFT))
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s draws nothing: its inference is hard or soft",
                        a->name);
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s has no probabilities: its inference is hard%s",
                    a->name, cob_algorithm_takes(a, COBLOC_STOCHASTIC) ? " or stochastic" : "");
}

/* What models take and a method may not. */
static cobloc_status check_method(const cob_method *method, const cobloc_fit_options *o,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(method->known_labels || (!o->fix_rows && !o->fix_cols), COBLOC_BAD_ARGUMENT,
              "%s cannot keep to known labels", method->name);
    COB_CHECK(o->start == COBLOC_START_AUTO || (method->starts & 1u << o->start),
              COBLOC_BAD_ARGUMENT, "%s cannot start there: it chooses its starts by itself",
              method->name);
done:
    return status;
}

static cobloc_status check_options(const cobloc_fit_options *o, const cob_algorithm *a, int *l,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(o->k >= 1 && o->k <= 10000, COBLOC_BAD_ARGUMENT,
              "k is %d, expected 1 to 10000 clusters", o->k);
    COB_CHECK(o->l >= 0 && o->l <= 10000, COBLOC_BAD_ARGUMENT,
              "l is %d, expected 1 to 10000 clusters", o->l);
    COB_CHECK(o->restarts >= 1 && o->max_iterations >= 1 && o->tolerance >= 0, COBLOC_BAD_ARGUMENT,
              "restarts and iterations must be 1 or more, the tolerance 0 or more");
    COB_CHECK(o->weight >= COBLOC_WEIGHT_AUTO && o->weight < COB_WEIGHTS, COBLOC_BAD_ARGUMENT,
              "there is no weight number %d", (int)o->weight);
    COB_CHECK(o->start >= COBLOC_START_AUTO && o->start <= COBLOC_START_LABELS, COBLOC_BAD_ARGUMENT,
              "there is no start number %d", (int)o->start);
    COB_CHECK(o->base_count <= 0 || (a->method && a->method->members), COBLOC_BAD_ARGUMENT,
              "%s joins no co-clusterings", a->name);
    COB_TRY(check_inference(a, o->inference, err));
    COB_CHECK(o->start != COBLOC_START_SPECTRAL || !a->model || a->model->entries == COB_VALUES,
              COBLOC_BAD_ARGUMENT,
              "%s cannot start there: singular vectors of its entries mean nothing", a->name);
    COB_CHECK((!o->row_effects && !o->col_effects) ||
                  (a->model && a->model->law == COB_LAW_POISSON),
              COBLOC_BAD_ARGUMENT,
              "%s takes no row or column effects: these are for the Poisson models", a->name);
    if (a->method)
        COB_TRY(check_method(a->method, o, err));
    COB_TRY(column_clusters(a, o, l, err));
done:
    return status;
}

cobloc_status cob_check_time_limit(const cobloc_fit_options *o, cobloc_error *err)
{
    if (o->communicator.size > 1 && o->max_seconds > 0)
        return cob_fail(err, COBLOC_UNSUPPORTED,
                        "on several ranks, a time limit needs a given number of clusters");
    return COBLOC_OK;
}

/* ---- what restarts share --------------------------------------------------------------------- */

/* Binary tables may have no frequent and rare columns, so no directions by TF-IDF. Above so many
 * entries singular vectors would take longer than all the rest. */
static const int64_t MOST_FOR_SPECTRUM = 20000000;

static bool wants_points(const cob_task *t)
{
    bool useful = t->start == COBLOC_START_AUTO && t->algorithm.binary &&
                  t->prepared.x->nnz <= MOST_FOR_SPECTRUM;
    bool reached = t->restarts > COB_STARTS_BEFORE_SPECTRAL;
    return t->start == COBLOC_START_SPECTRAL || (useful && reached);
}

/* Points by singular vectors; where nobody asked for them, there may be none. */
static cobloc_status make_points(cob_task *t, cobloc_error *err)
{
    const cobloc_matrix *x = t->prepared.x;
    cob_shared_means *shared = t->data.shared;
    bool asked = t->start == COBLOC_START_SPECTRAL;
    if (!wants_points(t))
        return COBLOC_OK;
    t->data.dims = cob_spectral_dims(t->k > t->l ? t->k : t->l);
    if (shared && shared->points && shared->dims == t->data.dims) {
        t->data.points = shared->points;
        return COBLOC_OK;
    }
    cobloc_status status = cob_spectral_embedding(x, &t->prepared.part, t->data.dims, t->seed,
                                                  t->threads, &t->watch, &t->data.points, err);
    bool dispensable = status == COBLOC_BAD_DATA || status == COBLOC_CANCELLED;
    if (shared && !shared->points)
        shared->points = t->data.points, shared->dims = t->data.dims;
    return !asked && dispensable ? COBLOC_OK : status;
}

/* Starts from k-means need directions, whatever the model makes of the matrix. */
static cobloc_status make_start_data(cob_task *t, cob_shared_means *shared, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_prepared *p = &t->prepared;
    t->data = (cob_start_data){.given = {p->start_rows, p->start_cols}, .shared = shared};
    if (t->start == COBLOC_START_RANDOM || (t->start == COBLOC_START_LABELS && p->start_cols))
        return COBLOC_OK;
    if (t->start != COBLOC_START_SPECTRAL)
        COB_TRY(cob_start_lines_make(&t->problem, &t->data, err));
    COB_TRY(make_points(t, err));
done:
    return status;
}

/* Scores are divided by sums of entries; squared errors grow once more with their unit. */
static double temperature_of(const cob_task *t)
{
    bool squared = t->algorithm.model->law == COB_LAW_GAUSSIAN;
    cob_shared_values shared = {.ranks = t->group, .weigher = t->prepared.weigher};
    return squared ? TEMPERATURE * cob_matrix_unit(t->prepared.x, &shared) : TEMPERATURE;
}

static void take_device(cob_problem *p, const cobloc_fit_options *o)
{
    if (p->ranks) /* these share the lines of this machine's passes */
        return;
    p->device = o->opened;
    p->device_optional = strcmp(o->device, "auto") == 0;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* Whether each group has a start to do, and can have the whole matrix: all entries are there, and
 * they leave half of the memory to others. Groups are those of one machine, as a rule. */
static bool suits_groups(const cobloc_fit_options *o, const cobloc_matrix *x)
{
    if ((int64_t)o->restarts * o->group.size < o->communicator.size)
        return false;
    double bytes = 2 * (double)x->nnz * (double)cob_entry_bytes(x->kind);
    return cobloc_matrix_shards_missing(x) == 0 && bytes <= MEMORY_SHARE * cob_machine_memory();
}

/* What ranks share, where that is left open: all of them must come to the same. */
static cobloc_share choose_share(const cob_task *t, const cobloc_fit_options *o,
                                 const cobloc_matrix *x)
{
    enum { WORTH_SHARING = 10000000 };
    int64_t against;
    if (!t->algorithm.model)
        return COBLOC_SHARE_STARTS;
    if (o->share != COBLOC_SHARE_AUTO)
        return o->share;
    if (x->nnz < WORTH_SHARING)
        return COBLOC_SHARE_STARTS;
    if (o->group.size == 0)
        return COBLOC_SHARE_LINES;
    return cob_ranks_vote(t->ranks, !suits_groups(o, x), &against) && against == 0
               ? COBLOC_SHARE_GROUPS
               : COBLOC_SHARE_LINES;
}

/* Ranks that share lines do all in step. What takes a while stops at its own time on each rank, so
 * only iterations, where all can agree, look at the clock. */
static void keep_in_step(cob_task *t)
{
    if (!t->group)
        return;
    t->watch.ranks = t->group;
    t->watch.last_together = t->watch.deadline;
    t->watch.deadline = INFINITY;
}

/* Meets the other ranks, and those of them that share lines with this one. */
static cobloc_status join_ranks(cob_task *t, const cobloc_fit_options *o, const cobloc_matrix *x,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_communicator alone = {.size = 1}, *with = &alone;
    COB_TRY(cob_ranks_open(&o->communicator, &t->ranks, err));
    cobloc_share share = t->ranks ? choose_share(t, o, x) : COBLOC_SHARE_STARTS;
    if (share == COBLOC_SHARE_LINES)
        with = &o->communicator;
    else if (share == COBLOC_SHARE_GROUPS)
        with = &o->group;
    COB_CHECK(with->size > 0, COBLOC_BAD_ARGUMENT,
              "share is groups, but there are none: see cobloc_set_group");
    COB_TRY(cob_ranks_open(with, &t->group, err));
    COB_TRY(cob_ranks_number(t->ranks, t->group, &t->groups, &t->own, err));
    keep_in_step(t);
done:
    return status;
}

/* ---- setting up ------------------------------------------------------------------------------ */

static cobloc_status set_up_model(cob_task *t, const cobloc_fit_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_prepared *p = &t->prepared;
    t->problem =
        (cob_problem){.x = p->x,
                      .side = {{.effects = p->row_effects, .fixed = p->fix_rows, .clusters = t->k},
                               {.effects = p->col_effects, .fixed = p->fix_cols, .clusters = t->l}},
                      .model = t->algorithm.model,
                      .inference = o->inference,
                      .max_iterations = o->max_iterations,
                      .tolerance = o->tolerance,
                      .temperature = temperature_of(t),
                      .stochastic = STOCHASTIC,
                      .burn_in = BURN_IN,
                      .seed = o->seed,
                      .watch = t->watch,
                      .threads = t->threads,
                      .ranks = t->group,
                      .part = p->part,
                      .whole = p->part.ranks ? p->from : NULL,
                      .file = p->file,
                      .apart = p->apart,
                      .weigher = p->weigher,
                      .known = o->means ? &o->means->sums : NULL};
    if (p->part.ranks && p->filled) {
        t->problem.numbers[COB_ROWS] = p->row_map;
        t->problem.numbers[COB_COLS] = p->col_map;
    }
    t->problem.at_once = cob_task_at_once(t);
    take_device(&t->problem, o);
    COB_TRY(cob_problem_measure(&t->problem, err));
    COB_TRY(make_start_data(t, o->means, err));
done:
    return status;
}

/* Refuses what would drive the machine into swapping, or out of memory, hours later. */
static cobloc_status check_memory(const cob_task *t, double limit, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const double gib = 1073741824;
    const cob_method *method = t->algorithm.method;
    const cobloc_matrix *x = t->prepared.x;
    int threads = cob_threads(t->threads), starts = threads < t->restarts ? threads : t->restarts;
    double need = method->memory ? method->memory(x, t->k) * starts : 0;
    if (limit <= 0)
        limit = MEMORY_SHARE * cob_machine_memory();
    COB_CHECK(need <= limit, COBLOC_NO_MEMORY,
              "%s needs %.3g GiB of memory for %lld rows and %lld columns, more than the %.3g GiB "
              "that it may take (max-memory)",
              method->name, need / gib, (long long)x->rows, (long long)x->cols, limit / gib);
done:
    return status;
}

static cobloc_status set_up_method(cob_task *t, const cobloc_fit_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_prepared *p = &t->prepared;
    int joined = o->base_count > 0 ? o->base_count : 0;
    COB_TRY(check_memory(t, o->max_memory, err));
    if (t->algorithm.method->members && joined == 0)
        COB_TRY(cob_members_usual(t, &joined, err));
    t->method = (cob_method_problem){.x = p->x,
                                     .rows = cobloc_matrix_by_rows(p->x),
                                     .cols = cobloc_matrix_by_cols(p->x),
                                     .weight = p->how.weight,
                                     .k = t->k,
                                     .l = t->l,
                                     .inference = o->inference,
                                     .start = o->start,
                                     .start_rows = p->start_rows,
                                     .start_cols = p->start_cols,
                                     .fix_rows = p->fix_rows,
                                     .fix_cols = p->fix_cols,
                                     .base = p->base,
                                     .base_count = joined,
                                     .max_iterations = o->max_iterations,
                                     .tolerance = o->tolerance,
                                     .seed = o->seed,
                                     .threads = o->threads,
                                     .watch = &t->watch};
    if (t->algorithm.method->prepare)
        COB_TRY(t->algorithm.method->prepare(&t->method, &t->method_shared, err));
    t->method.shared = t->method_shared;
done:
    return status;
}

static void task_free(cob_task *t)
{
    if (t->method_shared)
        t->algorithm.method->release(t->method_shared);
    cob_start_lines_free(&t->data);
    if (!t->data.shared || t->data.shared->points != t->data.points)
        cob_free(t->data.points);
    cob_problem_free(&t->problem);
    cob_prepared_free(&t->prepared);
    cob_ranks_close(t->group);
    cob_ranks_close(t->ranks);
}

static bool is_intact(const void *matrix)
{
    return cob_matrix_is_intact(matrix);
}

/* What was sent by all ranks, and visited in the best start by those that shared it. */
static cobloc_status count_messages(const cob_task *t, cobloc_result *r, cobloc_error *err)
{
    const cob_ranks *group = t->group;
    double entries = (double)t->prepared.x->nnz;
    bool had = r->best_restart % t->groups == t->own;
    r->ranks = t->ranks ? t->ranks->size : 1;
    if (!t->ranks)
        return COBLOC_OK;
    r->messages = t->ranks->messages + (group ? group->messages : 0);
    int64_t sums[] = {t->ranks->bytes + (group ? group->bytes : 0),
                      had ? llrint(r->row_passes * entries) : 0,
                      had ? llrint(r->col_passes * entries) : 0};
    if (!cob_ranks_add(t->ranks, sums, 3))
        return cob_ranks_check(t->ranks, err);
    r->bytes_sent = sums[0];
    r->row_passes = (double)sums[1] / entries;
    r->col_passes = (double)sums[2] / entries;
    return COBLOC_OK;
}

/* ---- fitting --------------------------------------------------------------------------------- */

static cobloc_status set_up(cob_task *t, const cobloc_matrix *matrix, cob_copies *copies,
                            const cobloc_fit_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_prepare(matrix, copies, o, &t->algorithm, t->k, t->l, t->group, &t->prepared, err));
    COB_TRY((t->algorithm.model ? set_up_model : set_up_method)(t, o, err));
done:
    return status;
}

static cobloc_status conclude(const cob_task *t, const cobloc_matrix *matrix,
                              const cob_outcome *best, cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_matrix_verify(matrix, NULL, err)); /* the file may have changed meanwhile */
    COB_TRY(cob_make_result(matrix, t, best, out, err));
    COB_TRY(cob_assess(t, best, *out, err));
done:
    return status;
}

cobloc_status cob_fit_sharing(const cobloc_matrix *matrix, cob_copies *copies,
                              const cobloc_fit_options *asked, const cob_algorithm *algorithm,
                              cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double started = cob_clock();
    cobloc_fit_options own = cob_algorithm_options(algorithm, asked), *options = &own;
    cob_task task = {.algorithm = *algorithm,
                     .k = options->k,
                     .inference = options->inference,
                     .start = options->start,
                     .seed = options->seed,
                     .restarts = options->restarts,
                     .until_same = options->until_same,
                     .threads = options->threads,
                     .watch = {.progress = options->progress,
                               .restarts = options->restarts,
                               .intact = is_intact,
                               .data = matrix}};
    cob_outcome best = {0};
    cob_restarts restarts = {0};
    cobloc_result *result = NULL;
    int before =
        cob_threads_begin(options->threads, (double)matrix->nnz * options->restarts * options->k);
    task.standing.model = algorithm->name;
    task.watch.standing = &task.standing;
    task.watch.made = &task.progress_made;
    task.watch.deadline = options->max_seconds > 0 ? started + options->max_seconds : INFINITY;
    COB_TRY(check_options(options, algorithm, &task.l, err));
    COB_TRY(cob_check_budget(matrix, options->max_memory, err));
    COB_TRY(join_ranks(&task, options, matrix, err));
    if ((task.kept = options->kept)) {
        task.keep_every = options->checkpoint_seconds;
        COB_TRY(cob_checkpoint_key(task.kept, matrix, options, algorithm->name, &task.key, err));
    }
    COB_TRY(cob_group_begin(task.ranks, err));
    status = set_up(&task, matrix, copies, options, err);
    COB_TRY(cob_group_end(task.ranks, task.group, status, err));
    COB_TRY(cob_run_restarts(&task, &restarts, &best, err));
    COB_TRY(cob_group_begin(task.ranks, err));
    status = conclude(&task, matrix, &best, &result, err);
    COB_TRY(cob_group_end(task.ranks, task.group, status, err));
    if (restarts.stop != COBLOC_STOP_CONVERGED)
        result->stop = restarts.stop;
    result->restarts = cob_restarts_made(&task, &restarts, &best);
    result->r_hat =
        cob_r_hat(&restarts, options->restarts, result->parameter_count * result->k * result->l);
    result->restart_criteria = restarts.criteria;
    restarts.criteria = NULL;
    snprintf(result->device, sizeof result->device, "%s",
             task.problem.held ? task.problem.device->name : "cpu");
    COB_TRY(count_messages(&task, result, err));
    result->seconds = cob_clock() - started;
    *out = result;
    result = NULL;
done:
    cob_threads_end(before);
    cobloc_result_free(result);
    cob_outcome_free(&best);
    cob_restarts_free(&restarts);
    task_free(&task);
    return status;
}

cobloc_status cob_fit(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                      const cob_algorithm *algorithm, cobloc_result **out, cobloc_error *err)
{
    return cob_fit_sharing(matrix, NULL, options, algorithm, out, err);
}

static cobloc_status fit_on_device(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                   cobloc_result **out, cobloc_error *err)
{
    cob_algorithm algorithm;
    if (options->k == 0)
        return cob_fit_sized(matrix, options, out, err);
    if (cob_is_auto(options->model))
        return cob_fit_auto(matrix, options, out, err);
    cobloc_status status = cob_algorithm_find(options->model, &algorithm, err);
    return status == COBLOC_OK ? cob_fit(matrix, options, &algorithm, out, err) : status;
}

static cobloc_status fit_keeping(const cobloc_matrix *matrix, const cobloc_fit_options *asked,
                                 cobloc_result **out, cobloc_error *err)
{
    cobloc_fit_options options = *asked;
    cob_budget *budget = NULL;
    if (options.opened) /* several fits share it */
        return fit_on_device(matrix, &options, out, err);
    double work = (double)matrix->nnz * options.restarts / cob_threads(options.threads);
    cobloc_status status = cob_budget_begin(options.max_memory, &budget, err);
    if (status == COBLOC_OK)
        status =
            cob_device_open(options.device, work, options.communicator.rank, &options.opened, err);
    if (status == COBLOC_OK)
        status = fit_on_device(matrix, &options, out, err);
    if (status == COBLOC_OK)
        (*out)->threads = asked->threads;
    cob_device_close(options.opened);
    cob_budget_end(budget);
    return status;
}

cobloc_status cobloc_fit(const cobloc_matrix *matrix, const cobloc_fit_options *asked,
                         cobloc_result **out, cobloc_error *err)
{
    cobloc_fit_options options = *asked;
    if (options.kept || (!options.checkpoint && !options.resume)) /* several fits share it */
        return fit_keeping(matrix, &options, out, err);
    cobloc_status status = cob_checkpoint_open(matrix, &options, "fit", NULL, &options.kept, err);
    if (status == COBLOC_OK)
        status = fit_keeping(matrix, &options, out, err);
    bool whole = status == COBLOC_OK && (*out)->stop != COBLOC_STOP_TIME &&
                 (*out)->stop != COBLOC_STOP_CANCELLED;
    return cob_checkpoint_close(options.kept, status, whole, err);
}
