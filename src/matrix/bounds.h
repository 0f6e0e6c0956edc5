/* What one hard pass keeps for the next, so that the next need not look at everything again.
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
#ifndef COB_MATRIX_BOUNDS_H
#define COB_MATRIX_BOUNDS_H

#include "matrix/kernels.h"

typedef struct cob_bounds {
    void *sums;            /* of each line, cob_wide(from) numbers; NULL: no memory for them */
    char *memory;          /* that holds the sums, */
    bool longs;            /* which are int64_t, else int32_t */
    double *slack;         /* of each line; see cob_hard */
    double *drift, *shift; /* of each cluster: total change of the rule since the slack was set */
    double *A, *b, *e;     /* the rule of the previous pass */
    double *gain;          /* scratch: a number for each cluster and thread */
    int32_t *movers;       /* lines of the other side that moved, */
    int64_t moved;         /* their number, */
    int64_t moved_entries; /* and number of entries */
    int32_t *before;       /* their previous labels */
    bool follows;          /* the labels of the previous pass are known, */
    bool summed;           /* its sums are, too, */
    bool began;            /* and the slack is for its rule */
} cob_bounds;

/* Sums are kept if they need at most `spare` bytes. */
cobloc_status cob_bounds_alloc(cob_bounds *bounds, const cobloc_view *view, int most_to,
                               int most_from, bool longs, int threads, size_t spare,
                               cobloc_error *err);
void cob_bounds_free(cob_bounds *bounds);

/* What a pass can reuse. */
typedef struct cob_known {
    bool sums;  /* they match the current labels of the other side */
    bool slack; /* lines with slack left need not be scored */
} cob_known;

/* Brings everything up to date with the rule and the labels of the other side. `last` holds those
 * of the previous pass, as bytes if `few`, and receives the new ones. */
cob_known cob_bounds_follow(cob_bounds *bounds, const cob_pass *pass, void *last, bool few,
                            int threads);

#endif
