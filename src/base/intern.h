/* Maps strings to numbers: each new string gets the next number, from 0.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_INTERN_H
#define COB_BASE_INTERN_H

#include "base/names.h"

/* A number, stored by the hash of its string. */
typedef struct cob_intern_slot {
    uint32_t hash;
    int32_t number; /* -1: free */
} cob_intern_slot;

/* Doubles a hash table of slots (open addressing by `hash`); makes one if *slots is NULL. */
cobloc_status cob_slots_widen(cob_intern_slot **slots, size_t *count, cobloc_error *err);

/* Zero-initialised: empty. `names` holds the strings in the order of their numbers. */
typedef struct cob_intern {
    cob_names names;
    cob_intern_slot
        *slots; /* open addressing; the count is a power of 2, at least a third are free */
    size_t slot_count;
} cob_intern;

void cob_intern_free(cob_intern *intern);

/* The number of a string, which is added if it is new. It must not contain NUL. */
cobloc_status cob_intern_add(cob_intern *intern, const char *text, size_t length, int64_t *number,
                             cobloc_error *err);

/* The number of a string; -1 if it is unknown. */
int64_t cob_intern_find(const cob_intern *intern, const char *text, size_t length);

/* Finds a string that occurs twice: *again is the index of its second occurrence, or -1 if all are
 * distinct. */
cobloc_status cob_names_find_repeat(const cob_names *names, int64_t *again, cobloc_error *err);

#endif
