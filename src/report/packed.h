/* Numbers and names as the page holds them: bytes, deflated, in base64.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_PACKED_H
#define COB_REPORT_PACKED_H

#include "base/file.h"

#include <stdbool.h>

/* Bytes that grow. The first failure sticks (`failed`), so that adding needs no checks. Starts
 * zeroed. */
typedef struct cob_bytes {
    unsigned char *data;
    size_t size, capacity;
    bool failed;
} cob_bytes;

void cob_bytes_free(cob_bytes *bytes);
void cob_bytes_add(cob_bytes *bytes, const void *data, size_t size);
void cob_bytes_byte(cob_bytes *bytes, unsigned char byte);
/* Seven bits a byte, the lowest first; the highest bit says that more follow. */
void cob_bytes_varint(cob_bytes *bytes, uint64_t number);

/* Deflated (the zlib format), in new memory; the input is released. */
cobloc_status cob_bytes_deflate(cob_bytes *bytes, cob_bytes *out, cobloc_error *err);

/* Writes bytes as base64. */
void cob_write_base64(cob_file *file, const cob_bytes *bytes);

#endif
