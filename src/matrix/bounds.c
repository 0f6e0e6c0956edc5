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

/* Entries that a thread moves at once: what it writes for others should stay in its caches. */
enum { MOST_AT_ONCE = 1 << 16 };

/* Numbers between those of two threads. */
enum { APART = COB_APART / sizeof(double) };

/* Lines of the other side are compared in blocks of this many. */
enum { MOVED_BLOCK = 1 << 14 };

/* Entries that each of several threads moves at once. */
static int64_t at_once_of(int64_t entries, int threads)
{
    int64_t most = entries / SUMS_COST / threads + 1;
    return most < MOST_AT_ONCE ? most : MOST_AT_ONCE;
}

double cob_moves_bytes(int64_t entries, int threads)
{
    size_t bytes = sizeof(cob_moved_entry) + sizeof(double);
    return threads > 1 ? (double)at_once_of(entries, threads) * threads * (double)bytes : 0;
}

/* What several threads need to move entries. */
static cobloc_status parts_alloc(cob_bounds *b, const cobloc_view *view, int threads,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t blocks = view->major / COB_PART_LINES + 1;
    b->at_once = at_once_of(view->nnz, threads);
    COB_NEW(b->moves, b->at_once * threads);
    COB_NEW(b->costs, b->at_once * threads);
    COB_NEW(b->begins, threads * (threads + APART));
    COB_NEW(b->part_of, blocks);
    for (int t = 0; t < threads; t++) {
        int64_t first = cob_chunk_begin(view->offsets, view->major, t, threads);
        for (int64_t i = first / COB_PART_LINES; i < blocks; i++)
            b->part_of[i] = (uint16_t)t;
    }
done:
    return status;
}

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
    COB_NEW(b->gains, (to + APART) * (size_t)threads);
    if (threads > 1)
        COB_TRY(parts_alloc(b, view, threads, err));
    COB_NEW(b->found, view->minor / MOVED_BLOCK + 1);
    COB_NEW(b->movers, view->minor);
    COB_NEW(b->ends, view->minor);
    COB_NEW(b->before, view->minor);
done:
    return status;
}

void cob_bounds_free(cob_bounds *b)
{
    void *const arrays[] = {b->memory, b->slack,  b->drift, b->shift, b->A,      b->b,
                            b->e,      b->gains,  b->moves, b->costs, b->begins, b->part_of,
                            b->found,  b->movers, b->ends,  b->before};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        cob_free(arrays[i]);
    *b = (cob_bounds){0};
}

static bool are_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return false;
    return true;
}

/* Entries of all lines, also of those that other ranks have: what is known must not depend on it.
 */
static int64_t all_entries(const cob_pass *pass)
{
    return pass->share ? pass->share->whole->nnz : pass->view->nnz;
}

/* Whether bounds exist for a rule: it must be finite, and not larger than the matrix. */
static bool has_bounds(const cob_rule *rule, int64_t entries)
{
    double steps = (double)rule->to * (double)cob_rule_cells(rule);
    return steps <= (double)entries && are_finite(rule->A, cob_rule_cells(rule)) &&
           are_finite(rule->b, (size_t)rule->to) && are_finite(rule->e, (size_t)rule->to);
}

/* ---- what moved ------------------------------------------------------------------------------ */

/* What moved in a block of lines, listed from the place of its first line on. */
static cob_moved_block find_in_block(cob_bounds *b, const cob_pass *pass, void *last, bool few,
                                     int64_t first)
{
    uint8_t *bytes = last;
    int32_t *words = last;
    cob_moved_block found = {0, 0};
    for (int64_t j = first; j < first + MOVED_BLOCK && j < pass->view->minor; j++) {
        int32_t label = pass->other_labels[j];
        if (b->follows && label != (few ? bytes[j] : words[j])) {
            b->before[first + found.lines] = few ? bytes[j] : words[j];
            b->movers[first + found.lines] = (int32_t)j;
            COB_KNOWN(pass->turned); /* where labels are followed */
            found.entries += pass->turned->offsets[j + 1] - pass->turned->offsets[j];
            b->ends[first + found.lines++] = found.entries;
        }
        if (few)
            bytes[j] = (uint8_t)label;
        else
            words[j] = label;
    }
    return found;
}

static void find_moved(cob_bounds *b, const cob_pass *pass, void *last, bool few, int threads)
{
    int64_t blocks = (pass->view->minor + MOVED_BLOCK - 1) / MOVED_BLOCK;
#pragma omp parallel for schedule(static) num_threads(cob_threads_worth(threads, pass->view->minor))
    for (int64_t i = 0; i < blocks; i++)
        b->found[i] = find_in_block(b, pass, last, few, i * MOVED_BLOCK);
    b->moved = b->moved_entries = 0;
    for (int64_t i = 0; i < blocks; i++) {
        size_t bytes = (size_t)b->found[i].lines * sizeof *b->movers;
        memmove(b->movers + b->moved, b->movers + i * MOVED_BLOCK, bytes);
        memmove(b->before + b->moved, b->before + i * MOVED_BLOCK, bytes);
        for (int64_t m = 0; m < b->found[i].lines; m++)
            b->ends[b->moved + m] = b->moved_entries + b->ends[i * MOVED_BLOCK + m];
        b->moved += b->found[i].lines;
        b->moved_entries += b->found[i].entries;
    }
}

/* ---- the rule -------------------------------------------------------------------------------- */

static double weight_of(const cob_rule *rule, const double *A, int k, int l)
{
    if (rule->diagonal)
        return k == l ? A[k] : 0;
    return A[(int64_t)l * rule->to + k];
}

/* The largest gain of cluster k over cluster a per unit of a line's sum, in any cluster. */
static double gain_of(const cob_rule *rule, const cob_bounds *b, int k, int a)
{
    double most = rule->diagonal && rule->to > 2 ? 0 : -INFINITY;
    if (rule->diagonal)
        return fmax(most, fmax(rule->A[k] - b->A[k], b->A[a] - rule->A[a]));
    for (int l = 0; l < rule->from; l++) {
        int64_t row = (int64_t)l * rule->to;
        most = fmax(most, (rule->A[row + k] - b->A[row + k]) - (rule->A[row + a] - b->A[row + a]));
    }
    return most;
}

static void follow_rule(cob_bounds *b, const cob_rule *rule)
{
    for (int a = 0; a < rule->to; a++) {
        double drift = 0, shift = 0;
        for (int k = 0; k < rule->to; k++) {
            if (k == a)
                continue;
            double of_b = (rule->b[k] - b->b[k]) - (rule->b[a] - b->b[a]);
            drift = fmax(drift, gain_of(rule, b, k, a) + of_b);
            shift = fmax(shift, (rule->e[k] - b->e[k]) - (rule->e[a] - b->e[a]));
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
static void gains_of_move(const cob_rule *rule, int old, int new, double unit, double *gain)
{
    double most = -INFINITY;
    for (int k = 0; k < rule->to; k++) {
        gain[k] = weight_of(rule, rule->A, k, new) - weight_of(rule, rule->A, k, old);
        most = gain[k] > most ? gain[k] : most;
    }
    for (int k = 0; k < rule->to; k++)
        gain[k] = (most - gain[k]) * unit;
}

/* The sums of successive lines are far apart in memory, so they are prefetched this many entries
 * ahead. */
enum { AHEAD = 16 };

COB_INLINE void prefetch_sums(const cob_bounds *b, int64_t at, int old, int new, bool longs)
{
    COB_PREFETCH(longs ? (void *)((int64_t *)b->sums + at + old)
                       : (void *)((int32_t *)b->sums + at + old));
    COB_PREFETCH(longs ? (void *)((int64_t *)b->sums + at + new)
                       : (void *)((int32_t *)b->sums + at + new));
}

COB_INLINE void move_value(const cob_bounds *b, int64_t at, int old, int new, int64_t value,
                           bool longs)
{
    int64_t *numbers = b->sums;
    int32_t *counts = b->sums;
    if (longs) {
        numbers[at + old] -= value;
        numbers[at + new] += value;
    } else {
        counts[at + old] -= (int32_t)value;
        counts[at + new] += (int32_t)value;
    }
}

/* The number of the line that an entry of the other side belongs to, among all lines. */
COB_INLINE int64_t line_of(const cob_pass *pass, int64_t e)
{
    int32_t index = pass->turned->indices[e];
    return pass->numbers ? pass->numbers[index] : index;
}

/* On one thread: moves entries `e` to `end` - 1 from the sums of `old` to those of `new`. */
COB_INLINE void follow_sums(const cob_bounds *b, const cob_pass *pass, cobloc_value_kind kind,
                            int64_t e, int64_t end, int old, int new, bool longs)
{
    int64_t wide = cob_wide(pass->from);
    for (; e < end; e++) {
        int64_t later = line_of(pass, e + AHEAD < end ? e + AHEAD : e) - pass->first;
        prefetch_sums(b, later * wide, old, new, longs);
        move_value(b, (line_of(pass, e) - pass->first) * wide, old, new,
                   cob_entry(kind, pass->turned->values, e), longs);
    }
}

static void follow_slack(const cob_bounds *b, const cob_pass *pass, int64_t e, int64_t end,
                         const double *gain)
{
    const cobloc_view *turned = pass->turned;
    for (; e < end; e++) {
        int64_t line = line_of(pass, e) - pass->first;
        b->slack[line] -= cob_value_get(turned->kind, turned->values, e) * gain[pass->labels[line]];
    }
}

/* The first of entries `low` to `high` - 1 that belongs to this line or a later one. */
static int64_t entry_of(const cob_pass *pass, int64_t low, int64_t high, int64_t line)
{
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (line_of(pass, middle) < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Entries of a moved line, of those lines that are here: the first, and where they end. */
static int64_t own_entries(const cob_pass *pass, int64_t j, int64_t *end)
{
    int64_t first = pass->turned->offsets[j];
    *end = pass->turned->offsets[j + 1];
    if (!pass->share)
        return first;
    first = entry_of(pass, first, *end, pass->first);
    *end = entry_of(pass, first, *end, pass->first + pass->view->major);
    return first;
}

/* A rank visits a few entries of lines that others have, and does not keep their pages. Movers are
 * in order: what was visited lies between where the first of some began, `from`, and the end of the
 * last, mover number `m`. Returns where the next ones begin. */
static int64_t leave_behind(const cob_bounds *b, const cob_pass *pass, int64_t from, int64_t m)
{
    enum { AT_LEAST = 1 << 21 };
    const cobloc_view *turned = pass->turned;
    int64_t until = turned->offsets[b->movers[m] + 1];
    size_t width = cob_kind_width(turned->kind), entries = (size_t)(until - from);
    if (!pass->share || (until - from < AT_LEAST && m + 1 < b->moved))
        return from;
    cob_give_back(turned->indices + from, entries * sizeof *turned->indices);
    if (width > 0)
        cob_give_back((const char *)turned->values + (size_t)from * width, entries * width);
    return until;
}

static void follow_alone(const cob_bounds *b, const cob_pass *pass, cob_known known)
{
    for (int64_t m = 0, from = 0; m < b->moved; m++) {
        int old = b->before[m], new = pass->other_labels[b->movers[m]];
        int64_t end, e = own_entries(pass, b->movers[m], &end);
        cob_make_room((size_t)(end - e) * cob_entry_bytes(pass->turned->kind));
        if (known.sums && b->longs)
            COB_FOR_KIND(pass->turned->kind, follow_sums(b, pass, KIND, e, end, old, new, true))
        else if (known.sums)
            COB_FOR_KIND(pass->turned->kind, follow_sums(b, pass, KIND, e, end, old, new, false))
        if (known.slack) {
            gains_of_move(pass->rule, old, new, cob_pass_unit(pass, old), b->gains);
            follow_slack(b, pass, e, end, b->gains);
        }
        from = leave_behind(b, pass, from, m);
    }
}

/* On several threads: no two may add to the same sum. So each first lists its share of the moved
 * entries by the parts of the lines, then applies what all have listed for its part, in their
 * order. */

/* The first mover whose entries end behind `entry`, of all that moved. */
static int64_t mover_at(const cob_bounds *b, int64_t entry)
{
    int64_t low = 0, high = b->moved;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (b->ends[middle] <= entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where those from `first` on begin that belong to a mover, and where they end before `last`. */
static int64_t begin_within(const cob_bounds *b, const cobloc_view *turned, int64_t m,
                            int64_t first, int64_t last, int64_t *end)
{
    int64_t behind = turned->offsets[b->movers[m] + 1];
    *end = b->ends[m] > last ? behind - (b->ends[m] - last) : behind;
    return behind - (b->ends[m] - first);
}

/* The number of a line among those that are here; -1: another rank has it. */
static inline int64_t own_line(const cob_pass *pass, int64_t e)
{
    int64_t line = line_of(pass, e) - pass->first;
    return line >= 0 && line < pass->view->major ? line : -1;
}

/* Where the entries of each part begin in a share of all that moved, `first` to `last` - 1. */
static void count_share(const cob_bounds *b, const cob_pass *pass, int64_t first, int64_t last,
                        int parts, int64_t *begins)
{
    const cobloc_view *turned = pass->turned;
    memset(begins, 0, (size_t)parts * sizeof *begins);
    for (int64_t m = mover_at(b, first), end; first < last; first = b->ends[m++])
        for (int64_t e = begin_within(b, turned, m, first, last, &end); e < end; e++) {
            int64_t line = own_line(pass, e);
            if (line >= 0)
                begins[b->part_of[line / COB_PART_LINES]]++;
        }
    for (int64_t p = 0, before = 0; p < parts; p++) {
        int64_t count = begins[p];
        begins[p] = before;
        before += count;
    }
}

/* Lists them by parts. Where a part began, it ends afterwards: the next one begins there. */
COB_INLINE void list_share(const cob_bounds *b, const cob_pass *pass, cobloc_value_kind kind,
                           bool slack, int64_t first, int64_t last, int64_t *begins, double *gain,
                           cob_moved_entry *list, double *costs)
{
    const cobloc_view *turned = pass->turned;
    for (int64_t m = mover_at(b, first), end; first < last; first = b->ends[m++]) {
        int old = b->before[m], new = pass->other_labels[b->movers[m]];
        if (slack)
            gains_of_move(pass->rule, old, new, cob_pass_unit(pass, old), gain);
        for (int64_t e = begin_within(b, turned, m, first, last, &end); e < end; e++) {
            int64_t line = own_line(pass, e);
            if (line < 0)
                continue;
            int64_t at = begins[b->part_of[line / COB_PART_LINES]]++;
            list[at] = (cob_moved_entry){(int32_t)line, (uint16_t)old, (uint16_t) new,
                                         cob_entry(kind, turned->values, e)};
            if (slack)
                costs[at] = cob_value_get(kind, turned->values, e) * gain[pass->labels[line]];
        }
    }
}

COB_INLINE void apply_list(const cob_bounds *b, const cob_moved_entry *list, const double *costs,
                           int64_t count, cob_known known, int64_t wide, bool longs)
{
    for (int64_t i = 0; i < count; i++) {
        const cob_moved_entry *one = &list[i], *later = &list[i + AHEAD < count ? i + AHEAD : i];
        if (known.sums) {
            prefetch_sums(b, later->line * wide, later->from, later->to, longs);
            move_value(b, one->line * wide, one->from, one->to, one->value, longs);
        }
        if (known.slack) {
            COB_PREFETCH(b->slack + later->line);
            b->slack[one->line] -= costs[i];
        }
    }
}

/* What all threads have listed for a part. */
static void apply_lists(const cob_bounds *b, int part, int threads, cob_known known, int64_t wide)
{
    for (int t = 0; t < threads; t++) {
        const int64_t *ends = b->begins + t * (threads + APART);
        int64_t begin = part > 0 ? ends[part - 1] : 0, count = ends[part] - begin;
        int64_t first = t * b->at_once + begin;
        if (b->longs)
            apply_list(b, b->moves + first, b->costs + first, count, known, wide, true);
        else
            apply_list(b, b->moves + first, b->costs + first, count, known, wide, false);
    }
}

static void follow_together(const cob_bounds *b, const cob_pass *pass, cob_known known, int threads)
{
    int64_t at_once = b->at_once * threads, left = 0;
#pragma omp parallel num_threads(threads)
    for (int64_t first = 0; first < b->moved_entries; first += at_once) {
        int64_t rest = b->moved_entries - first, some = rest < at_once ? rest : at_once;
#pragma omp for schedule(static, 1)
        for (int t = 0; t < threads; t++) {
            int64_t *begins = b->begins + t * (threads + APART);
            int64_t from = first + some * t / threads, to = first + some * (t + 1) / threads;
            double *gain = b->gains + t * (pass->to + APART);
            cob_make_room((size_t)(to - from) * cob_entry_bytes(pass->turned->kind));
            count_share(b, pass, from, to, threads, begins);
            COB_FOR_KIND(pass->turned->kind,
                         list_share(b, pass, KIND, known.slack, from, to, begins, gain,
                                    b->moves + t * b->at_once, b->costs + t * b->at_once))
        }
#pragma omp for schedule(static, 1)
        for (int p = 0; p < threads; p++) {
            apply_lists(b, p, threads, known, cob_wide(pass->from));
            if (p == 0)
                left = leave_behind(b, pass, left, mover_at(b, first + some - 1));
        }
    }
}

static void begin_slack(cob_bounds *b, const cob_rule *rule)
{
    memset(b->drift, 0, (size_t)rule->to * sizeof *b->drift);
    memset(b->shift, 0, (size_t)rule->to * sizeof *b->shift);
}

/* What it costs to score every line if sums are known, else to read all entries. */
static int64_t scoring_cost(const cob_pass *pass, bool summed)
{
    int64_t of_line = COB_LINE_COST + (int64_t)cob_rule_cells(pass->rule) / COB_LANES;
    int64_t lines = pass->share ? pass->share->whole->major : pass->view->major;
    return summed ? lines * of_line : all_entries(pass);
}

cob_known cob_bounds_follow(cob_bounds *b, const cob_pass *pass, void *last, bool few, int threads)
{
    int64_t entries = all_entries(pass);
    bool bounded =
        pass->turned && pass->assign == COB_ASSIGN_HARD && has_bounds(pass->rule, entries);
    find_moved(b, pass, last, few, threads);
    cob_known known = {.sums = b->summed && b->moved_entries <= entries / SUMS_COST};
    bounded = bounded && b->moved_entries <= entries / SUMS_COST;
    known.slack =
        bounded && b->began &&
        (known.sums ? SLACK_COST : BOTH_COST) * b->moved_entries <= scoring_cost(pass, known.sums);
    if (known.slack)
        follow_rule(b, pass->rule);
    else if (bounded)
        begin_slack(b, pass->rule);
    bool alone = pass->from > UINT16_MAX /* as lists have them */ ||
                 cob_threads_worth(threads, SUMS_COST * b->moved_entries) == 1;
    if ((known.sums || known.slack) && alone)
        follow_alone(b, pass, known);
    else if (known.sums || known.slack)
        follow_together(b, pass, known, threads);
    if (bounded)
        keep_rule(b, pass->rule);
    b->follows = pass->turned != NULL;
    b->summed = b->sums != NULL && b->follows && b->moved_entries <= entries / MANY_MOVED;
    b->began = bounded;
    return known;
}
