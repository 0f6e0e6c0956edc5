/* What all passes share: memory for each thread, and for what one pass leaves to the next.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_ROOM_H
#define COB_MATRIX_ROOM_H

#include "matrix/bounds.h"
#include "matrix/lines.h"

struct cob_pass_room {
    int threads;
    cob_desk *desks; /* one per thread */
    bool longs;      /* sums need an int64_t */
    bool few;        /* labels of the other side fit into a byte */
    void *last;      /* these labels in the previous pass, */
    int32_t *only; /* the cluster of each line of the other side that has only one; otherwise -1 */
    double *units; /* of each cluster of the other side */
    cob_lines_fn *hard_lines;
    cob_bounds bounds; /* what is known about the lines */
    double looked;     /* entries that passes have read */
};

/* The first line of chunk `c` of `chunks`: about the same number of entries (and lines) in each. */
int64_t cob_chunk_begin(const cobloc_view *view, int c, int chunks);

/* Nothing has moved, and no line is the best keeper of its cluster. */
void cob_clear_desk(cob_desk *desk, int to);

/* Draws the label of a line, as the pass asks for, by its scores, which it changes. */
int cob_draw(const cob_pass *pass, int64_t line, double *scores);

/* A pass where memberships of either side are soft. */
void cob_soft_pass(cob_pass *pass, cob_pass_room *room);

/* The sums of a line in such a pass, whose lines of the other side were looked at. */
void cob_soft_sums(const cob_pass *pass, const cob_pass_room *room, int64_t line, double *sums);

#endif
