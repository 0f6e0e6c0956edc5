/* cobloc fit: co-clusters a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "fit_report.h"
#include "input.h"
#include "labels.h"

#include <stdlib.h>
#include <string.h>

/* What the command line gave, with what it owns. */
typedef struct request {
    cobloc_fit_options options;
    cobloc_matrix *matrix;
    int32_t *truth, *fix_rows, *fix_cols, *start_rows;
    double *row_effects, *col_effects;
} request;

/* ---- names of choices ------------------------------------------------------------------------ */

/* The place of a word in a list ended by NULL, or -1. */
static int place_of(const char *word, const char *const *list)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

static const char *const inferences[] = {"hard", "soft", "stochastic", "svem", NULL};
static const char *const weights[] = {"none", "binary", "tfidf", "rownorm", "auto", NULL};
static const char *const starts[] = {"auto", "merge", "skmeans", "random", NULL};

static bool choose(const cli_args *args, const char *option, const char *const *list, int *choice)
{
    const char *word = cli_value(args, option);
    *choice = word ? place_of(word, list) : 0;
    if (*choice >= 0)
        return true;
    char all[128] = "";
    for (int i = 0; list[i]; i++) {
        strcat(all, i ? ", " : "");
        strcat(all, list[i]);
    }
    cli_usage_error(args->command, "--%s is '%s', expected one of: %s", option, word, all);
    return false;
}

static bool known_model(const char *name)
{
    for (int m = 0; m < cobloc_model_count(); m++)
        if (strcmp(cobloc_model_name(m), name) == 0)
            return true;
    return false;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_number(const cli_args *args, const char *option, double *value)
{
    const char *text = cli_value(args, option);
    char *end;
    if (!text)
        return true;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= 0)
        return true;
    cli_usage_error(args->command, "--%s is '%s', expected a number from 0", option, text);
    return false;
}

static bool parse_counts(const cli_args *args, cobloc_fit_options *o)
{
    long k, l, restarts, iterations, seed;
    if (!cli_value(args, "k")) {
        cli_usage_error(args->command, "the number of clusters is missing: -k");
        return false;
    }
    if (!cli_integer(args, "k", 1, 10000, 0, &k) || !cli_integer(args, "l", 1, 10000, 0, &l) ||
        !cli_integer(args, "restarts", 1, 100000, o->restarts, &restarts) ||
        !cli_integer(args, "max-iter", 1, 1000000, o->max_iterations, &iterations) ||
        !cli_integer(args, "seed", 0, INT32_MAX, (long)o->seed, &seed))
        return false;
    o->k = (int)k;
    o->l = (int)l;
    o->restarts = (int)restarts;
    o->max_iterations = (int)iterations;
    o->seed = (uint64_t)seed;
    return true;
}

static bool parse_options(const cli_args *args, cobloc_fit_options *o)
{
    int inference, weight, start = 0;
    const char *init = cli_value(args, "init");
    cobloc_fit_options_default(o);
    if (cli_value(args, "model"))
        o->model = cli_value(args, "model");
    if (!known_model(o->model)) {
        cli_usage_error(args->command, "there is no model '%s'; 'cobloc models' lists them",
                        o->model);
        return false;
    }
    if (!parse_counts(args, o) || !choose(args, "inference", inferences, &inference) ||
        !choose(args, "weight", weights, &weight) || !parse_number(args, "tol", &o->tolerance) ||
        !parse_number(args, "max-seconds", &o->max_seconds))
        return false;
    if (init) /* any other word is the name of a file */
        start = place_of(init, starts) >= 0 ? place_of(init, starts) : COBLOC_START_LABELS;
    o->inference = (cobloc_inference)inference;
    if (!cli_value(args, "inference") && strcmp(o->model, "socc") == 0)
        o->inference = COBLOC_STOCHASTIC;
    if (cli_value(args, "weight"))
        o->weight = (cobloc_weight)weight;
    o->start = (cobloc_start)start;
    o->exact = cli_value(args, "exact") != NULL;
    o->progress = cli_progress();
    return true;
}

/* ---- files beside the matrix ----------------------------------------------------------------- */

static bool read_labels(const cli_args *args, const char *option, int64_t count, int32_t **labels)
{
    const char *path = cli_value(args, option);
    return !path || (*labels = cli_integer_labels(path, count)) != NULL;
}

static bool read_effects(const cli_args *args, const char *option, int64_t count, double **effects)
{
    const char *path = cli_value(args, option);
    return !path || (*effects = cli_numbers(path, count)) != NULL;
}

static bool read_truth(const cli_args *args, const cobloc_matrix *matrix, int32_t **truth)
{
    const char *path = cli_value(args, "truth");
    return !path || (*truth = cli_row_classes(path, matrix)) != NULL;
}

static bool read_files(const cli_args *args, request *r)
{
    int64_t rows = cobloc_matrix_rows(r->matrix), cols = cobloc_matrix_cols(r->matrix);
    cobloc_fit_options *o = &r->options;
    if (!read_truth(args, r->matrix, &r->truth) ||
        !read_labels(args, "fix-rows", rows, &r->fix_rows) ||
        !read_labels(args, "fix-cols", cols, &r->fix_cols) ||
        !read_effects(args, "row-effects", rows, &r->row_effects) ||
        !read_effects(args, "col-effects", cols, &r->col_effects) ||
        (o->start == COBLOC_START_LABELS && !read_labels(args, "init", rows, &r->start_rows)))
        return false;
    o->fix_rows = r->fix_rows;
    o->fix_cols = r->fix_cols;
    o->row_effects = r->row_effects;
    o->col_effects = r->col_effects;
    o->start_rows = r->start_rows;
    return true;
}

static void release(request *r)
{
    cobloc_matrix_free(r->matrix);
    free(r->truth);
    free(r->fix_rows);
    free(r->fix_cols);
    free(r->start_rows);
    free(r->row_effects);
    free(r->col_effects);
}

/* ---- running --------------------------------------------------------------------------------- */

static int fit_and_report(const cli_args *args, request *r)
{
    cobloc_result *result = NULL;
    cobloc_error err;
    cobloc_scores scores;
    const char *folder = cli_value(args, "output");
    int code = CLI_DONE;
    if (cobloc_fit(r->matrix, &r->options, &result, &err) != COBLOC_OK ||
        (r->truth &&
         cobloc_score(result->row_labels, r->truth, result->n, &scores, &err) != COBLOC_OK) ||
        (folder &&
         cobloc_result_write(result, r->matrix, &r->options, folder, &err) != COBLOC_OK)) {
        cobloc_result_free(result);
        return cli_fail(&err);
    }
    cli_progress_end();
    if (result->empty_rows + result->empty_cols > 0)
        cli_complain("%lld rows and %lld columns hold nothing: they are in no cluster (-1)",
                     (long long)result->empty_rows, (long long)result->empty_cols);
    if (result->stop == COBLOC_STOP_CANCELLED || result->stop == COBLOC_STOP_TIME)
        cli_complain("stopped early (%s): this is the best so far", cobloc_stop_name(result->stop));
    if (cli_value(args, "json"))
        code = cli_print_json(cli_fit_json(result, r->truth ? &scores : NULL));
    else
        cli_fit_print(result, r->matrix, r->truth ? &scores : NULL, folder);
    cobloc_result_free(result);
    return code;
}

static int run(const cli_args *args)
{
    request r = {0};
    cobloc_error err;
    cobloc_io_options io;
    int code = CLI_FAILED;
    if (!cli_io_options(args, &io) || !parse_options(args, &r.options))
        return CLI_USAGE;
    r.options.threads = io.threads;
    if (cobloc_matrix_read(args->words[0], &io, &r.matrix, &err) != COBLOC_OK)
        code = cli_fail(&err);
    else if (cli_value(args, "estimate-memory"))
        code = cli_fit_memory(r.matrix, &r.options);
    else if (read_files(args, &r))
        code = fit_and_report(args, &r);
    release(&r);
    return code;
}

static const cli_option options[] = {
    {"k", 'k', "K", "The number of row clusters."},
    {"l", 'l', "L",
     "The number of column clusters, where the model leaves the choice (default: K)."},
    {"model", 'm', "NAME", "The model (default coclus); 'cobloc models' lists them."},
    {"inference", 0, "NAME", "hard (default), soft, stochastic or svem; socc: stochastic."},
    {"weight", 'w', "NAME",
     "Weigh the entries: none, binary, tfidf or rownorm (default: what the model wants, mostly "
     "none)."},
    {"init", 0, "NAME",
     "Start from: auto (default), merge, skmeans, random, or a file of row labels."},
    {"restarts", 'r', "R", "Start so many times and keep the best (default 6)."},
    {"max-iter", 0, "I", "At most so many iterations a start (default 200)."},
    {"tol", 0, "T", "A relative change of the criterion that counts as none (default 1e-9)."},
    {"seed", 's', "S", "Same seed, same answer (default 1)."},
    {"truth", 0, "FILE", "Known classes of the rows, one a line: scores the result against them."},
    {"fix-rows", 0, "FILE", "Known row labels, one a line, -1 for unknown: they stay."},
    {"fix-cols", 0, "FILE",
     "Known column labels (seed words), one a line, -1 for unknown: they stay."},
    {"row-effects", 0, "FILE", "Row margins for the Poisson models, instead of the sums."},
    {"col-effects", 0, "FILE", "Column margins for the Poisson models, instead of the sums."},
    {"exact", 0, NULL, "splbm: maximise the likelihood exactly, not as published."},
    {"max-seconds", 0, "S", "Stop after so many seconds with the best so far."},
    {"estimate-memory", 0, NULL, "Say how much memory the fit would take, and stop."},
    {"output", 'o', "DIR", "Write rows.tsv, cols.tsv and model.json into this folder."},
    {"json", 0, NULL, "Print one JSON object."},
    CLI_INPUT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const cli_command cli_fit = {
    .name = "fit",
    .words = "INPUT",
    .word_count = 1,
    .summary = "Co-cluster a matrix: group its rows and its columns at the same time.",
    .details =
        "INPUT is a matrix in any format that 'cobloc info' reads. The result is printed as blocs: "
        "each with its size, its rows and the columns that define it; with -o it is written to a "
        "folder: rows.tsv, cols.tsv (name, cluster) and model.json.\n\n"
        "Clusters are numbered from 0, the largest first. Rows and columns without entries get "
        "cluster -1. Ctrl-C stops early and keeps the best so far.",
    .options = options,
    .run = run,
};
