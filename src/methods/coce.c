/* coce: the consensus of many co-clusterings by their relevance, after Yu, Yu, Wang, Domeniconi
 * 2019, "Co-clustering ensembles based on multiple relevance measures".
 *
 * Rows and columns are the nodes of a graph; the edge between row i and column j is the mean, over
 * all co-clusterings, of the relevance of the co-cluster that contains both (0 if none does). The
 * normalised cut of this graph is minimised as a trace: by ceil(log2 k) singular vectors of the
 * table of edges M, n by d, scaled by its margins; then by k-means of the rows and of the columns,
 * separately. Three choices are ours: the relevance of a co-cluster (members.c), edges only between
 * rows and columns, and the pairing of clusters by the modularity of M.
 *
 * M is the product of ensemble.h with another scale. It is never formed, only multiplied by
 * vectors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "engine/modularity.h"
#include "methods/spectrum.h"
#include "methods/ensemble.h"
#include "methods/registry.h"
#include "methods/spectral.h"

enum { PURPOSE_VECTORS = 46, PURPOSE_ROWS, PURPOSE_COLS };

/* ---- what all starts share ------------------------------------------------------------------- */

typedef struct graph {
    cob_stack stack;
    int dims;
    double *points; /* of the rows, then of the columns: `dims` numbers each */
} graph;

static void release(void *shared)
{
    graph *g = shared;
    cob_stack_free(&g->stack);
    cob_free(g->points);
    cob_free(g);
}

static cobloc_status embed(const cob_method_problem *p, graph *g, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = p->rows.major, d = p->cols.major;
    cob_product m = {0};
    cob_spectrum spectrum = {0};
    g->dims = cob_spectral_dims(p->k);
    COB_NEW_ZERO(g->points, (size_t)(n + d) * (size_t)g->dims);
    COB_TRY(cob_product_make(g->stack.rows, g->stack.scale, g->stack.cols, p->threads, &m, err));
    if (m.total > 0) { /* otherwise there are no edges */
        cob_stream stream = cob_stream_at(p->seed, 0, 0, PURPOSE_VECTORS);
        COB_TRY(
            cob_spectrum_find_product(&m, g->dims, stream, p->threads, p->watch, &spectrum, err));
        cob_spectral_scale(spectrum.left, m.row_sums, n, g->dims, g->points);
        cob_spectral_scale(spectrum.right, m.col_sums, d, g->dims, g->points + n * g->dims);
    }
done:
    cob_product_free(&m);
    cob_spectrum_free(&spectrum);
    return status;
}

static cobloc_status prepare(const cob_method_problem *p, void **shared, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    graph *g = NULL;
    COB_NEW_ZERO(g, 1);
    COB_TRY(cob_stack_prepare(p, COB_STACK_BY_RELEVANCE, &g->stack, err));
    COB_TRY(embed(p, g, err));
    *shared = g;
    g = NULL;
done:
    if (g)
        release(g);
    return status;
}

/* ---- one start ------------------------------------------------------------------------------- */

static cobloc_status cluster_side(const cob_method_problem *p, const double *points, int64_t count,
                                  int dims, uint32_t purpose, int32_t *labels, cob_outcome *out,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_point_means means = {0};
    COB_TRY(cob_point_means_alloc(&means, points, count, dims, p->k, p->threads, err));
    COB_TRY(cob_spectral_cluster(p, &means, purpose, out, err));
    COB_TRY(cob_spectral_labels(&means, 0, count, labels, &out->kept, err));
done:
    cob_point_means_free(&means);
    return status;
}

/* Gives the column clusters the numbers of the row clusters they are paired with. */
static cobloc_status number_columns(const cob_method_problem *p, const cob_stats *stats,
                                    int32_t *cols, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int *partner = NULL;
    COB_NEW(partner, p->k);
    COB_TRY(cob_pair_clusters(stats, p->k, p->k, partner, err));
    for (int64_t j = 0; j < p->cols.major; j++)
        cols[j] = partner[cols[j]];
done:
    cob_free(partner);
    return status;
}

static cobloc_status fit(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const graph *g = p->shared;
    int64_t n = p->rows.major, d = p->cols.major;
    int32_t *rows = out->row_labels, *cols = out->col_labels;
    cob_stats stats = {0};
    COB_TRY(cob_stats_alloc(&stats, p->k, p->k, err));
    COB_TRY(cluster_side(p, g->points, n, g->dims, PURPOSE_ROWS, rows, out, err));
    COB_TRY(cluster_side(p, g->points + n * g->dims, d, g->dims, PURPOSE_COLS, cols, out, err));
    COB_TRY(cob_stack_measure(&g->stack, rows, cols, p->threads, &stats, err));
    COB_TRY(number_columns(p, &stats, cols, err));
    COB_TRY(cob_stack_measure(&g->stack, rows, cols, p->threads, &stats, err));
    out->criterion = cob_normalised_cut(&stats);
    out->own_modularity = true;
    out->modularity = cob_modularity(&stats, NULL);
done:
    cob_stats_free(&stats);
    return status;
}

const cob_method cob_method_coce = {
    .name = "coce",
    .title = "consensus of many co-clusterings by relevance, diagonal",
    .criterion = "normalised cut",
    .minimised = true,
    .diagonal = true,
    .members = true,
    .weight = COBLOC_WEIGHT_TFIDF,
    .prepare = prepare,
    .release = release,
    .placement = &cob_place_by_cut,
    .fit = fit,
};
