/* Small tables of text: a header, then a line for each record, in their order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_TABLE_H
#define COB_IO_TABLE_H

#include "base/error.h"

/* Takes the line from `line` up to `end`, which is a line end or a NUL. */
typedef cobloc_status (*cob_line_fn)(void *context, const char *line, const char *end,
                                     cobloc_error *err);

/* Reads a file whose first line starts with `header`; what is wrong in a line is reported with the
 * file's name and the line's number. */
cobloc_status cob_table_read(const char *path, const char *header, cob_line_fn take, void *context,
                             cobloc_error *err);

#endif
