/* Showing a selection: as JSON, and as a table in the terminal.
 * SPDX-License-Identifier: MIT
 */
#include "select_report.h"

#include "fit_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *size_object(const cobloc_size *at)
{
    const cobloc_result *r = at->result;
    return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:I, s:i, s:i, s:s, s:b, s:b, s:f}",
                     "model", at->model, "k", at->k, "l", at->l, "value",
                     cli_json_number(at->value), "criterion", cli_json_number(r->criterion), "icl",
                     cli_json_number(r->icl), "modularity", cli_json_number(r->modularity),
                     "spread", cli_json_number(at->spread), "smallest", (json_int_t)at->smallest,
                     "repaired", r->repaired, "at_bound", r->at_bound, "origin",
                     cobloc_origin_name(at->origin), "as_good", at->as_good, "set_aside",
                     at->set_aside, "seconds", at->seconds);
}

json_t *cli_select_json(const cobloc_selection *s, const cobloc_scores *scores)
{
    const cobloc_size *chosen = &s->curve[s->chosen];
    int as_good = 0;
    json_t *curve = json_array();
    for (int i = 0; i < s->count; i++) {
        json_array_append_new(curve, size_object(&s->curve[i]));
        as_good += s->curve[i].as_good;
    }
    return json_pack("{s:s, s:i, s:i, s:s, s:b, s:b, s:s, s:s, s:f, s:o, s:o}", "by",
                     cobloc_choice_name(s->by), "chosen", chosen->k, "chosen_l", chosen->l,
                     "chosen_model", chosen->model, "flat", as_good > 1, "at_end", s->at_end,
                     "summary", s->summary, "stop", cobloc_stop_name(s->stop), "seconds",
                     s->seconds, "curve", curve, "fit", cli_fit_json(chosen->result, scores));
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Which columns are worth showing. */
typedef struct shown {
    bool model, l, criterion, other;
} shown;

static shown what_to_show(const cobloc_selection *s)
{
    shown show = {0};
    for (int i = 0; i < s->count; i++) {
        const cobloc_size *at = &s->curve[i];
        const cobloc_result *r = at->result;
        show.model = show.model || strcmp(at->model, s->curve[0].model) != 0;
        show.l = show.l || at->l != at->k;
        show.criterion = show.criterion || strcmp(r->criterion_name, "modularity") != 0;
        show.other = show.other || !isnan(s->by == COBLOC_BY_ICL ? r->modularity : r->icl);
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
    bool icl = s->by == COBLOC_BY_ICL;
    if (show.model)
        cli_table_cell(t, "model");
    cli_table_cell(t, "rows");
    if (show.l)
        cli_table_cell(t, "columns");
    cli_table_cell(t, icl ? "ICL" : "modularity");
    if (show.criterion)
        cli_table_cell(t, "%s", show.model ? "criterion" : s->curve[0].result->criterion_name);
    if (show.other)
        cli_table_cell(t, icl ? "modularity" : "ICL");
    cli_table_cell(t, "smallest");
    cli_table_cell(t, "seconds");
    cli_table_cell(t, "best from");
    cli_table_cell(t, " ");
}

static void print_line(cli_table *t, const cobloc_selection *s, int place, shown show)
{
    const cobloc_size *at = &s->curve[place];
    if (show.model)
        cli_table_cell(t, "%s", at->model);
    cli_table_cell(t, "%d", at->k);
    if (show.l)
        cli_table_cell(t, "%d", at->l);
    number_cell(t, at->value);
    if (show.criterion)
        number_cell(t, at->result->criterion);
    if (show.other)
        number_cell(t, s->by == COBLOC_BY_ICL ? at->result->modularity : at->result->icl);
    cli_table_cell(t, "%lld", (long long)at->smallest);
    cli_table_cell(t, "%.2f", at->seconds);
    cli_table_cell(t, "%s", cobloc_origin_name(at->origin));
    cli_table_cell(t, "%s",
                   place == s->chosen ? "chosen"
                   : at->as_good      ? "as good"
                   : at->set_aside    ? "set aside"
                                      : "");
}

void cli_select_print(const cobloc_selection *s)
{
    shown show = what_to_show(s);
    char alignment[16] = "";
    strcat(alignment, show.model ? "l" : "");
    strcat(alignment, show.l ? "rr" : "r");
    strcat(alignment, show.criterion ? "rr" : "r");
    strcat(alignment, show.other ? "r" : "");
    strcat(alignment, "rrll");
    cli_table *t = cli_table_new(alignment);
    print_heads(t, s, show);
    for (int i = 0; i < s->count; i++)
        print_line(t, s, i, show);
    cli_table_print(t, stdout);
    printf("\n%s\n", s->summary);
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* Sizes on one line of the picture: those of a model, in a grid with the same number of columns. */
static bool same_line(const cobloc_size *a, const cobloc_size *b, bool grid)
{
    return strcmp(a->model, b->model) == 0 && (!grid || a->l == b->l);
}

static bool is_grid(const cobloc_selection *s)
{
    for (int i = 1; i < s->count; i++)
        if (strcmp(s->curve[i].model, s->curve[i - 1].model) == 0 &&
            s->curve[i].k == s->curve[i - 1].k)
            return true;
    return false;
}

/* Room for at most as many lines as there are sizes. */
typedef struct picture {
    cobloc_series *series;
    double *x, *y;
    char (*names)[48];
} picture;

static int fill_series(const cobloc_selection *s, picture *p)
{
    bool grid = is_grid(s), several = what_to_show(s).model;
    int lines = 0, points = 0;
    for (int i = 0; i < s->count; i++) {
        const cobloc_size *at = &s->curve[i];
        bool seen = false;
        for (int before = 0; before < i; before++)
            seen = seen || same_line(at, &s->curve[before], grid);
        if (seen)
            continue;
        cobloc_series *line = &p->series[lines];
        *line = (cobloc_series){.x = p->x + points, .y = p->y + points};
        if (grid && !several)
            snprintf(p->names[lines], sizeof *p->names, "%d columns", at->l);
        else if (grid)
            snprintf(p->names[lines], sizeof *p->names, "%s, %d columns", at->model, at->l);
        else
            snprintf(p->names[lines], sizeof *p->names, "%s", at->model);
        line->name = grid || several ? p->names[lines] : NULL;
        for (int j = i; j < s->count; j++)
            if (same_line(at, &s->curve[j], grid)) {
                p->x[points] = s->curve[j].k;
                p->y[points++] = s->curve[j].value;
                line->count++;
            }
        lines++;
    }
    return lines;
}

int cli_select_plot(const cobloc_selection *s, const char *path)
{
    size_t room = (size_t)s->count;
    picture p = {calloc(room, sizeof *p.series), calloc(room, sizeof *p.x),
                 calloc(room, sizeof *p.y), calloc(room, sizeof *p.names)};
    cobloc_curves curves;
    cobloc_error err;
    char label[64];
    int code = CLI_DONE;
    const cobloc_size *chosen = &s->curve[s->chosen];
    if (!p.series || !p.x || !p.y || !p.names) {
        cli_complain("out of memory");
        code = CLI_FAILED;
    } else {
        cob_curves_default(&curves);
        curves.count = fill_series(s, &p);
        curves.series = p.series;
        curves.x_title = "row clusters";
        curves.y_title = s->by == COBLOC_BY_ICL ? "ICL" : "modularity";
        curves.marked_x = chosen->k;
        snprintf(label, sizeof label, "%d", chosen->k);
        curves.marked_label = label;
        if (cobloc_plot_curves(path, &curves, &err) != COBLOC_OK)
            code = cli_fail(&err);
    }
    free(p.series);
    free(p.x);
    free(p.y);
    free(p.names);
    return code;
}
