/* The structure of a file of triples, found from its first records.
 *
 * By content, a file is taken for triples if all of the first records have three fields and
 * - the shape comes first, and all indices stay below it; or
 * - a header comes first whose third word is one of the usual ones (value, count, weight, ...) or
 *   whose first two are (row and col, user and item, ...), and every third field is a number; where
 *   the header is quoted, all of its words are usual, and there are names; or
 * - without a header: three records or more, two integers and a number that is not 0, no pair of
 *   integers twice, and, where the whole file was seen, fewer than half of the cells of such a
 *   matrix. Anything else may just as well be a dense table of three columns.
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
    bool header; /* the first record is no entry */
    bool shaped; /* it is the shape */
    int64_t rows, cols;
    int64_t fields; /* 2 or 3 */
    int64_t base;   /* what the first row is called: 0 or 1 */
    bool named[2];  /* the axis has names, not numbers */
} cob_triples_layout;

/* The fields of a record, of which the first three are kept. */
typedef struct cob_triple {
    int64_t count; /* of all; -1 where the record is broken: see `problem` */
    cob_field field[3];
    const char *problem;
} cob_triple;

cob_triple cob_triple_of(cob_record record);

/* True where the field is an unquoted integer that can be an index. */
bool cob_field_index(const cob_field *field, int64_t *index);

/* Finds the structure; what later records contradict is found when they come. */
cob_split cob_triples_choose_delimiter(const char *text, size_t size, int complete);
void cob_triples_find_layout(const cob_peek *peek, cob_triples_layout *layout);

int cob_triples_recognise(const cob_head *head);

#endif
