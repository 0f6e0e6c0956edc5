/* Strings to numbers: each new string gets the next number, from 0.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_INTERN_H
#define COB_BASE_INTERN_H

#include "base/names.h"

/* A number, found by the hash of what it stands for. */
typedef struct cob_intern_slot {
    uint32_t hash;
    int32_t number; /* -1: free */
} cob_intern_slot;

/* Doubles a table of slots, which is open addressing by `hash`; NULL and 0: makes one. */
cobloc_status cob_slots_widen(cob_intern_slot **slots, size_t *count, cobloc_error *err);

/* Zero-initialised: no strings. `names` holds them in the order of their numbers. */
typedef struct cob_intern {
    cob_names names;
    cob_intern_slot *slots; /* open addressing; a power of 2 of them, at least a third free */
    size_t slot_count;
} cob_intern;

void cob_intern_free(cob_intern *intern);

/* The number of a string (which must hold no NUL), known or new. */
cobloc_status cob_intern_add(cob_intern *intern, const char *text, size_t length, int64_t *number,
                             cobloc_error *err);

/* The number of a string that is known; -1: it is not. */
int64_t cob_intern_find(const cob_intern *intern, const char *text, size_t length);

/* Looks for a string that occurs twice: *again is its second place, or -1 where all are distinct.
 * */
cobloc_status cob_names_find_repeat(const cob_names *names, int64_t *again, cobloc_error *err);

#endif
