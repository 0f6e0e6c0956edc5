/* Choosing a size and a model; select/fields.c says what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SELECT_SELECTION_H
#define COB_SELECT_SELECTION_H

#include "fit/result.h"

struct cobloc_select_options {
    cob_object head;
    cobloc_fit_options fit;
    const char *const *models;
    int model_count;
    int k_from, k_to, l_from, l_to;
    cobloc_choice by;
    double within;
};

typedef struct cobloc_size {
    const char *model;
    int k, l;
    double value, spread;
    int as_good, set_aside;
    int64_t smallest;
    double seconds;
    cobloc_origin origin;
    cobloc_result *result;
} cobloc_size;

struct cobloc_selection {
    cob_object head;
    cobloc_choice by;
    int count;
    cobloc_size *curve;
    int chosen, best, at_end;
    bool measured; /* values are known; and, if not 0, */
    int decided;   /* the place of the chosen size, from 1 on, too */
    cobloc_stop stop;
    double seconds;
    char summary[512];
};

typedef struct cobloc_curve_point {
    char model[32];
    int k, l;
    double value, icl, modularity;
    int as_good, chosen;
} cobloc_curve_point;

/* A size above the chosen one, whose labels were kept. */
typedef struct cobloc_larger {
    int k, l;
    int64_t rows, cols;
    int32_t *row_labels, *col_labels;
} cobloc_larger;

struct cobloc_curve {
    cob_object head;
    int count, larger_count;
    cobloc_curve_point *points;
    cobloc_larger *larger;
};

extern const cob_type cob_select_options_type, cob_selection_type, cob_curve_type;
extern const char *const cob_choice_names[], *const cob_origin_names[];

void cob_select_options_default(cobloc_select_options *options);

#endif
