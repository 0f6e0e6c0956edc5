/* What passes share: memory for each thread, and what one hard pass keeps for the next, so that the
 * next need not look at everything again.
 *
 * Sums: those of each line over the clusters of the other side, if there is memory for them. When
 * lines of the other side move, their entries move from one sum to another.
 *
 * Bounds: when a line is scored, the lead of its best score over the second best is its slack.
 * Later, scores change for two reasons. The rule changes: the lead of a line with sum r shrinks by
 * at most r times the largest change of A + b between its cluster and another (drift), plus that
 * of e (shift). And lines of the other side move: each of their entries reduces the slack by the
 * most that the move can give to another cluster. While a line has slack left, it cannot move, so
 * labels are the same as without bounds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_ROOM_H
#define COB_MATRIX_ROOM_H

#include "matrix/lines.h"
#include "matrix/share.h"

/* A line costs a pass as much as so many entries. */
enum { COB_LINE_COST = 30 };

/* A line of the other side that moved. */
typedef struct cob_move {
    int32_t line, before, after; /* its clusters */
} cob_move;

/* Entries of a mover, by its number, that are followed together. */
typedef struct cob_stretch {
    int64_t move;
    enum {
        COB_HERE, /* in memory, */
        COB_READ, /* or read into the buffer of entries that are elsewhere, */
        COB_KEPT  /* or put there by what an earlier pass kept of them */
    } from;
    bool whole;          /* all that the line has in own lines was read, */
    cob_between entries; /* where they are these */
} cob_stretch;

typedef struct cob_bounds {
    void *sums;             /* of each line, cob_wide(from) numbers; NULL: no memory for them */
    char *memory;           /* that holds the sums, */
    bool longs;             /* which are int64_t, else int32_t */
    double *slack;          /* of each line; see cob_hard */
    double *drift, *shift;  /* of each cluster: total change of the rule since the slack was set */
    double *A, *b, *e;      /* the rule of the previous pass */
    cob_move *moves;        /* in the order of their lines, */
    int64_t moved;          /* their number, */
    int64_t moved_entries;  /* and number of entries */
    cob_stretch *stretches; /* what is followed together, */
    int64_t at_once;        /* at most so many; */
    int64_t *begins, *cuts; /* where each thread's part of the lines begins, and their entries, */
    double *gains;          /* and how much slack each of these moves costs lines of each cluster */
    bool follows;           /* the labels of the previous pass are known, */
    bool summed;            /* its sums are, too, */
    bool began;             /* and the slack is for its rule */
} cob_bounds;

/* Sums are kept if they need at most `spare` bytes. */
cobloc_status cob_bounds_alloc(cob_bounds *bounds, const cobloc_view *view, int most_to,
                               int most_from, bool longs, int threads, size_t spare,
                               cobloc_error *err);
void cob_bounds_free(cob_bounds *bounds);

/* Brings everything up to date with the rule and the labels of the other side: those in `hard` are
 * of the previous pass, and become the new ones. Sets what is known of the lines in `hard`. */
void cob_bounds_follow(cob_bounds *bounds, cob_hard *hard, int threads);

/* Applies what moved to the sums and the slack that are known, for so many parts of the lines, each
 * on a thread. */
void cob_follow_moves(const cob_bounds *bounds, const cob_hard *hard, int parts);

/* Of numbers: fmax, which takes care of others, would be a call each. */
static inline double cob_larger(double a, double b)
{
    return a > b ? a : b;
}

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

/* Nothing has moved, and no line is the best keeper of its cluster. */
void cob_clear_desk(cob_desk *desk, int to);

/* Draws the label of a line, as the pass asks for, by its scores, which it changes. */
int cob_draw(const cob_pass *pass, int64_t line, double *scores);

/* A pass where memberships of either side are soft. */
void cob_soft_pass(cob_pass *pass, cob_pass_room *room);

/* The sums of a line in such a pass, whose lines of the other side were looked at. */
void cob_soft_sums(const cob_pass *pass, const cob_pass_room *room, int64_t line, double *sums);

/* ---- on several ranks (share.c) -------------------------------------------------------------- */

/* Before a pass: keeps the labels of this rank's lines, to know which will have changed. Returns
 * room for the statistics of this rank's chunks, `numbers` each; NULL after a failure. */
double *cob_share_begin(const cob_pass *pass, size_t numbers);

/* After a hard pass: on the desk, the statistics of all lines; and the labels of all. */
void cob_share_hard(const cob_pass *pass, cob_desk *desk);

/* After a soft pass: labels and memberships of all lines, how many labels changed, and in the place
 * of `own` (the statistics of this rank's chunks, `numbers` each) those of all chunks, which belong
 * to the ranks; NULL after a failure. */
const double *cob_share_soft(cob_pass *pass, const double *own, size_t numbers);

/* The sums of a line, by its number among those of the view, of the rank that has it. */
void cob_share_line(const cob_pass *pass, int64_t line, double *sums);

/* The best keepers of all lines, by their numbers among all, on the first desk. */
void cob_share_keepers(const cob_pass *pass, cob_pass_room *room);

#endif
