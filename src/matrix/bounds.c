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

/* Lines of the other side are compared in blocks of this many. */
enum { MOVED_BLOCK = 1 << 14 };

/* Moved lines that are followed together: many, unless there are many clusters. */
enum { MOST_AT_ONCE = 1 << 12, LEAST_AT_ONCE = 1 << 5, MOST_GAINS = 1 << 17 };

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
    COB_NEW(b->found, view->minor / MOVED_BLOCK + 1);
    COB_NEW(b->movers, view->minor);
    COB_NEW(b->before, view->minor);
done:
    return status;
}

void cob_bounds_free(cob_bounds *b)
{
    void *const arrays[] = {b->memory, b->slack, b->drift,  b->shift, b->A,      b->b,     b->e,
                            b->gains,  b->cuts,  b->begins, b->found, b->movers, b->before};
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

static int32_t label_at(const void *labels, bool few, int64_t j)
{
    return few ? ((const uint8_t *)labels)[j] : ((const int32_t *)labels)[j];
}

/* Counts the lines of a block that moved, and adds up their entries. */
static int64_t count_moved(const cob_pass *pass, const void *last, bool few, cob_between block,
                           int64_t *entries)
{
    int64_t moved = 0;
    COB_KNOWN(pass->turned); /* where labels are followed */
    for (int64_t j = block.first; j < block.last; j++)
        if (pass->other_labels[j] != label_at(last, few, j)) {
            *entries += pass->turned->offsets[j + 1] - pass->turned->offsets[j];
            moved++;
        }
    return moved;
}

/* Lists them from number `m` on, if labels are followed, and keeps the new labels. */
static void list_moved(const cob_bounds *b, const cob_pass *pass, void *last, bool few,
                       cob_between block, int64_t m)
{
    for (int64_t j = block.first; j < block.last; j++) {
        int32_t label = pass->other_labels[j], before = label_at(last, few, j);
        if (b->follows && label != before) {
            b->movers[m] = (int32_t)j;
            b->before[m++] = before;
        }
        if (few)
            ((uint8_t *)last)[j] = (uint8_t)label;
        else
            ((int32_t *)last)[j] = label;
    }
}

static cob_between block_of(int64_t i, int64_t lines)
{
    int64_t last = (i + 1) * MOVED_BLOCK;
    return (cob_between){i * MOVED_BLOCK, last < lines ? last : lines};
}

static void find_moved(cob_bounds *b, const cob_pass *pass, void *last, bool few, int threads)
{
    int64_t lines = pass->view->minor, blocks = (lines + MOVED_BLOCK - 1) / MOVED_BLOCK;
    int64_t moved = 0, entries = 0;
#pragma omp parallel num_threads(cob_threads_worth(threads, lines))
    {
#pragma omp for schedule(static) reduction(+ : entries)
        for (int64_t i = 0; i < (b->follows ? blocks : 0); i++)
            b->found[i] = count_moved(pass, last, few, block_of(i, lines), &entries);
#pragma omp single
        for (int64_t i = 0; i < (b->follows ? blocks : 0); i++) {
            int64_t before = moved;
            moved += b->found[i];
            b->found[i] = before;
        }
#pragma omp for schedule(static)
        for (int64_t i = 0; i < blocks; i++)
            list_moved(b, pass, last, few, block_of(i, lines), b->follows ? b->found[i] : 0);
    }
    b->moved = moved;
    b->moved_entries = entries;
}

/* ---- the rule -------------------------------------------------------------------------------- */

static double weight_of(const cob_rule *rule, int k, int l)
{
    if (rule->diagonal)
        return k == l ? rule->A[k] : 0;
    return rule->A[(int64_t)l * rule->to + k];
}

/* By how much cluster k gains on cluster a, at most, per unit of a line's sum. */
static double gain_of_diagonal(const cob_rule *rule, const cob_bounds *b, int k, int a)
{
    double most = rule->to > 2 ? 0 : -INFINITY;
    return fmax(most, fmax(rule->A[k] - b->A[k], b->A[a] - rule->A[a]));
}

/* The same for all clusters at a time. */
COB_CLONES
static void gains_of_all(const double *restrict now, const double *restrict before, int to,
                         int from, int a, double *restrict most)
{
    for (int k = 0; k < to; k++)
        most[k] = -INFINITY;
    for (int l = 0; l < from; l++) {
        const double *restrict A = now + (int64_t)l * to, *restrict B = before + (int64_t)l * to;
        double own = A[a] - B[a];
        for (int k = 0; k < to; k++) {
            double gain = (A[k] - B[k]) - own;
            most[k] = gain > most[k] ? gain : most[k];
        }
    }
}

static void follow_rule(cob_bounds *b, const cob_rule *rule)
{
    for (int a = 0; a < rule->to; a++) {
        double drift = 0, shift = 0;
        if (!rule->diagonal)
            gains_of_all(rule->A, b->A, rule->to, rule->from, a, b->gains);
        for (int k = 0; k < rule->to; k++) {
            if (k == a)
                continue;
            double of_b = (rule->b[k] - b->b[k]) - (rule->b[a] - b->b[a]);
            double of_A = rule->diagonal ? gain_of_diagonal(rule, b, k, a) : b->gains[k];
            drift = fmax(drift, of_A + of_b);
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
        gain[k] = weight_of(rule, k, new) - weight_of(rule, k, old);
        most = gain[k] > most ? gain[k] : most;
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
    int64_t entry = pass->turned->offsets[b->movers[m]];
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
 * ahead. */
enum { AHEAD = 16 };

/* Moves entries `e` to `end` - 1 of `line` from the sums of `old` to those of `new`. */
COB_INLINE void follow_sums(const cob_bounds *b, const cob_pass *pass, cobloc_value_kind kind,
                            int64_t line, int64_t e, int64_t end, int old, int new, bool longs)
{
    int64_t wide = cob_wide(pass->from);
    for (; e < end; e++) {
        int64_t later = (line_of(pass, e + AHEAD < end ? e + AHEAD : e) - pass->first) * wide;
        int64_t at = (line_of(pass, e) - pass->first) * wide;
        int64_t value = moved_value(pass, kind, line, e);
        COB_PREFETCH(cob_sum_place(b->sums, longs, later + old));
        COB_PREFETCH(cob_sum_place(b->sums, longs, later + new));
        cob_sum_add(b->sums, longs, at + old, -value);
        cob_sum_add(b->sums, longs, at + new, value);
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

/* Where the entries of mover number `m` begin that belong to each part of the lines, and where the
 * last of them end. */
static void cut_mover(const cob_bounds *b, const cob_pass *pass, int64_t m, int parts,
                      int64_t *cuts)
{
    enum { LONG = 64 }; /* entries of a part, from which on a search takes less time */
    int64_t e = pass->turned->offsets[b->movers[m]], end = pass->turned->offsets[b->movers[m] + 1];
    bool is_long = end - e > (int64_t)LONG * parts;
    for (int p = 0; p < parts; p++) {
        if ((is_long || pass->share) && b->begins[p] > 0)
            e = entry_of(pass, e, end, b->begins[p]);
        while (e < end && line_of(pass, e) < b->begins[p])
            e++;
        cuts[p] = e;
    }
    cuts[parts] = pass->share ? entry_of(pass, e, end, b->begins[parts]) : end;
    cob_make_room((size_t)(cuts[parts] - cuts[0]) * cob_entry_bytes(pass->turned->kind));
}

/* A rank visits a few entries of lines that others have, and does not keep their pages. Movers are
 * in order: what was visited lies between where the first of some began, `from`, and the end of the
 * last, mover number `m`. Returns where the next ones begin. */
static int64_t leave_behind(const cob_bounds *b, const cob_pass *pass, int64_t from, int64_t m)
{
    int64_t until = pass->turned->offsets[b->movers[m] + 1];
    return pass->share ? cob_leave_behind(pass->turned, from, until, m + 1 == b->moved) : from;
}

/* Applies moves `first` to `last` - 1 to the lines of one part. Entries of the next ones, which are
 * elsewhere in memory, are prefetched. */
COB_INLINE void follow_part(const cob_bounds *b, const cob_pass *pass, cobloc_value_kind kind,
                            bool longs, cob_known known, int64_t first, int64_t last,
                            const int64_t *cuts, int parts)
{
    enum { NEXT = 4 };
    const cobloc_view *turned = pass->turned;
    for (int64_t m = first; m < last; m++, cuts += parts + 1) {
        int old = b->before[m], new = pass->other_labels[b->movers[m]];
        int64_t next = m + NEXT < last ? cuts[NEXT * (parts + 1)] : cuts[0];
        int64_t line = line_in_file(b, pass, m);
        COB_PREFETCH(turned->indices + next);
        if (kind != COBLOC_ONES)
            COB_PREFETCH((const char *)turned->values + (size_t)next * cob_kind_width(kind));
        if (known.sums)
            follow_sums(b, pass, kind, line, cuts[0], cuts[1], old, new, longs);
        if (known.slack)
            follow_slack(b, pass, line, cuts[0], cuts[1], b->gains + (m - first) * pass->to);
    }
}

/* No two threads may add to the same sum. So each has a part of the lines, to which it applies all
 * moves, some at a time; these are first cut for all parts. */
static void follow_moves(const cob_bounds *b, const cob_pass *pass, cob_known known, int parts)
{
    int64_t left = 0;
    for (int p = 0; p <= parts; p++)
        b->begins[p] =
            pass->first + cob_chunk_begin(pass->view->offsets, pass->view->major, p, parts);
#pragma omp parallel num_threads(parts)
    for (int64_t first = 0; first < b->moved; first += b->at_once) {
        int64_t last = first + b->at_once < b->moved ? first + b->at_once : b->moved;
#pragma omp for schedule(static)
        for (int64_t m = first; m < last; m++) {
            int old = b->before[m], new = pass->other_labels[b->movers[m]];
            cut_mover(b, pass, m, parts, b->cuts + (m - first) * (parts + 1));
            if (known.slack)
                gains_of_move(pass->rule, old, new, cob_pass_unit(pass, old),
                              b->gains + (m - first) * pass->to);
        }
#pragma omp for schedule(static, 1)
        for (int p = 0; p < parts; p++) {
            if (b->longs)
                COB_FOR_KIND(pass->turned->kind, follow_part(b, pass, KIND, true, known, first,
                                                             last, b->cuts + p, parts))
            else
                COB_FOR_KIND(pass->turned->kind, follow_part(b, pass, KIND, false, known, first,
                                                             last, b->cuts + p, parts))
            if (p == 0)
                left = leave_behind(b, pass, left, last - 1);
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
    if (known.sums || known.slack)
        follow_moves(b, pass, known, cob_threads_worth(threads, SUMS_COST * b->moved_entries));
    if (bounded)
        keep_rule(b, pass->rule);
    b->follows = pass->turned != NULL;
    b->summed = b->sums != NULL && b->follows && b->moved_entries <= entries / MANY_MOVED;
    b->began = bounded;
    return known;
}
