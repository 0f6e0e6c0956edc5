/* Documents in an archive, .tar (compressed or not) or .zip, read without unpacking it: by
 * libarchive, which is loaded when it is needed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_ARCHIVE_H
#define COB_TEXT_ARCHIVE_H

#include "io/blocks.h"

#include <stdbool.h>

typedef struct cob_archive cob_archive;

/* Whether the ending of a path is that of an archive. */
bool cob_is_archive(const char *path);

cobloc_status cob_archive_open(const char *path, cob_archive **out, cobloc_error *err);
void cob_archive_close(cob_archive *archive);

/* The path of the next regular file, valid until the next call; NULL at the end. */
cobloc_status cob_archive_next(cob_archive *archive, const char **name, cobloc_error *err);

/* Reads the whole file, up to COB_LONG_RECORD bytes, into `to`. */
cobloc_status cob_archive_read(cob_archive *archive, cob_buffer *to, cobloc_error *err);

#endif
