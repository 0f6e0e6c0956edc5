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
#include "engine/merging.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* ---- merging --------------------------------------------------------------------------------- */

/* The smallest original cluster of rows that is now number k. */
static int smallest_member(const cob_merging *m, int k)
{
    int member = 0;
    while (m->numbers[COB_ROWS][member] != k)
        member++;
    return member;
}

/* The members of b are now a's. */
static void renumber(cob_merging *m, cob_joined what, int a, int b)
{
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        if (!(what & 1 << side))
            continue;
        for (int k = 0; k < m->count[side]; k++)
            m->numbers[side][k] = m->numbers[side][k] == b ? a : m->numbers[side][k];
        cob_gaps_add(&m->gaps[side], b);
        m->left[side]--;
    }
}

/* Takes a merge for good. */
static void accept(cob_merging *m, const cob_merge *best)
{
    int a = best->a, b = best->b;
    cob_merge_step step = {.a = -1};
    if (m->path && best->what & COB_OF_ROWS)
        step = (cob_merge_step){smallest_member(m, a), smallest_member(m, b), 0};
    if (best->what != COB_OF_BOTH)
        cob_follow_other_merge(m, COB_OF_BOTH - best->what, a, b);
    cob_stats_join(&m->at.now, best->what & COB_OF_ROWS, best->what & COB_OF_COLS, a, b);
    cob_follow_own_merge(m, best->what, a, b);
    renumber(m, best->what, a, b);
    if (cob_must_close(m))
        cob_close_gaps(m);
    bool anew = m->exact || (m->path && m->most <= COB_MANY) ||
                (m->left[COB_ROWS] <= COB_FEW && m->left[COB_COLS] <= COB_FEW);
    if (!m->screened)
        m->value = anew ? cob_value_of_stats(&m->at, &m->at.now) : best->value;
    step.criterion = m->value;
    if (step.a >= 0)
        *m->path++ = step;
}

/* The first of two clusters has looked at both as one, in this step; the other has no partners yet
 * if it comes later. */
static bool was_tried(const cob_front *f, int a, int b)
{
    const int *own = f->partners + COB_PARTNERS * (size_t)b;
    for (int p = 0; b < a && p < COB_PARTNERS; p++)
        if (own[p] == a)
            return true;
    return false;
}

/* Tries to merge a with its most promising partners, and keeps what they are together. */
static void try_partners(cob_merging *m, cob_joined what, int a, cob_merge *best)
{
    cob_stats s = cob_stats_from(&m->at.now, cob_side_of(what));
    cob_front *f = cob_front_of(m, what);
    cob_couple found[COB_PARTNERS];
    int *partner = f->partners + COB_PARTNERS * (size_t)a;
    int found_now = COB_PARTNERS;
    if (partner[0] == COB_UNKNOWN)
        found_now = cob_find_partners(&s, &f->products, &m->gaps[cob_side_of(what)], a, m->at.line,
                                      partner);
    for (int p = found_now; p < COB_PARTNERS; p++)
        partner[p] = -1;
    for (int p = 0; p < COB_PARTNERS; p++) {
        int b = partner[p] >= 0 ? partner[p] : a, low = a < b ? a : b, high = a < b ? b : a;
        found[p] = (cob_couple){.partner = -1};
        if (b == a || was_tried(f, a, b))
            continue;
        double value = cob_merging_value(m, what, low, high, &found[p].value);
        found[p].partner = b;
        if (best->a < 0 || cob_better(m->at.model, value, best->value)) {
            m->second = best->a < 0 ? -INFINITY : best->value;
            *best = (cob_merge){low, high, what, value};
        } else if (value > m->second) {
            m->second = value;
        }
    }
    memcpy(f->couples + COB_PARTNERS * (size_t)a, found, sizeof found);
}

static bool is_late(const cob_merging *m)
{
    return cob_clock() > m->deadline;
}

/* The two smallest clusters. */
static cob_merge smallest_two(const double *sizes, int count, const cob_gaps *gaps, cob_joined what)
{
    int a = -1, b = -1;
    for (int k = 0; k < count; k++) {
        if (gaps->is[k])
            continue;
        if (a < 0 || sizes[k] < sizes[a]) {
            b = a;
            a = k;
        } else if (b < 0 || sizes[k] < sizes[b]) {
            b = k;
        }
    }
    return (cob_merge){.a = a < b ? a : b, .b = a < b ? b : a, .what = what};
}

/* After the deadline any merge will do, since there must be a result. */
static cob_merge merge_smallest(const cob_merging *m, cob_joined what)
{
    cob_stats s = cob_stats_from(&m->at.now, cob_side_of(what));
    return smallest_two(s.z, s.g, &m->gaps[cob_side_of(what)], what);
}

/* All merges that remain, by the sizes of clusters alone: no other statistics are kept. */
static void merge_rest(cob_merging *m, cob_joined what, int clusters)
{
    cob_axis side = cob_side_of(what);
    cob_stats s = cob_stats_from(&m->at.now, side);
    while (m->left[side] > clusters) {
        cob_merge two = smallest_two(s.z, s.g, &m->gaps[side], what);
        s.z[two.a] += s.z[two.b];
        renumber(m, what, two.a, two.b);
    }
}

static void try_all(cob_merging *m, cob_joined what, cob_merge *best)
{
    enum { LOOK = 64 }; /* at the clock, after so many */
    cob_stats s = cob_stats_from(&m->at.now, cob_side_of(what));
    cob_begin_step(m, what);
    for (int a = 0; a < s.g && (best->a < 0 || a % LOOK > 0 || !is_late(m)); a++)
        if (!m->gaps[cob_side_of(what)].is[a])
            try_partners(m, what, a, best);
}

/* The exact value of a merge. */
static double exact_value(cob_merging *m, cob_joined what, int a, int b)
{
    cob_axis side = cob_side_of(what);
    return m->value + cob_value_of_joined(&m->at, side, false, a, b) -
           cob_value_of_joined(&m->at, side, false, a, -1) -
           cob_value_of_joined(&m->at, side, false, b, -1) +
           cob_value_of_joined(&m->at, side, false, -1, -1);
}

/* Of the merges of a kind that a quick look cannot tell from the best, which had this value, the
 * best, in the order in which they were tried. */
static void resolve(cob_merging *m, cob_joined what, double most, cob_merge *best)
{
    double error = cob_screen_error(&m->at.now);
    const cob_front *f = cob_front_of(m, what);
    int clusters = cob_stats_from(&m->at.now, cob_side_of(what)).g;
    m->value = cob_value_of_stats(&m->at, &m->at.now);
    for (int i = 0; i < COB_PARTNERS * clusters; i++) {
        int one = i / COB_PARTNERS, other = f->couples[i].partner;
        if (other < 0 || f->couples[i].value - f->own[one] - f->own[other] < most - error)
            continue;
        int a = one < other ? one : other, b = one < other ? other : one;
        double value = exact_value(m, what, a, b);
        if (best->a < 0 || cob_better(m->at.model, value, best->value))
            *best = (cob_merge){a, b, what, value};
    }
    m->value = 0;
}

/* The same of all kinds that were tried; `cols`: so many column clusters are wanted. */
static void resolve_all(cob_merging *m, cob_joined first, int cols, cob_merge *best)
{
    cob_merge exactly = {.a = -1};
    resolve(m, first, best->value, &exactly);
    if (first == COB_OF_ROWS && m->left[COB_COLS] > cols)
        resolve(m, COB_OF_COLS, best->value, &exactly);
    *best = exactly;
}

static cobloc_status merging_open(cob_merging *m, const cob_stats *stats, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_depth depth = {stats->values, stats->layers,
                       cob_parameter_count(m->at.model, stats->values)};
    m->most = stats->g > stats->m ? stats->g : stats->m;
    COB_TRY(cob_gaps_alloc(&m->gaps[COB_ROWS], stats->g, err));
    COB_TRY(cob_gaps_alloc(&m->gaps[COB_COLS], stats->m, err));
    m->left[COB_ROWS] = stats->g;
    m->left[COB_COLS] = stats->m;
    m->exact = m->exact && m->most <= COB_MANY;
    m->screened = m->exact && !m->path && cob_can_screen(m->at.model, stats);
    for (int side = 0; side < (m->at.model->structure->paired ? 1 : 2); side++) {
        cob_front *f = &m->fronts[side];
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
    if (!m->at.model->by_blocks)
        COB_TRY(cob_stats_alloc_deep(&m->trial, stats->g, stats->m, depth, err));
    COB_TRY(cob_theta_alloc_deep(&m->at.theta, stats->g, stats->m, depth, err));
    cob_stats_copy(&m->at.now, stats);
    m->value = m->screened ? 0 : cob_value_of_stats(&m->at, &m->at.now);
done:
    return status;
}

static void merging_close(cob_merging *m)
{
    cob_gaps_free(&m->gaps[COB_ROWS]);
    cob_gaps_free(&m->gaps[COB_COLS]);
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
    bool disturbed = fine->disturbed && !path; /* a start whose merges nobody waits for */
    cob_merging state = {.at = {.model = fine->problem->model},
                         .exact = g <= COB_FEW && m <= COB_FEW,
                         .deadline = disturbed ? -INFINITY : fine->problem->watch.deadline,
                         .numbers = {rows, cols},
                         .path = path};
    COB_TRY(merging_open(&state, &fine->stats, err));
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        state.count[side] = fine->side[side].clusters;
        for (int k = 0; k < state.count[side]; k++)
            state.numbers[side][k] = k;
    }
    while (state.left[COB_ROWS] > g || state.left[COB_COLS] > m) {
        cob_merge best = {.a = -1};
        state.second = -INFINITY;
        bool paired = state.at.model->structure->paired;
        cob_joined first = paired                     ? COB_OF_BOTH
                           : state.left[COB_ROWS] > g ? COB_OF_ROWS
                                                      : COB_OF_COLS;
        if (is_late(&state) && !path) {
            merge_rest(&state, paired ? COB_OF_BOTH : COB_OF_ROWS, g);
            if (!paired)
                merge_rest(&state, COB_OF_COLS, m);
            break;
        }
        if (is_late(&state))
            best = merge_smallest(&state, first);
        else
            try_all(&state, first, &best);
        if (first == COB_OF_ROWS && state.left[COB_COLS] > m && !is_late(&state))
            try_all(&state, COB_OF_COLS, &best);
        if (state.screened && best.value - state.second < cob_screen_error(&state.at.now))
            resolve_all(&state, first, m, &best);
        accept(&state, &best);
    }
    cob_close_gaps(&state);
done:
    merging_close(&state);
    return status;
}

cobloc_status cob_value_of_merge(const cob_model *model, const cob_stats *stats, bool rows,
                                 bool cols, int a, int b, double *value, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_joined what = rows && cols ? COB_OF_BOTH : rows ? COB_OF_ROWS : COB_OF_COLS;
    double alone;
    cob_merging state = {.at = {.model = model}};
    COB_TRY(merging_open(&state, stats, err));
    cob_begin_step(&state, what);
    *value = cob_merging_value(&state, what, a, b, &alone);
done:
    merging_close(&state);
    return status;
}
