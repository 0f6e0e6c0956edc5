/* The bytes of a regular file, decompressed if it is gzip.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_SOURCE_H
#define COB_BASE_SOURCE_H

#include "base/error.h"
#include "base/progress.h"

typedef struct cob_source cob_source;

/* Opens a regular file. Directories, pipes and devices are rejected, because they could block
 * forever. */
cobloc_status cob_source_open(const char *path, cob_source **out, cobloc_error *err);
void cob_source_close(cob_source *source);

/* Reads up to `want` bytes; *got < want only at the end. */
cobloc_status cob_source_read(cob_source *source, char *bytes, size_t want, size_t *got,
                              cobloc_error *err);

/* All bytes that follow, in memory that *bytes owns also after a failure, with a NUL behind them.
 */
cobloc_status cob_source_read_all(cob_source *source, char **bytes, size_t *count,
                                  cobloc_error *err);

/* Reports how much is read, from 0 to 1; a failure where the caller wants to stop. */
cobloc_status cob_report_reading(const cobloc_progress *progress, double done, cobloc_error *err);

/* From now on, the bytes are those of the text in UTF-8, which is stored in another encoding. The
 * source must stand at its first byte. */
cobloc_status cob_source_convert(cob_source *source, const char *encoding, cobloc_error *err);

int cob_source_converts(const cob_source *source);

/* Returns to the first byte. */
cobloc_status cob_source_rewind(cob_source *source, cobloc_error *err);

const char *cob_source_path(const cob_source *source);
int cob_source_is_gzip(const cob_source *source);

/* The stored size of the file, and how much of it has been consumed. */
int64_t cob_source_stored_bytes(const cob_source *source);
int64_t cob_source_consumed_bytes(const cob_source *source);

/* Whether `expanded` bytes from `stored` must be a decompression bomb. */
int cob_is_bomb(int64_t stored, int64_t expanded);

#endif
