/* Counting the terms of documents: one counter a thread.
 *
 * A word is looked at once, when it is new: whether it counts, and which term it is. From then on
 * it takes one search in a table. A finished document leaves the counts of its terms, by the
 * counter's own numbers; what these are called in the end is only known when all documents are
 * read.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_COUNTER_H
#define COB_TEXT_COUNTER_H

#include "text/settings.h"
#include "text/terms.h"
#include "text/token.h"
#include "text/words.h"

struct sb_stemmer;

enum { COB_MOST_NGRAM = 8 };

typedef struct cob_entry {
    int32_t term;
    uint32_t count;
} cob_entry;

/* Where a document stands in the corpus: what rows are sorted by. */
typedef struct cob_place {
    int64_t file, block, number;
} cob_place;

/* Documents that follow each other, in the corpus as among those of a counter. */
typedef struct cob_stretch {
    cob_place place; /* of the first */
    int64_t first, count;
} cob_stretch;

typedef struct cob_counted {
    cob_entry *entries;
    int32_t entry_count;
} cob_counted;

typedef struct cob_entry_chunk cob_entry_chunk;

typedef struct cob_counter {
    const cob_settings *settings;
    cob_tokenizer tokenizer;
    struct sb_stemmer *stemmer; /* NULL: none */
    cob_words words;            /* that were met */
    cob_terms terms;
    int64_t tokens;

    cob_entry *row; /* of the document that is being read */
    size_t row_count, row_capacity;
    int64_t entries_before; /* in the rows of all documents before it */
    char *key;              /* room for a word that is not met, but the key of others */
    size_t key_capacity;
    int32_t chain[COB_MOST_NGRAM + 1]; /* the n-grams that end at the last word; -1: none */

    size_t document_count;
    cob_counted *documents; /* those whose last words have been counted */
    size_t counted, counted_capacity;
    cob_stretch *stretches;
    size_t stretch_count, stretch_capacity;
    cob_names names, labels; /* of the documents, in the same order; no labels: none */
    cob_entry_chunk *chunks; /* the newest */
    int64_t invalid_file;    /* the first file with invalid bytes; -1: none */
    char apart[128];         /* written by different threads: never in one cache line */
} cob_counter;

cobloc_status cob_counter_init(cob_counter *counter, const cob_settings *settings,
                               cobloc_error *err);
void cob_counter_free(cob_counter *counter);

/* Some text of the current document. */
cobloc_status cob_counter_text(cob_counter *counter, const char *text, size_t size,
                               cobloc_error *err);

/* Ends the document. The name may be empty; no label: NULL. */
cobloc_status cob_counter_end(cob_counter *counter, cob_place place, const char *name,
                              size_t name_length, const char *label, cobloc_error *err);

/* Counts what waits, and settles the words: behind the last document. */
cobloc_status cob_counter_finish(cob_counter *counter, cobloc_error *err);

/* The term of a word that stands in a vocabulary; -1: no text can have it. */
cobloc_status cob_counter_lookup(cob_counter *counter, const char *word, size_t length,
                                 int32_t *term, cobloc_error *err);

#endif
