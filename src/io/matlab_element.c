/* Data elements: byte streams, tags, numbers.
 * SPDX-License-Identifier: MIT
 */
#include "io/matlab_element.h"

#include "base/alloc.h"
#include "base/inflate.h"
#include "base/source.h"

enum { PLAIN = 1 << 16, COMPRESSED = 1 << 15 };
enum { BATCH = 2048 }; /* numbers converted at a time */

cobloc_status cob_mat_stream_new(cob_binary *file, bool big, cob_mat_stream **out,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mat_stream *s = NULL;
    COB_NEW_ZERO(s, 1);
    s->file = file;
    s->big = big;
    COB_NEW(s->buffer, PLAIN);
    COB_NEW(s->compressed, COMPRESSED);
    cob_inflate_with_ours(&s->z);
    s->inflating = inflateInit(&s->z) == Z_OK;
    COB_CHECK(s->inflating, COBLOC_NO_MEMORY, "out of memory");
    *out = s;
    s = NULL;
done:
    cob_mat_stream_free(s);
    return status;
}

void cob_mat_stream_free(cob_mat_stream *s)
{
    if (!s)
        return;
    if (s->inflating)
        inflateEnd(&s->z);
    cob_free(s->buffer);
    cob_free(s->compressed);
    cob_free(s);
}

cobloc_status cob_mat_stream_start(cob_mat_stream *s, int64_t at, int64_t size, bool deflated,
                                   cobloc_error *err)
{
    s->at = at;
    s->end = at + size;
    s->position = 0;
    s->used = s->filled = 0;
    s->deflated = deflated;
    s->ended = false;
    s->z.avail_in = 0;
    return inflateReset(&s->z) == Z_OK ? COBLOC_OK
                                       : cob_fail(err, COBLOC_NO_MEMORY, "out of memory");
}

static cobloc_status inflate_some(cob_mat_stream *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (s->z.avail_in == 0) {
        size_t part = s->end - s->at < COMPRESSED ? (size_t)(s->end - s->at) : COMPRESSED;
        COB_CHECK(part > 0, COBLOC_BAD_DATA, "its compressed data end too early");
        COB_TRY(cob_binary_read(s->file, s->at, s->compressed, part, err));
        s->at += (int64_t)part;
        s->z.next_in = s->compressed;
        s->z.avail_in = (unsigned)part;
    }
    int code = inflate(&s->z, Z_NO_FLUSH);
    s->ended = code == Z_STREAM_END;
    COB_CHECK(code != Z_MEM_ERROR, COBLOC_NO_MEMORY, "out of memory");
    COB_CHECK(code == Z_OK || s->ended, COBLOC_BAD_DATA, "its compressed data are damaged (%s)",
              s->z.msg ? s->z.msg : "bad stream");
    COB_CHECK(!cob_is_bomb((int64_t)s->z.total_in, (int64_t)s->z.total_out), COBLOC_BAD_DATA,
              "its compressed data expand more than a thousandfold, which no matrix does");
done:
    return status;
}

static cobloc_status refill(cob_mat_stream *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    s->used = s->filled = 0;
    if (s->deflated) {
        s->z.next_out = s->buffer;
        s->z.avail_out = PLAIN;
        while (s->z.avail_out == PLAIN) {
            COB_CHECK(!s->ended, COBLOC_BAD_DATA, "its data end too early");
            COB_TRY(inflate_some(s, err));
        }
        s->filled = PLAIN - s->z.avail_out;
    } else {
        size_t part = s->end - s->at < PLAIN ? (size_t)(s->end - s->at) : PLAIN;
        COB_CHECK(part > 0, COBLOC_BAD_DATA, "its data end too early");
        COB_TRY(cob_binary_read(s->file, s->at, s->buffer, part, err));
        s->at += (int64_t)part;
        s->filled = part;
    }
done:
    return status;
}

/* Copies the next bytes to `bytes` or, if it is NULL, skips them. */
static cobloc_status pass(cob_mat_stream *s, unsigned char *bytes, int64_t count, cobloc_error *err)
{
    while (count > 0) {
        if (s->used == s->filled) {
            cobloc_status status = refill(s, err);
            if (status != COBLOC_OK)
                return status;
        }
        size_t part = s->filled - s->used;
        if ((int64_t)part > count)
            part = (size_t)count;
        if (bytes) {
            memcpy(bytes, s->buffer + s->used, part);
            bytes += part;
        }
        s->used += part;
        s->position += (int64_t)part;
        count -= (int64_t)part;
    }
    return COBLOC_OK;
}

cobloc_status cob_mat_stream_take(cob_mat_stream *s, void *bytes, size_t count, cobloc_error *err)
{
    return pass(s, bytes, (int64_t)count, err);
}

cobloc_status cob_mat_stream_skip(cob_mat_stream *s, int64_t count, cobloc_error *err)
{
    int64_t buffered = (int64_t)(s->filled - s->used);
    if (!s->deflated && count > buffered && count - buffered <= s->end - s->at) {
        s->used = s->filled;
        s->at += count - buffered;
        s->position += count;
        return COBLOC_OK;
    }
    return pass(s, NULL, count, err);
}

cobloc_status cob_mat_stream_finish(cob_mat_stream *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    while (s->deflated && !s->ended) {
        s->z.next_out = s->buffer;
        s->z.avail_out = PLAIN;
        COB_TRY(inflate_some(s, err));
    }
done:
    return status;
}

/* ---- elements -------------------------------------------------------------------------------- */

cobloc_status cob_mat_tag(cob_mat_stream *s, int64_t limit, cob_mat_element *e, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    unsigned char word[4];
    COB_CHECK(limit - s->position >= 8, COBLOC_BAD_DATA,
              "a data element is too short for the one expected in it");
    COB_TRY(cob_mat_stream_take(s, word, 4, err));
    uint32_t first = cob_load32(word, s->big);
    if (first >> 16) { /* a small element: type, size and up to 4 bytes in 8 */
        e->type = first & 0xFFFF;
        e->size = first >> 16;
        COB_CHECK(e->size <= 4, COBLOC_BAD_DATA,
                  "a small data element has %lld bytes, expected at most 4", (long long)e->size);
        e->end = s->position + e->size;
        e->padded_end = s->position + 4;
    } else {
        COB_TRY(cob_mat_stream_take(s, word, 4, err));
        e->type = first;
        e->size = cob_load32(word, s->big);
        COB_CHECK(e->size <= limit - s->position, COBLOC_BAD_DATA,
                  "a data element has %lld bytes where %lld are left", (long long)e->size,
                  (long long)(limit - s->position));
        e->end = s->position + e->size;
        e->padded_end = s->position + (e->size + 7) / 8 * 8;
        if (e->padded_end > limit) /* not every program pads the last one */
            e->padded_end = limit;
    }
done:
    return status;
}

cobloc_status cob_mat_skip_to(cob_mat_stream *s, int64_t place, cobloc_error *err)
{
    return cob_mat_stream_skip(s, place - s->position, err);
}

/* The type of stored numbers; false if it is not numeric. */
static bool number_type(uint32_t type, bool big, cob_number_type *number)
{
    static const unsigned char width[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
    if (type >= sizeof width || width[type] == 0)
        return false;
    *number = (cob_number_type){.width = width[type],
                                .real = type == MI_SINGLE || type == MI_DOUBLE,
                                .is_signed = type == MI_INT8 || type == MI_INT16 ||
                                             type == MI_INT32 || type == MI_INT64,
                                .big = big};
    return true;
}

cobloc_status cob_mat_numbers(cob_mat_stream *s, int64_t limit, const cob_mat_batches *b,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    unsigned char bytes[BATCH * 8];
    double values[BATCH];
    cob_mat_element e;
    cob_number_type type = {0};
    COB_TRY(cob_mat_tag(s, limit, &e, err));
    COB_CHECK(number_type(e.type, s->big, &type), COBLOC_BAD_DATA,
              "the %s are stored as type %u, expected numbers", b->what, e.type);
    if (b->logical && e.type == MI_DOUBLE && e.size >= b->least && e.size / 8 < b->least)
        type = (cob_number_type){.width = 1};
    int64_t count = e.size / type.width;
    COB_CHECK(count >= b->least && count <= b->most, COBLOC_BAD_DATA,
              "there are %lld %s, expected %lld", (long long)count, b->what, (long long)b->least);
    for (int64_t first = 0; first < count;) {
        size_t part = count - first < BATCH ? (size_t)(count - first) : BATCH;
        COB_TRY(cob_mat_stream_take(s, bytes, part * type.width, err));
        for (size_t k = 0; k < part; k++)
            values[k] = cob_number(type, bytes + k * type.width);
        COB_TRY(b->take(b->context, type, first, part, values, err));
        first += (int64_t)part;
    }
    COB_TRY(cob_mat_skip_to(s, e.padded_end, err));
done:
    return status;
}
