/* Sums and bounds that are kept up to date as labels move.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/room.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vectors.h"
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
    COB_NEW(b->cuts, (size_t)b->at_once * (size_t)(threads + 1));
    COB_NEW(b->begins, threads + 1);
    COB_NEW(b->moves, view->minor);
done:
    return status;
}

void cob_bounds_free(cob_bounds *b)
{
    void *const arrays[] = {b->memory, b->slack, b->drift, b->shift,  b->A,    b->b,
                            b->e,      b->gains, b->cuts,  b->begins, b->moves};
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

/* Lists which of some lines moved, from the place of the first line on, if labels are followed, and
 * keeps the new labels. Returns their number; `*entries` grows by that of their entries. */
static int64_t list_moved(const cob_bounds *b, const cob_pass *pass, cob_other_labels last,
                          cob_between lines, int64_t *entries)
{
    int64_t m = lines.first;
    for (int64_t j = lines.first; j < lines.last; j++) {
        int32_t label = pass->other_labels[j], before = cob_label_at(last.labels, last.few, j);
        if (b->follows && label != before) {
            COB_KNOWN(pass->turned); /* where labels are followed */
            b->moves[m++] = (cob_move){(int32_t)j, before, label};
            *entries += pass->turned->offsets[j + 1] - pass->turned->offsets[j];
        }
        if (last.few)
            ((uint8_t *)last.labels)[j] = (uint8_t)label;
        else
            ((int32_t *)last.labels)[j] = label;
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

/* The number of the line that an entry of the other side belongs to, among all lines. */
COB_INLINE int64_t line_of(const cob_pass *pass, int64_t e)
{
    int32_t index = pass->turned->indices[e];
    return pass->numbers ? pass->numbers[index] : index;
}

/* The number that mover `m` has in the file, where its values are made of those. */
static int64_t line_in_file(const cob_bounds *b, const cob_pass *pass, int64_t m)
{
    const cob_remade *from = pass->remade;
    int64_t entry = pass->turned->offsets[b->moves[m].line];
    return from ? cob_line_at(from->offsets, from->lines, entry) : 0;
}

static int64_t remake(const cob_pass *pass, double value, int64_t line, int64_t index)
{
    const cob_remade *from = pass->remade;
    if (from->weigher)
        value = cob_weigh_entry(from->weigher, value, from->columns ? index : line,
                                from->columns ? line : index);
    return (int64_t)cob_on_grid(value, from->grid, from->words);
}

/* An entry of a moved line, whose number in the file is `line`. */
COB_INLINE int64_t moved_value(const cob_pass *pass, cobloc_value_kind kind, int64_t line,
                               int64_t e)
{
    const cobloc_view *turned = pass->turned;
    if (pass->remade)
        return remake(pass, cob_value_get(kind, turned->values, e), line, turned->indices[e]);
    return cob_entry(kind, turned->values, e);
}

/* The sums of successive lines are far apart in memory, so they are prefetched this many entries
 * ahead; and those of the first entries of a later move, if a thread has few of each. */
enum { AHEAD = 16 };

COB_INLINE void prefetch_sums(const cob_bounds *b, const cob_pass *pass, int64_t e, cob_move move,
                              bool longs)
{
    int64_t at = (line_of(pass, e) - pass->first) * cob_wide(pass->from);
    COB_PREFETCH(cob_sum_place(b->sums, longs, at + move.before));
    COB_PREFETCH(cob_sum_place(b->sums, longs, at + move.after));
}

COB_INLINE void prefetch_first(const cob_bounds *b, const cob_pass *pass, int64_t e, int64_t end,
                               cob_move move, bool longs)
{
    for (int64_t last = e + AHEAD < end ? e + AHEAD : end; e < last; e++)
        prefetch_sums(b, pass, e, move, longs);
}

/* Moves entries `e` to `end` - 1 of a line, whose number in the file is `line`. */
COB_INLINE void follow_sums(const cob_bounds *b, const cob_pass *pass, cobloc_value_kind kind,
                            int64_t line, int64_t e, int64_t end, cob_move move, bool longs)
{
    int64_t wide = cob_wide(pass->from);
    for (; e < end; e++) {
        int64_t at = (line_of(pass, e) - pass->first) * wide;
        int64_t value = moved_value(pass, kind, line, e);
        if (e + AHEAD < end)
            prefetch_sums(b, pass, e + AHEAD, move, longs);
        cob_sum_add(b->sums, longs, at + move.before, -value);
        cob_sum_add(b->sums, longs, at + move.after, value);
    }
}

static void follow_slack(const cob_bounds *b, const cob_pass *pass, int64_t line, int64_t e,
                         int64_t end, const double *gain)
{
    for (; e < end; e++) {
        int64_t at = line_of(pass, e) - pass->first;
        double value = (double)moved_value(pass, pass->turned->kind, line, e);
        b->slack[at] -= value * gain[pass->labels[at]];
    }
}

/* Of so many moves later, the entries are prefetched. */
enum { LATER = 8 };

/* Where the entries of mover number `m` begin that belong to each part of the lines, and where the
 * last of them end: what a thread reads of all movers stands together. */
static void cut_mover(const cob_bounds *b, const cob_pass *pass, int64_t m, int parts,
                      int64_t *cuts)
{
    enum { LONG = 64 }; /* entries of a part, from which on a search takes less time */
    const int64_t *offsets = pass->turned->offsets + b->moves[m].line;
    int64_t e = offsets[0], end = offsets[1];
    bool is_long = end - e > (int64_t)LONG * parts;
    if (m + LATER < b->moved)
        COB_PREFETCH(pass->turned->indices + pass->turned->offsets[b->moves[m + LATER].line]);
    for (int p = 0; p < parts; p++) {
        if ((is_long || pass->share) && b->begins[p] > 0)
            e = cob_entry_at(pass->turned, pass->numbers, (cob_between){e, end}, b->begins[p]);
        while (e < end && line_of(pass, e) < b->begins[p])
            e++;
        cuts[p * b->at_once] = e;
    }
    if (pass->share)
        end = cob_entry_at(pass->turned, pass->numbers, (cob_between){e, end}, b->begins[parts]);
    cuts[parts * b->at_once] = end;
    cob_make_room((size_t)(end - cuts[0]) * cob_entry_bytes(pass->turned->kind));
}

/* A rank visits a few entries of lines that others have, and does not keep their pages. Movers are
 * in order: what was visited, and mapped around it, lies between the end of mover number `before`,
 * or the beginning, and that of mover `m`. */
static void leave_behind(const cob_bounds *b, const cob_pass *pass, int64_t before, int64_t m)
{
    const int64_t *offsets = pass->turned->offsets;
    bool last = m + 1 == b->moved;
    if (pass->share)
        cob_leave_behind(pass->turned, before < 0 ? 0 : offsets[b->moves[before].line + 1],
                         last ? pass->turned->nnz : offsets[b->moves[m].line + 1], true);
}

/* Applies moves `first` to `last` - 1 to the lines of one part. Entries of later ones, which are
 * elsewhere in memory, are prefetched, and then their sums. */
COB_INLINE void follow_part(const cob_bounds *b, const cob_hard *hard, cobloc_value_kind kind,
                            bool longs, int64_t first, int64_t last, const int64_t *begins)
{
    enum { SOON = 2 };
    const cob_pass *pass = hard->pass;
    const cobloc_view *turned = pass->turned;
    const int64_t *ends = begins + b->at_once;
    for (int64_t m = first; m < last; m++, begins++, ends++) {
        int64_t next = m + LATER < last ? begins[LATER] : *begins;
        int64_t line = line_in_file(b, pass, m);
        COB_PREFETCH(turned->indices + next);
        if (kind != COBLOC_ONES)
            COB_PREFETCH((const char *)turned->values + (size_t)next * cob_kind_width(kind));
        if (hard->summed && m + SOON < last)
            prefetch_first(b, pass, begins[SOON], ends[SOON], b->moves[m + SOON], longs);
        if (hard->summed)
            follow_sums(b, pass, kind, line, *begins, *ends, b->moves[m], longs);
        if (hard->skip)
            follow_slack(b, pass, line, *begins, *ends, b->gains + (m - first) * pass->to);
    }
}

/* The end of the moves that are followed together, from number `first` on. For an entry the system
 * may map 2 MiB of a file, so a rank takes moves that lie within a small part of its entries. */
static int64_t end_of_moves(const cob_bounds *b, const cob_pass *pass, int64_t first)
{
    enum { PART = 32 };
    int64_t last = first + b->at_once < b->moved ? first + b->at_once : b->moved;
    int64_t until = pass->turned->offsets[b->moves[first].line] + pass->view->nnz / PART;
    while (pass->share && last > first + 1 &&
           pass->turned->offsets[b->moves[last - 1].line + 1] > until)
        last--;
    return last;
}

/* Cuts mover number `m` of those from `first` on, for all parts. */
static void prepare_mover(const cob_bounds *b, const cob_hard *hard, int64_t m, int64_t first,
                          int parts)
{
    const cob_pass *pass = hard->pass;
    cut_mover(b, pass, m, parts, b->cuts + (m - first));
    if (hard->skip)
        gains_of_move(pass, b->moves[m], b->gains + (m - first) * pass->to);
}

static void follow_in_part(const cob_bounds *b, const cob_hard *hard, int p, int64_t first,
                           int64_t last)
{
    const int64_t *begins = b->cuts + p * b->at_once;
    cobloc_value_kind kind = hard->pass->turned->kind;
    if (b->longs)
        COB_FOR_KIND(kind, follow_part(b, hard, KIND, true, first, last, begins))
    else
        COB_FOR_KIND(kind, follow_part(b, hard, KIND, false, first, last, begins))
}

/* All moves on one thread, without a parallel region, which would take longer than a few moves. */
static void follow_alone(const cob_bounds *b, const cob_hard *hard)
{
    for (int64_t first = 0, last; first < b->moved; first = last) {
        last = end_of_moves(b, hard->pass, first);
        for (int64_t m = first; m < last; m++)
            prepare_mover(b, hard, m, first, 1);
        follow_in_part(b, hard, 0, first, last);
        leave_behind(b, hard->pass, first - 1, last - 1);
    }
}

/* No two threads may add to the same sum. So each has a part of the lines, to which it applies all
 * moves, some at a time; these are first cut for all parts. */
static void follow_moves(const cob_bounds *b, const cob_hard *hard, int parts)
{
    const cob_pass *pass = hard->pass;
    for (int p = 0; p <= parts; p++)
        b->begins[p] =
            pass->first + cob_chunk_begin(pass->view->offsets, pass->view->major, p, parts);
    if (parts == 1) {
        follow_alone(b, hard);
        return;
    }
#pragma omp parallel num_threads(parts)
    for (int64_t first = 0, last; first < b->moved; first = last) {
        last = end_of_moves(b, pass, first);
#pragma omp for schedule(static)
        for (int64_t m = first; m < last; m++)
            prepare_mover(b, hard, m, first, parts);
#pragma omp for schedule(static, 1)
        for (int p = 0; p < parts; p++)
            follow_in_part(b, hard, p, first, last);
#pragma omp master
        leave_behind(b, pass, first - 1, last - 1); /* all threads are done with these */
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
