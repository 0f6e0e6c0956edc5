/* Positions for the nodes of a small graph: edges attract, all nodes repel, starting from a circle
 * with steps that shrink (Fruchterman and Reingold 1991).
 *
 * SPDX-License-Identifier: MIT
 */
#include "report/data.h"

#include "base/alloc.h"

#include <math.h>

enum { STEPS = 400 };
static const double TURN = 6.283185307179586, FIRST_MOVE = 0.1, GRAVITY = 0.35;

typedef struct layout {
    int nodes, edge_count;
    const cobloc_edge *edges;
    double *x, *y, *move_x, *move_y;
    double distance; /* wanted between neighbours */
    double strongest;
} layout;

static void push_apart(layout *g)
{
    for (int a = 0; a < g->nodes; a++)
        for (int b = 0; b < a; b++) {
            double dx = g->x[a] - g->x[b], dy = g->y[a] - g->y[b];
            double square = fmax(dx * dx + dy * dy, 1e-6);
            double force = g->distance * g->distance / square;
            g->move_x[a] += dx * force;
            g->move_y[a] += dy * force;
            g->move_x[b] -= dx * force;
            g->move_y[b] -= dy * force;
        }
}

static void pull_together(layout *g)
{
    for (int e = 0; e < g->edge_count; e++) {
        int a = g->edges[e].a, b = g->edges[e].b;
        double dx = g->x[a] - g->x[b], dy = g->y[a] - g->y[b];
        double force = sqrt(dx * dx + dy * dy) / g->distance * g->edges[e].cosine / g->strongest;
        g->move_x[a] -= dx * force;
        g->move_y[a] -= dy * force;
        g->move_x[b] += dx * force;
        g->move_y[b] += dy * force;
    }
    for (int a = 0; a < g->nodes; a++) { /* keeps unconnected parts in view */
        g->move_x[a] -= GRAVITY * g->x[a];
        g->move_y[a] -= GRAVITY * g->y[a];
    }
}

static void step(layout *g, double longest)
{
    for (int a = 0; a < g->nodes; a++)
        g->move_x[a] = g->move_y[a] = 0;
    push_apart(g);
    pull_together(g);
    for (int a = 0; a < g->nodes; a++) {
        double length = sqrt(g->move_x[a] * g->move_x[a] + g->move_y[a] * g->move_y[a]);
        double share = length > longest ? longest / length : 1;
        g->x[a] += share * g->move_x[a];
        g->y[a] += share * g->move_y[a];
    }
}

/* Scales to 0 .. 1; to the middle if all are equal. */
static void fill_square(double *places, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        low = fmin(low, places[i]);
        high = fmax(high, places[i]);
    }
    for (int i = 0; i < count; i++)
        places[i] = high - low > 1e-9 ? (places[i] - low) / (high - low) : 0.5;
}

cobloc_status cob_layout_graph(int nodes, const cobloc_edge *edges, int edge_count, double *x,
                               double *y, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    layout g = {.nodes = nodes, .edge_count = edge_count, .edges = edges, .x = x, .y = y};
    COB_NEW(g.move_x, nodes);
    COB_NEW(g.move_y, nodes);
    g.distance = 0.9 / sqrt(nodes > 0 ? nodes : 1);
    g.strongest = 1e-9;
    for (int e = 0; e < edge_count; e++)
        g.strongest = fmax(g.strongest, edges[e].cosine);
    for (int a = 0; a < nodes; a++) {
        x[a] = 0.5 * cos(TURN * a / nodes);
        y[a] = 0.5 * sin(TURN * a / nodes);
    }
    for (int s = 0; s < STEPS; s++)
        step(&g, FIRST_MOVE * (1 - (double)s / STEPS));
    fill_square(x, nodes);
    fill_square(y, nodes);
done:
    cob_free(g.move_x);
    cob_free(g.move_y);
    return status;
}
