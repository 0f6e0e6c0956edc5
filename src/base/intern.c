/* Strings to numbers.
 * SPDX-License-Identifier: MIT
 */
#include "base/intern.h"

#include "base/alloc.h"

#include <string.h>

void cob_intern_free(cob_intern *intern)
{
    cob_names_free(&intern->names);
    cob_free(intern->slots);
    *intern = (cob_intern){0};
}

/* FNV-1a, and a last mix so that the low bits depend on all of the others. */
static uint32_t hash_of(const char *text, size_t length)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3u;
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93u;
    return (uint32_t)(hash >> 32);
}

/* No string holds a NUL, so that equal bytes and then a NUL are the same string. */
static int holds(const cob_intern *intern, int64_t number, const char *text, size_t length)
{
    const char *known = cob_names_get(&intern->names, number);
    return strncmp(known, text, length) == 0 && known[length] == '\0';
}

static size_t free_slot(const cob_intern_slot *slots, size_t count, uint32_t hash)
{
    size_t s = hash & (count - 1);
    while (slots[s].number >= 0)
        s = (s + 1) & (count - 1);
    return s;
}

static cobloc_status widen(cob_intern *intern, cobloc_error *err)
{
    size_t count = intern->slot_count ? intern->slot_count * 2 : 64;
    cob_intern_slot *slots = cob_alloc(count, sizeof *slots);
    if (!slots)
        return cob_fail_memory(err, count, sizeof *slots);
    for (size_t s = 0; s < count; s++)
        slots[s] = (cob_intern_slot){0, -1};
    for (size_t s = 0; s < intern->slot_count; s++)
        if (intern->slots[s].number >= 0)
            slots[free_slot(slots, count, intern->slots[s].hash)] = intern->slots[s];
    cob_free(intern->slots);
    intern->slots = slots;
    intern->slot_count = count;
    return COBLOC_OK;
}

cobloc_status cob_intern_add(cob_intern *intern, const char *text, size_t length, int64_t *number,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint32_t hash = hash_of(text, length);
    if ((size_t)intern->names.count * 3 >= intern->slot_count * 2)
        COB_TRY(widen(intern, err));
    size_t s = hash & (intern->slot_count - 1);
    for (; intern->slots[s].number >= 0; s = (s + 1) & (intern->slot_count - 1))
        if (intern->slots[s].hash == hash && holds(intern, intern->slots[s].number, text, length)) {
            *number = intern->slots[s].number;
            goto done;
        }
    COB_CHECK(intern->names.count < INT32_MAX, COBLOC_UNSUPPORTED,
              "there are more than the %d different names that cobloc handles", INT32_MAX);
    COB_TRY(cob_names_add(&intern->names, text, length, err));
    *number = intern->names.count - 1;
    intern->slots[s] = (cob_intern_slot){hash, (int32_t)*number};
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
