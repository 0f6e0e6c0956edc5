/* What to draw, and what is known about it; simulate/fields.c says what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SIMULATE_SIMULATION_H
#define COB_SIMULATE_SIMULATION_H

#include "base/fields.h"

typedef struct cobloc_effects {
    cobloc_effect_kind kind;
    double mean, shape;
    int64_t count;
    const double *values;
} cobloc_effects;

struct cobloc_simulation {
    cob_object head;
    cobloc_law law;
    int64_t rows, cols;
    int k, l;
    const double *row_proportions, *col_proportions, *parameters;
    cobloc_effects row_effects, col_effects;
    double density;
    uint64_t seed;
    int threads;
    double max_memory;
    cobloc_progress progress;
};

struct cobloc_truth {
    cob_object head;
    cobloc_law law;
    int64_t rows, cols;
    int k, l;
    int32_t *row_labels, *col_labels;
    int64_t *row_sizes, *col_sizes;
    double *parameters, *row_effects, *col_effects;
};

extern const cob_type cob_simulation_type, cob_truth_type;
extern const char *const cob_law_names[];

void cob_simulation_default(cobloc_simulation *simulation);

#endif
