/* The structure of a dense table of delimited text, found from its first records.
 *
 * - A leading column is text where one of its fields is no value, or stands in quotes while others
 *   of the table do not, or where the header calls it name, id, label, ... without quotes.
 * - The first record is a header if in a column of values it has text, a quoted field above an
 *   unquoted one or a binary word above a number; if it is one field short (the corner, as R
 *   writes); or if it counts or grows: 0, 1, 2, 3, or an empty or text corner and then 1990, 2000.
 * - Column names that just count, 1, 2, 3 or V1, V2, V3 without quotes, are none.
 * - In a table of categories any cell may be text. Unless it is all numbers, its first record is a
 *   header if none of its fields occurs again in its column below. A leading column is text where
 *   its words occur in no other column while the others share some, or where the header says so.
 * - A text column that the header calls label, labels or class holds labels; name, names, row, id
 *   or nothing: row names. Of any other the data decide: row names are all distinct, labels repeat.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_CSV_LAYOUT_H
#define COB_IO_CSV_LAYOUT_H

#include "base/names.h"
#include "io/delimited.h"

enum { COB_CSV_TEXT_COLUMNS = 2 }; /* at most */

typedef enum cob_csv_role { COB_CSV_UNKNOWN, COB_CSV_NAMES, COB_CSV_LABELS } cob_csv_role;

typedef struct cob_csv_layout {
    char delimiter;
    bool header;
    int64_t fields; /* of every record of data */
    int text_columns;
    cob_csv_role roles[COB_CSV_TEXT_COLUMNS];
    cob_names names; /* of the columns of values; empty: they have none. The caller frees them. */
} cob_csv_layout;

/* Finds the structure of a table of numbers or of categories. On failure *line is the line to
 * blame.
 */
cobloc_status cob_csv_find_layout(const cob_peek *peek, bool categories, cob_csv_layout *layout,
                                  int64_t *line, cobloc_error *err);

/* The sentence for a record that is broken or has not the `expected` number of fields. */
cobloc_status cob_csv_fail_record(const cob_record *record, int64_t expected, cobloc_error *err);

#endif
