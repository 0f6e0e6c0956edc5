/* Showing a selection: as JSON, and as a table in the terminal.
 * SPDX-License-Identifier: MIT
 */
#include "select_report.h"

#include "fit_report.h"

#include <math.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *size_object(const cobloc_size *at)
{
    const cobloc_result *r = at->result;
    return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:I, s:i, s:s, s:b, s:f}", "model",
                     at->model, "k", at->k, "l", at->l, "value", cli_json_number(at->value),
                     "criterion", cli_json_number(r->criterion), "icl", cli_json_number(r->icl),
                     "modularity", cli_json_number(r->modularity), "spread",
                     cli_json_number(at->spread), "smallest", (json_int_t)at->smallest, "repaired",
                     r->repaired, "origin", cobloc_origin_name(at->origin), "as_good", at->as_good,
                     "seconds", at->seconds);
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
    cli_table_cell(t, "%s", place == s->chosen ? "chosen" : at->as_good ? "as good" : "");
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
