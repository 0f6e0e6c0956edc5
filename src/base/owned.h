/* Memory that options own: copies of what the setters were given.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_OWNED_H
#define COB_BASE_OWNED_H

#include "base/fields.h"

/* Takes over memory, which is then released with the object; it is released at once, and NULL
 * returned, where that fails. */
void *cob_adopt(cob_object *head, void *memory, cobloc_error *err);

/* New memory, all zero, that is released with the object. NULL, with the sentence, where there is
 * none. */
void *cob_own(cob_object *head, size_t count, size_t size, cobloc_error *err);

/* The same with room for more, at another place; the old one stays as it is on failure. */
void *cob_own_more(cob_object *head, void *old, size_t count, size_t size, cobloc_error *err);

/* Releases it now; does nothing where the object does not own it. */
void cob_disown(cob_object *head, const void *memory);

void cob_disown_all(cob_object *head);

#endif
