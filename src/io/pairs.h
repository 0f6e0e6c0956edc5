/* What svmlight and LDA-C share: lines of "index:value" pairs, each line a row of the matrix. Blank
 * lines and lines that start with # are no rows.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_PAIRS_H
#define COB_IO_PAIRS_H

#include "base/scan.h"
#include "io/formats.h"

/* True at the end of what a row says: that of the line, or a comment. */
static inline bool cob_pairs_end(const char *p)
{
    return *p == '\n' || *p == '\0' || *p == '#';
}

/* True where a word ends. */
static inline bool cob_pairs_gap(const char *p)
{
    return *p == ' ' || *p == '\t' || *p == '\r' || cob_pairs_end(p);
}

/* Reads "index:value" up to a blank or the end; moves *p past it. False, with *p unmoved, if that
 * is not what stands there. */
static inline bool cob_scan_pair(const char **p, int64_t *index, double *value)
{
    const char *s = *p;
    if (!cob_scan_count(&s, index) || *s++ != ':' || !cob_scan_value(&s, value) ||
        !cob_pairs_gap(s))
        return false;
    *p = s;
    return true;
}

/* For cob_blocks: a record is a row. */
size_t cob_pairs_cut(const char *text, size_t size, int final, int64_t *records, int64_t *lines);

/* Parses one row, from its first byte that is not blank; moves *text to where cob_pairs_end is
 * true. */
typedef cobloc_status (*cob_pairs_fn)(void *context, int64_t row, const char **text,
                                      cobloc_error *err);

/* Parses the rows of a block. */
cobloc_status cob_pairs_rows(const cob_block *block, const char *path, cob_pairs_fn parse,
                             void *context, cobloc_error *err);

/* ---- recognition ----------------------------------------------------------------------------- */

/* Moves *text past the pairs of a row, to where cob_pairs_end is true; returns how many there are,
 * or -1 if something else stands there. With `cut` the line is not all there, and may end in half a
 * pair. *whole becomes false where a value is no whole number. */
int64_t cob_pairs_count(const char **text, bool cut, bool *whole);

/* The same for a whole row, beginning with what stands before the pairs. */
typedef int64_t (*cob_pairs_row_fn)(const char **text, bool cut);

/* True where all the rows fit and hold at least one pair. */
int cob_pairs_recognise(const cob_head *head, cob_pairs_row_fn count_row);

#endif
