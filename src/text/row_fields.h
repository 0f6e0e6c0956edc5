/* What else is known of a document: the short fields of its JSON object or table row, the date of a
 * mail, the folder of a file. A counter keeps one record per document; all records together become
 * the fields of the matrix.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_ROW_FIELDS_H
#define COB_TEXT_ROW_FIELDS_H

#include "io/blocks.h"
#include "matrix/matrix.h"
#include "text/options.h"

#include <jansson.h>

/* At most so many fields are kept; unasked ones with names of so many bytes, and up to so many
 * bytes in all. */
enum { COB_MOST_FIELDS = 32, COB_FIELD_NAME = 64, COB_MOST_FIELD_BYTES = 1 << 26 };

/* Zero-initialised. */
typedef struct cob_row_fields {
    cob_names records; /* one per document: names and values */
    cob_buffer room;   /* the record of the current document */
    bool full;         /* unasked fields took too much: none are kept */
} cob_row_fields;

void cob_row_fields_free(cob_row_fields *fields);

/* Whether any field is kept, and whether this one is, if its values are short. */
bool cob_fields_wanted(const cobloc_text_options *options);
bool cob_field_is_wanted(const cobloc_text_options *options, const char *name);

/* Adds a field of the current document, if it is wanted. */
cobloc_status cob_row_fields_add(cob_row_fields *fields, const cobloc_text_options *options,
                                 const char *name, const char *value, size_t size,
                                 cobloc_error *err);

/* Adds the texts, numbers and truth values of an object, but not the document's text and name. */
cobloc_status cob_row_fields_add_json(cob_row_fields *fields, const cobloc_text_options *options,
                                      json_t *object, cobloc_error *err);

/* Ends the document. */
cobloc_status cob_row_fields_end(cob_row_fields *fields, const cobloc_text_options *options,
                                 cobloc_error *err);

/* Gives the matrix the fields of its rows, from their records. Of fields that were not asked for,
 * those stay that most rows have, with at least two values. */
cobloc_status cob_row_fields_keep(const cob_names *records, const cobloc_text_options *options,
                                  cobloc_matrix *matrix, cobloc_error *err);

#endif
