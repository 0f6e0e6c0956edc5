/* What one hard pass leaves for the next, so that this need not look at everything again.
 *
 * Sums: those of each line over the clusters of the other side, if there is memory for them. When
 * lines of the other side move, their entries move from one sum to another.
 *
 * Bounds: when a line is looked at, the lead of its best score over the second best is its slack.
 * From then on scores change for two reasons. The rule changes: a line of sum r has its lead eaten
 * up by at most r times the largest change of A + b between its cluster and another (drift), plus
 * that of e (shift). And lines of the other side move: every entry in one of them takes from the
 * slack what the move can give to another cluster at most. While slack is left, the line is sure to
 * stay, so labels are the same as without bounds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_BOUNDS_H
#define COB_MATRIX_BOUNDS_H

#include "matrix/kernels.h"

typedef struct cob_bounds {
    int32_t *sums;         /* of each line, cob_wide(from) of them; NULL: no memory for them, */
    int32_t *memory;       /* which they are in */
    double *slack;         /* of each line; see cob_hard */
    double *drift, *shift; /* of each cluster: all changes of the rule since the bounds began */
    double *A, *b, *e;     /* the rule of the pass before */
    double *gain;          /* room for a number for each cluster and thread */
    int32_t *movers;       /* lines of the other side that moved, */
    int64_t moved;         /* so many, */
    int64_t moved_entries; /* with so many entries */
    uint8_t *before;       /* their labels before */
    bool follows;          /* the labels of the pass before are known, */
    bool summed;           /* and its sums; */
    bool began;            /* slack holds for its rule */
} cob_bounds;

/* Sums are kept if they take no more than `spare` bytes. */
cobloc_status cob_bounds_alloc(cob_bounds *bounds, const cobloc_view *view, int most_to,
                               int most_from, int threads, size_t spare, cobloc_error *err);
void cob_bounds_free(cob_bounds *bounds);

/* What a pass need not do again. */
typedef struct cob_known {
    bool sums;  /* they are those of the labels of the other side as they stand */
    bool slack; /* lines that have some left need not be looked at */
} cob_known;

/* Follows the labels of the other side (`narrow` holds those of the pass before, and receives the
 * new ones) and the rule. */
cob_known cob_bounds_follow(cob_bounds *bounds, const cob_pass *pass, uint8_t *narrow, int threads);

#endif
