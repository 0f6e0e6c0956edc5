/* The innermost loop of hard passes over counts: sums of a line over the clusters of the other
 * side, scores, the best of them. Compiled once for any processor and again for those with wider
 * registers; all give the same numbers to the bit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_LINES_H
#define COB_MATRIX_LINES_H

#include "matrix/kernels.h"
#include "matrix/sums.h"

#include <stdbool.h>

/* Lines that are scored side by side, at most; sums over clusters are as long as whole registers
 * of so many. */
enum { COB_LANES = 8 };

static inline int cob_wide(int clusters)
{
    return (clusters + COB_LANES - 1) / COB_LANES * COB_LANES;
}

/* The line of a cluster that loses least by staying in it, among those of one chunk. */
typedef struct cob_keeper {
    int64_t line;
    double loss;
} cob_keeper;

/* Lines that one thread takes at a time, and what it finds. */
typedef struct cob_part {
    int64_t first, last;
    double *block, *sizes, *masses;
    cob_keeper *keepers;
    double entropy;
    int64_t moved;
    int64_t looked; /* entries of the lines that were looked at */
} cob_part;

/* Lines that are taken together: what was just written is not yet needed. */
enum { COB_BATCH = 16 };

/* A thread's own room. */
typedef struct cob_desk {
    double *sums;    /* over the clusters of the other side, and */
    double *scores;  /* scores, of COB_LANES lines; */
    int32_t *counts; /* sums of COB_BATCH lines as counts, each in two parts; */
    double *partial; /* two parts of a line's sums as numbers */
    char *memory;    /* where all that is */
} cob_desk;

/* What hard lines are taken by. */
typedef struct cob_hard {
    const cobloc_view *view;
    const double *effects;
    const uint8_t *other_labels;
    const int32_t *fixed;
    int32_t *labels;
    int from;
    const cob_rule *rule;
    bool keep; /* labels stay: only the statistics are wanted, of all lines */

    int32_t
        *sums;   /* where those of every line are kept, cob_wide(from) a line; NULL: they are not */
    bool summed; /* they are known: entries need not be looked at */

    /* By how much a line's own score surpasses all others, at least, when the bounds below were all
     * 0; it is sure to stay while that is more than effect * drift + shift of its cluster. */
    double *slack; /* NULL: not wanted */
    const double *drift, *shift;
    bool skip;               /* do so; else look at every line */
    double round_A, round_e; /* by how much rounding may mislead: effect * round_A + round_e */
} cob_hard;

/* Takes the lines of a chunk: assigns them, and adds to its statistics what moves (or everything).
 */
typedef void cob_lines_fn(const cob_hard *hard, cob_part *chunk, const cob_desk *desk);

/* One for each kind of processor; NULL where the compiler cannot make it. */
extern cob_lines_fn *const cob_lines_portable, *const cob_lines_avx2, *const cob_lines_avx512;

/* The best one here; the environment's COBLOC_PROCESSOR (portable, avx2, avx512) asks for less. */
cob_lines_fn *cob_lines_here(void);

/* For tests and benchmarks: the name of the one that cob_lines_here gives. */
const char *cob_lines_name(void);

#endif
