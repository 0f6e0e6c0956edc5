/* Decoding UTF-8.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_UTF8_H
#define COB_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The longest sequence, in bytes. */
enum { COB_UTF8_LONGEST = 4 };

/* The length of the well-formed sequence at `p`, and its code point; 0 if there is none. At most
 * `size` bytes are read, and none after a NUL: for NUL-terminated text, COB_UTF8_LONGEST will do.
 */
size_t cob_utf8_next(const unsigned char *p, size_t size, uint32_t *point);

#endif
