/* The innermost loop of hard passes over counts: the sums of a line over the clusters of the other
 * side, its scores, and the best of them. Compiled once for any processor and again for those with
 * wider registers; all give bit-identical results.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_LINES_H
#define COB_MATRIX_LINES_H

#include "matrix/kernels.h"
#include "matrix/sums.h"

#include <stdbool.h>

/* The most lines that are scored side by side; arrays of sums are padded to a multiple of this. */
enum { COB_LANES = 8 };

static inline int cob_wide(int clusters)
{
    return (clusters + COB_LANES - 1) / COB_LANES * COB_LANES;
}

/* The line of a cluster, among those of one chunk, that loses least by staying in it. */
typedef struct cob_keeper {
    int64_t line;
    double loss;
} cob_keeper;

/* A chunk of lines, which one thread processes at a time, and its statistics. */
typedef struct cob_part {
    int64_t first, last;
    double *block, *sizes, *masses;
    cob_keeper *keepers;
    double entropy;
    int64_t moved;
    int64_t looked; /* entries of the lines that were scored */
} cob_part;

/* Lines of a batch: sums are read only after all of them are written, which avoids stalls. */
enum { COB_BATCH = 16 };

/* Scratch memory of one thread. */
typedef struct cob_desk {
    double *sums;    /* over the clusters of the other side, */
    double *scores;  /* and scores, of COB_LANES lines */
    int32_t *counts; /* sums of COB_BATCH lines as counts, each in two parts */
    double *partial; /* two parts of a line's sums as doubles */
    char *memory;    /* holds all of these */
} cob_desk;

/* The input of a hard pass, and the labels it changes. */
typedef struct cob_hard {
    const cobloc_view *view;
    const double *effects;
    const uint8_t *other_labels;
    const int32_t *fixed;
    int32_t *labels;
    int from;
    const cob_rule *rule;
    bool keep; /* do not change labels: only compute the statistics of all lines */

    int32_t *sums; /* keeps those of every line, cob_wide(from) numbers each; NULL: not kept */
    bool summed;   /* they are known: entries need not be read */

    /* A lower bound of the lead of a line's own score over all others, if the bounds below were all
     * 0; the line cannot move while that is more than effect * drift + shift of its cluster. */
    double *slack; /* NULL: not needed */
    const double *drift, *shift;
    bool skip;               /* skip such lines; otherwise score every line */
    double round_A, round_e; /* bound of rounding errors: effect * round_A + round_e */
} cob_hard;

/* Assigns the lines of a chunk, and adds those that move (or all) to its statistics. */
typedef void cob_lines_fn(const cob_hard *hard, cob_part *chunk, const cob_desk *desk);

/* One for each kind of processor; NULL where the compiler cannot make it. */
extern cob_lines_fn *const cob_lines_portable, *const cob_lines_avx2, *const cob_lines_avx512;

/* The best one for this processor; the environment variable COBLOC_PROCESSOR (portable, avx2,
 * avx512) selects a lesser one. */
cob_lines_fn *cob_lines_here(void);

/* For tests and benchmarks: the name of the one that cob_lines_here returns. */
const char *cob_lines_name(void);

#endif
