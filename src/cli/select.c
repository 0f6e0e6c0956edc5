/* cobloc select: how many co-clusters, and which model.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"
#include "reports.h"
#include "input.h"

static const cli_group own_group;

static void print(const cli_args *args, const cobloc_matrix *matrix, const cobloc_selection *s,
                  const cobloc_scores *scores)
{
    const char *folder = cli_value(args, "output");
    cli_select_print(s);
    putchar('\n');
    cli_fit_print(cli_chosen(s), matrix, scores, NULL, cli_value(args, "full") != NULL);
    if (folder)
        cli_say_written(folder, ", curve.tsv", matrix);
}

/* Of several processes, the first writes and prints. */
static void report(const cli_args *args, const cobloc_matrix *matrix,
                   const cobloc_select_options *o, const cobloc_labels *truth,
                   const cobloc_selection *s)
{
    const char *folder = cli_value(args, "output");
    if (folder)
        cli_must(cobloc_selection_write(s, matrix, o, folder, &cli_error));
    cli_end_checkpoint(o, "fit.checkpoint", (int)cobloc_int(s, "stop"));
    cobloc_scores *scores = cli_score_rows(truth, cli_chosen(s));
    cli_progress_end();
    if (cli_value(args, "plot"))
        cli_select_plot(s, cli_value(args, "plot"));
    cli_fit_warn(cli_chosen(s));
    if (cli_value(args, "json"))
        cli_print_json(cli_select_json(s, scores));
    else if (!folder || !cli_is_quiet())
        print(args, matrix, s, scores);
    cobloc_scores_free(scores);
}

static void run(const cli_args *args)
{
    cobloc_select_options *o = cli_made(args, &own_group);
    cobloc_selection *s = NULL;
    cli_check_picture(args, "plot");
    cli_take_exact(args, o, "models");
    if (cobloc_count(o, "models") > 0)
        cobloc_set_text(o, "fit.model", cobloc_text(o, "models[0]"), NULL);
    cli_check_write_result(args, NULL);
    cli_check_write(args, "plot");
    cobloc_matrix *matrix = cli_read_input(args, args->words[0], cli_made(args, &cli_text_group));
    cli_check_write_result(args, matrix);
    cobloc_labels *truth = cli_take_truth(args, matrix);
    cli_must(cobloc_select(matrix, o, &s, &cli_error));
    if (cli_rank() == 0)
        report(args, matrix, o, truth, s);
    cobloc_labels_free(truth);
    cobloc_selection_free(s);
    cobloc_matrix_free(matrix);
}

CLI_DEFINE_MAKER(select_options)

static const cli_option options[] = {
    CLI_SECTION("Sizes and models"),
    {"range", 'k', "A:B", "k_from:k_to", "Numbers of row clusters to try. Default: 2:12."},
    {"cols-range", 'l', "A:B", "l_from:l_to",
     "Numbers of column clusters, for models that let you choose it; all pairs are tried. By "
     "default as many as row clusters."},
    {"by", 0, "NAME", "by", NULL},
    {"within", 0, "SHARE", "within", NULL},
    {"model", 'm', "NAMES", "models",
     "The model, or several to choose among, such as dlbm1,dlbm2,dlbm3,lbm. Default: coclus."},
    CLI_EXACT_OPTION,
    {"weight", 'w', "NAME", "fit.weight", NULL},
    CLI_SECTION("Search"),
    {"init", 0, "NAME", "fit.start",
     "Where a run starts: auto (default), merge, skmeans, spectral or random."},
    CLI_SEARCH_OPTIONS("fit."),
    CLI_SECTION("What is known"),
    CLI_KNOWN_OPTIONS("fit."),
    CLI_SECTION("Output"),
    {"output", 'o', "DIR", NULL,
     "Write rows.tsv, cols.tsv and model.json of the chosen fit, curve.tsv, and the labels of "
     "larger "
     "sizes (larger.tsv) into this folder."},
    CLI_FORCE_OPTION,
    CLI_FULL_OPTION,
    {"plot", 0, "FILE", NULL, "Draw the curve to a .svg, .pdf or .png file."},
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(select_options), .options = options};

static const cli_example examples[] = {
    {"cobloc select docs.mtx.gz -k 2:20 -o result",
     "The size from 2 to 20 on which several models agree most."},
    {"cobloc select votes.csv -m dlbm1,dlbm2,dlbm3,lbm --by icl",
     "The model and the size with the largest ICL."},
    {"cobloc select docs.mtx.gz -k 2:12 --by modularity --plot curve.svg",
     "The curve of modularity, drawn."},
    {NULL, NULL},
};

const cli_command cli_select = {
    .name = "select",
    .words = "INPUT",
    .word_count = 1,
    .summary = "Choose the number of co-clusters, and the model.",
    .details =
        "Fits every size in the range, from its own starts and from its neighbours: the next "
        "larger size with two clusters merged, and the next smaller one with a cluster split. "
        "Prints the curve, a summary of it, and the fit of the chosen size.\n\n"
        "By default the size is chosen on which several models agree most. With ICL, the largest "
        "value is chosen. Modularity has no penalty for too many clusters, "
        "so the smallest size that is nearly as good as the best is chosen. The summary says when "
        "several sizes are equally good or when the best is the last one tried. Several models are "
        "compared by ICL if they see the same numbers (zeros and ones, or counts); a model whose "
        "assumptions do not hold is set aside.",
    .examples = examples,
    .groups = {&own_group, &cli_text_group, &cli_io_group},
    .shares = true,
    .run = run,
};
