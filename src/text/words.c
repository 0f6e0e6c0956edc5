/* The words that a counter has met.
 * SPDX-License-Identifier: MIT
 */
#include "text/words.h"

#include "base/alloc.h"
#include "base/hash.h"

void cob_words_free(cob_words *words)
{
    cob_free(words->list);
    cob_free(words->text);
    cob_free(words->slots);
    *words = (cob_words){0};
}

static cobloc_status widen(cob_words *words, cobloc_error *err)
{
    size_t count = words->slot_count ? words->slot_count * 2 : 1024, mask = count - 1;
    int32_t *slots = cob_alloc(count, sizeof *slots);
    if (!slots)
        return cob_fail_memory(err, count, sizeof *slots);
    for (size_t s = 0; s < count; s++)
        slots[s] = -1;
    for (size_t w = 0; w < words->count; w++) {
        size_t s = words->list[w].hash & mask;
        while (slots[s] >= 0)
            s = (s + 1) & mask;
        slots[s] = (int32_t)w;
    }
    cob_free(words->slots);
    words->slots = slots;
    words->slot_count = count;
    return COBLOC_OK;
}

/* The slot of a word, or the free one where it belongs. */
static inline size_t slot_of(const cob_words *words, const cob_word *wanted, const char *text)
{
    size_t mask = words->slot_count - 1, s = wanted->hash & mask;
    for (; words->slots[s] >= 0; s = (s + 1) & mask) {
        const cob_word *word = &words->list[words->slots[s]];
        if (word->hash == wanted->hash && word->start == wanted->start &&
            word->length == wanted->length &&
            (word->length <= 8 || memcmp(words->text + word->text, text, word->length) == 0))
            break;
    }
    return s;
}

static cobloc_status add(cob_words *words, cob_word word, const char *text, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(words->count < INT32_MAX, COBLOC_UNSUPPORTED,
              "there are more than %d different words", INT32_MAX);
    COB_CHECK(
        cob_grow(&words->list, &words->capacity, words->count + 1, sizeof *words->list) &&
            cob_grow(&words->text, &words->text_capacity, words->text_size + word.length + 1, 1),
        COBLOC_NO_MEMORY, "out of memory");
    word.text = words->text_size;
    memcpy(words->text + word.text, text, word.length);
    words->text[word.text + word.length] = '\0';
    words->text_size += word.length + 1;
    words->list[words->count++] = word;
done:
    return status;
}

cobloc_status cob_words_find(cob_words *words, const char *text, size_t length, int32_t *number,
                             int *known, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_word word = {.term = -1, .length = (uint32_t)length, .hash = cob_hash_bytes(text, length)};
    word.start = length >= 8 ? cob_load8(text) : cob_load_short(text, length);
    if (words->count * 2 >= words->slot_count)
        COB_TRY(widen(words, err));
    size_t s = slot_of(words, &word, text);
    *known = words->slots[s] >= 0;
    if (!*known) {
        COB_TRY(add(words, word, text, err));
        words->slots[s] = (int32_t)(words->count - 1);
    }
    *number = words->slots[s];
done:
    return status;
}
