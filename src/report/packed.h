/* Numbers and names as the page stores them: bytes, deflated, in base64.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_PACKED_H
#define COB_REPORT_PACKED_H

#include "base/file.h"

#include <stdbool.h>

/* Growing bytes. The first failure is remembered in `failed`, so that adding needs no checks.
 * Zero-initialised. */
typedef struct cob_bytes {
    unsigned char *data;
    size_t size, capacity;
    bool failed;
} cob_bytes;

void cob_bytes_free(cob_bytes *bytes);
void cob_bytes_add(cob_bytes *bytes, const void *data, size_t size);
void cob_bytes_byte(cob_bytes *bytes, unsigned char byte);
/* Seven bits per byte, lowest first; the highest bit is set if more follow. */
void cob_bytes_varint(cob_bytes *bytes, uint64_t number);

/* Deflates (zlib format) into new memory; the input is released. */
cobloc_status cob_bytes_deflate(cob_bytes *bytes, cob_bytes *out, cobloc_error *err);

void cob_write_base64(cob_file *file, const cob_bytes *bytes);

#endif
