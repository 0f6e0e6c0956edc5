/* What can be fitted: the block models and the methods beside them, in one list, with all that a
 * fit must know of both.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_ALGORITHM_H
#define COB_FIT_ALGORITHM_H

#include "fit/result.h"
#include "methods/method.h"

typedef struct cob_algorithm {
    const char *name, *title, *criterion;
    bool minimised, one_sided, zeros_matter, binary, unit_rows;
    bool counts;                        /* entries are counts to it: their unit matters */
    bool takes_negative, takes_missing; /* values below 0; cells without a value */
    cobloc_weight weight;               /* where the user says nothing */
    const cob_structure *structure;     /* what its column clusters mean */
    const cob_model *model;             /* one of the two, */
    const cob_method *method;           /* the other is NULL */
} cob_algorithm;

/* The algorithm at a place in the list: models first; false where there is none. */
bool cob_algorithm_at(int index, cob_algorithm *algorithm);
bool cob_algorithm_named(const char *name, cob_algorithm *algorithm);
cob_algorithm cob_algorithm_of_model(const cob_model *model);
/* The same, with the sentence for a name that is not in the list; NULL is none. */
cobloc_status cob_algorithm_find(const char *name, cob_algorithm *algorithm, cobloc_error *err);
cob_algorithm cob_algorithm_of_method(const cob_method *method);

bool cob_algorithm_takes(const cob_algorithm *algorithm, cobloc_inference inference);
/* What it is fitted by, and how often it is started, where the user says nothing. */
cobloc_inference cob_algorithm_inference(const cob_algorithm *algorithm);
int cob_algorithm_restarts(const cob_algorithm *algorithm);
/* The user's options, with these two filled in where they are left open. */
cobloc_fit_options cob_algorithm_options(const cob_algorithm *algorithm,
                                         const cobloc_fit_options *asked);

/* Whether the first of two outcomes is the better one: by the criterion, but those that keep all
 * their clusters by themselves come before those that had to be held. Where clusters may be empty,
 * the criterion alone counts. */
bool cob_algorithm_prefers(const cob_algorithm *algorithm, double first, int first_held,
                           double second, int second_held);

/* The number of column clusters that goes with k row clusters; 0: any. */
int cob_algorithm_columns(const cob_algorithm *algorithm, int k);

/* The weight that is used where the user asked for `asked`. */
cobloc_weight cob_algorithm_weight(const cob_algorithm *algorithm, cobloc_weight asked);
cob_weighing cob_algorithm_weighing(const cob_algorithm *algorithm, cobloc_weight asked);

#endif
