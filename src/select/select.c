/* cobloc_select: checks the options, lists the sizes, has them fitted and chooses.
 * SPDX-License-Identifier: MIT
 */
#include "select/fits.h"
#include "select/rules.h"

#include "base/alloc.h"
#include "base/record.h"
#include "fit/checkpoint.h"

#include <math.h>
#include <string.h>

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
static bool has_pairs(const cob_selecting *w)
{
    cob_algorithm a = cob_algorithm_of(w->models[0]);
    return is_free(&a) && w->options->l_to > 0;
}

/* ICL compares models, and sizes of rows with sizes of columns. The size of one model is chosen as
 * that of a fit without a size: by what the table calls for. */
static cobloc_choice choice_for(const cob_selecting *w)
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
static cobloc_status check_model(const cob_selecting *w, const cob_algorithm *a,
                                 const cob_algorithm *first, cobloc_error *err)
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
static cobloc_status check_models(cob_selecting *w, cobloc_error *err)
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

static int l_from(const cob_selecting *w, const cob_algorithm *a, int k)
{
    if (!is_free(a))
        return cob_algorithm_columns(a, k);
    return w->options->l_from ? w->options->l_from : k;
}

static int l_to(const cob_selecting *w, const cob_algorithm *a, int k)
{
    return is_free(a) && w->options->l_to ? w->options->l_to : l_from(w, a, k);
}

static cobloc_status list_sizes(cob_selecting *w, cobloc_error *err)
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
done:
    return status;
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
    const cob_selecting *w = user;
    const cobloc_progress *p = &w->options->fit.progress;
    return p->report(p->user, what, SIZING * done);
}

/* Chooses by the rule of fits without a size. Where no range was given, the curve goes from 2 to
 * beyond what was chosen. */
static cobloc_status choose_first(cob_selecting *w, cobloc_select_options *own, cob_sizing *size,
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

static cobloc_status run_selection(cob_selecting *w, cobloc_select_options *own, cobloc_error *err)
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
    COB_TRY(cob_fit_sizes(w, err));
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
    json_t *more =
        cob_record_json(own, &cob_select_options_type, "models k_from k_to l_from l_to by within");
    return cob_checkpoint_open(matrix, &own->fit, "select", more, &own->fit.kept, err);
}

cobloc_status cobloc_select(const cobloc_matrix *matrix, const cobloc_select_options *options,
                            cobloc_selection **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double started = cob_clock();
    const char *only = cob_model_for(matrix, &options->fit);
    cobloc_select_options own = *options;
    cob_selecting w = {.matrix = matrix,
                       .options = &own,
                       .models = options->models ? options->models : &only,
                       .model_count = options->models ? options->model_count : 1,
                       .deadline = options->fit.max_seconds > 0 ? started + options->fit.max_seconds
                                                                : INFINITY};
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
