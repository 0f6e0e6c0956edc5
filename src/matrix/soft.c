/* Passes where memberships of either side are soft. Shares are real numbers, whose sums depend on
 * their order: lines are taken in a fixed number of chunks, which are added in their order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/parallel.h"
#include "matrix/room.h"
#include "matrix/scores.h"
#include "matrix/transpose.h"

#include <string.h>

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
static void sum_shares(const cob_pass *pass, const int32_t *only, int64_t line, double *sums)
{
    const cobloc_view *view = pass->view;
    int layers = pass->layers > 1 ? pass->layers : 1, from = pass->from / layers;
    int64_t minor = view->minor / layers, first = 0; /* of the layer that is looked at */
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

void cob_soft_sums(const cob_pass *pass, const cob_pass_room *room, int64_t line, double *sums)
{
    const cobloc_view *view = pass->view;
    memset(sums, 0, (size_t)pass->from * sizeof *sums);
    if (pass->other_soft)
        sum_shares(pass, room->only, line, sums);
    else
        for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++)
            sums[pass->other_labels[view->indices[e]]] +=
                cob_value_get(view->kind, view->values, e);
    for (int l = 0; pass->units && l < pass->from; l++)
        sums[l] *= room->units[l];
}

/* ---- assign and statistics ------------------------------------------------------------------- */

/* Adds a line to the statistics of a chunk: the block, and behind it the sizes and masses. */
static void add_line(double *chunk, const cob_pass *pass, int64_t line, const double *sums)
{
    int to = pass->to, from = pass->from;
    double *sizes = chunk + (int64_t)to * from;
    for (int k = 0; k < to; k++) {
        double share = pass->soft ? pass->soft[line * to + k] : pass->labels[line] == k;
        if (!(share > 0))
            continue;
        for (int l = 0; pass->block && l < from; l++)
            chunk[(int64_t)k * from + l] += share * sums[l];
        sizes[k] += share;
        sizes[to + k] += share * pass->effects[line];
    }
}

/* Chooses the label of a line by its scores. */
static int choose(const cob_pass *pass, cob_desk *desk, int64_t line, double *entropy)
{
    int own = pass->labels[line], to = pass->to, known = pass->fixed ? pass->fixed[line] : -1;
    bool soft = pass->assign == COB_ASSIGN_SOFT;
    double *scores = desk->scores;
    cob_score_line(pass->rule, desk->sums, pass->effects[line], scores);
    int best = known >= 0 ? known : cob_best_of(scores, to, own);
    if (soft && known < 0)
        *entropy += cob_to_probabilities(scores, to, 1);
    for (int k = 0; soft && k < to; k++)
        pass->soft[line * to + k] = known < 0 ? scores[k] : k == known;
    if (soft || known >= 0)
        return best;
    if (own >= 0)
        cob_update_keeper(&desk->keepers[own], (cob_keeper){line, scores[best] - scores[own]});
    return pass->assign == COB_ASSIGN_HARD ? best : cob_draw(pass, line, scores);
}

static void take_line(const cob_pass *pass, const cob_pass_room *room, int64_t line, cob_desk *desk,
                      double *entropy)
{
    cob_soft_sums(pass, room, line, desk->sums);
    if (pass->assign != COB_ASSIGN_KEEP) {
        int label = choose(pass, desk, line, entropy);
        desk->moved += label != pass->labels[line];
        pass->labels[line] = label;
    }
    add_line(desk->chunk, pass, line, desk->sums);
}

/* Adds the statistics of a chunk, at whose end its entropy is, to those of the pass, or with
 * `begin` replaces them. */
static void add_chunk(cob_pass *pass, const double *chunk, bool begin)
{
    const double *sizes = chunk + (int64_t)pass->to * pass->from;
    for (int k = 0; k < pass->to; k++) {
        for (int l = 0; pass->block && l < pass->from; l++) {
            double *block = &pass->block[cob_pass_block(pass, k, l)];
            *block = (begin ? 0 : *block) + chunk[(int64_t)k * pass->from + l];
        }
        pass->sizes[k] = (begin ? 0 : pass->sizes[k]) + sizes[k];
        pass->masses[k] = (begin ? 0 : pass->masses[k]) + sizes[pass->to + k];
    }
    pass->entropy += sizes[2 * pass->to];
}

/* The lines of chunk number `c` of all. */
static void take_chunk(const cob_pass *pass, cob_pass_room *room, int c, cob_desk *desk,
                       size_t numbers)
{
    const cobloc_view *all = pass->share ? pass->share->whole : pass->view;
    int64_t first = cob_chunk_begin(all->offsets, all->major, c, COB_SOFT_CHUNKS) - pass->first;
    int64_t last = cob_chunk_begin(all->offsets, all->major, c + 1, COB_SOFT_CHUNKS) - pass->first;
    double *entropy = &desk->chunk[numbers - 1];
    cob_chunk_ahead(all, c + room->threads, COB_SOFT_CHUNKS);
    memset(desk->chunk, 0, numbers * sizeof *desk->chunk);
    for (int64_t line = first; line < last; line++)
        take_line(pass, room, line, desk, entropy);
}

/* Takes all chunks, or those of this rank. Returns the statistics of all if they are still to be
 * added: those of ranks. */
static const double *take_chunks(cob_pass *pass, cob_pass_room *room, size_t numbers)
{
    const int *ends = pass->share ? pass->share->chunks : (const int[]){0, COB_SOFT_CHUNKS};
    double *own = pass->share ? cob_share_begin(pass, numbers) : NULL;
    for (int t = 0; t < room->threads; t++)
        cob_clear_desk(&room->desks[t], pass->to);
    if (pass->other_soft)
        find_single(pass, room);
#pragma omp parallel for ordered schedule(dynamic) num_threads(room->threads)
    for (int c = ends[0]; c < ends[1]; c++) {
        cob_desk *desk = &room->desks[cob_thread()];
        take_chunk(pass, room, c, desk, numbers);
#pragma omp ordered
        {
            if (!pass->share)
                add_chunk(pass, desk->chunk, c == 0);
            else if (own)
                memcpy(own + (size_t)(c - ends[0]) * numbers, desk->chunk, numbers * sizeof *own);
        }
    }
    for (int t = 0; t < room->threads; t++)
        pass->moved += room->desks[t].moved;
    return own ? cob_share_soft(pass, own, numbers) : NULL;
}

void cob_soft_pass(cob_pass *pass, cob_pass_room *room)
{
    size_t numbers = (size_t)pass->to * (size_t)(pass->from + 2) + 1;
    pass->moved = 0;
    const double *chunks = pass->holder ? pass->holder->soft_lines(pass->holder, pass, room->units)
                                        : take_chunks(pass, room, numbers);
    room->looked += (double)pass->view->nnz;
    for (int c = 0; chunks && c < COB_SOFT_CHUNKS; c++)
        add_chunk(pass, chunks + (size_t)c * numbers, c == 0);
}
