/* The fits of a selection: every size from its own starts, then from its neighbours.
 * SPDX-License-Identifier: MIT
 */
#include "select/fits.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* ---- one fit --------------------------------------------------------------------------------- */

static int report(void *user, const char *what, double done)
{
    const cob_selecting *w = user;
    const cobloc_progress *p = &w->options->fit.progress;
    return p->report(p->user, what,
                     w->begun + (1 - w->begun) * (w->done + done * w->step) / w->all);
}

static bool is_over(cob_selecting *w)
{
    if (w->selection->stop == COBLOC_STOP_CONVERGED && cob_clock() > w->deadline)
        w->selection->stop = COBLOC_STOP_TIME;
    return w->selection->stop != COBLOC_STOP_CONVERGED;
}

static cobloc_fit_options options_for(cob_selecting *w, const cobloc_size *size)
{
    cobloc_fit_options o = w->options->fit;
    o.model = size->model;
    o.k = size->k;
    o.l = size->l;
    if (o.max_seconds > 0)
        o.max_seconds = fmax(w->deadline - cob_clock(), 1e-9);
    if (o.progress.report)
        o.progress = (cobloc_progress){report, w};
    return o;
}

static bool better_result(const cobloc_result *a, const cobloc_result *b)
{
    cob_algorithm algorithm = cob_algorithm_of(a->model);
    return !b ||
           cob_algorithm_prefers(&algorithm, a->criterion, a->repaired, b->criterion, b->repaired);
}

/* Puts the criteria of all starts of `before` (NULL or of the same size) before its own. */
static cobloc_status remember_starts(cobloc_result *r, const cobloc_result *before,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *all = NULL;
    int earlier = before ? before->restarts : 0;
    if (earlier == 0)
        return COBLOC_OK;
    COB_NEW(all, earlier + r->restarts);
    memcpy(all, before->restart_criteria, (size_t)earlier * sizeof *all);
    memcpy(all + earlier, r->restart_criteria, (size_t)r->restarts * sizeof *all);
    cob_free(r->restart_criteria);
    r->restart_criteria = all;
    r->restarts += earlier;
    r->best_restart += earlier;
done:
    return status;
}

/* Keeps the better of two results of a size, with the starts of both. */
static cobloc_status keep_better(cobloc_size *size, cobloc_result *result, cobloc_origin origin,
                                 cobloc_error *err)
{
    cobloc_status status = remember_starts(result, size->result, err);
    if (status != COBLOC_OK) {
        cobloc_result_free(result);
        return status;
    }
    if (better_result(result, size->result)) {
        cobloc_result_free(size->result);
        size->result = result;
        size->origin = origin;
        return COBLOC_OK;
    }
    double *all = result->restart_criteria;
    result->restart_criteria = size->result->restart_criteria;
    size->result->restart_criteria = all;
    size->result->restarts = result->restarts;
    cobloc_result_free(result);
    return COBLOC_OK;
}

static int starts_of(const cobloc_fit_options *o, const char *model)
{
    cob_algorithm a = cob_algorithm_of(model);
    return cob_algorithm_options(&a, o).restarts;
}

/* Fits, and keeps the result if it is better than the size's current one. */
static cobloc_status fit_size(cob_selecting *w, cobloc_size *size, const cobloc_fit_options *o,
                              cobloc_origin origin, cobloc_error *err)
{
    cobloc_result *result = NULL;
    w->step = starts_of(o, size->model);
    cobloc_status status = cobloc_fit(w->matrix, o, &result, err);
    if (status != COBLOC_OK)
        return cob_fail_at(err, status, "%s, size %d: ", size->model, size->k);
    w->done += w->step;
    size->seconds += result->seconds;
    if (result->stop == COBLOC_STOP_CANCELLED || result->stop == COBLOC_STOP_TIME)
        w->selection->stop = result->stop;
    return keep_better(size, result, origin, err);
}

/* ---- neighbours ------------------------------------------------------------------------------ */

/* The sizes of one model are contiguous: curve[from] to curve[to - 1]. */
typedef struct stretch {
    int from, to;
    bool grid; /* numbers of row and column clusters vary independently */
    cob_neighbourhood around;
    int32_t *rows, *cols;
} stretch;

/* The size `step` clusters away in rows, columns or both, from which the size at `place` can start;
 * NULL if there is none. `along` is 0 or 1: a grid has two neighbours in each direction. */
static const cobloc_size *neighbour(const cob_selecting *w, const stretch *s, int place, int step,
                                    int along)
{
    const cobloc_size *at = &w->selection->curve[place];
    for (int i = s->from; i < s->to; i++) {
        const cobloc_size *other = &w->selection->curve[i];
        int k = other->k - at->k, l = other->l - at->l;
        if (s->grid ? k == (along ? 0 : step) && l == (along ? step : 0) : k == step && !along)
            return other;
    }
    return NULL;
}

static cobloc_status start_from(cob_selecting *w, stretch *s, cobloc_size *size,
                                const cobloc_size *from, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool merge = from->k + from->l > size->k + size->l;
    double started = cob_clock();
    if (merge)
        COB_TRY(
            cob_merged_labels(&s->around, from->result, size->k, size->l, s->rows, s->cols, err));
    else
        COB_TRY(
            cob_split_labels(&s->around, from->result, size->k, size->l, s->rows, s->cols, err));
    size->seconds += cob_clock() - started;
    cobloc_fit_options o = options_for(w, size);
    o.start = COBLOC_START_LABELS;
    o.start_rows = s->rows;
    o.start_cols = s->cols;
    o.restarts = 1;
    COB_TRY(fit_size(w, size, &o, merge ? COBLOC_ORIGIN_MERGED : COBLOC_ORIGIN_SPLIT, err));
done:
    return status;
}

/* First downwards, then upwards, so that no size ends worse than a smaller one unless it must. */
static cobloc_status visit_neighbours(cob_selecting *w, stretch *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int step = 1; step >= -1; step -= 2)
        for (int i = s->from; i < s->to; i++) {
            int place = step > 0 ? s->from + s->to - 1 - i : i;
            for (int along = 0; along < 2 && !is_over(w); along++) {
                const cobloc_size *from = neighbour(w, s, place, step, along);
                if (from)
                    COB_TRY(start_from(w, s, &w->selection->curve[place], from, err));
            }
        }
done:
    return status;
}

static cobloc_status fit_stretch(cob_selecting *w, stretch *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_fit_options *o = &w->options->fit;
    const cobloc_size *largest = &w->selection->curve[s->to - 1];
    cob_algorithm a = cob_algorithm_of(largest->model);
    s->grid = !a.structure->clusters && w->options->l_to > 0;
    COB_TRY(cob_neighbourhood_open(w->matrix, o, &a, largest->k, largest->l, &s->around, err));
    s->around.problem.watch.deadline = w->deadline;
    for (int i = s->from; i < s->to && (i == 0 || !is_over(w)); i++) {
        cobloc_fit_options own = options_for(w, &w->selection->curve[i]);
        COB_TRY(fit_size(w, &w->selection->curve[i], &own, COBLOC_ORIGIN_STARTS, err));
    }
    /* Known labels fix the numbers of clusters, so these cannot be merged. */
    if (a.model && !is_over(w) && !o->fix_rows && !o->fix_cols) {
        COB_NEW(s->rows, cobloc_matrix_rows(w->matrix));
        COB_NEW(s->cols, cobloc_matrix_cols(w->matrix));
        COB_TRY(visit_neighbours(w, s, err));
    }
done:
    cob_neighbourhood_close(&s->around);
    cob_free(s->rows);
    cob_free(s->cols);
    return status;
}

cobloc_status cob_fit_sizes(cob_selecting *w, cobloc_error *err)
{
    enum { MOST_NEIGHBOURS = 4 }; /* at most two in each direction */
    cobloc_selection *s = w->selection;
    for (int i = 0; i < s->count; i++)
        w->all += starts_of(&w->options->fit, s->curve[i].model) + MOST_NEIGHBOURS;
    for (int from = 0, to; from < s->count && (from == 0 || !is_over(w)); from = to) {
        for (to = from + 1; to < s->count && s->curve[to].model == s->curve[from].model;)
            to++;
        stretch one = {.from = from, .to = to};
        cobloc_status status = fit_stretch(w, &one, err);
        if (status != COBLOC_OK)
            return status;
    }
    while (s->count > 1 && !s->curve[s->count - 1].result) /* there was no time for these */
        s->count--;
    return COBLOC_OK;
}
