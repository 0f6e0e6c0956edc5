/* A list of strings in two allocations: names of rows and columns, and labels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_NAMES_H
#define COB_BASE_NAMES_H

#include "base/error.h"

/* Zero-initialised: an empty list. String i is the NUL-terminated text at bytes + offsets[i]; the
 * last byte is a NUL. Lists without capacity are borrowed from a mapped file: nothing is ever added
 * to them, and they may be damaged, so cob_names_get checks offsets. */
typedef struct cob_names {
    int64_t count;
    int64_t *offsets; /* one per string */
    char *bytes;
    size_t size; /* of bytes */
    size_t offsets_capacity;
    size_t bytes_capacity;
} cob_names;

void cob_names_free(cob_names *names);

/* Appends the `length` bytes at `text`, which must not contain NUL. */
cobloc_status cob_names_add(cob_names *names, const char *text, size_t length, cobloc_error *err);

/* Appends a number as text; integers without a decimal point. */
cobloc_status cob_names_add_number(double value, cob_names *names, cobloc_error *err);

/* Makes room for `count` strings and `bytes` bytes in total, NULs included. */
cobloc_status cob_names_reserve(cob_names *names, size_t count, size_t bytes, cobloc_error *err);

/* Appends `count` strings of another list, starting at number `first`. */
cobloc_status cob_names_append(cob_names *names, const cob_names *from, int64_t first,
                               int64_t count, cobloc_error *err);

/* Moves `from` into `to`; what `to` held is released. */
void cob_names_move(cob_names *to, cob_names *from);

cobloc_status cob_names_copy(cob_names *to, const cob_names *from, cobloc_error *err);

static inline const char *cob_names_get(const cob_names *names, int64_t i)
{
    if (i < 0 || i >= names->count)
        return NULL;
    uint64_t offset = (uint64_t)names->offsets[i];
    return offset < names->size ? names->bytes + offset : "";
}

size_t cob_names_bytes(const cob_names *names);

/* Whether the two lists hold the same strings in the same order. */
int cob_names_equal(const cob_names *a, const cob_names *b);

#endif
