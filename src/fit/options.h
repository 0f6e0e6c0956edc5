/* Options of a fit; fit/fields.c says what each means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_OPTIONS_H
#define COB_FIT_OPTIONS_H

#include "device/device.h"
#include "methods/copartition.h"

typedef struct cob_checkpoint cob_checkpoint;
typedef struct cob_shared_means cob_shared_means;

struct cobloc_fit_options {
    cob_object head;
    const char *model;
    int k, l, most;
    cobloc_inference inference;
    cobloc_weight weight;
    cobloc_start start;
    int restarts, max_iterations;
    double tolerance;
    uint64_t seed;
    int threads;
    const char *device;
    cobloc_share share;
    cobloc_communicator communicator, group;
    double max_memory, max_seconds;
    const char *checkpoint;
    double checkpoint_seconds;
    int resume;
    const int32_t *start_rows, *start_cols;
    const int32_t *fix_rows, *fix_cols;
    const double *row_effects, *col_effects;
    const cobloc_copartition *base;
    int base_count;
    cobloc_progress progress;

    cob_device *opened;      /* the device, once it is open: several fits share it */
    cob_checkpoint *kept;    /* likewise the checkpoint, */
    cob_shared_means *means; /* and what their starts share, while the entries are the same */
    int until_same; /* no more restarts once so many have found the same best; 0: all of them */

    /* Lengths of the arrays; 0: the caller knows that they fit the matrix. */
    int64_t start_row_count, start_col_count, fix_row_count, fix_col_count;
    int64_t row_effect_count, col_effect_count;
};

extern const cob_type cob_fit_options_type;
extern const char *const cob_inference_names[],
    *const cob_start_names[], *const cob_stop_names[], *const cob_share_names[];

/* Whether there is a model of this name. */
cobloc_status cob_check_model(const char *name, cobloc_error *err);

void cob_fit_options_default(cobloc_fit_options *options);

#endif
