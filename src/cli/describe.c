/* cobloc describe: what the blocs of a result are about.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"
#include "input.h"

#include <stdlib.h>
#include <string.h>

static const cli_group own_group;

/* All that a description needs, and what it becomes. */
typedef struct request {
    cobloc_saved *saved;
    cobloc_matrix *matrix, *reference;
    cobloc_description *description;
} request;

/* ---- graphs ---------------------------------------------------------------------------------- */

static bool is_graph_file(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && (strcmp(ending, ".dot") == 0 || strcmp(ending, ".gv") == 0 ||
                      strcmp(ending, ".graphml") == 0);
}

/* One file with all graphs, or a folder with a file for each. */
static void write_graphs(const request *r, const char *path)
{
    bool one = is_graph_file(path);
    if (one)
        cli_must(cobloc_description_graph(r->description, r->matrix, -1, path, &cli_error));
    else
        cli_make_folder(path);
    for (int l = 0; !one && l < cobloc_int(r->description, "l"); l++) {
        char name[32];
        snprintf(name, sizeof name, "terms-%d.dot", l);
        char *inside = cli_path_inside(path, name);
        cli_must(cobloc_description_graph(r->description, r->matrix, l, inside, &cli_error));
        free(inside);
    }
}

/* ---- running --------------------------------------------------------------------------------- */

static void show(const cli_args *args, const request *r)
{
    cli_described d = {cobloc_object(r->saved, "result"), r->matrix, r->description};
    long long unknown = cobloc_int(r->description, "unknown");
    if (cli_value(args, "graph"))
        write_graphs(r, cli_value(args, "graph"));
    cli_progress_end();
    if (unknown > 0)
        cli_note("%lld of the frequent terms are not in %s: they have no NPMI", unknown,
                 cli_value(args, "reference"));
    if (cli_value(args, "json"))
        cli_print_json(cli_describe_json(&d));
    else if (cli_value(args, "tsv"))
        cli_describe_tsv(&d);
    else
        cli_describe_print(&d);
}

static void run(const cli_args *args)
{
    request r = {0};
    cobloc_describe_options *o = cli_made(args, &own_group);
    const char *graph = cli_value(args, "graph"), *reference = cli_value(args, "reference");
    if (cli_value(args, "json") && cli_value(args, "tsv"))
        cli_stop_usage(args->command, "--json and --tsv exclude each other");
    if (graph && is_graph_file(graph))
        cli_check_write(args, "graph");
    cli_must(cobloc_saved_read(args->words[0], &r.saved, &cli_error));
    cli_must(cobloc_saved_matrix(r.saved, cli_value(args, "input"), cli_made(args, &cli_io_group),
                                 &r.matrix, &cli_error));
    if (reference)
        cli_must(cobloc_matrix_read(reference, NULL, &r.reference, &cli_error));
    cli_must(cobloc_set_object(o, "reference", r.reference, &cli_error));
    cli_must(
        cobloc_describe(cobloc_object(r.saved, "result"), r.matrix, o, &r.description, &cli_error));
    show(args, &r);
    cobloc_description_free(r.description);
    cobloc_matrix_free(r.matrix);
    cobloc_matrix_free(r.reference);
    cobloc_saved_free(r.saved);
}

CLI_DEFINE_MAKER(describe_options)

static const cli_option options[] = {
    CLI_SECTION("Terms and rows"),
    {"terms", 'n', "N", "terms", NULL},
    {"rows", 0, "N", "rows", NULL},
    {"pool", 0, "N", "pool", NULL},
    {"neighbours", 0, "N", "neighbours", NULL},
    {"reference", 0, "FILE", NULL,
     "Measure NPMI in this matrix, whose columns are matched by name. By default in the fitted "
     "matrix."},
    CLI_SECTION("Output"),
    {"graph", 0, "FILE", NULL,
     "Write term graphs to a .dot or .gv (Graphviz) or .graphml file; with any other ending, to a "
     "folder with a .dot file for each cluster."},
    {"graph-terms", 0, "N", "graph_terms", NULL},
    {"stability", 0, "N", "samples", NULL},
    {"tsv", 0, NULL, NULL, "Print one table with a line for each term and row of each list."},
    {"json", 0, NULL, NULL, "Print one JSON object."},
    CLI_SECTION("Input"),
    {"input", 0, "FILE", NULL, "The matrix that was fitted, if it has moved."},
    {NULL, 0, NULL, NULL, NULL},
};

static const cli_group own_group = {CLI_MAKER(describe_options), .options = options};

static const cli_example examples[] = {
    {"cobloc describe result", "What each bloc is about."},
    {"cobloc describe result -n 20 --tsv >terms.tsv", "Twenty terms of each order, as a table."},
    {"cobloc describe result --graph terms.dot", "Which terms go together, for Graphviz."},
    {NULL, NULL},
};

const cli_command cli_describe = {
    .name = "describe",
    .words = "RESULT",
    .word_count = 1,
    .summary = "Describe the blocs of a result: their terms and typical rows.",
    .details =
        "RESULT is a folder that cobloc fit, select or ensemble wrote with -o. The matrix is read "
        "from its original path; if it has moved, use --input.\n\n"
        "Terms (columns) are listed in three orders. Frequent: by the sum of their entries in the "
        "bloc's rows. Telling: by the log-likelihood ratio of their share of the entries in these "
        "rows against that in all other rows. Coherent: the most frequent terms by NPMI_i, their "
        "mean normalised pointwise mutual information with their nearest neighbours among them. "
        "The three most telling terms are suggested as a name.\n\n"
        "Rows are typical if their score (the model's own) is far above that of the next cluster, "
        "and borderline if it is close to it; that cluster is shown beside them.\n\n"
        "Jaccard is the mean similarity between the rows of pairs of frequent terms; NPMI, from "
        "-1 to 1, is the mean over the same pairs. If row and column clusters do not come in "
        "pairs, each is shown with the clusters of the other side in which it holds more than "
        "chance would give it: '3 (2.1 times)' means 2.1 times as much, in cluster 3.",
    .examples = examples,
    .groups = {&own_group, &cli_io_group},
    .run = run,
};
