/* The words that a counter has met.
 * SPDX-License-Identifier: MIT
 */
#include "text/words.h"

#include "base/alloc.h"

void cob_words_free(cob_words *words)
{
    cob_free(words->list);
    cob_free(words->text);
    cob_free(words->slots);
    *words = (cob_words){0};
}

static cobloc_status widen(cob_words *words, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t count = words->slot_count ? words->slot_count * 2 : 1024;
    cob_word_slot *slots = NULL;
    COB_NEW_ZERO(slots, count);
    for (size_t old = 0; old < words->slot_count; old++) {
        if (words->slots[old].length == 0)
            continue;
        size_t s = cob_word_home(words->slots[old].start, count);
        while (slots[s].length > 0)
            s = (s + 1) & (count - 1);
        slots[s] = words->slots[old];
    }
    cob_free(words->slots);
    words->slots = slots;
    words->slot_count = count;
done:
    return status;
}

/* The slot of a word, or the free one where it belongs. */
static inline cob_word_slot *slot_of(const cob_words *words, uint64_t start, const char *text,
                                     size_t length)
{
    for (size_t s = cob_word_home(start, words->slot_count);;
         s = (s + 1) & (words->slot_count - 1)) {
        cob_word_slot *slot = &words->slots[s];
        if (slot->length == 0 || (slot->start == start && slot->length == length &&
                                  (length <= 8 || memcmp(cob_word_text(words, (size_t)slot->number),
                                                         text, length) == 0)))
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

cobloc_status cob_words_find(cob_words *words, uint64_t start, const char *text, size_t length,
                             int32_t *number, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (words->count * 2 >= words->slot_count)
        COB_TRY(widen(words, err));
    cob_word_slot *slot = slot_of(words, start, text, length);
    if (slot->length == 0) {
        COB_TRY(add(words, text, length, err));
        *slot = (cob_word_slot){start, (uint32_t)length, (int32_t)(words->count - 1)};
    }
    *number = slot->number;
done:
    return status;
}
