/* The structure of a dense table of delimited text, found from its first records.
 *
 * - A leading column is text if one of its fields is not a value; if it is quoted while others of
 *   the table are not; or if the header calls it name, id, label, ... without quotes.
 * - The first record is a header if, in a column of values, it has text, a quoted field above an
 *   unquoted one, or a binary word above a number; if it is one field short (without the corner, as
 *   R writes); or if its fields count or increase: 0, 1, 2, 3, or an empty or text corner and then
 *   1990, 2000.
 * - Unquoted column names that only count, 1, 2, 3 or V1, V2, V3, are ignored.
 * - In a table of categories any cell may be text. Unless all its fields are numbers, the first
 *   record is a header if no field occurs again below in its column. A leading column is text if
 *   its words occur in no other column while the others share words, or if the header says so.
 * - A text column that the header calls label, labels or class holds labels; name, names, row, id
 *   or an empty name: row names. Otherwise the data decide: row names are all distinct, labels
 *   repeat.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_CSV_LAYOUT_H
#define COB_IO_CSV_LAYOUT_H

#include "base/intern.h"
#include "base/names.h"
#include "io/delimited.h"
#include "io/formats.h"

enum { COB_CSV_TEXT_COLUMNS = 2 }; /* at most */

typedef enum cob_csv_role { COB_CSV_UNKNOWN, COB_CSV_NAMES, COB_CSV_LABELS } cob_csv_role;

typedef struct cob_csv_layout {
    char delimiter;
    bool header;
    int64_t fields; /* of every data record */
    int text_columns;
    cob_csv_role roles[COB_CSV_TEXT_COLUMNS];
    cob_names names; /* of the value columns; empty: unnamed. The caller frees them. */
} cob_csv_layout;

/* Finds the structure of a table of numbers or of categories. On failure *line is the number of the
 * offending line. */
cobloc_status cob_csv_find_layout(const cob_peek *peek, bool categories, cob_csv_layout *layout,
                                  int64_t *line, cobloc_error *err);

/* Sets the message for a record that is malformed or has a wrong number of fields. */
cobloc_status cob_csv_fail_record(const cob_record *record, int64_t expected, cobloc_error *err);

/* ---- tables of categories (csv_categories.c) ------------------------------------------------- */

/* The categories of a dense table of words: a first pass over the file counts them. The code of a
 * word is its rank by frequency (then by bytes), so the most frequent word is 0, which is not
 * stored.
 *
 * If all words are whole numbers, these are the codes, and there are no words. A missing cell is a
 * word like any other, unless missing cells are kept as missing. */

/* All zero: no categories. */
typedef struct cob_csv_categories {
    cob_intern words; /* numbered by their codes */
    bool ignore;      /* missing cells are not words */
} cob_csv_categories;

void cob_csv_categories_free(cob_csv_categories *categories);

/* Reads the source from its first record to the end. */
cobloc_status cob_csv_find_categories(const cob_reading *reading, const cob_csv_layout *layout,
                                      cob_csv_categories *categories, cobloc_error *err);

/* The code of a cell; NAN: it is missing. */
cobloc_status cob_csv_code(const cob_csv_categories *categories, const cob_field *field,
                           cob_room *room, double *code, cobloc_error *err);

cobloc_status cob_csv_category_names(const cob_csv_categories *categories, cob_names *names,
                                     cobloc_error *err);

#endif
