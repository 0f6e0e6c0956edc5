/* Showing a comparison.
 * SPDX-License-Identifier: MIT
 */
#include "compare_report.h"
#include "report/charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- scores ---------------------------------------------------------------------------------- */

/* The scores that papers print come first. */
enum { PAPER_SCORES = 3, SCORES = 6 };
static const char *const score_names[PAPER_SCORES] = {"accuracy", "NMI", "ARI"};
static const char *const score_keys[SCORES] = {"acc", "nmi", "ari", "sdcs", "criterion", "seconds"};

static const cobloc_spread *spread_of(const cobloc_compared *m, int score)
{
    const cobloc_spread *const all[SCORES] = {&m->acc,  &m->nmi,       &m->ari,
                                              &m->sdcs, &m->criterion, &m->seconds};
    return all[score];
}

static double run_score(const cobloc_compared_run *run, int score)
{
    const double all[SCORES] = {run->acc,  run->nmi,       run->ari,
                                run->sdcs, run->criterion, run->seconds};
    return all[score];
}

/* As it is printed, so that all that look the same as the best stand out. */
static bool is_best(const cobloc_comparison *c, double value, int score, bool mean)
{
    double most = -INFINITY;
    for (int i = 0; i < c->count; i++) {
        const cobloc_spread *s = spread_of(&c->methods[i], score);
        if (c->methods[i].done > 0)
            most = fmax(most, mean ? s->mean : s->best);
    }
    return c->count > 1 && round(value * 1000) == round(most * 1000);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int fallen(const cobloc_compared *m, int runs)
{
    int count = 0;
    for (int r = 0; r < runs; r++)
        count += m->runs[r].done && m->runs[r].repaired > 0;
    return count;
}

/* What a reader of the numbers should know. */
static void make_note(const cobloc_comparison *c, const cobloc_compared *m, char note[600])
{
    int empty = fallen(m, c->runs);
    note[0] = '\0';
    if (m->failure.status != COBLOC_OK)
        snprintf(note, 600, "not run: %s", m->failure.message);
    else if (m->done < c->runs)
        snprintf(note, 600, "%d of %d runs", m->done, c->runs);
    else if (empty > 0)
        snprintf(note, 600, "%d run%s with clusters that would be empty", empty,
                 empty == 1 ? "" : "s");
}

static bool has_notes(const cobloc_comparison *c)
{
    char note[600] = "";
    for (int i = 0; i < c->count && !*note; i++)
        make_note(c, &c->methods[i], note);
    return *note != '\0';
}

static void put_head(cli_sheet *s, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        cli_sheet_cell(s, false, "%s", names[i]);
}

static void put_spread(cli_sheet *s, const cobloc_spread *spread, int decimals, bool bold)
{
    if (isnan(spread->mean))
        cli_sheet_cell(s, false, "%s", "");
    else if (isnan(spread->sd))
        cli_sheet_cell(s, bold, "%.*f", decimals, spread->mean);
    else
        cli_sheet_cell(s, bold, "%.*f ± %.*f", decimals, spread->mean, decimals, spread->sd);
}

static void put_method(cli_sheet *s, const cobloc_compared *m)
{
    cli_sheet_cell(s, false, "%s", m->name);
    cli_sheet_cell(s, false, "%s", cobloc_weight_name(m->weight));
}

static void print_means(const cobloc_comparison *c, cli_style style, FILE *to)
{
    static const char *const head[] = {"method", "weight", "accuracy", "NMI",
                                       "ARI",    "SDCS",   "seconds",  "note"};
    bool notes = has_notes(c);
    cli_sheet s = cli_sheet_start(style, notes ? "llrrrrrl" : "llrrrrr", to);
    put_head(&s, head, s.columns);
    for (int i = 0; i < c->count; i++) {
        const cobloc_compared *m = &c->methods[i];
        char note[600];
        put_method(&s, m);
        for (int score = 0; score < PAPER_SCORES; score++) {
            const cobloc_spread *spread = spread_of(m, score);
            put_spread(&s, spread, 3, is_best(c, spread->mean, score, true));
        }
        put_spread(&s, &m->sdcs, 1, false);
        put_spread(&s, &m->seconds, 2, false);
        make_note(c, m, note);
        if (notes)
            cli_sheet_cell(&s, false, "%s", note);
    }
    cli_sheet_end(&s);
}

static void print_best(const cobloc_comparison *c, cli_style style, FILE *to)
{
    static const char *const head[] = {"method", "weight", "accuracy",  "NMI",
                                       "ARI",    "SDCS",   "criterion", "seed"};
    cli_sheet s = cli_sheet_start(style, "llrrrrrr", to);
    put_head(&s, head, s.columns);
    for (int i = 0; i < c->count; i++) {
        const cobloc_compared *m = &c->methods[i];
        if (m->done == 0)
            continue;
        put_method(&s, m);
        for (int score = 0; score < PAPER_SCORES; score++) {
            double best = spread_of(m, score)->best;
            cli_sheet_cell(&s, is_best(c, best, score, false), "%.3f", best);
        }
        cli_sheet_cell(&s, false, "%.1f", m->sdcs.best);
        cli_sheet_cell(&s, false, fabs(m->criterion.best) < 1000 ? "%.5f" : "%.1f",
                       m->criterion.best);
        cli_sheet_cell(&s, false, "%llu", (unsigned long long)m->runs[m->best_run].seed);
    }
    cli_sheet_end(&s);
}

/* "coclus (tfidf)": the weight only where it is needed to tell methods apart. */
static void full_name(const cobloc_comparison *c, int method, char name[96])
{
    const cobloc_compared *m = &c->methods[method];
    bool same = false;
    for (int i = 0; i < c->count; i++)
        same = same || (i != method && strcmp(c->methods[i].name, m->name) == 0);
    snprintf(name, 96, same ? "%s (%s)" : "%s", m->name, cobloc_weight_name(m->weight));
}

static void put_p(double p, const char *test, char *text, size_t room)
{
    snprintf(text, room, p < 0.001 ? "%s p < 0.001" : "%s p = %.3f", test, p);
}

static void print_test(const cobloc_comparison *c, cli_style style, FILE *to)
{
    char text[600], first[96], second[96], t[64], wilcoxon[64];
    if (c->test.pairs < 2)
        return;
    full_name(c, c->first, first);
    full_name(c, c->second, second);
    put_p(c->test.t_p, "paired t-test", t, sizeof t);
    put_p(c->test.wilcoxon_p, "Wilcoxon signed-rank test", wilcoxon, sizeof wilcoxon);
    snprintf(text, sizeof text,
             "%s has the best mean NMI, %.3f; %s comes next with %.3f.\n"
             "Difference %.3f ± %.3f over %d runs paired by seed: %s, %s.\n",
             first, c->methods[c->first].nmi.mean, second, c->methods[c->second].nmi.mean,
             c->test.difference, c->test.sd, c->test.pairs, t, wilcoxon);
    fputc('\n', to);
    cli_styled_text(style, text, to);
}

static void print_title(cli_style style, const char *text, FILE *to)
{
    if (style == CLI_LATEX)
        fprintf(to, "%% %s\n", text);
    else
        fprintf(to, "%s%s\n\n", style == CLI_MARKDOWN ? "### " : "", text);
}

void cli_compare_print(const cobloc_comparison *c, cli_style style, FILE *to)
{
    char title[96];
    snprintf(title, sizeof title, c->runs == 1 ? "One run" : "Mean ± sd of %d runs", c->runs);
    print_title(style, title, to);
    print_means(c, style, to);
    fprintf(to, "%sSDCS of the classes: %.1f\n", style == CLI_LATEX ? "% " : "\n", c->truth_sdcs);
    if (c->runs > 1) {
        fputc('\n', to);
        print_title(style, "The run with the best criterion", to);
        print_best(c, style, to);
    }
    print_test(c, style, to);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void csv_number(double value, FILE *to)
{
    if (isfinite(value))
        fprintf(to, ",%.10g", value);
    else
        fputc(',', to);
}

static void csv_text(const char *text, FILE *to)
{
    fputs(",\"", to);
    for (; *text; text++)
        fprintf(to, *text == '"' ? "\"%c" : "%c", *text);
    fputc('"', to);
}

void cli_compare_csv(const cobloc_comparison *c, FILE *to)
{
    fputs("method,model,inference,weight,runs", to);
    for (int s = 0; s < SCORES; s++)
        fprintf(to, ",%s_mean,%s_sd,%s_best", score_keys[s], score_keys[s], score_keys[s]);
    fputs(",best_seed,criterion_name,note\n", to);
    for (int i = 0; i < c->count; i++) {
        const cobloc_compared *m = &c->methods[i];
        char note[600];
        fprintf(to, "%s,%s,%s,%s,%d", m->name, m->model, cobloc_inference_name(m->inference),
                cobloc_weight_name(m->weight), m->done);
        for (int s = 0; s < SCORES; s++) {
            csv_number(spread_of(m, s)->mean, to);
            csv_number(spread_of(m, s)->sd, to);
            csv_number(spread_of(m, s)->best, to);
        }
        csv_number(m->best_run < 0 ? NAN : (double)m->runs[m->best_run].seed, to);
        csv_text(m->criterion_name, to);
        make_note(c, m, note);
        csv_text(note, to);
        fputc('\n', to);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* JSON has no infinity and no NaN. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *run_json(const cobloc_compared_run *run)
{
    json_t *object = json_pack("{s:I, s:i, s:i}", "seed", (json_int_t)run->seed, "iterations",
                               run->iterations, "repaired", run->repaired);
    for (int s = 0; object && s < SCORES; s++)
        json_object_set_new(object, score_keys[s], number(run_score(run, s)));
    return object;
}

static json_t *method_json(const cobloc_compared *m, int runs)
{
    json_t *list = json_array();
    for (int r = 0; r < runs; r++)
        if (m->runs[r].done)
            json_array_append_new(list, run_json(&m->runs[r]));
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:s?}", "method", m->name, "model", m->model,
                  "inference", cobloc_inference_name(m->inference), "weight",
                  cobloc_weight_name(m->weight), "criterion_name", m->criterion_name, "runs_done",
                  m->done, "failure", m->failure.status == COBLOC_OK ? NULL : m->failure.message);
    for (int s = 0; s < SCORES; s++) {
        const cobloc_spread *spread = spread_of(m, s);
        json_object_set_new(object, score_keys[s],
                            json_pack("{s:o, s:o, s:o}", "mean", number(spread->mean), "sd",
                                      number(spread->sd), "best", number(spread->best)));
    }
    json_object_set_new(object, "best_seed",
                        m->best_run < 0 ? json_null()
                                        : json_integer((json_int_t)m->runs[m->best_run].seed));
    json_object_set_new(object, "runs", list);
    return object;
}

static json_t *test_json(const cobloc_comparison *c)
{
    const cobloc_paired_test *t = &c->test;
    if (t->pairs < 2)
        return json_null();
    return json_pack("{s:i, s:i, s:s, s:i, s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o}}", "first",
                     c->first, "second", c->second, "score", "nmi", "pairs", t->pairs, "difference",
                     number(t->difference), "sd", number(t->sd), "t_test", "statistic",
                     number(t->t), "p", number(t->t_p), "wilcoxon", "statistic",
                     number(t->wilcoxon), "p", number(t->wilcoxon_p));
}

json_t *cli_compare_json(const cobloc_comparison *c, const cobloc_compare_options *o)
{
    const cobloc_fit_options *fit = &o->contenders[0].options;
    json_t *methods = json_array();
    for (int i = 0; i < c->count; i++)
        json_array_append_new(methods, method_json(&c->methods[i], c->runs));
    return json_pack("{s:i, s:i, s:i, s:I, s:i, s:o, s:b, s:o, s:o}", "k", fit->k, "l", fit->l,
                     "runs", c->runs, "seed", (json_int_t)o->seed, "restarts", fit->restarts,
                     "truth_sdcs", number(c->truth_sdcs), "stopped", c->stopped, "methods", methods,
                     "significance", test_json(c));
}

/* ---- box plots ------------------------------------------------------------------------------- */

/* Weights have colours, in the order of their appearance. */
static int colour_of(cobloc_weight weight, const char **names, int *count)
{
    int colour = 0;
    while (colour < *count && strcmp(names[colour], cobloc_weight_name(weight)) != 0)
        colour++;
    if (colour == *count)
        names[(*count)++] = cobloc_weight_name(weight);
    return colour;
}

int cli_compare_plot(const cobloc_comparison *c, const char *path)
{
    cobloc_boxes boxes;
    cobloc_error err;
    const char *weights[COBLOC_WEIGHT_ROWNORM + 1];
    size_t values = (size_t)PAPER_SCORES * (size_t)c->runs;
    cobloc_box_group *groups = calloc((size_t)c->count, sizeof *groups);
    double *all = malloc((size_t)c->count * values * sizeof *all);
    int code = CLI_DONE, used = 0;
    cob_boxes_default(&boxes);
    for (int i = 0; groups && all && i < c->count; i++) {
        const cobloc_compared *m = &c->methods[i];
        double *own = all + (size_t)i * values;
        if (m->done == 0)
            continue;
        for (int s = 0; s < PAPER_SCORES; s++)
            for (int r = 0; r < c->runs; r++)
                own[s * c->runs + r] = m->runs[r].done ? run_score(&m->runs[r], s) : NAN;
        groups[boxes.count++] = (cobloc_box_group){.name = m->name,
                                                   .colour = colour_of(m->weight, weights, &used),
                                                   .count = c->runs,
                                                   .values = own};
    }
    boxes.groups = groups;
    boxes.panels = PAPER_SCORES;
    boxes.panel_names = score_names;
    boxes.colour_count = used;
    boxes.colour_names = used > 1 ? weights : NULL;
    if (!groups || !all) {
        cli_complain("out of memory");
        code = CLI_FAILED;
    } else if (cobloc_plot_boxes(path, &boxes, &err) != COBLOC_OK) {
        code = cli_fail(&err);
    }
    free(groups);
    free(all);
    return code;
}
