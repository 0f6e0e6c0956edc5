/* cobloc_ensemble: members from fits or from elsewhere, the selection of good ones, and their
 * consensus.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ensemble/ensemble.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "fit/algorithm.h"
#include "fit/members.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_K = 12 };

/* The share of the work that is spent on the members, for progress. */
static const double MEMBERS_SHARE = 0.6;

/* ---- the work -------------------------------------------------------------------------------- */

typedef struct work {
    const cobloc_matrix *matrix;
    const cobloc_ensemble_options *options;
    const cobloc_matrix *x; /* weighted for the members */
    cobloc_matrix *weighted;
    int fits;  /* number of members to make, */
    int count; /* and together with the given ones */
    cob_base_fit *plan;
    cob_member *members; /* given ones first */
    cob_watch watch;
    double started;
    cobloc_copartition *kept;
    cobloc_consensus *consensus;
} work;

/* No more clusters than a small matrix allows. */
static int at_most(const cobloc_matrix *matrix, int wanted)
{
    int64_t rows = cobloc_matrix_rows(matrix) - cobloc_matrix_empty_rows(matrix);
    int64_t cols = cobloc_matrix_cols(matrix) - cobloc_matrix_empty_cols(matrix);
    int64_t fewest = rows < cols ? rows : cols;
    return fewest < wanted ? (int)fewest : wanted;
}

static bool joins(const char *name)
{
    cob_algorithm a;
    return name && cob_algorithm_named(name, &a) && a.method && a.method->members;
}

static cobloc_status check_options(const cobloc_ensemble_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(joins(o->method), COBLOC_BAD_ARGUMENT,
              "'%s' does not join co-clusterings, expected ebco or coce",
              o->method ? o->method : "");
    COB_CHECK(o->k > 0 || o->k_to == 0 || o->k_from <= o->k_to, COBLOC_BAD_ARGUMENT,
              "the sizes to choose among are %d to %d, expected a range", o->k_from, o->k_to);
    COB_CHECK(o->size_to == 0 || o->size_from <= o->size_to, COBLOC_BAD_ARGUMENT,
              "the sizes of the members are %d to %d, expected a range", o->size_from, o->size_to);
    COB_CHECK(o->given_count >= 0 && (o->given_count > 0 || !o->models || o->model_count > 0),
              COBLOC_BAD_ARGUMENT,
              "there are no co-clusterings to join, and no models to make any");
done:
    return status;
}

/* ---- members --------------------------------------------------------------------------------- */

/* One fit for each model, size and run, each with its own seed. */
static cobloc_status plan_fits(work *w, cobloc_error *err)
{
    static const char *const usual[] = {"dcc"};
    cobloc_status status = COBLOC_OK;
    const cobloc_ensemble_options *o = w->options;
    const char *const *models = o->models ? o->models : usual;
    int count = o->models ? o->model_count : o->given_count > 0 ? 0 : 1;
    int to = o->size_to ? o->size_to : at_most(w->matrix, COB_MOST_SIZE);
    int from = o->size_from < to ? o->size_from : to, given = o->given_count;
    size_t all = (size_t)count * (size_t)(to - from + 1) * (size_t)o->runs;
    COB_CHECK(all <= 100000, COBLOC_BAD_ARGUMENT, "%zu co-clusterings are too many to make", all);
    COB_NEW(w->plan, all);
    COB_NEW_ZERO(w->members, all + (size_t)given);
    COB_NEW_ZERO(w->consensus->members, all + (size_t)given);
    for (int m = 0; m < count; m++) {
        cob_algorithm a = {0}; /* whose name outlives the options */
        COB_TRY(cob_algorithm_find(models[m], &a, err));
        for (int k = from; k <= to; k++)
            for (int run = 0; run < o->runs; run++) {
                uint64_t seed = o->seed + (uint64_t)k + 10007 * (uint64_t)run;
                w->consensus->members[given + w->fits] = (cobloc_member){
                    .model = a.name, .k = k, .run = run, .seed = seed, .modularity = NAN};
                w->plan[w->fits++] = (cob_base_fit){a.name, k, seed};
            }
    }
    w->count = w->consensus->count = given + w->fits;
done:
    return status;
}

static cobloc_status count_clusters(const int32_t *labels, int64_t count, const char *what,
                                    int *clusters, cobloc_error *err)
{
    enum { MOST_CLUSTERS = 10000 };
    cobloc_status status = COBLOC_OK;
    *clusters = 0;
    for (int64_t i = 0; i < count; i++) {
        COB_CHECK(labels[i] >= -1 && labels[i] < MOST_CLUSTERS, COBLOC_BAD_DATA,
                  "the label of %s %lld is %d, expected -1 to %d", what, (long long)(i + 1),
                  (int)labels[i], MOST_CLUSTERS - 1);
        if (labels[i] >= *clusters)
            *clusters = labels[i] + 1;
    }
done:
    return status;
}

static cobloc_status take_one(work *w, int place, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_copartition *given = &w->options->given[place];
    cobloc_member *member = &w->consensus->members[place];
    int l;
    *member = (cobloc_member){.run = place, .modularity = NAN};
    COB_TRY(cob_copy_text(given->name, &member->name, err));
    COB_TRY(cob_copartition_check(given, w->x->rows, w->x->cols, err));
    COB_TRY(count_clusters(given->row_labels, w->x->rows, "row", &member->k, err));
    if (given->col_labels)
        COB_TRY(count_clusters(given->col_labels, w->x->cols, "column", &l, err));
    COB_TRY(
        cob_member_make(w->x, given, cob_threads(w->options->threads), &w->members[place], err));
done:
    if (status != COBLOC_OK)
        cob_fail_at(err, status, "co-clustering %d: ", place + 1);
    return status;
}

static cobloc_status make_members(work *w, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_ensemble_options *o = w->options;
    cobloc_consensus *c = w->consensus;
    bool own = o->weight == COBLOC_WEIGHT_AUTO;
    cob_base_settings settings = {own ? COBLOC_WEIGHT_AUTO : COBLOC_WEIGHT_NONE, o->base_restarts,
                                  o->threads, &w->watch, MEMBERS_SHARE};
    COB_TRY(plan_fits(w, err));
    for (int i = 0; i < o->given_count; i++)
        COB_TRY(take_one(w, i, err));
    COB_TRY(cob_members_fit(w->x, w->plan, w->fits, &settings, w->members + o->given_count, err));
    for (int i = 0; i < c->count; i++)
        if (w->members[i].rows)
            c->members[i].modularity = w->members[i].modularity;
    cob_members_keep(w->members, c->count, o->keep);
    COB_NEW(w->kept, c->count);
    for (int i = 0; i < c->count; i++)
        if (w->members[i].rows) {
            c->members[i].kept = 1;
            w->kept[c->kept++] = (cobloc_copartition){
                .row_labels = w->members[i].rows, .col_labels = w->members[i].cols, .paired = 1};
        }
done:
    return status;
}

/* ---- the consensus --------------------------------------------------------------------------- */

static int report_rest(void *user, const char *what, double done)
{
    const work *w = user;
    const cobloc_progress *p = &w->options->progress;
    return p->report(p->user, what, MEMBERS_SHARE + (1 - MEMBERS_SHARE) * done);
}

cobloc_fit_options cob_consensus_fit(const cobloc_ensemble_options *o)
{
    cobloc_fit_options f;
    cob_fit_options_default(&f);
    f.model = o->method;
    f.k = o->k;
    f.weight = o->weight == COBLOC_WEIGHT_AUTO ? COBLOC_WEIGHT_NONE : o->weight;
    f.restarts = o->restarts;
    f.max_iterations = o->max_iterations;
    f.seed = o->seed;
    f.threads = o->threads;
    return f;
}

static cobloc_status make_consensus(work *w, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_ensemble_options *o = w->options;
    cobloc_consensus *c = w->consensus;
    cobloc_select_options s;
    cob_select_options_default(&s);
    s.fit = cob_consensus_fit(o);
    s.fit.base = w->kept;
    s.fit.base_count = c->kept;
    if (o->max_seconds > 0)
        s.fit.max_seconds = fmax(w->started + o->max_seconds - cob_clock(), 1e-9);
    if (o->progress.report)
        s.fit.progress = (cobloc_progress){report_rest, w};
    if (o->k > 0) {
        COB_TRY(cobloc_fit(w->matrix, &s.fit, &c->result, err));
    } else {
        s.by = COBLOC_BY_MODULARITY;
        s.within = o->within;
        s.k_to = o->k_to ? o->k_to : at_most(w->matrix, MOST_K);
        s.k_from = o->k_from < s.k_to ? o->k_from : s.k_to;
        COB_TRY(cobloc_select(w->matrix, &s, &c->selection, err));
        c->result = c->selection->curve[c->selection->chosen].result;
    }
done:
    return status;
}

static void work_free(work *w)
{
    cobloc_matrix_free(w->weighted);
    cob_free(w->plan);
    cob_members_free(w->members, w->count);
    cob_free(w->kept);
    cobloc_consensus_free(w->consensus);
}

cobloc_status cobloc_ensemble(const cobloc_matrix *matrix, const cobloc_ensemble_options *options,
                              cobloc_consensus **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    work w = {.matrix = matrix, .options = options, .x = matrix, .started = cob_clock()};
    w.watch = (cob_watch){.progress = options->progress,
                          .restarts = 1,
                          .deadline = options->max_seconds > 0 ? w.started + options->max_seconds
                                                               : INFINITY};
    COB_MAKE(w.consensus, cob_consensus_type);
    COB_TRY(check_options(options, err));
    COB_TRY(cobloc_matrix_verify(matrix, err));
    COB_CHECK(cobloc_matrix_nnz(matrix) > 0, COBLOC_BAD_DATA, "the matrix holds no entries at all");
    if (options->weight != COBLOC_WEIGHT_NONE && options->weight != COBLOC_WEIGHT_AUTO) {
        COB_TRY(cobloc_matrix_weighted(matrix, options->weight, &w.weighted, err));
        w.x = w.weighted;
    }
    COB_TRY(make_members(&w, err));
    COB_TRY(make_consensus(&w, err));
    w.consensus->seconds = cob_clock() - w.started;
    *out = w.consensus;
    w.consensus = NULL;
done:
    work_free(&w);
    return status;
}
