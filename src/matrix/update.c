/* Hard passes over counts that update the statistics of the previous pass. Counts are summed
 * exactly, so moving a line from one cluster to another leaves no rounding errors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/parallel.h"
#include "matrix/room.h"

#include <math.h>

/* Bounds the rounding errors of a score and of a few hundred additions to a bound. */
static const double rounding = 1e-9;

bool cob_can_update(const cob_pass *pass, const cob_pass_room *room)
{
    return pass->turned && pass->block && !pass->soft && cob_uses_narrow(pass, room) &&
           (pass->assign == COB_ASSIGN_HARD || pass->assign == COB_ASSIGN_KEEP) &&
           room->short_lines;
}

static double largest_size(const double *numbers, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(numbers[i]));
    return most;
}

static cob_hard prepare(const cob_pass *pass, cob_pass_room *room)
{
    cob_bounds *bounds = &room->bounds;
    const cob_rule *rule = pass->rule;
    cob_hard hard = {.view = pass->view,
                     .effects = pass->effects,
                     .other_labels = room->narrow,
                     .fixed = pass->fixed,
                     .labels = pass->labels,
                     .from = pass->from,
                     .rule = rule,
                     .keep = pass->assign == COB_ASSIGN_KEEP};
    if (!hard.keep) {
        hard.round_A = rounding * (largest_size(rule->A, cob_rule_cells(rule)) +
                                   largest_size(rule->b, (size_t)rule->to));
        hard.round_e = rounding * largest_size(rule->e, (size_t)rule->to);
    }
    cob_known known = cob_bounds_follow(bounds, pass, room->narrow, room->threads);
    hard.sums = bounds->summed ? bounds->sums : NULL;
    hard.summed = known.sums;
    hard.skip = known.slack;
    hard.slack = bounds->began && !hard.keep ? bounds->slack : NULL;
    hard.drift = bounds->drift;
    hard.shift = bounds->shift;
    if (known.sums || known.slack)
        room->looked += (double)bounds->moved_entries;
    return hard;
}

/* Threads for a pass: no more than have work to do. */
static int threads_for(const cob_pass_room *room, const cob_hard *hard)
{
    enum { LINE = 30, WORTH_IT = 100000 }; /* a line costs as much as LINE entries */
    int64_t entries = hard->summed ? 0 : hard->view->nnz, lines = hard->view->major;
    int64_t useful = 1 + (entries + LINE * lines) / WORTH_IT;
    return useful < room->threads ? (int)useful : room->threads;
}

void cob_update(cob_pass *pass, cob_pass_room *room)
{
    if (pass->assign == COB_ASSIGN_KEEP)
        cob_pass_forget(room); /* the labels may have been changed by others */
    cob_hard hard = prepare(pass, room);
    int threads = threads_for(room, &hard);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int c = 0; c < COB_CHUNKS; c++) {
        cob_clear_part(&room->chunks[c], pass->to, cob_wide(pass->from));
        room->hard_lines(&hard, &room->chunks[c], &room->desks[cob_thread()]);
    }
    cob_add_chunks(pass, room, cob_wide(pass->from), hard.keep);
}
