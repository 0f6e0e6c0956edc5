/* The registry of models.
 * SPDX-License-Identifier: MIT
 */
#include "models/registry.h"

#include <string.h>

static const cob_model *const models[] = {
#define COB_MODEL(name) &cob_model_##name,
#include "models/list.h"
#undef COB_MODEL
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
