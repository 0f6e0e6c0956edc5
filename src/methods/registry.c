/* The registry of methods.
 * SPDX-License-Identifier: MIT
 */
#include "methods/registry.h"

static const cob_method *const methods[] = {
#define COB_METHOD(name) &cob_method_##name,
#include "methods/list.h"
#undef COB_METHOD
};

enum { METHODS = sizeof methods / sizeof *methods };

const cob_method *cob_method_at(int index)
{
    return index >= 0 && index < METHODS ? methods[index] : NULL;
}
