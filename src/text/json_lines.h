/* One JSON line: a document's text, and its name and label if requested.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_JSON_LINES_H
#define COB_TEXT_JSON_LINES_H

#include "text/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cob_line_part {
    const char *text;
    size_t size;
} cob_line_part;

/* Zero-initialised. Texts belong to `object`. */
typedef struct cob_line_document {
    json_t *object;
    cob_line_part one, *parts; /* of the text: one, or several from a list */
    int part_count;
    char *name, *label; /* NULL: not requested */
} cob_line_document;

typedef struct cob_line_reader {
    const cobloc_text_options *options;
    bool elements;  /* of an array: a text is a document, too */
    bool first;     /* the next line is the first of the file and must have the field */
    char *repaired; /* buffer for a line without invalid bytes */
    size_t capacity;
} cob_line_reader;

/* Reads a line that is not blank. Bytes that are not UTF-8 are treated as blanks and added to
 * *invalid. */
cobloc_status cob_json_line_read(cob_line_reader *reader, const char *line, size_t size,
                                 int64_t *invalid, cob_line_document *document, cobloc_error *err);
void cob_line_document_free(cob_line_document *document);
void cob_line_reader_free(cob_line_reader *reader);

/* ---- elements of JSON arrays (elements.c) ---------------------------------------------------- */

/* Files of several documents that are not lines: JSON arrays, and mailboxes. */

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
