/* One JSON line: a document's text, and its name and label if requested.
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

#endif
