/* Terms by number: single words, and n-grams as pairs of a shorter n-gram and a word.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_TERMS_H
#define COB_TEXT_TERMS_H

#include "base/intern.h"
#include "text/words.h"

typedef struct cob_term {
    int64_t newest;      /* the newest of all entries for it; -1: none */
    int64_t documents;   /* how many have it, */
    int64_t count;       /* and how often */
    int32_t left, right; /* an n-gram: of which terms; right < 0: a word, whose key is `left` */
} cob_term;

/* Zero-initialised: none. */
typedef struct cob_terms {
    cob_term *list;
    size_t count, capacity;
    cob_intern_slot *slots; /* n-grams by their parts: open addressing */
    size_t slot_count, pair_count;
} cob_terms;

void cob_terms_free(cob_terms *terms);

/* The term whose key is a word, known or new: one a key, whatever other words count as it. */
cobloc_status cob_terms_word(cob_terms *terms, cob_words *words, int32_t key, int32_t *term,
                             cobloc_error *err);

/* Fetch what the search for an n-gram will look at first, and what it then finds there. */
void cob_terms_prefetch(const cob_terms *terms, int32_t left, int32_t right);
void cob_terms_prefetch_found(const cob_terms *terms, int32_t left, int32_t right);

/* The term of an n-gram, known or new. */
cobloc_status cob_terms_pair(cob_terms *terms, int32_t left, int32_t right, int32_t *term,
                             cobloc_error *err);

#endif
