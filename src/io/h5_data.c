/* HDF5 datasets: their elements, contiguous or in chunks, which may be shuffled and deflated.
 * SPDX-License-Identifier: MIT
 */
#include "io/h5.h"

#include "base/alloc.h"
#include "base/inflate.h"

enum { CHUNK_NODE = 1, FILTER_DEFLATE = 1, PIECE = 1 << 16 };

typedef struct data_walk {
    cob_h5 *h5;
    const cob_h5_object *object;
    cob_h5_run_fn take;
    void *context;
    int64_t count; /* elements expected, and received */
    int64_t seen;
    int64_t chunk_bytes;
} data_walk;

int64_t cob_h5_count(const cob_h5_object *object)
{
    int64_t count = 1;
    for (int d = 0; d < object->rank; d++) {
        if (object->dims[d] && count > INT64_MAX / object->dims[d])
            return -1;
        count *= object->dims[d];
    }
    return count;
}

/* ---- contiguous data ------------------------------------------------------------------------- */

static cobloc_status read_piece(data_walk *walk, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    unsigned char bytes[PIECE];
    cob_h5 *h5 = walk->h5;
    const cob_h5_layout *layout = &walk->object->layout;
    int64_t width = walk->object->type.size;
    if (layout->place == -1) /* never written: all zero */
        return COBLOC_OK;
    COB_CHECK(layout->place >= 0 && layout->place <= h5->file->size, COBLOC_BAD_DATA,
              "its data lie outside the file");
    COB_CHECK(walk->count <= layout->size / width, COBLOC_BAD_DATA,
              "%lld bytes are stored for %lld values of %lld bytes", (long long)layout->size,
              (long long)walk->count, (long long)width);
    COB_TRY(cob_h5_check_size(h5, walk->count * width, err));
    for (int64_t first = 0, part; first < walk->count; first += part) {
        part = PIECE / width < walk->count - first ? PIECE / width : walk->count - first;
        COB_TRY(cob_binary_read(h5->file, h5->base + layout->place + first * width, bytes,
                                (size_t)(part * width), err));
        COB_TRY(walk->take(walk->context, first, part, bytes, err));
    }
done:
    return status;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static cobloc_status start_inflating(cob_h5 *h5, cobloc_error *err)
{
    if (h5->inflating) {
        inflateReset(&h5->z);
        return COBLOC_OK;
    }
    cob_inflate_with_ours(&h5->z);
    h5->inflating = inflateInit(&h5->z) == Z_OK;
    return h5->inflating ? COBLOC_OK : cob_fail(err, COBLOC_NO_MEMORY, "out of memory");
}

/* Inflates room[0] into room[1], up to the size of a chunk. */
static cobloc_status inflate_chunk(data_walk *walk, size_t *size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5 *h5 = walk->h5;
    COB_TRY(start_inflating(h5, err));
    h5->z.next_in = h5->room[0];
    h5->z.avail_in = (unsigned)*size;
    h5->z.next_out = h5->room[1];
    h5->z.avail_out = (unsigned)walk->chunk_bytes;
    int code = inflate(&h5->z, Z_FINISH);
    COB_CHECK(code != Z_MEM_ERROR, COBLOC_NO_MEMORY, "out of memory");
    COB_CHECK(code == Z_STREAM_END, COBLOC_BAD_DATA, "its compressed data are damaged (%s)",
              h5->z.msg ? h5->z.msg : "a chunk has the wrong size");
    *size = (size_t)walk->chunk_bytes - h5->z.avail_out;
done:
    return status;
}

/* Undoes HDF5's shuffle, which stores the first bytes of all elements, then all second bytes, ...
 */
static void unshuffle(const unsigned char *from, unsigned char *to, size_t size, size_t width)
{
    size_t count = size / width;
    for (size_t b = 0; b < width; b++)
        for (size_t e = 0; e < count; e++)
            to[e * width + b] = from[b * count + e];
    memcpy(to + count * width, from + count * width, size - count * width);
}

/* Decodes the stored chunk in room[0]; the result is in room[0] again. */
static cobloc_status unfilter(data_walk *walk, size_t size, uint32_t skipped, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5 *h5 = walk->h5;
    const cob_h5_object *object = walk->object;
    for (int f = object->filter_count - 1; f >= 0; f--) {
        if (skipped >> f & 1)
            continue;
        size_t most = size > (size_t)walk->chunk_bytes ? size : (size_t)walk->chunk_bytes;
        if (!cob_grow(&h5->room[1], &h5->room_capacity[1], most, 1))
            return cob_fail_memory(err, most, 1);
        if (object->filters[f] == FILTER_DEFLATE)
            COB_TRY(inflate_chunk(walk, &size, err));
        else
            unshuffle(h5->room[0], h5->room[1], size, object->type.size);
        unsigned char *plain = h5->room[1];
        size_t capacity = h5->room_capacity[1];
        h5->room[1] = h5->room[0];
        h5->room_capacity[1] = h5->room_capacity[0];
        h5->room[0] = plain;
        h5->room_capacity[0] = capacity;
    }
    COB_CHECK((int64_t)size == walk->chunk_bytes, COBLOC_BAD_DATA,
              "a chunk has %zu bytes, expected %lld", size, (long long)walk->chunk_bytes);
done:
    return status;
}

/* Hands out the part of a chunk that lies within the dataset, line by line. */
static cobloc_status take_chunk(data_walk *walk, const int64_t *offset, cobloc_error *err)
{
    const cob_h5_object *object = walk->object;
    const int64_t *dims = object->dims, *chunk = object->layout.chunk;
    int last = object->rank - 1;
    int64_t line =
        chunk[last] < dims[last] - offset[last] ? chunk[last] : dims[last] - offset[last];
    int64_t within[COB_H5_RANK] = {0}; /* position of the line in the chunk */
    const unsigned char *bytes = walk->h5->room[0];
    for (;;) {
        int64_t first = 0;
        bool inside = true;
        for (int d = 0; inside && d <= last; d++) {
            first = first * dims[d] + offset[d] + within[d];
            inside = offset[d] + within[d] < dims[d];
        }
        if (inside) {
            walk->seen += line;
            cobloc_status status = walk->take(walk->context, first, line, bytes, err);
            if (status != COBLOC_OK)
                return status;
        }
        bytes += chunk[last] * object->type.size;
        int d = last - 1;
        while (d >= 0 && ++within[d] == chunk[d])
            within[d--] = 0;
        if (d < 0)
            return COBLOC_OK;
    }
}

static cobloc_status read_chunk(void *context, const unsigned char *key, int64_t address,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    data_walk *walk = context;
    cob_h5 *h5 = walk->h5;
    int64_t offset[COB_H5_RANK] = {0};
    uint32_t size = cob_load32(key, false), skipped = cob_load32(key + 4, false);
    for (int d = 0; d < walk->object->rank; d++) {
        offset[d] = (int64_t)cob_load64(key + 8 + 8 * d, false);
        COB_CHECK(offset[d] >= 0 && offset[d] < walk->object->dims[d], COBLOC_BAD_DATA,
                  "a chunk lies outside its dataset");
    }
    COB_CHECK(address >= 0 && address <= h5->file->size && size <= h5->file->size, COBLOC_BAD_DATA,
              "a chunk lies outside the file");
    COB_TRY(cob_h5_check_size(h5, walk->chunk_bytes, err));
    if (!cob_grow(&h5->room[0], &h5->room_capacity[0], (size_t)size + 1, 1))
        return cob_fail_memory(err, size, 1);
    COB_TRY(cob_binary_read(h5->file, h5->base + address, h5->room[0], size, err));
    COB_TRY(unfilter(walk, size, skipped, err));
    COB_TRY(take_chunk(walk, offset, err));
    COB_CHECK(walk->seen <= walk->count, COBLOC_BAD_DATA, "its chunks overlap");
done:
    return status;
}

static cobloc_status read_chunks(data_walk *walk, cobloc_error *err)
{
    const cob_h5_object *object = walk->object;
    const cob_h5_layout *layout = &object->layout;
    bool good = object->rank >= 1 && layout->chunk_rank == object->rank + 1 &&
                layout->chunk[object->rank] == object->type.size;
    walk->chunk_bytes = 1;
    for (int d = 0; good && d <= object->rank; d++) {
        good = layout->chunk[d] > 0 && walk->chunk_bytes <= UINT32_MAX / layout->chunk[d];
        walk->chunk_bytes *= good ? layout->chunk[d] : 0;
    }
    if (!good)
        return cob_fail(err, COBLOC_BAD_DATA, "the shape of its chunks is damaged");
    if (layout->place == -1 || walk->count == 0)
        return COBLOC_OK;
    size_t key_bytes = 8 + 8 * ((size_t)object->rank + 1);
    return cob_h5_walk_tree(walk->h5, layout->place, CHUNK_NODE, key_bytes, read_chunk, walk, err);
}

cobloc_status cob_h5_read_data(cob_h5 *h5, const cob_h5_object *object, cob_h5_run_fn take,
                               void *context, cobloc_error *err)
{
    data_walk walk = {.h5 = h5, .object = object, .take = take, .context = context};
    walk.count = cob_h5_count(object);
    const cob_h5_type *type = &object->type;
    bool known = type->class == COB_H5_INTEGER || type->class == COB_H5_REAL ||
                 type->class == COB_H5_REFERENCE || type->class == COB_H5_LONG_STRING ||
                 (type->class == COB_H5_STRING && type->size > 0 && type->size <= PIECE);
    if (object->strange)
        return cob_fail(err, COBLOC_UNSUPPORTED, "it cannot be read: %s", object->strange);
    if (!object->has_space || !known || walk.count < 0)
        return cob_fail(err, COBLOC_BAD_DATA, "it is not an array of numbers or strings");
    if (object->layout.kind == COB_H5_CHUNKED)
        return read_chunks(&walk, err);
    if (object->filter_count > 0)
        return cob_fail(err, COBLOC_BAD_DATA, "it is compressed, but not in chunks");
    return object->layout.kind == COB_H5_NO_DATA ? COBLOC_OK : read_piece(&walk, err);
}
