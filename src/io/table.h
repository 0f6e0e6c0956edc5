/* Small text tables: a header, then one record per line, in order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_TABLE_H
#define COB_IO_TABLE_H

#include "base/error.h"

/* Receives the line from `line` to `end`, which is a line end or a NUL. */
typedef cobloc_status (*cob_line_fn)(void *context, const char *line, const char *end,
                                     cobloc_error *err);

/* Reads a file whose first line starts with `header`. Errors in a line are reported with the file's
 * name and the line number. */
cobloc_status cob_table_read(const char *path, const char *header, cob_line_fn take, void *context,
                             cobloc_error *err);

#endif
