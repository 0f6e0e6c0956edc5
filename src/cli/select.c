/* cobloc select: how many co-clusters, and which model.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"
#include "fit_report.h"
#include "input.h"
#include "select_report.h"

static const cli_group own_group;

static bool check_options(const cli_args *args, cobloc_select_options *o)
{
    if (!cli_picture_name(args, "plot") || !cli_take_exact(args, o, "models"))
        return false;
    if (cobloc_count(o, "models") > 0)
        cobloc_set_text(o, "fit.model", cobloc_text(o, "models[0]"), NULL);
    return true;
}

/* ---- running --------------------------------------------------------------------------------- */

static int report(const cli_args *args, const cobloc_matrix *matrix, const cobloc_selection *s,
                  const cobloc_scores *scores)
{
    const char *folder = cli_value(args, "output"), *plot = cli_value(args, "plot");
    const cobloc_result *chosen = cli_chosen(s);
    int code = CLI_DONE;
    cli_progress_end();
    if (plot && (code = cli_select_plot(s, plot)) != CLI_DONE)
        return code;
    cli_fit_warn(chosen);
    if (cli_value(args, "json"))
        return cli_print_json(cli_select_json(s, scores));
    if (folder && cli_is_quiet())
        return code;
    cli_select_print(s);
    putchar('\n');
    cli_fit_print(chosen, matrix, scores, NULL, cli_value(args, "full") != NULL);
    if (folder)
        cli_say_written(folder, ", curve.tsv", matrix);
    return code;
}

static int select_and_report(const cli_args *args, cobloc_matrix *matrix,
                             const cobloc_select_options *o)
{
    cobloc_labels *truth = NULL;
    cobloc_selection *s = NULL;
    cobloc_scores *scores = NULL;
    cobloc_error err;
    const char *folder = cli_value(args, "output");
    int code = CLI_FAILED;
    if (!cli_can_write_result(args, matrix) || !cli_read_truth(args, matrix, true, &truth) ||
        !cli_keep_truth(args, matrix, truth))
        code = CLI_FAILED;
    else if (cobloc_select(matrix, o, &s, &err) != COBLOC_OK ||
             (folder && cli_rank() == 0 && cobloc_selection_write(s, matrix, o, folder, &err) != COBLOC_OK))
        code = cli_fail(&err);
    else if (cli_rank() > 0) /* the first writes, and prints */
        code = CLI_DONE;
    else if (cli_end_checkpoint(o, "fit.checkpoint", (int)cobloc_int(s, "stop")) &&
             cli_score_rows(truth, cli_chosen(s), &scores))
        code = report(args, matrix, s, scores);
    cobloc_labels_free(truth);
    cobloc_scores_free(scores);
    cobloc_selection_free(s);
    return code;
}

static int run(const cli_args *args)
{
    cobloc_select_options *o = cli_made(args, &own_group);
    cobloc_matrix *matrix = NULL;
    int code = CLI_USAGE;
    if (!check_options(args, o))
        return code;
    code = CLI_FAILED;
    if (cli_can_write_result(args, NULL) && cli_can_write(args, "plot") &&
        cli_read_input(args, args->words[0], cli_made(args, &cli_text_group), &matrix, &code))
        code = select_and_report(args, matrix, o);
    cobloc_matrix_free(matrix);
    return code;
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
     "Write rows.tsv, cols.tsv and model.json of the chosen fit, curve.tsv, and the labels of larger "
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
