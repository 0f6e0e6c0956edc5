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
 * sums, which are farther from the processor where they are many, and slack, alone or with them. */
enum { NEAR_SUMS_COST = 8, FAR_SUMS_COST = 16, MANY_SUMS = 1 << 20 };
enum { SLACK_COST = 12, SLACK_BESIDE_COST = 6 };

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
    COB_NEW_ROOM(b->moves, view->minor);
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

/* The largest size of some numbers; infinite if one of them is no number. */
static double largest_size(const double *numbers, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = cob_larger(most, isnan(numbers[i]) ? INFINITY : fabs(numbers[i]));
    return most;
}

/* Entries of all lines, also of those that other ranks have: what is known must not depend on it.
 */
static int64_t all_entries(const cob_pass *pass)
{
    return pass->share ? pass->share->whole->nnz : pass->view->nnz;
}

static int64_t all_lines(const cob_pass *pass)
{
    return pass->share ? pass->share->whole->major : pass->view->major;
}

static int64_t sums_cost(const cob_pass *pass)
{
    return all_lines(pass) * cob_wide(pass->from) > MANY_SUMS ? FAR_SUMS_COST : NEAR_SUMS_COST;
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
    for (int64_t j = lines.first, end; j < lines.last; j = end) {
        end = j + COB_LABELS < lines.last ? j + COB_LABELS : lines.last;
        if (b->follows && last.few && end == j + COB_LABELS &&
            cob_same_labels(pass->other_labels + j, (const uint8_t *)last.labels + j))
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
    for (int p = 1; p < parts && entries <= all_entries(pass) / sums_cost(pass); p++) {
        memmove(b->moves + b->moved, b->moves + lines * p / parts,
                (size_t)b->begins[p] * sizeof *b->moves);
        b->moved += b->begins[p];
    }
    b->moved_entries = entries;
}

/* ---- the rule -------------------------------------------------------------------------------- */

/* The largest gain of each cluster over cluster `a` per unit of a line's sum, in any cluster. */
static void gains_over(const cob_rule *rule, const cob_bounds *b, int a, double *gain)
{
    for (int k = 0; k < rule->to; k++)
        gain[k] = rule->diagonal && rule->to > 2 ? 0 : -INFINITY;
    for (int k = 0; rule->diagonal && k < rule->to; k++)
        gain[k] = cob_larger(gain[k], cob_larger(rule->A[k] - b->A[k], b->A[a] - rule->A[a]));
    for (int l = 0; !rule->diagonal && l < rule->from; l++) {
        const double *now = rule->A + (int64_t)l * rule->to, *then = b->A + (int64_t)l * rule->to;
        for (int k = 0; k < rule->to; k++)
            gain[k] = cob_larger(gain[k], (now[k] - then[k]) - (now[a] - then[a]));
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
            drift = cob_larger(drift, b->gains[k] + of_b);
            shift = cob_larger(shift, (rule->e[k] - b->e[k]) - (rule->e[a] - b->e[a]));
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

/* ---- all of it ----------------------------------------------------------------------------------
 */

/* What it costs to score every line if sums are known, else to read all entries. */
static int64_t scoring_cost(const cob_pass *pass, bool summed)
{
    int64_t of_line = COB_LINE_COST + (int64_t)cob_rule_cells(pass->rule) / COB_LANES;
    return summed ? all_lines(pass) * of_line : all_entries(pass);
}

void cob_bounds_follow(cob_bounds *b, cob_hard *hard, int threads)
{
    const cob_pass *pass = hard->pass;
    int64_t entries = all_entries(pass), sums = sums_cost(pass);
    find_moved(b, pass, hard->other, threads);
    bool few_moved = b->moved_entries <= entries / sums;
    bool bounded =
        few_moved && pass->turned && pass->assign == COB_ASSIGN_HARD && has_bounds(hard, entries);
    hard->summed = b->summed && few_moved;
    hard->skip = bounded && b->began &&
                 (hard->summed ? SLACK_BESIDE_COST : SLACK_COST) * b->moved_entries <=
                     scoring_cost(pass, hard->summed);
    for (int k = 0; bounded && !hard->skip && k < pass->to; k++)
        b->drift[k] = b->shift[k] = 0;
    if (hard->skip)
        follow_rule(b, pass->rule);
    if (hard->summed || hard->skip)
        cob_follow_moves(b, hard, cob_threads_worth(threads, sums * b->moved_entries));
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
