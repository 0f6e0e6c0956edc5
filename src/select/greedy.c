/* A fit that chooses its number of clusters: start with many, merge two at a time, let lines move
 * after each merge, and keep the step with the largest ICL.
 *
 * SPDX-License-Identifier: MIT
 */
#include "select/select.h"

#include "base/alloc.h"
#include "fit/checkpoint.h"

#include <math.h>

typedef struct descent {
    const cobloc_matrix *matrix;
    cobloc_fit_options options; /* of all fits after the first */
    const cobloc_progress *progress;
    cob_neighbourhood around;
    int32_t *rows, *cols;
    double deadline;
    int steps, step;  /* number of merge steps in total, and the current one */
    cob_tried *tried; /* the sizes on the way, in order */
    int count;
} descent;

static int report(void *user, const char *what, double done)
{
    const descent *d = user;
    return d->progress->report(d->progress->user, what, (d->step + fmin(done, 1)) / (d->steps + 1));
}

static cobloc_status check(const cobloc_fit_options *o, const cob_algorithm *a, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(a->model && a->model->free_parameters && a->structure->merges, COBLOC_BAD_ARGUMENT,
              "%s cannot choose its number of clusters: that needs a model with a likelihood, such "
              "as plbm, splbm or lbm",
              a->name);
    COB_CHECK(!o->fix_rows && !o->fix_cols && o->start != COBLOC_START_LABELS, COBLOC_BAD_ARGUMENT,
              "known labels need a given number of clusters");
done:
    return status;
}

/* The fit with k and l clusters that starts from the clusters of `from`, merged. */
static cobloc_status fit_merged(descent *d, const cobloc_result *from, int k, int l,
                                cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_fit_options o = d->options;
    COB_TRY(cob_merged_labels(&d->around, from, k, l, d->rows, d->cols, err));
    o.k = k;
    o.l = l;
    if (o.max_seconds > 0)
        o.max_seconds = fmax(d->deadline - cob_clock(), 1e-9);
    COB_TRY(cobloc_fit(d->matrix, &o, out, err));
done:
    return status;
}

/* The best way to have one cluster fewer: of rows, of columns, or of both if they are paired. */
static cobloc_status merge_once(descent *d, const cobloc_result *from, bool paired,
                                cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *fewer_cols = NULL;
    if (paired || from->k > 1)
        COB_TRY(fit_merged(d, from, from->k - 1, paired ? from->l - 1 : from->l, out, err));
    if (paired || from->l == 1)
        goto done;
    COB_TRY(fit_merged(d, from, from->k, from->l - 1, &fewer_cols, err));
    if (!*out || fewer_cols->icl > (*out)->icl) {
        cobloc_result *worse = *out;
        *out = fewer_cols;
        fewer_cols = worse;
    }
done:
    cobloc_result_free(fewer_cols);
    return status;
}

/* Results that keep all their clusters on their own rank before those that had to be kept from
 * losing one. */
static bool preferred(const cobloc_result *a, const cobloc_result *b)
{
    return (a->repaired == 0) != (b->repaired == 0) ? a->repaired == 0 : a->icl > b->icl;
}

static void note(descent *d, const cobloc_result *r)
{
    d->tried[d->count++] = (cob_tried){.k = r->k, .l = r->l, .value = r->icl};
}

static bool went_on(const cobloc_result *result)
{
    return result->stop != COBLOC_STOP_CANCELLED && result->stop != COBLOC_STOP_TIME;
}

/* Merges down to one cluster; *best starts as the first fit. */
static cobloc_status descend(descent *d, bool paired, cobloc_result **best, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_result *now = *best, *next = NULL;
    cobloc_stop stop = now->stop;
    while ((now->k > 1 || now->l > 1) && went_on(now)) {
        d->step++;
        COB_TRY(merge_once(d, now, paired, &next, err));
        if (now != *best)
            cobloc_result_free(now);
        now = next;
        next = NULL;
        stop = now->stop;
        note(d, now);
        if (preferred(now, *best)) {
            cobloc_result_free(*best);
            *best = now;
        }
    }
    if (stop == COBLOC_STOP_CANCELLED || stop == COBLOC_STOP_TIME)
        (*best)->stop = stop;
done:
    if (now != *best)
        cobloc_result_free(now);
    cobloc_result_free(next);
    return status;
}

cobloc_status cobloc_fit_greedy(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                cobloc_result **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double started = cob_clock();
    cob_algorithm a;
    cobloc_result *best = NULL;
    cob_checkpoint *own = NULL;
    descent d = {.matrix = matrix,
                 .options = *options,
                 .progress = &options->progress,
                 .deadline = started + options->max_seconds};
    cobloc_fit_options first = *options;
    d.options.model = first.model = cob_one_model(options->model);
    COB_TRY(cob_algorithm_find(first.model, &a, err));
    COB_TRY(check(options, &a, err));
    COB_TRY(cob_check_time_limit(options, err));
    if (!options->kept) /* else the caller's is shared */
        COB_TRY(cob_checkpoint_open(matrix, options, "fit_greedy", NULL, &own, err));
    if (own)
        d.options.kept = first.kept = own;
    d.steps = 2 * options->k;
    if (options->progress.report)
        d.options.progress = first.progress = (cobloc_progress){report, &d};
    COB_TRY(cob_fit(matrix, &first, &a, &best, err));
    d.steps = a.structure->paired ? best->k - 1 : best->k + best->l - 2;
    COB_TRY(cob_neighbourhood_open(matrix, options, &a, best->k, best->l, &d.around, err));
    COB_NEW(d.rows, d.around.rows);
    COB_NEW(d.cols, d.around.cols);
    COB_NEW(d.tried, d.steps + 1);
    note(&d, best);
    d.options.start = COBLOC_START_LABELS;
    d.options.start_rows = d.rows;
    d.options.start_cols = d.cols;
    d.options.restarts = 1;
    COB_TRY(descend(&d, a.structure->paired, &best, err));
    best->seconds = cob_clock() - started;
    best->sizes = d.tried;
    best->size_count = d.count;
    best->size_rule = cob_choice_names[COBLOC_BY_ICL];
    d.tried = NULL;
    *out = best;
    best = NULL;
done:
    cobloc_result_free(best);
    cob_neighbourhood_close(&d.around);
    cob_free(d.rows);
    cob_free(d.cols);
    cob_free(d.tried);
    return cob_checkpoint_close(own, status, status == COBLOC_OK && went_on(*out), err);
}
