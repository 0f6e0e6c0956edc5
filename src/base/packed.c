/* Lists of texts, compressed.
 * SPDX-License-Identifier: MIT
 */
#include "base/packed.h"

#include "base/alloc.h"
#include "base/failures.h"
#include "base/inflate.h"
#include "base/parallel.h"

#include <string.h>
#include <zlib.h>

/* Texts of a block, and the most bytes that these can take. */
enum { BLOCK_TEXTS = 64, MOST_BYTES = 1 << 27 };

enum { SIZE_BYTES = 4, LEVEL = 3 };

int64_t cob_packed_blocks(int64_t texts)
{
    return (texts + BLOCK_TEXTS - 1) / BLOCK_TEXTS;
}

/* ---- compressing ----------------------------------------------------------------------------- */

void cob_packed_free(cob_packed *packed)
{
    if (packed->owned) {
        cob_free((void *)(uintptr_t)packed->offsets);
        cob_free((void *)(uintptr_t)packed->bytes);
    }
    *packed = (cob_packed){0};
}

/* The texts of a block as one piece of memory. */
static const char *block_text(const cob_names *texts, int64_t block, size_t *size)
{
    int64_t first = block * BLOCK_TEXTS, after = first + BLOCK_TEXTS;
    size_t start = (size_t)texts->offsets[first];
    size_t end = after < texts->count ? (size_t)texts->offsets[after] : texts->size;
    *size = end - start;
    return texts->bytes + start;
}

static cobloc_status pack_block(const char *text, size_t size, unsigned char **bytes,
                                uint64_t *packed_size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uLongf room = compressBound((uLong)size);
    COB_NEW(*bytes, room + SIZE_BYTES);
    for (int i = 0; i < SIZE_BYTES; i++)
        (*bytes)[i] = (unsigned char)(size >> (8 * i));
    COB_CHECK(compress2(*bytes + SIZE_BYTES, &room, (const Bytef *)text, (uLong)size, LEVEL) ==
                  Z_OK,
              COBLOC_NO_MEMORY, "out of memory");
    *packed_size = room + SIZE_BYTES;
done:
    return status;
}

/* Puts the blocks one behind the other. */
static cobloc_status join(unsigned char *const *blocks, uint64_t *offsets, int64_t count,
                          cob_packed *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    unsigned char *all = NULL;
    uint64_t total = 0;
    for (int64_t b = 0; b <= count; b++) {
        uint64_t size = b < count ? offsets[b] : 0;
        offsets[b] = total;
        total += size;
    }
    COB_NEW(all, total);
    for (int64_t b = 0; b < count; b++)
        memcpy(all + offsets[b], blocks[b], offsets[b + 1] - offsets[b]);
    *out = (cob_packed){offsets, all, total, true};
done:
    return status;
}

cobloc_status cob_pack(const cob_names *texts, int threads, cob_packed *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t count = cob_packed_blocks(texts->count);
    unsigned char **blocks = NULL;
    uint64_t *offsets = NULL;
    cob_failures failed = COB_NO_FAILURE;
    COB_NEW_ZERO(blocks, count);
    COB_NEW(offsets, count + 1);
#pragma omp parallel for schedule(dynamic) num_threads(cob_threads(threads))
    for (int64_t b = 0; b < count; b++) {
        size_t size;
        cobloc_error own;
        const char *text = block_text(texts, b, &size);
        cob_failures_note(&failed, b, pack_block(text, size, &blocks[b], &offsets[b], &own), &own);
    }
    COB_TRY(cob_failures_end(&failed, err));
    COB_TRY(join(blocks, offsets, count, out, err));
    offsets = NULL;
done:
    for (int64_t b = 0; blocks && b < count; b++)
        cob_free(blocks[b]);
    cob_free(blocks);
    cob_free(offsets);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Expands a block of a file, which may be damaged. */
static cobloc_status unpack_block(const cob_packed *packed, int64_t block, char **text,
                                  size_t *size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint64_t from = packed->offsets[block], to = packed->offsets[block + 1];
    const unsigned char *bytes = packed->bytes + from;
    z_stream stream = {0};
    bool open = false;
    *size = 0;
    COB_CHECK(from <= to && to <= packed->size && to - from > SIZE_BYTES, COBLOC_BAD_DATA,
              "the texts of the documents are damaged");
    for (int i = 0; i < SIZE_BYTES; i++)
        *size |= (size_t)bytes[i] << (8 * i);
    COB_CHECK(*size > 0 && *size <= MOST_BYTES && *size / 1100 <= to - from, COBLOC_BAD_DATA,
              "the texts of the documents are damaged");
    COB_NEW(*text, *size + 1);
    cob_inflate_with_ours(&stream);
    COB_CHECK(inflateInit(&stream) == Z_OK, COBLOC_NO_MEMORY, "out of memory");
    open = true;
    stream.next_in = (Bytef *)(uintptr_t)(bytes + SIZE_BYTES);
    stream.avail_in = (uInt)(to - from - SIZE_BYTES);
    stream.next_out = (Bytef *)*text;
    stream.avail_out = (uInt)*size;
    COB_CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0, COBLOC_BAD_DATA,
              "the texts of the documents are damaged");
    (*text)[*size] = '\0';
done:
    if (open)
        inflateEnd(&stream);
    return status;
}

cobloc_status cob_unpack(const cob_packed *packed, int64_t number, char **text, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *block = NULL;
    size_t size, at = 0;
    COB_TRY(unpack_block(packed, number / BLOCK_TEXTS, &block, &size, err));
    for (int64_t skip = number % BLOCK_TEXTS; skip > 0 && at < size; skip--)
        at += strlen(block + at) + 1;
    COB_CHECK(at < size, COBLOC_BAD_DATA, "the texts of the documents are damaged");
    status = cob_copy_text(block + at, text, err);
done:
    cob_free(block);
    return status;
}
