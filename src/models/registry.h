/* The list of models: one file each, one line here and one in registry.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MODELS_REGISTRY_H
#define COB_MODELS_REGISTRY_H

#include "models/common.h"

extern const cob_model cob_model_coclus;
extern const cob_model cob_model_splbm;
extern const cob_model cob_model_plbm;
extern const cob_model cob_model_socc;
extern const cob_model cob_model_lbm;
extern const cob_model cob_model_dlbm1;
extern const cob_model cob_model_dlbm2;
extern const cob_model cob_model_dlbm3;
extern const cob_model cob_model_itcc;
extern const cob_model cob_model_fnmtf;
extern const cob_model cob_model_dcc;
extern const cob_model cob_model_block;

/* The model at a place in the list, or NULL. */
const cob_model *cob_model_at(int index);
const cob_model *cob_model_named(const char *name);

#endif
