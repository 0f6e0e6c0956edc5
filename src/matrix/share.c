/* The lines of a pass that are this rank's.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/room.h"

#include "base/alloc.h"
#include "matrix/transpose.h"

#include <string.h>

static int64_t begin_of(const cobloc_view *whole, int rank, int size, bool soft)
{
    int chunk = (int)((int64_t)COB_SOFT_CHUNKS * rank / size);
    return soft ? cob_chunk_begin(whole->offsets, whole->major, chunk, COB_SOFT_CHUNKS)
                : cob_chunk_begin(whole->offsets, whole->major, rank, size);
}

cob_part cob_part_of(const cob_parts *parts, const cobloc_matrix *matrix)
{
    const cobloc_view views[] = {cobloc_matrix_by_rows(matrix), cobloc_matrix_by_cols(matrix)};
    int rank = parts->ranks->rank, size = parts->ranks->size;
    cob_part part = {.ranks = parts->ranks};
    for (int side = 0; side < 2; side++)
        part.lines[side] = (cob_between){begin_of(&views[side], rank, size, parts->soft),
                                         begin_of(&views[side], rank + 1, size, parts->soft)};
    return part;
}

cob_share cob_share_of(cob_ranks *ranks, const cobloc_view *whole, bool soft)
{
    int64_t first = begin_of(whole, ranks->rank, ranks->size, soft);
    int64_t last = begin_of(whole, ranks->rank + 1, ranks->size, soft);
    cob_share share = {
        .ranks = ranks, .whole = whole, .view = *whole, .first = first, .soft = soft};
    share.view.offsets = whole->offsets + first;
    share.view.major = last - first;
    share.view.nnz = whole->offsets[last] - whole->offsets[first];
    for (int end = 0; end < 2; end++)
        share.chunks[end] = (int)((int64_t)COB_SOFT_CHUNKS * (ranks->rank + end) / ranks->size);
    return share;
}

static cob_own_labels labels_of(const cob_pass *pass)
{
    return (cob_own_labels){.labels = pass->labels,
                            .first = pass->share->first,
                            .lines = pass->view->major,
                            .all = pass->share->whole->major,
                            .clusters = pass->to};
}

double *cob_share_begin(const cob_pass *pass, size_t numbers)
{
    const cob_share *share = pass->share;
    cob_own_labels own = labels_of(pass);
    size_t chunk = numbers * sizeof(double), chunks = (size_t)(share->chunks[1] - share->chunks[0]);
    return cob_labels_keep(share->ranks, &own, chunks * chunk, COB_SOFT_CHUNKS * chunk);
}

/* Adds numbers up, and gathers the labels, unless they stay. */
static bool exchange_labels(const cob_pass *pass, int64_t *numbers, int64_t count)
{
    cob_ranks *ranks = pass->share->ranks;
    cob_own_labels own = labels_of(pass);
    bool keep = pass->assign == COB_ASSIGN_KEEP;
    int64_t bytes = keep || ranks->failed ? 0 : cob_labels_say(ranks, &own);
    if (!cob_ranks_exchange(ranks, numbers, count, bytes))
        return false;
    if (!keep)
        cob_labels_hear(ranks, &own);
    return true;
}

/* ---- hard passes ----------------------------------------------------------------------------- */

void cob_share_hard(const cob_pass *pass, cob_desk *desk)
{
    int64_t count = (int64_t)pass->to * (cob_wide(pass->from) + 2);
    desk->block[count] = desk->moved;
    if (exchange_labels(pass, desk->block, count + 1))
        desk->moved = desk->block[count];
}

/* ---- soft passes ----------------------------------------------------------------------------- */

const double *cob_share_soft(cob_pass *pass, const double *own, size_t numbers)
{
    cob_ranks *ranks = pass->share->ranks;
    const cob_share *share = pass->share;
    size_t chunk = numbers * sizeof *own, width = (size_t)pass->to * sizeof *pass->soft;
    if (!exchange_labels(pass, &pass->moved, 1))
        return NULL;
    if (pass->assign == COB_ASSIGN_SOFT &&
        !cob_ranks_gather_in_place(ranks, pass->soft, pass->view->major * (int64_t)width,
                                   pass->soft - (size_t)share->first * (size_t)pass->to))
        return NULL;
    if (!cob_ranks_gather_in_place(
            ranks, own, (share->chunks[1] - share->chunks[0]) * (int64_t)chunk, ranks->all))
        return NULL;
    return (const double *)(const void *)ranks->all;
}

void cob_share_line(const cob_pass *pass, int64_t line, double *sums)
{
    const cob_share *share = pass->share;
    int rank = 0, size = share->ranks->size;
    while (rank + 1 < size &&
           share->first + line >= begin_of(share->whole, rank + 1, size, share->soft))
        rank++;
    cob_ranks_broadcast(share->ranks, sums, pass->from * (int64_t)sizeof *sums, rank);
}

/* ---- keepers --------------------------------------------------------------------------------- */

void cob_share_keepers(const cob_pass *pass, cob_pass_room *room)
{
    cob_ranks *ranks = pass->share->ranks;
    cob_keeper *best = room->desks[0].keepers;
    size_t bytes = (size_t)pass->to * sizeof *best;
    for (int k = 0; k < pass->to; k++) {
        for (int t = 1; t < room->threads; t++) {
            cob_update_keeper(&best[k], room->desks[t].keepers[k]);
            room->desks[t].keepers[k].line = -1;
        }
        if (best[k].line >= 0)
            best[k].line += pass->share->first;
    }
    if (!cob_ranks_room(ranks, bytes, bytes * (size_t)ranks->size))
        return;
    memcpy(ranks->own, best, bytes);
    if (!cob_ranks_exchange(ranks, NULL, 0, (int64_t)bytes))
        return;
    for (int rank = 0; rank < ranks->size; rank++)
        for (int k = 0; k < pass->to; k++) {
            cob_keeper one;
            memcpy(&one, ranks->all + (size_t)rank * bytes + (size_t)k * sizeof one, sizeof one);
            cob_update_keeper(&best[k], one);
        }
}
