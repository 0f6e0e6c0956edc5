/* Sums and slack follow the lines of the other side that moved.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/room.h"

#include "base/parallel.h"
#include "base/vectors.h"
#include "matrix/elsewhere.h"
#include "matrix/matrix.h"
#include "matrix/transpose.h"

#include <math.h>

static double weight_of(const cob_rule *rule, int k, int l)
{
    if (rule->diagonal)
        return k == l ? rule->A[k] : 0;
    return rule->A[(int64_t)l * rule->to + k];
}

/* How much slack the move of an entry of one unit costs a line of each cluster. */
static void gains_of_move(const cob_pass *pass, cob_move move, double *gain)
{
    const cob_rule *rule = pass->rule;
    double most = -INFINITY, unit = cob_pass_unit(pass, move.before);
    for (int k = 0; k < rule->to; k++) {
        gain[k] = weight_of(rule, k, move.after) - weight_of(rule, k, move.before);
        most = cob_larger(most, gain[k]);
    }
    for (int k = 0; k < rule->to; k++)
        gain[k] = (most - gain[k]) * unit;
}

/* The sums of successive lines are far apart in memory, so they are prefetched this many entries
 * ahead; and those of the first entries of a later move, if a thread has few of each. */
enum { AHEAD = 64 };

COB_INLINE void prefetch_sums(const cob_bounds *b, const cob_pass *pass, const cobloc_view *from,
                              int64_t e, cob_move move, bool longs)
{
    int64_t at = (from->indices[e] - pass->first) * cob_wide(pass->from);
    COB_PREFETCH(cob_sum_place(b->sums, longs, at + move.before));
    COB_PREFETCH(cob_sum_place(b->sums, longs, at + move.after));
}

COB_INLINE void prefetch_first(const cob_bounds *b, const cob_pass *pass, const cobloc_view *from,
                               int64_t e, int64_t end, cob_move move, bool longs)
{
    for (int64_t last = e + AHEAD < end ? e + AHEAD : end; e < last; e++)
        prefetch_sums(b, pass, from, e, move, longs);
}

/* Moves entries `e` to `end` - 1 of a line. */
COB_INLINE void follow_sums(const cob_bounds *b, const cob_pass *pass, const cobloc_view *from,
                            cobloc_value_kind kind, int64_t e, int64_t end, cob_move move,
                            bool longs)
{
    int64_t wide = cob_wide(pass->from);
    for (; e < end; e++) {
        int64_t at = (from->indices[e] - pass->first) * wide;
        int64_t value = cob_entry(kind, from->values, e);
        if (e + AHEAD < end)
            prefetch_sums(b, pass, from, e + AHEAD, move, longs);
        cob_sum_add(b->sums, longs, at + move.before, -value);
        cob_sum_add(b->sums, longs, at + move.after, value);
    }
}

static void follow_slack(const cob_bounds *b, const cob_pass *pass, const cobloc_view *from,
                         int64_t e, int64_t end, const double *gain)
{
    for (; e < end; e++) {
        int64_t at = from->indices[e] - pass->first;
        double value = (double)cob_entry(from->kind, from->values, e);
        b->slack[at] -= value * gain[pass->labels[at]];
    }
}

/* Of so many moves later, the entries are prefetched. */
enum { LATER = 8 };

static const cobloc_view *view_of(const cob_pass *pass, const cob_stretch *some)
{
    return some->from == COB_HERE ? pass->turned : &pass->elsewhere->buffer;
}

/* The lines that are followed; the others have some that are this rank's, too. */
static cob_between own_lines(const cob_bounds *b, int parts)
{
    return (cob_between){b->begins[0], b->begins[parts]};
}

/* The entries of a stretch that are in this rank's lines, ready for passes. */
static cob_between entries_of(const cob_bounds *b, const cob_pass *pass, const cob_stretch *some,
                              int parts)
{
    int64_t line = b->moves[some->move].line;
    const int64_t *ends = pass->turned->offsets + line;
    if (some->from == COB_HERE)
        return cob_entries_in(pass->turned, NULL, (cob_between){ends[0], ends[1]},
                              own_lines(b, parts));
    if (some->from == COB_READ)
        return cob_elsewhere_remake(pass->elsewhere, ends[0], some->entries, own_lines(b, parts));
    cob_elsewhere_take(pass->elsewhere, line, some->entries, own_lines(b, parts));
    return some->entries;
}

/* Of a line, the first entry, and those where a search for own ones begins. */
static void prefetch_line(const cob_bounds *b, const cob_pass *pass, int parts, int64_t line)
{
    const cobloc_view *turned = pass->turned;
    cob_between all = {turned->offsets[line], turned->offsets[line + 1]};
    COB_PREFETCH(turned->indices + all.first);
    if (b->begins[0] > 0)
        COB_PREFETCH(turned->indices + cob_entry_guess(turned, all, b->begins[0]));
    if (b->begins[parts] < turned->minor)
        COB_PREFETCH(turned->indices + cob_entry_guess(turned, all, b->begins[parts]));
}

/* Where the entries of a stretch begin that belong to each part of the lines, and where the last of
 * them end: what a thread reads of all movers stands together. */
static void cut_stretch(const cob_bounds *b, const cob_pass *pass, const cob_stretch *some,
                        int parts, int64_t *cuts)
{
    enum { LONG = 64 }; /* entries of a part, from which on a search takes less time */
    const cobloc_view *from = view_of(pass, some);
    if (some->from == COB_HERE && some->move + LATER < b->moved)
        prefetch_line(b, pass, parts, b->moves[some->move + LATER].line);
    cob_between own = entries_of(b, pass, some, parts);
    bool is_long = own.last - own.first > (int64_t)LONG * parts;
    cuts[0] = own.first;
    for (int p = 1; p < parts; p++) {
        if (is_long)
            own.first = cob_entry_at(from, NULL, own, b->begins[p]);
        while (own.first < own.last && from->indices[own.first] < b->begins[p])
            own.first++;
        cuts[p * b->at_once] = own.first;
    }
    cuts[parts * b->at_once] = own.last;
    if (some->from == COB_HERE)
        cob_make_room((size_t)(own.last - cuts[0]) * cob_entry_bytes(from->kind));
}

/* Applies `count` stretches to the lines of one part. Entries of later ones, which are elsewhere in
 * memory, are prefetched, and then their sums. */
COB_INLINE void follow_part(const cob_bounds *b, const cob_hard *hard, cobloc_value_kind kind,
                            bool longs, int64_t count, const int64_t *begins)
{
    enum { SOON = 2 };
    const cob_pass *pass = hard->pass;
    const int64_t *ends = begins + b->at_once;
    for (int64_t s = 0; s < count; s++, begins++, ends++) {
        const cob_stretch *some = &b->stretches[s];
        const cobloc_view *from = view_of(pass, some);
        cob_move move = b->moves[some->move];
        if (s + LATER < count) {
            const cobloc_view *next = view_of(pass, some + LATER);
            COB_PREFETCH(next->indices + begins[LATER]);
            if (kind != COBLOC_ONES)
                COB_PREFETCH((const char *)next->values +
                             (size_t)begins[LATER] * cob_kind_width(kind));
        }
        if (hard->summed && s + SOON < count)
            prefetch_first(b, pass, view_of(pass, some + SOON), begins[SOON], ends[SOON],
                           b->moves[some[SOON].move], longs);
        if (hard->summed)
            follow_sums(b, pass, from, kind, *begins, *ends, move, longs);
        if (hard->skip)
            follow_slack(b, pass, from, *begins, *ends, b->gains + s * pass->to);
    }
}

/* The next move, and what is left of its entries, if a part of them has been followed. */
typedef struct cursor {
    int64_t move;
    cob_between left;
} cursor;

/* Makes room for entries of a move that are elsewhere; false: there is none. */
static bool read_elsewhere(const cob_bounds *b, const cob_pass *pass, int parts, cursor *at,
                           cob_stretch *some)
{
    cob_elsewhere *x = pass->elsewhere;
    int64_t line = b->moves[at->move].line, place = 0;
    const int64_t *ends = pass->turned->offsets + line;
    if (cob_keeps(&x->kept, line)) {
        *some = (cob_stretch){.move = at->move, .from = COB_KEPT};
        return cob_elsewhere_recall(x, line, &some->entries);
    }
    bool begins = at->left.first == at->left.last;
    if (begins)
        at->left = cob_elsewhere_narrow(x, (cob_between){ends[0], ends[1]}, own_lines(b, parts));
    int64_t count = cob_elsewhere_add(x, at->left, &place);
    at->left.first += count;
    bool ended = at->left.first == at->left.last;
    *some = (cob_stretch){at->move, COB_READ, begins && ended, {place, place + count}};
    return count > 0 || ended;
}

/* Of the stretches that were followed last, keeps the lines that were read. */
static void keep_lines(const cob_bounds *b, const cob_pass *pass, int64_t count, int parts)
{
    for (int64_t s = 0; pass->elsewhere && s < count; s++) {
        const cob_stretch *some = &b->stretches[s];
        cob_between entries = {b->cuts[s], b->cuts[parts * b->at_once + s]};
        if (some->from == COB_READ && some->whole)
            cob_elsewhere_keep(pass->elsewhere, b->moves[some->move].line, entries,
                               own_lines(b, parts));
    }
}

static bool is_here(const cob_pass *pass, int64_t line)
{
    const cob_elsewhere *x = pass->elsewhere;
    return !x || (line >= x->here.first && line < x->here.last);
}

/* Lists what is followed next; returns how many stretches that is. */
static int64_t take_stretches(const cob_bounds *b, const cob_pass *pass, int parts, cursor *at)
{
    int64_t count = 0;
    if (pass->elsewhere)
        cob_elsewhere_clear(pass->elsewhere);
    while (count < b->at_once && at->move < b->moved) {
        int64_t line = b->moves[at->move].line;
        cob_stretch *some = &b->stretches[count];
        if (pass->elsewhere && at->move + LATER < b->moved)
            cob_kept_ahead(&pass->elsewhere->kept, b->moves[at->move + LATER].line);
        if (is_here(pass, line))
            *some = (cob_stretch){.move = at->move};
        else if (!read_elsewhere(b, pass, parts, at, some))
            break;
        count++;
        at->move += at->left.first == at->left.last;
    }
    return count;
}

/* Cuts stretch number `s` of those that are followed next, for all parts. */
static void prepare_stretch(const cob_bounds *b, const cob_hard *hard, int64_t s, int parts)
{
    const cob_pass *pass = hard->pass;
    cut_stretch(b, pass, &b->stretches[s], parts, b->cuts + s);
    if (hard->skip)
        gains_of_move(pass, b->moves[b->stretches[s].move], b->gains + s * pass->to);
}

static void follow_in_part(const cob_bounds *b, const cob_hard *hard, int p, int64_t count)
{
    const int64_t *begins = b->cuts + p * b->at_once;
    cobloc_value_kind kind = hard->pass->turned->kind;
    if (b->longs)
        COB_FOR_KIND(kind, follow_part(b, hard, KIND, true, count, begins))
    else
        COB_FOR_KIND(kind, follow_part(b, hard, KIND, false, count, begins))
}

/* All moves on one thread, without a parallel region, which would take longer than a few moves. */
static void follow_alone(const cob_bounds *b, const cob_hard *hard)
{
    cob_elsewhere *elsewhere = hard->pass->elsewhere;
    for (cursor at = {0, {0, 0}}; at.move < b->moved;) {
        int64_t count = take_stretches(b, hard->pass, 1, &at);
        for (int r = 0; elsewhere && r < elsewhere->run_count; r++)
            cob_elsewhere_read(elsewhere, r);
        for (int64_t s = 0; s < count; s++)
            prepare_stretch(b, hard, s, 1);
        follow_in_part(b, hard, 0, count);
        keep_lines(b, hard->pass, count, 1);
    }
}

/* No two threads may add to the same sum. So each has a part of the lines, to which it applies all
 * moves, some at a time; these are first cut for all parts. */
void cob_follow_moves(const cob_bounds *b, const cob_hard *hard, int parts)
{
    const cob_pass *pass = hard->pass;
    cursor at = {0, {0, 0}};
    int64_t count = 0;
    bool over = b->moved == 0;
    for (int p = 0; p <= parts; p++)
        b->begins[p] =
            pass->first + cob_chunk_begin(pass->view->offsets, pass->view->major, p, parts);
    if (pass->elsewhere)
        cob_kept_renew(&pass->elsewhere->kept);
    if (parts == 1) {
        follow_alone(b, hard);
        return;
    }
#pragma omp parallel num_threads(parts) firstprivate(over)
    while (!over) {
#pragma omp single
        {
            keep_lines(b, pass, count, parts);
            count = take_stretches(b, pass, parts, &at);
        }
        over = at.move == b->moved;
#pragma omp for schedule(dynamic)
        for (int r = 0; r < (pass->elsewhere ? pass->elsewhere->run_count : 0); r++)
            cob_elsewhere_read(pass->elsewhere, r);
#pragma omp for schedule(static)
        for (int64_t s = 0; s < count; s++)
            prepare_stretch(b, hard, s, parts);
#pragma omp for schedule(static, 1)
        for (int p = 0; p < parts; p++)
            follow_in_part(b, hard, p, count);
    }
    keep_lines(b, pass, count, parts);
}
