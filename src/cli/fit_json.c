/* A fit as JSON.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"

/* How the size was chosen. */
static json_t *size_object(const cobloc_result *r)
{
    json_t *object = cli_json_object(r, "size_", "rule summary");
    json_object_set_new(object, "curve", cli_json_list(r, "sizes", "k l value"));
    return object;
}

json_t *cli_fit_json(const cobloc_result *r, const cobloc_scores *scores)
{
    json_t *object = cli_json_object(
        r, "",
        "model weight inference k l n d nnz seed restarts criterion_name criterion iterations stop "
        "seconds device ranks messages bytes_sent "
        "row_sizes col_sizes repaired at_bound dust icl modularity explained_information "
        "row_passes "
        "col_passes");
    json_object_set_new(object, "converged",
                        json_boolean(cobloc_int(r, "stop") == COBLOC_STOP_CONVERGED));
    if (cobloc_count(r, "candidates") > 0) {
        json_object_set_new(object, "agreement", cli_json_value(r, "agreement"));
        json_object_set_new(object, "candidates",
                            cli_json_list(r, "candidates", "model weight agreement dust"));
    }
    if (scores)
        json_object_set_new(object, "scores", cli_json_object(scores, "", "acc nmi ari"));
    if (cobloc_text(r, "size_rule"))
        json_object_set_new(object, "size", size_object(r));
    return object;
}

/* ---- blocs ----------------------------------------------------------------------------------- */

enum { TERMS = 10 };

/* What the row clusters are about: name, sizes, the most telling columns. */
static json_t *bloc_object(const cobloc_description *d, const cobloc_matrix *matrix, int k)
{
    char group[32], number[CLI_NUMBER_ROOM];
    snprintf(group, sizeof group, "blocs[%d].", k);
    json_t *object = cli_json_object(d, group, "name rows cols"), *terms = json_array();
    for (int t = 0; t < cobloc_count(d, "%stelling", group); t++) {
        int64_t col = cobloc_int(d, "%stelling[%d].col", group, t);
        json_array_append_new(terms, cli_json_text(cli_col_name(matrix, col, number)));
    }
    json_object_set_new(object, "cluster", json_integer(k));
    json_object_set_new(object, "terms", terms);
    return object;
}

cobloc_description *cli_describe_few(const cobloc_result *r, const cobloc_matrix *matrix)
{
    cobloc_describe_options *few = NULL;
    cobloc_description *d = NULL;
    cli_must(cobloc_describe_options_new(&few, &cli_error));
    cli_must(cobloc_set_int(few, "terms", TERMS, &cli_error));
    cli_must(cobloc_set_int(few, "rows", 0, &cli_error));
    cli_must(cobloc_set_int(few, "pool", 1, &cli_error));
    cli_must(cobloc_set_int(few, "graph_terms", 1, &cli_error));
    cli_must(cobloc_set_flag(few, "quality", 0, &cli_error));
    cli_must(cobloc_describe(r, matrix, few, &d, &cli_error));
    cobloc_describe_options_free(few);
    return d;
}

void cli_fit_json_blocs(json_t *object, const cobloc_result *r, const cobloc_matrix *matrix)
{
    cobloc_description *d = cli_describe_few(r, matrix);
    json_t *blocs = json_array();
    for (int k = 0; k < cobloc_int(d, "k"); k++)
        json_array_append_new(blocs, bloc_object(d, matrix, k));
    json_object_set_new(object, "blocs", blocs);
    cobloc_description_free(d);
}

/* ---- labels ---------------------------------------------------------------------------------- */

typedef const char *(*name_fn)(const cobloc_matrix *matrix, int64_t line, char *number);

static json_t *lines(const cobloc_result *r, const cobloc_matrix *matrix, const char *labels,
                     name_fn name_of)
{
    int64_t count;
    const int32_t *clusters = cobloc_ints(r, &count, "%s", labels);
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++) {
        char number[CLI_NUMBER_ROOM];
        json_array_append_new(list, json_pack("{s:o, s:i}", "name",
                                              cli_json_text(name_of(matrix, i, number)), "cluster",
                                              (int)clusters[i]));
    }
    return list;
}

void cli_fit_json_labels(json_t *object, const cobloc_result *r, const cobloc_matrix *matrix)
{
    json_object_set_new(object, "row_labels", cli_json_value(r, "row_labels"));
    json_object_set_new(object, "col_labels", cli_json_value(r, "col_labels"));
    json_object_set_new(object, "rows", lines(r, matrix, "row_labels", cli_row_name));
    json_object_set_new(object, "cols", lines(r, matrix, "col_labels", cli_col_name));
}
