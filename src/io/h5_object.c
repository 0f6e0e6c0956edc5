/* HDF5 objects: their headers, made of messages about the shape, the type and the location of the
 * data.
 *
 * SPDX-License-Identifier: MIT
 */
#include "io/h5.h"

enum {
    MESSAGE_SPACE = 0x01,
    MESSAGE_LINK_INFO = 0x02,
    MESSAGE_TYPE = 0x03,
    MESSAGE_LINK = 0x06,
    MESSAGE_EXTERNAL = 0x07,
    MESSAGE_LAYOUT = 0x08,
    MESSAGE_FILTERS = 0x0B,
    MESSAGE_ATTRIBUTE = 0x0C,
    MESSAGE_CONTINUATION = 0x10,
    MESSAGE_SYMBOL_TABLE = 0x11,
    FLAG_SHARED = 2,
    ENUMERATION = 8,  /* a type class: named integers */
    MOST_BLOCKS = 64, /* of a header, waiting to be read */
};

typedef struct message {
    int type;
    int flags;
    const unsigned char *bytes;
    size_t size;
    int64_t place; /* the address of `bytes` */
} message;

typedef cobloc_status (*message_fn)(void *context, const message *m, cobloc_error *err);

typedef struct extent {
    int64_t address;
    int64_t size;
} extent;

/* Iterates over the messages of a header, which may be in several blocks. */
typedef struct header_walk {
    cob_h5 *h5;
    bool new_style;
    size_t message_head; /* bytes before a message */
    extent waiting[MOST_BLOCKS];
    int waiting_count;
} header_walk;

static cobloc_status broken(cobloc_error *err, const char *what)
{
    return cob_fail(err, COBLOC_BAD_DATA, "the HDF5 description of %s is damaged", what);
}

/* ---- headers --------------------------------------------------------------------------------- */

static cobloc_status start_old(header_walk *walk, int64_t address, const unsigned char *block,
                               cobloc_error *err)
{
    if (block[0] != 1)
        return cob_fail(err, COBLOC_BAD_DATA, "there is no HDF5 object at %lld",
                        (long long)address);
    walk->message_head = 8;
    walk->waiting[0] = (extent){address + 16, cob_load32(block + 8, false)};
    walk->waiting_count = 1;
    return COBLOC_OK;
}

static cobloc_status start_new(header_walk *walk, int64_t address, const unsigned char *block,
                               cobloc_error *err)
{
    int flags = block[5];
    if (block[4] != 2)
        return broken(err, "an object");
    size_t at = 6 + (flags & 0x20 ? 16u : 0) + (flags & 0x10 ? 4u : 0);
    size_t width = (size_t)1 << (flags & 3);
    walk->new_style = true;
    walk->message_head = flags & 4 ? 6 : 4;
    walk->waiting[0] =
        (extent){address + (int64_t)(at + width), (int64_t)cob_load(block + at, width, false)};
    walk->waiting_count = 1;
    return COBLOC_OK;
}

static cobloc_status wait_for(header_walk *walk, const message *m, cobloc_error *err)
{
    if (m->size < 16 || walk->waiting_count == MOST_BLOCKS)
        return broken(err, "an object");
    extent next = {(int64_t)cob_load64(m->bytes, false), (int64_t)cob_load64(m->bytes + 8, false)};
    if (walk->new_style) { /* "OCHK" before the messages, a checksum after them */
        if (next.size < 8 || next.address < 0 || next.address > walk->h5->file->size)
            return broken(err, "an object");
        next.address += 4;
        next.size -= 8;
    }
    walk->waiting[walk->waiting_count++] = next;
    return COBLOC_OK;
}

static void read_message_head(const header_walk *walk, const unsigned char *p, message *m)
{
    m->type = walk->new_style ? p[0] : cob_load16(p, false);
    m->size = cob_load16(p + (walk->new_style ? 1 : 2), false);
    m->flags = p[walk->new_style ? 3 : 4];
}

static cobloc_status walk_block(header_walk *walk, extent at, message_fn take, void *context,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const unsigned char *block = cob_h5_block(walk->h5, at.address, at.size, &status, err);
    if (!block)
        return status;
    for (size_t p = 0; p + walk->message_head <= (size_t)at.size;) {
        message m;
        read_message_head(walk, block + p, &m);
        p += walk->message_head;
        m.bytes = block + p;
        m.place = at.address + (int64_t)p;
        if (m.size > (size_t)at.size - p)
            return broken(err, "an object");
        p += m.size;
        COB_TRY(m.type == MESSAGE_CONTINUATION ? wait_for(walk, &m, err) : take(context, &m, err));
    }
done:
    return status;
}

/* Passes all messages of an object to `take`, which must not read from the file. */
static cobloc_status walk_header(cob_h5 *h5, int64_t address, message_fn take, void *context,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    header_walk walk = {.h5 = h5};
    if (address < 0 || address > h5->file->size)
        return broken(err, "an object");
    int64_t left = h5->file->size - h5->base - address;
    const unsigned char *block = cob_h5_block(h5, address, left > 34 ? 34 : 16, &status, err);
    if (!block)
        return status;
    if (memcmp(block, "OHDR", 4) == 0 && left > 34)
        COB_TRY(start_new(&walk, address, block, err));
    else
        COB_TRY(start_old(&walk, address, block, err));
    while (walk.waiting_count > 0)
        COB_TRY(walk_block(&walk, walk.waiting[--walk.waiting_count], take, context, err));
done:
    return status;
}

/* ---- parsing messages ------------------------------------------------------------------------ */

static cobloc_status parse_space(cob_h5_object *object, const message *m, cobloc_error *err)
{
    int version = m->size >= 4 ? m->bytes[0] : 0;
    size_t at = version == 1 ? 8 : 4;
    if ((version != 1 && version != 2) || m->size < at + 8u * m->bytes[1])
        return broken(err, "a shape");
    object->has_space = true;
    object->rank = m->bytes[1];
    if (object->rank > COB_H5_RANK) {
        object->rank = 0;
        object->strange = "it has too many dimensions";
        return COBLOC_OK;
    }
    for (int d = 0; d < object->rank; d++) {
        object->dims[d] = (int64_t)cob_load64(m->bytes + at + 8 * d, false);
        if (object->dims[d] < 0)
            return broken(err, "a shape");
    }
    if (version == 2 && m->bytes[3] == 2) { /* an array without elements */
        object->rank = 1;
        object->dims[0] = 0;
    }
    return COBLOC_OK;
}

static cobloc_status parse_type(cob_h5_type *type, const unsigned char *bytes, size_t size,
                                cobloc_error *err)
{
    if (size < 8)
        return broken(err, "a data type");
    int class = bytes[0] & 15;
    if (class == ENUMERATION && size >= 16 && (bytes[8] & 15) == COB_H5_INTEGER)
        return parse_type(type, bytes + 8, size - 8, err); /* logical values of some programs */
    *type = (cob_h5_type){.class = COB_H5_STRANGE, .size = cob_load32(bytes + 4, false)};
    bool big = bytes[1] & 1;
    unsigned char width = (unsigned char)type->size;
    bool power = type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8;
    bool plain = power && size >= 12 && cob_load16(bytes + 8, false) == 0 &&
                 cob_load16(bytes + 10, false) == 8 * type->size;
    if (class == COB_H5_INTEGER && plain) {
        type->class = COB_H5_INTEGER;
        type->number = (cob_number_type){.width = width, .is_signed = bytes[1] & 8, .big = big};
    } else if (class == COB_H5_REAL && plain && type->size >= 4 && !(bytes[1] & 0x40)) {
        type->class = COB_H5_REAL;
        type->number = (cob_number_type){.width = width, .real = true, .big = big};
    } else if (class == COB_H5_STRING || class == COB_H5_COMPOUND) {
        type->class = (cob_h5_class) class;
    } else if (class == COB_H5_LONG_STRING && (bytes[1] & 15) == 1 && type->size == 16) {
        type->class = COB_H5_LONG_STRING;
    } else if (class == COB_H5_REFERENCE && (bytes[1] & 15) == 0 && type->size == 8) {
        type->class = COB_H5_REFERENCE;
        type->number = (cob_number_type){.width = 8};
    }
    return COBLOC_OK;
}

/* Layout messages before version 3. */
static cobloc_status parse_old_layout(cob_h5_object *object, const message *m, cobloc_error *err)
{
    cob_h5_layout *layout = &object->layout;
    size_t at = 8;
    int rank = m->bytes[1], kind = m->bytes[2];
    if (rank < 1 || rank > COB_H5_RANK + 1 || kind > 2 || m->size < 16 + 4u * (unsigned)rank)
        return broken(err, "a layout");
    if (kind != 0) {
        layout->place = (int64_t)cob_load64(m->bytes + at, false);
        at += 8;
    }
    layout->size = 1;
    for (int d = 0; d < rank; d++, at += 4) {
        layout->chunk[d] = cob_load32(m->bytes + at, false);
        if (layout->chunk[d] && layout->size > INT64_MAX / layout->chunk[d])
            return broken(err, "a layout");
        layout->size *= layout->chunk[d];
    }
    layout->chunk_rank = rank;
    layout->kind = kind == 0 ? COB_H5_COMPACT : kind == 1 ? COB_H5_CONTIGUOUS : COB_H5_CHUNKED;
    if (kind == 0) {
        layout->size = cob_load32(m->bytes + at, false);
        layout->place = m->place + (int64_t)at + 4;
    }
    return COBLOC_OK;
}

static cobloc_status parse_layout(cob_h5_object *object, const message *m, cobloc_error *err)
{
    cob_h5_layout *layout = &object->layout;
    int version = m->size >= 4 ? m->bytes[0] : 0, kind = m->size >= 4 ? m->bytes[1] : 0;
    if (version == 1 || version == 2)
        return parse_old_layout(object, m, err);
    if (version < 3 || version > 4)
        return broken(err, "a layout");
    if (kind == 0) {
        layout->kind = COB_H5_COMPACT;
        layout->size = cob_load16(m->bytes + 2, false);
        layout->place = m->place + 4;
    } else if (kind == 1 && m->size >= 18) {
        layout->kind = COB_H5_CONTIGUOUS;
        layout->place = (int64_t)cob_load64(m->bytes + 2, false);
        layout->size = (int64_t)cob_load64(m->bytes + 10, false);
    } else if (kind == 2 && version == 3 && m->bytes[2] >= 1 && m->bytes[2] <= COB_H5_RANK + 1 &&
               m->size >= 11 + 4u * m->bytes[2]) {
        layout->kind = COB_H5_CHUNKED;
        layout->chunk_rank = m->bytes[2];
        layout->place = (int64_t)cob_load64(m->bytes + 3, false);
        for (int d = 0; d < layout->chunk_rank; d++)
            layout->chunk[d] = cob_load32(m->bytes + 11 + 4 * d, false);
    } else {
        object->strange = "its chunks are indexed as in newer HDF5 files; write it with the "
                          "earliest HDF5 version "
                          "(h5py: libver='earliest')";
    }
    return COBLOC_OK;
}

static cobloc_status parse_filters(cob_h5_object *object, const message *m, cobloc_error *err)
{
    if (m->size < 2 || (m->bytes[0] != 1 && m->bytes[0] != 2))
        return broken(err, "a compression");
    bool old = m->bytes[0] == 1;
    size_t at = old ? 8 : 2;
    for (int f = 0; f < m->bytes[1]; f++) {
        uint16_t id = m->size >= at + 2 ? cob_load16(m->bytes + at, false) : 0;
        bool named = old || id >= 256;
        if (m->size < at + (named ? 8 : 6))
            return broken(err, "a compression");
        const unsigned char *rest = m->bytes + at + (named ? 4 : 2);
        size_t name = named ? cob_load16(m->bytes + at + 2, false) : 0;
        size_t values = cob_load16(rest + 2, false);
        if (old)
            name = (name + 7) / 8 * 8;
        if (f == COB_H5_FILTERS || (id != 1 && id != 2))
            object->strange = "it is compressed in a way other than deflate";
        else
            object->filters[f] = id;
        at += (named ? 8 : 6) + name + 4 * values + (old && values % 2 ? 4 : 0);
    }
    if (at > m->size)
        return broken(err, "a compression");
    object->filter_count = m->bytes[1] < COB_H5_FILTERS ? m->bytes[1] : COB_H5_FILTERS;
    return COBLOC_OK;
}

static size_t padded(size_t size, bool pad)
{
    return pad ? (size + 7) / 8 * 8 : size;
}

static cobloc_status parse_attribute(cob_h5_object *object, const message *m, cobloc_error *err)
{
    int version = m->size >= 9 ? m->bytes[0] : 0;
    if (version < 1 || version > 3)
        return broken(err, "an attribute");
    bool pad = version == 1;
    size_t name = cob_load16(m->bytes + 2, false), type = cob_load16(m->bytes + 4, false),
           space = cob_load16(m->bytes + 6, false), name_at = version == 3 ? 9 : 8,
           type_at = name_at + padded(name, pad),
           data_at = type_at + padded(type, pad) + padded(space, pad);
    if (data_at > m->size)
        return broken(err, "an attribute");
    bool shared = version > 1 && (m->bytes[1] & 3);
    cob_h5_attribute *a = &object->attributes[object->attribute_count];
    if (object->attribute_count == COB_H5_ATTRIBUTES || name >= sizeof a->name || shared)
        return COBLOC_OK;
    cob_h5_object shape = {0};
    message own = {.bytes = m->bytes + type_at + padded(type, pad), .size = space};
    cobloc_status status = parse_type(&a->type, m->bytes + type_at, type, err);
    if (status == COBLOC_OK)
        status = parse_space(&shape, &own, err);
    int64_t count = cob_h5_count(&shape);
    if (status != COBLOC_OK || count < 0 || count > (int64_t)sizeof a->bytes)
        return status;
    a->size = (size_t)count * a->type.size;
    a->size = a->size < m->size - data_at ? a->size : m->size - data_at;
    if (a->size > sizeof a->bytes - 1)
        return COBLOC_OK;
    memcpy(a->name, m->bytes + name_at, name);
    a->name[name] = '\0';
    memcpy(a->bytes, m->bytes + data_at, a->size);
    a->bytes[a->size] = '\0';
    object->attribute_count++;
    return COBLOC_OK;
}

static cobloc_status parse_message(void *context, const message *m, cobloc_error *err)
{
    cob_h5_object *object = context;
    if (m->flags & FLAG_SHARED) { /* its content is elsewhere; no supported program writes this */
        if (m->type == MESSAGE_TYPE || m->type == MESSAGE_SPACE)
            object->strange = "its type is shared with others";
        return COBLOC_OK;
    }
    switch (m->type) {
    case MESSAGE_SPACE:
        return parse_space(object, m, err);
    case MESSAGE_TYPE:
        return parse_type(&object->type, m->bytes, m->size, err);
    case MESSAGE_LAYOUT:
        return parse_layout(object, m, err);
    case MESSAGE_FILTERS:
        return parse_filters(object, m, err);
    case MESSAGE_ATTRIBUTE:
        return parse_attribute(object, m, err);
    case MESSAGE_EXTERNAL:
        object->strange = "its data stand in another file";
        return COBLOC_OK;
    case MESSAGE_LINK:
    case MESSAGE_LINK_INFO:
        object->is_group = true;
        return COBLOC_OK;
    case MESSAGE_SYMBOL_TABLE:
        if (m->size < 16)
            return broken(err, "a group");
        object->is_group = true;
        object->tree = (int64_t)cob_load64(m->bytes, false);
        object->heap = (int64_t)cob_load64(m->bytes + 8, false);
        return COBLOC_OK;
    default:
        return COBLOC_OK;
    }
}

cobloc_status cob_h5_read_object(cob_h5 *h5, int64_t address, cob_h5_object *object,
                                 cobloc_error *err)
{
    *object = (cob_h5_object){.address = address, .tree = -1, .type.class = COB_H5_STRANGE};
    return walk_header(h5, address, parse_message, object, err);
}

const cob_h5_attribute *cob_h5_find_attribute(const cob_h5_object *object, const char *name)
{
    for (int a = 0; a < object->attribute_count; a++)
        if (strcmp(object->attributes[a].name, name) == 0)
            return &object->attributes[a];
    return NULL;
}

/* ---- links in messages ----------------------------------------------------------------------- */

static cobloc_status add_link(cob_h5_links *links, const message *m, cobloc_error *err)
{
    if (m->size < 2 || m->bytes[0] != 1)
        return broken(err, "a link");
    int flags = m->bytes[1];
    size_t at = 2, width = (size_t)1 << (flags & 3);
    bool hard = true;
    if (flags & 8)
        hard = at < m->size && m->bytes[at++] == 0;
    at += (flags & 4 ? 8u : 0) + (flags & 16 ? 1u : 0);
    if (!hard)
        return COBLOC_OK;
    if (m->size < at + width)
        return broken(err, "a link");
    uint64_t length = cob_load(m->bytes + at, width, false);
    at += width;
    if (length > m->size - at || m->size - at - length < 8 || memchr(m->bytes + at, 0, length))
        return broken(err, "a link");
    return cob_h5_links_add(links, (const char *)m->bytes + at, (size_t)length,
                            (int64_t)cob_load64(m->bytes + at + length, false), err);
}

static cobloc_status parse_link(void *context, const message *m, cobloc_error *err)
{
    if (m->type == MESSAGE_LINK)
        return add_link(context, m, err);
    if (m->type == MESSAGE_LINK_INFO) {
        size_t at = m->size >= 2 && m->bytes[1] & 1 ? 10 : 2;
        if (m->size < at + 8)
            return broken(err, "a group");
        if (cob_load64(m->bytes + at, false) != UINT64_MAX)
            return cob_fail(
                err, COBLOC_UNSUPPORTED,
                "a group is stored as in newer HDF5 files; write it with the earliest HDF5 "
                "version (h5py: libver='earliest')");
    }
    return COBLOC_OK;
}

cobloc_status cob_h5_list_messages(cob_h5 *h5, int64_t address, cob_h5_links *links,
                                   cobloc_error *err)
{
    return walk_header(h5, address, parse_link, links, err);
}
