/* The registry of models: one file each, and one line in list.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MODELS_REGISTRY_H
#define COB_MODELS_REGISTRY_H

#include "models/common.h"

#define COB_MODEL(name) extern const cob_model cob_model_##name;
#include "models/list.h"
#undef COB_MODEL

/* The model at a place in the list, or NULL. */
const cob_model *cob_model_at(int index);
const cob_model *cob_model_named(const char *name);

#endif
