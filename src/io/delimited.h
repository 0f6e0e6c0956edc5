/* Delimited text (RFC 4180): records of fields, between commas, tabs, semicolons or blanks.
 *
 * A field may stand in double quotes; within them a delimiter and a line break are text, and "" is
 * one quote. A quote elsewhere than at the start of a field is an ordinary character. Spaces around
 * a field are not part of it, unless they stand within its quotes. Records end in \n or \r\n; those
 * that hold nothing but spaces are left out everywhere, and not counted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_DELIMITED_H
#define COB_IO_DELIMITED_H

#include "base/file.h"
#include "io/blocks.h"

#include <stdbool.h>

/* The delimiter that stands for any run of spaces and tabs. */
#define COB_BLANKS ' '

/* ---- records and fields ---------------------------------------------------------------------- */

typedef struct cob_field {
    const char *text; /* between the quotes, if there are any */
    size_t length;
    bool quoted;
    bool doubled; /* quoted, and holds "": use cob_field_plain */
} cob_field;

/* Walks the fields of one record. */
typedef struct cob_record {
    const char *text;
    const char *end;  /* of the record, without its line break */
    const char *next; /* where the next field starts */
    bool more;        /* there is one */
    char delimiter;
    const char *problem; /* set where it is broken: what was found, what was expected */
} cob_record;

/* Walks the records of a text that starts with one. */
typedef struct cob_records {
    const char *next;
    const char *end;
    const char *nul; /* the first NUL byte, or NULL: text has none */
    char delimiter;
    bool complete; /* what ends with the text is a record, too, though it has no line break */
} cob_records;

cob_records cob_records_of(const char *text, size_t size, bool complete, char delimiter);
bool cob_records_next(cob_records *records, cob_record *record);
bool cob_record_next(cob_record *record, cob_field *field);

/* The number of fields; -1 where the record is broken, and then what is wrong with it. */
int64_t cob_record_count(const cob_record *record, const char **problem);

/* Bytes for cob_field_plain, grown as needed; zero-initialised. Release with cob_free(room.bytes).
 * */
typedef struct cob_room {
    char *bytes;
    size_t capacity;
} cob_room;

/* The text of a field with "" as one quote: the field's own bytes, or, where it holds such, those
 * of the room. */
cobloc_status cob_field_plain(const cob_field *field, cob_room *room, const char **text,
                              size_t *length, cobloc_error *err);

/* The field in a form that fits a message: at most 40 bytes. */
typedef struct cob_excerpt {
    char text[48];
} cob_excerpt;
cob_excerpt cob_field_excerpt(const cob_field *field);

/* True where the field is this word in ASCII, whatever its case. */
bool cob_field_is(const cob_field *field, const char *word);

/* True where the field is one of the words, which end in NULL. */
bool cob_field_among(const cob_field *field, const char *const *words);

/* True where the field is an unquoted non-negative integer below 10^18. */
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

/* ---- a look at the start --------------------------------------------------------------------- */

/* How the first records of a text split. */
typedef struct cob_split {
    char delimiter;
    int64_t records;      /* looked at */
    int64_t first_fields; /* of the first record */
    int64_t fields;       /* of the others; where there is only one, of that one */
    bool consistent;      /* all others have so many, the first too or one less; none is broken */
} cob_split;

cob_split cob_split_by(char delimiter, const char *text, size_t size, int complete);

/* True where the records have the same number of fields, two or more. */
bool cob_split_is_table(const cob_split *split);

/* The best of the splits by commas, tabs and semicolons: those that make a table; of several, the
 * one whose delimiter comes first in the text, then the one with the most fields. */
cob_split cob_split_table(const char *text, size_t size, int complete);

/* Picks the delimiter of a text by its first records. */
typedef cob_split (*cob_choose_fn)(const char *text, size_t size, int complete);

/* The start of a file: `size` bytes from its first record on (a byte order mark is left out), with
 * at least two whole records where it has so many. */
typedef struct cob_peek {
    char *text;
    size_t size;
    size_t capacity;
    size_t mark; /* bytes of the byte order mark */
    int complete;
    cob_split split;
} cob_peek;

/* Reads the start of a file, then goes back to its first record. Free the peek, also after a
 * failure. */
cobloc_status cob_peek_read(cob_source *source, cob_choose_fn choose, cob_peek *peek,
                            cobloc_error *err);
cobloc_status cob_peek_rewind(const cob_peek *peek, cob_source *source, cobloc_error *err);
void cob_peek_free(cob_peek *peek);

/* The bytes of a byte order mark at the start of a text: 3 or 0. */
size_t cob_byte_order_mark(const char *text, size_t size);

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The cut for cob_blocks that respects quotes, for one of the delimiters above. */
cob_cut_fn cob_cut_records(char delimiter);

/* The number of the line in which a record starts, where the text at `start` is in `first_line`. */
int64_t cob_record_line(const cob_record *record, const char *start, int64_t first_line);

#endif
