/* Numbered terms: single words, and n-grams as pairs of a shorter n-gram and a word.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_TERMS_H
#define COB_TEXT_TERMS_H

#include "base/intern.h"
#include "text/words.h"

typedef struct cob_term {
    int64_t newest;    /* its latest entry; -1: none */
    int64_t documents; /* that contain it */
    int64_t count;     /* occurrences */
    int32_t left,
        right; /* an n-gram: its two parts; right < 0: a single word, whose key is word `left` */
} cob_term;

/* Zero-initialised. */
typedef struct cob_terms {
    cob_term *list;
    size_t count, capacity;
    cob_intern_slot *slots; /* n-grams by their parts, with open addressing */
    size_t slot_count, pair_count;
} cob_terms;

void cob_terms_free(cob_terms *terms);

/* The term of a key word, which is added if it is new. Words with the same key share a term. */
cobloc_status cob_terms_word(cob_terms *terms, cob_words *words, int32_t key, int32_t *term,
                             cobloc_error *err);

/* Prefetch what the search for an n-gram reads first, and what it reads after that. */
void cob_terms_prefetch(const cob_terms *terms, int32_t left, int32_t right);
void cob_terms_prefetch_found(const cob_terms *terms, int32_t left, int32_t right);

/* The term of an n-gram; -1 if there is none. */
int32_t cob_terms_find(const cob_terms *terms, int32_t left, int32_t right);

/* The term of an n-gram, which is added if it is new. */
cobloc_status cob_terms_pair(cob_terms *terms, int32_t left, int32_t right, int32_t *term,
                             cobloc_error *err);

/* ---- terms in alphabetical order (order.c) --------------------------------------------------- */

/* Sorts all terms. `best` gives the word that names each single-word term; all its bytes are larger
 * than a blank. */
cobloc_status cob_terms_order(const cob_words *words, const cob_terms *terms, const int32_t *best,
                              int32_t *order, cobloc_error *err);

#endif
