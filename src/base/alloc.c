/* Checked allocation.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* madvise, _SC_PHYS_PAGES */
#include "base/alloc.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Blocks of this size and more are worth huge pages: fewer page faults while they are filled. */
#define HUGE_BLOCK ((size_t)2 << 20)

static atomic_long fail_countdown = -1;
static atomic_int has_failed = 0;

void cob_alloc_fail_at(long k)
{
    atomic_store(&has_failed, 0);
    atomic_store(&fail_countdown, k);
}

int cob_alloc_has_failed(void)
{
    return atomic_load(&has_failed);
}

static int must_fail(void)
{
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) < 0)
        return 0;
    if (atomic_fetch_sub(&fail_countdown, 1) != 0)
        return 0;
    atomic_store(&has_failed, 1);
    return 1;
}

static int product(size_t count, size_t size, size_t *bytes)
{
    if (size != 0 && count > PTRDIFF_MAX / size)
        return 0;
    *bytes = count * size;
    if (*bytes == 0)
        *bytes = 1;
    return 1;
}

static void advise(void *pointer, size_t bytes, int advice)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)pointer + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)pointer + bytes) / page * page;
    if (first < last)
        (void)madvise((void *)first, last - first, advice); /* only advice: failing is no loss */
}

void *cob_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (must_fail() || !product(count, size, &bytes))
        return NULL;
    void *pointer = malloc(bytes);
    if (pointer && bytes >= HUGE_BLOCK)
        advise(pointer, bytes, MADV_HUGEPAGE);
    return pointer;
}

void *cob_alloc_zero(size_t count, size_t size)
{
    size_t bytes;
    if (must_fail() || !product(count, size, &bytes))
        return NULL;
    void *pointer = calloc(bytes, 1);
    if (pointer && bytes >= HUGE_BLOCK)
        advise(pointer, bytes, MADV_HUGEPAGE);
    return pointer;
}

void *cob_realloc(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (must_fail() || !product(count, size, &bytes))
        return NULL;
    void *pointer = realloc(old, bytes);
    if (pointer && bytes >= HUGE_BLOCK)
        advise(pointer, bytes, MADV_HUGEPAGE);
    return pointer;
}

void cob_free(void *pointer)
{
    free(pointer);
}

cobloc_status cob_fail_memory(cobloc_error *err, size_t count, size_t size)
{
    double mebibytes = (double)count * (double)size / 1048576.0;
    if (mebibytes < 1.0)
        return cob_fail(err, COBLOC_NO_MEMORY, "out of memory");
    return cob_fail(err, COBLOC_NO_MEMORY, "out of memory: %.0f MiB more were needed", mebibytes);
}

int cob_grow_now(void *array_pointer, size_t *capacity, size_t need, size_t size)
{
    size_t wanted = *capacity < 8 ? 16 : *capacity * 2;
    if (wanted < need)
        wanted = need;
    void *old;
    memcpy(&old, array_pointer, sizeof old); /* array_pointer is a T **, whatever T */
    void *grown = cob_realloc(old, wanted, size);
    if (!grown)
        return 0;
    memcpy(array_pointer, &grown, sizeof grown);
    *capacity = wanted;
    return 1;
}

cobloc_status cob_push_number(double **array, size_t *count, size_t *capacity, double number,
                              cobloc_error *err)
{
    if (!cob_grow(array, capacity, *count + 1, sizeof **array))
        return cob_fail_memory(err, *count + 1, sizeof **array);
    (*array)[(*count)++] = number;
    return COBLOC_OK;
}

double cob_machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (double)pages * (double)page : INFINITY;
}

cobloc_status cob_copy_text(const char *text, char **copy, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *made = NULL;
    if (text) {
        size_t size = strlen(text) + 1;
        COB_NEW(made, size);
        memcpy(made, text, size);
    }
    *copy = made;
done:
    return status;
}
