/* Readable names of documents: a number and the first words.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_TITLE_H
#define COB_TEXT_TITLE_H

#include <stddef.h>
#include <stdint.h>

enum { COB_TITLE_ROOM = 512 };

/* "PREFIX 17: the first words…", with at most a few dozen characters of the text; an empty prefix
 * is left out. White space becomes one blank, bytes that are not UTF-8 are dropped. Returns the
 * length. */
size_t cob_title(char title[COB_TITLE_ROOM], const char *prefix, size_t prefix_length,
                 int64_t number, const char *text, size_t size);

/* The text as one line without bytes that are not UTF-8, cut to fit. */
size_t cob_one_line(char *to, size_t room, const char *text, size_t size);

#endif
