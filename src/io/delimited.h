/* Delimited text (RFC 4180): records of fields, separated by commas, tabs, semicolons or blanks.
 *
 * A field may be quoted with double quotes; inside them delimiters and line breaks are text, and ""
 * is one quote. A quote that is not at the start of a field is an ordinary character. Spaces around
 * a field, outside its quotes, are not part of it. Records end in \n or \r\n; records that are
 * empty or only spaces are ignored everywhere, and not counted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_DELIMITED_H
#define COB_IO_DELIMITED_H

#include "base/file.h"
#include "io/blocks.h"

#include <stdbool.h>

/* The delimiter that means any run of spaces and tabs. */
#define COB_BLANKS ' '

/* ---- records and fields ---------------------------------------------------------------------- */

typedef struct cob_field {
    const char *text; /* inside the quotes, if any */
    size_t length;
    bool quoted;
    bool doubled; /* quoted and contains "": use cob_field_plain */
} cob_field;

/* Iterates over the fields of one record. */
typedef struct cob_record {
    const char *text;
    const char *end;  /* of the record, before its line break */
    const char *next; /* where the next field starts */
    bool more;        /* there is another field */
    char delimiter;
    const char *problem; /* set if the record is malformed: what was found and expected */
} cob_record;

/* Iterates over the records of a text, which starts with one. */
typedef struct cob_records {
    const char *next;
    const char *end;
    const char *nul; /* the first NUL byte, or NULL if there is none */
    char delimiter;
    bool complete; /* the last record counts even without a line break */
} cob_records;

cob_records cob_records_of(const char *text, size_t size, bool complete, char delimiter);
bool cob_records_next(cob_records *records, cob_record *record);
bool cob_record_next(cob_record *record, cob_field *field);

/* The number of fields; -1 if the record is malformed, with the reason in *problem. */
int64_t cob_record_count(const cob_record *record, const char **problem);

/* Buffer for cob_field_plain; zero-initialised. Free with cob_free(room.bytes). */
typedef struct cob_room {
    char *bytes;
    size_t capacity;
} cob_room;

/* The text of a field with "" replaced by one quote: the field's own bytes or, if it contains "",
 * those of the room. */
cobloc_status cob_field_plain(const cob_field *field, cob_room *room, const char **text,
                              size_t *length, cobloc_error *err);

/* An excerpt of the field for messages: at most 40 bytes. */
typedef struct cob_excerpt {
    char text[48];
} cob_excerpt;
cob_excerpt cob_field_excerpt(const cob_field *field);

/* Whether the field is this word, ignoring ASCII case. */
bool cob_field_is(const cob_field *field, const char *word);

/* Whether the field is one of the words in a NULL-terminated list. */
bool cob_field_among(const cob_field *field, const char *const *words);

/* Whether the field is an unquoted non-negative integer below 10^18. */
bool cob_field_integer(const cob_field *field, int64_t *value);

typedef enum cob_cell {
    COB_CELL_NUMBER,  /* 12, 0.5, 1e-3 */
    COB_CELL_MISSING, /* nothing, NA, nan, null, ? or . */
    COB_CELL_WORD,    /* y, yes, t, true: 1; n, no, f, false: 0 */
    COB_CELL_TEXT     /* anything else: no value */
} cob_cell;

cob_cell cob_field_value(const cob_field *field, double *value);

/* Writes a string as a quoted field. */
void cob_file_quoted(cob_file *file, const char *text);

/* ---- the start of a file --------------------------------------------------------------------- */

/* The shape of the first records of a text under one delimiter. */
typedef struct cob_split {
    char delimiter;
    int64_t records;      /* examined */
    int64_t first_fields; /* of the first record */
    int64_t fields;       /* of the other records; if there is only one record, of that one */
    bool consistent;      /* all others have that many, and the first as many or one fewer; none is
                             malformed */
} cob_split;

cob_split cob_split_by(char delimiter, const char *text, size_t size, int complete);

/* Whether all records have the same number of fields, at least two. */
bool cob_split_is_table(const cob_split *split);

/* The best split by commas, tabs and semicolons. Splits that make a table come first; then the
 * delimiter that comes first in the text; then the most fields. */
cob_split cob_split_table(const char *text, size_t size, int complete);

/* Chooses the delimiter of a text by its first records. */
typedef cob_split (*cob_choose_fn)(const char *text, size_t size, int complete);

/* The start of a file: `size` bytes from its first record, without a byte order mark. It holds at
 * least two whole records, if the file does. */
typedef struct cob_peek {
    char *text;
    size_t size;
    size_t capacity;
    size_t mark; /* length of the byte order mark */
    int complete;
    cob_split split;
} cob_peek;

/* Reads the start of a file, then returns to its first record. Free the peek even after a failure.
 */
cobloc_status cob_peek_read(cob_source *source, cob_choose_fn choose, cob_peek *peek,
                            cobloc_error *err);
cobloc_status cob_peek_rewind(const cob_peek *peek, cob_source *source, cobloc_error *err);
void cob_peek_free(cob_peek *peek);

/* The length of a byte order mark at the start of a text: 3 or 0. */
size_t cob_byte_order_mark(const char *text, size_t size);

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The cut function for cob_blocks that respects quotes, for one of the delimiters above. */
cob_cut_fn cob_cut_records(char delimiter);

/* The line number at which a record starts, if the text at `start` is on line `first_line`. */
int64_t cob_record_line(const cob_record *record, const char *start, int64_t first_line);

#endif
