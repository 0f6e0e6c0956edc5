/* Scores of rows by the rule of a block model, as a result keeps it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_PLACE_H
#define COB_FIT_PLACE_H

#include "fit/fit.h"

/* The rule, with what it is applied to. */
typedef struct cob_placing {
    cob_rule rule;
    cob_entries entries;
    int l;      /* column clusters */
    int values; /* layers of what entries say; one more of the rule may be for missing cells */
    const int32_t *labels;      /* of the columns; -1: they say nothing */
    const double *soft;         /* columns by l: their probabilities; NULL: the labels */
    cobloc_view rows;           /* weighted as the model wants it, */
    const cob_weigher *weigher; /* or, if not NULL, by this one; */
    cobloc_view missing;        /* the missing cells of these rows; without offsets: none */
    const double *effects;      /* of the rows, NULL: their sums, */
    double effect_scale;        /* times this */
} cob_placing;

/* Makes the rule of a table of k lines of `width` numbers, as cobloc_result has it. `model`: whose
 * rule it is; NULL: nobody's, of plain sums. */
cobloc_status cob_placing_open(cob_placing *placing, const cob_model *model, const double *table,
                               int k, int l, int width, cobloc_error *err);
/* Takes the rows of a matrix, and what they miss. */
void cob_placing_take(cob_placing *placing, const cobloc_matrix *x);
void cob_placing_free(cob_placing *placing);

/* scores[k] of a row; `sums` is room for as many numbers as a line of the table has. */
void cob_score_row(const cob_placing *placing, int64_t row, double *sums, double *scores);

#endif
