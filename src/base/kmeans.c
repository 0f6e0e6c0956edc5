/* Greedy k-means++, and the loop of Lloyd's algorithm.
 * SPDX-License-Identifier: MIT
 */
#include "base/kmeans.h"

#include "base/alloc.h"
#include "base/empty.h"
#include "base/watch.h"

#include <math.h>

static bool is_over(double deadline)
{
    return deadline > 0 && cob_clock() > deadline;
}

/* ---- seeds ----------------------------------------------------------------------------------- */

/* Draws a point with probability proportional to its weight; u is uniform in (0, 1). If no weight
 * is positive, all points are equally likely. */
static int64_t draw(const double *weights, int64_t count, double u)
{
    double total = 0, sum = 0;
    for (int64_t i = 0; weights && i < count; i++)
        total += weights[i];
    for (int64_t i = 0; weights && i < count; i++) {
        sum += weights[i];
        if (weights[i] > 0 && u * total < sum)
            return i;
    }
    return (int64_t)(u * (double)count);
}

/* near[i] = the distance to the nearest of the seeds so far and `chosen`; returns their sum. */
static double distances_with(const cob_points *p, int64_t chosen, const double *distances,
                             double *near)
{
    double sum = 0;
    p->measure(p->data, chosen, near);
    for (int64_t i = 0; i < p->count; i++) {
        near[i] = near[i] < distances[i] ? near[i] : distances[i];
        sum += near[i];
    }
    return sum;
}

int cob_kmeans_trials(int k)
{
    return 2 + (int)log((double)k);
}

cobloc_status cob_kmeans_seed(const cob_points *p, int k, int trials, cob_stream stream,
                              int32_t *labels, double *distances, int *repaired, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *best = NULL, *spare = NULL;
    COB_NEW(best, p->count);
    COB_NEW(spare, p->count);
    for (int64_t i = 0; i < p->count; i++) {
        distances[i] = INFINITY;
        labels[i] = 0;
    }
    for (int seed = 0; seed < k && !(seed > 0 && is_over(p->deadline)); seed++) {
        double least = INFINITY;
        for (int t = 0; t < (seed == 0 ? 1 : trials); t++) {
            double u = cob_random_uniform(&stream, (uint64_t)seed * (uint64_t)trials + (uint64_t)t);
            int64_t drawn = draw(seed == 0 ? p->first : distances, p->count, u);
            double error = distances_with(p, drawn, distances, spare);
            if (t == 0 || error < least) {
                double *worse = best;
                best = spare;
                spare = worse;
                least = error;
            }
        }
        for (int64_t i = 0; i < p->count; i++)
            if (best[i] < distances[i]) {
                distances[i] = best[i];
                labels[i] = seed;
            }
    }
    COB_TRY(
        cob_repair_empty(labels, p->count, k, NULL, cob_loss_by_misfit, distances, repaired, err));
done:
    cob_free(best);
    cob_free(spare);
    return status;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

cobloc_status cob_kmeans_settle(const cob_rounds *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double before = r->value;
    bool ends = false;
    for (int made = 0; !ends && made < r->most && !is_over(r->deadline); made++) {
        cob_round found = {.value = NAN};
        COB_TRY(r->round(r->data, &found, err));
        bool still = found.repaired == 0 && fabs(before - found.value) <= r->tolerance * before;
        bool settled = found.changed == 0 || still;
        if (r->note)
            COB_TRY(r->note(r->user, &found, settled, &ends, err));
        ends = ends || settled;
        before = found.value;
    }
done:
    return status;
}
