/* The innermost loop of passes over hard labels: the sums of a line over the clusters of the other
 * side, its scores, and the best of them. Compiled once for any processor and again for those with
 * wider registers; all give bit-identical results.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_LINES_H
#define COB_MATRIX_LINES_H

#include "matrix/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The most lines that are scored side by side; arrays of sums are padded to a multiple of this. */
enum { COB_LANES = 8 };

static inline int cob_wide(int clusters)
{
    return (clusters + COB_LANES - 1) / COB_LANES * COB_LANES;
}

/* Sums are int32_t or int64_t: `longs` is a constant wherever one of these is called. */
COB_INLINE void *cob_sum_place(const void *sums, bool longs, int64_t place)
{
    return (char *)(uintptr_t)sums + place * (int64_t)(longs ? sizeof(int64_t) : sizeof(int32_t));
}

COB_INLINE int64_t cob_sum_get(const void *sums, bool longs, int64_t place)
{
    return longs ? ((const int64_t *)sums)[place] : ((const int32_t *)sums)[place];
}

COB_INLINE void cob_sum_add(void *sums, bool longs, int64_t place, int64_t value)
{
    if (longs)
        ((int64_t *)sums)[place] += value;
    else
        ((int32_t *)sums)[place] += (int32_t)value;
}

/* Labels of the other side, as bytes if they all fit. */
enum { COB_FEW_CLUSTERS = 256 };
typedef struct cob_other_labels {
    void *labels;
    bool few; /* bytes, else int32_t */
} cob_other_labels;

COB_INLINE int32_t cob_label_at(const void *labels, bool few, int64_t line)
{
    return few ? ((const uint8_t *)labels)[line] : ((const int32_t *)labels)[line];
}

/* The effect of a line in units. */
static inline int64_t cob_mass(const cob_pass *pass, int64_t line)
{
    return llrint(pass->effects[line] * pass->effect_grid.scale);
}

/* The line of a cluster that loses least by staying in it; of equal ones, the first. */
typedef struct cob_keeper {
    int64_t line; /* -1: none */
    double loss;
} cob_keeper;

static inline void cob_update_keeper(cob_keeper *best, cob_keeper one)
{
    if (one.line >= 0 && (best->line < 0 || one.loss < best->loss ||
                          (one.loss == best->loss && one.line < best->line)))
        *best = one;
}

/* The sums of a line's entries over the clusters of the other side. */
static inline void cob_sum_line(const cob_pass *pass, int64_t line, int64_t *sums)
{
    const cobloc_view *view = pass->view;
    memset(sums, 0, (size_t)pass->from * sizeof *sums);
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++)
        sums[pass->other_labels[view->indices[e]]] += cob_entry(view->kind, view->values, e);
}

/* Lines of a batch: sums are read only after all of them are written, which avoids stalls. */
enum { COB_BATCH = 16 };

/* What a thread works with, and the statistics of the lines that it took. */
typedef struct cob_desk {
    int64_t *block, *sizes, *masses; /* in units; the rows of the block are cob_wide(from) apart */
    double *chunk; /* where shares are soft: the same of a chunk of lines, as real numbers */
    cob_keeper *keepers;
    int64_t moved;
    int64_t looked; /* entries of the lines that were scored */

    double *sums;   /* of COB_LANES lines */
    double *scores; /* of COB_LANES lines, and of one more */
    void *parts;    /* sums of COB_BATCH lines as integers, each in two parts */
    char *memory;   /* holds all of these */
} cob_desk;

/* The input of a pass over hard labels, and the labels it changes. */
typedef struct cob_hard {
    const cob_pass *pass;
    cob_other_labels other;
    const double *units; /* of each cluster of the other side */
    bool anew;           /* add every line to the statistics, else only what moves */
    int (*draw)(const cob_pass *pass, int64_t line, double *scores); /* NULL: the best score */

    /* Sums are int64_t, or int32_t where those of counts are sure to fit. */
    bool longs;
    void *sums;  /* keeps those of every line, cob_wide(from) numbers each; NULL: not kept */
    bool summed; /* they are known: entries need not be read */

    /* A lower bound of the lead of a line's own score over all others, if the bounds below were all
     * 0; the line cannot move while that is more than effect * drift + shift of its cluster. */
    double *slack; /* NULL: not needed */
    const double *drift, *shift;
    bool skip;               /* skip such lines; otherwise score every line */
    double round_A, round_e; /* bound of rounding errors: effect * round_A + round_e */
} cob_hard;

/* Assigns lines `first` to `last` - 1, and adds them (or those that move) to the statistics. */
typedef void cob_lines_fn(const cob_hard *hard, int64_t first, int64_t last, cob_desk *desk);

/* One for each kind of processor; NULL where the compiler cannot make it. */
extern cob_lines_fn *const cob_lines_portable, *const cob_lines_avx2, *const cob_lines_avx512;

/* The best one for this processor; the environment variable COBLOC_PROCESSOR (portable, avx2,
 * avx512) selects a lesser one. */
cob_lines_fn *cob_lines_here(void);

/* For tests and benchmarks: the name of the one that cob_lines_here returns. */
const char *cob_lines_name(void);

#endif
