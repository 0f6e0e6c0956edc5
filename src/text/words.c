/* The words a counter has seen.
 * SPDX-License-Identifier: MIT
 */
#include "text/words.h"

#include "base/alloc.h"

void cob_words_free(cob_words *words)
{
    cob_free(words->list);
    cob_free(words->text);
    cob_free(words->slot_memory);
    *words = (cob_words){0};
}

static cobloc_status widen(cob_words *words, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t count = words->slot_count ? words->slot_count * 2 : 1024;
    char *memory = NULL;
    COB_NEW(memory, count * sizeof(cob_word_slot) + COB_LINE);
    memset(memory, 0, count * sizeof(cob_word_slot) + COB_LINE);
    cob_word_slot *slots = cob_aligned(memory);
    for (size_t old = 0; old < words->slot_count; old++) {
        if (words->slots[old].key.first == 0)
            continue;
        size_t s = cob_word_home(words->slots[old].key, count);
        while (slots[s].key.first != 0)
            s = (s + 1) & (count - 1);
        slots[s] = words->slots[old];
    }
    cob_free(words->slot_memory);
    words->slot_memory = memory;
    words->slots = slots;
    words->slot_count = count;
done:
    return status;
}

/* The slot of a word, or the free slot where it belongs. */
static inline cob_word_slot *slot_of(const cob_words *words, cob_word_key key, const char *text,
                                     size_t length)
{
    for (size_t s = cob_word_home(key, words->slot_count);; s = (s + 1) & (words->slot_count - 1)) {
        cob_word_slot *slot = &words->slots[s];
        if (slot->key.first == 0)
            return slot;
        if (slot->key.first == key.first && slot->key.second == key.second &&
            (length <= 16 || memcmp(cob_word_text(words, (size_t)slot->number), text, length) == 0))
            return slot;
    }
}

static cobloc_status add(cob_words *words, const char *text, size_t length, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(words->count < INT32_MAX, COBLOC_UNSUPPORTED,
              "there are more than %d different words", INT32_MAX);
    COB_CHECK(cob_grow(&words->list, &words->capacity, words->count + 1, sizeof *words->list) &&
                  cob_grow(&words->text, &words->text_capacity,
                           words->text_size + length + 1 + COB_WORD_SLACK, 1),
              COBLOC_NO_MEMORY, "out of memory");
    memcpy(words->text + words->text_size, text, length);
    words->text[words->text_size + length] = '\0';
    words->list[words->count++] =
        (cob_word){.term = -1, .names = -1, .text = words->text_size, .length = (uint32_t)length};
    words->text_size += length + 1;
done:
    return status;
}

cobloc_status cob_words_find(cob_words *words, cob_word_key key, const char *text, size_t length,
                             cob_word_slot **slot, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (words->count * 2 >= words->slot_count)
        COB_TRY(widen(words, err));
    *slot = slot_of(words, key, text, length);
    if ((*slot)->key.first == 0) {
        COB_TRY(add(words, text, length, err));
        **slot = (cob_word_slot){.key = key, .term = -1, .number = (int32_t)(words->count - 1)};
    }
done:
    return status;
}

void cob_words_update_list(cob_words *words)
{
    for (size_t s = 0; s < words->slot_count; s++) {
        const cob_word_slot *slot = &words->slots[s];
        if (slot->key.first != 0) {
            words->list[slot->number].count = slot->count;
            words->list[slot->number].term = slot->term;
        }
    }
}
