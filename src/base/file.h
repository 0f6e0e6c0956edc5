/* Writing files: a file appears under its name complete, or not at all.
 *
 * A cob_file writes to a temporary file beside the target. cob_file_commit flushes it to disk and
 * renames it; cob_file_close without a commit removes it. Links are followed to the file they name.
 * "-" (standard output), devices and pipes are written straight through (base/target.h). The first
 * failure is remembered and reported by the commit, so that the many small writes in between need
 * no checks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_FILE_H
#define COB_BASE_FILE_H

#include "base/error.h"

#include <stdbool.h>

typedef struct cob_file cob_file;

/* Opens the file. A path that ends in ".gz" is compressed with gzip. */
cobloc_status cob_file_create(const char *path, cob_file **out, cobloc_error *err);

void cob_file_bytes(cob_file *file, const void *bytes, size_t count);
void cob_file_text(cob_file *file, const char *text);
void cob_file_char(cob_file *file, char c);
void cob_file_integer(cob_file *file, int64_t value);
/* As printf does it in the plain locale (base/plain.h). */
void cob_file_print(cob_file *file, const char *format, ...) COB_PRINTF(2, 3);
/* The shortest text that reads back as the same value. */
void cob_file_number(cob_file *file, double value);

/* Writes a name for a table: tabs, line ends and backslashes become \t, \n, \r and \\. */
void cob_file_name(cob_file *file, const char *name);

/* FOLDER/NAME, in new memory; NULL if out of memory. */
char *cob_path_inside(const char *folder, const char *name);

/* Whether a path ends in `ending`, ignoring case, with at least one character before it. */
bool cob_path_ends(const char *path, const char *ending);
/* The same, where ".gz" may follow the ending. */
bool cob_path_ends_gz(const char *path, const char *ending);

/* The temporary path, for libraries that write to a path themselves. They must leave a complete
 * file. NULL if the file is written straight through. */
const char *cob_file_temporary_path(const cob_file *file);
/* The final path, for messages. */
const char *cob_file_path(const cob_file *file);

/* CRC-32 of what has been written; call it after the commit. */
uint32_t cob_file_digest(const cob_file *file);

/* Flushes the folder that holds a path, so that a rename in it survives a crash as well. */
void cob_sync_folder_of(const char *path);

/* Makes the file appear. Call cob_file_close afterwards, also after a failure. */
cobloc_status cob_file_commit(cob_file *file, cobloc_error *err);
void cob_file_close(cob_file *file);

#endif
