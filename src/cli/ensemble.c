/* cobloc ensemble: the consensus of many co-clusterings.
 * SPDX-License-Identifier: MIT
 */
#include "fit_options.h"
#include "reports.h"
#include "input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_group own_group;

static void check_options(const cli_args *args, cobloc_ensemble_options *o)
{
    const char *k = cli_value(args, "k");
    bool from = cli_value(args, "from") != NULL;
    const char *wrong = !k ? "the number of co-clusters is missing: -k, a number or auto"
                        : from && args->word_count == 1
                            ? "--from needs files of row and column labels, or result folders"
                        : !from && args->word_count > 1
                            ? "more than one INPUT; co-clusterings come after --from"
                        : !from && cli_value(args, "rows-only") ? "--rows-only goes with --from"
                                                                : NULL;
    if (wrong)
        cli_stop_usage(args->command, "%s", wrong);
    if (strcmp(k, "auto") != 0)
        cli_set(args, o, "k", "k");
}

/* ---- co-clusterings from files --------------------------------------------------------------- */

typedef struct request {
    cobloc_ensemble_options *options;
    cobloc_matrix *matrix;
} request;

/* Sets the labels of the last co-clustering that was given to those of a file. */
static void set_labels(request *r, const char *path, const char *file, bool rows)
{
    cobloc_labels *labels = NULL;
    int64_t count;
    cli_must(cobloc_labels_read(file, &labels, &cli_error));
    cli_must((rows ? cobloc_labels_match_rows : cobloc_labels_match_cols)(labels, r->matrix,
                                                                          &cli_error));
    const int32_t *values = cobloc_ints(labels, &count, "labels");
    cli_warn_labels(labels);
    cli_must(cobloc_set_ints(r->options, path, values, count, &cli_error));
    cobloc_labels_free(labels);
}

/* Reads one pair of files, or of rows alone: `cols` is NULL. The clusters are numbered by us, so
 * that they need pairing. */
static void read_pair(request *r, const char *rows, const char *cols, const char *source)
{
    cli_must(cobloc_append(r->options, "given", &cli_error));
    cli_must(cobloc_set_text(r->options, "given[-1].name", source, &cli_error));
    set_labels(r, "given[-1].row_labels", rows, true);
    if (cols)
        set_labels(r, "given[-1].col_labels", cols, false);
}

static void read_folder(request *r, const char *folder, bool rows_only)
{
    char *rows = cli_path_inside(folder, "rows.tsv");
    char *cols = rows_only ? NULL : cli_path_inside(folder, "cols.tsv");
    read_pair(r, rows, cols, folder);
    free(rows);
    free(cols);
}

static void read_given(const cli_args *args, request *r)
{
    bool rows_only = cli_value(args, "rows-only") != NULL;
    for (int w = 1; w < args->word_count; w++) {
        const char *path = args->words[w],
                   *next = w + 1 < args->word_count ? args->words[w + 1] : NULL;
        if (cli_is_folder(path))
            read_folder(r, path, rows_only);
        else if (rows_only)
            read_pair(r, path, NULL, path);
        else if (!next || cli_is_folder(next))
            cli_stop("%s: is a file of row labels, but no file of column labels follows", path);
        else
            read_pair(r, path, args->words[++w], path);
    }
}

/* ---- reporting ------------------------------------------------------------------------------- */

static json_t *members_json(const cobloc_consensus *c)
{
    json_t *list = cli_json_list(c, "members", "k run modularity kept"), *object;
    size_t i;
    json_array_foreach(list, i, object)
    {
        const char *model = cobloc_text(c, "members[%zu].model", i);
        json_object_set_new(object, "source", json_string(model ? "fit" : "given"));
        json_object_set_new(object, model ? "model" : "from",
                            cli_json_text(model ? model : cobloc_text(c, "members[%zu].name", i)));
    }
    return list;
}

static json_t *report(const cobloc_consensus *c, const cobloc_scores *scores)
{
    json_t *object = cli_fit_json(cobloc_object(c, "result"), scores);
    const cobloc_selection *selection = cobloc_object(c, "selection");
    json_object_set_new(object, "members", members_json(c));
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

static void print(const cli_args *args, const cobloc_matrix *matrix, const cobloc_consensus *c,
                  const cobloc_scores *scores)
{
    const char *folder = cli_value(args, "output");
    const cobloc_selection *selection = cobloc_object(c, "selection");
    print_members(c);
    if (selection) {
        cli_select_print(selection);
        putchar('\n');
    }
    cli_fit_print(cobloc_object(c, "result"), matrix, scores, NULL,
                  cli_value(args, "full") != NULL);
    if (folder)
        cli_say_written(folder, selection ? ", members.tsv, curve.tsv" : ", members.tsv", matrix);
}

static void run(const cli_args *args)
{
    request r = {.options = cli_made(args, &own_group)};
    cobloc_consensus *c = NULL;
    const char *folder = cli_value(args, "output");
    check_options(args, r.options);
    cli_check_write_result(args, NULL);
    r.matrix = cli_read_input(args, args->words[0], cli_made(args, &cli_text_group));
    cli_check_write_result(args, r.matrix);
    cobloc_labels *truth = cli_take_truth(args, r.matrix);
    read_given(args, &r);
    cli_must(cobloc_ensemble(r.matrix, r.options, &c, &cli_error));
    if (folder)
        cli_must(cobloc_consensus_write(c, r.matrix, r.options, folder, &cli_error));
    cobloc_scores *scores = cli_score_rows(truth, cobloc_object(c, "result"));
    cli_progress_end();
    cli_fit_warn(cobloc_object(c, "result"));
    if (cli_value(args, "json"))
        cli_print_json(report(c, scores));
    else if (!folder || !cli_is_quiet())
        print(args, r.matrix, c, scores);
    cobloc_labels_free(truth);
    cobloc_scores_free(scores);
    cobloc_consensus_free(c);
    cobloc_matrix_free(r.matrix);
}

CLI_DEFINE_MAKER(ensemble_options)

static const cli_option options[] = {
    CLI_SECTION("Blocs"),
    {"k", 'k', "K", NULL, "Number of co-clusters, or auto to choose it by modularity."},
    {"method", 'm', "NAME", "method", NULL},
    {"range", 0, "A:B", "k_from:k_to", "With -k auto: numbers to choose from. Default: 2:12."},
    {"within", 0, "SHARE", "within", NULL},
    {"weight", 'w', "NAME", "weight", NULL},
    CLI_SECTION("Co-clusterings to join"),
    {"base", 'b', "NAMES", "models",
     "Models that make co-clusterings, such as dcc,coclus. Default: dcc, or none with --from."},
    {"sizes", 0, "A:B", "size_from:size_to",
     "Numbers of clusters of the co-clusterings that are made. Default: 2:25."},
    {"runs", 0, "R", "runs", NULL},
    {"base-restarts", 0, "R", "base_restarts", NULL},
    {"keep", 0, "SHARE", "keep", NULL},
    {"from", 0, NULL, NULL,
     "Join the co-clusterings that follow INPUT: result folders of cobloc fit -o, or pairs of "
     "files with row labels and column labels. Add --base to make some as well."},
    {"rows-only", 0, NULL, NULL,
     "With --from: the files hold row labels only. Columns are assigned where they have their "
     "largest share."},
    CLI_SECTION("Search"),
    {"restarts", 'r', "R", "restarts", NULL},
    {"max-iter", 0, "I", "max_iterations", NULL},
    {"seed", 's', "S", "seed", NULL},
    {"max-seconds", 0, "S", "max_seconds", NULL},
    CLI_SECTION("Output"),
    {"truth", 0, "FILE", NULL,
     "Known classes of the rows, to score the result against. By default the labels that the "
     "matrix holds, if any."},
    {"output", 'o', "DIR", NULL,
     "Write rows.tsv, cols.tsv, model.json and members.tsv into this folder."},
    CLI_FORCE_OPTION,
    CLI_FULL_OPTION,
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(ensemble_options), .options = options};

static const cli_example examples[] = {
    {"cobloc ensemble docs.mtx.gz -k 8 -o result",
     "Eight blocs on which many co-clusterings agree."},
    {"cobloc ensemble docs.mtx.gz -k auto --base dcc,coclus",
     "Made by two models; the number of blocs is chosen."},
    {"cobloc ensemble docs.mtx.gz -k 8 --from one two three",
     "Joins three results that cobloc fit wrote."},
    {NULL, NULL},
};

const cli_command cli_ensemble = {
    .name = "ensemble",
    .words = "INPUT [FILES...]",
    .word_count = CLI_MOST_WORDS,
    .optional_count = CLI_MOST_WORDS - 1,
    .summary = "Join many co-clusterings into one.",
    .details =
        "Co-clusters INPUT many times, with several sizes and, with --base, several models; keeps "
        "the co-clusterings with a good modularity; and finds the co-clustering that agrees best "
        "with all of them. With -k auto it also chooses the number of co-clusters.\n\n"
        "With --from the co-clusterings are read from files, made by any tool: one label per line, "
        "a number or a name; an empty line, ? or -1 means no label. Which column cluster belongs "
        "to which row cluster is found in the matrix.\n\n"
        "Time and memory grow with the rows and columns, never with their product.",
    .examples = examples,
    .groups = {&own_group, &cli_text_group, &cli_io_group},
    .run = run,
};
