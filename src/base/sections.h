/* Files of named sections of bytes, with a checksum: what one process writes for a later one of the
 * same program on the same kind of machine.
 *
 *     magic   "cobloc-state-1\n", and a byte that tells the order of bytes in numbers
 *     any number of: name (16 bytes, padded with zeros), length (8 bytes), the bytes
 *     CRC-32 (4 bytes) of all before
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_SECTIONS_H
#define COB_BASE_SECTIONS_H

#include "base/error.h"

#include <stdbool.h>

enum { COB_SECTION_NAME = 16 };

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct cob_sections_file cob_sections_file;

/* With a path of NULL it is made in memory. */
cobloc_status cob_sections_create(const char *path, cob_sections_file **out, cobloc_error *err);
/* Failures are remembered until the end. */
void cob_sections_put(cob_sections_file *file, const char *name, const void *bytes, size_t count);
/* Makes the file appear whole if all went well (`status`). Closes it, which may be NULL, and
 * returns how it went. */
cobloc_status cob_sections_finish(cob_sections_file *file, cobloc_status status, cobloc_error *err);
/* The same for one in memory: hands out its bytes, for cob_free, if all went well. */
cobloc_status cob_sections_take(cob_sections_file *file, cobloc_status status, char **bytes,
                                size_t *count, cobloc_error *err);

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct cob_sections cob_sections;

/* Reads a whole file, and checks that it is one. */
cobloc_status cob_sections_read(const char *path, cob_sections **out, cobloc_error *err);
/* The same of a copy of such bytes; `name` is for messages. */
cobloc_status cob_sections_open(const char *name, const char *bytes, size_t count,
                                cob_sections **out, cobloc_error *err);
void cob_sections_free(cob_sections *sections);

/* The bytes that were read, without the checksum at their end, and how many with it. */
const char *cob_sections_bytes(const cob_sections *sections, size_t *count);

bool cob_sections_has(const cob_sections *sections, const char *name);

/* Copies a section, which must have exactly `count` bytes. */
cobloc_status cob_sections_get(const cob_sections *sections, const char *name, void *bytes,
                               size_t count, cobloc_error *err);

#endif
