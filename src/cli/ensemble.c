/* cobloc ensemble: the consensus of many co-clusterings.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* stat */
#include "fit_options.h"
#include "fit_report.h"
#include "input.h"
#include "labels.h"
#include "select_report.h"
#include "text_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the command line gave. */
typedef struct request {
    cobloc_ensemble_options *options;
    cobloc_matrix *matrix;
    int32_t *truth;
} request;

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_k(const cli_args *args, cobloc_ensemble_options *o)
{
    const char *k = cli_value(args, "k");
    if (!k) {
        cli_usage_error(args->command,
                        "the number of co-clusters is missing: -k, a number or auto");
        return false;
    }
    return (strcmp(k, "auto") == 0 || cli_set(args, o, "", "k")) &&
           cli_set_range(args, o, "range", "k_from", "k_to");
}

static bool parse_options(const cli_args *args, cobloc_ensemble_options *o)
{
    bool from = cli_value(args, "from") != NULL;
    cli_watch(o);
    if (!parse_k(args, o) || !cli_known_models(args, "base") ||
        !cli_set(args, o, "",
                 "method runs base-restarts restarts max-iter=max_iterations seed weight keep "
                 "within max-seconds threads base=models") ||
        !cli_set_range(args, o, "sizes", "size_from", "size_to"))
        return false;
    if (from != (args->word_count > 1)) {
        cli_usage_error(args->command,
                        from ? "--from needs files of row and column labels, or result folders"
                             : "'%s' is one argument too many; co-clusterings come after --from",
                        args->words[args->word_count - 1]);
        return false;
    }
    if (cli_value(args, "rows-only") && !from) {
        cli_usage_error(args->command, "--rows-only goes with --from");
        return false;
    }
    return true;
}

/* ---- co-clusterings from files --------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Reads one pair of files, or of rows alone: `cols` is NULL. The clusters are numbered by us, so
 * that they need pairing. */
static bool read_pair(request *r, const char *rows, const char *cols, const char *source)
{
    cobloc_ensemble_options *o = r->options;
    int64_t n = cobloc_matrix_rows(r->matrix), d = cobloc_matrix_cols(r->matrix);
    int32_t *row_labels = cli_row_classes(rows, r->matrix);
    int32_t *col_labels = row_labels && cols ? cli_col_classes(cols, r->matrix) : NULL;
    bool good = row_labels && (!cols || col_labels);
    cobloc_error err;
    if (good &&
        (cobloc_append(o, "given", &err) != COBLOC_OK ||
         cobloc_set_text(o, "given[-1].name", source, &err) != COBLOC_OK ||
         cobloc_set_ints(o, "given[-1].row_labels", row_labels, n, &err) != COBLOC_OK ||
         cobloc_set_ints(o, "given[-1].col_labels", col_labels, cols ? d : 0, &err) != COBLOC_OK)) {
        cli_fail(&err);
        good = false;
    }
    free(row_labels);
    free(col_labels);
    return good;
}

static bool read_folder(request *r, const char *folder, bool rows_only)
{
    char *rows = cli_path_inside(folder, "rows.tsv");
    char *cols = rows && !rows_only ? cli_path_inside(folder, "cols.tsv") : NULL;
    bool good = rows && (cols || rows_only) && read_pair(r, rows, cols, folder);
    free(rows);
    free(cols);
    return good;
}

static bool read_given(const cli_args *args, request *r)
{
    bool rows_only = cli_value(args, "rows-only") != NULL;
    for (int w = 1; w < args->word_count; w++) {
        const char *path = args->words[w],
                   *next = w + 1 < args->word_count ? args->words[w + 1] : NULL;
        if (is_folder(path)) {
            if (!read_folder(r, path, rows_only))
                return false;
        } else if (rows_only) {
            if (!read_pair(r, path, NULL, path))
                return false;
        } else if (!next || is_folder(next)) {
            cli_complain("%s: is a file of row labels, but no file of column labels follows", path);
            return false;
        } else if (!read_pair(r, path, args->words[++w], path)) {
            return false;
        }
    }
    return true;
}

/* ---- reporting ------------------------------------------------------------------------------- */

static json_t *member_object(const cobloc_consensus *c, int i)
{
    char group[32];
    snprintf(group, sizeof group, "members[%d].", i);
    bool made = cobloc_text(c, "%smodel", group) != NULL;
    json_t *object = cli_json_object(c, group, "k run modularity kept");
    json_object_set_new(object, "source", json_string(made ? "fit" : "given"));
    json_object_set_new(object, made ? "model" : "from",
                        cli_json_text(cobloc_text(c, "%s%s", group, made ? "model" : "name")));
    return object;
}

static json_t *report(const cobloc_consensus *c, const cobloc_scores *scores)
{
    json_t *object = cli_fit_json(cobloc_object(c, "result"), scores), *members = json_array();
    const cobloc_selection *selection = cobloc_object(c, "selection");
    for (int i = 0; i < cobloc_count(c, "members"); i++)
        json_array_append_new(members, member_object(c, i));
    json_object_set_new(object, "members", members);
    json_object_update_new(object, cli_json_object(c, "", "kept seconds"));
    if (selection) {
        json_t *all = cli_select_json(selection, NULL);
        json_object_set(object, "curve", json_object_get(all, "curve"));
        json_object_set(object, "chosen", json_object_get(all, "chosen"));
        json_decref(all);
    }
    return object;
}

static void print_members(const cobloc_consensus *c)
{
    int count = (int)cobloc_count(c, "members");
    cli_table *t = cli_table_new("lrrl");
    cli_table_cell(t, "co-clustering");
    cli_table_cell(t, "clusters");
    cli_table_cell(t, "modularity");
    cli_table_cell(t, " ");
    for (int i = 0; i < count; i++) {
        const char *model = cobloc_text(c, "members[%d].model", i);
        double modularity = cobloc_real(c, "members[%d].modularity", i);
        cli_table_cell(t, "%s", model ? model : cobloc_text(c, "members[%d].name", i));
        cli_table_cell(t, "%lld", (long long)cobloc_int(c, "members[%d].k", i));
        if (isnan(modularity))
            cli_table_cell(t, "-");
        else
            cli_table_cell(t, "%.4f", modularity);
        cli_table_cell(t, "%s",
                       cobloc_int(c, "members[%d].kept", i) ? "joined"
                       : isnan(modularity)                  ? "not possible"
                                                            : "");
    }
    cli_table_print(t, stdout);
    printf("\n%lld of %d co-clusterings joined, %.2f s\n\n", (long long)cobloc_int(c, "kept"),
           count, cobloc_real(c, "seconds"));
}

static int show(const cli_args *args, const request *r, const cobloc_consensus *c,
                const cobloc_scores *scores)
{
    const char *folder = cli_value(args, "output");
    const cobloc_selection *selection = cobloc_object(c, "selection");
    const cobloc_result *result = cobloc_object(c, "result");
    cli_progress_end();
    cli_fit_warn(result);
    if (cli_value(args, "json"))
        return cli_print_json(report(c, scores));
    print_members(c);
    if (selection) {
        cli_select_print(selection);
        putchar('\n');
    }
    cli_fit_print(result, r->matrix, scores, NULL);
    if (folder)
        printf("\nwritten to %s: rows.tsv, cols.tsv, model.json, members.tsv%s%s\n", folder,
               selection ? ", curve.tsv" : "", cobloc_matrix_text(r->matrix) ? ", matrix.cbm" : "");
    return CLI_DONE;
}

static int fit_and_report(const cli_args *args, request *r)
{
    cobloc_consensus *c = NULL;
    cobloc_scores *scores = NULL;
    cobloc_error err;
    const char *folder = cli_value(args, "output");
    int code = CLI_FAILED;
    if (cobloc_ensemble(r->matrix, r->options, &c, &err) != COBLOC_OK ||
        (folder && cobloc_consensus_write(c, r->matrix, r->options, folder, &err) != COBLOC_OK))
        code = cli_fail(&err);
    else if (cli_score_rows(r->truth, cobloc_object(c, "result"), &scores))
        code = show(args, r, c, scores);
    cobloc_scores_free(scores);
    cobloc_consensus_free(c);
    return code;
}

static int run(const cli_args *args)
{
    request r = {0};
    cobloc_io_options *io = NULL;
    cobloc_error err;
    int code = CLI_USAGE;
    if (cobloc_ensemble_options_new(&r.options, &err) != COBLOC_OK) {
        code = cli_fail(&err);
    } else if (cli_io_options(args, &io) && parse_options(args, r.options)) {
        code = CLI_FAILED;
        if (cli_read_input(args, io, &r.matrix, &code) &&
            cli_read_truth(args, r.matrix, &r.truth) && read_given(args, &r) &&
            cli_keep_matrix(r.matrix, cli_value(args, "output")))
            code = fit_and_report(args, &r);
    }
    cobloc_matrix_free(r.matrix);
    cobloc_ensemble_options_free(r.options);
    cobloc_io_options_free(io);
    free(r.truth);
    return code;
}

static const cli_option options[] = {
    {"k", 'k', "K", "The number of co-clusters, or auto: chosen by modularity."},
    {"method", 'm', "NAME", "How they are joined: ebco (default), or coce, by relevance."},
    {"range", 0, "A:B", "With -k auto: the numbers to choose among (default 2:12)."},
    {"within", 0, "SHARE",
     "With -k auto: the smallest number that is at most this share below the best (default 0.02)."},
    {"base", 'b', "NAMES",
     "The models that make co-clusterings, such as dcc,coclus (default dcc)."},
    {"sizes", 0, "A:B", "Each with so many clusters (default 2:25)."},
    {"runs", 0, "R", "Each so many times, with different starts (default 1)."},
    {"base-restarts", 0, "R", "Starts of each of them (default 1)."},
    {"keep", 0, "SHARE",
     "Join those with at least this share of the best modularity (default 0.8; 0: all)."},
    {"from", 0, NULL,
     "Join the co-clusterings that follow INPUT: result folders of cobloc fit -o, or pairs of "
     "files, row labels and column labels. With --base, too, both."},
    {"rows-only", 0, NULL,
     "With --from: clusterings of rows alone, a file each; columns go beside them, where they have "
     "their largest share."},
    {"weight", 'w', "NAME", "Weigh the entries: none, binary, tfidf (default), rownorm or auto."},
    {"restarts", 'r', "R", "Starts of the consensus (default 10)."},
    {"max-iter", 0, "I",
     "Iterations of each; ebco draws the columns in 70 % of them (default 100)."},
    {"seed", 's', "S", "Same seed, same answer (default 1)."},
    {"truth", 0, "FILE", "Known classes of the rows, one a line: scores the result against them."},
    {"max-seconds", 0, "S", "Stop after so many seconds with the best so far."},
    {"output", 'o', "DIR",
     "Write rows.tsv, cols.tsv, model.json and members.tsv into this folder."},
    {"json", 0, NULL, "Print one JSON object."},
    CLI_TEXT_OPTIONS,
    CLI_INPUT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const cli_command cli_ensemble = {
    .name = "ensemble",
    .words = "INPUT [FILES...]",
    .word_count = CLI_MOST_WORDS,
    .optional_count = CLI_MOST_WORDS - 1,
    .summary = "Join many co-clusterings into one.",
    .details =
        "Co-clusters INPUT many times, with several sizes and, with --base, several models; keeps "
        "the co-clusterings of a good modularity; and finds the co-clustering that agrees best "
        "with all of them. With -k auto the number of co-clusters is found, too.\n\n"
        "With --from the co-clusterings come from files instead, made by any tool: a label a line, "
        "numbers or names; empty, ? and -1 stand for none. Which cluster of columns goes with "
        "which cluster of rows is found in the matrix.\n\n"
        "Time and memory follow the rows and columns, never their product.",
    .options = options,
    .run = run,
};
