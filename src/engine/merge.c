/* Greedy merging of clusters by the model's own criterion, read off the block table.
 *
 * Where clusters are paired, co-clusters are merged, a pair of row clusters with their column
 * clusters; else row clusters and column clusters apart, whichever costs less. For each cluster
 * only its few most promising partners are tried, and where the criterion is a sum over blocks,
 * only those that a merge joins are looked at. What was computed for two clusters is kept until one
 * of them is merged, and follows merges of the other side by the two blocks that they join; and a
 * cluster keeps its partners until one of them is merged, or another one suits it better. So a
 * merge among K clusters costs little more than K times what one pair does. Where lines are short,
 * all is computed anew when the other side has merged; where the criterion allows it, by a quick
 * look, and exactly only where two merges are as good as equal to that.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine/starts.h"

#include "base/alloc.h"
#include "engine/affinity.h"
#include "engine/joined.h"
#include "engine/screen.h"

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
    cob_products products; /* by which these are found; */
    cob_screen screen;     /* and a quick look at them */
} front;

typedef struct merging {
    cob_joining at;         /* what is now */
    double deadline;        /* on cob_clock */
    cob_stats trial;        /* with room for as many clusters */
    double value;           /* of what is now; when screened, it counts as 0 */
    front fronts[2];        /* of rows, or co-clusters; of columns */
    double nothing;         /* the criterion without any of those that are joined, */
    double inside, covered; /* and what all co-clusters hold and cover */
    int *numbers[2];        /* the current number of each original cluster, */
    int count[2];           /* of which there are so many, */
    int most;               /* and at most so many on a side */
    bool exact;             /* nothing follows merges of the other side, */
    bool screened;          /* and all values are those of a quick look */
    double second;          /* the value of the next best merge to that */
    cob_merge_step *path;   /* where the next step goes; or NULL */
    bool *tried;            /* pairs of clusters that were, in this step */
} merging;

/* ---- values of merges ------------------------------------------------------------------------ */

typedef struct merge {
    int a, b;
    joined what;
    double value;
} merge;

/* The side whose clusters are joined; where both are, either does. */
static cob_axis side_of(joined what)
{
    return what == COLS ? COB_COLS : COB_ROWS;
}

static front *front_of(merging *m, joined what)
{
    return &m->fronts[side_of(what)];
}

/* The criterion of a and b, as one, by themselves. */
static double value_of_joined(merging *m, joined what, int a, int b)
{
    if (m->screened)
        return a >= 0 ? cob_screen_value(&front_of(m, what)->screen, a, b) : 0;
    return cob_value_of_joined(&m->at, side_of(what), what == BOTH, a, b);
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

/* The criterion after a merge; `*alone` receives what the two are by themselves. */
static double value_of_merge(merging *m, joined what, int a, int b, double *alone)
{
    const front *f = front_of(m, what);
    if (!m->at.model->by_blocks) {
        cob_stats_merge(&m->at.now, what & ROWS, what & COLS, a, b, &m->trial);
        return cob_value_of_stats(&m->at, &m->trial);
    }
    *alone = value_of_couple(m, what, a, b);
    return m->value + *alone - f->own[a] - f->own[b] + m->nothing +
           (m->at.model->rest ? cob_value_of_rest(&m->at, m->inside, m->covered, a, b) : 0);
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
    cob_stats s = cob_stats_from(&m->at.now, side_of(what));
    front *f = front_of(m, what);
    if (m->screened)
        cob_screen_take(&f->screen, &s);
    m->inside = m->covered = 0;
    for (int k = 0; what == BOTH && k < s.g; k++) {
        m->inside += cob_block(&s, k, k);
        m->covered += s.R[k] * s.C[k];
    }
    if (m->at.model->by_blocks)
        m->nothing = value_of_joined(m, what, -1, -1);
    if (f->known)
        return;
    for (int a = 0; a < s.g; a++) {
        forget_couples(f, a);
        if (m->at.model->by_blocks)
            f->own[a] = value_of_joined(m, what, a, -1);
    }
    if (f->products.of)
        cob_products_measure(&f->products, &s);
    f->known = true;
}

/* After b was merged into a < b. */
static void follow_own_merge(merging *m, joined what, int a, int b)
{
    cob_stats s = cob_stats_from(&m->at.now, side_of(what));
    front *f = front_of(m, what);
    size_t above = (size_t)(s.g - b), at = COB_PARTNERS * (size_t)b;
    if (!f->known)
        return;
    if (m->screened)
        cob_screen_take(&f->screen, &s);
    forget_couples(f, a);
    memmove(f->own + b, f->own + b + 1, above * sizeof *f->own);
    memmove(f->couples + at, f->couples + at + COB_PARTNERS,
            COB_PARTNERS * above * sizeof *f->couples);
    memmove(f->partners + at, f->partners + at + COB_PARTNERS,
            COB_PARTNERS * above * sizeof *f->partners);
    for (couple *c = f->couples; c < f->couples + COB_PARTNERS * (size_t)s.g; c++)
        c->partner = c->partner == a || c->partner == b ? -1 : cob_number_merged(c->partner, a, b);
    if (m->at.model->by_blocks)
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
    cob_stats s = cob_stats_from(&m->at.now, side_of(what));
    front *f = front_of(m, what);
    f->known = f->known && !m->exact && s.m > FEW;
    for (int a = 0; f->known && m->at.model->by_blocks && a < s.g; a++) {
        couple *own = f->couples + COB_PARTNERS * (size_t)a;
        f->own[a] += cob_change_of_joined(&m->at, side_of(what), a, -1, c, d);
        for (int p = 0; p < COB_PARTNERS; p++)
            if (own[p].partner >= 0)
                own[p].value +=
                    cob_change_of_joined(&m->at, side_of(what), a, own[p].partner, c, d);
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
    cob_stats before = m->at.now;
    if (best->what != BOTH)
        follow_other_merge(m, BOTH - best->what, a, b);
    cob_stats_merge(&before, best->what & ROWS, best->what & COLS, a, b, &m->trial);
    m->at.now = m->trial;
    m->trial = before;
    follow_own_merge(m, best->what, a, b);
    bool anew = m->exact || m->path || (m->at.now.g <= FEW && m->at.now.m <= FEW);
    if (!m->screened)
        m->value = anew ? cob_value_of_stats(&m->at, &m->at.now) : best->value;
    if (m->path && best->what & ROWS)
        *m->path++ = (cob_merge_step){smallest_member(m, a), smallest_member(m, b), m->value};
    renumber(m, best->what, a, b);
}

/* Tries to merge a with its most promising partners, and keeps what they are together. */
static void try_partners(merging *m, joined what, int a, merge *best)
{
    cob_stats s = cob_stats_from(&m->at.now, side_of(what));
    front *f = front_of(m, what);
    couple found[COB_PARTNERS];
    int *partner = f->partners + COB_PARTNERS * (size_t)a;
    int found_now = COB_PARTNERS;
    if (partner[0] == UNKNOWN)
        found_now = cob_find_partners(&s, &f->products, a, m->at.line, partner);
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
        if (best->a < 0 || cob_better(m->at.model, value, best->value)) {
            m->second = best->a < 0 ? -INFINITY : best->value;
            *best = (merge){low, high, what, value};
        } else if (value > m->second) {
            m->second = value;
        }
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
    cob_stats s = cob_stats_from(&m->at.now, side_of(what));
    return smallest_two(s.z, s.g, what);
}

/* All merges that remain, by the sizes of clusters alone: no other statistics are kept. */
static void merge_rest(merging *m, joined what, int clusters)
{
    cob_stats s = cob_stats_from(&m->at.now, side_of(what));
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
    cob_stats s = cob_stats_from(&m->at.now, side_of(what));
    memset(m->tried, 0, (size_t)m->most * (size_t)m->most * sizeof *m->tried);
    begin_step(m, what);
    for (int a = 0; a < s.g && (best->a < 0 || a % LOOK > 0 || !is_late(m)); a++)
        try_partners(m, what, a, best);
}

/* The exact value of a merge. */
static double exact_value(merging *m, joined what, int a, int b)
{
    cob_axis side = side_of(what);
    return m->value + cob_value_of_joined(&m->at, side, false, a, b) -
           cob_value_of_joined(&m->at, side, false, a, -1) -
           cob_value_of_joined(&m->at, side, false, b, -1) +
           cob_value_of_joined(&m->at, side, false, -1, -1);
}

/* Of the merges of a kind that a quick look cannot tell from the best, which had this value, the
 * best, in the order in which they were tried. */
static void resolve(merging *m, joined what, double most, merge *best)
{
    double error = cob_screen_error(&m->at.now);
    const front *f = front_of(m, what);
    int clusters = cob_stats_from(&m->at.now, side_of(what)).g;
    m->value = cob_value_of_stats(&m->at, &m->at.now);
    for (int i = 0; i < COB_PARTNERS * clusters; i++) {
        int one = i / COB_PARTNERS, other = f->couples[i].partner;
        if (other < 0 || f->couples[i].value - f->own[one] - f->own[other] < most - error)
            continue;
        int a = one < other ? one : other, b = one < other ? other : one;
        double value = exact_value(m, what, a, b);
        if (best->a < 0 || cob_better(m->at.model, value, best->value))
            *best = (merge){a, b, what, value};
    }
    m->value = 0;
}

/* The same of all kinds that were tried; `cols`: so many column clusters are wanted. */
static void resolve_all(merging *m, joined first, int cols, merge *best)
{
    merge exactly = {.a = -1};
    resolve(m, first, best->value, &exactly);
    if (first == ROWS && m->at.now.m > cols)
        resolve(m, COLS, best->value, &exactly);
    *best = exactly;
}

static cobloc_status merging_open(merging *m, const cob_stats *stats, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_depth depth = {stats->values, stats->layers,
                       cob_parameter_count(m->at.model, stats->values)};
    m->most = stats->g > stats->m ? stats->g : stats->m;
    COB_NEW(m->tried, (size_t)m->most * (size_t)m->most);
    m->exact = m->exact && m->most <= MANY;
    m->screened = m->exact && !m->path && cob_can_screen(m->at.model, stats);
    for (int side = 0; side < (m->at.model->structure->paired ? 1 : 2); side++) {
        front *f = &m->fronts[side];
        COB_NEW(f->own, m->most);
        COB_NEW(f->couples, COB_PARTNERS * (size_t)m->most);
        COB_NEW(f->partners, COB_PARTNERS * (size_t)m->most);
        if (stats->values == 1)
            COB_TRY(cob_products_alloc(&f->products, m->most, m->most,
                                       m->at.model->structure->paired, err));
        if (m->screened)
            COB_TRY(cob_screen_alloc(&f->screen, m->at.model, m->most, err));
    }
    COB_NEW(m->at.line, (size_t)stats->layers * (size_t)m->most);
    COB_TRY(cob_stats_alloc_deep(&m->at.now, stats->g, stats->m, depth, err));
    COB_TRY(cob_stats_alloc_deep(&m->trial, stats->g, stats->m, depth, err));
    COB_TRY(cob_theta_alloc_deep(&m->at.theta, stats->g, stats->m, depth, err));
    cob_stats_copy(&m->at.now, stats);
    m->value = m->screened ? 0 : cob_value_of_stats(&m->at, &m->at.now);
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
        cob_screen_free(&m->fronts[side].screen);
    }
    cob_free(m->at.line);
    cob_stats_free(&m->at.now);
    cob_stats_free(&m->trial);
    cob_theta_free(&m->at.theta);
}

cobloc_status cob_merge_clusters(const cob_run *fine, int g, int m, int *rows, int *cols,
                                 cob_merge_step *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    merging state = {.at = {.model = fine->problem->model},
                     .exact = g <= FEW && m <= FEW,
                     .deadline = fine->problem->watch.deadline,
                     .numbers = {rows, cols},
                     .path = path};
    COB_TRY(merging_open(&state, &fine->stats, err));
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        state.count[side] = fine->side[side].clusters;
        for (int k = 0; k < state.count[side]; k++)
            state.numbers[side][k] = k;
    }
    while (state.at.now.g > g || state.at.now.m > m) {
        merge best = {.a = -1};
        state.second = -INFINITY;
        bool paired = state.at.model->structure->paired;
        joined first = paired ? BOTH : state.at.now.g > g ? ROWS : COLS;
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
        if (first == ROWS && state.at.now.m > m && !is_late(&state))
            try_all(&state, COLS, &best);
        if (state.screened && best.value - state.second < cob_screen_error(&state.at.now))
            resolve_all(&state, first, m, &best);
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
    merging state = {.at = {.model = model}};
    COB_TRY(merging_open(&state, stats, err));
    begin_step(&state, what);
    *value = value_of_merge(&state, what, a, b, &alone);
done:
    merging_close(&state);
    return status;
}
