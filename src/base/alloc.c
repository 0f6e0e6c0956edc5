/* Checked allocation.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* madvise, _SC_PHYS_PAGES */
#include "base/alloc.h"

#include "base/budget.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Blocks of at least a huge page get huge pages, which means fewer page faults while they are
 * filled. They are aligned to such pages. Growing blocks beyond MOVED_BLOCK are not: only realloc,
 * which does not copy them, lets them grow beyond half of the memory. */
#define HUGE_BLOCK ((size_t)2 << 20)
#define MOVED_BLOCK ((size_t)64 << 20)

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

static void *with_huge_pages(void *pointer, size_t bytes)
{
    if (!pointer || bytes < HUGE_BLOCK)
        return pointer;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)pointer + page - 1) / page * page;
    uintptr_t last = ((uintptr_t)pointer + bytes) / page * page;
    (void)madvise((void *)first, last - first,
                  MADV_HUGEPAGE); /* only advice: failure does not matter */
    return pointer;
}

void *cob_alloc(size_t count, size_t size)
{
    size_t bytes;
    void *pointer = NULL;
    if (must_fail() || !product(count, size, &bytes))
        return NULL;
    if (cob_is_large_block(bytes))
        return cob_block_new(bytes);
    if (bytes < HUGE_BLOCK)
        return malloc(bytes);
    if (posix_memalign(&pointer, HUGE_BLOCK, bytes) != 0)
        return NULL;
    return with_huge_pages(pointer, bytes);
}

void *cob_alloc_zero(size_t count, size_t size)
{
    size_t bytes;
    if (must_fail() || !product(count, size, &bytes))
        return NULL;
    if (cob_is_large_block(bytes))
        return cob_block_new(bytes);
    return with_huge_pages(calloc(bytes, 1), bytes);
}

void *cob_alloc_room(size_t count, size_t size)
{
    size_t bytes;
    if (must_fail() || !product(count, size, &bytes))
        return NULL;
    return cob_is_large_block(bytes) ? cob_block_new(bytes) : malloc(bytes);
}

void *cob_realloc(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (must_fail() || !product(count, size, &bytes))
        return NULL;
    size_t before = cob_block_bytes(old);
    if (before == 0)
        return with_huge_pages(realloc(old, bytes), bytes);
    void *moved = cob_block_new(bytes);
    if (moved) {
        memcpy(moved, old, before < bytes ? before : bytes);
        cob_block_free(old);
    }
    return moved;
}

void cob_free(void *pointer)
{
    if (!cob_block_free(pointer))
        free(pointer);
}

void cob_alloc_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

cobloc_status cob_fail_memory(cobloc_error *err, size_t count, size_t size)
{
    double mebibytes = (double)count * (double)size / 1048576.0;
    const char *files = cob_block_failure();
    if (files)
        return cob_fail(err, COBLOC_IO, "%s", files);
    if (mebibytes < 1.0)
        return cob_fail(err, COBLOC_NO_MEMORY, "out of memory");
    return cob_fail(err, COBLOC_NO_MEMORY, "out of memory: %.0f MiB more were needed", mebibytes);
}

/* Returns a larger block with the same content. NULL if memory runs out; the old block is then
 * still valid. */
static void *grown_block(void *old, size_t capacity, size_t wanted, size_t size)
{
    if (wanted > MOVED_BLOCK / size || wanted * size < HUGE_BLOCK)
        return cob_realloc(old, wanted, size);
    void *grown = cob_alloc(wanted, size);
    if (grown && old) {
        memcpy(grown, old, capacity * size);
        cob_free(old);
    }
    return grown;
}

int cob_grow_now(void *array_pointer, size_t *capacity, size_t need, size_t size)
{
    size_t wanted = *capacity < 8 ? 16 : *capacity * 2;
    if (wanted < need)
        wanted = need;
    void *old;
    memcpy(&old, array_pointer, sizeof old); /* array_pointer is a T ** for any T */
    void *grown = grown_block(old, *capacity, wanted, size);
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
