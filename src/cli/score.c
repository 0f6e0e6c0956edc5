/* cobloc score: labels against the truth, and what a fit is worth without one.
 * SPDX-License-Identifier: MIT
 */
#include "input.h"
#include "reports.h"

#include <stdlib.h>

/* Reads the labels of a file, or of the file `name` in a folder, and their known classes. */
static void read_side(cli_score_side *s, const char *path, const char *truth, const char *name)
{
    char *inside = cli_is_folder(path) ? cli_path_inside(path, name) : NULL;
    cli_must(cobloc_labels_read(inside ? inside : path, &s->labels, &cli_error));
    cli_must(cobloc_labels_read(truth, &s->truth, &cli_error));
    cli_must(cobloc_labels_match(s->truth, s->labels, &cli_error));
    cli_warn_labels(s->truth);
    free(inside);
}

/* Scores that the fit has without a truth. */
static json_t *read_model(const char *folder)
{
    cobloc_saved *saved = NULL;
    cli_must(cobloc_saved_read(folder, &saved, &cli_error));
    json_t *model = cli_json_object(
        saved, "result.", "model criterion_name criterion icl modularity explained_information");
    cobloc_saved_free(saved);
    return model;
}

/* ---- running --------------------------------------------------------------------------------- */

static const int32_t *values(const cobloc_labels *labels, int64_t *count)
{
    return cobloc_ints(labels, count, "labels");
}

static void count_both(cli_score_side *s)
{
    int64_t count;
    const int32_t *labels = values(s->labels, &count), *truth = values(s->truth, NULL);
    cli_must(cobloc_confusion_of(labels, truth, count, &s->confusion, &cli_error));
}

/* Scores rows alone, or rows and columns. */
static void score(cli_score_report *r)
{
    int64_t n, d;
    const int32_t *rows = values(r->rows.labels, &n), *cols = values(r->cols.labels, &d);
    const int32_t *row_truth = values(r->rows.truth, NULL),
                  *col_truth = values(r->cols.truth, NULL);
    if (cols)
        cli_must(cobloc_coscore(rows, row_truth, n, cols, col_truth, d, &r->both, &cli_error));
    else if (rows)
        cli_must(cobloc_score(rows, row_truth, n, &r->of_rows, &cli_error));
    if (rows)
        count_both(&r->rows);
    if (cols)
        count_both(&r->cols);
}

static void free_side(cli_score_side *s)
{
    cobloc_labels_free(s->labels);
    cobloc_labels_free(s->truth);
    cobloc_confusion_free(s->confusion);
}

static void run(const cli_args *args)
{
    const char *labels = args->words[0], *truth = args->words[1];
    const char *const *cols = cli_values(args, "cols");
    bool folder = cli_is_folder(labels);
    cli_score_report r = {0};
    if (!truth && !folder)
        cli_stop_usage(args->command,
                       "%s is not a folder that cobloc fit wrote: expected LABELS TRUTH", labels);
    if (!truth && cols[0])
        cli_stop_usage(args->command, "--cols needs a TRUTH of the rows as well");
    r.model = folder ? read_model(labels) : NULL;
    if (truth)
        read_side(&r.rows, labels, truth, "rows.tsv");
    if (cols[0])
        read_side(&r.cols, cols[0], cols[1], "cols.tsv");
    score(&r);
    if (cli_value(args, "json"))
        cli_print_json(cli_score_json(&r));
    else
        cli_score_print(&r);
    free_side(&r.rows);
    free_side(&r.cols);
    cobloc_scores_free(r.of_rows);
    cobloc_coscores_free(r.both);
    json_decref(r.model);
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
