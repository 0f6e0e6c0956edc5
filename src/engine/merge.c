/* Greedy merging of clusters by the model's own criterion, read off the block table.
 *
 * Where clusters are paired, co-clusters are merged, a pair of row clusters with their column
 * clusters; else row clusters and column clusters apart, whichever costs less. For each cluster
 * only its few most promising partners are tried, and where the criterion is a sum over blocks,
 * only those that a merge joins are looked at: so that a merge among K clusters costs O(K^3), not
 * O(K^4), and O(K^2) where co-clusters alone count.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/starts.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { PARTNERS = 3 };

/* What a merge joins: clusters of one side, or co-clusters, which are clusters of both. */
typedef enum joined { ROWS = 1 << COB_ROWS, COLS = 1 << COB_COLS, BOTH = ROWS | COLS } joined;

typedef struct merging {
    const cob_model *model;
    double deadline;      /* on cob_clock */
    cob_stats now, trial; /* the trial has room for as many clusters as `now` */
    cob_theta theta;
    double value;         /* of `now` */
    double *own;          /* of each of its clusters by itself, of those that are joined, */
    double nothing;       /* and of none */
    double *line;         /* room for the blocks of one cluster */
    int *numbers[2];      /* the current number of each original cluster, */
    int count[2];         /* of which there are so many, */
    int most;             /* and at most so many on a side */
    cob_merge_step *path; /* where the next step goes; or NULL */
    bool *tried;          /* pairs of clusters that were, in this step */
} merging;

/* ---- merged statistics ----------------------------------------------------------------------- */

/* The new number of cluster k when b is merged into a < b: those above b move down. */
static int renumbered(int k, int a, int b)
{
    return k == b ? a : k > b ? k - 1 : k;
}

static void merge_vector(double *to, const double *from, int count, bool merged, int a, int b)
{
    memset(to, 0, (size_t)count * sizeof *to);
    for (int k = 0; k < count; k++)
        to[merged ? renumbered(k, a, b) : k] += from[k];
}

/* to += from, with numbers a < b of it added together if `merged`. */
static void add_merged(double *restrict to, const double *restrict from, int count, bool merged,
                       int a, int b)
{
    int until = merged ? b : count;
    for (int l = 0; l < until; l++)
        to[l] += from[l];
    if (merged)
        to[a] += from[b];
    for (int l = until + 1; l < count; l++)
        to[l - 1] += from[l];
}

/* to = from, likewise. */
static void copy_merged(double *restrict to, const double *restrict from, int count, bool merged,
                        int a, int b)
{
    memcpy(to, from, (size_t)(merged ? b : count) * sizeof *to);
    if (!merged)
        return;
    to[a] += from[b];
    memcpy(to + b, from + b + 1, (size_t)(count - b - 1) * sizeof *to);
}

/* trial = now with clusters a and b > a merged, on one side or on both. */
static void merge_stats(merging *m, joined what, int a, int b)
{
    const cob_stats *s = &m->now;
    cob_stats *t = &m->trial, room = m->trial;
    bool rows = what & ROWS, cols = what & COLS;
    *t = *s;
    t->block = room.block, t->z = room.z, t->w = room.w, t->R = room.R, t->C = room.C;
    t->g -= rows;
    t->m -= cols;
    t->down = (size_t)t->m;
    t->layer = (size_t)t->g * t->down;
    for (int c = 0; c < s->layers; c++)
        for (int k = 0; k < s->g; k++)
            (rows && k == b ? add_merged : copy_merged)(
                t->block + (size_t)c * t->layer +
                    (size_t)(rows ? renumbered(k, a, b) : k) * t->down,
                s->block + (size_t)c * s->layer + (size_t)k * s->down, s->m, cols, a, b);
    merge_vector(t->z, s->z, s->g, rows, a, b);
    merge_vector(t->R, s->R, s->g, rows, a, b);
    merge_vector(t->w, s->w, s->m, cols, a, b);
    merge_vector(t->C, s->C, s->m, cols, a, b);
}

static double value_of(merging *m, const cob_stats *stats)
{
    m->theta.g = stats->g;
    m->theta.m = stats->m;
    m->theta.down = (size_t)stats->m;
    m->theta.parameter = (size_t)stats->g * (size_t)stats->m;
    if (!m->model->of_stats)
        m->model->estimate(stats, &m->theta);
    return m->model->value(stats, &m->theta);
}

/* The smallest original cluster of rows that is now number k. */
static int smallest_member(const merging *m, int k)
{
    int member = 0;
    while (m->numbers[COB_ROWS][member] != k)
        member++;
    return member;
}

static void renumber(merging *m, joined what, int a, int b)
{
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        for (int k = 0; what & 1 << side && k < m->count[side]; k++)
            m->numbers[side][k] = renumbered(m->numbers[side][k], a, b);
}

/* Takes a merge for good. */
static void accept(merging *m, joined what, int a, int b)
{
    merge_stats(m, what, a, b);
    cob_stats_copy(&m->now, &m->trial);
    m->value = value_of(m, &m->now);
    if (m->path && what & ROWS)
        *m->path++ = (cob_merge_step){smallest_member(m, a), smallest_member(m, b), m->value};
    renumber(m, what, a, b);
}

/* ---- promising partners ---------------------------------------------------------------------- */

/* How much two co-clusters belong together: the gain of modularity by merging them, for its size.
 */
static double pair_affinity(const cob_stats *s, int a, int b)
{
    double expected = (s->R[a] * s->C[b] + s->R[b] * s->C[a]) / s->total;
    double found = cob_block(s, a, b) + cob_block(s, b, a);
    return found - expected;
}

/* And two clusters of one side, as that side sees them: the cosine of their lines of the table. */
static double line_affinity(const cob_stats *s, int a, int b)
{
    const double *x = s->block + (size_t)a * s->down, *y = s->block + (size_t)b * s->down;
    double product = 0, xx = 0, yy = 0;
    for (size_t l = 0; l < (size_t)s->m; l++) {
        product += x[l * s->across] * y[l * s->across];
        xx += x[l * s->across] * x[l * s->across];
        yy += y[l * s->across] * y[l * s->across];
    }
    return xx > 0 && yy > 0 ? product / sqrt(xx * yy) : 0;
}

/* And where blocks have several layers: how little the squared distance of cells from their means
 * grows when both are one. Of moments the means alone count, of codes all categories do. */
static double nearness(const cob_stats *s, int a, int b)
{
    double grown = 0;
    for (int l = 0; l < s->m; l++) {
        double x = cob_cells(s, a, l), y = cob_cells(s, b, l), squares = 0, rest = 0;
        for (int c = 0; x > 0 && y > 0 && c < (s->codes ? s->values : 1); c++) {
            double away = cob_block_of(s, c, a, l) / x - cob_block_of(s, c, b, l) / y;
            squares += away * away;
            rest += away; /* what the first category lacks */
        }
        grown += x > 0 && y > 0 ? x * y / (x + y) * (squares + (s->codes ? rest * rest : 0)) : 0;
    }
    return -grown;
}

static double affinity_of(const cob_stats *s, joined what, int a, int b)
{
    if (s->values > 1)
        return nearness(s, a, b);
    return what == BOTH ? pair_affinity(s, a, b) : line_affinity(s, a, b);
}

typedef struct merge {
    int a, b;
    joined what;
    double value;
} merge;

/* The sum of one or two numbers of an array, the second where b >= 0; and of none where a < 0. */
static double sum_of(const double *numbers, int a, int b)
{
    return (a >= 0 ? numbers[a] : 0) + (b >= 0 ? numbers[b] : 0);
}

/* The blocks of clusters a and b as one, layer behind layer; without b where it is negative. */
static void join_lines(const cob_stats *s, int a, int b, double *line)
{
    for (int c = 0; c < s->layers; c++)
        for (int l = 0; l < s->m; l++)
            *line++ = cob_block_of(s, c, a, l) + (b >= 0 ? cob_block_of(s, c, b, l) : 0);
}

static void join_pairs(const cob_stats *s, int a, int b, double *line)
{
    for (int c = 0; c < s->layers; c++) {
        const double *table = s->block + (size_t)c * s->layer;
        *line++ = sum_of(table + (size_t)a * s->down, a, b) +
                  (b >= 0 ? sum_of(table + (size_t)b * s->down, a, b) : 0);
    }
}

/* The side whose clusters are joined; where both are, either does. */
static cob_axis side_of(joined what)
{
    return what == COLS ? COB_COLS : COB_ROWS;
}

/* The criterion as if there were only clusters a and b of the side that is joined, or co-clusters,
 * as one; only a where b is negative, and none where a is. */
static double value_of_joined(merging *m, joined what, int a, int b)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what)), some = s;
    double z = sum_of(s.z, a, b), R = sum_of(s.R, a, b), w, C;
    if (a >= 0)
        (what == BOTH ? join_pairs : join_lines)(&s, a, b, m->line);
    some.block = m->line, some.across = 1;
    some.g = a >= 0, some.z = &z, some.R = &R;
    if (what == BOTH) {
        w = sum_of(s.w, a, b), C = sum_of(s.C, a, b);
        some.m = a >= 0, some.w = &w, some.C = &C;
    }
    some.down = some.layer = (size_t)some.m;
    some = cob_stats_from(&some, side_of(what));
    return value_of(m, &some);
}

static double value_of_merge(merging *m, joined what, int a, int b)
{
    if (m->model->by_blocks)
        return m->value + value_of_joined(m, what, a, b) - m->own[a] - m->own[b] + m->nothing;
    merge_stats(m, what, a, b);
    return value_of(m, &m->trial);
}

static void try_pair(merging *m, joined what, int a, int b, merge *best)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    bool *tried = m->tried + (size_t)low * (size_t)m->most + (size_t)high;
    if (*tried)
        return;
    *tried = true;
    double value = value_of_merge(m, what, low, high);
    if (best->a < 0 || cob_better(m->model, value, best->value))
        *best = (merge){low, high, what, value};
}

/* The clusters that a may best be merged with; how many. */
static int find_partners(const cob_stats *s, joined what, int a, int partner[PARTNERS])
{
    double affinity[PARTNERS];
    int found = 0;
    for (int b = 0; b < s->g; b++) {
        if (b == a)
            continue;
        double x = affinity_of(s, what, a, b);
        int at = found < PARTNERS ? found++ : PARTNERS;
        for (; at > 0 && affinity[at - 1] < x; at--)
            if (at < PARTNERS) {
                affinity[at] = affinity[at - 1];
                partner[at] = partner[at - 1];
            }
        if (at < PARTNERS) {
            affinity[at] = x;
            partner[at] = b;
        }
    }
    return found;
}

/* What merges of this kind are computed from, where the criterion is a sum over blocks. */
static void begin_step(merging *m, joined what)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what));
    if (!m->model->by_blocks)
        return;
    m->nothing = value_of_joined(m, what, -1, -1);
    for (int a = 0; a < s.g; a++)
        m->own[a] = value_of_joined(m, what, a, -1);
}

static bool is_late(const merging *m)
{
    return cob_clock() > m->deadline;
}

/* The two smallest of some clusters. */
static merge smallest_two(const double *sizes, int count, joined what)
{
    int a = 0;
    for (int k = 1; k < count; k++)
        a = sizes[k] < sizes[a] ? k : a;
    int b = a == 0 ? 1 : 0;
    for (int k = 0; k < count; k++)
        b = k != a && sizes[k] < sizes[b] ? k : b;
    return (merge){.a = a < b ? a : b, .b = a < b ? b : a, .what = what};
}

/* After the deadline any merge will do, since there must be a result. */
static merge merge_smallest(const merging *m, joined what)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what));
    return smallest_two(s.z, s.g, what);
}

/* All merges that remain, by the sizes of clusters alone: no other statistics are kept. */
static void merge_rest(merging *m, joined what, int clusters)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what));
    for (int count = s.g; count > clusters; count--) {
        merge two = smallest_two(s.z, count, what);
        s.z[two.a] += s.z[two.b];
        memmove(s.z + two.b, s.z + two.b + 1, (size_t)(count - two.b - 1) * sizeof *s.z);
        renumber(m, what, two.a, two.b);
    }
}

static void try_all(merging *m, joined what, merge *best)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what));
    memset(m->tried, 0, (size_t)m->most * (size_t)m->most * sizeof *m->tried);
    begin_step(m, what);
    for (int a = 0; a < s.g && (best->a < 0 || !is_late(m)); a++) {
        int partner[PARTNERS], found = find_partners(&s, what, a, partner);
        for (int p = 0; p < found; p++)
            try_pair(m, what, a, partner[p], best);
    }
}

static cobloc_status merging_open(merging *m, const cob_stats *stats, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_depth depth = {stats->values, stats->layers, cob_parameter_count(m->model, stats->values)};
    m->most = stats->g > stats->m ? stats->g : stats->m;
    COB_NEW(m->tried, (size_t)m->most * (size_t)m->most);
    COB_NEW(m->own, m->most);
    COB_NEW(m->line, (size_t)stats->layers * (size_t)m->most);
    COB_TRY(cob_stats_alloc_deep(&m->now, stats->g, stats->m, depth, err));
    COB_TRY(cob_stats_alloc_deep(&m->trial, stats->g, stats->m, depth, err));
    COB_TRY(cob_theta_alloc_deep(&m->theta, stats->g, stats->m, depth, err));
    cob_stats_copy(&m->now, stats);
    m->value = value_of(m, &m->now);
done:
    return status;
}

static void merging_close(merging *m)
{
    cob_free(m->tried);
    cob_free(m->own);
    cob_free(m->line);
    cob_stats_free(&m->now);
    cob_stats_free(&m->trial);
    cob_theta_free(&m->theta);
}

cobloc_status cob_merge_clusters(const cob_run *fine, int g, int m, int *rows, int *cols,
                                 cob_merge_step *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    merging state = {.model = fine->problem->model,
                     .deadline = fine->problem->watch.deadline,
                     .numbers = {rows, cols},
                     .path = path};
    COB_TRY(merging_open(&state, &fine->stats, err));
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        state.count[side] = fine->side[side].clusters;
        for (int k = 0; k < state.count[side]; k++)
            state.numbers[side][k] = k;
    }
    while (state.now.g > g || state.now.m > m) {
        merge best = {.a = -1};
        bool paired = state.model->structure->paired;
        joined first = paired ? BOTH : state.now.g > g ? ROWS : COLS;
        if (is_late(&state) && !path) {
            merge_rest(&state, paired ? BOTH : ROWS, g);
            if (!paired)
                merge_rest(&state, COLS, m);
            break;
        }
        if (is_late(&state))
            best = merge_smallest(&state, first);
        else
            try_all(&state, first, &best);
        if (first == ROWS && state.now.m > m && !is_late(&state))
            try_all(&state, COLS, &best);
        accept(&state, best.what, best.a, best.b);
    }
done:
    merging_close(&state);
    return status;
}

cobloc_status cob_value_of_merge(const cob_model *model, const cob_stats *stats, bool rows,
                                 bool cols, int a, int b, double *value, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    joined what = rows && cols ? BOTH : rows ? ROWS : COLS;
    merging state = {.model = model};
    COB_TRY(merging_open(&state, stats, err));
    begin_step(&state, what);
    *value = value_of_merge(&state, what, a, b);
done:
    merging_close(&state);
    return status;
}

cobloc_status cob_merge_into(cob_run *fine, int iterations, cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int *numbers[2] = {NULL, NULL};
    COB_NEW(numbers[COB_ROWS], fine->side[COB_ROWS].clusters);
    COB_NEW(numbers[COB_COLS], fine->side[COB_COLS].clusters);
    COB_TRY(cob_run_fill_empty(fine, NULL, err));
    COB_TRY(cob_run_refine(fine, iterations, err));
    run->disturbed = run->disturbed || fine->disturbed;
    COB_TRY(cob_merge_clusters(fine, run->side[COB_ROWS].clusters, run->side[COB_COLS].clusters,
                               numbers[COB_ROWS], numbers[COB_COLS], NULL, err));
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        int64_t count = cob_line_count(run->problem, side);
#pragma omp parallel for schedule(static) num_threads(cob_threads_worth(run->threads, count))
        for (int64_t i = 0; i < count; i++)
            run->side[side].labels[i] = numbers[side][fine->side[side].labels[i]];
    }
done:
    cob_free(numbers[COB_ROWS]);
    cob_free(numbers[COB_COLS]);
    return status;
}
