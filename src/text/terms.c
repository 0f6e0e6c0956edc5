/* Terms by number.
 * SPDX-License-Identifier: MIT
 */
#include "text/terms.h"

#include "base/alloc.h"
#include "base/hash.h"

void cob_terms_free(cob_terms *t)
{
    cob_free(t->list);
    cob_free(t->slots);
    *t = (cob_terms){0};
}

static cobloc_status add(cob_terms *t, int32_t left, int32_t right, int32_t *term,
                         cobloc_error *err)
{
    if (t->count >= INT32_MAX)
        return cob_fail(err, COBLOC_UNSUPPORTED, "there are more than %d different terms",
                        INT32_MAX);
    if (!cob_grow(&t->list, &t->capacity, t->count + 1, sizeof *t->list))
        return cob_fail_memory(err, t->count + 1, sizeof *t->list);
    *term = (int32_t)t->count++;
    t->list[*term] = (cob_term){.left = left, .right = right, .newest = -1};
    return COBLOC_OK;
}

cobloc_status cob_terms_word(cob_terms *t, cob_words *words, int32_t key, int32_t *term,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (words->list[key].names < 0)
        COB_TRY(add(t, key, -1, &words->list[key].names, err));
    *term = words->list[key].names;
done:
    return status;
}

/* ---- n-grams --------------------------------------------------------------------------------- */

static inline uint32_t hash_of(int32_t left, int32_t right)
{
    uint64_t parts = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    return (uint32_t)(cob_hash_mix(cob_hash_mix(0, parts), 0x9E3779B97F4A7C15u) >> 32);
}

void cob_terms_prefetch(const cob_terms *t, int32_t left, int32_t right)
{
    if (t->slot_count > 0)
        __builtin_prefetch(&t->slots[hash_of(left, right) & (t->slot_count - 1)]);
}

void cob_terms_prefetch_found(const cob_terms *t, int32_t left, int32_t right)
{
    if (t->slot_count == 0)
        return;
    int32_t found = t->slots[hash_of(left, right) & (t->slot_count - 1)].number;
    if (found >= 0)
        __builtin_prefetch(&t->list[found]);
}

/* The slot of an n-gram, or the free slot where it belongs. */
static cob_intern_slot *slot_of(const cob_terms *t, uint32_t hash, int32_t left, int32_t right)
{
    for (size_t mask = t->slot_count - 1, s = hash & mask;; s = (s + 1) & mask) {
        cob_intern_slot *slot = &t->slots[s];
        if (slot->number < 0 || (slot->hash == hash && t->list[slot->number].left == left &&
                                 t->list[slot->number].right == right))
            return slot;
    }
}

int32_t cob_terms_find(const cob_terms *t, int32_t left, int32_t right)
{
    return t->slot_count ? slot_of(t, hash_of(left, right), left, right)->number : -1;
}

cobloc_status cob_terms_pair(cob_terms *t, int32_t left, int32_t right, int32_t *term,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint32_t hash = hash_of(left, right);
    if (t->pair_count * 3 >= t->slot_count * 2)
        COB_TRY(cob_slots_widen(&t->slots, &t->slot_count, err));
    cob_intern_slot *slot = slot_of(t, hash, left, right);
    if (slot->number < 0) {
        COB_TRY(add(t, left, right, &slot->number, err));
        slot->hash = hash;
        t->pair_count++;
    }
    *term = slot->number;
done:
    return status;
}
