/* Bytes, deflated, in base64.
 * SPDX-License-Identifier: MIT
 */
#include "report/entries.h"

#include "base/alloc.h"

#include <string.h>
#include <zlib.h>

void cob_bytes_free(cob_bytes *bytes)
{
    cob_free(bytes->data);
    *bytes = (cob_bytes){0};
}

void cob_bytes_add(cob_bytes *bytes, const void *data, size_t size)
{
    if (bytes->failed || size == 0)
        return;
    if (!cob_grow(&bytes->data, &bytes->capacity, bytes->size + size, 1)) {
        bytes->failed = true;
        return;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void cob_bytes_byte(cob_bytes *bytes, unsigned char byte)
{
    if (bytes->size < bytes->capacity)
        bytes->data[bytes->size++] = byte;
    else
        cob_bytes_add(bytes, &byte, 1);
}

void cob_bytes_varint(cob_bytes *bytes, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        cob_bytes_byte(bytes, (unsigned char)(number | 128));
    cob_bytes_byte(bytes, (unsigned char)number);
}

cobloc_status cob_bytes_deflate(cob_bytes *bytes, cob_bytes *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_bytes packed = {0};
    uLongf size = compressBound((uLong)bytes->size);
    COB_CHECK(!bytes->failed, COBLOC_NO_MEMORY, "out of memory");
    COB_NEW(packed.data, size);
    COB_CHECK(compress2(packed.data, &size, bytes->data ? bytes->data : packed.data,
                        (uLong)bytes->size, Z_DEFAULT_COMPRESSION) == Z_OK,
              COBLOC_NO_MEMORY, "out of memory");
    packed.size = packed.capacity = size;
    *out = packed;
    packed = (cob_bytes){0};
done:
    cob_bytes_free(&packed);
    cob_bytes_free(bytes);
    return status;
}

void cob_write_base64(cob_file *file, const cob_bytes *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes->size; i += 3) {
        size_t left = bytes->size - i;
        unsigned three = (unsigned)bytes->data[i] << 16;
        three |= left > 1 ? (unsigned)bytes->data[i + 1] << 8 : 0;
        three |= left > 2 ? bytes->data[i + 2] : 0;
        char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                        left > 1 ? digits[three >> 6 & 63] : '=',
                        left > 2 ? digits[three & 63] : '='};
        cob_file_bytes(file, four, 4);
    }
}
