/* The passes over the non-zeros.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/room.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "matrix/scores.h"
#include "matrix/values.h"

#include <math.h>
#include <string.h>

/* ---- room ------------------------------------------------------------------------------------ */

/* First lines of the chunks: about the same number of entries (and lines) in each. */
static void cut_chunks(const cobloc_view *view, cob_part chunks[COB_CHUNKS])
{
    int64_t line = 0;
    double weight = (double)(view->nnz + view->major);
    for (int c = 0; c < COB_CHUNKS; c++) {
        chunks[c].first = line;
        double until = weight * (c + 1) / COB_CHUNKS;
        while (line < view->major && (double)(view->offsets[line + 1] + line + 1) <= until)
            line++;
        chunks[c].last = c == COB_CHUNKS - 1 ? view->major : line;
    }
}

static int64_t longest_line(const cobloc_view *view)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < view->major; i++) {
        int64_t length = view->offsets[i + 1] - view->offsets[i];
        longest = length > longest ? length : longest;
    }
    return longest;
}

static cobloc_status desk_alloc(cob_desk *desk, int to, int from, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t wide = (size_t)cob_wide(from);
    size_t numbers = (COB_LANES + 2) * wide + COB_LANES * (size_t)to;
    size_t counts = COB_BATCH * 2 * wide;
    size_t bytes = numbers * sizeof *desk->sums + counts * sizeof *desk->counts;
    COB_NEW_ZERO(desk->memory, bytes + 3 * COB_LINE); /* threads must not share a cache line */
    desk->sums = cob_aligned(desk->memory);
    desk->scores = desk->sums + COB_LANES * wide;
    desk->partial = desk->scores + COB_LANES * to;
    desk->counts = (int32_t *)(desk->partial + 2 * wide);
done:
    return status;
}

cobloc_status cob_pass_room_new(const cobloc_view *view, int most_to, int most_from, int threads,
                                size_t spare, cob_pass_room **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_pass_room *room = NULL;
    size_t to = (size_t)most_to;
    COB_NEW_ZERO(room, 1);
    room->threads = cob_threads(threads);
    room->most_to = most_to;
    room->most_from = most_from;
    room->hard_lines = cob_lines_here();
    cut_chunks(view, room->chunks);
    for (int c = 0; c < COB_CHUNKS; c++) {
        COB_NEW(room->chunks[c].block, to * (size_t)cob_wide(most_from) + 2 * to);
        COB_NEW(room->chunks[c].keepers, to);
    }
    COB_NEW_ZERO(room->desks, room->threads);
    for (int t = 0; t < room->threads; t++)
        COB_TRY(desk_alloc(&room->desks[t], most_to, most_from, err));
    COB_NEW(room->only, view->minor);
    room->short_lines = longest_line(view) <= cob_longest_of_counts(view->kind);
    if (view->kind <= COBLOC_U16) {
        COB_NEW(room->narrow, view->minor);
        COB_TRY(
            cob_bounds_alloc(&room->bounds, view, most_to, most_from, room->threads, spare, err));
    }
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
    for (int c = 0; c < COB_CHUNKS; c++) {
        cob_free(room->chunks[c].block);
        cob_free(room->chunks[c].keepers);
    }
    for (int t = 0; room->desks && t < room->threads; t++)
        cob_free(room->desks[t].memory);
    cob_free(room->desks);
    cob_free(room->narrow);
    cob_free(room->only);
    cob_bounds_free(&room->bounds);
    cob_free(room);
}

void cob_pass_forget(cob_pass_room *room)
{
    room->bounds.follows = room->bounds.summed = room->bounds.began = false;
}

double cob_pass_count(const cob_pass_room *room, const cobloc_view *view)
{
    return view->nnz > 0 ? room->looked / (double)view->nnz : 0;
}

/* ---- reduce ---------------------------------------------------------------------------------- */

/* Which lines of the other side have a single cluster, and which; -1: they have several. */
static void find_single(const cob_pass *pass, cob_pass_room *room)
{
    int layers = pass->layers > 1 ? pass->layers : 1, from = pass->from / layers;
#pragma omp parallel for schedule(static) num_threads(room->threads)
    for (int64_t j = 0; j < pass->view->minor / layers; j++) {
        const double *shares = pass->other_soft + j * from;
        int clusters = 0, last = 0;
        for (int l = 0; l < from; l++)
            if (shares[l] != 0) {
                clusters++;
                last = l;
            }
        room->only[j] = clusters == 1 && shares[last] == 1 ? last : -1;
    }
}

/* Most memberships are 0, and most others 1: what is added is the same as with all of them. */
static void sum_soft(const cob_pass *pass, const int32_t *only, int64_t line, double *sums)
{
    const cobloc_view *view = pass->view;
    int layers = pass->layers > 1 ? pass->layers : 1, from = pass->from / layers;
    int64_t minor = view->minor / layers, first = 0; /* of the layer that is looked at */
    memset(sums, 0, (size_t)pass->from * sizeof *sums);
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
        int64_t j = view->indices[e] - first;
        double value = cob_value_get(view->kind, view->values, e);
        for (; j >= minor; j -= minor) {
            first += minor;
            sums += from;
        }
        if (only[j] >= 0) {
            sums[only[j]] += value;
            continue;
        }
        const double *shares = pass->other_soft + j * from;
        for (int l = 0; l < from; l++)
            sums[l] += value * shares[l];
    }
}

/* Fills s->sums. */
static void sum_line(const cob_pass *pass, const cob_pass_room *room, int64_t line,
                     const cob_desk *s)
{
    const cobloc_view *view = pass->view;
    if (pass->other_soft) {
        sum_soft(pass, room->only, line, s->sums);
    } else if (cob_uses_narrow(pass, room) && room->short_lines && pass->from <= COB_PACKED &&
               view->kind <= COBLOC_U8) {
        cob_sum_packed(view, line, room->narrow, pass->from, s->sums);
    } else if (cob_uses_narrow(pass, room) && room->short_lines) {
        cob_sum_counts(view, line, room->narrow, pass->from, s->counts, s->sums);
    } else {
        cob_sum_numbers(view, line, pass->other_labels, pass->from, s->partial, s->sums);
    }
}

/* ---- score ----------------------------------------------------------------------------------- */

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

/* ---- assign and statistics ------------------------------------------------------------------- */

static void add_line(cob_part *c, const cob_pass *pass, int64_t line, int k, double share,
                     const double *sums)
{
    int from = pass->from;
    if (pass->block) {
        double *row = c->block + (int64_t)k * from;
        for (int l = 0; l < from; l++)
            row[l] += share * sums[l];
    }
    c->sizes[k] += share;
    c->masses[k] += share * pass->effects[line];
}

static void add_soft_line(cob_part *c, const cob_pass *pass, int64_t line, const double *sums)
{
    const double *shares = pass->soft + line * pass->to;
    for (int k = 0; k < pass->to; k++)
        if (shares[k] > 0)
            add_line(c, pass, line, k, shares[k], sums);
}

static void note_keeper(cob_part *c, int64_t line, int own, const double *scores, int best)
{
    double loss = scores[best] - scores[own];
    if (c->keepers[own].line < 0 || loss < c->keepers[own].loss)
        c->keepers[own] = (cob_keeper){line, loss};
}

static void one_hot(double *soft, int to, int k)
{
    memset(soft, 0, (size_t)to * sizeof *soft);
    soft[k] = 1;
}

/* Chooses the label of a free line by its scores. */
static int choose(const cob_pass *pass, cob_part *c, int64_t line, double *scores)
{
    int own = pass->labels[line], to = pass->to;
    int best = cob_best_of(scores, to, own);
    if (pass->assign == COB_ASSIGN_SOFT) {
        c->entropy += cob_to_probabilities(scores, to, 1);
        memcpy(pass->soft + line * to, scores, (size_t)to * sizeof *scores);
        return best;
    }
    if (own >= 0)
        note_keeper(c, line, own, scores, best);
    if (pass->assign == COB_ASSIGN_HARD)
        return best;
    double u = cob_random_uniform(&pass->stream, (uint64_t)line);
    if (pass->assign == COB_ASSIGN_SHARE)
        return drawn_by_share(scores, to, u, own);
    double effect = pass->temperature_by_effect ? pass->effects[line] : 1;
    cob_to_probabilities(scores, to, pass->temperature * (effect > 0 ? effect : 1));
    return drawn(scores, to, u);
}

static void take_line(const cob_pass *pass, const cob_pass_room *room, cob_part *c, int64_t line,
                      const cob_desk *s)
{
    int known = pass->fixed ? pass->fixed[line] : -1;
    sum_line(pass, room, line, s);
    if (pass->assign != COB_ASSIGN_KEEP) {
        int label = known;
        if (known < 0) {
            cob_score_line(pass->rule, s->sums, pass->effects[line], s->scores);
            label = choose(pass, c, line, s->scores);
        } else if (pass->assign == COB_ASSIGN_SOFT) {
            one_hot(pass->soft + line * pass->to, pass->to, known);
        }
        c->moved += label != pass->labels[line];
        pass->labels[line] = label;
    }
    if (pass->soft)
        add_soft_line(c, pass, line, s->sums);
    else
        add_line(c, pass, line, pass->labels[line], 1, s->sums);
}

void cob_add_chunks(cob_pass *pass, cob_pass_room *room, int stride, bool anew)
{
    int to = pass->to;
    cob_part *all = &room->chunks[0];
    size_t numbers =
        (size_t)to * (size_t)(stride + 2); /* sizes and masses stand behind the block */
    pass->entropy = 0;
    pass->moved = 0;
    for (int c = 0; c < COB_CHUNKS; c++) {
        const cob_part *part = &room->chunks[c];
        for (size_t i = 0; c > 0 && (anew || part->moved > 0) && i < numbers; i++)
            all->block[i] += part->block[i];
        pass->entropy += part->entropy;
        pass->moved += part->moved;
        room->looked += (double)part->looked;
    }
    for (int k = 0; k < to; k++) {
        for (int l = 0; pass->block && l < pass->from; l++) {
            double *block = cob_pass_block(pass, k, l);
            *block = (anew ? 0 : *block) + all->block[k * stride + l];
        }
        pass->sizes[k] = (anew ? 0 : pass->sizes[k]) + all->sizes[k];
        pass->masses[k] = (anew ? 0 : pass->masses[k]) + all->masses[k];
    }
}

/* ---- keeping clusters alive ------------------------------------------------------------------ */

static cob_keeper best_keeper(const cob_pass_room *room, int k)
{
    cob_keeper best = {-1, 0};
    for (int c = 0; c < COB_CHUNKS; c++) {
        const cob_keeper *one = &room->chunks[c].keepers[k];
        if (one->line >= 0 && (best.line < 0 || one->loss < best.loss))
            best = *one;
    }
    return best;
}

static void move_line(cob_pass *pass, const cob_pass_room *room, int64_t line, int to)
{
    int from = pass->labels[line];
    const cob_desk *s = &room->desks[0];
    sum_line(pass, room, line, s);
    for (int l = 0; pass->block && l < pass->from; l++) {
        *cob_pass_block(pass, from, l) -= s->sums[l];
        *cob_pass_block(pass, to, l) += s->sums[l];
    }
    pass->sizes[from] -= 1;
    pass->sizes[to] += 1;
    pass->masses[from] -= pass->effects[line];
    pass->masses[to] += pass->effects[line];
    pass->labels[line] = to;
    pass->moved--;
    if (room->bounds.slack)
        room->bounds.slack[line] = -INFINITY;
}

/* Puts back into each cluster that lost all members the one that loses least by it. Where that
 * empties another, it is that one's turn; each gets back a member of its own, so this ends, and the
 * sum of the scores is at least what it was before the pass. */
static void keep_alive(cob_pass *pass, cob_pass_room *room)
{
    pass->kept = 0;
    if (pass->assign == COB_ASSIGN_KEEP || pass->assign == COB_ASSIGN_SOFT)
        return;
    for (int k = 0; k < pass->to; k++) {
        cob_keeper one = pass->sizes[k] > 0.5 ? (cob_keeper){-1, 0} : best_keeper(room, k);
        if (one.line < 0 || pass->labels[one.line] == k)
            continue;
        move_line(pass, room, one.line, k);
        pass->kept++;
        k = -1; /* look at all of them again */
    }
}

/* Looks at every line, and adds up the statistics anew. */
static void look_at_all(cob_pass *pass, cob_pass_room *room)
{
    cob_pass_forget(room);
    if (pass->other_soft)
        find_single(pass, room);
    if (cob_uses_narrow(pass, room))
        for (int64_t j = 0; j < pass->view->minor; j++)
            room->narrow[j] = (uint8_t)pass->other_labels[j];
#pragma omp parallel for schedule(dynamic) num_threads(room->threads)
    for (int c = 0; c < COB_CHUNKS; c++) {
        cob_part *part = &room->chunks[c];
        const cob_desk *s = &room->desks[cob_thread()];
        cob_clear_part(part, pass->to, pass->from);
        for (int64_t line = part->first; line < part->last; line++)
            take_line(pass, room, part, line, s);
    }
    cob_add_chunks(pass, room, pass->from, true);
    room->looked += (double)pass->view->nnz;
}

void cob_pass_run(cob_pass *pass, cob_pass_room *room)
{
    if (cob_can_update(pass, room))
        cob_update(pass, room);
    else
        look_at_all(pass, room);
    keep_alive(pass, room);
}
