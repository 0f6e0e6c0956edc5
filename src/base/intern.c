/* Maps strings to numbers.
 * SPDX-License-Identifier: MIT
 */
#include "base/intern.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

void cob_intern_free(cob_intern *intern)
{
    cob_names_free(&intern->names);
    cob_free(intern->slots);
    *intern = (cob_intern){0};
}

static int holds(const cob_intern *intern, int64_t number, const char *text, size_t length)
{
    const cob_names *names = &intern->names;
    int64_t start = names->offsets[number];
    int64_t end = number + 1 < names->count ? names->offsets[number + 1] : (int64_t)names->size;
    return (size_t)(end - start) == length + 1 && memcmp(names->bytes + start, text, length) == 0;
}

static size_t free_slot(const cob_intern_slot *slots, size_t count, uint32_t hash)
{
    size_t s = hash & (count - 1);
    while (slots[s].number >= 0)
        s = (s + 1) & (count - 1);
    return s;
}

cobloc_status cob_slots_widen(cob_intern_slot **slots, size_t *count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t wider_count = *count ? *count * 2 : 64;
    cob_intern_slot *wider = NULL;
    COB_NEW(wider, wider_count);
    for (size_t s = 0; s < wider_count; s++)
        wider[s] = (cob_intern_slot){0, -1};
    for (size_t s = 0; s < *count; s++)
        if ((*slots)[s].number >= 0)
            wider[free_slot(wider, wider_count, (*slots)[s].hash)] = (*slots)[s];
    cob_free(*slots);
    *slots = wider;
    *count = wider_count;
done:
    return status;
}

/* The slot that holds a string, or the free one where it belongs. */
static size_t slot_of(const cob_intern *intern, uint32_t hash, const char *text, size_t length)
{
    size_t mask = intern->slot_count - 1, s = hash & mask;
    while (intern->slots[s].number >= 0 &&
           !(intern->slots[s].hash == hash && holds(intern, intern->slots[s].number, text, length)))
        s = (s + 1) & mask;
    return s;
}

int64_t cob_intern_find(const cob_intern *intern, const char *text, size_t length)
{
    if (intern->slot_count == 0)
        return -1;
    return intern->slots[slot_of(intern, cob_hash_bytes(text, length), text, length)].number;
}

cobloc_status cob_intern_add(cob_intern *intern, const char *text, size_t length, int64_t *number,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint32_t hash = cob_hash_bytes(text, length);
    if ((size_t)intern->names.count * 3 >= intern->slot_count * 2)
        COB_TRY(cob_slots_widen(&intern->slots, &intern->slot_count, err));
    size_t s = slot_of(intern, hash, text, length);
    if (intern->slots[s].number < 0) {
        COB_CHECK(intern->names.count < INT32_MAX, COBLOC_UNSUPPORTED,
                  "there are more than the %d different names that cobloc handles", INT32_MAX);
        COB_TRY(cob_names_add(&intern->names, text, length, err));
        intern->slots[s] = (cob_intern_slot){hash, (int32_t)(intern->names.count - 1)};
    }
    *number = intern->slots[s].number;
done:
    return status;
}

cobloc_status cob_names_find_repeat(const cob_names *names, int64_t *again, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_intern seen = {0};
    *again = -1;
    for (int64_t i = 0; i < names->count && *again < 0; i++) {
        const char *text = cob_names_get(names, i);
        int64_t number;
        COB_TRY(cob_intern_add(&seen, text, strlen(text), &number, err));
        if (number < i)
            *again = i;
    }
done:
    cob_intern_free(&seen);
    return status;
}
