/* The lines of a pass that are this rank's, where several ranks share them: contiguous ones, with
 * about as many entries as those of every other rank.
 *
 * A rank goes over its own lines as if there were no others. Then the statistics are added up, and
 * the labels gathered: all that travels (room.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_SHARE_H
#define COB_MATRIX_SHARE_H

#include "base/ranks.h"
#include "matrix/kernels.h"

struct cob_share {
    cob_ranks *ranks;
    const cobloc_view *whole; /* all lines, */
    cobloc_view view;         /* and those of this rank */
    int64_t first;            /* the number of its first */
    bool soft;                /* passes may be soft: a rank has whole chunks of lines */
    int chunks[2];            /* its first of COB_SOFT_CHUNKS, and the end of them */
};

/* Soft passes take lines in so many chunks; with `soft`, a rank has whole chunks. */
enum { COB_SOFT_CHUNKS = 64 };

/* `whole` is borrowed. */
cob_share cob_share_of(cob_ranks *ranks, const cobloc_view *whole, bool soft);

#endif
