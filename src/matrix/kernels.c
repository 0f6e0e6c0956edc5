/* The passes over the non-zeros.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "matrix/room.h"
#include "matrix/scores.h"
#include "matrix/transpose.h"

#include <string.h>

/* ---- room ------------------------------------------------------------------------------------ */

/* Whether the sum of the counts of every line is sure to fit into an int32_t. */
static bool are_short(const cobloc_view *view, int threads)
{
    static const int64_t largest[] = {1, UINT8_MAX, UINT16_MAX};
    int64_t longest = 0;
    threads = cob_threads_worth(threads, view->major);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : longest)
    for (int64_t i = 0; i < view->major; i++) {
        int64_t length = view->offsets[i + 1] - view->offsets[i];
        longest = length > longest ? length : longest;
    }
    return view->kind <= COBLOC_U16 && longest <= INT32_MAX / largest[view->kind];
}

/* Threads must not share a cache line. */
static cobloc_status desk_alloc(cob_desk *desk, int to, int from, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t wide = (size_t)cob_wide(from), clusters = (size_t)to;
    size_t statistics = clusters * (wide + 2) + COB_LANES, parts = COB_BATCH * 2 * wide;
    size_t numbers = COB_LANES * wide + (COB_LANES + 1) * clusters;
    COB_NEW(desk->keepers, clusters);
    COB_NEW(desk->memory, (statistics + parts + numbers) * sizeof(double) + 3 * COB_LINE);
    desk->sums = cob_aligned(desk->memory);
    desk->scores = desk->sums + COB_LANES * wide;
    desk->chunk = desk->scores + (COB_LANES + 1) * clusters;
    desk->parts = desk->chunk + statistics;
    desk->block = (int64_t *)desk->chunk;
done:
    return status;
}

cobloc_status cob_pass_room_new(const cobloc_view *view, int most_to, int most_from, int threads,
                                size_t spare, cob_pass_room **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_pass_room *room = NULL;
    COB_NEW_ZERO(room, 1);
    room->threads = cob_threads(threads);
    room->longs = !are_short(view, room->threads);
    room->few = most_from <= COB_FEW_CLUSTERS;
    room->hard_lines = cob_lines_here();
    COB_NEW_ZERO(room->desks, room->threads);
    for (int t = 0; t < room->threads; t++)
        COB_TRY(desk_alloc(&room->desks[t], most_to, most_from, err));
    COB_NEW(room->only, view->minor);
    COB_NEW(room->units, most_from);
    room->last = cob_alloc_zero((size_t)view->minor, room->few ? 1 : sizeof(int32_t));
    COB_TRY(room->last ? COBLOC_OK : cob_fail_memory(err, (size_t)view->minor, 1));
    COB_TRY(cob_bounds_alloc(&room->bounds, view, most_to, most_from, room->longs, room->threads,
                             spare, err));
    *out = room;
    room = NULL;
done:
    cob_pass_room_free(room);
    return status;
}

void cob_pass_room_free(cob_pass_room *room)
{
    if (!room)
        return;
    for (int t = 0; room->desks && t < room->threads; t++) {
        cob_free(room->desks[t].keepers);
        cob_free(room->desks[t].memory);
    }
    cob_free(room->desks);
    cob_free(room->only);
    cob_free(room->units);
    cob_free(room->last);
    cob_bounds_free(&room->bounds);
    cob_free(room);
}

void cob_pass_forget(cob_pass_room *room)
{
    room->bounds.follows = room->bounds.summed = room->bounds.began = false;
}

void cob_pass_room_renew(cob_pass_room *room)
{
    cob_pass_forget(room);
    room->looked = 0;
}

double cob_pass_count(const cob_pass_room *room, const cobloc_view *view)
{
    return view->nnz > 0 ? room->looked / (double)view->nnz : 0;
}

void cob_clear_desk(cob_desk *desk, int to)
{
    desk->moved = desk->looked = 0;
    for (int k = 0; k < to; k++)
        desk->keepers[k].line = -1;
}

/* ---- draws ----------------------------------------------------------------------------------- */

static int drawn(const double *probabilities, int to, double u)
{
    double sum = 0;
    for (int k = 0; k < to; k++) {
        sum += probabilities[k];
        if (u < sum)
            return k;
    }
    return cob_best_of(probabilities, to, -1); /* rounding: the sum stayed below u */
}

/* Where all shares are 0, the line stays. */
static int drawn_by_share(const double *shares, int to, double u, int own)
{
    double total = 0;
    for (int k = 0; k < to; k++)
        total += shares[k];
    return total > 0 || own < 0 ? drawn(shares, to, u * total) : own;
}

int cob_draw(const cob_pass *pass, int64_t line, double *scores)
{
    double u = cob_random_uniform(&pass->stream, (uint64_t)(pass->first + line));
    if (pass->assign == COB_ASSIGN_SHARE)
        return drawn_by_share(scores, pass->to, u, pass->labels[line]);
    double effect = pass->temperature_by_effect ? pass->effects[line] : 1;
    cob_to_probabilities(scores, pass->to, pass->temperature * (effect > 0 ? effect : 1));
    return drawn(scores, pass->to, u);
}

/* ---- hard labels ----------------------------------------------------------------------------- */

static void clear_statistics(cob_desk *desk, const cob_pass *pass)
{
    size_t clusters = (size_t)pass->to, cells = clusters * (size_t)cob_wide(pass->from);
    memset(desk->block, 0, (cells + 2 * clusters) * sizeof *desk->block);
    desk->sizes = desk->block + cells;
    desk->masses = desk->sizes + clusters;
}

/* The statistics of a cluster as models take them. */
static void publish(const cob_pass *pass, int k)
{
    for (int l = 0; pass->block && l < pass->from; l++) {
        size_t at = cob_pass_block(pass, k, l);
        pass->block[at] = (double)pass->exact_block[at] * cob_pass_unit(pass, l);
    }
    if (pass->masses)
        pass->masses[k] = (double)pass->exact_masses[k] * pass->effect_grid.unit;
}

/* Adds what all desks have to the first one: line after line of memory, as other processors wrote
 * it; on all threads where clusters are many. */
static void join_desks(const cob_pass *pass, cob_pass_room *room, int desks)
{
    enum { SOME = 512 };
    cob_desk *first = &room->desks[0];
    int64_t count = (int64_t)pass->to * (cob_wide(pass->from) + 2);
    int threads = cob_threads_worth(desks, desks * count);
    if (desks == 1)
        return;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t from = 0; from < count; from += SOME)
        for (int t = 1; t < desks; t++)
            for (int64_t i = from; i < count && i < from + SOME; i++)
                first->block[i] += room->desks[t].block[i];
    for (int t = 1; t < desks; t++) {
        first->moved += room->desks[t].moved;
        first->looked += room->desks[t].looked;
    }
}

/* Adds what moved, or with `anew` every line. */
static void add_desk(cob_pass *pass, cob_pass_room *room, bool anew)
{
    const cob_desk *desk = &room->desks[0];
    int wide = cob_wide(pass->from);
    pass->moved = desk->moved;
    room->looked += (double)desk->looked;
    for (int k = 0; k < pass->to && (anew || pass->moved > 0); k++) {
        for (int l = 0; pass->block && l < pass->from; l++) {
            int64_t *sum = &pass->exact_block[cob_pass_block(pass, k, l)];
            *sum = (anew ? 0 : *sum) + desk->block[k * wide + l];
        }
        pass->sizes[k] = (anew ? 0 : pass->sizes[k]) + (double)desk->sizes[k];
        if (pass->masses)
            pass->exact_masses[k] = (anew ? 0 : pass->exact_masses[k]) + desk->masses[k];
        publish(pass, k);
    }
}

/* A chunk of the lines; `ahead` chunks further on is what this thread may well be given next. */
static void visit_chunk(const cob_pass_room *room, const cob_hard *hard, int c, int chunks,
                        int ahead, cob_desk *desk)
{
    const cobloc_view *view = hard->pass->view;
    if (!hard->summed && !hard->skip) /* every entry is visited */
        cob_chunk_ahead(view, c + ahead, chunks);
    else
        cob_make_room((size_t)view->nnz * cob_entry_bytes(view->kind) / (size_t)chunks);
    room->hard_lines(hard, cob_chunk_begin(view->offsets, view->major, c, chunks),
                     cob_chunk_begin(view->offsets, view->major, c + 1, chunks), desk);
}

/* All lines, on all threads; each clears what it will write. */
static int pass_here(cob_pass *pass, cob_pass_room *room, cob_hard *hard)
{
    const cobloc_view *view = pass->view;
    if (pass->assign == COB_ASSIGN_KEEP || !pass->turned)
        cob_pass_forget(room); /* the labels may have been changed by others */
    cob_bounds_follow(&room->bounds, hard, room->threads);
    if ((hard->summed || hard->skip) && pass->first == 0) /* of several ranks, one counts these */
        room->looked += (double)room->bounds.moved_entries;
    int64_t steps = COB_LINE_COST * view->major + (hard->summed ? 0 : view->nnz);
    int threads = cob_threads_worth(room->threads, steps);
    int chunks = cob_chunk_count(view, threads);
    if (threads == 1) { /* a parallel region of one thread would take longer than a short pass */
        clear_statistics(&room->desks[0], pass);
        for (int c = 0; c < chunks; c++)
            visit_chunk(room, hard, c, chunks, threads, &room->desks[0]);
        return threads;
    }
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1) nowait
        for (int t = 0; t < threads; t++)
            clear_statistics(&room->desks[t], pass);
#pragma omp for schedule(dynamic)
        for (int c = 0; c < chunks; c++)
            visit_chunk(room, hard, c, chunks, threads, &room->desks[cob_thread()]);
    }
    return threads;
}

static int pass_elsewhere(cob_pass *pass, cob_pass_room *room, const cob_hard *hard)
{
    cob_pass_forget(room);
    clear_statistics(&room->desks[0], pass);
    pass->holder->lines(pass->holder, pass, hard, &room->desks[0]);
    return 1;
}

static cob_hard hard_of(const cob_pass *pass, const cob_pass_room *room)
{
    bool draws = pass->assign == COB_ASSIGN_DRAW || pass->assign == COB_ASSIGN_SHARE;
    return (cob_hard){.pass = pass,
                      .other = {room->last, room->few},
                      .units = room->units,
                      .anew = pass->assign != COB_ASSIGN_HARD || !pass->turned,
                      .draw = draws ? cob_draw : NULL,
                      .longs = room->longs};
}

static void set_units(const cob_pass *pass, cob_pass_room *room)
{
    for (int l = 0; l < pass->from; l++)
        room->units[l] = cob_pass_unit(pass, l);
}

void cob_pass_announce(cob_pass *pass, cob_pass_room *room)
{
    set_units(pass, room);
    cob_hard hard = hard_of(pass, room);
    pass->holder->announce(pass->holder, &hard);
}

static void hard_pass(cob_pass *pass, cob_pass_room *room)
{
    cob_hard hard = hard_of(pass, room);
    for (int t = 0; t < room->threads; t++)
        cob_clear_desk(&room->desks[t], pass->to);
    if (pass->share)
        cob_share_begin(pass, 0);
    int desks = pass->holder ? pass_elsewhere(pass, room, &hard) : pass_here(pass, room, &hard);
    join_desks(pass, room, desks);
    if (pass->share)
        cob_share_hard(pass, &room->desks[0]);
    add_desk(pass, room, hard.anew);
}

/* ---- keeping clusters alive ------------------------------------------------------------------ */

static bool is_soft(const cob_pass *pass)
{
    return pass->other_soft || pass->soft;
}

static cob_keeper best_keeper(const cob_pass_room *room, int k)
{
    cob_keeper best = {-1, 0};
    for (int t = 0; t < room->threads; t++)
        cob_update_keeper(&best, room->desks[t].keepers[k]);
    return best;
}

/* Whether a line, by its number among those of the view, is this rank's. */
static bool is_here(const cob_pass *pass, int64_t line)
{
    return line >= 0 && line < pass->view->major;
}

static void move_soft_sums(const cob_pass *pass, const cob_pass_room *room, int64_t line, int from,
                           int to)
{
    double *sums = room->desks[0].sums;
    if (is_here(pass, line))
        cob_soft_sums(pass, room, line, sums);
    if (pass->share)
        cob_share_line(pass, line, sums);
    for (int l = 0; pass->block && l < pass->from; l++) {
        pass->block[cob_pass_block(pass, from, l)] -= sums[l];
        pass->block[cob_pass_block(pass, to, l)] += sums[l];
    }
    pass->masses[from] -= pass->effects[line];
    pass->masses[to] += pass->effects[line];
}

/* The cluster that a line is in, and the sums of its entries. */
static int look_at(const cob_pass *pass, int k, int64_t line, int64_t *sums)
{
    if (pass->holder)
        return pass->holder->recall(pass->holder, pass, k, line, sums);
    if (is_here(pass, line))
        cob_sum_line(pass, line, sums);
    else
        memset(sums, 0, (size_t)pass->from * sizeof *sums);
    if (pass->share)
        cob_ranks_add(pass->share->ranks, sums, pass->from);
    return pass->labels[line];
}

static void move_hard_sums(const cob_pass *pass, const int64_t *sums, int64_t line, int from,
                           int to)
{
    for (int l = 0; pass->block && l < pass->from; l++) {
        pass->exact_block[cob_pass_block(pass, from, l)] -= sums[l];
        pass->exact_block[cob_pass_block(pass, to, l)] += sums[l];
    }
    pass->exact_masses[from] -= cob_mass(pass, line);
    pass->exact_masses[to] += cob_mass(pass, line);
    publish(pass, from);
    publish(pass, to);
}

/* False: it is there already. */
static bool put_back(cob_pass *pass, const cob_pass_room *room, int64_t line, int to)
{
    int64_t *sums = room->desks[0].parts;
    int from = is_soft(pass) ? pass->labels[line] : look_at(pass, to, line, sums);
    if (from == to)
        return false;
    if (is_soft(pass))
        move_soft_sums(pass, room, line, from, to);
    else
        move_hard_sums(pass, sums, line, from, to);
    pass->sizes[from] -= 1;
    pass->sizes[to] += 1;
    pass->moved--;
    if (pass->holder)
        pass->holder->put_back(pass->holder, pass, to, line);
    else
        pass->labels[line] = to;
    if (is_here(pass, line) && !pass->holder)
        room->bounds.slack[line] = -INFINITY;
    return true;
}

static bool has_empty(const cob_pass *pass)
{
    for (int k = 0; k < pass->to; k++)
        if (!(pass->sizes[k] > 0.5))
            return true;
    return false;
}

/* Puts back into each cluster that lost all members the one that loses least by it. Where that
 * empties another, it is that one's turn; each gets back a member of its own, so this ends, and the
 * sum of the scores is at least what it was before the pass. */
static void keep_alive(cob_pass *pass, cob_pass_room *room)
{
    pass->kept = 0;
    if (pass->assign == COB_ASSIGN_KEEP || pass->assign == COB_ASSIGN_SOFT)
        return;
    if (pass->share && has_empty(pass))
        cob_share_keepers(pass, room);
    for (int k = 0; k < pass->to; k++) {
        cob_keeper one = pass->sizes[k] > 0.5 ? (cob_keeper){-1, 0} : best_keeper(room, k);
        int64_t line = one.line - pass->first; /* of this rank's lines, or not one of these */
        if (one.line < 0 || !put_back(pass, room, line, k))
            continue;
        pass->kept++;
        k = -1; /* look at all of them again */
    }
}

void cob_pass_run(cob_pass *pass, cob_pass_room *room)
{
    set_units(pass, room);
    pass->entropy = 0;
    if (is_soft(pass)) {
        cob_pass_forget(room);
        cob_soft_pass(pass, room);
    } else {
        hard_pass(pass, room);
    }
    keep_alive(pass, room);
}
