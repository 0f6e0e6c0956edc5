/* Scores of rows by the rule of a result: where they belong, and how surely.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_PLACE_H
#define COB_FIT_PLACE_H

#include "fit/fit.h"

/* The rule of a block model, with what it is applied to. */
typedef struct cob_placing {
    int k, l;
    const double *rule;    /* k by l + 2, as cobloc_result has it */
    const int32_t *labels; /* of the columns; -1: they say nothing */
    const double *soft;    /* columns by l: their probabilities; NULL: the labels */
    cobloc_view rows;      /* weighted as the model wants it */
    const double *effects; /* of the rows, */
    double effect_scale;   /* times this */
} cob_placing;

/* scores[k] of a row; `sums` is room for l numbers. */
void cob_score_row(const cob_placing *placing, int64_t row, double *sums, double *scores);

/* The place of the largest of `count` numbers; of equal ones, the first. `but`: not that one. */
int cob_largest(const double *values, int count, int but);

/* Turns scores that are log-probabilities, up to a constant, into probabilities. */
void cob_softmax(double *scores, int count);

#endif
