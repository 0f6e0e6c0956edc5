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

typedef struct cob_word {
    int64_t count; /* how often it was met */
    int32_t term;  /* what it counts as; -1: nothing */
    int32_t names; /* the term that has this very word for its key; -1: none */
    size_t text;   /* where it stands in the text */
    uint32_t length;
} cob_word;

/* One look at a slot tells whether it is that of a word of up to eight bytes. */
typedef struct cob_word_slot {
    uint64_t start;  /* all bytes of a word of up to eight, in one number; a hash of a longer one */
    uint32_t length; /* 0: free */
    int32_t number;
} cob_word_slot;

/* Zero-initialised: none. */
typedef struct cob_words {
    cob_word *list;
    size_t count, capacity;
    char *text; /* of all words, each with a NUL behind it, and the slack behind the last */
    size_t text_size, text_capacity;
    cob_word_slot *slots; /* open addressing; at least half of them are free */
    size_t slot_count;
} cob_words;

void cob_words_free(cob_words *words);

static inline const char *cob_word_text(const cob_words *words, size_t number)
{
    return words->text + words->list[number].text;
}

/* What a word is found by. COB_WORD_SLACK bytes behind it may be read. */
static inline uint64_t cob_word_start(const char *word, size_t length)
{
    if (length <= 8)
        return cob_load_first(word, length);
    uint64_t hash = cob_hash_mix(length, cob_load8(word + length - 8));
    for (size_t i = 0; i + 8 < length; i += 8)
        hash = cob_hash_mix(hash, cob_load8(word + i));
    return hash;
}

/* Where the search for a word begins. */
static inline size_t cob_word_home(uint64_t start, size_t slot_count)
{
    return (size_t)(cob_hash_mix(0, start) >> 16) & (slot_count - 1);
}

/* Fetches what the search for a word will look at first. */
static inline void cob_words_prefetch(const cob_words *words, uint64_t start)
{
    if (words->slot_count > 0)
        __builtin_prefetch(&words->slots[cob_word_home(start, words->slot_count)]);
}

/* The number of a word of at least one byte, known or new; a new one has no term, and count 0. */
cobloc_status cob_words_find(cob_words *words, uint64_t start, const char *word, size_t length,
                             int32_t *number, cobloc_error *err);

#endif
