/* cobloc_fit.
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/alloc.h"
#include "models/registry.h"

#include <math.h>
#include <string.h>

enum { RESTARTS = 6, ITERATIONS = 200, STOCHASTIC = 50, BURN_IN = 35 };
static const double TOLERANCE = 1e-9, TEMPERATURE = 0.05;

void cobloc_fit_options_default(cobloc_fit_options *options)
{
    *options = (cobloc_fit_options){.model = "coclus",
                                    .restarts = RESTARTS,
                                    .max_iterations = ITERATIONS,
                                    .tolerance = TOLERANCE,
                                    .seed = 1};
}

const char *cobloc_inference_name(cobloc_inference inference)
{
    static const char *const names[] = {"hard", "soft", "stochastic", "svem"};
    return inference >= COBLOC_HARD && inference <= COBLOC_SVEM ? names[inference] : "unknown";
}

const char *cobloc_stop_name(cobloc_stop stop)
{
    static const char *const names[] = {"converged", "iterations", "time", "cancelled"};
    return stop >= COBLOC_STOP_CONVERGED && stop <= COBLOC_STOP_CANCELLED ? names[stop] : "unknown";
}

int cobloc_model_count(void)
{
    int count = 0;
    while (cob_model_at(count))
        count++;
    return count;
}

const char *cobloc_model_name(int index)
{
    return cob_model_at(index) ? cob_model_at(index)->name : NULL;
}

const char *cobloc_model_title(int index)
{
    return cob_model_at(index) ? cob_model_at(index)->title : NULL;
}

const char *cobloc_model_criterion(int index)
{
    return cob_model_at(index) ? cob_model_at(index)->criterion : NULL;
}

int cobloc_model_is_diagonal(int index)
{
    return cob_model_at(index) && cob_model_at(index)->diagonal;
}

int cobloc_model_has_probabilities(int index)
{
    return cob_model_at(index) && cob_model_at(index)->likelihood;
}

/* ---- options --------------------------------------------------------------------------------- */

static cobloc_status column_clusters(const cob_model *model, const cobloc_fit_options *o, int *l,
                                     cobloc_error *err)
{
    int own = model->diagonal ? o->k : model->col_clusters ? model->col_clusters(o->k) : 0;
    *l = own ? own : o->l ? o->l : o->k;
    if (own && o->l && o->l != own)
        return cob_fail(err, COBLOC_BAD_ARGUMENT,
                        "%s with %d row clusters has %d column clusters, not %d", model->name, o->k,
                        own, o->l);
    return COBLOC_OK;
}

static cobloc_status check_options(const cobloc_fit_options *o, const cob_model **model, int *l,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *model = o->model ? cob_model_named(o->model) : NULL;
    COB_CHECK(*model, COBLOC_BAD_ARGUMENT, "there is no model '%s'", o->model ? o->model : "");
    COB_CHECK(o->k >= 1 && o->k <= 10000, COBLOC_BAD_ARGUMENT,
              "k is %d, expected 1 to 10000 clusters", o->k);
    COB_CHECK(o->l >= 0 && o->l <= 10000, COBLOC_BAD_ARGUMENT,
              "l is %d, expected 1 to 10000 clusters", o->l);
    COB_CHECK(o->restarts >= 1 && o->max_iterations >= 1 && o->tolerance >= 0, COBLOC_BAD_ARGUMENT,
              "restarts and iterations must be 1 or more, the tolerance 0 or more");
    COB_CHECK(o->inference >= COBLOC_HARD && o->inference <= COBLOC_SVEM, COBLOC_BAD_ARGUMENT,
              "there is no inference number %d", (int)o->inference);
    COB_CHECK((*model)->likelihood || o->inference == COBLOC_HARD ||
                  o->inference == COBLOC_STOCHASTIC,
              COBLOC_BAD_ARGUMENT, "%s has no probabilities: its inference is hard or stochastic",
              o->model);
    COB_TRY(column_clusters(*model, o, l, err));
done:
    return status;
}

/* Starts from k-means need directions, whatever the model makes of the matrix. */
static cobloc_status make_start_data(const cob_prepared *prepared, cobloc_start start,
                                     cob_start_data *data, cobloc_error *err)
{
    *data = (cob_start_data){.rows = prepared->start_rows, .cols = prepared->start_cols};
    if (start == COBLOC_START_RANDOM || (start == COBLOC_START_LABELS && prepared->start_cols))
        return COBLOC_OK;
    return cobloc_matrix_weighted(prepared->x, COBLOC_WEIGHT_TFIDF, &data->directions, err);
}

cobloc_status cobloc_fit(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                         cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_problem problem = {.inference = options->inference,
                           .max_iterations = options->max_iterations,
                           .tolerance = options->tolerance,
                           .temperature = TEMPERATURE,
                           .stochastic = STOCHASTIC,
                           .burn_in = BURN_IN,
                           .seed = options->seed,
                           .progress = options->progress,
                           .settings = {.exact = options->exact != 0}};
    cob_prepared prepared = {0};
    cob_start_data data = {0};
    cob_run *best = NULL;
    cob_restarts restarts = {0};
    cobloc_result *result = NULL;
    double started = cob_clock(), progress_made = 0;
    COB_TRY(check_options(options, &problem.model, &problem.m, err));
    problem.g = options->k;
    problem.restarts = options->restarts;
    problem.progress_made = &progress_made;
    problem.deadline = options->max_seconds > 0 ? started + options->max_seconds : INFINITY;
    COB_TRY(cob_prepare(matrix, options, problem.model, problem.g, problem.m, &prepared, err));
    problem.x = prepared.x;
    problem.row_effects = prepared.row_effects;
    problem.col_effects = prepared.col_effects;
    problem.fix_rows = prepared.fix_rows;
    problem.fix_cols = prepared.fix_cols;
    cob_problem_measure(&problem);
    COB_TRY(make_start_data(&prepared, options->start, &data, err));
    COB_TRY(cob_restarts_alloc(&problem, options->restarts, &restarts, err));
    COB_TRY(cob_run_restarts(&problem, options->start, &data, options->restarts, options->threads,
                             &restarts, &best, err));
    COB_TRY(cob_make_result(matrix, &prepared, best, &result, err));
    COB_TRY(cob_assess(best, result, err));
    result->restarts = options->restarts;
    if (restarts.stop != COBLOC_STOP_CONVERGED)
        result->stop = restarts.stop;
    result->r_hat = cob_r_hat(&restarts, options->restarts, result->k * result->l);
    result->restart_criteria = restarts.criteria;
    restarts.criteria = NULL;
    result->seconds = cob_clock() - started;
    *out = result;
    result = NULL;
done:
    cobloc_result_free(result);
    cob_run_free(best);
    cob_prepared_free(&prepared);
    cobloc_matrix_free(data.directions);
    cob_restarts_free(&restarts);
    return status;
}
