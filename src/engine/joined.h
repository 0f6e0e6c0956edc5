/* The criterion of some clusters by themselves, as one: what merges are chosen by.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_JOINED_H
#define COB_ENGINE_JOINED_H

#include "engine/model.h"

typedef struct cob_joining {
    const cob_model *model;
    cob_stats now;
    cob_theta theta; /* room for its parameters, */
    double *line;    /* and for the blocks of one cluster */
} cob_joining;

/* The criterion of these statistics. */
double cob_value_of_stats(cob_joining *j, const cob_stats *stats);

/* The criterion as if there were only clusters a and b of a side, or of both sides, as one; only a
 * where b is negative, and none where a is. */
double cob_value_of_joined(cob_joining *j, cob_axis side, bool both, int a, int b);

/* What that changes by when clusters c and d of the other side become one. */
double cob_change_of_joined(cob_joining *j, cob_axis side, int a, int b, int c, int d);

/* What the criterion holds beside its co-clusters changes by, when a and b become one; `inside` and
 * `covered`: what all of them hold and cover. */
double cob_value_of_rest(const cob_joining *j, double inside, double covered, int a, int b);

#endif
