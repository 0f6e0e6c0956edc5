/* A description as JSON.
 * SPDX-License-Identifier: MIT
 */
#include "describe_report.h"
#include "fit_report.h"

static json_t *terms_list(const cli_described *d, const cobloc_term *terms, int count)
{
    char number[CLI_NUMBER_ROOM];
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(
            list,
            json_pack("{s:o, s:I, s:o, s:I, s:o, s:o, s:o}", "name",
                      cli_json_text(cli_col_name(d->matrix, terms[i].col, number)), "column",
                      (json_int_t)terms[i].col, "sum", cli_json_number(terms[i].sum), "rows",
                      (json_int_t)terms[i].rows, "share", cli_json_number(terms[i].share), "weight",
                      cli_json_number(terms[i].weight), "npmi", cli_json_number(terms[i].npmi)));
    return list;
}

static json_t *rows_list(const cli_described *d, const cobloc_described_row *rows, int count)
{
    char number[CLI_NUMBER_ROOM];
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list,
                              json_pack("{s:o, s:I, s:i, s:o, s:o}", "name",
                                        cli_json_text(cli_row_name(d->matrix, rows[i].row, number)),
                                        "row", (json_int_t)rows[i].row, "next", rows[i].next,
                                        "margin", cli_json_number(rows[i].margin), "probability",
                                        cli_json_number(rows[i].probability)));
    return list;
}

static json_t *graph_object(const cli_described *d, const cobloc_bloc *b)
{
    char number[CLI_NUMBER_ROOM];
    json_t *nodes = json_array(), *edges = json_array();
    for (int t = 0; t < b->graph_count; t++)
        json_array_append_new(nodes, cli_json_text(cli_col_name(d->matrix, b->graph[t], number)));
    for (int e = 0; e < b->edge_count; e++)
        json_array_append_new(edges, json_pack("[i, i, o]", b->edges[e].a, b->edges[e].b,
                                               cli_json_number(b->edges[e].cosine)));
    return json_pack("{s:o, s:o}", "terms", nodes, "edges", edges);
}

static json_t *bloc_object(const cli_described *d, int cluster, const cobloc_bloc *b, bool of_rows)
{
    json_t *partners = json_array();
    for (int i = 0; i < b->partner_count; i++)
        json_array_append_new(partners, json_pack("{s:i, s:o}", "cluster", b->partners[i].cluster,
                                                  "lift", cli_json_number(b->partners[i].lift)));
    json_t *object = json_pack(
        "{s:i, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "cluster", cluster,
        "name", cli_json_text(b->name), "rows", (json_int_t)b->rows, "cols", (json_int_t)b->cols,
        "sum", cli_json_number(b->sum), "density", cli_json_number(b->density), "jaccard",
        cli_json_number(b->jaccard), "npmi", cli_json_number(b->npmi), "partners", partners,
        "frequent", terms_list(d, b->frequent, b->frequent_count), "telling",
        terms_list(d, b->telling, b->telling_count), "coherent",
        terms_list(d, b->coherent, b->coherent_count), "graph", graph_object(d, b));
    if (b->section)
        json_object_set_new(object, "section", cli_json_text(b->section));
    if (of_rows) {
        json_object_set_new(object, "typical", rows_list(d, b->typical, b->typical_count));
        json_object_set_new(object, "borderline", rows_list(d, b->borderline, b->borderline_count));
    }
    return object;
}

static json_t *table(const double *values, int k, int l)
{
    json_t *rows = json_array();
    for (int a = 0; a < k; a++) {
        json_t *row = json_array();
        for (int b = 0; b < l; b++)
            json_array_append_new(row, cli_json_number(values[a * l + b]));
        json_array_append_new(rows, row);
    }
    return rows;
}

json_t *cli_describe_json(const cli_described *d)
{
    const cobloc_description *of = d->description;
    const cobloc_result *r = d->result;
    json_t *blocs = json_array(), *topics = json_array();
    for (int k = 0; k < of->k; k++)
        json_array_append_new(blocs, bloc_object(d, k, &of->blocs[k], true));
    for (int l = 0; of->topics && l < of->l; l++)
        json_array_append_new(topics, bloc_object(d, l, &of->topics[l], false));
    return json_pack("{s:s, s:s, s:i, s:i, s:I, s:I, s:b, s:o, s:o, s:I, s:o, s:o, s:o, s:o}",
                     "model", r->model, "inference", cobloc_inference_name(r->inference), "k",
                     of->k, "l", of->l, "n", (json_int_t)r->n, "d", (json_int_t)r->d, "diagonal",
                     of->diagonal, "jaccard", cli_json_number(of->jaccard), "npmi",
                     cli_json_number(of->npmi), "unknown", (json_int_t)of->unknown, "blocs", blocs,
                     "column_clusters", topics, "lifts", table(of->lifts, of->k, of->l),
                     "densities", table(of->densities, of->k, of->l));
}
