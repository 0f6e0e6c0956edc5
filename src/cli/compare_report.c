/* Showing a comparison.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- scores ---------------------------------------------------------------------------------- */

/* The scores that papers print come first. */
enum { PAPER_SCORES = 3, SCORES = 6 };
static const char *const score_names[PAPER_SCORES] = {"accuracy", "NMI", "ARI"};
static const char *const score_keys[SCORES] = {"acc", "nmi", "ari", "sdcs", "criterion", "seconds"};

static int count(const cobloc_comparison *c)
{
    return (int)cobloc_count(c, "methods");
}

static int runs_of(const cobloc_comparison *c)
{
    return (int)cobloc_int(c, "runs");
}

static const char *of_method(const cobloc_comparison *c, int method, const char *name)
{
    const char *text = cobloc_text(c, "methods[%d].%s", method, name);
    return text ? text : "";
}

/* "mean", "sd" or "best" of a score. */
static double spread(const cobloc_comparison *c, int method, const char *score, const char *what)
{
    return cobloc_real(c, "methods[%d].%s.%s", method, score, what);
}

static int64_t done(const cobloc_comparison *c, int method)
{
    return cobloc_int(c, "methods[%d].done", method);
}

static bool run_done(const cobloc_comparison *c, int method, int run)
{
    return cobloc_int(c, "methods[%d].runs[%d].done", method, run) != 0;
}

/* The seed of the run with the best criterion; -1: none is finished. */
static long long best_seed(const cobloc_comparison *c, int method)
{
    int64_t run = cobloc_int(c, "methods[%d].best_run", method);
    return run < 0 ? -1 : cobloc_int(c, "methods[%d].runs[%d].seed", method, (int)run);
}

/* As it is printed, so that all that look the same as the best stand out. */
static bool is_best(const cobloc_comparison *c, double value, const char *score, const char *what)
{
    double most = -INFINITY;
    for (int i = 0; i < count(c); i++)
        if (done(c, i) > 0)
            most = fmax(most, spread(c, i, score, what));
    return count(c) > 1 && round(value * 1000) == round(most * 1000);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* What a reader of the numbers should know. */
static void make_note(const cobloc_comparison *c, int method, char note[600])
{
    int empty = 0;
    for (int r = 0; r < runs_of(c); r++)
        empty +=
            run_done(c, method, r) && cobloc_int(c, "methods[%d].runs[%d].repaired", method, r) > 0;
    note[0] = '\0';
    if (cobloc_int(c, "methods[%d].failure.status", method) != COBLOC_OK)
        snprintf(note, 600, "not run: %s", of_method(c, method, "failure.message"));
    else if (done(c, method) < runs_of(c))
        snprintf(note, 600, "%d of %d runs", (int)done(c, method), runs_of(c));
    else if (empty > 0)
        snprintf(note, 600, "%d run%s with clusters that would be empty", empty,
                 empty == 1 ? "" : "s");
}

static bool has_notes(const cobloc_comparison *c)
{
    char note[600] = "";
    for (int i = 0; i < count(c) && !*note; i++)
        make_note(c, i, note);
    return *note != '\0';
}

static void put_head(cli_sheet *s, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        cli_sheet_cell(s, false, "%s", names[i]);
}

static void put_spread(cli_sheet *s, const cobloc_comparison *c, int method, const char *score,
                       int decimals, bool bold)
{
    double mean = spread(c, method, score, "mean"), sd = spread(c, method, score, "sd");
    if (isnan(mean))
        cli_sheet_cell(s, false, "%s", "");
    else if (isnan(sd))
        cli_sheet_cell(s, bold, "%.*f", decimals, mean);
    else
        cli_sheet_cell(s, bold, "%.*f ± %.*f", decimals, mean, decimals, sd);
}

static void put_method(cli_sheet *s, const cobloc_comparison *c, int method)
{
    cli_sheet_cell(s, false, "%s", of_method(c, method, "name"));
    cli_sheet_cell(s, false, "%s", of_method(c, method, "weight"));
}

static void print_means(const cobloc_comparison *c, cli_style style, FILE *to)
{
    static const char *const head[] = {"method", "weight", "accuracy", "NMI",
                                       "ARI",    "SDCS",   "seconds",  "note"};
    bool notes = has_notes(c);
    cli_sheet s = cli_sheet_start(style, notes ? "llrrrrrl" : "llrrrrr", to);
    put_head(&s, head, s.columns);
    for (int i = 0; i < count(c); i++) {
        char note[600];
        put_method(&s, c, i);
        for (int k = 0; k < PAPER_SCORES; k++)
            put_spread(&s, c, i, score_keys[k], 3,
                       is_best(c, spread(c, i, score_keys[k], "mean"), score_keys[k], "mean"));
        put_spread(&s, c, i, "sdcs", 1, false);
        put_spread(&s, c, i, "seconds", 2, false);
        make_note(c, i, note);
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
    for (int i = 0; i < count(c); i++) {
        if (done(c, i) == 0)
            continue;
        put_method(&s, c, i);
        for (int k = 0; k < PAPER_SCORES; k++) {
            double best = spread(c, i, score_keys[k], "best");
            cli_sheet_cell(&s, is_best(c, best, score_keys[k], "best"), "%.3f", best);
        }
        double criterion = spread(c, i, "criterion", "best");
        cli_sheet_cell(&s, false, "%.1f", spread(c, i, "sdcs", "best"));
        cli_sheet_cell(&s, false, fabs(criterion) < 1000 ? "%.5f" : "%.1f", criterion);
        cli_sheet_cell(&s, false, "%lld", best_seed(c, i));
    }
    cli_sheet_end(&s);
}

/* "coclus (tfidf)": the weight only where it is needed to tell methods apart. */
static void full_name(const cobloc_comparison *c, int method, char name[96])
{
    bool same = false;
    for (int i = 0; i < count(c); i++)
        same = same ||
               (i != method && strcmp(of_method(c, i, "name"), of_method(c, method, "name")) == 0);
    snprintf(name, 96, same ? "%s (%s)" : "%s", of_method(c, method, "name"),
             of_method(c, method, "weight"));
}

static void put_p(double p, const char *test, char *text, size_t room)
{
    snprintf(text, room, p < 0.001 ? "%s p < 0.001" : "%s p = %.3f", test, p);
}

static void print_test(const cobloc_comparison *c, cli_style style, FILE *to)
{
    char text[600], first[96], second[96], t[64], wilcoxon[64];
    int a = (int)cobloc_int(c, "first"), b = (int)cobloc_int(c, "second");
    if (cobloc_int(c, "test.pairs") < 2)
        return;
    full_name(c, a, first);
    full_name(c, b, second);
    put_p(cobloc_real(c, "test.t_p"), "paired t-test", t, sizeof t);
    put_p(cobloc_real(c, "test.wilcoxon_p"), "Wilcoxon signed-rank test", wilcoxon,
          sizeof wilcoxon);
    snprintf(text, sizeof text,
             "%s has the best mean NMI, %.3f; %s comes next with %.3f.\n"
             "Difference %.3f ± %.3f over %d runs paired by seed: %s, %s.\n",
             first, spread(c, a, "nmi", "mean"), second, spread(c, b, "nmi", "mean"),
             cobloc_real(c, "test.difference"), cobloc_real(c, "test.sd"),
             (int)cobloc_int(c, "test.pairs"), t, wilcoxon);
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
    snprintf(title, sizeof title, runs_of(c) == 1 ? "One run" : "Mean ± sd of %d runs", runs_of(c));
    print_title(style, title, to);
    print_means(c, style, to);
    fprintf(to, "%sSDCS of the classes: %.1f\n", style == CLI_LATEX ? "% " : "\n",
            cobloc_real(c, "truth_sdcs"));
    if (runs_of(c) > 1) {
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
    static const char *const parts[] = {"mean", "sd", "best"};
    fputs("method,model,inference,weight,runs", to);
    for (int s = 0; s < SCORES; s++)
        for (int p = 0; p < 3; p++)
            fprintf(to, ",%s_%s", score_keys[s], parts[p]);
    fputs(",best_seed,criterion_name,note\n", to);
    for (int i = 0; i < count(c); i++) {
        char note[600];
        fprintf(to, "%s,%s,%s,%s,%d", of_method(c, i, "name"), of_method(c, i, "model"),
                of_method(c, i, "inference"), of_method(c, i, "weight"), (int)done(c, i));
        for (int s = 0; s < SCORES; s++)
            for (int p = 0; p < 3; p++)
                csv_number(spread(c, i, score_keys[s], parts[p]), to);
        csv_number(best_seed(c, i) < 0 ? NAN : (double)best_seed(c, i), to);
        csv_text(of_method(c, i, "criterion_name"), to);
        make_note(c, i, note);
        csv_text(note, to);
        fputc('\n', to);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *runs_json(const cobloc_comparison *c, int method)
{
    json_t *runs = json_array();
    for (int r = 0; r < runs_of(c); r++) {
        char group[64];
        snprintf(group, sizeof group, "methods[%d].runs[%d].", method, r);
        if (run_done(c, method, r))
            json_array_append_new(
                runs, cli_json_object(c, group,
                                      "seed iterations repaired acc nmi ari sdcs criterion "
                                      "seconds"));
    }
    return runs;
}

static json_t *method_json(const cobloc_comparison *c, int method)
{
    char group[32];
    snprintf(group, sizeof group, "methods[%d].", method);
    json_t *object = cli_json_object(c, group,
                                     "method=name model inference weight criterion_name "
                                     "runs_done=done acc nmi ari sdcs criterion seconds "
                                     "failure=failure.message");
    if (cobloc_int(c, "%sfailure.status", group) == COBLOC_OK)
        json_object_set_new(object, "failure", json_null());
    json_object_set_new(object, "best_seed",
                        best_seed(c, method) < 0 ? json_null()
                                                 : json_integer(best_seed(c, method)));
    json_object_set_new(object, "runs", runs_json(c, method));
    return object;
}

static json_t *test_json(const cobloc_comparison *c)
{
    if (cobloc_int(c, "test.pairs") < 2)
        return json_null();
    json_t *object = cli_json_object(
        c, "", "first second pairs=test.pairs difference=test.difference sd=test.sd");
    json_object_set_new(object, "score", json_string("nmi"));
    json_object_set_new(object, "t_test", cli_json_object(c, "test.", "statistic=t p=t_p"));
    json_object_set_new(object, "wilcoxon",
                        cli_json_object(c, "test.", "statistic=wilcoxon p=wilcoxon_p"));
    return object;
}

json_t *cli_compare_json(const cobloc_comparison *c, const cobloc_compare_options *o)
{
    json_t *methods = json_array(), *object = cli_json_object(c, "", "runs truth_sdcs stopped");
    for (int i = 0; i < count(c); i++)
        json_array_append_new(methods, method_json(c, i));
    json_object_update_new(object, cli_json_object(o, "contenders[0].options.", "k l restarts"));
    json_object_set_new(object, "seed", cli_json_value(o, "seed"));
    json_object_set_new(object, "methods", methods);
    json_object_set_new(object, "significance", test_json(c));
    return object;
}

/* ---- box plots ------------------------------------------------------------------------------- */

/* Weights have colours, in the order of their appearance. */
static int colour_of(const char *weight, const char **names, int *used)
{
    int colour = 0;
    while (colour < *used && strcmp(names[colour], weight) != 0)
        colour++;
    if (colour == *used)
        names[(*used)++] = weight;
    return colour;
}

/* Adds the runs of a method; `values` has room for all of its scores. */
static void add_group(const cobloc_comparison *c, int method, int colour, double *values,
                      cobloc_boxes *boxes)
{
    int runs = runs_of(c);
    for (int s = 0; s < PAPER_SCORES; s++)
        for (int r = 0; r < runs; r++)
            values[s * runs + r] =
                run_done(c, method, r)
                    ? cobloc_real(c, "methods[%d].runs[%d].%s", method, r, score_keys[s])
                    : NAN;
    cli_must(cobloc_append(boxes, "groups", &cli_error));
    cli_must(cobloc_set_text(boxes, "groups[-1].name", of_method(c, method, "name"), &cli_error));
    cli_must(cobloc_set_int(boxes, "groups[-1].colour", colour, &cli_error));
    cli_must(cobloc_set_int(boxes, "groups[-1].count", runs, &cli_error));
    cli_must(cobloc_set_reals(boxes, "groups[-1].values", values, PAPER_SCORES * runs, &cli_error));
}

void cli_compare_plot(const cobloc_comparison *c, const char *path)
{
    const char *weights[COBLOC_WEIGHT_BM25IDF + 1];
    cobloc_boxes *boxes = NULL;
    double *values = cli_memory(malloc(PAPER_SCORES * (size_t)runs_of(c) * sizeof *values));
    int used = 0;
    cli_must(cobloc_boxes_new(&boxes, &cli_error));
    for (int i = 0; i < count(c); i++)
        if (done(c, i) > 0)
            add_group(c, i, colour_of(of_method(c, i, "weight"), weights, &used), values, boxes);
    cli_must(cobloc_set_int(boxes, "panels", PAPER_SCORES, &cli_error));
    cli_must(cobloc_set_texts(boxes, "panel_names", score_names, PAPER_SCORES, &cli_error));
    cli_must(cobloc_set_texts(boxes, "colour_names", weights, used > 1 ? used : 0, &cli_error));
    cli_must(cobloc_plot_boxes(path, boxes, &cli_error));
    cobloc_boxes_free(boxes);
    free(values);
}
