/* cobloc score: one labeling against another.
 * SPDX-License-Identifier: MIT
 */
#include "labels.h"

#include <stdlib.h>

/* Reads two files of labels, checks that they speak of the same lines, and scores them. */
static bool score_files(const char *path, const char *truth_path, cobloc_scores *scores, int *code)
{
    cli_lines lines = {0}, truth_lines = {0};
    int32_t *labels = NULL, *truth = NULL;
    cobloc_error err;
    bool good = cli_read_lines(path, &lines) && cli_read_lines(truth_path, &truth_lines);
    *code = CLI_FAILED;
    if (good && lines.count != truth_lines.count) {
        cli_complain("%s holds %lld labels, but %s holds %lld", path, (long long)lines.count,
                     truth_path, (long long)truth_lines.count);
        good = false;
    }
    if (good) {
        labels = cli_number_labels(&lines);
        truth = cli_number_labels(&truth_lines);
        good = labels && truth;
    }
    if (good && cobloc_score(labels, truth, lines.count, scores, &err) != COBLOC_OK) {
        *code = cli_fail(&err);
        good = false;
    }
    free(labels);
    free(truth);
    cli_lines_free(&lines);
    cli_lines_free(&truth_lines);
    return good;
}

static int run(const cli_args *args)
{
    cobloc_scores scores;
    int code;
    if (!score_files(args->words[0], args->words[1], &scores, &code))
        return code;
    if (cli_value(args, "json"))
        return cli_print_json(
            json_pack("{s:f, s:f, s:f}", "acc", scores.acc, "nmi", scores.nmi, "ari", scores.ari));
    cli_table *t = cli_table_new("lr");
    cli_table_cell(t, "accuracy");
    cli_table_cell(t, "%.4f", scores.acc);
    cli_table_cell(t, "NMI");
    cli_table_cell(t, "%.4f", scores.nmi);
    cli_table_cell(t, "ARI");
    cli_table_cell(t, "%.4f", scores.ari);
    cli_table_print(t, stdout);
    return CLI_DONE;
}

static const cli_option options[] = {
    {"json", 0, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL},
};

const cli_command cli_score = {
    .name = "score",
    .words = "LABELS TRUTH",
    .word_count = 2,
    .summary = "Score labels against the truth: accuracy, NMI, ARI.",
    .details =
        "Both files hold one label a line, numbers or names, or are tables that cobloc fit wrote "
        "(rows.tsv, cols.tsv). Lines without a label (empty, ?, -1, NA) are left out.\n\n"
        "Accuracy is the share of lines that agree under the best one-to-one matching of clusters "
        "and classes; NMI is the mutual information over the geometric mean of the entropies; "
        "ARI is the adjusted Rand index.",
    .options = options,
    .run = run,
};
