/* cobloc score: labels against the truth, and what a fit is worth without one.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "labels.h"
#include "score_report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* ---- the two labelings of rows, or of columns -------------------------------------------------
 */

typedef struct side {
    cli_lines lines, truth_lines;
    int32_t *labels, *truth;
    cli_score_side report;
} side;

static void side_free(side *s)
{
    cli_lines_free(&s->lines);
    cli_lines_free(&s->truth_lines);
    free(s->labels);
    free(s->truth);
    free((void *)s->report.cluster_names);
    free((void *)s->report.class_names);
    cobloc_confusion_free(s->report.confusion);
}

/* By name where both files have names, else by order. */
static bool match_lines(const char *path, cli_lines *lines, const char *truth_path,
                        cli_lines *truth)
{
    if (lines->name && truth->name)
        return cli_follow_names(truth_path, truth, path, lines->name, lines->count);
    if (cli_lines_are(truth, lines->count) || cli_lines_are(lines, truth->count))
        return true;
    cli_complain("%s holds %lld labels, but %s holds %lld", path, (long long)lines->count,
                 truth_path, (long long)truth->count);
    return false;
}

/* Reads both files; `name` is the file that a folder stands for. False after a complaint. */
static bool side_read(side *s, const char *path, const char *truth_path, const char *name)
{
    char *found = is_folder(path) ? cli_path_inside(path, name) : NULL;
    const char *labels_path = found ? found : path;
    bool good = cli_read_lines(labels_path, &s->lines) &&
                cli_read_lines(truth_path, &s->truth_lines) &&
                match_lines(labels_path, &s->lines, truth_path, &s->truth_lines) &&
                (s->labels = cli_number_labels(&s->lines)) &&
                (s->truth = cli_number_labels(&s->truth_lines)) &&
                (s->report.cluster_names = cli_label_texts(&s->lines, s->labels)) &&
                (s->report.class_names = cli_label_texts(&s->truth_lines, s->truth));
    free(found);
    return good;
}

static bool side_score(side *s, const cobloc_scores *scores, cobloc_error *err)
{
    s->report.scores = *scores;
    s->report.left_out = s->lines.count - scores->lines;
    return cobloc_confusion_of(s->labels, s->truth, s->lines.count, &s->report.confusion, err) ==
           COBLOC_OK;
}

/* ---- a folder that cobloc fit wrote -----------------------------------------------------------
 */

/* model.json as it is, or NULL after a complaint. */
static json_t *read_model(const char *folder)
{
    json_error_t where;
    char *path = cli_path_inside(folder, "model.json");
    json_t *model = path ? json_load_file(path, 0, &where) : NULL;
    if (path && !model && where.line > 0)
        cli_complain("%s:%d: %s", path, where.line, where.text);
    else if (path && !model)
        cli_complain("%s: %s", path, where.text);
    else if (path && !json_object_get(model, "explained_information")) {
        cli_complain("%s: has no 'explained_information': it was not written by this version of "
                     "cobloc fit",
                     path);
        json_decref(model);
        model = NULL;
    }
    free(path);
    return model;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static int score(side *rows, side *cols, json_t *model, bool as_json)
{
    cobloc_error err;
    cobloc_coscores found = {0};
    cobloc_status status = COBLOC_OK;
    int64_t n = rows ? rows->lines.count : 0, d = cols ? cols->lines.count : 0;
    if (cols)
        status =
            cob_coscore(rows->labels, rows->truth, n, cols->labels, cols->truth, d, &found, &err);
    else if (rows)
        status = cob_score(rows->labels, rows->truth, n, &found.rows, &err);
    if (status != COBLOC_OK || (rows && !side_score(rows, &found.rows, &err)) ||
        (cols && !side_score(cols, &found.cols, &err)))
        return cli_fail(&err);
    cli_score_report report = {.model = model,
                               .rows = rows ? &rows->report : NULL,
                               .cols = cols ? &cols->report : NULL,
                               .cce = found.cce,
                               .cari = found.cari};
    if (as_json)
        return cli_print_json(cli_score_json(&report));
    cli_score_print(&report);
    return CLI_DONE;
}

static int run(const cli_args *args)
{
    const char *labels = args->words[0], *truth = args->words[1];
    const char *const *cols = cli_values(args, "cols");
    bool folder = is_folder(labels);
    side sides[2];
    json_t *model = NULL;
    int code = CLI_FAILED;
    memset(sides, 0, sizeof sides);
    if (!truth && !folder)
        return cli_usage_error(args->command, "%s is no folder that cobloc fit wrote: expected %s",
                               labels, "LABELS TRUTH");
    if (!truth && cols[0])
        return cli_usage_error(args->command, "--cols goes with a TRUTH of the rows, too");
    if ((!folder || (model = read_model(labels))) &&
        (!truth || side_read(&sides[0], labels, truth, "rows.tsv")) &&
        (!cols[0] || side_read(&sides[1], cols[0], cols[1], "cols.tsv")))
        code = score(truth ? &sides[0] : NULL, cols[0] ? &sides[1] : NULL, model,
                     cli_value(args, "json") != NULL);
    side_free(&sides[0]);
    side_free(&sides[1]);
    json_decref(model);
    return code;
}

static const cli_option options[] = {
    {"cols", 0, "LABELS TRUTH",
     "The same for the columns: their scores, and those of rows and columns together."},
    {"json", 0, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL},
};

const cli_command cli_score = {
    .name = "score",
    .words = "LABELS|RESULT [TRUTH]",
    .word_count = 2,
    .optional_count = 1,
    .summary = "Score labels against the truth: accuracy, NMI, ARI and others.",
    .details =
        "LABELS and TRUTH hold one label a line, a number or a name. Lines without one (empty, ?, "
        "-, -1, NA, NaN) are left out. Or they are tables, separated by tabs or commas, whose "
        "header has a 'cluster', 'label' or 'class'; where both also have a 'name', lines are "
        "matched by name, else by order.\n\n"
        "RESULT is a folder that cobloc fit wrote: its rows.tsv (with --cols its cols.tsv) are the "
        "labels. It has scores that need no truth: ICL, modularity, and the share of the matrix's "
        "mutual information that the blocks explain.\n\n"
        "Accuracy is the share of lines that agree under the best one-to-one matching of clusters "
        "and classes; NMI is the mutual information over the geometric mean of the entropies; "
        "ARI is the adjusted Rand index; purity is the share of lines that are of the most "
        "frequent class of their cluster; SDCS is the standard deviation of the clusters' sizes. "
        "The confusion matrix has classes as rows and clusters as columns, in the order of the "
        "best matching.\n\n"
        "With --cols: CCE, the co-clustering error, is the share of cells whose row or column is "
        "wrong; CARI is the adjusted Rand index of the cells.",
    .options = options,
    .run = run,
};
