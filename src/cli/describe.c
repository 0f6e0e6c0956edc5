/* cobloc describe: what the blocs of a result are about.
 * SPDX-License-Identifier: MIT
 */
#include "describe_report.h"
#include "input.h"

#include <stdlib.h>
#include <string.h>

/* All that a description needs, and what it becomes. */
typedef struct request {
    cobloc_saved *saved;
    cobloc_matrix *matrix, *reference;
    cobloc_describe_options *options;
    cobloc_description *description;
} request;

static bool parse_options(const cli_args *args, cobloc_describe_options *o)
{
    if (cli_value(args, "json") && cli_value(args, "tsv")) {
        cli_usage_error(args->command, "--json and --tsv exclude each other");
        return false;
    }
    return cli_set(args, o, "", "terms rows pool neighbours graph-terms");
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static bool is_graph_file(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && (strcmp(ending, ".dot") == 0 || strcmp(ending, ".gv") == 0 ||
                      strcmp(ending, ".graphml") == 0);
}

/* One file with all graphs, or a folder with a file for each. */
static int write_graphs(const request *r, const char *path)
{
    cobloc_error err;
    if (is_graph_file(path))
        return cobloc_description_graph(r->description, r->matrix, -1, path, &err) == COBLOC_OK
                   ? CLI_DONE
                   : cli_fail(&err);
    if (!cli_make_folder(path))
        return CLI_FAILED;
    for (int l = 0; l < cobloc_int(r->description, "l"); l++) {
        char name[32];
        snprintf(name, sizeof name, "terms-%d.dot", l);
        char *inside = cli_path_inside(path, name);
        bool good = inside && cobloc_description_graph(r->description, r->matrix, l, inside,
                                                       &err) == COBLOC_OK;
        if (!good) {
            int code = inside ? cli_fail(&err) : CLI_FAILED;
            free(inside);
            return code;
        }
        free(inside);
    }
    return CLI_DONE;
}

/* ---- running --------------------------------------------------------------------------------- */

static int show(const cli_args *args, const request *r)
{
    cli_described d = {cobloc_object(r->saved, "result"), r->matrix, r->description};
    long long unknown = cobloc_int(r->description, "unknown");
    if (cli_value(args, "graph") && write_graphs(r, cli_value(args, "graph")) != CLI_DONE)
        return CLI_FAILED;
    cli_progress_end();
    if (unknown > 0)
        cli_complain("%lld of the frequent terms are not in %s: they have no NPMI", unknown,
                     cli_value(args, "reference"));
    if (cli_value(args, "json"))
        return cli_print_json(cli_describe_json(&d));
    if (cli_value(args, "tsv"))
        cli_describe_tsv(&d);
    else
        cli_describe_print(&d);
    return CLI_DONE;
}

static int describe(const cli_args *args, request *r, const cobloc_io_options *io)
{
    cobloc_error err;
    cobloc_io_options *plain = NULL;
    const char *reference = cli_value(args, "reference");
    bool good =
        cobloc_io_options_new(&plain, &err) == COBLOC_OK &&
        cobloc_saved_read(args->words[0], &r->saved, &err) == COBLOC_OK &&
        cobloc_saved_matrix(r->saved, cli_value(args, "input"), io, &r->matrix, &err) == COBLOC_OK;
    cli_watch(plain);
    good = good &&
           (!reference || cobloc_matrix_read(reference, plain, &r->reference, &err) == COBLOC_OK);
    cobloc_io_options_free(plain);
    good = good && cobloc_set_object(r->options, "reference", r->reference, &err) == COBLOC_OK &&
           cobloc_describe(cobloc_object(r->saved, "result"), r->matrix, r->options,
                           &r->description, &err) == COBLOC_OK;
    return good ? show(args, r) : cli_fail(&err);
}

static int run(const cli_args *args)
{
    request r = {0};
    cobloc_io_options *io = NULL;
    cobloc_error err;
    int code = CLI_USAGE;
    if (cobloc_describe_options_new(&r.options, &err) != COBLOC_OK)
        code = cli_fail(&err);
    else if (cli_io_options(args, &io) && parse_options(args, r.options))
        code = describe(args, &r, io);
    cobloc_description_free(r.description);
    cobloc_describe_options_free(r.options);
    cobloc_io_options_free(io);
    cobloc_matrix_free(r.matrix);
    cobloc_matrix_free(r.reference);
    cobloc_saved_free(r.saved);
    return code;
}

static const cli_option options[] = {
    {"terms", 'n', "N", "So many terms in each list (default 10)."},
    {"rows", 0, "N", "So many typical and borderline rows (default 5)."},
    {"input", 0, "FILE", "The matrix that was fitted, where it is no longer where it was then."},
    {"reference", 0, "FILE",
     "Measure NPMI in this corpus, a matrix with the same terms by name (default: the own one)."},
    {"pool", 0, "N", "Order so many of the most frequent terms by NPMI (default 30, most 64)."},
    {"neighbours", 0, "N", "The nearest so many terms, for NPMI and graphs (default 5)."},
    {"graph", 0, "FILE",
     "Write term graphs: to FILE.dot, FILE.gv (Graphviz) or FILE.graphml; else FILE is a folder, "
     "with a .dot file for each cluster."},
    {"graph-terms", 0, "N", "So many terms in each graph (default 8)."},
    {"tsv", 0, NULL, "Print one table: a line for each term and row of each list."},
    {"json", 0, NULL, "Print one JSON object."},
    CLI_INPUT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const cli_command cli_describe = {
    .name = "describe",
    .words = "RESULT",
    .word_count = 1,
    .summary = "Say what the blocs of a result are about: their terms and typical rows.",
    .details =
        "RESULT is a folder that cobloc fit, select or ensemble wrote with -o. The matrix is read "
        "from where it was then; --input says where it is now.\n\n"
        "Terms (columns) are listed by three orders. Frequent: by the sum of their entries in the "
        "bloc's rows. Telling: by the log-likelihood ratio of their share of these rows' entries "
        "against that of all other rows'. Coherent: the most frequent ones by NPMI_i, the mean of "
        "their normalised pointwise mutual information with their nearest neighbours among "
        "these. The three most telling terms are suggested as a name.\n\n"
        "Rows are typical where their score (the model's own) is far above that of the next "
        "cluster, borderline where it is near it; that cluster stands beside them.\n\n"
        "Jaccard is the mean similarity of the rows of the frequent terms, two by two; NPMI, from "
        "-1 to 1, the mean of theirs. Where row and column clusters do not come in pairs, each "
        "is shown with those of the other side in which it holds more than chance would give it; "
        "'3 (2.1 times)': 2.1 times as much, in cluster 3.",
    .options = options,
    .run = run,
};
