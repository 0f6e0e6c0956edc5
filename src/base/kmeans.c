/* Greedy k-means++ and Lloyd's algorithm, which leaves out points that cannot have changed.
 * SPDX-License-Identifier: MIT
 */
#include "base/kmeans.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- parts ----------------------------------------------------------------------------------- */

int64_t cob_draw_by_weight(const double *weights, int64_t count, double u)
{
    double total = 0, sum = 0;
    for (int64_t i = 0; i < count; i++)
        total += weights[i];
    for (int64_t i = 0; i < count; i++) {
        sum += weights[i];
        if (weights[i] > 0 && u * total < sum)
            return i;
    }
    return (int64_t)(u * (double)count);
}

double cob_loss_by_misfit(const void *data, int64_t line, int cluster)
{
    const double *misfit = data;
    (void)cluster;
    return -misfit[line];
}

double cob_loss_by_share(const void *data, int64_t line, int cluster)
{
    const cob_shares *s = data;
    return s->soft[line * s->k + s->labels[line]] - s->soft[line * s->k + cluster];
}

/* The line that loses least by going to `cluster`, or -1. */
static int64_t cheapest_line(const int32_t *labels, int64_t count, const int64_t *sizes,
                             int cluster, cob_loss_fn loss, const void *data)
{
    int64_t best = -1;
    double least = 0;
    for (int64_t i = 0; i < count; i++) {
        if (sizes[labels[i]] < 2)
            continue;
        double lost = loss(data, i, cluster);
        if (best < 0 || lost < least) {
            best = i;
            least = lost;
        }
    }
    return best;
}

cobloc_status cob_repair_empty(int32_t *labels, int64_t count, int clusters, cob_loss_fn loss,
                               const void *data, int *repaired, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *sizes = NULL;
    *repaired = 0;
    COB_NEW_ZERO(sizes, clusters);
    for (int64_t i = 0; i < count; i++)
        sizes[labels[i]]++;
    for (int k = 0; k < clusters; k++) {
        int64_t line = sizes[k] > 0 ? -1 : cheapest_line(labels, count, sizes, k, loss, data);
        if (line < 0)
            continue;
        sizes[labels[line]]--;
        labels[line] = k;
        sizes[k] = 1;
        ++*repaired;
    }
done:
    cob_free(sizes);
    return status;
}

/* ---- room ------------------------------------------------------------------------------------ */

cobloc_status cob_kmeans_alloc(cob_kmeans *m, const double *points, int64_t count, int dims, int k,
                               int threads, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t clusters = (size_t)k;
    *m = (cob_kmeans){
        .points = points, .count = count, .dims = dims, .k = k, .threads = cob_threads(threads)};
    COB_NEW_ZERO(m->labels, count);
    COB_NEW(m->distances, count);
    COB_NEW(m->bounds, count);
    COB_NEW_ZERO(m->centres, clusters * (size_t)dims);
    COB_NEW(m->turned, clusters * ((size_t)dims + 1));
done:
    return status;
}

void cob_kmeans_free(cob_kmeans *m)
{
    cob_free(m->labels);
    cob_free(m->distances);
    cob_free(m->bounds);
    cob_free(m->centres);
    cob_free(m->turned);
    *m = (cob_kmeans){0};
}

/* ---- distances ------------------------------------------------------------------------------- */

static double squared_distance(const double *a, const double *b, int dims)
{
    double sum = 0;
    for (int j = 0; j < dims; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

double cob_kmeans_distance(const cob_kmeans *m, int64_t point, int centre)
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

/* ---- k-means++ ------------------------------------------------------------------------------- */

/* near[i] = the squared distance of point i from the nearest of the centres so far and `chosen`. */
static double distances_with(const cob_kmeans *m, int64_t chosen, bool first, double *near)
{
    const double *centre = m->points + chosen * m->dims;
#pragma omp parallel for schedule(static) num_threads(m->threads)
    for (int64_t i = 0; i < m->count; i++) {
        double away = squared_distance(m->points + i * m->dims, centre, m->dims);
        near[i] = first || away < m->distances[i] ? away : m->distances[i];
    }
    return sum_of(near, m->count);
}

/* The best of a few points that are drawn by their distance; `best` receives the distances. */
static int64_t choose_far(cob_kmeans *m, int centre, int trials, cob_stream stream, double **best,
                          double **spare)
{
    int64_t chosen = -1;
    double least = 0;
    for (int t = 0; t < (centre == 0 ? 1 : trials); t++) {
        double u = cob_random_uniform(&stream, (uint64_t)centre * (uint64_t)trials + (uint64_t)t);
        int64_t drawn = centre == 0 ? (int64_t)(u * (double)m->count)
                                    : cob_draw_by_weight(m->distances, m->count, u);
        double error = distances_with(m, drawn, centre == 0, *spare);
        if (chosen < 0 || error < least) {
            double *worse = *best;
            *best = *spare;
            *spare = worse;
            chosen = drawn;
            least = error;
        }
    }
    return chosen;
}

cobloc_status cob_kmeans_seed(cob_kmeans *m, cob_stream stream, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int trials = 2 + (int)log((double)m->k);
    double *best = NULL, *spare = NULL;
    COB_NEW(best, m->count);
    COB_NEW(spare, m->count);
    for (int k = 0; k < m->k; k++) {
        int64_t chosen = choose_far(m, k, trials, stream, &best, &spare);
        memcpy(m->centres + (int64_t)k * m->dims, m->points + chosen * m->dims,
               (size_t)m->dims * sizeof *m->centres);
        for (int64_t i = 0; i < m->count; i++)
            if (k == 0 || best[i] < m->distances[i]) {
                m->distances[i] = best[i];
                m->labels[i] = k;
            }
    }
    memset(m->bounds, 0, (size_t)m->count * sizeof *m->bounds);
    COB_TRY(cob_repair_empty(m->labels, m->count, m->k, cob_loss_by_misfit, m->distances,
                             &m->repaired, err));
    m->error = sum_of(m->distances, m->count);
done:
    cob_free(best);
    cob_free(spare);
    return status;
}

/* ---- Lloyd ----------------------------------------------------------------------------------- */

/* Centres to the means of their points; returns how far the one that went farthest did. */
static double move_centres(cob_kmeans *m)
{
    double farthest = 0, *sizes = m->turned;
    int dims = m->dims;
    memcpy(m->turned + m->k, m->centres, (size_t)m->k * (size_t)dims * sizeof *m->centres);
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
        double gone = squared_distance(centre, m->turned + m->k + (int64_t)k * dims, dims);
        farthest = gone > farthest ? gone : farthest;
    }
    return sqrt(farthest);
}

/* The centres side by side, so that all distances of a point grow together. */
static void turn_centres(cob_kmeans *m)
{
    double *squares = m->turned + (int64_t)m->k * m->dims;
    for (int k = 0; k < m->k; k++) {
        squares[k] = 0;
        for (int j = 0; j < m->dims; j++) {
            double at = m->centres[(int64_t)k * m->dims + j];
            m->turned[(int64_t)j * m->k + k] = -2 * at;
            squares[k] += at * at;
        }
    }
}

/* The nearest centre of a point (of equally near ones its own), and a bound on how near the second
 * one is. `scores` has room for k numbers: squared distances, less the square of the point. */
static int32_t nearest(cob_kmeans *m, int64_t i, double *restrict scores)
{
    const double *point = m->points + i * m->dims;
    int32_t best = m->labels[i];
    double second = INFINITY, square = 0;
    memcpy(scores, m->turned + (int64_t)m->k * m->dims, (size_t)m->k * sizeof *scores);
    for (int j = 0; j < m->dims; j++) {
        const double *restrict column = m->turned + (int64_t)j * m->k;
        square += point[j] * point[j];
        for (int k = 0; k < m->k; k++)
            scores[k] += point[j] * column[k];
    }
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

/* A cluster that was given a point of another has its centre there. */
static void settle_repaired(cob_kmeans *m)
{
    for (int64_t i = 0; i < m->count; i++)
        if (m->distances[i] != cob_kmeans_distance(m, i, m->labels[i])) {
            memcpy(m->centres + (int64_t)m->labels[i] * m->dims, m->points + i * m->dims,
                   (size_t)m->dims * sizeof *m->centres);
            m->distances[i] = 0;
        }
    memset(m->bounds, 0, (size_t)m->count * sizeof *m->bounds);
}

cobloc_status cob_kmeans_step(cob_kmeans *m, int64_t *changed, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *scores = NULL, farthest;
    int64_t different = 0;
    size_t room = (size_t)m->k + 16; /* threads must not share a cache line */
    COB_NEW(scores, (size_t)m->threads * room);
    farthest = move_centres(m);
    turn_centres(m);
#pragma omp parallel for schedule(static) num_threads(m->threads) reduction(+ : different)
    for (int64_t i = 0; i < m->count; i++) {
        m->distances[i] = cob_kmeans_distance(m, i, m->labels[i]);
        m->bounds[i] -= farthest;
        if (m->bounds[i] > 0 && m->distances[i] < m->bounds[i] * m->bounds[i])
            continue;
        int32_t to = nearest(m, i, scores + (size_t)cob_thread() * room);
        if (to == m->labels[i])
            continue;
        m->labels[i] = to;
        m->distances[i] = cob_kmeans_distance(m, i, to);
        different++;
    }
    COB_TRY(cob_repair_empty(m->labels, m->count, m->k, cob_loss_by_misfit, m->distances,
                             &m->repaired, err));
    if (m->repaired > 0)
        settle_repaired(m);
    m->error = sum_of(m->distances, m->count);
    *changed = different + m->repaired;
done:
    cob_free(scores);
    return status;
}

cobloc_status cob_kmeans_run(cob_kmeans *m, int most, double tolerance, int *steps,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t changed = 1;
    for (*steps = 0; *steps < most && changed > 0; ++*steps) {
        double before = m->error;
        COB_TRY(cob_kmeans_step(m, &changed, err));
        if (*steps > 0 && m->repaired == 0 && before - m->error <= tolerance * before)
            break;
    }
done:
    return status;
}
