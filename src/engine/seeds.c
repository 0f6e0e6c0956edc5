/* Sparse k-means++.
 * SPDX-License-Identifier: MIT
 */
#include "engine/means.h"

#include "base/alloc.h"
#include "base/kmeans.h"

#include <math.h>
#include <string.h>

typedef struct seeds {
    const cob_weighed *lines;
    bool spherical;
    double *lengths;   /* of the lines */
    double *distances; /* of each from the nearest seed so far: squared; on a sphere half of it */
    double *best, *spare;
} seeds;

static void seeds_free(seeds *s)
{
    cob_free(s->lengths);
    cob_free(s->distances);
    cob_free(s->best);
    cob_free(s->spare);
}

/* The distance of a line from another one, given their product. */
static double apart(const seeds *s, int64_t i, int64_t chosen, double product)
{
    double a = s->lengths[i], b = s->lengths[chosen], away;
    if (s->spherical) {
        away = a > 0 ? 1 - product / a : 0; /* the other has been scaled to unit length */
        return away > 1e-12 ? away : 0;
    }
    away = a * a + b * b - 2 * product;
    return away > 1e-12 * (a * a + b * b) ? away : 0;
}

/* near[i] = the distance of line i from the nearest of the seeds so far and `chosen`; returns
 * their sum. */
static double distances_with(const seeds *s, int64_t chosen, double *near)
{
    double scale = s->spherical && s->lengths[chosen] > 0 ? s->lengths[chosen] : 1, sum = 0;
    cob_products_with(s->lines, chosen, near);
    for (int64_t i = 0; i < s->lines->view.major; i++) {
        double away = apart(s, i, chosen, near[i] / scale);
        near[i] = away < s->distances[i] ? away : s->distances[i];
        sum += near[i];
    }
    return sum;
}

/* The best of a few lines that are drawn by their distance: `best` receives the distances then. */
static void choose_far(seeds *s, int k, int trials, cob_stream stream)
{
    const double *weights = k == 0 ? s->best : s->distances;
    double least = INFINITY;
    for (int t = 0; t < (k == 0 ? 1 : trials); t++) {
        double u = cob_random_uniform(&stream, (uint64_t)k * (uint64_t)trials + (uint64_t)t);
        int64_t drawn = cob_draw_by_weight(weights, s->lines->view.major, u);
        double error = distances_with(s, drawn, s->spare);
        if (t == 0 || error < least) {
            double *worse = s->best;
            s->best = s->spare;
            s->spare = worse;
            least = error;
        }
    }
}

cobloc_status cob_seed_lines(const cob_weighed *lines, int k, bool spherical, int trials,
                             cob_stream stream, int32_t *labels, int *repaired, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = lines->view.major;
    seeds s = {.lines = lines, .spherical = spherical};
    COB_NEW(s.lengths, n);
    COB_NEW(s.distances, n);
    COB_NEW(s.best, n);
    COB_NEW(s.spare, n);
    cob_line_lengths(lines, s.lengths);
    for (int64_t i = 0; i < n; i++) {
        s.distances[i] = INFINITY;
        s.best[i] = s.lengths[i] > 0 || !spherical ? 1 : 0; /* the first may be any of these */
    }
    memset(labels, 0, (size_t)n * sizeof *labels);
    for (int seed = 0; seed < k; seed++) {
        choose_far(&s, seed, trials, stream);
        for (int64_t i = 0; i < n; i++)
            if (s.best[i] < s.distances[i]) {
                s.distances[i] = s.best[i];
                labels[i] = seed;
            }
    }
    COB_TRY(cob_repair_empty(labels, n, k, cob_loss_by_misfit, s.distances, repaired, err));
done:
    seeds_free(&s);
    return status;
}
