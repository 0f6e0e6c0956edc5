/* Blanking what is no language in a text: addresses of mail and of the web, message ids, names of
 * hosts and newsgroups, and blocks of encoded data.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_ADDRESSES_H
#define COB_TEXT_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of an address, or of something else that is to be blanked. */
typedef struct cob_blank {
    size_t start, end;
} cob_blank;

/* Finds the first address that starts at `from` or later, or ends after it; false: none is left. */
bool cob_find_address(const char *text, size_t size, size_t from, cob_blank *found);

/* The same for a block of base64 or of uuencoded data: whole lines. */
bool cob_find_encoded(const char *text, size_t size, size_t from, cob_blank *found);

/* Whether a word is a number in hexadecimal: at least 12 digits, letters and numerals mixed. */
bool cob_is_hex_code(const char *word, size_t length);

#endif
