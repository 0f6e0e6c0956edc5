/* cobloc compare: methods side by side on one matrix, as in the papers' tables.
 * SPDX-License-Identifier: MIT
 */
#include "compare_report.h"
#include "fit_options.h"
#include "input.h"
#include "text_options.h"

#include "compare/compare.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONTENDERS = 400, MOST_WEIGHTS = 5, CSV = CLI_LATEX + 1 };

/* What the command line gave, with what it owns. */
typedef struct request {
    cobloc_compare_options options;
    cobloc_fit_options base; /* what all contenders share */
    const char *inference;   /* of those that name none; NULL: their own */
    int style;               /* of the tables: a cli_style, or CSV */
    cobloc_weight weights[MOST_WEIGHTS];
    int weight_count;
    cobloc_contender *contenders;
    cobloc_matrix *matrix;
    int32_t *truth;
    char *runs_file, *table_file; /* in the folder, if there is one */
} request;

static void release(request *r)
{
    free(r->contenders);
    cobloc_matrix_free(r->matrix);
    free(r->truth);
    free(r->runs_file);
    free(r->table_file);
}

/* ---- lists of words -------------------------------------------------------------------------- */

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

static bool parse_weights(const cli_args *args, request *r)
{
    const char *list = cli_value(args, "weights") ? cli_value(args, "weights") : "auto";
    char word[32];
    while (next_word(&list, word, sizeof word)) {
        int found = -1;
        for (int w = COBLOC_WEIGHT_AUTO; w <= COBLOC_WEIGHT_ROWNORM; w++)
            if (strcmp(cobloc_weight_name((cobloc_weight)w), word) == 0)
                found = w;
        if (found < 0 || r->weight_count == MOST_WEIGHTS) {
            cli_usage_error(args->command,
                            "--weights has '%s', expected some of none, binary, tfidf, rownorm, "
                            "auto",
                            word);
            return false;
        }
        r->weights[r->weight_count++] = (cobloc_weight)found;
    }
    return true;
}

/* ---- contenders ------------------------------------------------------------------------------ */

/* Some models take only some weights: asked for two, they may be the same twice. */
static bool is_new(const request *r, const cobloc_contender *one)
{
    int model = cobloc_model_find(one->options.model);
    cobloc_weight weight = cobloc_model_weight_for(model, one->options.weight);
    for (int i = 0; i < r->options.count; i++) {
        const cobloc_contender *other = &r->contenders[i];
        if (strcmp(other->name, one->name) == 0 &&
            cobloc_model_weight_for(model, other->options.weight) == weight)
            return false;
    }
    return true;
}

/* Adds what a word such as "splbm:exact@tfidf" means, with every weight if it names none. */
static bool add_word(const cli_args *args, request *r, const char *word)
{
    char text[160];
    cobloc_error err;
    int model = (int)strcspn(word, ":@");
    bool weighted = strchr(word, '@') != NULL;
    snprintf(text, sizeof text, "%.*s%s%s%s", model, word, r->inference ? ":" : "",
             r->inference ? r->inference : "", word + model);
    for (int w = 0; w < (weighted ? 1 : r->weight_count); w++) {
        cobloc_contender one = {.options = r->base};
        one.options.weight = r->weights[w];
        if (cob_contender_parse(text, &one, &err) != COBLOC_OK) {
            cli_usage_error(args->command, "--methods: %s", err.message);
            return false;
        }
        if (r->options.count == MOST_CONTENDERS) {
            cli_usage_error(args->command, "more than %d methods to compare", MOST_CONTENDERS);
            return false;
        }
        if (is_new(r, &one))
            r->contenders[r->options.count++] = one;
    }
    return true;
}

static bool parse_methods(const cli_args *args, request *r)
{
    const char *list = cli_value(args, "methods");
    char word[128];
    r->contenders = calloc(MOST_CONTENDERS, sizeof *r->contenders);
    r->options.contenders = r->contenders;
    if (!r->contenders) {
        cli_complain("out of memory");
        return false;
    }
    if (!list || !*list) {
        cli_usage_error(args->command, "the methods are missing: --methods a,b,c or all");
        return false;
    }
    while (next_word(&list, word, sizeof word)) {
        if (strcmp(word, "all") != 0 && !add_word(args, r, word))
            return false;
        for (int m = 0; strcmp(word, "all") == 0 && m < cobloc_model_count(); m++)
            if (!add_word(args, r, cobloc_model_name(m)))
                return false;
    }
    return true;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_counts(const cli_args *args, request *r)
{
    long k, l, runs, restarts;
    if (!cli_value(args, "k")) {
        cli_usage_error(args->command, "the number of clusters is missing: -k");
        return false;
    }
    if (!cli_integer(args, "k", 1, 10000, 0, &k) || !cli_integer(args, "l", 1, 10000, 0, &l) ||
        !cli_integer(args, "runs", 1, 100000, r->options.runs, &runs) ||
        !cli_integer(args, "restarts", 1, 100000, 1, &restarts))
        return false;
    r->base.k = (int)k;
    r->base.l = (int)l;
    r->base.restarts = (int)restarts; /* one, where a fit has several: a run is a start */
    r->options.runs = (int)runs;
    return true;
}

static bool parse_options(const cli_args *args, request *r)
{
    static const char *const styles[] = {"text", "markdown", "latex", "csv", NULL};
    cob_compare_options_default(&r->options);
    if (!(cob_fit_options_default(&r->base), cli_fit_options(args, &r->base, "")) ||
        !parse_counts(args, r) || !cli_choose(args, "table", styles, &r->style))
        return false;
    if (r->base.start == COBLOC_START_LABELS) {
        cli_usage_error(args->command,
                        "--init is '%s', expected auto, merge, skmeans, spectral or random",
                        cli_value(args, "init"));
        return false;
    }
    r->inference = cli_value(args, "inference");
    r->options.seed = r->base.seed;
    r->options.progress = r->base.progress;
    return parse_weights(args, r) && parse_methods(args, r);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool read_truth(const cli_args *args, request *r)
{
    const char *path = cli_value(args, "truth");
    r->truth = path ? cli_row_classes(path, r->matrix) : cli_own_classes(r->matrix);
    return r->truth != NULL;
}

static bool open_folder(const cli_args *args, request *r)
{
    const char *folder = cli_value(args, "output");
    if (!folder)
        return true;
    r->runs_file = cli_path_inside(folder, "runs.tsv");
    r->table_file = cli_path_inside(folder, "table.csv");
    r->options.runs_file = r->runs_file;
    return r->runs_file && r->table_file && cli_make_folder(folder);
}

/* ---- running --------------------------------------------------------------------------------- */

static void write_csv(const void *comparison, FILE *to)
{
    cli_compare_csv(comparison, to);
}

static int runs_done(const cobloc_comparison *c)
{
    int done = 0;
    for (int i = 0; i < c->count; i++)
        done += c->methods[i].done;
    return done;
}

static int report(const cli_args *args, const request *r, const cobloc_comparison *c)
{
    const char *csv = cli_value(args, "csv"), *plot = cli_value(args, "plot");
    int done = runs_done(c), code = CLI_DONE;
    if (c->stopped)
        cli_complain("stopped early: %d of %d runs are done%s", done, c->count * c->runs,
                     r->runs_file ? "; the same command goes on from there" : "");
    if (done == 0) {
        if (!c->stopped)
            cli_complain("no method can be run: %s", c->methods[0].failure.message);
        return CLI_FAILED;
    }
    if (csv && !cli_write_file(csv, write_csv, c))
        return CLI_FAILED;
    if (r->table_file && !cli_write_file(r->table_file, write_csv, c))
        return CLI_FAILED;
    if (plot)
        code = cli_compare_plot(c, plot);
    if (code != CLI_DONE)
        return code;
    if (cli_value(args, "json"))
        return cli_print_json(cli_compare_json(c, &r->options));
    if (r->style == CSV)
        cli_compare_csv(c, stdout);
    else
        cli_compare_print(c, (cli_style)r->style, stdout);
    return code;
}

static int run(const cli_args *args)
{
    request r = {0};
    cobloc_error err;
    cobloc_io_options *io = NULL;
    cobloc_comparison *comparison = NULL;
    int code = CLI_FAILED;
    if (!cli_io_options(args, &io) || !parse_options(args, &r)) {
        cobloc_io_options_free(io);
        release(&r);
        return CLI_USAGE;
    }
    r.options.threads = (int)cobloc_int(io, "threads");
    if (cli_read_input(args, io, &r.matrix, &code) && read_truth(args, &r) &&
        open_folder(args, &r)) {
        if (cobloc_compare(r.matrix, r.truth, &r.options, &comparison, &err) != COBLOC_OK) {
            code = cli_fail(&err);
        } else {
            cli_progress_end();
            code = report(args, &r, comparison);
        }
    }
    cobloc_comparison_free(comparison);
    cobloc_io_options_free(io);
    release(&r);
    return code;
}

static const cli_option options[] = {
    {"methods", 'm', "LIST",
     "What to compare, separated by commas: MODEL[:INFERENCE][:exact][@WEIGHT], or all."},
    {"k", 'k', "K", "The number of row clusters."},
    {"l", 'l', "L",
     "The number of column clusters, where the model leaves the choice (default: K)."},
    {"truth", 0, "FILE", "Known classes of the rows, one a line (default: the matrix's own)."},
    {"weights", 'w', "LIST",
     "Run each method with each of these: none, binary, tfidf, rownorm, auto (default: auto, what "
     "the model wants)."},
    {"runs", 0, "R", "Runs of each method, with the seeds S, S + 1, ... (default 10)."},
    {"restarts", 'r', "R", "Starts of each run, of which the best is kept (default 1)."},
    {"inference", 0, "NAME", "hard, soft, stochastic or svem, for methods that name none."},
    {"init", 0, "NAME", "Start from: auto (default), merge, skmeans, spectral or random."},
    {"max-iter", 0, "I", "At most so many iterations a start (default 200)."},
    {"tol", 0, "T", "A relative change of the criterion that counts as none (default 1e-9)."},
    {"max-seconds", 0, "S", "Stop each run after so many seconds with the best so far."},
    {"seed", 's', "S", "The seed of the first run (default 1)."},
    {"output", 'o', "DIR",
     "Keep every finished run in DIR/runs.tsv, go on where a stopped comparison ended, and write "
     "DIR/table.csv."},
    {"csv", 0, "FILE", "Write a table with everything to this file, too."},
    {"plot", 0, "FILE", "Draw box plots of the scores: .svg, .pdf or .png."},
    {"table", 0, "STYLE", "Print the tables as text (default), markdown, latex or csv."},
    {"json", 0, NULL, "Print one JSON object."},
    CLI_TEXT_OPTIONS,
    CLI_INPUT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const cli_command cli_compare = {
    .name = "compare",
    .words = "INPUT",
    .word_count = 1,
    .summary = "Compare methods on one matrix: the papers' tables and box plots.",
    .details =
        "Every method is run several times, each run with a seed and, by default, one start of its "
        "own, and scored against the known classes. The first table has mean ± standard deviation "
        "over the runs, the second the run with the best criterion, which is chosen without the "
        "classes: accuracy, NMI, ARI, SDCS (the standard deviation of the cluster sizes) and "
        "seconds. The two methods with the best mean NMI are tested against each other, runs "
        "paired by seed: paired t-test, and Wilcoxon's signed-rank test with exact p.\n\n"
        "A method is a model, then what differs from its usual ways: "
        "coclus, splbm:exact, splbm:exact:soft, socc:hard, coclus@tfidf. 'cobloc models' lists the "
        "models.\n\n"
        "Runs go in parallel, one thread each, so that seconds are those of one core. Ctrl-C "
        "stops and shows what is done; with -o the same command goes on from there, also with "
        "more runs or methods. A method that cannot be run on these data says why in its row.",
    .options = options,
    .run = run,
};
