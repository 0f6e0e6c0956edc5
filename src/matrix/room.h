/* What all passes share: lines in chunks, and memory for the statistics of each chunk.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_ROOM_H
#define COB_MATRIX_ROOM_H

#include "matrix/bounds.h"
#include "matrix/kernels.h"
#include "matrix/lines.h"

#include <string.h>

enum { COB_CHUNKS = 64 };

struct cob_pass_room {
    int threads;
    cob_part chunks[COB_CHUNKS];
    cob_desk *desks;  /* one per thread */
    bool short_lines; /* the sum of the counts of any line fits into an int32_t */
    uint8_t *narrow;  /* the labels of the other side if they fit into a byte; otherwise NULL */
    int32_t *only; /* the cluster of each line of the other side that has only one; otherwise -1 */
    int most_to, most_from;
    cob_lines_fn *hard_lines;
    cob_bounds bounds; /* for passes that update: what is known about the lines */
    double looked;     /* entries that passes have read */
};

/* Sets all statistics to 0; the rows of the block are `stride` numbers apart. */
static inline void cob_clear_part(cob_part *c, int to, int stride)
{
    size_t clusters = (size_t)to, cells = clusters * (size_t)stride;
    memset(c->block, 0, (cells + 2 * clusters) * sizeof *c->block);
    c->sizes = c->block + cells;
    c->masses = c->sizes + clusters;
    c->entropy = 0;
    c->moved = c->looked = 0;
    for (size_t k = 0; k < clusters; k++)
        c->keepers[k].line = -1;
}

/* Adds up the statistics of the chunks, in order (in the first chunk), and adds the result to those
 * of the pass; `anew` replaces these. */
void cob_add_chunks(cob_pass *pass, cob_pass_room *room, int stride, bool anew);

/* Whether the labels of the other side fit into room->narrow. */
static inline bool cob_uses_narrow(const cob_pass *pass, const cob_pass_room *room)
{
    return room->narrow && !pass->other_soft && pass->from <= COB_FEW_CLUSTERS;
}

/* Whether this pass only needs to score lines that may move. */
bool cob_can_update(const cob_pass *pass, const cob_pass_room *room);

/* Such a pass: hard labels, counts, statistics updated by what moves. */
void cob_update(cob_pass *pass, cob_pass_room *room);

#endif
