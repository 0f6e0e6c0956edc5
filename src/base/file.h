/* Atomic file writing: a file appears under its name complete, or not at all.
 *
 * A cob_file writes to a temporary name beside the target; cob_file_commit flushes it to the disk
 * and renames it; cob_file_close without a commit removes it. The first failure sticks and is
 * reported by the commit, so that the many small writes in between need no checks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_FILE_H
#define COB_BASE_FILE_H

#include "base/error.h"

#include <stdbool.h>

typedef struct cob_file cob_file;

/* Opens the temporary file; compresses with gzip where the path ends in ".gz". */
cobloc_status cob_file_create(const char *path, cob_file **out, cobloc_error *err);

void cob_file_bytes(cob_file *file, const void *bytes, size_t count);
void cob_file_text(cob_file *file, const char *text);
void cob_file_char(cob_file *file, char c);
void cob_file_integer(cob_file *file, int64_t value);
/* The shortest text that reads back as the same value. */
void cob_file_number(cob_file *file, double value);

/* A name for a table: tabs, line ends and backslashes as \t, \n, \r and \\. */
void cob_file_name(cob_file *file, const char *name);

/* FOLDER/NAME, in new memory; NULL if out of memory. */
char *cob_path_inside(const char *folder, const char *name);

/* Whether a path ends in `ending`, in upper or lower case, with something before it. */
bool cob_path_ends(const char *path, const char *ending);
/* The same, where ".gz" may follow the ending. */
bool cob_path_ends_gz(const char *path, const char *ending);

/* The temporary name: for libraries that write to a path themselves. They must leave a whole file.
 */
const char *cob_file_temporary_path(const cob_file *file);
/* The name that the file will have, for messages. */
const char *cob_file_path(const cob_file *file);

/* Makes the file appear. Then, or after a failure, still call cob_file_close. */
cobloc_status cob_file_commit(cob_file *file, cobloc_error *err);
void cob_file_close(cob_file *file);

#endif
