/* The one allocator: every size is a checked product, every failure a status, and tests can make
 * any allocation fail.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_ALLOC_H
#define COB_BASE_ALLOC_H

#include "base/error.h"

/* count * size bytes, or NULL if that overflows or there is no memory. Zero bytes give a pointer
 * too. */
void *cob_alloc(size_t count, size_t size);
void *cob_alloc_zero(size_t count, size_t size);
/* On failure NULL, and `old` is still valid. */
void *cob_realloc(void *old, size_t count, size_t size);
void cob_free(void *pointer);

/* The first place in `pointer`'s memory where a cache line begins; COB_LINE bytes more than are
 * needed must be there. */
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
#define COB_NEW_FROM_(variable, count, pointer)                                                    \
    do {                                                                                           \
        (variable) = (pointer);                                                                    \
        if (!(variable)) {                                                                         \
            status = cob_fail_memory(err, (size_t)(count), sizeof *(variable));                    \
            goto done;                                                                             \
        }                                                                                          \
    } while (0)

/* The sentence for a failed allocation. */
cobloc_status cob_fail_memory(cobloc_error *err, size_t count, size_t size);

int cob_grow_now(void *array_pointer, size_t *capacity, size_t need, size_t size);

/* Makes room for at least `need` elements in a growable array; doubles, so that pushes are cheap.
 * Returns false, with nothing changed, when there is no memory. */
static inline int cob_grow(void *array_pointer, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity || cob_grow_now(array_pointer, capacity, need, size);
}

/* Adds one number to a growable array. */
cobloc_status cob_push_number(double **array, size_t *count, size_t *capacity, double number,
                              cobloc_error *err);

/* Bytes of memory that the machine has; infinite where it does not say. */
double cob_machine_memory(void);

/* A copy of a text; none of NULL. */
cobloc_status cob_copy_text(const char *text, char **copy, cobloc_error *err);

/* For tests: the allocation number `k` from now (0 = the next) fails once; negative: none does. */
void cob_alloc_fail_at(long k);
/* For tests: true once that allocation has failed. */
int cob_alloc_has_failed(void);

#endif
