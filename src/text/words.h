/* The words a counter has seen. Lookups are optimised: counting spends most of its time here.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_WORDS_H
#define COB_TEXT_WORDS_H

#include "base/error.h"
#include "base/hash.h"

/* Words are loaded eight bytes at a time, so this many bytes after a word may be read. */
enum { COB_WORD_SLACK = 8 };

/* The key of a word. Words of up to sixteen bytes are their own key, padded with zeros. The key of
 * a longer word is a hash and a number that no shorter word can produce, since words contain no
 * zero byte. */
typedef struct cob_word_key {
    uint64_t first, second;
} cob_word_key;

/* All that counting needs to know about a word, in half a cache line. */
typedef struct cob_word_slot {
    cob_word_key key; /* first = 0: free */
    int64_t count;    /* occurrences */
    int32_t term;     /* the term it counts as; -1: none */
    int32_t number;
} cob_word_slot;

typedef struct cob_word {
    size_t text; /* its offset in `text` */
    uint32_t length;
    int32_t names; /* the term whose key is this word; -1: none */
    int64_t count; /* copies from its slot, made by cob_words_update_list */
    int32_t term;
} cob_word;

/* Zero-initialised. */
typedef struct cob_words {
    cob_word *list;
    size_t count, capacity;
    char *text; /* all words, each with a NUL after it, and the slack after the last */
    size_t text_size, text_capacity;
    cob_word_slot *slots; /* open addressing; at least half are free */
    size_t slot_count;
    void *slot_memory;
} cob_words;

void cob_words_free(cob_words *words);

static inline const char *cob_word_text(const cob_words *words, size_t number)
{
    return words->text + words->list[number].text;
}

/* The key of a word of at least one byte. COB_WORD_SLACK bytes after it may be read. */
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

/* Where the search for a word starts. */
static inline size_t cob_word_home(cob_word_key key, size_t slot_count)
{
    uint64_t hash = cob_hash_mix(key.second * 0x9E3779B97F4A7C15u, key.first);
    return (size_t)(hash >> 16) & (slot_count - 1);
}

/* Prefetches what the search for a word reads first. */
static inline void cob_words_prefetch(const cob_words *words, cob_word_key key)
{
    if (words->slot_count > 0)
        __builtin_prefetch(&words->slots[cob_word_home(key, words->slot_count)]);
}

/* The slot of a word, which is added if it is new, with count 0 and no term. Valid until the next
 * call. */
cobloc_status cob_words_find(cob_words *words, cob_word_key key, const char *word, size_t length,
                             cob_word_slot **slot, cobloc_error *err);

/* Copies counts and terms from the slots to the list. */
void cob_words_update_list(cob_words *words);

#endif
