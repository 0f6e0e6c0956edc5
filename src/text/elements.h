/* Files of several documents that are not lines: JSON arrays, and mailboxes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_ELEMENTS_H
#define COB_TEXT_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes up to the comma or bracket that ends the element of a JSON array at `text`; `size` if
 * neither is there. */
size_t cob_json_element(const char *text, size_t size);

/* The bytes up to the first message of a mailbox that starts after `text`, which may be in the
 * middle of one: after an empty line, "From ". `size` if there is none. */
size_t cob_mbox_message(const char *text, size_t size);

/* Where to cut blocks: see cob_cut_fn. The text starts behind the '[' of the array. */
size_t cob_cut_elements(const char *text, size_t size, int final, int64_t *records, int64_t *lines);
size_t cob_cut_mbox(const char *text, size_t size, int final, int64_t *records, int64_t *lines);

#endif
