/* cobloc fit: co-clusters a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"
#include "reports.h"
#include "input.h"

#include <string.h>

static const cli_group own_group;

/* ---- options --------------------------------------------------------------------------------- */

/* --init is a start or, if there is none of this name, a file of labels. */
static void take_start(const cli_args *args, cobloc_fit_options *o)
{
    const char *init = cli_value(args, "init");
    if (!init || cobloc_set_text(o, "start", init, NULL) == COBLOC_OK)
        return;
    cobloc_set_int(o, "start", COBLOC_START_LABELS, NULL);
    cobloc_status status = cobloc_set_file(o, "start_rows", init, &cli_error);
    cli_guess guess = {.word = init};
    for (int s = 0; cobloc_field_choice(o, "start", s); s++)
        if (s != COBLOC_START_LABELS)
            cli_guess_try(&guess, cobloc_field_choice(o, "start", s));
    if (guess.best && status == COBLOC_IO) {
        char text[CLI_GUESS_ROOM];
        cli_stop_usage(args->command, "--init is '%s', no start and no file%s", init,
                       cli_guess_text(&guess, "", text));
    }
    cli_must(status);
}

static void parse_options(const cli_args *args, cobloc_fit_options *o)
{
    const char *k = cli_value(args, "k");
    bool given = k && strcmp(k, "auto") != 0;
    if (cli_value(args, "labels") && !cli_value(args, "json"))
        cli_stop_usage(args->command, "--labels goes with --json; -o writes rows.tsv");
    if (given && cli_value(args, "most"))
        cli_stop_usage(args->command, "--most goes with a size that is chosen, without -k");
    if (given)
        cli_set(args, o, "k", "k");
    cli_take_exact(args, o, "model");
    take_start(args, o);
}

/* ---- running --------------------------------------------------------------------------------- */

static void print_json(const cli_args *args, const cobloc_result *result,
                       const cobloc_matrix *matrix, const cobloc_scores *scores)
{
    json_t *object = cli_fit_json(result, scores);
    cli_fit_json_blocs(object, result, matrix);
    if (cli_value(args, "labels"))
        cli_fit_json_labels(object, result, matrix);
    cli_print_json(object);
}

/* Of several processes, the first writes and prints. */
static void report(const cli_args *args, const cobloc_matrix *matrix, const cobloc_fit_options *o,
                   const cobloc_labels *truth, const cobloc_result *result)
{
    const char *folder = cli_value(args, "output");
    cobloc_scores *scores = cli_score_rows(truth, result);
    cli_stage("writing", 1);
    if (folder)
        cli_must(cobloc_result_write(result, matrix, o, folder, &cli_error));
    cli_end_checkpoint(o, "checkpoint", (int)cobloc_int(result, "stop"));
    cli_progress_end();
    cli_fit_warn(result);
    if (cli_value(args, "json"))
        print_json(args, result, matrix, scores);
    else if (!folder || !cli_is_quiet())
        cli_fit_print(result, matrix, scores, folder, cli_value(args, "full") != NULL);
    cobloc_scores_free(scores);
}

static void fit(const cli_args *args, cobloc_matrix *matrix, const cobloc_fit_options *o)
{
    cobloc_result *result = NULL;
    if (cli_rank() == 0 && cobloc_matrix_shards_missing(matrix) > 0)
        cli_must(cobloc_matrix_verify(matrix, &cli_error)); /* it will say what is in the blocs */
    cli_check_write_result(args, matrix);
    cobloc_labels *truth = cli_take_truth(args, matrix);
    cli_must(cobloc_fit(matrix, o, &result, &cli_error));
    if (cli_rank() == 0)
        report(args, matrix, o, truth, result);
    cobloc_labels_free(truth);
    cobloc_result_free(result);
}

static void run(const cli_args *args)
{
    cobloc_fit_options *o = cli_made(args, &own_group);
    parse_options(args, o);
    cli_check_write_result(args, NULL);
    cobloc_matrix *matrix = cli_read_input(args, args->words[0], cli_made(args, &cli_text_group));
    if (cli_value(args, "estimate-memory"))
        cli_fit_memory(matrix, o);
    else
        fit(args, matrix, o);
    cobloc_matrix_free(matrix);
}

CLI_DEFINE_MAKER(fit_options)

static const cli_option options[] = {
    CLI_SECTION("Blocs"),
    {"k", 'k', "K", NULL, "Number of row clusters. By default, or with auto, it is chosen."},
    {"most", 0, "K", "most", "Without -k: the largest number to try."},
    {"l", 'l', "L", "l", NULL},
    {"model", 'm', "NAME", "model",
     "Model to fit; 'cobloc models' lists all of them. By default auto: several are fitted, and "
     "the result is kept that the others agree with most."},
    CLI_EXACT_OPTION,
    {"weight", 'w', "NAME", "weight", NULL},
    CLI_SECTION("Search"),
    {"init", 0, "NAME", NULL,
     "Where a run starts: auto (default), merge, skmeans, spectral, random, or a file with one row "
     "label per line."},
    CLI_SEARCH_OPTIONS(""),
    {"estimate-memory", 0, NULL, NULL, "Print how much memory the fit would take, and stop."},
    CLI_SECTION("What is known"),
    CLI_KNOWN_OPTIONS(""),
    CLI_SECTION("Output"),
    {"output", 'o', "DIR", NULL,
     "Write rows.tsv, cols.tsv and model.json into this folder, with probabilities also "
     "rows.probabilities.tsv."},
    CLI_FORCE_OPTION,
    CLI_FULL_OPTION,
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {"labels", 0, NULL, NULL, "With --json: also the cluster of every row and column."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(fit_options), .options = options};

static const cli_example examples[] = {
    {"cobloc fit table.csv",
     "The number of blocs and the model are chosen; the blocs are printed."},
    {"cobloc fit docs.mtx.gz -k 8 -o result",
     "Eight blocs, also written to a folder for describe, report, plot and predict."},
    {"cobloc fit texts/ -k 20 --stem english -o result", "The blocs of a folder of texts."},
    {"cobloc fit docs.mtx.gz -k 8 -m splbm --truth classes.txt --json",
     "One model, scored against known classes, for a program to read."},
    {NULL, NULL},
};

const cli_command cli_fit = {
    .name = "fit",
    .words = "INPUT",
    .word_count = 1,
    .summary = "Co-cluster a matrix: group its rows and its columns at the same time.",
    .details =
        "INPUT is a matrix in any format that 'cobloc info' reads, or text: a folder of files, "
        "JSON lines, a column of a table and others (see 'cobloc vectorize'). The result is "
        "printed as blocs, each with its size, its rows and the columns that define it. With -o "
        "it is also written to a folder: rows.tsv and cols.tsv (name, cluster; of rows also the "
        "name of their bloc, the margin to the second choice, and the known class), model.json "
        "and, for text, matrix.cbm.\n\n"
        "Clusters are numbered from 0, largest first. Empty rows and columns get cluster -1. "
        "Ctrl-C stops early and keeps the best result so far.",
    .examples = examples,
    .groups = {&own_group, &cli_text_group, &cli_io_group},
    .shares = true,
    .run = run,
};
