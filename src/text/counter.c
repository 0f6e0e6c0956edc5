/* Counting the terms of documents.
 * SPDX-License-Identifier: MIT
 */
#include "text/counter.h"

#include "base/alloc.h"
#include "base/error.h"
#include "text/clean.h"
#include "text/excerpt.h"
#include "text/mail.h"

#include <libstemmer.h>
#include <string.h>
#include <unicase.h>
#include <uninorm.h>

/* Entries of the first chunk; each chunk is twice as large as the one before, up to the last size.
 */
enum { FIRST_CHUNK = 1 << 10, LAST_CHUNK = 1 << 18 };

struct cob_entry_chunk {
    cob_entry_chunk *before;
    size_t used, size;
    cob_entry entries[];
};

static cobloc_status take_batch(void *context, const cob_batch *batch, cobloc_error *err);

/* Makes a term of two words: the only n-grams that a counter of phrases has. */
static cobloc_status add_phrase(cob_counter *c, const char *phrase, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *blank = strchr(phrase, ' ');
    int32_t left = -1, right = -1, term;
    if (!blank)
        return COBLOC_OK;
    COB_TRY(cob_counter_lookup(c, phrase, (size_t)(blank - phrase), &left, err));
    COB_TRY(cob_counter_lookup(c, blank + 1, strlen(blank + 1), &right, err));
    if (left >= 0 && right >= 0)
        status = cob_terms_pair(&c->terms, left, right, &term, err);
done:
    return status;
}

cobloc_status cob_counter_init(cob_counter *c, const cob_settings *settings, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *c = (cob_counter){.settings = settings, .invalid_file = -1};
    c->tokenizer =
        (cob_tokenizer){.rule = settings->options.tokens, .take = take_batch, .context = c};
    c->held = -1;
    c->cleaner.how = settings->cleaning;
    c->excerpt_bytes = (size_t)settings->options.excerpts;
    memset(c->chain, -1, sizeof c->chain);
    if (*settings->stem) {
        c->stemmer = sb_stemmer_new(settings->stem, NULL);
        COB_CHECK(c->stemmer, COBLOC_NO_MEMORY, "out of memory");
    }
    for (int64_t i = 0; i < settings->options.phrase_count; i++)
        COB_TRY(add_phrase(c, settings->options.phrase_list[i], err));
done:
    return status;
}

void cob_counter_free(cob_counter *c)
{
    while (c->chunks) {
        cob_entry_chunk *chunk = c->chunks;
        c->chunks = chunk->before;
        cob_free(chunk);
    }
    if (c->stemmer)
        sb_stemmer_delete(c->stemmer);
    cob_words_free(&c->words);
    cob_terms_free(&c->terms);
    cob_names_free(&c->names);
    cob_names_free(&c->labels);
    cob_names_free(&c->excerpts);
    cob_row_fields_free(&c->fields);
    cob_cleaner_free(&c->cleaner);
    cob_free(c->beginning.text);
    cob_free(c->row);
    cob_free(c->key);
    cob_free(c->documents);
    cob_free(c->stretches);
    *c = (cob_counter){0};
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_plain(const char *word, size_t length)
{
    unsigned char all = 0;
    for (size_t i = 0; i < length; i++)
        all |= (unsigned char)word[i];
    return all < 0x80;
}

/* The term with this key. The key is added to the words if it is new. */
static cobloc_status term_by_key(cob_counter *c, const char *key, size_t length, int32_t *term,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_word_slot *slot;
    COB_CHECK(cob_grow(&c->key, &c->key_capacity, length + COB_WORD_SLACK, 1), COBLOC_NO_MEMORY,
              "out of memory");
    memcpy(c->key, key, length);
    memset(c->key + length, 0, COB_WORD_SLACK);
    COB_TRY(cob_words_find(&c->words, cob_word_key_of(c->key, length), c->key, length, &slot, err));
    status = cob_terms_word(&c->terms, &c->words, slot->number, term, err);
done:
    return status;
}

static cobloc_status stem_of(cob_counter *c, const char *word, size_t length, int32_t *term,
                             cobloc_error *err)
{
    if (c->stemmer) {
        const sb_symbol *stem = sb_stemmer_stem(c->stemmer, (const sb_symbol *)word, (int)length);
        if (!stem)
            return cob_fail(err, COBLOC_NO_MEMORY, "out of memory");
        int stem_length = sb_stemmer_length(c->stemmer);
        if (stem_length > 0) {
            word = (const char *)stem;
            length = (size_t)stem_length;
        }
    }
    return term_by_key(c, word, length, term, err);
}

/* The term of a word: its form after case folding and stemming. */
static cobloc_status term_of(cob_counter *c, const char *word, size_t length, int32_t *term,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint8_t room[4 * COB_LONGEST_WORD], *folded = NULL;
    size_t folded_length = sizeof room;
    if (c->settings->options.tokens == COBLOC_TOKENS_WORD2 || is_plain(word, length))
        return stem_of(c, word, length, term, err);
    folded = u8_casefold((const uint8_t *)word, length, NULL, UNINORM_NFKC, room, &folded_length);
    COB_CHECK(folded, COBLOC_NO_MEMORY, "out of memory");
    status = stem_of(c, (const char *)folded, folded_length, term, err);
done:
    cob_lowered_free((char *)folded, (const char *)room);
    return status;
}

static bool counts(const cob_counter *c, const char *word, size_t length)
{
    const cobloc_text_options *o = &c->settings->options;
    return cob_intern_find(&c->settings->stop, word, length) < 0 &&
           (o->numbers || cob_has_letter(word, length)) &&
           !(c->settings->cleaning.parts & COB_CLEAN_BLOBS && cob_is_hex_code(word, length)) &&
           ((size_t)o->min_length <= 1 || cob_characters(word, length) >= o->min_length ||
            cob_stands_alone(word, length));
}

cobloc_status cob_counter_lookup(cob_counter *c, const char *word, size_t length, int32_t *term,
                                 cobloc_error *err)
{
    *term = -1;
    if (length == 0 || length > COB_LONGEST_WORD || !counts(c, word, length))
        return COBLOC_OK;
    return term_of(c, word, length, term, err);
}

static inline cobloc_status count_term(cob_counter *c, int32_t number, cobloc_error *err)
{
    cob_term *term = &c->terms.list[number];
    term->count++;
    if (term->newest >= c->entries_before) {
        c->row[term->newest - c->entries_before].count++;
        return COBLOC_OK;
    }
    if (!cob_grow(&c->row, &c->row_capacity, c->row_count + 1, sizeof *c->row))
        return cob_fail_memory(err, c->row_count + 1, sizeof *c->row);
    term->documents++;
    term->newest = c->entries_before + (int64_t)c->row_count;
    c->row[c->row_count++] = (cob_entry){number, 1};
    return COBLOC_OK;
}

/* Counts the n-grams that end with a single-word term. */
static cobloc_status count_ngrams(cob_counter *c, int32_t term, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int from = c->settings->options.ngrams_from, to = c->settings->options.ngrams_to;
    for (int n = to; n > 1; n--) {
        int32_t shorter = c->chain[n - 1];
        c->chain[n] = -1;
        if (shorter >= 0)
            COB_TRY(cob_terms_pair(&c->terms, shorter, term, &c->chain[n], err));
        if (shorter >= 0 && n >= from)
            COB_TRY(count_term(c, c->chain[n], err));
    }
    c->chain[1] = term;
done:
    return status;
}

/* Counts the term that was held, which begins no phrase. */
static cobloc_status count_held(cob_counter *c, cobloc_error *err)
{
    int32_t held = c->held;
    c->held = -1;
    return held >= 0 ? count_term(c, held, err) : COBLOC_OK;
}

/* Counts two terms as one where they are a phrase, from left to right. */
static cobloc_status count_phrases(cob_counter *c, const int32_t *terms, int count,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int i = 0; i < count; i++) {
        if (terms[i] < 0)
            continue;
        int32_t phrase = c->held >= 0 ? cob_terms_find(&c->terms, c->held, terms[i]) : -1;
        if (phrase >= 0) {
            c->held = -1;
            COB_TRY(count_term(c, phrase, err));
        } else {
            COB_TRY(count_held(c, err));
            c->held = terms[i];
        }
    }
done:
    return status;
}

/* Counts the terms of one document, or of a part of it. */
static cobloc_status count_terms(cob_counter *c, const int32_t *terms, int count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (c->settings->options.phrase_count > 0)
        return count_phrases(c, terms, count, err);
    bool words = c->settings->options.ngrams_from <= 1, ngrams = c->settings->options.ngrams_to > 1;
    for (int i = 0; i < count; i++) {
        if (terms[i] < 0)
            continue;
        if (ngrams)
            COB_TRY(count_ngrams(c, terms[i], err));
        if (words)
            COB_TRY(count_term(c, terms[i], err));
    }
done:
    return status;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Space for a row in the newest chunk, or in a new one. */
static cob_entry *row_room(cob_counter *c, size_t count)
{
    if (!c->chunks || c->chunks->size - c->chunks->used < count) {
        size_t size = c->chunks ? c->chunks->size * 2 : FIRST_CHUNK;
        size = size < LAST_CHUNK ? size : LAST_CHUNK;
        size = size > count ? size : count;
        cob_entry_chunk *chunk = cob_alloc(sizeof *chunk + size * sizeof(cob_entry), 1);
        if (!chunk)
            return NULL;
        *chunk = (cob_entry_chunk){c->chunks, 0, size};
        c->chunks = chunk;
    }
    c->chunks->used += count;
    return c->chunks->entries + c->chunks->used - count;
}

/* Stores the row of a document and starts the next. */
static cobloc_status close_row(cob_counter *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_entry *entries;
    COB_TRY(count_held(c, err));
    COB_CHECK(cob_grow(&c->documents, &c->counted_capacity, c->counted + 1, sizeof *c->documents) &&
                  (entries = row_room(c, c->row_count)),
              COBLOC_NO_MEMORY, "out of memory");
    if (c->row_count > 0)
        memcpy(entries, c->row, c->row_count * sizeof *entries);
    c->documents[c->counted++] = (cob_counted){entries, (int32_t)c->row_count};
    c->entries_before += (int64_t)c->row_count;
    c->row_count = 0;
    memset(c->chain, -1, sizeof c->chain);
done:
    return status;
}

/* Decides what a new word counts as. */
static cobloc_status judge_word(cob_counter *c, cob_word_key key, const cob_token *token,
                                cob_word_slot **slot, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t term;
    COB_TRY(cob_counter_lookup(c, token->text, token->length, &term, err));
    COB_TRY(cob_words_find(&c->words, key, token->text, token->length, slot, err));
    (*slot)->term = term;
done:
    return status;
}

/* Finds the terms of the words in a batch. Each step prefetches, for all words, what the next step
 * reads. */
static cobloc_status find_terms(cob_counter *c, const cob_batch *batch, int32_t *terms,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_word_key keys[COB_MOST_TOKENS];
    cob_word_slot *slot;
    for (int i = 0; i < batch->count; i++) {
        keys[i] = cob_word_key_of(batch->tokens[i].text, batch->tokens[i].length);
        cob_words_prefetch(&c->words, keys[i]);
    }
    for (int i = 0; i < batch->count; i++) {
        const cob_token *token = &batch->tokens[i];
        COB_TRY(cob_words_find(&c->words, keys[i], token->text, token->length, &slot, err));
        if (slot->count++ == 0)
            COB_TRY(judge_word(c, keys[i], token, &slot, err));
        terms[i] = slot->term;
        if (terms[i] >= 0)
            __builtin_prefetch(&c->terms.list[terms[i]]);
        c->tokens += terms[i] >= 0 || c->settings->count_only;
    }
done:
    return status;
}

/* Prefetches the n-grams of neighbouring words. */
static void prefetch_pairs(const cob_counter *c, const int32_t *terms, int count)
{
    for (int i = 1; i < count; i++)
        if (terms[i - 1] >= 0 && terms[i] >= 0)
            cob_terms_prefetch(&c->terms, terms[i - 1], terms[i]);
    for (int i = 1; i < count; i++)
        if (terms[i - 1] >= 0 && terms[i] >= 0)
            cob_terms_prefetch_found(&c->terms, terms[i - 1], terms[i]);
}

static cobloc_status take_batch(void *context, const cob_batch *batch, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_counter *c = context;
    int32_t terms[COB_MOST_TOKENS] = {0};
    COB_TRY(find_terms(c, batch, terms, err));
    if (c->settings->count_only)
        goto done;
    if (c->settings->options.ngrams_to > 1)
        prefetch_pairs(c, terms, batch->count);
    int at = 0;
    for (int e = 0; e < batch->end_count; at = batch->ends[e++]) {
        COB_TRY(count_terms(c, terms + at, batch->ends[e] - at, err));
        COB_TRY(close_row(c, err));
    }
    status = count_terms(c, terms + at, batch->count - at, err);
done:
    return status;
}

/* ---- documents ------------------------------------------------------------------------------- */

/* Keeps the beginning of the document's text, for its name and its excerpt. */
static cobloc_status keep_beginning(cob_counter *c, const char *text, size_t size,
                                    cobloc_error *err)
{
    enum { FOR_NAMES = 256 };
    cobloc_status status = COBLOC_OK;
    size_t most = c->excerpt_bytes > FOR_NAMES ? c->excerpt_bytes : FOR_NAMES;
    if (c->settings->count_only || c->beginning.size >= most)
        return COBLOC_OK;
    if (c->beginning.size > 0)
        COB_TRY(cob_append(&c->beginning, " ", 1, err));
    most -= c->beginning.size;
    status = cob_append(&c->beginning, text, size < most ? size : most, err);
done:
    return status;
}

cobloc_status cob_counter_text(cob_counter *c, const char *text, size_t size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_clean(&c->cleaner, text, size, &text, &size, err));
    COB_TRY(keep_beginning(c, text, size, err));
    status = cob_tokenize(&c->tokenizer, text, size, err);
done:
    return status;
}

/* Adds a document to the stretch it continues, or starts a new one. */
static bool place_document(cob_counter *c, cob_place place)
{
    cob_stretch *last = c->stretch_count ? &c->stretches[c->stretch_count - 1] : NULL;
    if (last && last->place.file == place.file && last->place.block == place.block &&
        last->place.number + last->count == place.number) {
        last->count++;
        return true;
    }
    if (!cob_grow(&c->stretches, &c->stretch_capacity, c->stretch_count + 1, sizeof *c->stretches))
        return false;
    COB_KNOWN(c->stretches); /* they have grown */
    c->stretches[c->stretch_count++] = (cob_stretch){place, (int64_t)c->document_count, 1};
    return true;
}

cobloc_status cob_counter_end(cob_counter *c, cob_place place, const char *name, size_t name_length,
                              const char *label, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (c->tokenizer.invalid_bytes > 0 && c->invalid_file < 0)
        c->invalid_file = place.file;
    if (c->settings->count_only)
        return cob_tokenizer_flush(
            &c->tokenizer, err); /* a sample needs the number of tokens after each document */
    COB_CHECK(place_document(c, place), COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_names_add(&c->names, name, name_length, err));
    if (label)
        COB_TRY(cob_names_add(&c->labels, label, strlen(label), err));
    if (c->excerpt_bytes > 0)
        COB_TRY(cob_excerpts_add(&c->excerpts, &c->excerpt_bytes, c->beginning.text,
                                 c->beginning.size, err));
    COB_TRY(cob_row_fields_end(&c->fields, &c->settings->options, err));
    c->beginning.size = 0;
    c->document_count++;
    status = cob_tokenizer_end(&c->tokenizer, err);
done:
    return status;
}

cobloc_status cob_counter_finish(cob_counter *c, cobloc_error *err)
{
    cobloc_status status = cob_tokenizer_flush(&c->tokenizer, err);
    cob_words_update_list(&c->words);
    return status;
}
