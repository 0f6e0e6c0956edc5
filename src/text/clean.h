/* Cleaning documents before their words are counted: the text of mail and of HTML, without
 * addresses and encoded data.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_CLEAN_H
#define COB_TEXT_CLEAN_H

#include "base/error.h"
#include "io/blocks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COB_CLEAN_MAIL = 1, COB_CLEAN_HTML = 2, COB_CLEAN_URLS = 4, COB_CLEAN_BLOBS = 8 };

/* What is cleaned. `recognise`: mail and HTML only where a document looks like it. */
typedef struct cob_cleaning {
    unsigned parts;
    bool recognise;
} cob_cleaning;

/* From "auto", "none" or a list such as "mail,urls". */
cobloc_status cob_cleaning_parse(const char *text, cob_cleaning *cleaning, cobloc_error *err);

/* Cleans one document after another. Zero-initialised, but for `how`. */
typedef struct cob_cleaner {
    cob_cleaning how;
    cob_buffer mail, room;   /* of the current document */
    int64_t mails, pages;    /* documents that were mail, or had tags or entities */
    int64_t addresses, data; /* that were blanked: addresses, blocks of data */
} cob_cleaner;

void cob_cleaner_free(cob_cleaner *cleaner);

/* The text that is left of a document, valid until the next call: the text itself where there is
 * nothing to clean. */
cobloc_status cob_clean(cob_cleaner *cleaner, const char *text, size_t size, const char **clean,
                        size_t *clean_size, cobloc_error *err);

/* ---- addresses (addresses.c) ----------------------------------------------------------------- */

/* Blanking what is no language in a text: addresses of mail and of the web, message ids, names of
 * hosts and newsgroups, and blocks of encoded data. */

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
