/* The only allocator. Sizes are checked products, failures are statuses, and tests can make any
 * allocation fail.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_ALLOC_H
#define COB_BASE_ALLOC_H

#include "base/error.h"

#include <stddef.h>

/* Allocate count * size bytes. NULL if the product overflows or memory runs out; never NULL for
 * zero bytes otherwise. */
void *cob_alloc(size_t count, size_t size);
void *cob_alloc_zero(size_t count, size_t size);
/* The same as cob_alloc, for memory of which only the beginning may ever be used: in small pages.
 */
void *cob_alloc_room(size_t count, size_t size);
/* On failure returns NULL and leaves `old` valid. */
void *cob_realloc(void *old, size_t count, size_t size);
void cob_free(void *pointer);
/* Hands memory that was freed back to the system, which the C library may keep for later: up to
 * twice the largest block so far. For the time between two large pieces of work. */
void cob_alloc_trim(void);

/* The first address in `pointer`'s memory that starts a cache line. The block must be COB_LINE
 * bytes larger than needed. */
enum { COB_LINE = 64 };
static inline void *cob_aligned(void *pointer)
{
    return (char *)pointer + (COB_LINE - (uintptr_t)pointer % COB_LINE) % COB_LINE;
}

/* Allocate into a variable inside a function with `status`, `err` and `done:`. */
#define COB_NEW(variable, count)                                                                   \
    COB_NEW_FROM_((variable), (count), cob_alloc((size_t)(count), sizeof *(variable)))
#define COB_NEW_ZERO(variable, count)                                                              \
    COB_NEW_FROM_((variable), (count), cob_alloc_zero((size_t)(count), sizeof *(variable)))
#define COB_NEW_ROOM(variable, count)                                                              \
    COB_NEW_FROM_((variable), (count), cob_alloc_room((size_t)(count), sizeof *(variable)))
#define COB_NEW_FROM_(variable, count, pointer)                                                    \
    do {                                                                                           \
        (variable) = (pointer);                                                                    \
        if (!(variable)) {                                                                         \
            status = COBLOC_NO_MEMORY;                                                             \
            cob_fail_memory(err, (size_t)(count), sizeof *(variable));                             \
            goto done;                                                                             \
        }                                                                                          \
    } while (0)

/* Sets the message for a failed allocation. */
cobloc_status cob_fail_memory(cobloc_error *err, size_t count, size_t size);

int cob_grow_now(void *array_pointer, size_t *capacity, size_t need, size_t size);

/* Makes room for at least `need` elements in a growable array; the capacity doubles, so that
 * appending is cheap. Returns false and changes nothing if memory runs out. */
static inline int cob_grow(void *array_pointer, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity || cob_grow_now(array_pointer, capacity, need, size);
}

/* Adds one number to a growable array. */
cobloc_status cob_push_number(double **array, size_t *count, size_t *capacity, double number,
                              cobloc_error *err);

/* The machine's memory in bytes; infinite if unknown. */
double cob_machine_memory(void);

/* Copies a text; the copy of NULL is NULL. */
cobloc_status cob_copy_text(const char *text, char **copy, cobloc_error *err);

/* For tests: allocation number `k` from now (0 is the next) fails once; a negative `k` turns this
 * off. */
void cob_alloc_fail_at(long k);
/* For tests: true once that allocation has failed. */
int cob_alloc_has_failed(void);

/* ---- memory that is taken in small pieces and freed as a whole (slab.c) ---------------------- */

typedef struct cob_slab cob_slab;

enum { COB_LARGEST_SLAB = 1 << 25 }; /* bytes: enough for huge pages */

/* A piece of the newest slab, or of a new one; *newest is NULL at first. NULL if memory runs out.
 * Under a budget (base/budget.h) slabs may lie in files, and their pieces are visited in no order.
 */
void *cob_slab_take(cob_slab **newest, size_t bytes);
void cob_slabs_free(cob_slab *newest);

#endif
