/* The text of HTML and XML: without tags, comments, scripts and styles, and with characters for
 * entities. Tokenized as the HTML standard (section 13.2.5) says; the tree is not needed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_HTML_H
#define COB_TEXT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a text looks like: a whole page begins as one; a fragment is other text that holds tags or
 * entities, in which a '<' may also be just that. */
typedef enum cob_markup { COB_MARKUP_NONE, COB_MARKUP_FRAGMENT, COB_MARKUP_PAGE } cob_markup;

cob_markup cob_markup_of(const char *text, size_t size);

/* Writes the text of a page or a fragment to `to`, which has room for `size` bytes: text never
 * grows. `to` may be `text` itself. Returns how many bytes there are. */
size_t cob_html_text(const char *text, size_t size, cob_markup markup, char *to);

enum { COB_LONGEST_ENTITY = 8 };

/* The character that a name after '&' stands for; returns how many bytes the name takes, with its
 * semicolon; 0: it is no name (entities.c). */
size_t cob_entity(const char *text, size_t size, uint32_t *character);

#endif
