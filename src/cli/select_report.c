/* Showing a selection: as JSON, and as a table in the terminal.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

const cobloc_result *cli_chosen(const cobloc_selection *s)
{
    return cobloc_object(s, "curve[%d].result", (int)cobloc_int(s, "chosen"));
}

static json_t *size_object(const cobloc_selection *s, int place)
{
    char group[32];
    snprintf(group, sizeof group, "curve[%d].", place);
    json_t *object = cli_json_object(
        s, group, "model k l value spread smallest origin as_good set_aside seconds");
    json_object_update_new(object, cli_json_object(cobloc_object(s, "%sresult", group), "",
                                                   "criterion icl modularity repaired at_bound"));
    return object;
}

json_t *cli_select_json(const cobloc_selection *s, const cobloc_scores *scores)
{
    const cobloc_result *chosen = cli_chosen(s);
    int count = (int)cobloc_count(s, "curve"), as_good = 0;
    json_t *curve = json_array(),
           *object = cli_json_object(s, "", "by at_end summary stop seconds");
    for (int i = 0; i < count; i++) {
        json_array_append_new(curve, size_object(s, i));
        as_good += cobloc_int(s, "curve[%d].as_good", i) != 0;
    }
    json_object_set_new(object, "chosen", cli_json_value(chosen, "k"));
    json_object_set_new(object, "chosen_l", cli_json_value(chosen, "l"));
    json_object_set_new(object, "chosen_model", cli_json_value(chosen, "model"));
    json_object_set_new(object, "flat", json_boolean(as_good > 1));
    json_object_set_new(object, "curve", curve);
    json_object_set_new(object, "fit", cli_fit_json(chosen, scores));
    return object;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* One size of the curve. */
typedef struct size {
    const cobloc_result *result;
    const char *model;
    int64_t k, l;
    double value;
} size;

static size size_at(const cobloc_selection *s, int i)
{
    return (size){cobloc_object(s, "curve[%d].result", i), cobloc_text(s, "curve[%d].model", i),
                  cobloc_int(s, "curve[%d].k", i), cobloc_int(s, "curve[%d].l", i),
                  cobloc_real(s, "curve[%d].value", i)};
}

/* The titles of rules, and of the values that a curve has beside its own. */
static const char *const titles[] = {[COBLOC_BY_ICL] = "ICL",
                                     [COBLOC_BY_MODULARITY] = "modularity",
                                     [COBLOC_BY_AGREEMENT] = "agreement",
                                     [COBLOC_BY_EXACT_ICL] = "exact ICL",
                                     [COBLOC_BY_LENGTH] = "-length",
                                     [COBLOC_BY_THINNING] = "held out",
                                     [COBLOC_BY_STABILITY] = "stability"};

static const char *title_of(const cobloc_selection *s)
{
    return titles[cobloc_int(s, "by")];
}

/* What is shown beside: modularity, or ICL where that is the rule. */
static cobloc_choice shown_beside(const cobloc_selection *s)
{
    return cobloc_int(s, "by") == COBLOC_BY_MODULARITY ? COBLOC_BY_ICL : COBLOC_BY_MODULARITY;
}

/* Which columns are worth showing. */
typedef struct shown {
    bool model, l, criterion, other;
} shown;

static shown what_to_show(const cobloc_selection *s)
{
    shown show = {0};
    for (int i = 0; i < cobloc_count(s, "curve"); i++) {
        size at = size_at(s, i);
        show.model = show.model || strcmp(at.model, size_at(s, 0).model) != 0;
        show.l = show.l || at.l != at.k;
        show.criterion =
            show.criterion || strcmp(cobloc_text(at.result, "criterion_name"), "modularity") != 0;
        show.other =
            show.other || !isnan(cobloc_real(at.result, "%s", cobloc_choice_name(shown_beside(s))));
    }
    return show;
}

static void number_cell(cli_table *t, double value)
{
    if (isfinite(value))
        cli_table_cell(t, fabs(value) < 100 ? "%.5f" : "%.1f", value);
    else
        cli_table_cell(t, "-");
}

static void print_heads(cli_table *t, const cobloc_selection *s, shown show)
{
    if (show.model)
        cli_table_cell(t, "model");
    cli_table_cell(t, "rows");
    if (show.l)
        cli_table_cell(t, "columns");
    cli_table_cell(t, "%s", title_of(s));
    if (show.criterion)
        cli_table_cell(t, "%s",
                       show.model ? "criterion"
                                  : cobloc_text(size_at(s, 0).result, "criterion_name"));
    if (show.other)
        cli_table_cell(t, "%s", titles[shown_beside(s)]);
    cli_table_cell(t, "smallest");
    cli_table_cell(t, "seconds");
    cli_table_cell(t, "best from");
    cli_table_cell(t, " ");
}

static void print_line(cli_table *t, const cobloc_selection *s, int place, shown show)
{
    size at = size_at(s, place);
    if (show.model)
        cli_table_cell(t, "%s", at.model);
    cli_table_cell(t, "%lld", (long long)at.k);
    if (show.l)
        cli_table_cell(t, "%lld", (long long)at.l);
    number_cell(t, at.value);
    if (show.criterion)
        number_cell(t, cobloc_real(at.result, "criterion"));
    if (show.other)
        number_cell(t, cobloc_real(at.result, "%s", cobloc_choice_name(shown_beside(s))));
    cli_table_cell(t, "%lld", (long long)cobloc_int(s, "curve[%d].smallest", place));
    cli_table_cell(t, "%.2f", cobloc_real(s, "curve[%d].seconds", place));
    cli_table_cell(t, "%s", cobloc_text(s, "curve[%d].origin", place));
    cli_table_cell(t, "%s",
                   place == cobloc_int(s, "chosen")              ? "chosen"
                   : cobloc_int(s, "curve[%d].as_good", place)   ? "as good"
                   : cobloc_int(s, "curve[%d].set_aside", place) ? "set aside"
                                                                 : "");
}

void cli_select_print(const cobloc_selection *s)
{
    shown show = what_to_show(s);
    char alignment[16];
    snprintf(alignment, sizeof alignment, "%s%s%s%srrll", show.model ? "l" : "",
             show.l ? "rr" : "r", show.criterion ? "rr" : "r", show.other ? "r" : "");
    cli_table *t = cli_table_new(alignment);
    print_heads(t, s, show);
    for (int i = 0; i < cobloc_count(s, "curve"); i++)
        print_line(t, s, i, show);
    cli_table_print(t, stdout);
    printf("\n%s\n", cobloc_text(s, "summary"));
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* Sizes on one line of the picture: those of a model, in a grid with the same number of columns. */
static bool same_line(const size *a, const size *b, bool grid)
{
    return strcmp(a->model, b->model) == 0 && (!grid || a->l == b->l);
}

static bool is_grid(const size *sizes, int count)
{
    for (int i = 1; i < count; i++)
        if (strcmp(sizes[i].model, sizes[i - 1].model) == 0 && sizes[i].k == sizes[i - 1].k)
            return true;
    return false;
}

/* Adds the line that begins at size number `first`; x and y have room for all sizes. */
static void add_line(cobloc_curves *curves, const size *sizes, int count, int first, bool grid,
                     bool several, double *x, double *y)
{
    char name[64];
    const size *at = &sizes[first];
    int points = 0;
    for (int j = first; j < count; j++)
        if (same_line(at, &sizes[j], grid)) {
            x[points] = (double)sizes[j].k;
            y[points++] = sizes[j].value;
        }
    if (grid)
        snprintf(name, sizeof name, "%s%s%lld columns", several ? at->model : "",
                 several ? ", " : "", (long long)at->l);
    else
        snprintf(name, sizeof name, "%s", at->model);
    cli_must(cobloc_append(curves, "series", &cli_error));
    if (grid || several)
        cli_must(cobloc_set_text(curves, "series[-1].name", name, &cli_error));
    cli_must(cobloc_set_reals(curves, "series[-1].x", x, points, &cli_error));
    cli_must(cobloc_set_reals(curves, "series[-1].y", y, points, &cli_error));
}

static void add_lines(const cobloc_selection *s, cobloc_curves *curves, size *sizes, double *x,
                      double *y)
{
    int count = (int)cobloc_count(s, "curve");
    for (int i = 0; i < count; i++)
        sizes[i] = size_at(s, i);
    bool grid = is_grid(sizes, count), several = what_to_show(s).model;
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int before = 0; before < i; before++)
            seen = seen || same_line(&sizes[i], &sizes[before], grid);
        if (!seen)
            add_line(curves, sizes, count, i, grid, several, x, y);
    }
}

void cli_select_plot(const cobloc_selection *s, const char *path)
{
    size_t room = (size_t)cobloc_count(s, "curve");
    size *sizes = cli_memory(calloc(room, sizeof *sizes));
    double *x = cli_memory(calloc(room, sizeof *x)), *y = cli_memory(calloc(room, sizeof *y));
    cobloc_curves *curves = NULL;
    char label[32];
    int64_t k = cobloc_int(cli_chosen(s), "k");
    snprintf(label, sizeof label, "%lld", (long long)k);
    cli_must(cobloc_curves_new(&curves, &cli_error));
    add_lines(s, curves, sizes, x, y);
    cli_must(cobloc_set_text(curves, "x_title", "row clusters", &cli_error));
    cli_must(cobloc_set_text(curves, "y_title", title_of(s), &cli_error));
    cli_must(cobloc_set_int(curves, "marked_x", k, &cli_error));
    cli_must(cobloc_set_text(curves, "marked_label", label, &cli_error));
    cli_must(cobloc_plot_curves(path, curves, &cli_error));
    cobloc_curves_free(curves);
    free(sizes);
    free(x);
    free(y);
}
