/* spec and specco: k-means of rows and columns together, in the space of a few singular vectors.
 *
 * spec minimises the normalised cut of the graph of rows and columns: Dhillon, "Co-clustering
 * documents and words using bipartite spectral graph partitioning", KDD 2001. It uses ceil(log2 k)
 * singular vectors of D_r^-1/2 X D_c^-1/2, without the trivial first one.
 *
 * specco maximises a modularity that is normalised by the clusters' sizes: Labiod and Nadif,
 * "Co-clustering for binary and categorical data with maximum modularity", ICONIP 2011. It uses
 * k - 1 singular vectors of D_r^-1/2 (X - r c' / N) D_c^-1/2. These are the same vectors:
 * subtracting the margins only removes the trivial one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "methods/spectral.h"

#include "base/alloc.h"
#include "methods/spectrum.h"
#include "methods/registry.h"
#include "models/common.h"

#include <string.h>

enum { PURPOSE_VECTORS = 21, PURPOSE_MEANS };

/* ---- the embedding --------------------------------------------------------------------------- */

int cob_spectral_dims(int k)
{
    int dims = 0;
    while (1 << dims < k)
        dims++;
    return dims;
}

void cob_spectral_scale(const double *vectors, const double *margins, int64_t count, int dims,
                        double *points)
{
    for (int64_t i = 0; i < count; i++)
        for (int t = 0; t < dims; t++)
            points[i * dims + t] = margins[i] > 0 ? vectors[i * dims + t] / sqrt(margins[i]) : 0;
}

cobloc_status cob_spectral_embedding(const cobloc_matrix *x, const cob_part *part, int dims,
                                     uint64_t seed, int threads, const cob_watch *watch,
                                     double **points, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_spectrum spectrum = {0};
    double *made = NULL;
    COB_NEW(made, (size_t)(x->rows + x->cols) * (size_t)dims);
    COB_TRY(cob_spectrum_find(x, part, dims, cob_stream_at(seed, 0, 0, PURPOSE_VECTORS), threads,
                              watch, &spectrum, err));
    cob_spectral_scale(spectrum.left, cobloc_matrix_row_sums(x), x->rows, dims, made);
    cob_spectral_scale(spectrum.right, cobloc_matrix_col_sums(x), x->cols, dims,
                       made + x->rows * dims);
    *points = made;
    made = NULL;
done:
    cob_spectrum_free(&spectrum);
    cob_free(made);
    return status;
}

/* ---- one start ------------------------------------------------------------------------------- */

/* The points of one side; a cluster of both sides may have none of them. */
typedef struct side {
    const cob_point_means *means;
    int64_t first;
} side;

static double loss_of_moving(const void *data, int64_t line, int cluster)
{
    const side *s = data;
    return cob_point_means_distance(s->means, s->first + line, cluster) -
           s->means->distances[s->first + line];
}

cobloc_status cob_spectral_labels(const cob_point_means *means, int64_t first, int64_t count,
                                  int32_t *labels, int *kept, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    side s = {means, first};
    int repaired;
    memcpy(labels, means->labels + first, (size_t)count * sizeof *labels);
    COB_TRY(cob_repair_empty(labels, count, means->k, NULL, loss_of_moving, &s, &repaired, err));
    *kept += repaired;
done:
    return status;
}

cobloc_status cob_spectral_cluster(const cob_method_problem *p, cob_point_means *means,
                                   uint32_t purpose, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    means->deadline = p->watch->deadline;
    COB_TRY(cob_point_means_seed(means, cob_stream_at(p->seed, p->restart, 0, purpose), err));
    cob_rounds rounds = {.data = means, .round = cob_point_means_round, .value = means->error};
    COB_TRY(cob_method_settle(p, rounds, false, out, err));
done:
    return status;
}

static cobloc_status cluster_points(const cob_method_problem *p, int dims, cob_outcome *out,
                                    cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = p->rows.major, d = p->cols.major;
    cob_point_means means = {0};
    COB_TRY(cob_point_means_alloc(&means, p->shared, n + d, dims, p->k, p->threads, err));
    COB_TRY(cob_spectral_cluster(p, &means, PURPOSE_MEANS, out, err));
    COB_TRY(cob_spectral_labels(&means, 0, n, out->row_labels, &out->kept, err));
    COB_TRY(cob_spectral_labels(&means, n, d, out->col_labels, &out->kept, err));
done:
    cob_point_means_free(&means);
    return status;
}

/* ---- the criteria ---------------------------------------------------------------------------- */

static cob_bloc bloc_of(const cob_stats *s, int k)
{
    return (cob_bloc){
        .held = cob_block(s, k, k), .rows = s->R[k], .cols = s->C[k], .total = s->total};
}

static double share_inside(const cob_bloc *b)
{
    return cob_ratio(2 * b->held, b->rows + b->cols);
}

double cob_normalised_cut(const cob_stats *s)
{
    double cut = 0;
    for (int k = 0; k < s->g; k++) {
        cob_bloc bloc = bloc_of(s, k);
        cut += 1 - share_inside(&bloc);
    }
    return cut;
}

/* (B_kk - R_k C_k / N) / sqrt(R_k C_k). */
static double normalised_excess(const cob_bloc *b)
{
    return cob_ratio(b->held - b->rows * b->cols / b->total, sqrt(b->rows * b->cols));
}

static double normalised_modularity(const cob_stats *s)
{
    double sum = 0;
    for (int k = 0; k < s->g; k++) {
        cob_bloc bloc = bloc_of(s, k);
        sum += normalised_excess(&bloc);
    }
    return sum;
}

const cob_placement cob_place_by_cut = {
    .open = cob_open_blocs, .score = cob_score_by_gain, .worth = share_inside};
static const cob_placement place_by_modularity = {
    .open = cob_open_blocs, .score = cob_score_by_gain, .worth = normalised_excess};

static cobloc_status fit(const cob_method_problem *p, int dims, double (*value)(const cob_stats *),
                         cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_stats stats = {0};
    COB_TRY(cob_stats_alloc(&stats, p->k, p->k, err));
    COB_TRY(cluster_points(p, dims, out, err));
    COB_TRY(cob_measure_labels(p->x, out->row_labels, out->col_labels, p->threads, &stats, err));
    out->criterion = value(&stats);
done:
    cob_stats_free(&stats);
    return status;
}

/* ---- the methods ----------------------------------------------------------------------------- */

static cobloc_status prepare(const cob_method_problem *p, int dims, void **shared,
                             cobloc_error *err)
{
    double *points = NULL;
    const cob_part whole = {0};
    cobloc_status status =
        cob_spectral_embedding(p->x, &whole, dims, p->seed, p->threads, p->watch, &points, err);
    *shared = points;
    return status;
}

static cobloc_status prepare_spec(const cob_method_problem *p, void **shared, cobloc_error *err)
{
    return prepare(p, cob_spectral_dims(p->k), shared, err);
}

static cobloc_status prepare_specco(const cob_method_problem *p, void **shared, cobloc_error *err)
{
    return prepare(p, p->k - 1, shared, err);
}

static cobloc_status fit_spec(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    return fit(p, cob_spectral_dims(p->k), cob_normalised_cut, out, err);
}

static cobloc_status fit_specco(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    return fit(p, p->k - 1, normalised_modularity, out, err);
}

const cob_method cob_method_spec = {
    .name = "spec",
    .title = "spectral, normalised cut, diagonal",
    .criterion = "normalised cut",
    .minimised = true,
    .diagonal = true,
    .prepare = prepare_spec,
    .release = cob_free,
    .placement = &cob_place_by_cut,
    .fit = fit_spec,
};

const cob_method cob_method_specco = {
    .name = "specco",
    .title = "spectral, normalised modularity, diagonal",
    .criterion = "normalised modularity",
    .diagonal = true,
    .prepare = prepare_specco,
    .release = cob_free,
    .placement = &place_by_modularity,
    .fit = fit_specco,
};
