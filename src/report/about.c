/* What each bloc is about, for the page: names, terms, rows and graphs.
 * SPDX-License-Identifier: MIT
 */
#include "report/report.h"

#include "base/alloc.h"
#include "report/data.h"

/* [column, sum, rows, share, weight, npmi], as a description has them */
static void put_terms(cob_page_json *p, const char *key, const cobloc_term *terms, int count)
{
    cob_page_open(p, key, '[');
    for (int t = 0; t < count; t++) {
        const cobloc_term *of = &terms[t];
        double numbers[] = {(double)of->col, of->sum,    (double)of->rows,
                            of->share,       of->weight, of->npmi};
        cob_page_numbers(p, NULL, numbers, 6);
    }
    cob_page_close(p, ']');
}

/* [row, margin, the cluster it would otherwise join] */
static void put_rows(cob_page_json *p, const char *key, const cobloc_described_row *rows, int count)
{
    cob_page_open(p, key, '[');
    for (int i = 0; i < count; i++)
        cob_page_numbers(p, NULL, (double[]){(double)rows[i].row, rows[i].margin, rows[i].next}, 3);
    cob_page_close(p, ']');
}

/* Nodes are [column, sum of its entries, x, y], edges [a, b, cosine]. */
static cobloc_status put_graph(cob_page_json *p, const cobloc_bloc *b, const double *col_sums,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *x = NULL, *y = NULL;
    COB_NEW(x, b->graph_count);
    COB_NEW(y, b->graph_count);
    COB_TRY(cob_layout_graph(b->graph_count, b->edges, b->edge_count, x, y, err));
    cob_page_open(p, "graph", '{');
    cob_page_open(p, "nodes", '[');
    for (int i = 0; i < b->graph_count; i++)
        cob_page_numbers(p, NULL,
                         (double[]){(double)b->graph[i], col_sums[b->graph[i]], x[i], y[i]}, 4);
    cob_page_close(p, ']');
    cob_page_open(p, "edges", '[');
    for (int e = 0; e < b->edge_count; e++)
        cob_page_numbers(p, NULL, (double[]){b->edges[e].a, b->edges[e].b, b->edges[e].cosine}, 3);
    cob_page_close(p, ']');
    cob_page_close(p, '}');
done:
    cob_free(x);
    cob_free(y);
    return status;
}

static cobloc_status put_bloc(cob_page_json *p, const cobloc_bloc *b, const double *col_sums,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_page_open(p, NULL, '{');
    cob_page_text(p, "name", b->name);
    cob_page_number(p, "npmi", b->npmi);
    cob_page_open(p, "partners", '[');
    for (int i = 0; i < b->partner_count; i++)
        cob_page_numbers(p, NULL, (double[]){b->partners[i].cluster, b->partners[i].lift}, 2);
    cob_page_close(p, ']');
    cob_page_number(p, "density", b->density);
    cob_page_number(p, "jaccard", b->jaccard);
    cob_page_number(p, "isim", b->isim);
    cob_page_number(p, "esim", b->esim);
    cob_page_number(p, "stability", b->stability);
    put_terms(p, "telling", b->telling, b->telling_count);
    put_terms(p, "frequent", b->frequent, b->frequent_count);
    put_terms(p, "coherent", b->coherent, b->coherent_count);
    put_rows(p, "typical", b->typical, b->typical_count);
    put_rows(p, "border", b->borderline, b->borderline_count);
    COB_TRY(put_graph(p, b, col_sums, err));
    cob_page_close(p, '}');
done:
    return status;
}

static cobloc_status put_list(cob_page_json *p, const char *key, const cobloc_bloc *blocs,
                              int count, const double *col_sums, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_page_open(p, key, '[');
    for (int i = 0; blocs && i < count; i++)
        COB_TRY(put_bloc(p, &blocs[i], col_sums, err));
    cob_page_close(p, ']');
done:
    return status;
}

cobloc_status cob_page_about(cob_page_json *p, const cob_report_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_description *about = data->about;
    const double *col_sums = cobloc_matrix_col_sums(data->report.matrix);
    COB_TRY(put_list(p, "blocs", about->blocs, about->k, col_sums, err));
    COB_TRY(put_list(p, "topics", about->topics, about->l, col_sums, err));
done:
    return status;
}
