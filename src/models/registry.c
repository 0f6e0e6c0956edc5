/* The list of models.
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

#include <string.h>

static const cob_model *const models[] = {
    &cob_model_coclus, &cob_model_splbm, &cob_model_plbm,  &cob_model_socc,
    &cob_model_lbm,    &cob_model_dlbm1, &cob_model_dlbm2, &cob_model_dlbm3,
    &cob_model_itcc,   &cob_model_fnmtf, &cob_model_dcc,   &cob_model_block,
};

enum { MODELS = sizeof models / sizeof *models };

const cob_model *cob_model_at(int index)
{
    return index >= 0 && index < MODELS ? models[index] : NULL;
}

const cob_model *cob_model_named(const char *name)
{
    for (int i = 0; i < MODELS; i++)
        if (strcmp(models[i]->name, name) == 0)
            return models[i];
    return NULL;
}
