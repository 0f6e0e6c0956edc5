/* What can be fitted: the block models and the methods beside them, in one list, with all that a
 * fit must know of both.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_ALGORITHM_H
#define COB_FIT_ALGORITHM_H

#include "methods/method.h"

typedef struct cob_algorithm {
    const char *name, *title, *criterion;
    bool minimised, diagonal, one_sided, zeros_matter, binary, unit_rows;
    cobloc_weight weight; /* where the user says nothing */
    int (*col_clusters)(int k);
    const cob_model *model;   /* one of the two, */
    const cob_method *method; /* the other is NULL */
} cob_algorithm;

/* The algorithm at a place in the list: models first; false where there is none. */
bool cob_algorithm_at(int index, cob_algorithm *algorithm);
bool cob_algorithm_named(const char *name, cob_algorithm *algorithm);
cob_algorithm cob_algorithm_of_method(const cob_method *method);

bool cob_algorithm_takes(const cob_algorithm *algorithm, cobloc_inference inference);
/* What it is fitted by where the user says nothing. */
cobloc_inference cob_algorithm_inference(const cob_algorithm *algorithm);

/* The number of column clusters that goes with k row clusters; 0: any. */
int cob_algorithm_columns(const cob_algorithm *algorithm, int k);

/* The weight that is used where the user asked for `asked`. */
cobloc_weight cob_algorithm_weight(const cob_algorithm *algorithm, cobloc_weight asked);

#endif
