/* Several processes that work on one thing (cobloc/ranks.h), as the library uses them.
 *
 * Before anything travels, the ranks meet: all learn how much each of them has to say, or that it
 * has failed. A rank fails wherever it fails, and the others learn of it at the next meeting,
 * whatever that is for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_RANKS_H
#define COB_BASE_RANKS_H

#include "base/error.h"
#include "base/parallel.h"

#include <stdbool.h>

typedef struct cob_ranks {
    cobloc_communicator to;
    int rank, size;
    int64_t
        *counts; /* what each rank had to say at the last meeting, in bytes; behind these, votes */
    char *own, *all; /* room for what this rank says, and for what all say */
    size_t own_room, all_room;
    int64_t messages, bytes; /* that this rank has sent */
    bool failed;             /* nothing travels any more; */
    cobloc_error why;        /* the reason */
} cob_ranks;

/* NULL where there is one rank. */
cobloc_status cob_ranks_open(const cobloc_communicator *communicator, cob_ranks **out,
                             cobloc_error *err);
void cob_ranks_close(cob_ranks *ranks);

/* What follows returns false once anything has failed, here or elsewhere; loops may go on, and what
 * they come to is of no use. This says so. */
cobloc_status cob_ranks_check(const cob_ranks *ranks, cobloc_error *err);

/* All ranks vote; *votes receives the sum, 0 after a failure. */
bool cob_ranks_vote(cob_ranks *ranks, int64_t vote, int64_t *votes);

/* Makes room for what this rank has to say (ranks->own), and for what all say (ranks->all). */
bool cob_ranks_room(cob_ranks *ranks, size_t own, size_t all);

/* Adds numbers up, and then gathers the first `bytes` bytes of ranks->own in ranks->all, for which
 * there must be room; ranks->counts says how many are from each. */
bool cob_ranks_exchange(cob_ranks *ranks, int64_t *numbers, int64_t count, int64_t bytes);

/* Adds numbers up. */
static inline bool cob_ranks_add(cob_ranks *ranks, int64_t *numbers, int64_t count)
{
    return cob_ranks_exchange(ranks, numbers, count, 0);
}

/* Gathers any number of bytes in ranks->all. */
bool cob_ranks_gather(cob_ranks *ranks, const void *own, int64_t bytes);

/* Gathers bytes that may stand at their place in `all` already, where there is room for all. */
bool cob_ranks_gather_in_place(cob_ranks *ranks, const void *own, int64_t bytes, void *all);

/* *number becomes the largest that a rank has; ranks may be NULL. */
bool cob_ranks_largest(cob_ranks *ranks, double *number);

bool cob_ranks_broadcast(cob_ranks *ranks, void *bytes, int64_t count, int from);

/* cob_sum_blocks, where each rank sums some of the blocks; NULL: this one sums all. */
double cob_ranks_sum_blocks(cob_ranks *ranks, cob_range_sum *sum, const void *data, int64_t count,
                            int64_t block, int threads);

/* The blocks of such a sum that are this rank's: the first, and the end of them. */
typedef struct cob_between {
    int64_t first, last;
} cob_between;
cob_between cob_ranks_blocks(const cob_ranks *ranks, int64_t blocks);

/* ---- groups of ranks --------------------------------------------------------------------------
 */

/* All ranks may be groups, each of which has ranks of its own, NULL where it is one rank. All may
 * be one group: then the two are of the same communicator.
 *
 * Counts the groups; *own is the number of this rank's. */
cobloc_status cob_ranks_number(cob_ranks *ranks, cob_ranks *group, int *groups, int *own,
                               cobloc_error *err);

/* What a group does for itself lies between these. A rank that failed before it is missed where all
 * begin; one that fails in it tells its group at the end, where `status` is what it has come to,
 * and then all ranks, as it would in any case (cobloc_ranks_end). So nobody waits for it. */
cobloc_status cob_group_begin(cob_ranks *ranks, cobloc_error *err);
cobloc_status cob_group_end(cob_ranks *ranks, cob_ranks *group, cobloc_status status,
                            cobloc_error *err);

/* ---- parts of a matrix ----------------------------------------------------------------------- */

/* The rows [0] and the columns [1] that are this rank's; without `ranks` all are. */
typedef struct cob_part {
    cob_ranks *ranks;
    cob_between lines[2];
} cob_part;

/* The part of a matrix as its columns see it. */
static inline cob_part cob_part_turned(cob_part part)
{
    return (cob_part){part.ranks, {part.lines[1], part.lines[0]}};
}

/* The lines of this rank, of `count` on that side. */
static inline cob_between cob_part_lines(const cob_part *part, int side, int64_t count)
{
    return part->ranks ? part->lines[side] : (cob_between){0, count};
}

/* Their entries. */
static inline cob_between cob_part_entries(const cob_part *part, int side, const int64_t *offsets,
                                           int64_t count)
{
    cob_between lines = cob_part_lines(part, side, count);
    return (cob_between){offsets[lines.first], offsets[lines.last]};
}

/* Completes an array with `width` bytes for each line, where each rank has set those of its own. */
cobloc_status cob_part_gather(const cob_part *part, int side, void *all, size_t width,
                              cobloc_error *err);

/* ---- labels (ranks_labels.c) ----------------------------------------------------------------- */

/* Most lines stay where they are from one pass to the next: so many are looked at together. */
enum { COB_LABELS = 64 };

static inline bool cob_same_labels(const int32_t *labels, const uint8_t *before)
{
    int32_t different = 0;
    for (int i = 0; i < COB_LABELS; i++)
        different |= labels[i] ^ before[i];
    return different == 0;
}

/* The labels of this rank's lines; those of the others stand before and behind them. */
typedef struct cob_own_labels {
    int32_t *labels;
    int64_t first, lines,
        all; /* the number of the first line; how many there are, and of all ranks */
    int clusters;
} cob_own_labels;

/* Keeps the labels as they are, in ranks->own, to know later which have changed. Returns room for
 * `more` bytes there; ranks->all has room for `all_more` at least. NULL after a failure. */
void *cob_labels_keep(cob_ranks *ranks, const cob_own_labels *own, size_t more, size_t all_more);

/* Writes what has changed since to the beginning of ranks->own; returns how many bytes that is. */
int64_t cob_labels_say(cob_ranks *ranks, const cob_own_labels *own);

/* Takes what the others have said, in ranks->all. */
void cob_labels_hear(const cob_ranks *ranks, const cob_own_labels *own);

#endif
