/* Sums and bounds that are kept up to date as labels move.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/room.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vectors.h"
#include "matrix/elsewhere.h"
#include "matrix/matrix.h"
#include "matrix/transpose.h"

#include <math.h>
#include <string.h>

/* Updating for one entry of a moved line costs as much as a full pass does for this many entries:
 * the sums, the slack, and both. */
enum { SUMS_COST = 6, SLACK_COST = 6, BOTH_COST = SUMS_COST + SLACK_COST };

/* If lines with more than 1 in this many of the entries moved, the sums are not kept. */
enum { MANY_MOVED = 3 };

/* Moved lines that are followed together: many, unless there are many clusters; no power of two, or
 * what all parts have of one would meet in the same few places of a cache. */
enum { MOST_AT_ONCE = 4000, LEAST_AT_ONCE = 1 << 5, MOST_GAINS = 1 << 17 };

cobloc_status cob_bounds_alloc(cob_bounds *b, const cobloc_view *view, int most_to, int most_from,
                               bool longs, int threads, size_t spare, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t to = (size_t)most_to, from = (size_t)most_from;
    size_t width = longs ? sizeof(int64_t) : sizeof(int32_t);
    double bytes = (double)view->major * cob_wide(most_from) * (double)width;
    *b = (cob_bounds){.longs = longs};
    if (bytes <= (double)spare)
        COB_NEW(b->memory, (size_t)bytes + COB_LINE);
    b->sums = b->memory ? cob_aligned(b->memory) : NULL;
    COB_NEW(b->slack, view->major);
    COB_NEW(b->drift, to);
    COB_NEW(b->shift, to);
    COB_NEW(b->A, to * from);
    COB_NEW(b->b, to);
    COB_NEW(b->e, to);
    b->at_once = MOST_AT_ONCE;
    while (b->at_once > LEAST_AT_ONCE && b->at_once * most_to > MOST_GAINS)
        b->at_once /= 2;
    COB_NEW(b->gains, to * (size_t)b->at_once);
    COB_NEW(b->stretches, b->at_once);
    COB_NEW(b->cuts, (size_t)b->at_once * (size_t)(threads + 1));
    COB_NEW(b->begins, threads + 1);
    COB_NEW(b->moves, view->minor);
done:
    return status;
}

void cob_bounds_free(cob_bounds *b)
{
    void *const arrays[] = {b->memory, b->slack, b->drift,     b->shift, b->A,      b->b,
                            b->e,      b->gains, b->stretches, b->cuts,  b->begins, b->moves};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        cob_free(arrays[i]);
    *b = (cob_bounds){0};
}

/* Of numbers: fmax, which takes care of others, would be a call each. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The largest size of some numbers; infinite if one of them is no number. */
static double largest_size(const double *numbers, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = larger(most, isnan(numbers[i]) ? INFINITY : fabs(numbers[i]));
    return most;
}

/* Entries of all lines, also of those that other ranks have: what is known must not depend on it.
 */
static int64_t all_entries(const cob_pass *pass)
{
    return pass->share ? pass->share->whole->nnz : pass->view->nnz;
}

/* Whether bounds exist for the rule of a pass: it must be finite, and not larger than the matrix.
 * Sets the bounds of the rounding errors of a score and of a few hundred additions to a bound. */
static bool has_bounds(cob_hard *hard, int64_t entries)
{
    static const double rounding = 1e-9;
    const cob_rule *rule = hard->pass->rule;
    size_t cells = cob_rule_cells(rule), to = (size_t)rule->to;
    if ((double)to * (double)cells > (double)entries)
        return false;
    hard->round_A = rounding * (largest_size(rule->A, cells) + largest_size(rule->b, to));
    hard->round_e = rounding * largest_size(rule->e, to);
    return isfinite(hard->round_A + hard->round_e);
}

/* ---- what moved ------------------------------------------------------------------------------ */

/* Most lines stay where they are: so many are looked at together. */
enum { MANY_LINES = 64 };

static bool are_same(const int32_t *labels, const uint8_t *last)
{
    int32_t different = 0;
    for (int i = 0; i < MANY_LINES; i++)
        different |= labels[i] ^ last[i];
    return different == 0;
}

/* Lists which of some lines moved, from the place of the first line on, if labels are followed, and
 * keeps the new labels. Returns their number; `*entries` grows by that of their entries. */
static int64_t list_moved(const cob_bounds *b, const cob_pass *pass, cob_other_labels last,
                          cob_between lines, int64_t *entries)
{
    int64_t m = lines.first;
    for (int64_t j = lines.first, end; j < lines.last; j = end) {
        end = j + MANY_LINES < lines.last ? j + MANY_LINES : lines.last;
        if (b->follows && last.few && end == j + MANY_LINES &&
            are_same(pass->other_labels + j, (const uint8_t *)last.labels + j))
            continue;
        for (int64_t i = j; i < end; i++) {
            int32_t label = pass->other_labels[i], before = cob_label_at(last.labels, last.few, i);
            if (b->follows && label != before) {
                COB_KNOWN(pass->turned); /* where labels are followed */
                b->moves[m++] = (cob_move){(int32_t)i, before, label};
                *entries += pass->turned->offsets[i + 1] - pass->turned->offsets[i];
            }
            if (last.few)
                ((uint8_t *)last.labels)[i] = (uint8_t)label;
            else
                ((int32_t *)last.labels)[i] = label;
        }
    }
    return m - lines.first;
}

/* Each thread lists those of its lines; then they are put behind each other, unless they are more
 * than will be followed. */
static void find_moved(cob_bounds *b, const cob_pass *pass, cob_other_labels last, int threads)
{
    int64_t lines = pass->view->minor, entries = 0;
    int parts = cob_threads_worth(threads, lines);
    if (parts == 1) { /* without a parallel region, which would take as long as this */
        b->moved_entries = 0;
        b->moved = list_moved(b, pass, last, (cob_between){0, lines}, &b->moved_entries);
        return;
    }
#pragma omp parallel for schedule(static, 1) num_threads(parts) reduction(+ : entries)
    for (int p = 0; p < parts; p++) {
        cob_between own = {lines * p / parts, lines * (p + 1) / parts};
        b->begins[p] = list_moved(b, pass, last, own, &entries);
    }
    b->moved = b->begins[0];
    for (int p = 1; p < parts && entries <= all_entries(pass) / SUMS_COST; p++) {
        memmove(b->moves + b->moved, b->moves + lines * p / parts,
                (size_t)b->begins[p] * sizeof *b->moves);
        b->moved += b->begins[p];
    }
    b->moved_entries = entries;
}

/* ---- the rule -------------------------------------------------------------------------------- */

static double weight_of(const cob_rule *rule, int k, int l)
{
    if (rule->diagonal)
        return k == l ? rule->A[k] : 0;
    return rule->A[(int64_t)l * rule->to + k];
}

/* The largest gain of each cluster over cluster `a` per unit of a line's sum, in any cluster. */
static void gains_over(const cob_rule *rule, const cob_bounds *b, int a, double *gain)
{
    for (int k = 0; k < rule->to; k++)
        gain[k] = rule->diagonal && rule->to > 2 ? 0 : -INFINITY;
    for (int k = 0; rule->diagonal && k < rule->to; k++)
        gain[k] = larger(gain[k], larger(rule->A[k] - b->A[k], b->A[a] - rule->A[a]));
    for (int l = 0; !rule->diagonal && l < rule->from; l++) {
        const double *now = rule->A + (int64_t)l * rule->to, *then = b->A + (int64_t)l * rule->to;
        for (int k = 0; k < rule->to; k++)
            gain[k] = larger(gain[k], (now[k] - then[k]) - (now[a] - then[a]));
    }
}

/* Follows the rule; `b->gains` is not yet in use. */
static void follow_rule(cob_bounds *b, const cob_rule *rule)
{
    for (int a = 0; a < rule->to; a++) {
        double drift = 0, shift = 0;
        gains_over(rule, b, a, b->gains);
        for (int k = 0; k < rule->to; k++) {
            if (k == a)
                continue;
            double of_b = (rule->b[k] - b->b[k]) - (rule->b[a] - b->b[a]);
            drift = larger(drift, b->gains[k] + of_b);
            shift = larger(shift, (rule->e[k] - b->e[k]) - (rule->e[a] - b->e[a]));
        }
        b->drift[a] += drift;
        b->shift[a] += shift;
    }
}

static void keep_rule(cob_bounds *b, const cob_rule *rule)
{
    memcpy(b->A, rule->A, cob_rule_cells(rule) * sizeof *b->A);
    memcpy(b->b, rule->b, (size_t)rule->to * sizeof *b->b);
    memcpy(b->e, rule->e, (size_t)rule->to * sizeof *b->e);
}

/* ---- the other side -------------------------------------------------------------------------- */

/* How much slack the move of an entry of one unit costs a line of each cluster. */
static void gains_of_move(const cob_pass *pass, cob_move move, double *gain)
{
    const cob_rule *rule = pass->rule;
    double most = -INFINITY, unit = cob_pass_unit(pass, move.before);
    for (int k = 0; k < rule->to; k++) {
        gain[k] = weight_of(rule, k, move.after) - weight_of(rule, k, move.before);
        most = larger(most, gain[k]);
    }
    for (int k = 0; k < rule->to; k++)
        gain[k] = (most - gain[k]) * unit;
}

/* The sums of successive lines are far apart in memory, so they are prefetched this many entries
 * ahead; and those of the first entries of a later move, if a thread has few of each. */
enum { AHEAD = 16 };

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
    return some->read ? &pass->elsewhere->buffer : pass->turned;
}

/* Some entries of a line that are in this rank's lines; the first and the last rank have no others
 * before or behind these. */
static cob_between own_entries(const cob_bounds *b, const cob_pass *pass, int parts,
                               cob_between some)
{
    if (b->begins[0] > 0)
        some.first = cob_entry_at(pass->turned, NULL, some, b->begins[0]);
    if (pass->share && b->begins[parts] < pass->share->whole->major)
        some.last = cob_entry_at(pass->turned, NULL, some, b->begins[parts]);
    return some;
}

/* Where the entries of a stretch begin that belong to each part of the lines, and where the last of
 * them end: what a thread reads of all movers stands together. */
static void cut_stretch(const cob_bounds *b, const cob_pass *pass, const cob_stretch *some,
                        int parts, int64_t *cuts)
{
    enum { LONG = 64 }; /* entries of a part, from which on a search takes less time */
    const cobloc_view *from = view_of(pass, some);
    const int64_t *offsets = pass->turned->offsets;
    int64_t line = b->moves[some->move].line;
    if (!some->read && some->move + LATER < b->moved)
        COB_PREFETCH(from->indices + offsets[b->moves[some->move + LATER].line]);
    cob_between own =
        some->read ? cob_elsewhere_remake(pass->elsewhere, offsets[line], some->entries,
                                          (cob_between){b->begins[0], b->begins[parts]})
                   : own_entries(b, pass, parts, (cob_between){offsets[line], offsets[line + 1]});
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
    if (!some->read)
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

/* Makes room for entries of a move that are elsewhere; returns whether that is for any. */
static bool read_elsewhere(const cob_bounds *b, const cob_pass *pass, int parts, cursor *at,
                           cob_stretch *some)
{
    cob_elsewhere *x = pass->elsewhere;
    const int64_t *ends = pass->turned->offsets + b->moves[at->move].line;
    if (at->left.first == at->left.last)
        at->left = cob_elsewhere_narrow(x, (cob_between){ends[0], ends[1]},
                                        (cob_between){b->begins[0], b->begins[parts]});
    int64_t place = 0, count = cob_elsewhere_add(x, at->left, &place);
    at->left.first += count;
    *some = (cob_stretch){at->move, true, {place, place + count}};
    return count > 0 || at->left.first == at->left.last;
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
        if (!pass->elsewhere ||
            (line >= pass->elsewhere->here.first && line < pass->elsewhere->here.last))
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
    }
}

/* No two threads may add to the same sum. So each has a part of the lines, to which it applies all
 * moves, some at a time; these are first cut for all parts. */
static void follow_moves(const cob_bounds *b, const cob_hard *hard, int parts)
{
    const cob_pass *pass = hard->pass;
    cursor at = {0, {0, 0}};
    int64_t count = 0;
    bool over = b->moved == 0;
    for (int p = 0; p <= parts; p++)
        b->begins[p] =
            pass->first + cob_chunk_begin(pass->view->offsets, pass->view->major, p, parts);
    if (parts == 1) {
        follow_alone(b, hard);
        return;
    }
#pragma omp parallel num_threads(parts) firstprivate(over)
    while (!over) {
#pragma omp single
        count = take_stretches(b, pass, parts, &at);
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
}

/* What it costs to score every line if sums are known, else to read all entries. */
static int64_t scoring_cost(const cob_pass *pass, bool summed)
{
    int64_t of_line = COB_LINE_COST + (int64_t)cob_rule_cells(pass->rule) / COB_LANES;
    int64_t lines = pass->share ? pass->share->whole->major : pass->view->major;
    return summed ? lines * of_line : all_entries(pass);
}

void cob_bounds_follow(cob_bounds *b, cob_hard *hard, int threads)
{
    const cob_pass *pass = hard->pass;
    int64_t entries = all_entries(pass);
    find_moved(b, pass, hard->other, threads);
    bool few_moved = b->moved_entries <= entries / SUMS_COST;
    bool bounded =
        few_moved && pass->turned && pass->assign == COB_ASSIGN_HARD && has_bounds(hard, entries);
    hard->summed = b->summed && few_moved;
    hard->skip = bounded && b->began &&
                 (hard->summed ? SLACK_COST : BOTH_COST) * b->moved_entries <=
                     scoring_cost(pass, hard->summed);
    for (int k = 0; bounded && !hard->skip && k < pass->to; k++)
        b->drift[k] = b->shift[k] = 0;
    if (hard->skip)
        follow_rule(b, pass->rule);
    if (hard->summed || hard->skip)
        follow_moves(b, hard, cob_threads_worth(threads, SUMS_COST * b->moved_entries));
    if (bounded)
        keep_rule(b, pass->rule);
    b->follows = pass->turned != NULL;
    b->summed = b->sums != NULL && b->follows && b->moved_entries <= entries / MANY_MOVED;
    b->began = bounded;
    hard->sums = b->summed ? b->sums : NULL;
    hard->slack = bounded ? b->slack : NULL;
    hard->drift = b->drift;
    hard->shift = b->shift;
}
