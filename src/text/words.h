/* The words that a counter has met, found again in as few steps as can be: nearly all of the time
 * that counting takes is spent here.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_WORDS_H
#define COB_TEXT_WORDS_H

#include "base/error.h"

/* A word, with its first bytes beside what is known of it: most are found without a look at the
 * text. */
typedef struct cob_word {
    uint64_t start; /* its first eight bytes, or all of them, in one number */
    int64_t count;  /* how often it was met */
    uint32_t hash;
    int32_t term; /* -1: it does not count */
    size_t text;  /* where it stands in the text */
    uint32_t length;
} cob_word;

/* Zero-initialised: none. */
typedef struct cob_words {
    cob_word *list;
    size_t count, capacity;
    char *text; /* of all words, each with a NUL behind it */
    size_t text_size, text_capacity;
    int32_t *slots; /* open addressing; -1: free; at least half of them are */
    size_t slot_count;
} cob_words;

void cob_words_free(cob_words *words);

static inline const char *cob_word_text(const cob_words *words, size_t number)
{
    return words->text + words->list[number].text;
}

/* The number of a word, known or new; `known`: which. A new one has term -1 and count 0. */
cobloc_status cob_words_find(cob_words *words, const char *word, size_t length, int32_t *number,
                             int *known, cobloc_error *err);

#endif
