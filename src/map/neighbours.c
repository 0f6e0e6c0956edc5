/* Nearest neighbours of many points.
 * SPDX-License-Identifier: MIT
 */
#include "map/map.h"

#include "base/alloc.h"

#include <float.h>
#include <string.h>

enum { TREES = 6, LEAF = 40, ROUNDS = 4 };

typedef struct searching {
    const cob_map_points *points;
    int k;
    int32_t *near;   /* count by k, nearest first; -1: none yet, */
    float *far;      /* and their squared distances */
    int32_t *order;  /* points by the leaves of a tree */
    int64_t *leaves; /* where each leaf starts, one more at the end */
    int64_t leaf_count;
    int threads;
} searching;

/* ---- distances ------------------------------------------------------------------------------- */

static float distance(const cob_map_points *p, int64_t a, int64_t b)
{
    enum { LANES = 8 };
    const float *x = p->at + a * p->dims, *y = p->at + b * p->dims;
    float sums[LANES] = {0}, sum = 0;
    int t = 0;
    for (; t + LANES <= p->dims; t += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            float step = x[t + lane] - y[t + lane];
            sums[lane] += step * step;
        }
    for (; t < p->dims; t++)
        sum += (x[t] - y[t]) * (x[t] - y[t]);
    for (int lane = 0; lane < LANES; lane++)
        sum += sums[lane];
    return sum;
}

/* Puts a point among the nearest of another, unless it is there; ties go to the smaller number. */
static void offer(const searching *s, int64_t to, int32_t *near, float *far, int32_t point)
{
    float d = distance(s->points, to, point);
    int last = s->k - 1, at = last;
    if (near[last] >= 0 && (d > far[last] || (d == far[last] && point > near[last])))
        return;
    for (int i = 0; i < s->k && near[i] >= 0; i++)
        if (near[i] == point)
            return;
    for (; at > 0 &&
           (near[at - 1] < 0 || d < far[at - 1] || (d == far[at - 1] && point < near[at - 1]));
         at--) {
        near[at] = near[at - 1];
        far[at] = far[at - 1];
    }
    near[at] = point;
    far[at] = d;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Whether a point is nearer to a than to b. */
static bool on_side(const cob_map_points *p, int32_t point, int32_t a, int32_t b)
{
    return distance(p, point, a) < distance(p, point, b);
}

/* Splits order[first..last - 1] by two of its points; returns where the second part begins. A part
 * of less than a tenth would make the tree deep: then they are split in the middle. */
static int64_t split(searching *s, int64_t first, int64_t last, const cob_stream *stream,
                     int32_t *room)
{
    uint32_t size = (uint32_t)(last - first);
    uint64_t item = (uint64_t)(first + last) * 2;
    int32_t a = s->order[first + cob_random_below(stream, item, size)];
    int32_t b = s->order[first + cob_random_below(stream, item + 1, size)];
    int64_t left = 0, right = 0;
    for (int64_t i = first; i < last; i++) {
        int32_t point = s->order[i];
        if (on_side(s->points, point, a, b))
            s->order[first + left++] = point;
        else
            room[right++] = point;
    }
    memcpy(s->order + first + left, room, (size_t)right * sizeof *room);
    return left * 10 < size || right * 10 < size ? first + size / 2 : first + left;
}

static cobloc_status grow_tree(searching *s, int tree, uint64_t seed, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t count = s->points->count, open = 0;
    int32_t *room = NULL;
    int64_t *stack = NULL;
    cob_stream stream = cob_stream_at(seed, (uint32_t)tree, 0, COB_MAP_TREES);
    COB_NEW(room, count);
    COB_NEW(stack, 2 * (size_t)count + 2);
    for (int64_t i = 0; i < count; i++)
        s->order[i] = (int32_t)i;
    s->leaf_count = 0;
    stack[open++] = 0;
    stack[open++] = count;
    while (open > 0) {
        int64_t last = stack[--open], first = stack[--open];
        if (last - first <= LEAF) {
            s->leaves[s->leaf_count++] = first;
            continue;
        }
        int64_t middle = split(s, first, last, &stream, room);
        stack[open++] = middle; /* the first part comes next, so leaves are in order */
        stack[open++] = last;
        stack[open++] = first;
        stack[open++] = middle;
    }
    s->leaves[s->leaf_count] = count;
done:
    cob_free(room);
    cob_free(stack);
    return status;
}

/* Points of the same leaf may be neighbours. */
static void look_in_leaves(const searching *s)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads(s->threads)
    for (int64_t leaf = 0; leaf < s->leaf_count; leaf++)
        for (int64_t i = s->leaves[leaf]; i < s->leaves[leaf + 1]; i++)
            for (int64_t j = s->leaves[leaf]; j < s->leaves[leaf + 1]; j++)
                if (i != j)
                    offer(s, s->order[i], s->near + (int64_t)s->order[i] * s->k,
                          s->far + (int64_t)s->order[i] * s->k, s->order[j]);
}

/* ---- neighbours of neighbours ---------------------------------------------------------------- */

/* back: count by k, some of the points that have each among their neighbours; -1: no more. */
static void turn_round(const int32_t *near, int64_t count, int k, int32_t *back)
{
    memset(back, -1, (size_t)count * (size_t)k * sizeof *back);
    for (int rank = 0; rank < k; rank++)
        for (int64_t i = 0; i < count; i++) {
            int32_t to = near[i * k + rank];
            for (int at = 0; to >= 0 && at < k; at++)
                if (back[(int64_t)to * k + at] < 0) {
                    back[(int64_t)to * k + at] = (int32_t)i;
                    break;
                }
        }
}

static void offer_all(const searching *s, int64_t to, int32_t *near, float *far,
                      const int32_t *points)
{
    for (int i = 0; i < s->k && points[i] >= 0; i++)
        if (points[i] != to)
            offer(s, to, near, far, points[i]);
}

/* One round: all lists are read as they were before it. */
static cobloc_status look_around(searching *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t count = s->points->count, k = s->k;
    int32_t *before = NULL, *back = NULL;
    COB_NEW(before, (size_t)count * (size_t)k);
    COB_NEW(back, (size_t)count * (size_t)k);
    memcpy(before, s->near, (size_t)count * (size_t)k * sizeof *before);
    turn_round(before, count, s->k, back);
#pragma omp parallel for schedule(dynamic, 64) num_threads(s->threads)
    for (int64_t i = 0; i < count; i++) {
        int32_t *near = s->near + i * k;
        float *far = s->far + i * k;
        offer_all(s, i, near, far, back + i * k);
        for (int a = 0; a < k; a++) {
            int32_t via = before[i * k + a], other = back[i * k + a];
            if (via >= 0) {
                offer_all(s, i, near, far, before + via * k);
                offer_all(s, i, near, far, back + via * k);
            }
            if (other >= 0)
                offer_all(s, i, near, far, before + other * k);
        }
    }
done:
    cob_free(before);
    cob_free(back);
    return status;
}

cobloc_status cob_map_neighbours(const cob_map_points *points, int k, uint64_t seed, int threads,
                                 int32_t *near, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    searching s = {.points = points, .k = k, .near = near, .threads = threads};
    size_t cells = (size_t)points->count * (size_t)k;
    COB_NEW(s.far, cells);
    COB_NEW(s.order, points->count);
    COB_NEW(s.leaves, points->count + 2);
    memset(near, -1, cells * sizeof *near);
    for (size_t c = 0; c < cells; c++)
        s.far[c] = FLT_MAX;
    for (int tree = 0; tree < TREES; tree++) {
        COB_TRY(grow_tree(&s, tree, seed, err));
        look_in_leaves(&s);
    }
    for (int round = 0; round < ROUNDS; round++)
        COB_TRY(look_around(&s, err));
done:
    cob_free(s.far);
    cob_free(s.order);
    cob_free(s.leaves);
    return status;
}
