/* cobloc_compare: every contender, every run, in parallel.
 * SPDX-License-Identifier: MIT
 */
#include "compare/compare.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what all runs share --------------------------------------------------------------------- */

typedef struct comparing {
    const cobloc_matrix *matrix;
    const int32_t *truth;
    const cobloc_compare_options *options;
    cob_algorithm *algorithms; /* one per contender */
    cob_copies copies;
    cob_runs_file *file; /* or NULL */

    /* Modified by all threads, inside the critical section. */
    cobloc_comparison *comparison;
    double *parts, made; /* the completed fraction of each run, and their sum */
    cobloc_error failure;
    bool over;
} comparing;

/* One run. */
typedef struct one_run {
    comparing *comparing;
    int contender, run;
} one_run;

/* Receives the progress of one fit and reports that of the whole comparison. */
static int report_progress(void *user, const char *what, double done)
{
    const one_run *l = user;
    comparing *r = l->comparing;
    const cobloc_progress *progress = &r->options->progress;
    int stop;
    (void)what;
#pragma omp critical(cob_compare)
    {
        double *part = &r->parts[l->contender * r->options->runs + l->run];
        r->made += fmax(done - *part, 0);
        *part = fmax(done, *part);
        double all = r->made / ((double)r->options->count * r->options->runs);
        if (!r->over && progress->report &&
            progress->report(progress->user, "comparing", all) != 0) {
            r->over = true;
            r->comparison->stopped = 1;
        }
        stop = r->over;
    }
    return stop;
}

/* ---- one run --------------------------------------------------------------------------------- */

static cobloc_status fit_and_score(one_run *l, cobloc_compared_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    comparing *r = l->comparing;
    cobloc_result *result = NULL;
    cobloc_scores scores;
    cobloc_fit_options o = r->options->contenders[l->contender].options;
    o.seed = r->options->seed + (uint64_t)l->run;
    o.threads = 1;
    o.progress = (cobloc_progress){report_progress, l};
    o.communicator = (cobloc_communicator){0}; /* several run at the same time */
    COB_TRY(cob_fit_sharing(r->matrix, &r->copies, &o, &r->algorithms[l->contender], &result, err));
    COB_TRY(cob_score(result->row_labels, r->truth, result->n, &scores, err));
    *run = (cobloc_compared_run){.done = result->stop != COBLOC_STOP_CANCELLED,
                                 .seed = o.seed,
                                 .acc = scores.acc,
                                 .nmi = scores.nmi,
                                 .ari = scores.ari,
                                 .sdcs = scores.sdcs,
                                 .criterion = result->criterion,
                                 .seconds = result->seconds,
                                 .iterations = result->iterations,
                                 .repaired = result->repaired};
    /* A run cut short by the time limit is not reproducible, so it is not kept. */
    if (r->file && run->done && result->stop != COBLOC_STOP_TIME && isfinite(run->criterion)) {
#pragma omp critical(cob_compare)
        status = cob_runs_add(r->file, &r->options->contenders[l->contender],
                              r->comparison->methods[l->contender].weight, run, err);
    }
done:
    cobloc_result_free(result);
    return status;
}

/* Whether a failure concerns the contender only, not the whole comparison. */
static bool is_refusal(cobloc_status status)
{
    return status == COBLOC_BAD_ARGUMENT || status == COBLOC_BAD_DATA ||
           status == COBLOC_UNSUPPORTED;
}

static void finish_run(one_run *l, cobloc_status status, const cobloc_compared_run *run,
                       const cobloc_error *err)
{
    comparing *r = l->comparing;
    cobloc_compared *method = &r->comparison->methods[l->contender];
#pragma omp critical(cob_compare)
    {
        if (status == COBLOC_OK) {
            method->runs[l->run] = *run;
        } else if (is_refusal(status)) {
            if (method->failure.status == COBLOC_OK)
                method->failure = *err;
        } else {
            if (r->failure.status == COBLOC_OK)
                r->failure = *err;
            r->over = true;
        }
    }
    report_progress(l, NULL, 1);
}

/* Goes run by run rather than contender by contender: after an early stop there are some runs of
 * each. */
static void run_all(comparing *r)
{
    int count = r->options->count, jobs = count * r->options->runs;
    int threads = cob_threads(r->options->threads);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads < jobs ? threads : jobs)
    for (int job = 0; job < jobs; job++) {
        one_run l = {r, job % count, job / count};
        cobloc_compared *method = &r->comparison->methods[l.contender];
        cobloc_compared_run run = {0};
        cobloc_error err = {COBLOC_OK, ""};
        bool skip;
#pragma omp critical(cob_compare)
        skip = r->over || method->failure.status != COBLOC_OK || method->runs[l.run].done;
        if (skip)
            report_progress(&l, NULL, 1);
        else
            finish_run(&l, fit_and_score(&l, &run, &err), &run, &err);
    }
}

/* ---- summaries ------------------------------------------------------------------------------- */

static double value_at(const cobloc_compared_run *run, size_t offset)
{
    double value;
    memcpy(&value, (const char *)run + offset, sizeof value);
    return value;
}

static cobloc_spread spread_of(const cobloc_compared *m, int runs, size_t offset)
{
    cobloc_spread s = {NAN, NAN, NAN};
    double sum = 0, squares = 0;
    for (int i = 0; i < runs; i++)
        sum += m->runs[i].done ? value_at(&m->runs[i], offset) : 0;
    if (m->done == 0)
        return s;
    s.mean = sum / m->done;
    for (int i = 0; i < runs; i++)
        if (m->runs[i].done)
            squares += pow(value_at(&m->runs[i], offset) - s.mean, 2);
    s.sd = m->done > 1 ? sqrt(squares / (m->done - 1)) : NAN;
    s.best = value_at(&m->runs[m->best_run], offset);
    return s;
}

/* Runs that keep all their clusters on their own rank before those that had to be kept from losing
 * one. */
static bool better(const cobloc_compared_run *a, const cobloc_compared_run *b, bool minimised)
{
    if ((a->repaired == 0) != (b->repaired == 0))
        return a->repaired == 0;
    return minimised ? a->criterion < b->criterion : a->criterion > b->criterion;
}

static void summarise(cobloc_compared *m, int runs, bool minimised)
{
    m->best_run = -1;
    for (int i = 0; i < runs; i++) {
        m->done += m->runs[i].done;
        if (m->runs[i].done &&
            (m->best_run < 0 || better(&m->runs[i], &m->runs[m->best_run], minimised)))
            m->best_run = i;
    }
    m->acc = spread_of(m, runs, offsetof(cobloc_compared_run, acc));
    m->nmi = spread_of(m, runs, offsetof(cobloc_compared_run, nmi));
    m->ari = spread_of(m, runs, offsetof(cobloc_compared_run, ari));
    m->sdcs = spread_of(m, runs, offsetof(cobloc_compared_run, sdcs));
    m->criterion = spread_of(m, runs, offsetof(cobloc_compared_run, criterion));
    m->seconds = spread_of(m, runs, offsetof(cobloc_compared_run, seconds));
}

/* The finished contender with the largest mean NMI, except `but`; -1: none. */
static int best_of(const cobloc_comparison *c, int but)
{
    int best = -1;
    for (int i = 0; i < c->count; i++)
        if (i != but && c->methods[i].done > 0 &&
            (best < 0 || c->methods[i].nmi.mean > c->methods[best].nmi.mean))
            best = i;
    return best;
}

static cobloc_status test_best_two(cobloc_comparison *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *first = NULL, *second = NULL;
    int pairs = 0;
    c->first = best_of(c, -1);
    c->second = best_of(c, c->first);
    if (c->second < 0)
        return COBLOC_OK;
    COB_NEW(first, c->runs);
    COB_NEW(second, c->runs);
    for (int r = 0; r < c->runs; r++) {
        const cobloc_compared_run *a = &c->methods[c->first].runs[r];
        const cobloc_compared_run *b = &c->methods[c->second].runs[r];
        if (a->done && b->done) {
            first[pairs] = a->nmi;
            second[pairs++] = b->nmi;
        }
    }
    if (pairs >= 2)
        COB_TRY(cob_test_paired(first, second, pairs, &c->test, err));
done:
    cob_free(first);
    cob_free(second);
    return status;
}

/* ---- the comparison -------------------------------------------------------------------------- */

static cobloc_status check_options(const cobloc_compare_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(o->count >= 1 && o->count <= 10000, COBLOC_BAD_ARGUMENT,
              "%d methods to compare, expected 1 to 10000", o->count);
done:
    return status;
}

static cobloc_status set_up(comparing *r, cobloc_comparison *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_compare_options *o = r->options;
    r->comparison = c;
    c->first = c->second = -1;
    c->count = o->count;
    c->runs = o->runs;
    COB_NEW_ZERO(c->methods, o->count);
    COB_NEW_ZERO(r->algorithms, o->count);
    COB_NEW_ZERO(r->parts, (size_t)o->count * (size_t)o->runs);
    COB_TRY(cobloc_matrix_verify(r->matrix, err));
    for (int i = 0; i < o->count; i++) {
        const cobloc_fit_options *f = &o->contenders[i].options;
        cobloc_compared *m = &c->methods[i];
        COB_TRY(cob_algorithm_find(f->model, &r->algorithms[i], err));
        const char *name = o->contenders[i].name;
        snprintf(m->name, sizeof m->name, "%s", *name ? name : f->model);
        m->model = r->algorithms[i].name;
        m->criterion_name = r->algorithms[i].criterion;
        m->inference = cob_algorithm_options(&r->algorithms[i], f).inference;
        m->weight = cob_algorithm_weight(&r->algorithms[i], f->weight);
        COB_NEW_ZERO(m->runs, o->runs);
        m->run_count = o->runs;
        COB_TRY(cob_copies_make(&r->copies, r->matrix,
                                cob_algorithm_weighing(&r->algorithms[i], f->weight), err));
    }
    if (o->runs_file)
        COB_TRY(cob_runs_open(r->matrix, r->truth, o, c, &r->file, err));
done:
    return status;
}

/* A truth without any labels has no classes; each fit reports that. */
static cobloc_status measure_truth(const int32_t *truth, int64_t count, double *sdcs,
                                   cobloc_error *err)
{
    cobloc_scores scores;
    cobloc_status status = cob_score(truth, truth, count, &scores, err);
    *sdcs = status == COBLOC_OK ? scores.sdcs : NAN;
    return is_refusal(status) ? COBLOC_OK : status;
}

cobloc_status cobloc_compare(const cobloc_matrix *matrix, const int32_t *truth,
                             const cobloc_compare_options *options, cobloc_comparison **out,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_comparison *c = NULL;
    comparing r = {.matrix = matrix, .truth = truth, .options = options};
    COB_TRY(check_options(options, err));
    COB_MAKE(c, cob_comparison_type);
    COB_TRY(set_up(&r, c, err));
    COB_TRY(measure_truth(truth, matrix->rows, &c->truth_sdcs, err));
    run_all(&r);
    COB_CHECK(r.failure.status == COBLOC_OK, r.failure.status, "%s", r.failure.message);
    for (int i = 0; i < c->count; i++)
        summarise(&c->methods[i], c->runs, r.algorithms[i].minimised);
    COB_TRY(test_best_two(c, err));
    *out = c;
    c = NULL;
done:
    cobloc_comparison_free(c);
    cob_copies_free(&r.copies);
    cob_runs_close(r.file);
    cob_free(r.algorithms);
    cob_free(r.parts);
    return status;
}
