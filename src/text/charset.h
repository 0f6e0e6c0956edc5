/* Text in the charset that a mail names.
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_CHARSET_H
#define COB_TEXT_CHARSET_H

#include "base/encoding.h"
#include "text/mail.h"

/* Appends a text, converted to UTF-8. Fails with COBLOC_BAD_ARGUMENT if there is no such
 * encoding. */
cobloc_status cob_append_converted(cob_buffer *to, const char *text, size_t size,
                                   const char *encoding, cobloc_error *err);

/* Appends bytes that are said to be in a charset. Where that is missing or unknown, or cannot be
 * right, it is guessed. */
cobloc_status cob_append_in_charset(cob_buffer *to, const char *text, size_t size, cob_span charset,
                                    cobloc_error *err);

/* Whether text in this charset is all ASCII bytes, so that nothing else tells of it. */
bool cob_is_seven_bit(cob_span charset);

/* As cob_encoding_guess; but of a single mail with 8-bit text, what its headers say. */
void cob_encoding_of_document(const char *head, size_t size, char name[COB_ENCODING_ROOM]);

#endif
