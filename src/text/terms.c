/* Terms by number.
 * SPDX-License-Identifier: MIT
 */
#include "text/terms.h"

#include "base/alloc.h"

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

static size_t slot_of(const cob_terms *t, int32_t left, int32_t right)
{
    uint64_t hash = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * 0x9E3779B97F4A7C15u;
    size_t mask = t->slot_count - 1, s = (size_t)(hash >> 20) & mask;
    while (t->slots[s] >= 0 &&
           (t->list[t->slots[s]].left != left || t->list[t->slots[s]].right != right))
        s = (s + 1) & mask;
    return s;
}

static cobloc_status widen(cob_terms *t, cobloc_error *err)
{
    size_t count = t->slot_count ? t->slot_count * 2 : 1024;
    int32_t *old = t->slots, *slots = cob_alloc(count, sizeof *slots);
    if (!slots)
        return cob_fail_memory(err, count, sizeof *slots);
    for (size_t s = 0; s < count; s++)
        slots[s] = -1;
    t->slots = slots;
    t->slot_count = count;
    for (size_t i = 0; i < t->count; i++)
        if (t->list[i].right >= 0)
            slots[slot_of(t, t->list[i].left, t->list[i].right)] = (int32_t)i;
    cob_free(old);
    return COBLOC_OK;
}

cobloc_status cob_terms_pair(cob_terms *t, int32_t left, int32_t right, int32_t *term,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (t->pair_count * 3 >= t->slot_count * 2)
        COB_TRY(widen(t, err));
    size_t s = slot_of(t, left, right);
    if (t->slots[s] < 0) {
        COB_TRY(add(t, left, right, &t->slots[s], err));
        t->pair_count++;
    }
    *term = t->slots[s];
done:
    return status;
}
