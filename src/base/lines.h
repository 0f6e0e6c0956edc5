/* The lines of a text file, or of a column of a table that may also have names.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_LINES_H
#define COB_BASE_LINES_H

#include "base/error.h"

/* The lines of a text file. Or those of a table, separated by tabs or commas, whose header has a
 * `cluster`, `label` or `class` and may have a `name` (such as rows.tsv): then `line` is the
 * former. Zero-initialised: no lines. */
typedef struct cob_lines {
    const char **line;
    const char **name; /* of a table that has them; else NULL */
    int64_t *number;   /* where each stands in the file, from 1 */
    int64_t count;
    int64_t blank; /* blank lines at the end, which are not counted */
    char *text;    /* what they are part of */
} cob_lines;

/* Free with cob_lines_free in any case. */
cobloc_status cob_lines_read(const char *path, cob_lines *lines, cobloc_error *err);
void cob_lines_free(cob_lines *lines);

#endif
