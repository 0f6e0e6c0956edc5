/* cobloc select: how many co-clusters, and which model.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"
#include "fit_report.h"
#include "input.h"
#include "select_report.h"
#include "text_options.h"

#include <stdlib.h>

/* What the command line gave. */
typedef struct request {
    cobloc_select_options *options;
    cobloc_matrix *matrix;
    int32_t *truth;
} request;

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_options(const cli_args *args, cobloc_select_options *o)
{
    if (!cli_known_models(args, "model") || !cli_fit_options(args, o, "fit.") ||
        !cli_picture_name(args, "plot") || !cli_set(args, o, "", "by within model=models") ||
        !cli_set(args, o, "fit.", "threads") || !cli_take_exact(args, o, "models", "fit.model"))
        return false;
    if (cli_value(args, "model"))
        cobloc_set_text(o, "fit.model", cobloc_text(o, "models[0]"), NULL);
    if (!cli_value(args, "range")) {
        cli_usage_error(args->command, "the range of sizes is missing: --range, such as 2:12");
        return false;
    }
    if (cobloc_int(o, "fit.start") == COBLOC_START_LABELS) {
        cli_usage_error(args->command,
                        "--init is '%s', expected one of: auto, merge, skmeans, spectral, random",
                        cli_value(args, "init"));
        return false;
    }
    return cli_set_range(args, o, "range", "k_from", "k_to") &&
           cli_set_range(args, o, "cols-range", "l_from", "l_to");
}

/* ---- running --------------------------------------------------------------------------------- */

static int report(const cli_args *args, const request *r, const cobloc_selection *s,
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
    cli_select_print(s);
    putchar('\n');
    cli_fit_print(chosen, r->matrix, scores, NULL);
    if (folder)
        printf("\nwritten to %s: rows.tsv, cols.tsv, model.json, curve.tsv%s\n", folder,
               cobloc_matrix_text(r->matrix) ? ", matrix.cbm" : "");
    return code;
}

static int select_and_report(const cli_args *args, request *r)
{
    cobloc_selection *s = NULL;
    cobloc_scores *scores = NULL;
    cobloc_error err;
    const char *folder = cli_value(args, "output");
    int code = CLI_FAILED;
    if (cobloc_select(r->matrix, r->options, &s, &err) != COBLOC_OK)
        return cli_fail(&err);
    if (folder && cobloc_selection_write(s, r->matrix, r->options, folder, &err) != COBLOC_OK)
        code = cli_fail(&err);
    else if (cli_score_rows(r->truth, cli_chosen(s), &scores))
        code = report(args, r, s, scores);
    cobloc_scores_free(scores);
    cobloc_selection_free(s);
    return code;
}

static int run(const cli_args *args)
{
    request r = {0};
    cobloc_io_options *io = NULL;
    cobloc_error err;
    int code = CLI_USAGE;
    if (cobloc_select_options_new(&r.options, &err) != COBLOC_OK) {
        code = cli_fail(&err);
    } else if (cli_io_options(args, &io) && parse_options(args, r.options)) {
        code = CLI_FAILED;
        if (cli_read_input(args, io, &r.matrix, &code) &&
            cli_read_truth(args, r.matrix, &r.truth) &&
            cli_fit_files(args, r.matrix, r.options, "fit.") &&
            cli_keep_matrix(r.matrix, cli_value(args, "output")))
            code = select_and_report(args, &r);
    }
    cobloc_matrix_free(r.matrix);
    cobloc_select_options_free(r.options);
    cobloc_io_options_free(io);
    free(r.truth);
    return code;
}

static const cli_option options[] = {
    {"range", 'k', "A:B", "The numbers of row clusters to try, such as 2:12."},
    {"cols-range", 'l', "A:B",
     "Numbers of column clusters, where the model leaves the choice: all pairs are tried "
     "(default: as many as row clusters)."},
    {"by", 0, "NAME",
     "Choose by icl or modularity (default: icl where the model has a likelihood)."},
    {"within", 0, "SHARE",
     "By modularity: the smallest size that is at most this share below the best (default 0.02)."},
    {"model", 'm', "NAME",
     "The model (default coclus), or several, such as dlbm1,dlbm2,dlbm3,lbm, to choose among."},
    {"init", 0, "NAME", "Start from: auto (default), merge, skmeans, spectral or random."},
    CLI_FIT_OPTIONS,
    {"max-seconds", 0, "S", "Stop after so many seconds with what there is."},
    {"output", 'o', "DIR",
     "Write rows.tsv, cols.tsv and model.json of the chosen fit, and curve.tsv, into this folder."},
    {"plot", 0, "FILE", "Draw the curve: .svg, .pdf or .png."},
    {"json", 0, NULL, "Print one JSON object."},
    CLI_TEXT_OPTIONS,
    CLI_INPUT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const cli_command cli_select = {
    .name = "select",
    .words = "INPUT",
    .word_count = 1,
    .summary = "Choose the number of co-clusters, and the model, by ICL or modularity.",
    .details =
        "Fits every size of the range, from starts of its own and from its neighbours: the next "
        "larger size with two clusters merged, the next smaller one with a cluster split. Prints "
        "the curve, what it says, and the fit of the size that it chooses.\n\n"
        "The largest ICL chooses. Modularity has no penalty, so more clusters than there are do "
        "it little harm: the smallest size that is nearly as good as the best is chosen. Where "
        "several sizes are as good, or the best is the last one tried, it says so. Several models "
        "are compared by ICL, if they see the same numbers (zeros and ones, or counts); one whose "
        "assumptions do not hold is set aside.",
    .options = options,
    .run = run,
};
