/* cobloc compare: methods side by side on one matrix, as in the papers' tables.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"
#include "input.h"

#include <stdlib.h>
#include <string.h>

enum { CSV = CLI_LATEX + 1 };

static const cli_group own_group, fit_group;

/* ---- methods --------------------------------------------------------------------------------- */

/* Takes the next word of a list with commas; false at its end. */
static bool next_word(const char **list, char *word, size_t room)
{
    if (!**list)
        return false;
    size_t length = strcspn(*list, ",");
    snprintf(word, room, "%.*s", (int)length, *list);
    *list += length;
    *list += **list == ',';
    return true;
}

/* Adds what a word such as "splbm:exact@tfidf" means, with every weight if it names none. */
static void add_method(const cli_args *args, const char *word)
{
    const char *inference = cli_value(args, "inference"), *weights = cli_value(args, "weights");
    char text[160], weight[32];
    int model = (int)strcspn(word, ":@");
    bool weighted = strchr(word, '@') != NULL;
    weights = weighted || !weights ? "auto" : weights;
    while (next_word(&weights, weight, sizeof weight)) {
        snprintf(text, sizeof text, "%.*s%s%s%s%s%s", model, word, inference ? ":" : "",
                 inference ? inference : "", word + model, weighted ? "" : "@",
                 weighted ? "" : weight);
        if (cobloc_compare_add(cli_made(args, &own_group), text, cli_made(args, &fit_group),
                               &cli_error) != COBLOC_OK)
            cli_stop_usage(args->command, "--methods: %s", cli_error.message);
    }
}

static void add_methods(const cli_args *args)
{
    const char *list = cli_value(args, "methods");
    char word[128];
    if (!list || !*list)
        cli_stop_usage(args->command, "the methods are missing: --methods a,b,c or all");
    while (next_word(&list, word, sizeof word)) {
        bool all = strcmp(word, "all") == 0;
        if (!all)
            add_method(args, word);
        for (int m = 0; all && m < cobloc_model_count(); m++)
            add_method(args, cobloc_model_name(m));
    }
}

/* ---- options --------------------------------------------------------------------------------- */

/* The style of the tables, a cli_style or CSV. */
static int find_style(const cli_args *args)
{
    static const char *const styles[] = {"text", "markdown", "latex", "csv"};
    const char *word = cli_value(args, "table") ? cli_value(args, "table") : styles[0];
    for (int s = 0; s < 4; s++)
        if (strcmp(word, styles[s]) == 0)
            return s;
    cli_stop_usage(args->command, "--table is '%s', expected one of: text, markdown, latex, csv",
                   word);
}

static void check_options(const cli_args *args)
{
    cobloc_fit_options *fit = cli_made(args, &fit_group);
    if (!cli_value(args, "k"))
        cli_stop_usage(args->command, "the number of clusters is missing: -k");
    if (!cli_value(args, "restarts"))
        cobloc_set_int(fit, "restarts", 1, NULL); /* where a fit has several: a run is a start */
    cli_check_picture(args, "plot");
    find_style(args);
    add_methods(args);
}

/* Keeps the runs in the folder, if there is one; returns the file of the table in it. */
static char *open_folder(const cli_args *args)
{
    const char *folder = cli_value(args, "output");
    if (!folder)
        return NULL;
    char *runs = cli_path_inside(folder, "runs.tsv");
    cli_make_folder(folder);
    cli_must(cobloc_set_text(cli_made(args, &own_group), "runs_file", runs, &cli_error));
    free(runs);
    return cli_path_inside(folder, "table.csv");
}

/* ---- running --------------------------------------------------------------------------------- */

static void write_csv(const void *comparison, FILE *to)
{
    cli_compare_csv(comparison, to);
}

static void report(const cli_args *args, const cobloc_comparison *c, const char *table)
{
    const char *csv = cli_value(args, "csv"), *plot = cli_value(args, "plot");
    int methods = (int)cobloc_count(c, "methods"), style = find_style(args);
    long long done = 0, stopped = cobloc_int(c, "stopped");
    for (int i = 0; i < methods; i++)
        done += cobloc_int(c, "methods[%d].done", i);
    if (stopped)
        cli_note("stopped early: %lld of %lld runs are done%s", done,
                 (long long)(methods * cobloc_int(c, "runs")),
                 table ? "; run the same command again to continue" : "");
    if (done == 0 && stopped)
        cli_end(CLI_FAILED);
    if (done == 0)
        cli_stop("no method can be run: %s", cobloc_text(c, "methods[0].failure.message"));
    if (csv)
        cli_write_file(csv, write_csv, c);
    if (table)
        cli_write_file(table, write_csv, c);
    if (plot)
        cli_compare_plot(c, plot);
    if (cli_value(args, "json"))
        cli_print_json(cli_compare_json(c, cli_made(args, &own_group)));
    else if (style == CSV)
        cli_compare_csv(c, stdout);
    else
        cli_compare_print(c, (cli_style)style, stdout);
}

static void run(const cli_args *args)
{
    cobloc_comparison *comparison = NULL;
    int64_t known = 0;
    check_options(args);
    cli_check_write(args, "csv");
    cli_check_write(args, "plot");
    cobloc_matrix *matrix = cli_read_input(args, args->words[0], cli_made(args, &cli_text_group));
    cobloc_labels *truth = cli_read_truth(args, matrix);
    char *table = open_folder(args);
    const int32_t *classes = cobloc_ints(truth, &known, "labels");
    if (known <= 0)
        cli_stop("the matrix has no labels of its rows: use --truth");
    cli_must(cobloc_compare(matrix, classes, cli_made(args, &own_group), &comparison, &cli_error));
    cli_progress_end();
    report(args, comparison, table);
    cobloc_comparison_free(comparison);
    cobloc_labels_free(truth);
    cobloc_matrix_free(matrix);
    free(table);
}

CLI_DEFINE_MAKER(compare_options)
CLI_DEFINE_MAKER(fit_options)

static const cli_option options[] = {
    CLI_SECTION("What is compared"),
    {"methods", 'm', "LIST", NULL,
     "Methods to compare, separated by commas: MODEL[:INFERENCE][:exact][@WEIGHT], or all."},
    {"truth", 0, "FILE", NULL,
     "Known classes of the rows. By default the labels that the matrix holds."},
    {"weights", 'w', "LIST", NULL,
     "Run each method with each of these weights: none, binary, tfidf, rownorm, auto (default)."},
    {"runs", 0, "R", "runs", NULL},
    {"seed", 's', "S", "seed", NULL},
    CLI_SECTION("Output"),
    {"output", 'o', "DIR", NULL,
     "Keep every finished run in DIR/runs.tsv, continue a comparison that was stopped, and write "
     "DIR/table.csv."},
    {"csv", 0, "FILE", NULL, "Also write a table with everything to this file."},
    {"plot", 0, "FILE", NULL, "Draw box plots of the scores to a .svg, .pdf or .png file."},
    {"table", 0, "STYLE", NULL, "Style of the tables: text (default), markdown, latex or csv."},
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_option fit_table[] = {
    {"k", 'k', "K", "k", NULL},
    {"l", 'l', "L", "l", NULL},
    {"restarts", 'r', "R", "restarts",
     "Number of starts of each run, of which the best is kept. Default: 1."},
    {"inference", 0, "NAME", "inference", "Inference of methods that name none."},
    {"init", 0, "NAME", "start",
     "Where a run starts: auto (default), merge, skmeans, spectral or random."},
    {"max-iter", 0, "I", "max_iterations", NULL},
    {"tol", 0, "T", "tolerance", NULL},
    {"max-seconds", 0, "S", "max_seconds",
     "Stop each run after this many seconds and keep its best result so far."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(compare_options), .options = options};
static const cli_group fit_group = {
    .title = "Every fit", CLI_MAKER(fit_options), .options = fit_table};

static const cli_example examples[] = {
    {"cobloc compare docs.mtx.gz -k 4 -m coclus,splbm:exact,itcc --truth classes.txt",
     "Three methods, several runs of each."},
    {"cobloc compare docs.mtx.gz -k 4 -m all --runs 30 -o comparison",
     "All methods; runs are kept, and the same command continues."},
    {"cobloc compare docs.mtx.gz -k 4 -m dcc,coclus@tfidf --table latex --plot boxes.pdf",
     "For a paper."},
    {NULL, NULL},
};

const cli_command cli_compare = {
    .name = "compare",
    .words = "INPUT",
    .word_count = 1,
    .summary = "Compare methods on one matrix: the tables and box plots of a paper.",
    .details =
        "Every method is run several times, each run with its own seed and by default one start, "
        "and scored against the known classes. The first table shows mean ± standard deviation "
        "over the runs; the second shows the run with the best criterion, which is chosen without "
        "the classes. Columns: accuracy, NMI, ARI, SDCS (standard deviation of the cluster sizes) "
        "and seconds. The two methods with the best mean NMI are tested against each other, with "
        "runs paired by seed: paired t-test, and Wilcoxon's signed-rank test with exact p.\n\n"
        "A method is a model, followed by what differs from its defaults: coclus, splbm:exact, "
        "splbm:exact:soft, socc:hard, coclus@tfidf. 'cobloc models' lists the models.\n\n"
        "Runs are made in parallel on one thread each, so seconds are those of one core. Ctrl-C "
        "stops and shows what is done; with -o the same command continues from there, also with "
        "more runs or methods. A method that cannot be run on these data says why in its row.",
    .examples = examples,
    .groups = {&own_group, &fit_group, &cli_text_group, &cli_io_group},
    .run = run,
};
