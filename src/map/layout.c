/* Places in the plane: t-SNE by gradient steps.
 * SPDX-License-Identifier: MIT
 */
#include "map/map.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* Neighbours are drawn together more strongly in the first steps (Belkina et al. 2019 also give the
 * length of a step). */
static const double EXAGGERATION = 12, EARLY = 0.3;
static const double FIRST_MOMENTUM = 0.5, MOMENTUM = 0.8, LONGEST = 5;

/* The neighbours of all, both ways: those of i are at[starts[i]] to at[starts[i + 1] - 1], each
 * with its affinity. */
typedef struct graph {
    int64_t count, *starts;
    int32_t *at;
    float *much;
} graph;

static void graph_free(graph *g)
{
    cob_free(g->starts);
    cob_free(g->at);
    cob_free(g->much);
}

/* An edge for each neighbour in both directions; mutual ones stand twice, with half the affinity
 * each. The affinities of all pairs sum up to 1. */
static cobloc_status graph_make(const int32_t *near, int64_t count, int k, graph *g,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *next = NULL, edges = 0;
    g->count = count;
    COB_NEW_ZERO(g->starts, count + 2);
    for (int64_t e = 0; e < count * k; e++)
        if (near[e] >= 0) {
            g->starts[e / k + 1]++;
            g->starts[near[e] + 1]++;
            edges += 2;
        }
    for (int64_t i = 0; i < count; i++)
        g->starts[i + 1] += g->starts[i];
    COB_NEW(next, count);
    COB_NEW(g->at, edges);
    COB_NEW(g->much, edges);
    memcpy(next, g->starts, (size_t)count * sizeof *next);
    for (int64_t e = 0; e < count * k; e++)
        if (near[e] >= 0) {
            g->at[next[e / k]++] = near[e];
            g->at[next[near[e]]++] = (int32_t)(e / k);
        }
    for (int64_t e = 0; e < edges; e++)
        g->much[e] = 1 / (float)edges;
done:
    cob_free(next);
    return status;
}

/* gradient += strength times what draws each place to its neighbours. */
static void attract(const graph *g, const double *places, double strength, int threads,
                    double *gradient)
{
#pragma omp parallel for schedule(dynamic, 512) num_threads(threads)
    for (int64_t i = 0; i < g->count; i++) {
        double x = 0, y = 0;
        for (int64_t e = g->starts[i]; e < g->starts[i + 1]; e++) {
            double dx = places[2 * i] - places[2 * (int64_t)g->at[e]];
            double dy = places[2 * i + 1] - places[2 * (int64_t)g->at[e] + 1];
            double much = g->much[e] / (1 + dx * dx + dy * dy);
            x += much * dx;
            y += much * dy;
        }
        gradient[2 * i] += strength * x;
        gradient[2 * i + 1] += strength * y;
    }
}

/* Numbers of a step, for each coordinate. */
typedef struct moves {
    double *gradient, *last, *gain;
} moves;

static void move(const moves *m, int64_t count, double rate, double momentum, double *places)
{
    double centre[2] = {0, 0};
    for (int64_t c = 0; c < 2 * count; c++) {
        bool turned = (m->gradient[c] > 0) == (m->last[c] > 0);
        m->gain[c] = turned ? fmax(0.01, m->gain[c] * 0.8) : m->gain[c] + 0.2;
        double step = momentum * m->last[c] - rate * m->gain[c] * m->gradient[c];
        m->last[c] = fmax(-LONGEST, fmin(LONGEST, step));
        places[c] += m->last[c];
        centre[c % 2] += places[c];
    }
    for (int64_t c = 0; c < 2 * count; c++)
        places[c] -= centre[c % 2] / (double)count;
}

static cobloc_status moves_make(moves *m, int64_t count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(m->gradient, 2 * count);
    COB_NEW_ZERO(m->last, 2 * count);
    COB_NEW(m->gain, 2 * count);
    for (int64_t c = 0; c < 2 * count; c++)
        m->gain[c] = 1;
done:
    return status;
}

cobloc_status cob_map_layout(const int32_t *near, int64_t count, int k, int iterations, int threads,
                             const cob_watch *watch, double *places, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    graph g = {0};
    moves m = {0};
    cob_repulsion *apart = NULL;
    COB_TRY(graph_make(near, count, k, &g, err));
    COB_TRY(moves_make(&m, count, err));
    COB_TRY(cob_repulsion_new(count, &apart, err));
    for (int step = 0; step < iterations; step++) {
        bool early = step < EARLY * iterations;
        double strength = early ? EXAGGERATION : 1;
        double sum = cob_repulsion_find(apart, places, threads, m.gradient);
        for (int64_t c = 0; c < 2 * count; c++)
            m.gradient[c] = -m.gradient[c] / fmax(sum, 1e-30);
        attract(&g, places, strength, threads, m.gradient);
        move(&m, count, fmax(200, (double)count / strength), early ? FIRST_MOMENTUM : MOMENTUM,
             places);
        COB_CHECK(cob_must_stop(watch, 0, (step + 1.0) / iterations) == COBLOC_STOP_CONVERGED,
                  COBLOC_CANCELLED, "cancelled");
    }
done:
    graph_free(&g);
    cob_repulsion_free(apart);
    cob_free(m.gradient);
    cob_free(m.last);
    cob_free(m.gain);
    return status;
}
