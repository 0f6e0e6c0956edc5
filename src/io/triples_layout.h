/* The structure of a file of triples, found from its first records.
 *
 * By content, a file is recognised as triples if all of the first records have three fields and
 * - the shape comes first, and all indices are below it; or
 * - a header comes first whose third word is a usual one (value, count, weight, ...) or whose first
 *   two are (row and col, user and item, ...), and every third field is a number; if the header is
 *   quoted, all of its words must be usual, and there must be names; or
 * - there is no header, but at least three records of two integers and a non-zero number, no pair
 *   of integers occurs twice and, if the whole file was seen, fewer than half of the cells of such
 * a matrix are present. Anything else may just as well be a dense table of three columns.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_TRIPLES_LAYOUT_H
#define COB_IO_TRIPLES_LAYOUT_H

#include "io/delimited.h"
#include "io/formats.h"

enum { COB_ROW = 0, COB_COLUMN = 1 };

typedef struct cob_triples_layout {
    char delimiter;
    bool header; /* the first record is not an entry */
    bool shaped; /* it is the shape */
    int64_t rows, cols;
    int64_t fields; /* 2 or 3 */
    int64_t base;   /* index of the first row in the file: 0 or 1 */
    bool named[2];  /* the axis has names, not numbers */
} cob_triples_layout;

/* The first three fields of a record. */
typedef struct cob_triple {
    int64_t count; /* of all fields; -1 if the record is malformed: see `problem` */
    cob_field field[3];
    const char *problem;
} cob_triple;

cob_triple cob_triple_of(cob_record record);

/* Whether the field is an unquoted integer that can be an index. */
bool cob_field_index(const cob_field *field, int64_t *index);

/* Finds the structure. Later records may contradict it, which is noticed when they are read. */
cob_split cob_triples_choose_delimiter(const char *text, size_t size, int complete);
void cob_triples_find_layout(const cob_peek *peek, cob_triples_layout *layout);

int cob_triples_recognise(const cob_head *head);

#endif
