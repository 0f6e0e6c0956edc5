/* HDF5 files: their start, B-trees and groups.
 * SPDX-License-Identifier: MIT
 */
#include "io/h5.h"

#include "base/alloc.h"
#include "base/source.h"

enum { GROUP_NODE = 0, SYMBOL_BYTES = 40, TREE_HEAD = 24 };

/* ---- opening --------------------------------------------------------------------------------- */

/* The signature is at byte 0, 512, 1024, 2048, ... */
static cobloc_status find_start(cob_h5 *h5, cobloc_error *err)
{
    unsigned char start[8];
    for (int64_t at = 0; at + 8 <= h5->file->size; at = at ? at * 2 : 512) {
        cobloc_status status = cob_binary_read(h5->file, at, start, sizeof start, err);
        if (status != COBLOC_OK)
            return status;
        if (memcmp(start, "\x89HDF\r\n\x1a\n", 8) == 0) {
            h5->base = at;
            return COBLOC_OK;
        }
    }
    return cob_fail(err, COBLOC_BAD_DATA, "the HDF5 signature is missing");
}

static cobloc_status read_superblock(cob_h5 *h5, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const unsigned char *block = cob_h5_block(h5, 0, 56, &status, err);
    if (!block)
        return status;
    int version = block[8];
    const unsigned char *widths = version < 2 ? block + 13 : block + 9;
    COB_CHECK(version <= 3, COBLOC_UNSUPPORTED,
              "the HDF5 superblock has version %d, expected 0 to 3", version);
    COB_CHECK(widths[0] == 8 && widths[1] == 8, COBLOC_UNSUPPORTED,
              "HDF5 offsets and lengths have %d and %d bytes, expected 8 and 8", widths[0],
              widths[1]);
    uint64_t end = cob_load64(block + (version < 2 ? 40 : 28) + (version == 1 ? 4 : 0), false);
    COB_CHECK(end <= (uint64_t)h5->file->size, COBLOC_BAD_DATA,
              "the file has %lld bytes, expected %llu: it is truncated", (long long)h5->file->size,
              (unsigned long long)end);
    int64_t root = version == 0 ? 64 : version == 1 ? 68 : 36;
    block = cob_h5_block(h5, root, 8, &status, err);
    if (!block)
        return status;
    h5->root = (int64_t)cob_load64(block, false);
done:
    return status;
}

cobloc_status cob_h5_open(cob_h5 *h5, cob_binary *file, cobloc_error *err)
{
    *h5 = (cob_h5){.file = file};
    cobloc_status status = find_start(h5, err);
    return status ? status : read_superblock(h5, err);
}

void cob_h5_close(cob_h5 *h5)
{
    if (h5->inflating)
        inflateEnd(&h5->z);
    cob_free(h5->room[0]);
    cob_free(h5->room[1]);
    cob_free(h5->block);
    cob_h5_free_heaps(h5);
    *h5 = (cob_h5){0};
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Each structure is read about once. A file that makes us read them over and over is damaged. */
static cobloc_status look_at(cob_h5 *h5, int64_t bytes, cobloc_error *err)
{
    h5->looked_at += bytes + 16;
    if (h5->looked_at / 4 > h5->file->size + (1 << 16))
        return cob_fail(err, COBLOC_BAD_DATA, "the HDF5 structures contain a cycle");
    return COBLOC_OK;
}

cobloc_status cob_h5_check_size(cob_h5 *h5, int64_t bytes, cobloc_error *err)
{
    int64_t before = h5->expanded;
    if (bytes >= 0 && bytes <= INT64_MAX - before)
        h5->expanded += bytes;
    if (h5->expanded - before != bytes || cob_is_bomb(h5->file->size, h5->expanded))
        return cob_fail(err, COBLOC_BAD_DATA,
                        "the data would expand more than a thousandfold, which no matrix does");
    return COBLOC_OK;
}

const unsigned char *cob_h5_block(cob_h5 *h5, int64_t address, int64_t size, cobloc_status *status,
                                  cobloc_error *err)
{
    int64_t there = h5->file->size - h5->base;
    if (address < 0 || size < 0 || address > there || size > there - address) {
        *status = cob_fail(err, COBLOC_BAD_DATA,
                           "an HDF5 structure of %lld bytes at %lld extends beyond the end: the "
                           "file is damaged or truncated",
                           (long long)size, (long long)address);
        return NULL;
    }
    *status = look_at(h5, size, err);
    if (*status == COBLOC_OK && !cob_grow(&h5->block, &h5->block_capacity, (size_t)size + 1, 1))
        *status = cob_fail_memory(err, (size_t)size, 1);
    if (*status == COBLOC_OK)
        *status = cob_binary_read(h5->file, h5->base + address, h5->block, (size_t)size, err);
    if (*status != COBLOC_OK)
        return NULL;
    h5->block[size] = '\0';
    return h5->block;
}

/* ---- B-trees --------------------------------------------------------------------------------- */

typedef struct pending {
    int64_t address;
    int level;
} pending;

typedef struct tree_walk {
    cob_h5 *h5;
    int type;
    size_t key_bytes;
    pending *stack;
    size_t depth;
    size_t capacity;
    unsigned char *node; /* a copy of the entries, because the leaves use h5->block */
    size_t node_capacity;
} tree_walk;

/* Reads a node: its level and its entries, alternating keys and children. */
static cobloc_status read_node(tree_walk *walk, pending at, int *level, int *used,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const unsigned char *block = cob_h5_block(walk->h5, at.address, TREE_HEAD, &status, err);
    if (!block)
        return status;
    COB_CHECK(memcmp(block, "TREE", 4) == 0 && block[4] == walk->type, COBLOC_BAD_DATA,
              "there is no B-tree node at %lld", (long long)at.address);
    *level = block[5];
    *used = cob_load16(block + 6, false);
    COB_CHECK(at.level < 0 || *level == at.level, COBLOC_BAD_DATA,
              "a B-tree node is of level %d, expected %d", *level, at.level);
    size_t bytes = (size_t)*used * (walk->key_bytes + 8);
    block = cob_h5_block(walk->h5, at.address + TREE_HEAD, (int64_t)bytes, &status, err);
    if (!block)
        return status;
    if (!cob_grow(&walk->node, &walk->node_capacity, bytes + 1, 1))
        return cob_fail_memory(err, bytes, 1);
    memcpy(walk->node, block, bytes);
done:
    return status;
}

static cobloc_status push(tree_walk *walk, int64_t address, int level, cobloc_error *err)
{
    if (!cob_grow(&walk->stack, &walk->capacity, walk->depth + 1, sizeof *walk->stack))
        return cob_fail_memory(err, walk->depth + 1, sizeof *walk->stack);
    walk->stack[walk->depth++] = (pending){address, level};
    return COBLOC_OK;
}

cobloc_status cob_h5_walk_tree(cob_h5 *h5, int64_t root, int type, size_t key_bytes,
                               cob_h5_leaf_fn leaf, void *context, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    tree_walk walk = {.h5 = h5, .type = type, .key_bytes = key_bytes};
    COB_TRY(push(&walk, root, -1, err));
    while (walk.depth > 0) {
        int level = 0, used = 0;
        COB_TRY(read_node(&walk, walk.stack[--walk.depth], &level, &used, err));
        for (int e = 0; e < used; e++) {
            /* Inner nodes are pushed in reverse, so that they are visited in order. */
            int place = level > 0 ? used - 1 - e : e;
            const unsigned char *key = walk.node + (size_t)place * (key_bytes + 8);
            int64_t child = (int64_t)cob_load64(key + key_bytes, false);
            COB_TRY(level > 0 ? push(&walk, child, level - 1, err)
                              : leaf(context, key, child, err));
        }
    }
done:
    cob_free(walk.stack);
    cob_free(walk.node);
    return status;
}

/* ---- groups ---------------------------------------------------------------------------------- */

typedef struct listing {
    cob_h5 *h5;
    cob_h5_links *links;
    unsigned char *heap; /* the names of an old-style group, NUL-terminated */
    int64_t heap_bytes;
} listing;

void cob_h5_links_free(cob_h5_links *links)
{
    cob_names_free(&links->names);
    cob_free(links->addresses);
    *links = (cob_h5_links){0};
}

cobloc_status cob_h5_links_add(cob_h5_links *links, const char *name, size_t length,
                               int64_t address, cobloc_error *err)
{
    size_t count = (size_t)links->names.count;
    if (!cob_grow(&links->addresses, &links->capacity, count + 1, sizeof *links->addresses))
        return cob_fail_memory(err, count + 1, sizeof *links->addresses);
    links->addresses[count] = address;
    return cob_names_add(&links->names, name, length, err);
}

static cobloc_status read_heap(listing *list, int64_t address, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const unsigned char *block = cob_h5_block(list->h5, address, 32, &status, err);
    if (!block)
        return status;
    COB_CHECK(memcmp(block, "HEAP", 4) == 0, COBLOC_BAD_DATA, "there is no heap of names at %lld",
              (long long)address);
    int64_t size = (int64_t)cob_load64(block + 8, false);
    int64_t place = (int64_t)cob_load64(block + 24, false);
    block = cob_h5_block(list->h5, place, size, &status, err);
    if (!block)
        return status;
    COB_NEW(list->heap, size + 1);
    memcpy(list->heap, block, (size_t)size + 1);
    list->heap_bytes = size;
done:
    return status;
}

/* A leaf of a group's tree points to a node of symbols. */
static cobloc_status add_symbols(void *context, const unsigned char *key, int64_t address,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    listing *list = context;
    (void)key;
    const unsigned char *block = cob_h5_block(list->h5, address, 8, &status, err);
    if (!block)
        return status;
    COB_CHECK(memcmp(block, "SNOD", 4) == 0, COBLOC_BAD_DATA, "there is no node of symbols at %lld",
              (long long)address);
    int count = cob_load16(block + 6, false);
    block = cob_h5_block(list->h5, address + 8, (int64_t)count * SYMBOL_BYTES, &status, err);
    if (!block)
        return status;
    for (int s = 0; s < count; s++) {
        const unsigned char *symbol = block + s * SYMBOL_BYTES;
        int64_t place = (int64_t)cob_load64(symbol, false);
        COB_CHECK(place >= 0 && place < list->heap_bytes, COBLOC_BAD_DATA,
                  "a name lies outside its heap");
        if (cob_load32(symbol + 16, false) == 2) /* a symbolic link */
            continue;
        const char *name = (const char *)list->heap + place;
        COB_TRY(
            look_at(list->h5, (int64_t)strlen(name), err)); /* many links may share one long name */
        COB_TRY(cob_h5_links_add(list->links, name, strlen(name),
                                 (int64_t)cob_load64(symbol + 8, false), err));
    }
done:
    return status;
}

cobloc_status cob_h5_list(cob_h5 *h5, const cob_h5_object *group, cob_h5_links *links,
                          cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    listing list = {.h5 = h5, .links = links};
    if (group->tree < 0)
        return cob_h5_list_messages(h5, group->address, links, err);
    COB_TRY(read_heap(&list, group->heap, err));
    COB_TRY(cob_h5_walk_tree(h5, group->tree, GROUP_NODE, 8, add_symbols, &list, err));
done:
    cob_free(list.heap);
    return status;
}

bool cob_h5_is_there(const cob_h5_object *object)
{
    return object->is_group || object->has_space;
}

cobloc_status cob_h5_find(cob_h5 *h5, const cob_h5_object *group, const char *const *names,
                          cob_h5_object *objects, int count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_h5_links links = {0};
    COB_TRY(cob_h5_list(h5, group, &links, err));
    for (int o = 0; o < count; o++) {
        objects[o] = (cob_h5_object){0};
        for (int64_t i = 0; i < links.names.count && !cob_h5_is_there(&objects[o]); i++)
            if (strcmp(cob_names_get(&links.names, i), names[o]) == 0)
                COB_TRY(cob_h5_read_object(h5, links.addresses[i], &objects[o], err));
    }
done:
    cob_h5_links_free(&links);
    return status;
}
