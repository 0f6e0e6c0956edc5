/* Forces that push all places apart, by a quadtree.
 *
 * Places are sorted by the cells of a fine grid along a Z-curve, so a cell of the tree is a range
 * of them. Nodes stand in the order of a walk, each with the number of the node to go on with when
 * its inside is skipped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "map/map.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 16, LEAF = 6 };
static const float OPEN = 0.75f; /* cells wider than this share of their distance are opened */

typedef struct node {
    float x, y, mass; /* centre, and number of places */
    float reach;      /* (width / OPEN)^2 */
    int32_t next;     /* the node behind all inside */
    int32_t first;    /* leaves: the first place, else -1 */
} node;

typedef struct keyed {
    uint32_t cell;
    int32_t place;
} keyed;

struct cob_repulsion {
    int64_t count;
    keyed *sorted, *room;
    float *x, *y; /* in sorted order */
    node *nodes;
    int32_t node_count;
    double *sums; /* for each place */
};

void cob_repulsion_free(cob_repulsion *r)
{
    if (!r)
        return;
    cob_free(r->sorted);
    cob_free(r->room);
    cob_free(r->x);
    cob_free(r->y);
    cob_free(r->nodes);
    cob_free(r->sums);
    cob_free(r);
}

cobloc_status cob_repulsion_new(int64_t count, cob_repulsion **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_repulsion *r = NULL;
    COB_NEW_ZERO(r, 1);
    r->count = count;
    COB_NEW(r->sorted, count);
    COB_NEW(r->room, count);
    COB_NEW(r->x, count);
    COB_NEW(r->y, count);
    /* A chain of cells with one inside each other is made only as deep as the grid. */
    COB_NEW(r->nodes, 2 * (size_t)count + 4 * BITS);
    COB_NEW(r->sums, count);
    *out = r;
    r = NULL;
done:
    cob_repulsion_free(r);
    return status;
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* Spreads the bits of a number to every second place. */
static uint32_t spread(uint32_t v)
{
    v = (v | v << 8) & 0x00FF00FF;
    v = (v | v << 4) & 0x0F0F0F0F;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
}

static void sort_by_cell(keyed *list, keyed *room, int64_t count)
{
    for (int shift = 0; shift < 32; shift += 8) {
        int64_t starts[257] = {0};
        for (int64_t i = 0; i < count; i++)
            starts[(list[i].cell >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++)
            starts[b + 1] += starts[b];
        for (int64_t i = 0; i < count; i++)
            room[starts[list[i].cell >> shift & 255]++] = list[i];
        memcpy(list, room, (size_t)count * sizeof *list);
    }
}

/* Sorts the places; returns the width of the square around them. */
static double sort_places(cob_repulsion *r, const double *places)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < r->count; i++)
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], places[2 * i + a]);
            high[a] = fmax(high[a], places[2 * i + a]);
        }
    double width = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-30) * (1 + 1e-9);
    double cells = (double)(1 << BITS) / width;
    for (int64_t i = 0; i < r->count; i++) {
        uint32_t x = (uint32_t)((places[2 * i] - low[0]) * cells);
        uint32_t y = (uint32_t)((places[2 * i + 1] - low[1]) * cells);
        r->sorted[i] =
            (keyed){spread(x > 65535 ? 65535 : x) | spread(y > 65535 ? 65535 : y) << 1, (int32_t)i};
    }
    sort_by_cell(r->sorted, r->room, r->count);
    for (int64_t i = 0; i < r->count; i++) {
        r->x[i] = (float)places[2 * (int64_t)r->sorted[i].place];
        r->y[i] = (float)places[2 * (int64_t)r->sorted[i].place + 1];
    }
    return width;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* The first of the places from `first` whose cell has at least this number in the bits above. */
static int64_t behind(const cob_repulsion *r, int64_t first, int64_t last, int shift, uint32_t top)
{
    while (first < last) {
        int64_t middle = (first + last) / 2;
        if (r->sorted[middle].cell >> shift < top)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static void fill_leaf(cob_repulsion *r, node *n, int64_t first, int64_t last)
{
    double x = 0, y = 0;
    for (int64_t i = first; i < last; i++) {
        x += r->x[i];
        y += r->y[i];
    }
    n->mass = (float)(last - first);
    n->x = (float)(x / (double)(last - first));
    n->y = (float)(y / (double)(last - first));
    n->first = (int32_t)first;
}

/* The node of places first to last - 1, which share all bits of their cells above `bits` pairs. A
 * cell that one quarter fills alone is that quarter. */
static void build(cob_repulsion *r, int64_t first, int64_t last, int bits, double width)
{
    while (bits > 0 && last - first > LEAF &&
           r->sorted[first].cell >> 2 * (bits - 1) == r->sorted[last - 1].cell >> 2 * (bits - 1)) {
        bits--;
        width /= 2;
    }
    int32_t own = r->node_count++;
    node *n = &r->nodes[own];
    n->reach = (float)(width * width) / (OPEN * OPEN);
    if (last - first <= LEAF || bits == 0) {
        fill_leaf(r, n, first, last);
    } else {
        double x = 0, y = 0;
        uint32_t top = r->sorted[first].cell >> 2 * (bits - 1) & ~3u;
        n->first = -1;
        n->mass = (float)(last - first);
        for (uint32_t quarter = 0; quarter < 4 && first < last; quarter++) {
            int64_t end =
                quarter == 3 ? last : behind(r, first, last, 2 * (bits - 1), top + quarter + 1);
            if (end == first)
                continue;
            const node *child = &r->nodes[r->node_count];
            build(r, first, end, bits - 1, width / 2);
            x += (double)child->mass * child->x;
            y += (double)child->mass * child->y;
            first = end;
        }
        n->x = (float)(x / n->mass);
        n->y = (float)(y / n->mass);
    }
    n->next = r->node_count;
}

/* ---- forces ---------------------------------------------------------------------------------- */

typedef struct pushed {
    float x, y, sum;
} pushed;

static inline void push(pushed *p, float dx, float dy, float squared, float mass)
{
    float near = 1 / (1 + squared), much = mass * near;
    p->sum += much;
    p->x += much * near * dx;
    p->y += much * near * dy;
}

/* The force on a place by all others; itself adds 1 to the sum, and nothing else. */
static pushed force_at(const cob_repulsion *r, float x, float y)
{
    pushed p = {0, 0, -1};
    for (int32_t at = 0; at < r->node_count;) {
        const node *n = &r->nodes[at];
        float dx = x - n->x, dy = y - n->y, squared = dx * dx + dy * dy;
        if (squared > n->reach) {
            push(&p, dx, dy, squared, n->mass);
            at = n->next;
        } else if (n->first < 0) {
            at++;
        } else {
            for (int32_t i = n->first; i < n->first + (int32_t)n->mass; i++) {
                dx = x - r->x[i];
                dy = y - r->y[i];
                push(&p, dx, dy, dx * dx + dy * dy, 1);
            }
            at = n->next;
        }
    }
    return p;
}

double cob_repulsion_find(cob_repulsion *r, const double *places, int threads, double *forces)
{
    double width = sort_places(r, places), sum = 0;
    r->node_count = 0;
    build(r, 0, r->count, BITS, width);
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (int64_t i = 0; i < r->count; i++) { /* in sorted order: neighbours visit the same nodes */
        pushed p = force_at(r, r->x[i], r->y[i]);
        int64_t place = r->sorted[i].place;
        forces[2 * place] = p.x;
        forces[2 * place + 1] = p.y;
        r->sums[place] = p.sum;
    }
    for (int64_t i = 0; i < r->count; i++)
        sum += r->sums[i];
    return sum;
}
