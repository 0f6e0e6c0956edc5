/* Encodings of text: recognising them, and converting to UTF-8.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_ENCODING_H
#define COB_BASE_ENCODING_H

#include "base/error.h"

#include <stdbool.h>

enum { COB_ENCODING_ROOM = 32 };

/* The encoding of a file, from its first bytes: by its byte order mark, the places of its NUL
 * bytes, or, if it is not UTF-8, the frequencies of its bytes (libuchardet, where that is
 * installed; else windows-1252). "": UTF-8, or no text. */
void cob_encoding_guess(const char *head, size_t size, char name[COB_ENCODING_ROOM]);

/* What a file is by its first bytes, if it is no text: "a PNG picture"; NULL: it may be text. NUL
 * bytes are no text, unless the encoding has them. */
const char *cob_binary_kind(const char *head, size_t size);

/* Whether a name means UTF-8. */
bool cob_is_utf8_name(const char *encoding);

/* ---- converting ------------------------------------------------------------------------------ */

typedef struct cob_conversion cob_conversion;

/* Fails if there is no such encoding. */
cobloc_status cob_conversion_open(const char *encoding, cob_conversion **out, cobloc_error *err);
void cob_conversion_close(cob_conversion *conversion);

/* Begins anew. */
void cob_conversion_reset(cob_conversion *conversion);

/* Reads more of what is to be converted; *got < want only at the end. */
typedef cobloc_status (*cob_read_fn)(void *context, void *bytes, size_t want, size_t *got,
                                     cobloc_error *err);

/* Reads up to `want` bytes of UTF-8; *got < want only at the end. Each byte that means nothing
 * becomes one that is not UTF-8. A byte order mark is left out. */
cobloc_status cob_conversion_read(cob_conversion *conversion, cob_read_fn read, void *context,
                                  char *bytes, size_t want, size_t *got, cobloc_error *err);

#endif
