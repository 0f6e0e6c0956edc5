/* Strings in HDF5 files. Those of variable length are references to heaps: blocks of numbered
 * objects. Each heap is read once and kept, for others to point into it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "io/h5.h"

#include "base/alloc.h"
#include "base/utf8.h"

enum { HEAP_HEAD = 16, OBJECT_HEAD = 16, REFERENCE_BYTES = 16 };

struct cob_h5_heap {
    int64_t address; /* 0: this place of the table is free */
    size_t size;
    unsigned char *bytes;
    uint32_t *places; /* where each object starts; 0: there is none of this number */
    size_t count;
};

void cob_h5_free_heaps(cob_h5 *h5)
{
    for (size_t h = 0; h < h5->heap_capacity; h++) {
        cob_free(h5->heaps[h].bytes);
        cob_free(h5->heaps[h].places);
    }
    cob_free(h5->heaps);
    h5->heaps = NULL;
}

/* ---- heaps ----------------------------------------------------------------------------------- */

static cobloc_status broken(cobloc_error *err)
{
    return cob_fail(err, COBLOC_BAD_DATA, "a heap of strings is damaged");
}

/* Lists the objects of a heap: number, references, size, and the bytes padded to 8. */
static cobloc_status list_objects(cob_h5 *h5, cob_h5_heap *heap, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t capacity = 0;
    for (size_t at = HEAP_HEAD; at + OBJECT_HEAD <= heap->size;) {
        size_t number = cob_load16(heap->bytes + at, false);
        uint64_t size = cob_load64(heap->bytes + at + 8, false);
        if (number == 0) /* the rest is free */
            return COBLOC_OK;
        if (size > heap->size - at - OBJECT_HEAD)
            return broken(err);
        if (number >= heap->count) {
            size_t before = heap->count;
            COB_TRY(cob_h5_check_size(h5, (int64_t)((number + 1 - before) * sizeof *heap->places),
                                      err));
            if (!cob_grow(&heap->places, &capacity, number + 1, sizeof *heap->places))
                return cob_fail_memory(err, number + 1, sizeof *heap->places);
            heap->count = number + 1;
            for (size_t i = before; i < heap->count; i++)
                heap->places[i] = 0;
        }
        heap->places[number] = (uint32_t)at;
        at += OBJECT_HEAD + ((size_t)size + 7) / 8 * 8;
    }
done:
    return status;
}

static cobloc_status read_heap(cob_h5 *h5, int64_t address, cob_h5_heap *heap, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const unsigned char *block = cob_h5_block(h5, address, HEAP_HEAD, &status, err);
    if (!block)
        return status;
    int64_t size = (int64_t)cob_load64(block + 8, false);
    if (memcmp(block, "GCOL\1", 5) != 0 || size < HEAP_HEAD || size > UINT32_MAX)
        return broken(err);
    block = cob_h5_block(h5, address, size, &status, err);
    if (!block)
        return status;
    *heap = (cob_h5_heap){.size = (size_t)size};
    COB_NEW(heap->bytes, size);
    memcpy(heap->bytes, block, (size_t)size);
    COB_TRY(list_objects(h5, heap, err));
    heap->address = address;
done:
    if (status != COBLOC_OK) {
        cob_free(heap->bytes);
        cob_free(heap->places);
        *heap = (cob_h5_heap){0};
    }
    return status;
}

/* The place of a heap in a table whose capacity is a power of 2 and that is not full. */
static cob_h5_heap *place_of(cob_h5_heap *heaps, size_t capacity, int64_t address)
{
    size_t at = (size_t)(((uint64_t)address * 0x9E3779B97F4A7C15u) >> 20) & (capacity - 1);
    while (heaps[at].address && heaps[at].address != address)
        at = (at + 1) & (capacity - 1);
    return &heaps[at];
}

static cobloc_status grow_table(cob_h5 *h5, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5_heap *heaps = NULL;
    size_t capacity = h5->heap_capacity ? 2 * h5->heap_capacity : 16;
    COB_NEW_ZERO(heaps, capacity);
    for (size_t h = 0; h < h5->heap_capacity; h++)
        if (h5->heaps[h].address)
            *place_of(heaps, capacity, h5->heaps[h].address) = h5->heaps[h];
    cob_free(h5->heaps);
    h5->heaps = heaps;
    h5->heap_capacity = capacity;
done:
    return status;
}

static cobloc_status find_heap(cob_h5 *h5, int64_t address, const cob_h5_heap **found,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (address <= 0)
        return broken(err);
    if (h5->heap_capacity < 2 * (h5->heap_used + 1))
        COB_TRY(grow_table(h5, err));
    cob_h5_heap *heap = place_of(h5->heaps, h5->heap_capacity, address);
    if (!heap->address) {
        COB_TRY(read_heap(h5, address, heap, err));
        h5->heap_used++;
    }
    *found = heap;
done:
    return status;
}

/* The bytes that a reference (length, address, number) points to. */
static cobloc_status follow(cob_h5 *h5, const unsigned char *reference, const char **text,
                            size_t *length, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_h5_heap *heap = NULL;
    *text = "";
    *length = cob_load32(reference, false);
    int64_t address = (int64_t)cob_load64(reference + 4, false);
    size_t number = cob_load32(reference + 12, false);
    if (*length == 0 || address == 0) { /* an empty string needs no heap */
        *length = 0;
        return COBLOC_OK;
    }
    COB_TRY(find_heap(h5, address, &heap, err));
    size_t at = number < heap->count ? heap->places[number] : 0;
    if (at == 0 || cob_load64(heap->bytes + at + 8, false) < *length)
        return broken(err);
    *text = (const char *)heap->bytes + at + OBJECT_HEAD;
done:
    return status;
}

/* ---- strings --------------------------------------------------------------------------------- */

/* Adds a string up to its first NUL; what is not UTF-8 becomes U+FFFD. */
static cobloc_status add_string(cob_names *names, const char *text, size_t length,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *sound = NULL;
    size_t used = 0, good = 0, step = 1;
    uint32_t point;
    const char *end = memchr(text, '\0', length);
    length = end ? (size_t)(end - text) : length;
    while (good < length &&
           (step = cob_utf8_next((const unsigned char *)text + good, length - good, &point)) > 0)
        good += step;
    if (good == length)
        return cob_names_add(names, text, length, err);
    COB_NEW(sound, 3 * length);
    for (size_t at = 0; at < length; at += step ? step : 1) {
        step = cob_utf8_next((const unsigned char *)text + at, length - at, &point);
        memcpy(sound + used, step ? text + at : "\xEF\xBF\xBD", step ? step : 3);
        used += step ? step : 3;
    }
    status = cob_names_add(names, sound, used, err);
done:
    cob_free(sound);
    return status;
}

typedef struct cells {
    size_t width;
    unsigned char *bytes;
} cells;

static cobloc_status take_cells(void *context, int64_t first, int64_t count,
                                const unsigned char *bytes, cobloc_error *err)
{
    const cells *to = context;
    (void)err;
    memcpy(to->bytes + (size_t)first * to->width, bytes, (size_t)count * to->width);
    return COBLOC_OK;
}

cobloc_status cob_h5_read_strings(cob_h5 *h5, const cob_h5_object *object, cob_names *names,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool refers = object->type.class == COB_H5_LONG_STRING;
    cells to = {.width = object->type.size};
    int64_t count = object->has_space ? cob_h5_count(object) : -1;
    COB_CHECK(count >= 0 && (refers || object->type.class == COB_H5_STRING), COBLOC_BAD_DATA,
              "it is not an array of strings");
    COB_CHECK(to.width > 0 && count <= INT64_MAX / (int64_t)to.width, COBLOC_BAD_DATA,
              "the strings have an impossible size");
    COB_TRY(cob_h5_check_size(h5, count * (int64_t)to.width, err));
    COB_NEW_ZERO(to.bytes, (size_t)count * to.width);
    COB_TRY(cob_h5_read_data(h5, object, take_cells, &to, err));
    for (int64_t i = 0; i < count; i++) {
        const char *text = (const char *)to.bytes + (size_t)i * to.width;
        size_t length = to.width;
        if (refers) {
            COB_TRY(follow(h5, to.bytes + (size_t)i * to.width, &text, &length, err));
            COB_TRY(cob_h5_check_size(h5, (int64_t)length, err)); /* many may share a long one */
        }
        COB_TRY(add_string(names, text, length, err));
    }
done:
    cob_free(to.bytes);
    return status;
}

cobloc_status cob_h5_attribute_text(cob_h5 *h5, const cob_h5_attribute *attribute, char *text,
                                    size_t room, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *found = "";
    size_t length = 0;
    if (attribute && attribute->type.class == COB_H5_STRING) {
        found = (const char *)attribute->bytes;
        length = strlen(found);
    } else if (attribute && attribute->type.class == COB_H5_LONG_STRING &&
               attribute->size == REFERENCE_BYTES) {
        COB_TRY(follow(h5, attribute->bytes, &found, &length, err));
    }
    if (length >= room || memchr(found, '\0', length))
        length = 0;
    memcpy(text, found, length);
    text[length] = '\0';
done:
    return status;
}
