/* A list of what an object owns.
 * SPDX-License-Identifier: MIT
 */
#include "base/owned.h"

struct cob_owned {
    cob_owned *next;
    void *memory;
};

static cob_owned **find(cob_object *head, const void *memory)
{
    cob_owned **at = &head->owned;
    while (*at && (*at)->memory != memory)
        at = &(*at)->next;
    return at;
}

void *cob_adopt(cob_object *head, void *memory, cobloc_error *err)
{
    cob_owned *entry = memory ? cob_alloc(1, sizeof *entry) : NULL;
    if (!entry) {
        cob_fail_memory(err, 1, sizeof *entry);
        cob_free(memory);
        return NULL;
    }
    *entry = (cob_owned){head->owned, memory};
    head->owned = entry;
    return memory;
}

void *cob_own(cob_object *head, size_t count, size_t size, cobloc_error *err)
{
    void *memory = cob_alloc_zero(count, size);
    if (memory)
        return cob_adopt(head, memory, err);
    cob_fail_memory(err, count, size);
    return NULL;
}

void *cob_own_more(cob_object *head, void *old, size_t count, size_t size, cobloc_error *err)
{
    cob_owned *entry = old ? *find(head, old) : NULL;
    if (!entry)
        return cob_own(head, count, size, err);
    void *memory = cob_realloc(old, count, size);
    if (memory)
        entry->memory = memory;
    else
        cob_fail_memory(err, count, size);
    return memory;
}

void cob_disown(cob_object *head, const void *memory)
{
    cob_owned **at = memory ? find(head, memory) : NULL;
    if (!at || !*at)
        return;
    cob_owned *entry = *at;
    *at = entry->next;
    cob_free(entry->memory);
    cob_free(entry);
}

void cob_disown_all(cob_object *head)
{
    while (head->owned)
        cob_disown(head, head->owned->memory);
}
