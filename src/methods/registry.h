/* The registry of methods: one file each, and one line in list.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_REGISTRY_H
#define COB_METHODS_REGISTRY_H

#include "methods/method.h"

#define COB_METHOD(name) extern const cob_method cob_method_##name;
#include "methods/list.h"
#undef COB_METHOD

/* The method at an index of the list, or NULL. */
const cob_method *cob_method_at(int index);

#endif
