/* Lloyd's algorithm for points; skips points whose label cannot have changed.
 * SPDX-License-Identifier: MIT
 */
#include "base/points.h"

#include "base/alloc.h"
#include "base/empty.h"
#include "base/parallel.h"
#include "base/vectors.h"

#include <math.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

cobloc_status cob_point_means_alloc(cob_point_means *m, const double *points, int64_t count,
                                    int dims, int k, int threads, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t clusters = (size_t)k;
    *m = (cob_point_means){
        .points = points, .count = count, .dims = dims, .k = k, .threads = cob_threads(threads)};
    COB_NEW_ZERO(m->labels, count);
    COB_NEW(m->distances, count);
    COB_NEW(m->bounds, count);
    COB_NEW_ZERO(m->centres, clusters * (size_t)dims);
    COB_NEW(m->transposed, clusters * ((size_t)dims + 1));
done:
    return status;
}

void cob_point_means_free(cob_point_means *m)
{
    cob_free(m->labels);
    cob_free(m->distances);
    cob_free(m->bounds);
    cob_free(m->centres);
    cob_free(m->transposed);
    *m = (cob_point_means){0};
}

/* ---- distances ------------------------------------------------------------------------------- */

static double squared_distance(const double *a, const double *b, int dims)
{
    double sum = 0;
    for (int j = 0; j < dims; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

double cob_point_means_distance(const cob_point_means *m, int64_t point, int centre)
{
    return squared_distance(m->points + point * m->dims, m->centres + (int64_t)centre * m->dims,
                            m->dims);
}

static double sum_of(const double *values, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* ---- seeds ----------------------------------------------------------------------------------- */

static void measure(const void *data, int64_t chosen, double *away)
{
    const cob_point_means *m = data;
    const double *centre = m->points + chosen * m->dims;
#pragma omp parallel for schedule(static) num_threads(m->threads)
    for (int64_t i = 0; i < m->count; i++)
        away[i] = squared_distance(m->points + i * m->dims, centre, m->dims);
}

cobloc_status cob_point_means_seed(cob_point_means *m, cob_stream stream, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_points points = {.count = m->count, .data = m, .measure = measure, .deadline = m->deadline};
    COB_TRY(cob_kmeans_seed(&points, m->k, cob_kmeans_trials(m->k), stream, m->labels, m->distances,
                            NULL, err));
    memset(m->bounds, 0, (size_t)m->count * sizeof *m->bounds);
    m->error = sum_of(m->distances, m->count);
done:
    return status;
}

/* ---- Lloyd ----------------------------------------------------------------------------------- */

/* Moves centres to the means of their points; returns the largest distance a centre moved. */
static double move_centres(cob_point_means *m)
{
    double farthest = 0, *sizes = m->transposed;
    int dims = m->dims;
    memcpy(m->transposed + m->k, m->centres, (size_t)m->k * (size_t)dims * sizeof *m->centres);
    memset(m->centres, 0, (size_t)m->k * (size_t)dims * sizeof *m->centres);
    memset(sizes, 0, (size_t)m->k * sizeof *sizes);
    for (int64_t i = 0; i < m->count; i++) {
        double *centre = m->centres + (int64_t)m->labels[i] * dims;
        const double *point = m->points + i * dims;
        sizes[m->labels[i]] += 1;
        for (int j = 0; j < dims; j++)
            centre[j] += point[j];
    }
    for (int k = 0; k < m->k; k++) {
        double *centre = m->centres + (int64_t)k * dims;
        for (int j = 0; j < dims && sizes[k] > 0; j++)
            centre[j] /= sizes[k];
        double moved = squared_distance(centre, m->transposed + m->k + (int64_t)k * dims, dims);
        farthest = moved > farthest ? moved : farthest;
    }
    return sqrt(farthest);
}

/* Transposes the centres, so that the distances of a point to all of them are summed together. */
static void transpose_centres(cob_point_means *m)
{
    double *squares = m->transposed + (int64_t)m->k * m->dims;
    for (int k = 0; k < m->k; k++) {
        squares[k] = 0;
        for (int j = 0; j < m->dims; j++) {
            double at = m->centres[(int64_t)k * m->dims + j];
            m->transposed[(int64_t)j * m->k + k] = -2 * at;
            squares[k] += at * at;
        }
    }
}

/* scores = the squared distances of a point from all centres minus the squared length of the point,
 * which is returned. */
COB_CLONES
static double score_centres(const double *point, int dims, const double *transposed, int centres,
                            double *restrict scores)
{
    double square = 0;
    memcpy(scores, transposed + (int64_t)centres * dims, (size_t)centres * sizeof *scores);
    for (int j = 0; j < dims; j++) {
        const double *restrict column = transposed + (int64_t)j * centres;
        square += point[j] * point[j];
        for (int k = 0; k < centres; k++)
            scores[k] += point[j] * column[k];
    }
    return square;
}

/* The nearest centre of a point (in a tie, its own), and a lower bound of the distance to the
 * second nearest. `scores` has room for k numbers. */
static int32_t nearest(cob_point_means *m, int64_t i, double *scores)
{
    int32_t best = m->labels[i];
    double second = INFINITY;
    double square = score_centres(m->points + i * m->dims, m->dims, m->transposed, m->k, scores);
    for (int k = 0; k < m->k; k++)
        if (scores[k] < scores[best])
            best = k;
    for (int k = 0; k < m->k; k++)
        if (k != best && scores[k] < second)
            second = scores[k];
    /* Rounding must not make the bound too large. */
    second = second + square - 1e-12 * square;
    m->bounds[i] = second > 0 ? sqrt(second) : 0;
    return best;
}

/* Puts the centre of a cluster that was given a point of another at that point. */
static void settle_repaired(cob_point_means *m)
{
    for (int64_t i = 0; i < m->count; i++)
        if (m->distances[i] != cob_point_means_distance(m, i, m->labels[i])) {
            memcpy(m->centres + (int64_t)m->labels[i] * m->dims, m->points + i * m->dims,
                   (size_t)m->dims * sizeof *m->centres);
            m->distances[i] = 0;
        }
    memset(m->bounds, 0, (size_t)m->count * sizeof *m->bounds);
}

cobloc_status cob_point_means_round(void *data, cob_round *found, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_point_means *m = data;
    double *scores = NULL, farthest;
    int64_t different = 0;
    size_t room = (size_t)m->k + 16; /* threads must not share a cache line */
    COB_NEW(scores, (size_t)m->threads * room);
    farthest = move_centres(m);
    transpose_centres(m);
#pragma omp parallel for schedule(static) num_threads(m->threads) reduction(+ : different)
    for (int64_t i = 0; i < m->count; i++) {
        m->distances[i] = cob_point_means_distance(m, i, m->labels[i]);
        m->bounds[i] -= farthest;
        if (m->bounds[i] > 0 && m->distances[i] < m->bounds[i] * m->bounds[i])
            continue;
        int32_t to = nearest(m, i, scores + (size_t)cob_thread() * room);
        if (to == m->labels[i])
            continue;
        m->labels[i] = to;
        m->distances[i] = cob_point_means_distance(m, i, to);
        different++;
    }
    COB_TRY(cob_repair_empty(m->labels, m->count, m->k, NULL, cob_loss_by_misfit, m->distances,
                             &found->repaired, err));
    if (found->repaired > 0)
        settle_repaired(m);
    found->value = m->error = sum_of(m->distances, m->count);
    found->changed = different + found->repaired;
done:
    cob_free(scores);
    return status;
}
