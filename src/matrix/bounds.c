/* Sums and bounds that are kept up to date as labels move.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/room.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vectors.h"
#include "matrix/matrix.h"
#include "matrix/transpose.h"

#include <math.h>
#include <string.h>

/* Updating for one entry of a moved line costs as much as a full pass does for this many entries:
 * the sums alone, and with the bounds. */
enum { SUMS_COST = 6, BOUNDS_COST = 12 };

/* If lines with more than 1 in this many of the entries moved, the sums are not kept. */
enum { MANY_MOVED = 3 };

/* Moved lines that are followed together: many, unless there are many clusters. */
enum { MOST_AT_ONCE = 1024, LEAST_AT_ONCE = 32, MOST_GAINS = 1 << 17 };

/* Lines of the other side are compared in blocks of this many. */
enum { MOVED_BLOCK = 1 << 14 };

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
    b->at_once = most_to < MOST_GAINS / MOST_AT_ONCE ? MOST_AT_ONCE : LEAST_AT_ONCE;
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

/* Entries of all lines, also of those that other ranks have: what is known must not depend on it. */
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
            b->movers[first + found.lines++] = (int32_t)j;
            found.entries += pass->turned->offsets[j + 1] - pass->turned->offsets[j];
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

/* Moves entries `e` to `end` - 1 from the sums of `old` to those of `new`. */
COB_INLINE void follow_sums(const cob_bounds *b, const cob_pass *pass, cobloc_value_kind kind,
                            int64_t e, int64_t end, int old, int new, bool longs)
{
    const cobloc_view *turned = pass->turned;
    int64_t wide = cob_wide(pass->from), *numbers = b->sums;
    int32_t *counts = b->sums;
    for (; e < end; e++) {
        int64_t line = (turned->indices[e] - pass->first) * wide;
        int64_t later = (turned->indices[e + AHEAD < end ? e + AHEAD : e] - pass->first) * wide;
        int64_t value = cob_entry(kind, turned->values, e);
        COB_PREFETCH(longs ? (void *)(numbers + later + old) : (void *)(counts + later + old));
        COB_PREFETCH(longs ? (void *)(numbers + later + new) : (void *)(counts + later + new));
        if (longs) {
            numbers[line + old] -= value;
            numbers[line + new] += value;
        } else {
            counts[line + old] -= (int32_t)value;
            counts[line + new] += (int32_t)value;
        }
    }
}

static void follow_slack(const cob_bounds *b, const cob_pass *pass, int64_t e, int64_t end,
                         const double *gain)
{
    const cobloc_view *turned = pass->turned;
    for (; e < end; e++) {
        int64_t line = turned->indices[e] - pass->first;
        b->slack[line] -= cob_value_get(turned->kind, turned->values, e) * gain[pass->labels[line]];
    }
}

/* Where the entries of a moved line for each part of the lines begin; part t begins at begins[t],
 * and the last one ends at begins[parts]. */
static void cut_mover(const cobloc_view *turned, int64_t j, const int64_t *begins, int parts,
                      int64_t *cuts)
{
    enum { LONG = 64 }; /* entries of a part, from which on a search takes less time */
    int64_t e = turned->offsets[j], end = turned->offsets[j + 1];
    bool is_long = end - e > (int64_t)LONG * parts;
    cuts[parts] = end;
    for (int t = 0; t <= parts && begins[t] < turned->minor; t++) {
        if (is_long)
            e = cob_entry_at(turned, j, begins[t]);
        while (e < end && turned->indices[e] < begins[t])
            e++;
        cuts[t] = e;
    }
}

/* Applies a move to the lines of one part. */
static void follow_move(const cob_bounds *b, const cob_pass *pass, cob_known known, int64_t m,
                        const int64_t *cuts, const double *gain)
{
    int64_t e = cuts[0], end = cuts[1];
    int old = b->before[m], new = pass->other_labels[b->movers[m]];
    if (known.sums && b->longs)
        COB_FOR_KIND(pass->turned->kind, follow_sums(b, pass, KIND, e, end, old, new, true))
    else if (known.sums)
        COB_FOR_KIND(pass->turned->kind, follow_sums(b, pass, KIND, e, end, old, new, false))
    if (known.slack)
        follow_slack(b, pass, e, end, gain);
}

/* Each thread has a part of the lines, to which it applies all moves, some at a time. */
static void follow_moves(const cob_bounds *b, const cob_pass *pass, cob_known known, int threads)
{
    for (int t = 0; t <= threads; t++)
        b->begins[t] =
            pass->first + cob_chunk_begin(pass->view->offsets, pass->view->major, t, threads);
#pragma omp parallel num_threads(threads)
    for (int64_t first = 0; first < b->moved; first += b->at_once) {
        int64_t last = first + b->at_once < b->moved ? first + b->at_once : b->moved;
#pragma omp for schedule(static)
        for (int64_t m = first; m < last; m++) {
            int old = b->before[m], new = pass->other_labels[b->movers[m]];
            cut_mover(pass->turned, b->movers[m], b->begins, threads,
                      b->cuts + (m - first) * (threads + 1));
            if (known.slack)
                gains_of_move(pass->rule, old, new, cob_pass_unit(pass, old),
                              b->gains + (m - first) * pass->to);
        }
#pragma omp for schedule(static)
        for (int t = 0; t < threads; t++)
            for (int64_t m = first; m < last; m++)
                follow_move(b, pass, known, m, b->cuts + (m - first) * (threads + 1) + t,
                            b->gains + (m - first) * pass->to);
    }
}

static void begin_slack(cob_bounds *b, const cob_rule *rule)
{
    memset(b->drift, 0, (size_t)rule->to * sizeof *b->drift);
    memset(b->shift, 0, (size_t)rule->to * sizeof *b->shift);
}

cob_known cob_bounds_follow(cob_bounds *b, const cob_pass *pass, void *last, bool few, int threads)
{
    int64_t entries = all_entries(pass);
    bool bounded =
        pass->turned && pass->assign == COB_ASSIGN_HARD && has_bounds(pass->rule, entries);
    find_moved(b, pass, last, few, threads);
    bounded = bounded && b->moved_entries <= entries / SUMS_COST;
    cob_known known = {.sums = b->summed && b->moved_entries <= entries / SUMS_COST,
                       .slack = bounded && b->began && b->moved_entries <= entries / BOUNDS_COST};
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
