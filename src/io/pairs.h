/* Shared by svmlight and LDA-C: lines of "index:value" pairs, one row of the matrix per line. Blank
 * lines and lines that start with # are ignored.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_PAIRS_H
#define COB_IO_PAIRS_H

#include "base/scan.h"
#include "io/formats.h"

/* At the end of a row: the end of the line, or a comment. */
static inline bool cob_pairs_end(const char *p)
{
    return *p == '\n' || *p == '\0' || *p == '#';
}

/* At the end of a word. */
static inline bool cob_pairs_gap(const char *p)
{
    return *p == ' ' || *p == '\t' || *p == '\r' || cob_pairs_end(p);
}

/* Reads "index:value" up to a blank or the end, and moves *p past it. Returns false, with *p
 * unmoved, if there is no such pair. */
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

/* For cob_parse_lines: lines that are no rows. */
#define COB_NO_PAIRS "\n#"

/* ---- recognition ----------------------------------------------------------------------------- */

/* Moves *text past the pairs of a row, to where cob_pairs_end is true; returns their number, or -1
 * if there is anything else. If `cut`, the line is incomplete and may end inside a pair. *whole
 * becomes false if a value is not a count. */
int64_t cob_pairs_count(const char **text, bool cut, bool *whole);

/* The same for a whole row, including what precedes the pairs. */
typedef int64_t (*cob_pairs_row_fn)(const char **text, bool cut);

/* Whether all rows match and hold at least one pair in total. */
int cob_pairs_recognise(const cob_head *head, cob_pairs_row_fn count_row);

#endif
