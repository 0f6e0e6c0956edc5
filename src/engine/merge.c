/* Greedy merging of clusters by the model's own criterion, read off the block table.
 *
 * Where clusters are paired, co-clusters are merged, a pair of row clusters with their column
 * clusters; else row clusters and column clusters apart, whichever costs less. For each cluster
 * only its few most promising partners are tried, and where the criterion is a sum over blocks,
 * only those that a merge joins are looked at. What was computed for two clusters is kept until one
 * of them is merged, and follows merges of the other side by the two blocks that they join; and a
 * cluster keeps its partners until one of them is merged, or another one suits it better. So a
 * merge among K clusters costs little more than K times what one pair does. Where lines are short,
 * all is computed anew when the other side has merged.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/starts.h"

#include "base/alloc.h"
#include "engine/affinity.h"

#include <math.h>
#include <string.h>

/* What a merge joins: clusters of one side, or co-clusters, which are clusters of both. */
typedef enum joined { ROWS = 1 << COB_ROWS, COLS = 1 << COB_COLS, BOTH = ROWS | COLS } joined;

/* Where no more clusters than these are merged into few, all is computed anew when the other side
 * has merged, which is exact; and so are lines of few blocks, hardly quicker to follow. */
enum { MANY = COB_FINE_MANY, FEW = COB_FINE_MANY / COB_FINE_FACTOR };

/* In the place of the first partner: they are not known. */
enum { UNKNOWN = -2 };

/* Two clusters as one: the other one (-1: nobody), and the criterion of both by themselves. */
typedef struct couple {
    int partner;
    double value;
} couple;

/* What is kept of the clusters that may be merged: of one side, or co-clusters. */
typedef struct front {
    bool known;            /* else all is to be computed anew */
    double *own;           /* the criterion of each cluster by itself, */
    couple *couples;       /* and COB_PARTNERS couples of each */
    int *partners;         /* the COB_PARTNERS clusters that each may best be merged with, */
    cob_products products; /* by which these are found */
} front;

typedef struct merging {
    const cob_model *model;
    double deadline;      /* on cob_clock */
    cob_stats now, trial; /* the trial has room for as many clusters as `now` */
    cob_theta theta;
    double value;           /* of `now` */
    front fronts[2];        /* of rows, or co-clusters; of columns */
    double nothing;         /* the criterion without any of those that are joined, */
    double inside, covered; /* and what all co-clusters hold and cover */
    double *line;           /* room for the blocks of one cluster */
    int *numbers[2];        /* the current number of each original cluster, */
    int count[2];           /* of which there are so many, */
    int most;               /* and at most so many on a side */
    bool exact;             /* nothing follows merges of the other side */
    cob_merge_step *path;   /* where the next step goes; or NULL */
    bool *tried;            /* pairs of clusters that were, in this step */
} merging;

/* ---- values of merges ------------------------------------------------------------------------ */

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
    double z = sum_of(s.z, a, b), R = sum_of(s.R, a, b), w = 0, C = 0;
    if (a >= 0)
        (what == BOTH ? join_pairs : join_lines)(&s, a, b, m->line);
    some.block = m->line, some.across = 1;
    some.g = a >= 0, some.z = &z, some.R = &R;
    if (what == BOTH) {
        w = sum_of(s.w, a, b), C = sum_of(s.C, a, b);
        some.m = a >= 0, some.w = &w, some.C = &C;
    }
    if (m->model->rest) /* and nothing beside them */
        some.total = a >= 0 ? m->line[0] : 0, some.row_effect = R, some.col_effect = C;
    some.down = some.layer = (size_t)some.m;
    some = cob_stats_from(&some, side_of(what));
    return value_of(m, &some);
}

/* What that changes by when clusters c and d of the other side become one. */
static double change_of_joined(merging *m, joined what, int a, int b, int c, int d)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what)), some = s;
    double z = sum_of(s.z, a, b), R = sum_of(s.R, a, b), value[2];
    for (int apart = 0; apart <= 1; apart++) {
        double w[] = {s.w[c] + (apart ? 0 : s.w[d]), s.w[d]};
        double C[] = {s.C[c] + (apart ? 0 : s.C[d]), s.C[d]};
        for (int layer = 0; layer < s.layers; layer++) {
            double *to = m->line + layer * (1 + apart);
            double x = cob_block_of(&s, layer, a, c) + (b >= 0 ? cob_block_of(&s, layer, b, c) : 0);
            double y = cob_block_of(&s, layer, a, d) + (b >= 0 ? cob_block_of(&s, layer, b, d) : 0);
            to[0] = apart ? x : x + y;
            to[apart] = apart ? y : to[0];
        }
        some = s;
        some.block = m->line, some.across = 1, some.down = some.layer = (size_t)(1 + apart);
        some.g = 1, some.z = &z, some.R = &R;
        some.m = 1 + apart, some.w = w, some.C = C;
        some = cob_stats_from(&some, side_of(what));
        value[apart] = value_of(m, &some);
    }
    return value[0] - value[1];
}

static front *front_of(merging *m, joined what)
{
    return &m->fronts[side_of(what)];
}

/* The couple of a with b, or with nobody: room for another one; NULL if there is neither. */
static couple *find_couple(const front *f, int a, int b)
{
    for (couple *c = f->couples + COB_PARTNERS * (size_t)a, *end = c + COB_PARTNERS; c < end; c++)
        if (c->partner == b)
            return c;
    return NULL;
}

/* The criterion of a and b as one, by themselves: kept, or computed and kept. */
static double value_of_couple(merging *m, joined what, int a, int b)
{
    const front *f = front_of(m, what);
    const couple *kept = find_couple(f, a, b);
    kept = kept ? kept : find_couple(f, b, a);
    return kept ? kept->value : value_of_joined(m, what, a, b);
}

static double value_of_rest(const merging *m, int a, int b)
{
    const cob_stats *s = &m->now;
    double inside = m->inside + cob_block(s, a, b) + cob_block(s, b, a);
    double covered = m->covered + s->R[a] * s->C[b] + s->R[b] * s->C[a];
    return m->model->rest(s, inside, covered) - m->model->rest(s, m->inside, m->covered);
}

/* The criterion after a merge; `*alone` receives what the two are by themselves. */
static double value_of_merge(merging *m, joined what, int a, int b, double *alone)
{
    const front *f = front_of(m, what);
    if (!m->model->by_blocks) {
        cob_stats_merge(&m->now, what & ROWS, what & COLS, a, b, &m->trial);
        return value_of(m, &m->trial);
    }
    *alone = value_of_couple(m, what, a, b);
    return m->value + *alone - f->own[a] - f->own[b] + m->nothing +
           (m->model->rest ? value_of_rest(m, a, b) : 0);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static void forget_couples(front *f, int a)
{
    for (int p = 0; p < COB_PARTNERS; p++)
        f->couples[COB_PARTNERS * (size_t)a + (size_t)p].partner = -1;
    f->partners[COB_PARTNERS * (size_t)a] = UNKNOWN;
}

/* The partners of c after b was merged into a: still the same ones, unless a is now one of them. */
static void follow_partners(const front *f, const cob_stats *s, int c, int a, int b)
{
    int *own = f->partners + COB_PARTNERS * (size_t)c;
    bool same = own[0] != UNKNOWN;
    for (int p = 0; p < COB_PARTNERS; p++) {
        same = same && own[p] != a && own[p] != b;
        own[p] = own[p] > b ? own[p] - 1 : own[p];
    }
    int last = own[COB_PARTNERS - 1];
    same = same && last >= 0 &&
           cob_affinity(s, &f->products, c, a) < cob_affinity(s, &f->products, c, last);
    own[0] = same ? own[0] : UNKNOWN;
}

/* What merges of this kind are computed from. */
static void begin_step(merging *m, joined what)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what));
    front *f = front_of(m, what);
    m->inside = m->covered = 0;
    for (int k = 0; what == BOTH && k < s.g; k++) {
        m->inside += cob_block(&s, k, k);
        m->covered += s.R[k] * s.C[k];
    }
    if (m->model->by_blocks)
        m->nothing = value_of_joined(m, what, -1, -1);
    if (f->known)
        return;
    for (int a = 0; a < s.g; a++) {
        forget_couples(f, a);
        if (m->model->by_blocks)
            f->own[a] = value_of_joined(m, what, a, -1);
    }
    if (f->products.of)
        cob_products_measure(&f->products, &s);
    f->known = true;
}

/* After b was merged into a < b. */
static void follow_own_merge(merging *m, joined what, int a, int b)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what));
    front *f = front_of(m, what);
    size_t above = (size_t)(s.g - b), at = COB_PARTNERS * (size_t)b;
    if (!f->known)
        return;
    forget_couples(f, a);
    memmove(f->own + b, f->own + b + 1, above * sizeof *f->own);
    memmove(f->couples + at, f->couples + at + COB_PARTNERS,
            COB_PARTNERS * above * sizeof *f->couples);
    memmove(f->partners + at, f->partners + at + COB_PARTNERS,
            COB_PARTNERS * above * sizeof *f->partners);
    for (couple *c = f->couples; c < f->couples + COB_PARTNERS * (size_t)s.g; c++)
        c->partner = c->partner == a || c->partner == b ? -1 : cob_number_merged(c->partner, a, b);
    if (m->model->by_blocks)
        f->own[a] = value_of_joined(m, what, a, -1);
    if (f->products.of)
        cob_products_merged(&f->products, &s, a, b);
    for (int c = 0; c < s.g; c++)
        if (c != a)
            follow_partners(f, &s, c, a, b);
}

/* Before c and d of the other side become one. */
static void follow_other_merge(merging *m, joined what, int c, int d)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what));
    front *f = front_of(m, what);
    f->known = f->known && !m->exact && s.m > FEW;
    for (int a = 0; f->known && m->model->by_blocks && a < s.g; a++) {
        couple *own = f->couples + COB_PARTNERS * (size_t)a;
        f->own[a] += change_of_joined(m, what, a, -1, c, d);
        for (int p = 0; p < COB_PARTNERS; p++)
            if (own[p].partner >= 0)
                own[p].value += change_of_joined(m, what, a, own[p].partner, c, d);
    }
    if (f->known && f->products.of)
        cob_products_follow(&f->products, &s, c, d);
}

/* ---- merging --------------------------------------------------------------------------------- */

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
            m->numbers[side][k] = cob_number_merged(m->numbers[side][k], a, b);
}

/* Takes a merge for good. */
static void accept(merging *m, const merge *best)
{
    int a = best->a, b = best->b;
    cob_stats before = m->now;
    if (best->what != BOTH)
        follow_other_merge(m, BOTH - best->what, a, b);
    cob_stats_merge(&before, best->what & ROWS, best->what & COLS, a, b, &m->trial);
    m->now = m->trial;
    m->trial = before;
    follow_own_merge(m, best->what, a, b);
    bool anew = m->exact || m->path || (m->now.g <= FEW && m->now.m <= FEW);
    m->value = anew ? value_of(m, &m->now) : best->value;
    if (m->path && best->what & ROWS)
        *m->path++ = (cob_merge_step){smallest_member(m, a), smallest_member(m, b), m->value};
    renumber(m, best->what, a, b);
}

/* Tries to merge a with its most promising partners, and keeps what they are together. */
static void try_partners(merging *m, joined what, int a, merge *best)
{
    cob_stats s = cob_stats_from(&m->now, side_of(what));
    front *f = front_of(m, what);
    couple found[COB_PARTNERS];
    int *partner = f->partners + COB_PARTNERS * (size_t)a;
    int found_now = COB_PARTNERS;
    if (partner[0] == UNKNOWN)
        found_now = cob_find_partners(&s, &f->products, a, m->line, partner);
    for (int p = found_now; p < COB_PARTNERS; p++)
        partner[p] = -1;
    for (int p = 0; p < COB_PARTNERS; p++) {
        int b = partner[p] >= 0 ? partner[p] : a, low = a < b ? a : b, high = a < b ? b : a;
        bool *tried = m->tried + (size_t)low * (size_t)m->most + (size_t)high;
        found[p] = (couple){.partner = -1};
        if (b == a || *tried)
            continue;
        *tried = true;
        double value = value_of_merge(m, what, low, high, &found[p].value);
        found[p].partner = b;
        if (best->a < 0 || cob_better(m->model, value, best->value))
            *best = (merge){low, high, what, value};
    }
    memcpy(f->couples + COB_PARTNERS * (size_t)a, found, sizeof found);
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
    enum { LOOK = 64 }; /* at the clock, after so many */
    cob_stats s = cob_stats_from(&m->now, side_of(what));
    memset(m->tried, 0, (size_t)m->most * (size_t)m->most * sizeof *m->tried);
    begin_step(m, what);
    for (int a = 0; a < s.g && (best->a < 0 || a % LOOK > 0 || !is_late(m)); a++)
        try_partners(m, what, a, best);
}

static cobloc_status merging_open(merging *m, const cob_stats *stats, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_depth depth = {stats->values, stats->layers, cob_parameter_count(m->model, stats->values)};
    m->most = stats->g > stats->m ? stats->g : stats->m;
    COB_NEW(m->tried, (size_t)m->most * (size_t)m->most);
    for (int side = 0; side < (m->model->structure->paired ? 1 : 2); side++) {
        front *f = &m->fronts[side];
        COB_NEW(f->own, m->most);
        COB_NEW(f->couples, COB_PARTNERS * (size_t)m->most);
        COB_NEW(f->partners, COB_PARTNERS * (size_t)m->most);
        if (stats->values == 1)
            COB_TRY(cob_products_alloc(&f->products, m->most, m->model->structure->paired, err));
    }
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
    for (int side = 0; side < 2; side++) {
        cob_free(m->fronts[side].own);
        cob_free(m->fronts[side].couples);
        cob_free(m->fronts[side].partners);
        cob_products_free(&m->fronts[side].products);
    }
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
    state.exact = state.most <= MANY && g <= FEW && m <= FEW;
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
        accept(&state, &best);
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
    double alone;
    merging state = {.model = model};
    COB_TRY(merging_open(&state, stats, err));
    begin_step(&state, what);
    *value = value_of_merge(&state, what, a, b, &alone);
done:
    merging_close(&state);
    return status;
}
