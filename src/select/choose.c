/* The choice: the largest value, what is as good, and a summary in words.
 *
 * ICL includes a penalty, so its largest value is chosen. Modularity has none: one more cluster
 * with a single row costs almost nothing, and a good search always finds it; so the smallest size
 * within a tolerance of the best is chosen.
 *
 * The penalty of ICL holds for parameters inside their bounds. If a model keeps some at a bound,
 * its assumptions do not hold, and it is not chosen over models whose assumptions do.
 *
 * SPDX-License-Identifier: MIT
 */
#include "select/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- spread ---------------------------------------------------------------------------------- */

cob_algorithm cob_algorithm_of(const char *name)
{
    cob_algorithm a = {0};
    cob_algorithm_named(name, &a);
    return a;
}

/* Whether an algorithm's criterion has the same units as the choice criterion. */
static bool same_units(const cob_algorithm *a, cobloc_choice by)
{
    if (by == COBLOC_BY_MODULARITY)
        return strcmp(a->criterion, "modularity") == 0;
    return a->model && a->model->free_parameters && !a->model->log_likelihood;
}

double cob_spread(const double *criteria, int count, bool minimised)
{
    double best = NAN, second = NAN;
    for (int i = 0; i < count; i++) {
        double at = minimised ? -criteria[i] : criteria[i];
        if (isnan(best) || at > best) {
            second = best;
            best = at;
        } else if (isnan(second) || at > second) {
            second = at;
        }
    }
    return best - second;
}

bool cob_rule_is_a_score(cobloc_choice by)
{
    return by > COBLOC_BY_MODULARITY;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static double value_of(const cobloc_result *r, cobloc_choice by)
{
    return by == COBLOC_BY_ICL ? r->icl : r->modularity;
}

static int64_t smallest_of(const int64_t *sizes, int count)
{
    int64_t smallest = sizes[0];
    for (int k = 1; k < count; k++)
        smallest = sizes[k] < smallest ? sizes[k] : smallest;
    return smallest;
}

static bool smaller(const cobloc_size *a, const cobloc_size *b)
{
    if (a->k + a->l != b->k + b->l)
        return a->k + a->l < b->k + b->l;
    return a->value > b->value;
}

static bool is_largest(const cobloc_selection *s, int place)
{
    const cobloc_size *chosen = &s->curve[place];
    bool largest = s->count > 1;
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->curve[i].model, chosen->model) == 0)
            largest = largest && s->curve[i].k <= chosen->k;
    for (int i = 0; i < s->count; i++) /* a single size of a model is not the end of a range */
        if (strcmp(s->curve[i].model, chosen->model) == 0 && s->curve[i].k < chosen->k)
            return largest;
    return false;
}

static void measure(cobloc_selection *s)
{
    for (int i = 0; i < s->count; i++) {
        cobloc_size *at = &s->curve[i];
        const cobloc_result *r = at->result;
        cob_algorithm a = cob_algorithm_of(at->model);
        at->smallest = smallest_of(r->row_sizes, at->k);
        if (s->measured || cob_rule_is_a_score(s->by))
            continue;
        at->value = value_of(r, s->by);
        at->spread =
            same_units(&a, s->by) ? cob_spread(r->restart_criteria, r->restarts, a.minimised) : NAN;
    }
}

/* The index of the largest value of a model (of any model for NULL) that is not excluded. */
static int largest_of(const cobloc_selection *s, const char *model)
{
    int best = -1;
    for (int i = 0; i < s->count; i++) {
        const cobloc_size *at = &s->curve[i];
        if (at->set_aside || (model && strcmp(at->model, model) != 0))
            continue;
        if (best < 0 || at->value > s->curve[best].value || isnan(s->curve[best].value))
            best = i;
    }
    return best;
}

static bool holds(const cobloc_selection *s, const char *model)
{
    return s->curve[largest_of(s, model)].result->at_bound == 0;
}

/* By ICL: excludes models whose assumptions do not hold, if there are others. */
static void set_aside(cobloc_selection *s)
{
    bool any = false;
    for (int i = 0; i < s->count; i++)
        any = any || holds(s, s->curve[i].model);
    if (s->by != COBLOC_BY_ICL || !any)
        return;
    for (int i = 0, next; i < s->count; i = next) { /* the sizes of a model are contiguous */
        bool aside = !holds(s, s->curve[i].model);
        for (next = i; next < s->count && s->curve[next].model == s->curve[i].model; next++)
            s->curve[next].set_aside = aside;
    }
}

/* ---- the summary in words -------------------------------------------------------------------- */

typedef struct writer {
    char *at;
    size_t left;
} writer;

static void put(writer *w, const char *format, ...) COB_PRINTF(2, 3);

static void put(writer *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vsnprintf(w->at, w->left, format, list);
    va_end(list);
    size_t written = count < 0 ? 0 : (size_t)count < w->left ? (size_t)count : w->left - 1;
    w->at += written;
    w->left -= written;
}

static bool several_models(const cobloc_selection *s)
{
    return strcmp(s->curve[0].model, s->curve[s->count - 1].model) != 0;
}

/* "4", "4 x 6", "dlbm1 with 4". */
static void put_size(writer *w, const cobloc_selection *s, const cobloc_size *size)
{
    if (several_models(s))
        put(w, "%s with ", size->model);
    put(w, "%d", size->k);
    if (size->l != size->k && !cob_algorithm_of(size->model).structure->clusters)
        put(w, " x %d", size->l);
}

/* Counts the sizes that are as good as the one at `place`, and finds whether they are consecutive.
 */
static int count_as_good(const cobloc_selection *s, int place, int *first, int *last)
{
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (s->curve[i].as_good && i != place) {
            *first = count++ == 0 ? i : *first;
            *last = i;
        }
    return count;
}

/* "3 to 6" (with or without `place` among them), "3 and 5", or a number of sizes. */
static void put_as_good(writer *w, const cobloc_selection *s, int place)
{
    int first = 0, last = 0, count = count_as_good(s, place, &first, &last);
    bool row = last - first + 1 == count + (place > first && place < last);
    bool line = strcmp(s->curve[first].model, s->curve[last].model) == 0 &&
                (count < 2 || s->curve[first].k != s->curve[first + 1].k);
    if (count <= 2) {
        put_size(w, s, &s->curve[first]);
        put(w, count == 2 ? " and " : "");
        if (count == 2)
            put_size(w, s, &s->curve[last]);
    } else if (row && line) {
        put_size(w, s, &s->curve[first]);
        put(w, " to %d", s->curve[last].k);
    } else {
        put(w, "%d other sizes", count);
    }
}

/* The excluded models, and why. */
static void put_set_aside(writer *w, const cobloc_selection *s)
{
    const char *last = NULL;
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        if (!s->curve[i].set_aside || s->curve[i].model == last)
            continue;
        put(w, "%s%s", count++ > 0 ? ", " : " Set aside: ", s->curve[i].model);
        last = s->curve[i].model;
    }
    if (count > 0)
        put(w, ", because %s assumptions do not hold here.", count == 1 ? "its" : "their");
}

static void summarise_icl(const cobloc_selection *s, writer *w)
{
    int first = 0, last = 0, others = count_as_good(s, s->chosen, &first, &last);
    put(w, "ICL is largest for ");
    put_size(w, s, &s->curve[s->chosen]);
    if (others > 0) {
        put(w, ", but ");
        put_as_good(w, s, s->chosen);
        put(w, " %s as good within the spread of the starts", others == 1 ? "is" : "are");
    }
    put(w, ".");
    put_set_aside(w, s);
}

static void summarise_modularity(const cobloc_selection *s, double within, writer *w)
{
    int first = 0, last = 0, others = count_as_good(s, s->chosen, &first, &last);
    const cobloc_size *chosen = &s->curve[s->chosen], *best = &s->curve[s->best];
    if (s->chosen == s->best) {
        put(w, "Modularity is largest for ");
        put_size(w, s, chosen);
        if (others > 0) {
            put(w, "; ");
            put_as_good(w, s, s->chosen);
            put(w, " %s within %g %% of it", others == 1 ? "is" : "are", within * 100);
        }
    } else {
        put_size(w, s, chosen);
        put(w, " is the smallest size within %g %% of the largest modularity, %.4f for ",
            within * 100, best->value);
        put_size(w, s, best);
        put(w, "; ");
        put_as_good(w, s, s->chosen);
        put(w, " %s as good", others == 1 ? "is" : "are");
    }
    put(w, ".");
}

/* What is said of a rule by which the smallest size within a standard error is chosen. */
static void summarise_score(const cobloc_selection *s, writer *w)
{
    static const char *const what[] = {
        [COBLOC_BY_AGREEMENT] = "which several models agree most on",
        [COBLOC_BY_EXACT_ICL] = "with the largest exact ICL",
        [COBLOC_BY_LENGTH] = "with the shortest description",
        [COBLOC_BY_THINNING] = "that predicts the other half of the counts best",
        [COBLOC_BY_STABILITY] = "whose clusters change least with the rows"};
    const cobloc_size *chosen = &s->curve[s->chosen], *best = &s->curve[s->best];
    put_size(w, s, chosen);
    put(w, " is the size %s", what[s->by]);
    if (s->chosen != s->best) {
        put(w, ", within a standard error of ");
        put_size(w, s, best);
    }
    put(w, ".");
    if (s->by == COBLOC_BY_AGREEMENT && chosen->value <= 0)
        put(w, " They agree on less than half: the data show no clear blocs.");
}

static void summarise(cobloc_selection *s, double within)
{
    writer w = {s->summary, sizeof s->summary};
    if (s->by == COBLOC_BY_ICL)
        summarise_icl(s, &w);
    else if (cob_rule_is_a_score(s->by))
        summarise_score(s, &w);
    else
        summarise_modularity(s, within, &w);
    if (s->at_end)
        put(&w, " It is the largest size tried: larger ones may be better.");
    if (s->stop != COBLOC_STOP_CONVERGED)
        put(&w, " Stopped early (%s): sizes may be missing.", cobloc_stop_name(s->stop));
}

/* How far below the best a size may be and still be as good. */
static double margin_of(const cobloc_selection *s, const cobloc_size *at, double within)
{
    const cobloc_size *best = &s->curve[s->best];
    if (s->by == COBLOC_BY_MODULARITY)
        return within * fabs(best->value);
    double spread = s->by == COBLOC_BY_AGREEMENT ? at->spread : best->spread;
    return isnan(spread) ? 0 : spread;
}

void cob_choose(cobloc_selection *s, double within)
{
    measure(s);
    set_aside(s);
    s->best = largest_of(s, NULL);
    const cobloc_size *best = &s->curve[s->best];
    s->chosen = s->best;
    for (int i = 0; i < s->count; i++) {
        cobloc_size *at = &s->curve[i];
        at->as_good = !at->set_aside && at->value >= best->value - margin_of(s, at, within);
        if (s->by != COBLOC_BY_ICL && at->as_good && smaller(at, &s->curve[s->chosen]))
            s->chosen = i;
    }
    if (s->decided > 0 && s->decided <= s->count)
        s->chosen = s->decided - 1;
    s->at_end = is_largest(s, s->chosen);
    summarise(s, within);
}
