/* Memory that options own: copies of values passed to setters.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_OWNED_H
#define COB_BASE_OWNED_H

#include "base/fields.h"

/* Takes over memory, which is then freed with the object. On failure frees it and returns NULL. */
void *cob_adopt(cob_object *head, void *memory, cobloc_error *err);

/* New memory, all zero, that is freed with the object. NULL, with an error, if there is none. */
void *cob_own(cob_object *head, size_t count, size_t size, cobloc_error *err);

/* The same with a larger size, at another address; on failure the old memory stays. */
void *cob_own_more(cob_object *head, void *old, size_t count, size_t size, cobloc_error *err);

/* Frees it now; does nothing if the object does not own it. */
void cob_disown(cob_object *head, const void *memory);

void cob_disown_all(cob_object *head);

#endif
