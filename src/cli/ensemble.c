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

/* What the command line gave, with what it owns. */
typedef struct request {
    cobloc_ensemble_options options;
    cobloc_matrix *matrix;
    int32_t *truth;
    cli_models_named models;
    cobloc_copartition given[CLI_MOST_WORDS];
    int32_t *labels[2 * CLI_MOST_WORDS]; /* all labels that were read */
    int label_count;
} request;

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_k(const cli_args *args, cobloc_ensemble_options *o)
{
    long k = 0;
    const char *text = cli_value(args, "k");
    if (!text) {
        cli_usage_error(args->command,
                        "the number of co-clusters is missing: -k, a number or auto");
        return false;
    }
    if (strcmp(text, "auto") != 0 && !cli_integer(args, "k", 1, 10000, 0, &k))
        return false;
    o->k = (int)k;
    return cli_range(args, "range", &o->k_from, &o->k_to);
}

static bool parse_counts(const cli_args *args, cobloc_ensemble_options *o)
{
    long runs, base, restarts, iterations, seed;
    if (!cli_integer(args, "runs", 1, 10000, o->runs, &runs) ||
        !cli_integer(args, "base-restarts", 1, 100000, o->base_restarts, &base) ||
        !cli_integer(args, "restarts", 1, 100000, o->restarts, &restarts) ||
        !cli_integer(args, "max-iter", 1, 1000000, o->max_iterations, &iterations) ||
        !cli_integer(args, "seed", 0, INT32_MAX, (long)o->seed, &seed))
        return false;
    o->runs = (int)runs;
    o->base_restarts = (int)base;
    o->restarts = (int)restarts;
    o->max_iterations = (int)iterations;
    o->seed = (uint64_t)seed;
    return true;
}

static bool parse_options(const cli_args *args, request *r)
{
    cobloc_ensemble_options *o = &r->options;
    bool from = cli_value(args, "from") != NULL;
    cob_ensemble_options_default(o);
    if (cli_value(args, "method"))
        o->method = cli_value(args, "method");
    if (!parse_k(args, o) || !parse_counts(args, o) || !cli_weight(args, &o->weight) ||
        !cli_range(args, "sizes", &o->size_from, &o->size_to) ||
        !cli_number(args, "keep", &o->keep) || !cli_number(args, "within", &o->within) ||
        !cli_number(args, "max-seconds", &o->max_seconds))
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
    if (cli_value(args, "base") || !from) {
        if (!cli_model_list(args, "base", "dcc", &r->models))
            return false;
        o->models = r->models.names;
        o->model_count = r->models.count;
    }
    o->progress = cli_progress();
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
    int32_t *row_labels = cli_row_classes(rows, r->matrix);
    int32_t *col_labels = row_labels && cols ? cli_col_classes(cols, r->matrix) : NULL;
    r->labels[r->label_count++] = row_labels;
    r->labels[r->label_count++] = col_labels;
    if (!row_labels || (cols && !col_labels))
        return false;
    r->given[r->options.given_count++] = (cobloc_copartition){
        .row_labels = row_labels, .col_labels = col_labels, .name = source};
    return true;
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
    r->options.given = r->given;
    return true;
}

/* ---- reporting ------------------------------------------------------------------------------- */

static const char *origin_of(const cobloc_member *member)
{
    return member->model ? member->model : member->name;
}

static json_t *member_object(const cobloc_member *m)
{
    return json_pack("{s:s, s:s, s:i, s:i, s:o, s:b}", m->model ? "model" : "from", origin_of(m),
                     "source", m->model ? "fit" : "given", "k", m->k, "run", m->run, "modularity",
                     cli_json_number(m->modularity), "kept", m->kept);
}

static json_t *report(const cobloc_consensus *c, const cobloc_scores *scores)
{
    json_t *object = cli_fit_json(c->result, scores), *members = json_array();
    for (int i = 0; i < c->count; i++)
        json_array_append_new(members, member_object(&c->members[i]));
    json_object_set_new(object, "members", members);
    json_object_set_new(object, "kept", json_integer(c->kept));
    json_object_set_new(object, "seconds", json_real(c->seconds));
    if (c->selection) {
        json_t *selection = cli_select_json(c->selection, NULL);
        json_object_set(object, "curve", json_object_get(selection, "curve"));
        json_object_set(object, "chosen", json_object_get(selection, "chosen"));
        json_decref(selection);
    }
    return object;
}

static void print_members(const cobloc_consensus *c)
{
    cli_table *t = cli_table_new("lrrl");
    cli_table_cell(t, "co-clustering");
    cli_table_cell(t, "clusters");
    cli_table_cell(t, "modularity");
    cli_table_cell(t, " ");
    for (int i = 0; i < c->count; i++) {
        const cobloc_member *m = &c->members[i];
        cli_table_cell(t, "%s", origin_of(m));
        cli_table_cell(t, "%d", m->k);
        if (isnan(m->modularity))
            cli_table_cell(t, "-");
        else
            cli_table_cell(t, "%.4f", m->modularity);
        cli_table_cell(t, "%s", m->kept ? "joined" : isnan(m->modularity) ? "not possible" : "");
    }
    cli_table_print(t, stdout);
    printf("\n%d of %d co-clusterings joined, %.2f s\n\n", c->kept, c->count, c->seconds);
}

static int fit_and_report(const cli_args *args, request *r)
{
    cobloc_consensus *c = NULL;
    cobloc_error err;
    cobloc_scores scores, *scored = r->truth ? &scores : NULL;
    const char *folder = cli_value(args, "output");
    int code = CLI_DONE;
    if (cobloc_ensemble(r->matrix, &r->options, &c, &err) != COBLOC_OK)
        return cli_fail(&err);
    const cobloc_result *result = c->result;
    if ((scored &&
         cob_score(result->row_labels, r->truth, result->n, &scores, &err) != COBLOC_OK) ||
        (folder && cobloc_consensus_write(c, r->matrix, &r->options, folder, &err) != COBLOC_OK)) {
        cobloc_consensus_free(c);
        return cli_fail(&err);
    }
    cli_progress_end();
    cli_fit_warn(result);
    if (cli_value(args, "json")) {
        code = cli_print_json(report(c, scored));
    } else {
        print_members(c);
        if (c->selection) {
            cli_select_print(c->selection);
            putchar('\n');
        }
        cli_fit_print(result, r->matrix, scored, NULL);
        if (folder)
            printf("\nwritten to %s: rows.tsv, cols.tsv, model.json, members.tsv%s%s\n", folder,
                   c->selection ? ", curve.tsv" : "",
                   cobloc_matrix_text(r->matrix) ? ", matrix.cbm" : "");
    }
    cobloc_consensus_free(c);
    return code;
}

static int run(const cli_args *args)
{
    request *r = calloc(1, sizeof *r);
    cobloc_io_options io;
    int code = CLI_USAGE;
    if (!r) {
        cli_complain("out of memory");
        return CLI_FAILED;
    }
    if (cli_io_options(args, &io) && parse_options(args, r)) {
        code = CLI_FAILED;
        r->options.threads = io.threads;
        if (cli_read_input(args, &io, &r->matrix, &code) &&
            cli_read_truth(args, r->matrix, &r->truth) && read_given(args, r) &&
            cli_keep_matrix(r->matrix, cli_value(args, "output")))
            code = fit_and_report(args, r);
    }
    cobloc_matrix_free(r->matrix);
    for (int i = 0; i < r->label_count; i++)
        free(r->labels[i]);
    free(r->truth);
    free(r->models.text);
    free(r);
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
