/* What greedy merging keeps from merge to merge.
 * SPDX-License-Identifier: MIT
 */
#include "engine/merging.h"

#include <string.h>

/* ---- values of merges ------------------------------------------------------------------------ */

/* The criterion of a and b, as one, by themselves. */
static double value_of_joined(cob_merging *m, cob_joined what, int a, int b)
{
    if (m->screened)
        return a >= 0 ? cob_screen_value(&cob_front_of(m, what)->screen, a, b) : 0;
    return cob_value_of_joined(&m->at, cob_side_of(what), what == COB_OF_BOTH, a, b);
}

/* The couple of a with b, or with nobody: room for another one; NULL if there is neither. */
static cob_couple *find_couple(const cob_front *f, int a, int b)
{
    for (cob_couple *c = f->couples + COB_PARTNERS * (size_t)a, *end = c + COB_PARTNERS; c < end;
         c++)
        if (c->partner == b)
            return c;
    return NULL;
}

/* The criterion of a and b as one, by themselves: kept, or computed and kept. */
static double value_of_couple(cob_merging *m, cob_joined what, int a, int b)
{
    const cob_front *f = cob_front_of(m, what);
    const cob_couple *kept = find_couple(f, a, b);
    kept = kept ? kept : find_couple(f, b, a);
    return kept ? kept->value : value_of_joined(m, what, a, b);
}

double cob_merging_value(cob_merging *m, cob_joined what, int a, int b, double *alone)
{
    const cob_front *f = cob_front_of(m, what);
    if (!m->at.model->by_blocks) {
        cob_stats_merge(&m->at.now, what & COB_OF_ROWS, what & COB_OF_COLS, a, b, &m->trial);
        return cob_value_of_stats(&m->at, &m->trial);
    }
    *alone = value_of_couple(m, what, a, b);
    return m->value + *alone - f->own[a] - f->own[b] + m->nothing +
           (m->at.model->rest ? cob_value_of_rest(&m->at, m->inside, m->covered, a, b) : 0);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static void forget_couples(cob_front *f, int a)
{
    for (int p = 0; p < COB_PARTNERS; p++)
        f->couples[COB_PARTNERS * (size_t)a + (size_t)p].partner = -1;
    f->partners[COB_PARTNERS * (size_t)a] = COB_UNKNOWN;
}

/* The partners of c after b was merged into a: still the same ones, unless a is now one of them. */
static void follow_partners(const cob_front *f, const cob_stats *s, int c, int a, int b)
{
    int *own = f->partners + COB_PARTNERS * (size_t)c;
    bool same = own[0] != COB_UNKNOWN;
    for (int p = 0; p < COB_PARTNERS; p++)
        same = same && own[p] != a && own[p] != b;
    int last = own[COB_PARTNERS - 1];
    same = same && last >= 0 &&
           cob_affinity(s, &f->products, c, a) < cob_affinity(s, &f->products, c, last);
    own[0] = same ? own[0] : COB_UNKNOWN;
}

void cob_begin_step(cob_merging *m, cob_joined what)
{
    cob_stats s = cob_stats_from(&m->at.now, cob_side_of(what));
    cob_front *f = cob_front_of(m, what);
    if (m->screened)
        cob_screen_take(&f->screen, &s);
    m->inside = m->covered = 0;
    for (int k = 0; what == COB_OF_BOTH && k < s.g; k++) {
        m->inside += cob_block(&s, k, k);
        m->covered += s.R[k] * s.C[k];
    }
    if (m->at.model->by_blocks)
        m->nothing = value_of_joined(m, what, -1, -1);
    if (f->products.of && !f->measured)
        cob_products_measure(&f->products, &s);
    f->measured = f->products.of != NULL;
    if (f->known)
        return;
    for (int a = 0; a < s.g; a++) {
        forget_couples(f, a);
        if (m->at.model->by_blocks)
            f->own[a] = value_of_joined(m, what, a, -1);
    }
    f->known = true;
}

void cob_follow_own_merge(cob_merging *m, cob_joined what, int a, int b)
{
    cob_stats s = cob_stats_from(&m->at.now, cob_side_of(what));
    cob_front *f = cob_front_of(m, what);
    if (f->measured)
        cob_products_join(&f->products, s.g, a, b);
    if (!f->known)
        return;
    if (m->screened)
        cob_screen_take(&f->screen, &s);
    forget_couples(f, a);
    forget_couples(f, b);
    for (cob_couple *c = f->couples; c < f->couples + COB_PARTNERS * (size_t)s.g; c++)
        c->partner = c->partner == a || c->partner == b ? -1 : c->partner;
    if (m->at.model->by_blocks)
        f->own[a] = value_of_joined(m, what, a, -1);
    for (int c = 0; c < s.g; c++)
        if (c != a)
            follow_partners(f, &s, c, a, b);
}

/* Whether a holds anything of c or d of the other side; nobody does not. */
static bool has_any(const cob_stats *s, int a, int c, int d)
{
    return a >= 0 && (s->layers > 1 || cob_block(s, a, c) != 0 || cob_block(s, a, d) != 0);
}

/* Before c and d of the other side become one. Most hold nothing of either: they change by as much
 * as nobody does. */
static void follow_values(cob_merging *m, cob_axis side, const cob_stats *s, const cob_front *f,
                          int c, int d)
{
    double of_nobody = cob_change_of_joined(&m->at, side, -1, -1, c, d);
    for (int a = 0; a < s->g; a++) {
        cob_couple *own = f->couples + COB_PARTNERS * (size_t)a;
        bool any = has_any(s, a, c, d);
        if (m->gaps[side].is[a])
            continue;
        f->own[a] += any ? cob_change_of_joined(&m->at, side, a, -1, c, d) : of_nobody;
        for (int p = 0; p < COB_PARTNERS; p++)
            if (own[p].partner >= 0)
                own[p].value += any || has_any(s, own[p].partner, c, d)
                                    ? cob_change_of_joined(&m->at, side, a, own[p].partner, c, d)
                                    : of_nobody;
    }
}

void cob_follow_other_merge(cob_merging *m, cob_joined what, int c, int d)
{
    cob_axis side = cob_side_of(what);
    cob_stats s = cob_stats_from(&m->at.now, side);
    cob_front *f = cob_front_of(m, what);
    f->known = f->known && !m->exact && m->left[cob_other_side(side)] > COB_FEW;
    if (f->known && m->at.model->by_blocks)
        follow_values(m, side, &s, f, c, d);
    if (f->measured)
        cob_products_follow(&f->products, &s, c, d);
}

/* ---- gaps ------------------------------------------------------------------------------------ */

/* Without the gaps, clusters have other numbers. */
static void close_front(cob_front *f, const cob_gaps *gaps, int count)
{
    enum { EACH = COB_PARTNERS };
    if (f->measured)
        cob_products_close(&f->products, count, gaps);
    if (!f->known)
        return;
    cob_copy_without(gaps, f->own, sizeof *f->own, count, f->own);
    cob_copy_without(gaps, f->couples, EACH * sizeof *f->couples, count, f->couples);
    cob_copy_without(gaps, f->partners, EACH * sizeof *f->partners, count, f->partners);
    for (int i = 0; i < EACH * (count - gaps->count); i++) {
        cob_couple *c = &f->couples[i];
        c->partner = c->partner >= 0 ? cob_number_without(gaps, c->partner) : c->partner;
        if (f->partners[i] >= 0)
            f->partners[i] = cob_number_without(gaps, f->partners[i]);
    }
}

void cob_close_gaps(cob_merging *m)
{
    int clusters[] = {m->at.now.g, m->at.now.m};
    if (m->gaps[COB_ROWS].count + m->gaps[COB_COLS].count == 0)
        return;
    cob_stats_close(&m->at.now, &m->gaps[COB_ROWS], &m->gaps[COB_COLS]);
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        cob_gaps *gaps = &m->gaps[side];
        if (gaps->count == 0)
            continue;
        for (int k = 0; k < m->count[side]; k++)
            m->numbers[side][k] = cob_number_without(gaps, m->numbers[side][k]);
        if (m->fronts[side].own)
            close_front(&m->fronts[side], gaps, clusters[side]);
        cob_gaps_clear(gaps);
    }
}

/* Small tables have none; in large ones it takes long to move all numbers. */
bool cob_must_close(const cob_merging *m)
{
    enum { SHARE = 8 }; /* one in so many may be a gap */
    int clusters[] = {m->at.now.g, m->at.now.m};
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        int gaps = m->gaps[side].count;
        bool many = m->at.model->by_blocks && clusters[side] > COB_MANY;
        if (gaps > 0 && (!many || gaps * SHARE >= clusters[side]))
            return true;
    }
    return false;
}
