/* cobloc fit: co-clusters a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"
#include "fit_report.h"
#include "input.h"
#include "text_options.h"

#include <stdlib.h>
#include <string.h>

/* What the command line gave. */
typedef struct request {
    cobloc_fit_options *options;
    cobloc_matrix *matrix;
    int32_t *truth;
} request;

static bool wants_auto(const cli_args *args)
{
    return strcmp(cli_value(args, "k"), "auto") == 0;
}

static bool parse_options(const cli_args *args, cobloc_fit_options *o)
{
    double bytes = 0;
    const char *model = cli_value(args, "model");
    if ((model && !cli_known_model(args->command, model)) || !cli_fit_options(args, o, "") ||
        !cli_bytes(args, "max-memory", &bytes))
        return false;
    cobloc_set_real(o, "max_memory", bytes, NULL);
    if (!cli_value(args, "k")) {
        cli_usage_error(args->command, "the number of clusters is missing: -k");
        return false;
    }
    if (cli_value(args, "most") && !wants_auto(args)) {
        cli_usage_error(args->command, "--most goes with -k auto");
        return false;
    }
    cobloc_set_int(o, "k", 20, NULL); /* where it is auto, and --most is not given */
    return cli_set(args, o, "",
                   wants_auto(args) ? "model l threads most=k" : "model l threads k") &&
           cli_take_exact(args, o, "model", "model");
}

/* ---- running --------------------------------------------------------------------------------- */

static int64_t fewer(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Makes the options those that repeat a fit without its merging. */
static cobloc_status start_from(cobloc_fit_options *o, const cobloc_result *result,
                                cobloc_error *err)
{
    int64_t rows, cols;
    const int32_t *row_labels = cobloc_ints(result, &rows, "row_labels");
    const int32_t *col_labels = cobloc_ints(result, &cols, "col_labels");
    cobloc_set_int(o, "k", cobloc_int(result, "k"), NULL);
    cobloc_set_int(o, "l", cobloc_int(result, "l"), NULL);
    cobloc_set_text(o, "start", "labels", NULL);
    cobloc_status status = cobloc_set_ints(o, "start_rows", row_labels, rows, err);
    return status == COBLOC_OK ? cobloc_set_ints(o, "start_cols", col_labels, cols, err) : status;
}

/* Fits; the options then say how many clusters there are. */
static cobloc_status fit(const cli_args *args, request *r, cobloc_result **result,
                         cobloc_error *err)
{
    cobloc_fit_options *o = r->options;
    if (!wants_auto(args))
        return cobloc_fit(r->matrix, o, result, err);
    int64_t filled = fewer(cobloc_matrix_rows(r->matrix) - cobloc_matrix_empty_rows(r->matrix),
                           cobloc_matrix_cols(r->matrix) - cobloc_matrix_empty_cols(r->matrix));
    if (!cli_value(args, "most") && filled >= 1)
        cobloc_set_int(o, "k", fewer(cobloc_int(o, "k"), filled), NULL);
    cobloc_status status = cobloc_fit_greedy(r->matrix, o, result, err);
    if (status != COBLOC_OK)
        return status;
    if (cobloc_int(*result, "k") == cobloc_int(o, "k"))
        cli_complain("ICL is best where the fit began, at %lld clusters: a larger --most may find "
                     "more",
                     (long long)cobloc_int(o, "k"));
    return start_from(o, *result, err);
}

static int fit_and_report(const cli_args *args, request *r)
{
    cobloc_result *result = NULL;
    cobloc_scores *scores = NULL;
    cobloc_error err;
    const char *folder = cli_value(args, "output");
    int code = CLI_FAILED;
    if (fit(args, r, &result, &err) != COBLOC_OK) {
        code = cli_fail(&err);
    } else if (cli_score_rows(r->truth, result, &scores)) {
        code = CLI_DONE;
        if (folder && cobloc_result_write(result, r->matrix, r->options, folder, &err))
            code = cli_fail(&err);
    }
    if (code == CLI_DONE) {
        cli_progress_end();
        cli_fit_warn(result);
        if (cli_value(args, "json"))
            code = cli_print_json(cli_fit_json(result, scores));
        else
            cli_fit_print(result, r->matrix, scores, folder);
    }
    cobloc_scores_free(scores);
    cobloc_result_free(result);
    return code;
}

static int run(const cli_args *args)
{
    request r = {0};
    cobloc_io_options *io = NULL;
    cobloc_error err;
    int code = CLI_USAGE;
    if (cobloc_fit_options_new(&r.options, &err) != COBLOC_OK) {
        code = cli_fail(&err);
    } else if (cli_io_options(args, &io) && parse_options(args, r.options)) {
        code = CLI_FAILED;
        if (!cli_read_input(args, io, &r.matrix, &code))
            ;
        else if (cli_value(args, "estimate-memory"))
            code = cli_fit_memory(r.matrix, r.options);
        else if (cli_read_truth(args, r.matrix, &r.truth) &&
                 cli_fit_files(args, r.matrix, r.options, "") &&
                 cli_keep_matrix(r.matrix, cli_value(args, "output")))
            code = fit_and_report(args, &r);
    }
    cobloc_matrix_free(r.matrix);
    cobloc_fit_options_free(r.options);
    cobloc_io_options_free(io);
    free(r.truth);
    return code;
}

static const cli_option options[] = {
    {"k", 'k', "K",
     "The number of row clusters, or auto: as many as ICL finds (plbm, splbm, lbm, dlbm1 to "
     "3, glbm, clbm)."},
    {"most", 0, "K", "With -k auto: start with so many, and merge (default 20)."},
    {"l", 'l', "L",
     "The number of column clusters, where the model leaves the choice (default: K)."},
    {"model", 'm', "NAME", "The model (default coclus); 'cobloc models' lists them."},
    {"init", 0, "NAME",
     "Start from: auto (default), merge, skmeans, spectral, random, or a file of row labels."},
    CLI_FIT_OPTIONS,
    {"max-seconds", 0, "S", "Stop after so many seconds with the best so far."},
    {"max-memory", 0, "SIZE",
     "Refuse methods that would take more for their tables of similarities (chisim), such as 500M "
     "or 4G (default: half of the machine's memory)."},
    {"estimate-memory", 0, NULL, "Say how much memory the fit would take, and stop."},
    {"output", 'o', "DIR",
     "Write rows.tsv, cols.tsv and model.json (soft: rows.probabilities.tsv, too) into this "
     "folder."},
    {"json", 0, NULL, "Print one JSON object."},
    CLI_TEXT_OPTIONS,
    CLI_INPUT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const cli_command cli_fit = {
    .name = "fit",
    .words = "INPUT",
    .word_count = 1,
    .summary = "Co-cluster a matrix: group its rows and its columns at the same time.",
    .details =
        "INPUT is a matrix in any format that 'cobloc info' reads, or text: a folder of files, "
        "JSON "
        "lines, a column of a table, ... (see 'cobloc vectorize'). The result is printed as blocs: "
        "each with its size, its rows and the columns that define it; with -o it is written to a "
        "folder: rows.tsv, cols.tsv (name, cluster) and model.json, and for text matrix.cbm.\n\n"
        "Clusters are numbered from 0, the largest first. Rows and columns without entries get "
        "cluster -1. Ctrl-C stops early and keeps the best so far.",
    .options = options,
    .run = run,
};
