/* Graphs of terms: the most telling terms of a cluster, each connected to the nearest ones by
 * cosine.
 *
 * SPDX-License-Identifier: MIT
 */
#include "describe/describe.h"

#include "base/alloc.h"

#include <math.h>

/* ---- cosines --------------------------------------------------------------------------------- */

/* The dot product of two columns over the rows of marked clusters. */
static double product(const cobloc_view *cols, const int32_t *labels, const bool *marked, int64_t a,
                      int64_t b)
{
    int64_t e = cols->offsets[a], f = cols->offsets[b];
    double sum = 0;
    while (e < cols->offsets[a + 1] && f < cols->offsets[b + 1]) {
        int32_t row = cols->indices[e], other = cols->indices[f];
        if (row == other && labels[row] >= 0 && marked[labels[row]])
            sum += cobloc_view_value(cols, e) * cobloc_view_value(cols, f);
        e += row <= other;
        f += other <= row;
    }
    return sum;
}

/* The cosines of all pairs, count by count. */
static void measure_cosines(const cob_describing *d, const bool *marked, const int64_t *terms,
                            int count, double *cosines)
{
    cobloc_view cols = cobloc_matrix_by_cols(d->matrix);
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++)
            cosines[a * count + b] = product(&cols, d->r->row_labels, marked, terms[a], terms[b]);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            double lengths = sqrt(cosines[a * count + a]) * sqrt(cosines[b * count + b]);
            cosines[a * count + b] =
                lengths > 0 && isfinite(lengths) ? cosines[a * count + b] / lengths : 0;
            cosines[b * count + a] = cosines[a * count + b];
        }
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* Whether b is among the `most` terms nearest to a; ties go to the first. */
static bool is_near(const double *cosines, int count, int a, int b, int most)
{
    int nearer = 0;
    double own = cosines[a * count + b];
    for (int c = 0; c < count; c++)
        if (c != a && c != b &&
            (cosines[a * count + c] > own || (cosines[a * count + c] == own && c < b)))
            nearer++;
    return own > 0 && nearer < most;
}

cobloc_status cob_make_graph(const cob_describing *d, cob_group *g, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_bloc *bloc = g->bloc;
    int count = bloc->telling_count < d->o->graph_terms ? bloc->telling_count : d->o->graph_terms;
    bool *marked = NULL;
    double *cosines = NULL;
    COB_NEW_ZERO(marked, d->r->k);
    COB_NEW(cosines, (size_t)count * (size_t)count);
    COB_NEW(bloc->graph, count);
    COB_NEW(bloc->edges, (size_t)count * (size_t)count);
    for (int k = 0; k < g->row_count; k++)
        marked[g->row_clusters[k]] = true;
    for (int t = 0; t < count; t++)
        bloc->graph[t] = bloc->telling[t].col;
    bloc->graph_count = count;
    measure_cosines(d, marked, bloc->graph, count, cosines);
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            if (is_near(cosines, count, a, b, d->o->neighbours) ||
                is_near(cosines, count, b, a, d->o->neighbours))
                bloc->edges[bloc->edge_count++] = (cobloc_edge){a, b, cosines[a * count + b]};
done:
    cob_free(marked);
    cob_free(cosines);
    return status;
}
