/* The words that a counter has met, found again in as few steps as can be: most of the time that
 * counting takes is spent here.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_WORDS_H
#define COB_TEXT_WORDS_H

#include "base/error.h"
#include "base/hash.h"

/* Words are taken up eight bytes at a time: so many bytes behind one may be read. */
enum { COB_WORD_SLACK = 8 };

/* What a word is found by: up to sixteen bytes are the key themselves, with 0 for those that it
 * does not have; of a longer word it is a hash, beside a number that no sixteen bytes make, since
 * words hold no 0. */
typedef struct cob_word_key {
    uint64_t first, second;
} cob_word_key;

/* All that counting needs of a word, in half a line of the cache. */
typedef struct cob_word_slot {
    cob_word_key key; /* first = 0: free */
    int64_t count;    /* how often it was met */
    int32_t term;     /* what it counts as; -1: nothing */
    int32_t number;
} cob_word_slot;

typedef struct cob_word {
    size_t text; /* where it stands in the text */
    uint32_t length;
    int32_t names; /* the term that has this very word for its key; -1: none */
    int64_t count; /* these two, as its slot had them when last settled */
    int32_t term;
} cob_word;

/* Zero-initialised: none. */
typedef struct cob_words {
    cob_word *list;
    size_t count, capacity;
    char *text; /* of all words, each with a NUL behind it, and the slack behind the last */
    size_t text_size, text_capacity;
    cob_word_slot *slots; /* open addressing; at least half of them are free */
    size_t slot_count;
    void *slot_memory;
} cob_words;

void cob_words_free(cob_words *words);

static inline const char *cob_word_text(const cob_words *words, size_t number)
{
    return words->text + words->list[number].text;
}

/* The key of a word of at least one byte. COB_WORD_SLACK bytes behind it may be read. */
static inline cob_word_key cob_word_key_of(const char *word, size_t length)
{
    if (length <= 8)
        return (cob_word_key){cob_load_first(word, length), 0};
    if (length <= 16)
        return (cob_word_key){cob_load8(word), cob_load_first(word + 8, length - 8)};
    uint64_t hash = cob_load8(word + length - 8);
    for (size_t i = 0; i + 8 < length; i += 8)
        hash = cob_hash_mix(hash, cob_load8(word + i));
    return (cob_word_key){hash | 1, (uint64_t)1 << 56 | length};
}

/* Where the search for a word begins. */
static inline size_t cob_word_home(cob_word_key key, size_t slot_count)
{
    uint64_t hash = cob_hash_mix(key.second * 0x9E3779B97F4A7C15u, key.first);
    return (size_t)(hash >> 16) & (slot_count - 1);
}

/* Fetches what the search for a word will look at first. */
static inline void cob_words_prefetch(const cob_words *words, cob_word_key key)
{
    if (words->slot_count > 0)
        __builtin_prefetch(&words->slots[cob_word_home(key, words->slot_count)]);
}

/* The slot of a word, known or new, until the next one is looked for; a new one has no term, and
 * count 0. */
cobloc_status cob_words_find(cob_words *words, cob_word_key key, const char *word, size_t length,
                             cob_word_slot **slot, cobloc_error *err);

/* Copies counts and terms to the list. */
void cob_words_settle(cob_words *words);

#endif
