/* A small reader for HDF5 files. It supports what MATLAB 7.3 and common programs write, and checks
 * every offset and size.
 *
 * It reads old-style groups (symbol tables) and small new-style ones, objects with either kind of
 * header, datasets of integers, reals, strings and object references that are compact, contiguous
 * or chunked with a version 1 B-tree, and the filters deflate and shuffle. Links out of the file
 * are not followed. The reference library is not robust against damaged files: a changed byte can
 * crash it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_H5_H
#define COB_IO_H5_H

#include "base/names.h"
#include "io/binary.h"

#include <zlib.h>

enum { COB_H5_RANK = 8, COB_H5_FILTERS = 4, COB_H5_ATTRIBUTES = 8 };

/* The class of a data type; the numbers are HDF5's. */
typedef enum cob_h5_class {
    COB_H5_INTEGER = 0,
    COB_H5_REAL = 1,
    COB_H5_STRING = 3,
    COB_H5_COMPOUND = 6,
    COB_H5_REFERENCE = 7,
    COB_H5_LONG_STRING = 9, /* of variable length: the elements are references into heaps */
    COB_H5_STRANGE = 99     /* any other */
} cob_h5_class;

typedef struct cob_h5_type {
    cob_h5_class class;
    uint32_t size;
    cob_number_type number; /* of integers and reals */
} cob_h5_type;

/* A small attribute; longer names or values are skipped. */
typedef struct cob_h5_attribute {
    char name[32];
    cob_h5_type type;
    size_t size; /* of all its elements */
    unsigned char bytes[40];
} cob_h5_attribute;

typedef struct cob_h5_layout {
    enum { COB_H5_NO_DATA, COB_H5_COMPACT, COB_H5_CONTIGUOUS, COB_H5_CHUNKED } kind;
    int64_t place; /* of the data, or of the tree of chunks */
    int64_t size;  /* bytes stored: compact and contiguous */
    int chunk_rank;
    int64_t chunk[COB_H5_RANK + 1]; /* the last one is the size of an element */
} cob_h5_layout;

typedef struct cob_h5_object {
    int64_t address;
    bool is_group;
    int64_t tree; /* the symbol table of an old-style group; -1: new-style */
    int64_t heap;
    bool has_space; /* a dataset */
    int rank;
    int64_t dims[COB_H5_RANK];
    cob_h5_type type;
    cob_h5_layout layout;
    int filter_count;
    uint16_t filters[COB_H5_FILTERS];
    int attribute_count;
    cob_h5_attribute attributes[COB_H5_ATTRIBUTES];
    const char *strange; /* why the data cannot be read; NULL if they can */
} cob_h5_object;

/* A heap of strings, as h5_strings.c keeps it. */
typedef struct cob_h5_heap cob_h5_heap;

typedef struct cob_h5 {
    cob_binary *file;
    int64_t base; /* where the HDF5 part of the file starts; addresses are relative to it */
    int64_t root;
    int64_t looked_at; /* bytes of structures so far: a damaged file may contain cycles */
    int64_t expanded;  /* bytes of data so far */
    bool inflating;
    z_stream z;
    unsigned char *room[2]; /* for chunks: as stored, and while they are decoded */
    size_t room_capacity[2];
    unsigned char *block; /* for structures */
    size_t block_capacity;
    cob_h5_heap *heaps; /* a hash table by address, of which heap_used places are taken */
    size_t heap_capacity;
    size_t heap_used;
} cob_h5;

/* The names and addresses of a group's members. */
typedef struct cob_h5_links {
    cob_names names;
    int64_t *addresses;
    size_t capacity;
} cob_h5_links;

cobloc_status cob_h5_open(cob_h5 *h5, cob_binary *file, cobloc_error *err);
void cob_h5_close(cob_h5 *h5);

cobloc_status cob_h5_read_object(cob_h5 *h5, int64_t address, cob_h5_object *object,
                                 cobloc_error *err);

cobloc_status cob_h5_list(cob_h5 *h5, const cob_h5_object *group, cob_h5_links *links,
                          cobloc_error *err);
void cob_h5_links_free(cob_h5_links *links);

/* Finds members of a group by name. An object that is not there is neither a group nor has a space.
 */
cobloc_status cob_h5_find(cob_h5 *h5, const cob_h5_object *group, const char *const *names,
                          cob_h5_object *objects, int count, cobloc_error *err);
bool cob_h5_is_there(const cob_h5_object *object);

/* NULL if the object has no such attribute. */
const cob_h5_attribute *cob_h5_find_attribute(const cob_h5_object *object, const char *name);

/* The number of elements of a dataset; -1 if it overflows. */
int64_t cob_h5_count(const cob_h5_object *object);

/* Receives the elements first, first + 1, ... of a dataset, in C order. */
typedef cobloc_status (*cob_h5_run_fn)(void *context, int64_t first, int64_t count,
                                       const unsigned char *bytes, cobloc_error *err);

/* Hands out all stored elements, in runs in any order. Other elements are zero. */
cobloc_status cob_h5_read_data(cob_h5 *h5, const cob_h5_object *object, cob_h5_run_fn take,
                               void *context, cobloc_error *err);

/* Fails if this many more bytes of data are implausible for a file of this size. */
cobloc_status cob_h5_check_size(cob_h5 *h5, int64_t bytes, cobloc_error *err);

/* ---- numbers (h5_numbers.c) ------------------------------------------------------------------ */

/* Receives an entry of a matrix: its line and its place in the line, from 0 on. */
typedef cobloc_status (*cob_h5_entry_fn)(void *context, int64_t line, int64_t place, double value,
                                         cobloc_error *err);

/* All elements of a dataset, as lines of this width, in any order. */
cobloc_status cob_h5_read_full(cob_h5 *h5, const cob_h5_object *object, int64_t width,
                               cob_h5_entry_fn take, void *context, cobloc_error *err);

/* The datasets of a compressed sparse matrix: where the lines start (one more than lines), and the
 * places and the values of the entries; names[] are theirs, for messages. */
typedef struct cob_h5_sparse {
    const char *names[3];
    cob_h5_object parts[3];
    int64_t lines;
} cob_h5_sparse;

cobloc_status cob_h5_read_sparse(cob_h5 *h5, const cob_h5_sparse *sparse, cob_h5_entry_fn take,
                                 void *context, cobloc_error *err);

/* A dataset of whole numbers from 0 to 2^53; `into` has room for all. Below 0: an error, or if
 * `unknown`, -1. */
cobloc_status cob_h5_read_integers(cob_h5 *h5, const cob_h5_object *object, bool unknown,
                                   int64_t *into, cobloc_error *err);

/* ---- strings (h5_strings.c) ------------------------------------------------------------------ */

/* Adds the strings of a dataset, in order. Text that is not UTF-8 becomes U+FFFD; a string ends at
 * its first NUL. */
cobloc_status cob_h5_read_strings(cob_h5 *h5, const cob_h5_object *object, cob_names *names,
                                  cobloc_error *err);

/* The text of an attribute, in `text`; "" if it holds none, or more than there is room for. */
cobloc_status cob_h5_attribute_text(cob_h5 *h5, const cob_h5_attribute *attribute, char *text,
                                    size_t room, cobloc_error *err);

/* Frees the heaps that were read. */
void cob_h5_free_heaps(cob_h5 *h5);

/* ---- shared by the files h5*.c --------------------------------------------------------------- */

/* Reads a structure into h5->block and returns it; NULL, with *status set, on failure. */
const unsigned char *cob_h5_block(cob_h5 *h5, int64_t address, int64_t size, cobloc_status *status,
                                  cobloc_error *err);

/* Called for every entry in the leaves of a B-tree. */
typedef cobloc_status (*cob_h5_leaf_fn)(void *context, const unsigned char *key, int64_t child,
                                        cobloc_error *err);

cobloc_status cob_h5_walk_tree(cob_h5 *h5, int64_t root, int type, size_t key_bytes,
                               cob_h5_leaf_fn leaf, void *context, cobloc_error *err);

cobloc_status cob_h5_links_add(cob_h5_links *links, const char *name, size_t length,
                               int64_t address, cobloc_error *err);

/* The links of a new-style group, which are in its header. */
cobloc_status cob_h5_list_messages(cob_h5 *h5, int64_t address, cob_h5_links *links,
                                   cobloc_error *err);

#endif
