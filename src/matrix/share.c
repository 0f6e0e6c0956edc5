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

/* ---- labels ---------------------------------------------------------------------------------- */

/* Labels travel as bytes if they all fit, and as pairs of a line and its label where few changed.
 * What a rank says of them begins with the number of these pairs; ALL: it is every label. */
static const int64_t ALL = -1;

static size_t width_of(const cob_pass *pass)
{
    return pass->to < COB_FEW_CLUSTERS ? 1
                                       : sizeof(int32_t); /* -1, before a first pass, is another */
}

static void put_label(char *at, size_t width, int32_t label)
{
    if (width == 1)
        *(unsigned char *)at = (unsigned char)label;
    else
        memcpy(at, &label, sizeof label);
}

static int32_t get_label(const char *at, size_t width)
{
    int32_t label;
    if (width == 1)
        return *(const unsigned char *)at;
    memcpy(&label, at, sizeof label);
    return label;
}

/* In ranks->own: what is said, the labels before the pass, and the statistics of chunks. */
static size_t room_for_labels(const cob_pass *pass)
{
    size_t bytes = (size_t)pass->view->major * width_of(pass);
    return (bytes + COB_LINE - 1) / COB_LINE * COB_LINE;
}

double *cob_share_begin(const cob_pass *pass, size_t numbers)
{
    const cob_share *share = pass->share;
    cob_ranks *ranks = share->ranks;
    size_t width = width_of(pass), own = room_for_labels(pass);
    size_t all = (size_t)share->whole->major * width + (size_t)ranks->size * sizeof ALL;
    size_t all_chunks = COB_SOFT_CHUNKS * numbers * sizeof(double);
    size_t chunks = (size_t)(share->chunks[1] - share->chunks[0]) * numbers * sizeof(double);
    if (!cob_ranks_room(ranks, 2 * own + sizeof ALL + chunks, all > all_chunks ? all : all_chunks))
        return NULL;
    for (int64_t i = 0; i < pass->view->major; i++)
        put_label(ranks->own + sizeof ALL + own + (size_t)i * width, width, pass->labels[i]);
    return (double *)(void *)(ranks->own + sizeof ALL + 2 * own);
}

/* Writes what changed to the beginning of ranks->own; returns how many bytes that is. */
static int64_t say_labels(const cob_pass *pass)
{
    cob_ranks *ranks = pass->share->ranks;
    int64_t lines = pass->view->major, changed = 0;
    size_t width = width_of(pass), own = room_for_labels(pass), pair = sizeof(int32_t) + width;
    const char *before = ranks->own + sizeof ALL + own;
    char *at = ranks->own + sizeof ALL, *end = at + (size_t)lines * width;
    for (int64_t i = 0; i < lines && changed >= 0; i++) {
        if (get_label(before + (size_t)i * width, width) == pass->labels[i])
            continue;
        int32_t line = (int32_t)i;
        if (at + pair > end) {
            changed = ALL;
            break;
        }
        memcpy(at, &line, sizeof line);
        put_label(at + sizeof line, width, pass->labels[i]);
        at += pair;
        changed++;
    }
    memcpy(ranks->own, &changed, sizeof changed);
    if (changed != ALL)
        return at - ranks->own;
    for (int64_t i = 0; i < lines; i++)
        put_label(ranks->own + sizeof ALL + (size_t)i * width, width, pass->labels[i]);
    return end - ranks->own;
}

/* Takes what one rank said of the lines from number `first` to `last` - 1, if it can be meant. */
static void hear_labels(const cob_pass *pass, const char *said, int64_t bytes, int64_t first,
                        int64_t last)
{
    size_t width = width_of(pass), pair = sizeof(int32_t) + width;
    int32_t *labels = pass->labels + (first - pass->share->first);
    int64_t changed;
    if (bytes < (int64_t)sizeof changed)
        return;
    memcpy(&changed, said, sizeof changed);
    said += sizeof changed;
    for (int64_t i = 0; changed == ALL && i < last - first; i++)
        labels[i] = get_label(said + (size_t)i * width, width);
    for (int64_t c = 0; c < changed; c++) {
        int32_t line;
        memcpy(&line, said + (size_t)c * pair, sizeof line);
        labels[line] = get_label(said + (size_t)c * pair + sizeof line, width);
    }
}

static void hear_all(const cob_pass *pass)
{
    const cob_share *share = pass->share;
    const cob_ranks *ranks = share->ranks;
    const char *said = ranks->all;
    for (int rank = 0; rank < ranks->size; said += ranks->counts[rank++])
        if (rank != ranks->rank)
            hear_labels(pass, said, ranks->counts[rank],
                        begin_of(share->whole, rank, ranks->size, share->soft),
                        begin_of(share->whole, rank + 1, ranks->size, share->soft));
}

/* ---- hard passes ----------------------------------------------------------------------------- */

void cob_share_hard(const cob_pass *pass, cob_pass_room *room, int desks)
{
    cob_ranks *ranks = pass->share->ranks;
    cob_desk *desk = &room->desks[0];
    int64_t count = (int64_t)pass->to * (cob_wide(pass->from) + 2);
    for (int t = 1; t < desks; t++) {
        for (int64_t i = 0; i < count; i++)
            desk->block[i] += room->desks[t].block[i];
        desk->moved += room->desks[t].moved;
        desk->looked += room->desks[t].looked;
    }
    desk->block[count] = desk->moved;
    int64_t bytes = pass->assign == COB_ASSIGN_KEEP || ranks->failed ? 0 : say_labels(pass);
    if (!cob_ranks_exchange(ranks, desk->block, count + 1, bytes))
        return;
    desk->moved = desk->block[count];
    if (pass->assign != COB_ASSIGN_KEEP)
        hear_all(pass);
}

/* ---- soft passes ----------------------------------------------------------------------------- */

const double *cob_share_soft(cob_pass *pass, const double *own, size_t numbers)
{
    cob_ranks *ranks = pass->share->ranks;
    const cob_share *share = pass->share;
    bool keep = pass->assign == COB_ASSIGN_KEEP;
    size_t chunk = numbers * sizeof *own, width = (size_t)pass->to * sizeof *pass->soft;
    if (!cob_ranks_exchange(ranks, &pass->moved, 1, keep || ranks->failed ? 0 : say_labels(pass)))
        return NULL;
    if (!keep)
        hear_all(pass);
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
