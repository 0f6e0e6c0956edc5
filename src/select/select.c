/* cobloc_select: fits over a range of sizes, each also started from its neighbours.
 * SPDX-License-Identifier: MIT
 */
#include "select/rules.h"

#include "base/alloc.h"
#include "base/record.h"
#include "fit/checkpoint.h"

#include <math.h>
#include <string.h>

/* ---- the work -------------------------------------------------------------------------------- */

typedef struct work {
    const cobloc_matrix *matrix;
    const cobloc_select_options *options;
    const char *const *models;
    int model_count;
    cobloc_selection *selection;
    double deadline;
    double begun;           /* of the progress, before the fits */
    double done, all, step; /* work done, total work and work of the current fit, in starts */
} work;

/* ---- options --------------------------------------------------------------------------------- */

/* Whether the caller can choose the number of column clusters. */
static bool is_free(const cob_algorithm *a)
{
    return !a->structure->clusters;
}

static bool has_icl(const cob_algorithm *a)
{
    return a->model && a->model->free_parameters;
}

/* Densities cannot be compared with the probabilities of counts. */
static bool has_density(const cob_algorithm *a)
{
    return a->model->law == COB_LAW_GAUSSIAN;
}

static cobloc_status check_ranges(const cobloc_select_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(o->k_from >= 1 && (o->k_to == 0 || o->k_to >= o->k_from) && o->k_to <= 10000,
              COBLOC_BAD_ARGUMENT, "the sizes are %d to %d, expected a range within 1 to 10000",
              o->k_from, o->k_to);
    COB_CHECK((o->l_from == 0 && o->l_to == 0) ||
                  (o->l_from >= 1 && o->l_to >= o->l_from && o->l_to <= 10000),
              COBLOC_BAD_ARGUMENT,
              "the column sizes are %d to %d, expected a range within 1 to 10000", o->l_from,
              o->l_to);
    COB_CHECK(o->within >= 0 && o->within < 1, COBLOC_BAD_ARGUMENT,
              "within is %g, expected at least 0 and less than 1", o->within);
    COB_CHECK(o->fit.start != COBLOC_START_LABELS, COBLOC_BAD_ARGUMENT,
              "a selection cannot start from labels, which have a fixed number of clusters");
    COB_CHECK(o->by >= COBLOC_BY_AUTO && o->by <= COBLOC_BY_STABILITY, COBLOC_BAD_ARGUMENT,
              "unknown criterion %d", (int)o->by);
done:
    return status;
}

/* Whether the sizes of rows and columns vary independently. */
static bool has_pairs(const work *w)
{
    cob_algorithm a = cob_algorithm_of(w->models[0]);
    return is_free(&a) && w->options->l_to > 0;
}

/* ICL compares models, and sizes of rows with sizes of columns. The size of one model is chosen as
 * that of a fit without a size: by what the table calls for. */
static cobloc_choice choice_for(const work *w)
{
    bool icl = true;
    if (w->options->by != COBLOC_BY_AUTO || !(w->model_count > 1 || has_pairs(w)))
        return w->options->by;
    for (int m = 0; m < w->model_count; m++) {
        cob_algorithm one = cob_algorithm_of(w->models[m]);
        icl = icl && has_icl(&one);
    }
    return icl ? COBLOC_BY_ICL : COBLOC_BY_MODULARITY;
}

/* Checks one model against the choice criterion and the first model. */
static cobloc_status check_model(const work *w, const cob_algorithm *a, const cob_algorithm *first,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_choice by = w->selection->by;
    cobloc_weight asked = w->options->fit.weight;
    COB_CHECK(!cob_rule_is_a_score(by) || (w->model_count == 1 && w->options->l_to == 0),
              COBLOC_BAD_ARGUMENT, "several models, or pairs of sizes, are compared by ICL");
    COB_CHECK(by != COBLOC_BY_ICL || has_icl(a), COBLOC_BAD_ARGUMENT,
              "%s has no likelihood, so no ICL: choose by modularity", a->name);
    COB_CHECK(by != COBLOC_BY_MODULARITY || a->structure->paired ||
                  (is_free(a) && w->options->l_to == 0),
              COBLOC_BAD_ARGUMENT,
              "modularity needs equal numbers of row and column clusters, which %s does not have",
              a->name);
    COB_CHECK(
        by != COBLOC_BY_ICL || has_density(a) == has_density(first), COBLOC_BAD_ARGUMENT,
        "%s and %s cannot be compared by ICL: one has the likelihood of counts, the other that "
        "of real numbers",
        first->name, a->name);
    COB_CHECK(cob_algorithm_weight(a, asked) == cob_algorithm_weight(first, asked),
              COBLOC_BAD_ARGUMENT,
              "%s and %s cannot be compared: their entries are weighted differently (%s and %s)",
              first->name, a->name, cobloc_weight_name(cob_algorithm_weight(first, asked)),
              cobloc_weight_name(cob_algorithm_weight(a, asked)));
done:
    return status;
}

/* The models must exist, have the choice criterion, and use the same values of the matrix. */
static cobloc_status check_models(work *w, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_algorithm a, first;
    for (int m = 0; m < w->model_count; m++) {
        COB_TRY(cob_algorithm_find(w->models[m], &a, err));
        for (int other = 0; other < m; other++)
            COB_CHECK(strcmp(w->models[other], a.name) != 0, COBLOC_BAD_ARGUMENT,
                      "%s is listed twice", a.name);
    }
    w->selection->by = choice_for(w);
    first = cob_algorithm_of(w->models[0]);
    for (int m = 0; m < w->model_count; m++) {
        a = cob_algorithm_of(w->models[m]);
        COB_TRY(check_model(w, &a, &first, err));
    }
done:
    return status;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static int l_from(const work *w, const cob_algorithm *a, int k)
{
    if (!is_free(a))
        return cob_algorithm_columns(a, k);
    return w->options->l_from ? w->options->l_from : k;
}

static int l_to(const work *w, const cob_algorithm *a, int k)
{
    return is_free(a) && w->options->l_to ? w->options->l_to : l_from(w, a, k);
}

static int starts_of(const cobloc_fit_options *o, const char *model)
{
    cob_algorithm a = cob_algorithm_of(model);
    return cob_algorithm_options(&a, o).restarts;
}

static cobloc_status list_sizes(work *w, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_selection *s = w->selection;
    const cobloc_select_options *o = w->options;
    size_t room = (size_t)w->model_count * (size_t)(o->k_to - o->k_from + 1) *
                  (size_t)(o->l_to - o->l_from + 1);
    COB_NEW_ZERO(s->curve, room);
    for (int m = 0; m < w->model_count; m++) {
        cob_algorithm a = cob_algorithm_of(w->models[m]);
        for (int k = o->k_from; k <= o->k_to; k++)
            for (int l = l_from(w, &a, k); l <= l_to(w, &a, k); l++)
                s->curve[s->count++] = (cobloc_size){.model = a.name, .k = k, .l = l};
    }
    /* Each size is fitted from the requested starts and once from each neighbour, at most two in
     * each direction. */
    for (int i = 0; i < s->count; i++)
        w->all += starts_of(&o->fit, s->curve[i].model) + 4;
done:
    return status;
}

/* ---- one fit --------------------------------------------------------------------------------- */

static int report(void *user, const char *what, double done)
{
    const work *w = user;
    const cobloc_progress *p = &w->options->fit.progress;
    return p->report(p->user, what,
                     w->begun + (1 - w->begun) * (w->done + done * w->step) / w->all);
}

static bool is_over(work *w)
{
    if (w->selection->stop == COBLOC_STOP_CONVERGED && cob_clock() > w->deadline)
        w->selection->stop = COBLOC_STOP_TIME;
    return w->selection->stop != COBLOC_STOP_CONVERGED;
}

static cobloc_fit_options options_for(work *w, const cobloc_size *size)
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

/* Fits, and keeps the result if it is better than the size's current one. */
static cobloc_status fit_size(work *w, cobloc_size *size, const cobloc_fit_options *o,
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
static const cobloc_size *neighbour(const work *w, const stretch *s, int place, int step, int along)
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

static cobloc_status start_from(work *w, stretch *s, cobloc_size *size, const cobloc_size *from,
                                cobloc_error *err)
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
static cobloc_status visit_neighbours(work *w, stretch *s, cobloc_error *err)
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

static cobloc_status fit_stretch(work *w, stretch *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_fit_options *o = &w->options->fit;
    const cobloc_size *largest = &w->selection->curve[s->to - 1];
    cob_algorithm a = cob_algorithm_of(largest->model);
    s->grid = is_free(&a) && w->options->l_to > 0;
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

static cobloc_status fit_all(work *w, cobloc_error *err)
{
    cobloc_selection *s = w->selection;
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

/* As many as are usually tried, and no more than there are lines. */
static int usual_most(const cobloc_matrix *x, int from)
{
    int64_t rows = x->rows - x->empty_rows, cols = x->cols - x->empty_cols;
    int64_t lines = rows < cols ? rows : cols,
            most = lines < COB_FIRST_SIZES ? lines : COB_FIRST_SIZES;
    return most > from ? (int)most : from;
}

/* ---- the size of one model ------------------------------------------------------------------- */

static const double SIZING = 0.3; /* of the time and the progress, before the curve is fitted */

static int report_sizing(void *user, const char *what, double done)
{
    const work *w = user;
    const cobloc_progress *p = &w->options->fit.progress;
    return p->report(p->user, what, SIZING * done);
}

/* Chooses by the rule of fits without a size. Where no range was given, the curve goes from 2 to
 * beyond what was chosen. */
static cobloc_status choose_first(work *w, cobloc_select_options *own, cob_sizing *size,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_watch watch = {.restarts = 1, .deadline = w->deadline};
    cob_algorithm a = cob_algorithm_of(w->models[0]);
    cob_sizes sizes = {.from = own->k_from, .to = own->k_to, .most = own->k_to};
    if (own->fit.max_seconds > 0)
        watch.deadline = cob_clock() + SIZING * own->fit.max_seconds;
    if (own->fit.progress.report)
        watch.progress = (cobloc_progress){report_sizing, w};
    if (own->k_to == 0)
        sizes.to = COB_FIRST_SIZES;
    COB_TRY(cob_choose_size(w->matrix, &own->fit, &a, sizes, watch, size, err));
    w->begun = SIZING;
    w->selection->by = size->by;
    if (own->k_to == 0) {
        int usual = usual_most(w->matrix, own->k_from);
        own->k_to = size->k + 1 > usual && usual >= COB_FIRST_SIZES ? size->k + 1 : usual;
    }
done:
    return status;
}

/* The values by which that size was chosen: the best of all numbers of column clusters. */
static void take_sizing(cobloc_selection *s, const cob_sizing *size)
{
    s->measured = true;
    for (int i = 0; i < s->count; i++) {
        cobloc_size *at = &s->curve[i];
        at->value = at->spread = NAN;
        for (int t = 0; t < size->count; t++)
            if (size->tried[t].k == at->k && !(size->tried[t].value <= at->value)) {
                at->value = size->tried[t].value;
                at->spread = size->spreads ? size->spreads[t] : NAN;
            }
        if (at->k == size->k)
            s->decided = i + 1;
    }
}

/* ---- the selection --------------------------------------------------------------------------- */

static cobloc_status run_selection(work *w, cobloc_select_options *own, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_sizing size = {0};
    cobloc_selection *s = w->selection;
    bool by_itself;
    COB_CHECK(w->model_count >= 1, COBLOC_BAD_ARGUMENT, "there are no models to choose from");
    COB_TRY(check_ranges(own, err));
    COB_TRY(check_models(w, err));
    by_itself = s->by == COBLOC_BY_AUTO;
    if (by_itself)
        COB_TRY(choose_first(w, own, &size, err));
    else if (own->k_to == 0)
        own->k_to = usual_most(w->matrix, own->k_from);
    COB_TRY(list_sizes(w, err));
    COB_TRY(fit_all(w, err));
    if (by_itself && !(s->by == COBLOC_BY_ICL && size.l > 0)) /* else the fits have this ICL */
        take_sizing(s, &size);
    else if (cob_rule_is_a_score(s->by))
        COB_TRY(cob_measure_sizes(w->matrix, &own->fit,
                                  (cob_watch){.restarts = 1, .deadline = w->deadline}, s, err));
    cob_choose(s, own->within);
done:
    cob_sizing_free(&size);
    return status;
}

/* All fits are kept in one. */
static cobloc_status open_checkpoint(const cobloc_matrix *matrix, cobloc_select_options *own,
                                     cobloc_error *err)
{
    json_t *more = cob_record_json(own, &cob_select_options_type,
                                   "models k_from k_to l_from l_to by within");
    return cob_checkpoint_open(matrix, &own->fit, "select", more, &own->fit.kept, err);
}

cobloc_status cobloc_select(const cobloc_matrix *matrix, const cobloc_select_options *options,
                            cobloc_selection **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double started = cob_clock();
    const char *only = cob_model_for(matrix, &options->fit);
    cobloc_select_options own = *options;
    work w = {.matrix = matrix,
              .options = &own,
              .models = options->models ? options->models : &only,
              .model_count = options->models ? options->model_count : 1,
              .deadline =
                  options->fit.max_seconds > 0 ? started + options->fit.max_seconds : INFINITY};
    bool whole = false;
    COB_MAKE(w.selection, cob_selection_type);
    COB_TRY(cob_check_time_limit(&options->fit, err));
    COB_TRY(open_checkpoint(matrix, &own, err));
    COB_TRY(run_selection(&w, &own, err));
    w.selection->seconds = cob_clock() - started;
    whole = w.selection->stop == COBLOC_STOP_CONVERGED;
    *out = w.selection;
    w.selection = NULL;
done:
    cobloc_selection_free(w.selection);
    return cob_checkpoint_close(own.fit.kept, status, whole, err);
}
