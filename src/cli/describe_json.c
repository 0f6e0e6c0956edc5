/* A description as JSON.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"

static int length(const cobloc_description *of, const char *group, const char *list)
{
    return (int)cobloc_count(of, "%s%s", group, list);
}

/* The term that tells most of a bloc; NULL: none. */
static const char *telling_term(const cli_described *d, const char *group)
{
    return length(d->description, group, "telling") > 0
               ? cobloc_matrix_col_name(d->matrix,
                                        cobloc_int(d->description, "%stelling[0].col", group))
               : NULL;
}

/* A list of terms or rows, each with the name of its line. */
static json_t *lines(const cli_described *d, const char *group, const char *list, bool terms)
{
    char number[CLI_NUMBER_ROOM], one[64];
    json_t *made = json_array();
    for (int i = 0; i < length(d->description, group, list); i++) {
        snprintf(one, sizeof one, "%s%s[%d].", group, list, i);
        int64_t line = cobloc_int(d->description, "%s%s", one, terms ? "col" : "row");
        json_t *object = json_object();
        json_object_set_new(object, "name",
                            cli_json_text(terms ? cli_col_name(d->matrix, line, number)
                                                : cli_row_name(d->matrix, line, number)));
        json_object_set_new(object, terms ? "column" : "row", json_integer(line));
        json_object_update_new(object, cli_json_object(d->description, one,
                                                       terms ? "sum rows share weight npmi"
                                                             : "next margin probability"));
        char text[CLI_EXCERPT_ROOM];
        if (!terms &&
            cobloc_matrix_excerpt(d->matrix, line, telling_term(d, group), text, sizeof text) > 0)
            json_object_set_new(object, "excerpt", cli_json_text(text));
        json_array_append_new(made, object);
    }
    return made;
}

static json_t *graph_object(const cli_described *d, const char *group)
{
    const cobloc_description *of = d->description;
    char number[CLI_NUMBER_ROOM];
    json_t *nodes = json_array(), *edges = json_array();
    for (int t = 0; t < length(of, group, "graph"); t++)
        json_array_append_new(
            nodes, cli_json_text(
                       cli_col_name(d->matrix, cobloc_int(of, "%sgraph[%d]", group, t), number)));
    for (int e = 0; e < length(of, group, "edges"); e++)
        json_array_append_new(
            edges, json_pack("[I, I, o]", (json_int_t)cobloc_int(of, "%sedges[%d].a", group, e),
                             (json_int_t)cobloc_int(of, "%sedges[%d].b", group, e),
                             cli_json_number(cobloc_real(of, "%sedges[%d].cosine", group, e))));
    return json_pack("{s:o, s:o}", "terms", nodes, "edges", edges);
}

static json_t *bloc_object(const cli_described *d, const char *list, int cluster, bool of_rows)
{
    const cobloc_description *of = d->description;
    char group[32], list_of[64];
    snprintf(group, sizeof group, "%s[%d].", list, cluster);
    json_t *object = json_pack("{s:i}", "cluster", cluster);
    json_object_update_new(object,
                           cli_json_object(of, group, "name rows cols sum density jaccard npmi"));
    if (of_rows)
        json_object_update_new(object, cli_json_object(of, group, "isim esim stability"));
    snprintf(list_of, sizeof list_of, "%spartners", group);
    json_object_set_new(object, "partners", cli_json_list(of, list_of, "cluster lift"));
    json_object_set_new(object, "frequent", lines(d, group, "frequent", true));
    json_object_set_new(object, "telling", lines(d, group, "telling", true));
    json_object_set_new(object, "coherent", lines(d, group, "coherent", true));
    json_object_set_new(object, "graph", graph_object(d, group));
    if (cobloc_text(of, "%ssection", group))
        json_object_update_new(object, cli_json_object(of, group, "section"));
    if (of_rows) {
        json_object_set_new(object, "typical", lines(d, group, "typical", false));
        json_object_set_new(object, "borderline", lines(d, group, "borderline", false));
    }
    return object;
}

static json_t *blocs(const cli_described *d, const char *list, bool of_rows)
{
    json_t *made = json_array();
    for (int b = 0; b < cobloc_count(d->description, "%s", list); b++)
        json_array_append_new(made, bloc_object(d, list, b, of_rows));
    return made;
}

json_t *cli_describe_json(const cli_described *d)
{
    const cobloc_description *of = d->description;
    json_t *object = cli_json_object(d->result, "", "model inference k l n d");
    json_object_update_new(object, cli_json_object(of, "", "diagonal jaccard npmi unknown"));
    json_object_set_new(object, "blocs", blocs(d, "blocs", true));
    json_object_set_new(object, "column_clusters", blocs(d, "topics", false));
    json_object_update_new(object, cli_json_object(of, "", "lifts densities means"));
    return object;
}
