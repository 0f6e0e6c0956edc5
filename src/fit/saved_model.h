/* Reading model.json.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_SAVED_MODEL_H
#define COB_FIT_SAVED_MODEL_H

#include "fit/saved.h"

/* What the other files of the folder hold. */
typedef struct cob_saved_flags {
    bool row_names, row_probabilities;
} cob_saved_flags;

/* Fills in all but the folder, the rows' labels, names and probabilities. What is filled in already
 * is the caller's to free, also on failure. */
cobloc_status cob_saved_model_read(const char *path, cobloc_saved *saved, cob_saved_flags *flags,
                                   cobloc_error *err);

#endif
