/* One line of JSON: a document's text, and its name and label where asked for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_JSON_LINES_H
#define COB_TEXT_JSON_LINES_H

#include "text/settings.h"

typedef struct cob_line_part {
    const char *text;
    size_t size;
} cob_line_part;

/* Zero-initialised: nothing. Texts are part of `object`. */
typedef struct cob_line_document {
    json_t *object;
    cob_line_part one, *parts; /* of the text: one, or those of a list */
    int part_count;
    char *name, *label; /* NULL: not asked for */
} cob_line_document;

typedef struct cob_line_reader {
    const cobloc_text_options *options;
    bool first;     /* the next line is the first of the file: it must have the field */
    char *repaired; /* room for a line without invalid bytes */
    size_t capacity;
} cob_line_reader;

/* Reads a line, which is not blank. Adds to *invalid the bytes that are not UTF-8, which are taken
 * for blanks. */
cobloc_status cob_json_line_read(cob_line_reader *reader, const char *line, size_t size,
                                 int64_t *invalid, cob_line_document *document, cobloc_error *err);
void cob_line_document_free(cob_line_document *document);
void cob_line_reader_free(cob_line_reader *reader);

#endif
