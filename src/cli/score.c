/* cobloc score: labels against the truth, and what a fit is worth without one.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"
#include "score_report.h"

#include <stdlib.h>

/* Reads the labels of a file, or of the file `name` in a folder, and their known classes. */
static bool read_side(cli_score_side *s, const char *path, const char *truth, const char *name)
{
    cobloc_error err;
    char *inside = cli_is_folder(path) ? cli_path_inside(path, name) : NULL;
    cobloc_status status = cobloc_labels_read(inside ? inside : path, &s->labels, &err);
    if (status == COBLOC_OK)
        status = cobloc_labels_read(truth, &s->truth, &err);
    if (status == COBLOC_OK)
        status = cobloc_labels_match(s->truth, s->labels, &err);
    free(inside);
    if (status != COBLOC_OK)
        cli_fail(&err);
    else
        cli_warn_labels(s->truth);
    return status == COBLOC_OK;
}

/* Scores that the fit has without a truth; NULL after a complaint. */
static json_t *read_model(const char *folder)
{
    cobloc_saved *saved = NULL;
    cobloc_error err;
    json_t *model = NULL;
    if (cobloc_saved_read(folder, &saved, &err) == COBLOC_OK)
        model = cli_json_object(saved, "result.",
                                "model criterion_name criterion icl modularity "
                                "explained_information");
    else
        cli_fail(&err);
    cobloc_saved_free(saved);
    return model;
}

/* ---- running --------------------------------------------------------------------------------- */

static const int32_t *values(const cobloc_labels *labels, int64_t *count)
{
    return cobloc_ints(labels, count, "labels");
}

static cobloc_status count_both(cli_score_side *s, cobloc_error *err)
{
    int64_t count;
    const int32_t *labels = values(s->labels, &count), *truth = values(s->truth, NULL);
    return cobloc_confusion_of(labels, truth, count, &s->confusion, err);
}

/* Scores rows alone, or rows and columns. */
static cobloc_status score(cli_score_report *r, cobloc_error *err)
{
    int64_t n, d;
    const int32_t *rows = values(r->rows.labels, &n), *cols = values(r->cols.labels, &d);
    const int32_t *row_truth = values(r->rows.truth, NULL),
                  *col_truth = values(r->cols.truth, NULL);
    cobloc_status status = COBLOC_OK;
    if (cols)
        status = cobloc_coscore(rows, row_truth, n, cols, col_truth, d, &r->both, err);
    else if (rows)
        status = cobloc_score(rows, row_truth, n, &r->of_rows, err);
    if (status == COBLOC_OK && rows)
        status = count_both(&r->rows, err);
    if (status == COBLOC_OK && cols)
        status = count_both(&r->cols, err);
    return status;
}

static int score_and_show(const cli_args *args, cli_score_report *r)
{
    cobloc_error err;
    if (score(r, &err) != COBLOC_OK)
        return cli_fail(&err);
    if (cli_value(args, "json"))
        return cli_print_json(cli_score_json(r));
    cli_score_print(r);
    return CLI_DONE;
}

static void free_side(cli_score_side *s)
{
    cobloc_labels_free(s->labels);
    cobloc_labels_free(s->truth);
    cobloc_confusion_free(s->confusion);
}

static int run(const cli_args *args)
{
    const char *labels = args->words[0], *truth = args->words[1];
    const char *const *cols = cli_values(args, "cols");
    bool folder = cli_is_folder(labels);
    cli_score_report r = {0};
    int code = CLI_FAILED;
    if (!truth && !folder)
        return cli_usage_error(args->command,
                               "%s is not a folder that cobloc fit wrote: expected LABELS TRUTH",
                               labels);
    if (!truth && cols[0])
        return cli_usage_error(args->command, "--cols needs a TRUTH of the rows as well");
    if ((!folder || (r.model = read_model(labels))) &&
        (!truth || read_side(&r.rows, labels, truth, "rows.tsv")) &&
        (!cols[0] || read_side(&r.cols, cols[0], cols[1], "cols.tsv")))
        code = score_and_show(args, &r);
    free_side(&r.rows);
    free_side(&r.cols);
    cobloc_scores_free(r.of_rows);
    cobloc_coscores_free(r.both);
    json_decref(r.model);
    return code;
}

static const cli_option options[] = {
    {"cols", 0, "LABELS TRUTH", NULL, "Score the columns as well, and rows and columns together."},
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {.options = options};

static const cli_example examples[] = {
    {"cobloc score result classes.txt", "How well a result agrees with known classes."},
    {"cobloc score labels.txt classes.txt --json", "Two lists of labels, for a program to read."},
    {"cobloc score result classes.txt --cols result columns.txt", "Rows and columns together."},
    {NULL, NULL},
};

const cli_command cli_score = {
    .name = "score",
    .words = "LABELS|RESULT [TRUTH]",
    .word_count = 2,
    .optional_count = 1,
    .summary = "Score labels against the truth: accuracy, NMI, ARI and others.",
    .details =
        "LABELS and TRUTH hold one label per line, a number or a name. Lines without a label "
        "(empty, ?, -, -1, NA, NaN) are left out. They may also be tables, separated by tabs or "
        "commas, with a header that has a 'cluster', 'label' or 'class' column. If both also have "
        "a 'name' column, lines are matched by name, otherwise by order.\n\n"
        "RESULT is a folder that cobloc fit wrote: its rows.tsv (with --cols also its cols.tsv) "
        "holds the labels. It also has scores that need no truth: ICL, modularity, and the share "
        "of the matrix's mutual information that the blocks explain.\n\n"
        "Accuracy is the share of lines that agree under the best one-to-one matching of clusters "
        "and classes; NMI is the mutual information over the geometric mean of the entropies; "
        "ARI is the adjusted Rand index; purity is the share of lines that belong to the most "
        "frequent class of their cluster; SDCS is the standard deviation of the cluster sizes. "
        "The confusion matrix has classes as rows and clusters as columns, in the order of the "
        "best matching.\n\n"
        "With --cols: CCE, the co-clustering error, is the share of cells whose row or column is "
        "wrong; CARI is the adjusted Rand index of the cells.",
    .examples = examples,
    .groups = {&own_group},
    .run = run,
};
