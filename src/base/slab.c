/* Slabs.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"

#include "base/budget.h"

enum { FIRST_SLAB = 1 << 14 }; /* bytes; each next one is larger */

struct cob_slab {
    cob_slab *before;
    size_t used, capacity; /* in bytes, including this header */
};

void *cob_slab_take(cob_slab **newest, size_t bytes)
{
    cob_slab *slab = *newest;
    bytes = (bytes + 7) / 8 * 8;
    if (!slab || slab->capacity - slab->used < bytes) {
        size_t capacity = slab ? slab->capacity * 8 : FIRST_SLAB;
        while (capacity < bytes + sizeof *slab)
            capacity *= 8;
        if (capacity > COB_LARGEST_SLAB)
            capacity = COB_LARGEST_SLAB;
        slab = cob_alloc(capacity, 1);
        if (!slab)
            return NULL;
        cob_read_no_more(slab, capacity);
        *slab = (cob_slab){*newest, sizeof *slab, capacity};
        *newest = slab;
    }
    void *taken = (char *)slab + slab->used;
    slab->used += bytes;
    return taken;
}

void cob_slabs_free(cob_slab *newest)
{
    while (newest) {
        cob_slab *before = newest->before;
        cob_free(newest);
        newest = before;
    }
}
