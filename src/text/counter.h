/* Counting the terms of documents: one counter per thread.
 *
 * A new word is examined once: whether it counts, and as which term. After that it takes one table
 * lookup. A finished document leaves its term counts, by the counter's own term numbers; the final
 * columns are only known when all documents have been read.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_COUNTER_H
#define COB_TEXT_COUNTER_H

#include "text/clean.h"
#include "text/row_fields.h"
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

/* The position of a document in the corpus, by which rows are sorted. */
typedef struct cob_place {
    int64_t file, block, number;
} cob_place;

/* Documents that are consecutive both in the corpus and in a counter. */
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
    cob_cleaner cleaner;
    cob_tokenizer tokenizer;
    struct sb_stemmer *stemmer; /* NULL: none */
    cob_words words;            /* words seen */
    cob_terms terms;
    int64_t tokens;

    cob_entry *row; /* of the current document */
    size_t row_count, row_capacity;
    int64_t entries_before; /* in the rows of all earlier documents */
    cob_buffer beginning;   /* of the current document's text, cleaned */
    char *key;              /* buffer for a key that is not itself a word of the text */
    size_t key_capacity;
    int32_t held; /* a term that may begin a phrase with the next one; -1: none */
    int32_t chain[COB_MOST_NGRAM + 1]; /* the n-grams that end at the last word; -1: none */

    size_t document_count;
    cob_counted *documents; /* documents whose words have all been counted */
    size_t counted, counted_capacity;
    cob_stretch *stretches;
    size_t stretch_count, stretch_capacity;
    cob_names names, labels; /* of the documents, in the same order; labels may be empty */
    cob_names excerpts;      /* the beginning of each; empty if none are kept */
    size_t excerpt_bytes;    /* the longest one now */
    cob_row_fields fields;   /* what else is known of them */
    cob_entry_chunk *chunks; /* newest first */
    int64_t invalid_file;    /* the first file with invalid bytes; -1: none */
    char apart[128]; /* counters are written by different threads: keep them in different cache
                        lines */
} cob_counter;

cobloc_status cob_counter_init(cob_counter *counter, const cob_settings *settings,
                               cobloc_error *err);
void cob_counter_free(cob_counter *counter);

/* Adds text to the current document, after cleaning it. */
cobloc_status cob_counter_text(cob_counter *counter, const char *text, size_t size,
                               cobloc_error *err);

/* Ends the document. The name may be empty, the label NULL. */
cobloc_status cob_counter_end(cob_counter *counter, cob_place place, const char *name,
                              size_t name_length, const char *label, cobloc_error *err);

/* Counts the words still in the batch and updates the list of words. Call it after the last
 * document. */
cobloc_status cob_counter_finish(cob_counter *counter, cobloc_error *err);

/* The term of a vocabulary entry; -1 if no text can contain it. */
cobloc_status cob_counter_lookup(cob_counter *counter, const char *word, size_t length,
                                 int32_t *term, cobloc_error *err);

#endif
