/* From the terms of all counters to the columns of a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "text/vocabulary.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* All counters' terms under common numbers. */
typedef struct merge {
    const cob_settings *settings;
    cob_terms terms;
    cob_intern words;
    int64_t *word_counts;
    int32_t *word_terms;
    size_t counts_capacity, terms_capacity;
    int64_t *best; /* of each term of one word, the word it is called by; -1: none */
    cob_names names;
    int64_t *name_of; /* of each term that may become a column; -1: it may not */
    int32_t *column_of;
} merge;

static void release(merge *m)
{
    cob_terms_free(&m->terms);
    cob_intern_free(&m->words);
    cob_names_free(&m->names);
    cob_free(m->word_counts);
    cob_free(m->word_terms);
    cob_free(m->best);
    cob_free(m->name_of);
    cob_free(m->column_of);
}

void cob_vocabulary_free(cob_vocabulary *v)
{
    cob_names_free(&v->names);
    for (int c = 0; v->column && c < v->counters; c++)
        cob_free(v->column[c]);
    cob_free(v->column);
    *v = (cob_vocabulary){0};
}

/* ---- common numbers -------------------------------------------------------------------------- */

static cobloc_status merge_terms(merge *m, const cob_terms *from, int32_t *map, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (size_t t = 0; t < from->count; t++) {
        const cob_term *term = &from->list[t];
        if (term->right < 0) {
            const char *key = cob_names_get(&from->keys.names, term->left);
            COB_TRY(cob_terms_word(&m->terms, key, strlen(key), &map[t], err));
        } else { /* its parts are older, so that they have common numbers already */
            COB_TRY(cob_terms_pair(&m->terms, map[term->left], map[term->right], &map[t], err));
        }
        m->terms.list[map[t]].documents += term->documents;
        m->terms.list[map[t]].count += term->count;
    }
done:
    return status;
}

static cobloc_status merge_words(merge *m, const cob_counter *from, const int32_t *map,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t number;
    for (size_t w = 0; w < from->words.count; w++) {
        const cob_word *word = &from->words.list[w];
        if (word->term < 0)
            continue;
        size_t need = (size_t)m->words.names.count + 1;
        COB_CHECK(cob_grow(&m->word_counts, &m->counts_capacity, need, sizeof *m->word_counts) &&
                      cob_grow(&m->word_terms, &m->terms_capacity, need, sizeof *m->word_terms),
                  COBLOC_NO_MEMORY, "out of memory");
        COB_TRY(
            cob_intern_add(&m->words, cob_word_text(&from->words, w), word->length, &number, err));
        if ((size_t)number + 1 == need)
            m->word_counts[number] = 0;
        m->word_counts[number] += word->count;
        m->word_terms[number] = map[word->term];
    }
done:
    return status;
}

/* A term of one word is called by its most frequent form; of several, the first by the alphabet. */
static cobloc_status choose_words(merge *m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(m->best, m->terms.count);
    for (size_t t = 0; t < m->terms.count; t++)
        m->best[t] = -1;
    for (int64_t w = 0; w < m->words.names.count; w++) {
        int64_t *best = &m->best[m->word_terms[w]];
        if (*best < 0 || m->word_counts[w] > m->word_counts[*best] ||
            (m->word_counts[w] == m->word_counts[*best] &&
             strcmp(cob_names_get(&m->words.names, w), cob_names_get(&m->words.names, *best)) < 0))
            *best = w;
    }
done:
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Writes the words of a term, one blank apart; returns their length. */
static size_t spell(const merge *m, int32_t term, char *to)
{
    const cob_term *t = &m->terms.list[term];
    size_t length = 0;
    if (t->right >= 0) {
        length = spell(m, t->left, to);
        to[length++] = ' ';
        term = t->right;
    }
    const char *word = cob_names_get(&m->words.names, m->best[term]);
    size_t size = strlen(word);
    memcpy(to + length, word, size);
    return length + size;
}

/* Names the terms that the limits leave. */
static cobloc_status name_terms(merge *m, int64_t documents, cobloc_text_info *info,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_text_options *o = &m->settings->options;
    double n = (double)documents;
    double least = o->min_df < 1 ? o->min_df * n : o->min_df;
    double most = o->max_df <= 1 ? o->max_df * n : o->max_df;
    char room[COB_MOST_NGRAM * (COB_LONGEST_WORD + 1)];
    COB_NEW(m->name_of, m->terms.count);
    for (size_t t = 0; t < m->terms.count; t++) {
        double df = (double)m->terms.list[t].documents;
        m->name_of[t] = -1;
        if (df == 0)
            continue; /* only part of others */
        info->rare += df < least;
        info->frequent += df >= least && df > most;
        if (df < least || df > most)
            continue;
        m->name_of[t] = m->names.count;
        COB_TRY(cob_names_add(&m->names, room, spell(m, (int32_t)t, room), err));
    }
done:
    return status;
}

/* ---- columns --------------------------------------------------------------------------------- */

typedef struct candidate {
    const char *name;
    int64_t count;
    int32_t term;
} candidate;

static int by_count(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const candidate *)a)->name, ((const candidate *)b)->name);
}

static cobloc_status sort_columns(merge *m, cob_vocabulary *v, cobloc_text_info *info,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    candidate *list = NULL;
    int64_t count = 0, most = m->settings->options.max_terms;
    COB_NEW(list, m->names.count + 1);
    for (size_t t = 0; t < m->terms.count; t++)
        if (m->name_of[t] >= 0)
            list[count++] = (candidate){cob_names_get(&m->names, m->name_of[t]),
                                        m->terms.list[t].count, (int32_t)t};
    if (most > 0 && count > most) {
        qsort(list, (size_t)count, sizeof *list, by_count);
        info->beyond = count - most;
        count = most;
    }
    qsort(list, (size_t)count, sizeof *list, by_name);
    for (int64_t c = 0; c < count; c++) {
        m->column_of[list[c].term] = (int32_t)c;
        COB_TRY(cob_names_add(&v->names, list[c].name, strlen(list[c].name), err));
    }
done:
    cob_free(list);
    return status;
}

/* The term that a line of a given vocabulary stands for; -1: no text can have it. */
static cobloc_status given_term(cob_counter *counter, const char *line, int32_t *term,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_text_options *o = &counter->settings->options;
    char room[4 * COB_LONGEST_WORD], *lower = NULL;
    size_t length;
    int32_t word;
    int words = 0;
    *term = -1;
    if (cob_valid_bytes(line, strlen(line)) < strlen(line))
        return COBLOC_OK;
    COB_CHECK(cob_lowered(o->tokens, line, strlen(line), room, sizeof room, &lower, &length),
              COBLOC_NO_MEMORY, "out of memory");
    for (const char *p = lower, *end = lower + length; p < end; words++) {
        const char *blank = memchr(p, ' ', (size_t)(end - p));
        const char *stop = blank ? blank : end;
        COB_TRY(cob_counter_lookup(counter, p, (size_t)(stop - p), &word, err));
        if (words > 0 && *term >= 0 && word >= 0)
            COB_TRY(cob_terms_pair(&counter->terms, *term, word, term, err));
        else
            *term = words == 0 ? word : -1;
        p = stop < end ? stop + 1 : end;
    }
    if (words < o->ngrams_from || words > o->ngrams_to)
        *term = -1;
done:
    cob_lowered_free(lower, room);
    return status;
}

/* Puts the given terms among those of the first counter, so that they get common numbers. */
static cobloc_status find_given(cob_counter *counter, int32_t *given, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_text_options *o = &counter->settings->options;
    for (int64_t i = 0; i < o->vocabulary_count; i++)
        COB_TRY(given_term(counter, o->vocabulary[i], &given[i], err));
done:
    return status;
}

static cobloc_status take_given(merge *m, const int32_t *given, const int32_t *map,
                                cob_vocabulary *v, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_text_options *o = &m->settings->options;
    for (int64_t i = 0; i < o->vocabulary_count; i++) {
        COB_TRY(cob_names_add(&v->names, o->vocabulary[i], strlen(o->vocabulary[i]), err));
        if (given[i] < 0)
            continue;
        int32_t *column = &m->column_of[map[given[i]]];
        COB_CHECK(*column < 0, COBLOC_BAD_DATA,
                  "the vocabulary has the same term twice: '%.60s' and '%.60s'",
                  o->vocabulary[*column], o->vocabulary[i]);
        *column = (int32_t)i;
    }
done:
    return status;
}

static cobloc_status new_columns(merge *m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(m->column_of, m->terms.count);
    for (size_t t = 0; t < m->terms.count; t++)
        m->column_of[t] = -1;
done:
    return status;
}

cobloc_status cob_vocabulary_make(cob_counter *counters, int count, int64_t documents,
                                  cob_vocabulary *v, cobloc_text_info *info, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    merge m = {.settings = counters[0].settings};
    const cobloc_text_options *o = &m.settings->options;
    int32_t *given = NULL;
    if (o->vocabulary) {
        COB_NEW(given, o->vocabulary_count);
        COB_TRY(find_given(&counters[0], given, err));
    }
    v->counters = count;
    COB_NEW_ZERO(v->column, count);
    for (int c = 0; c < count; c++) {
        COB_NEW(v->column[c], counters[c].terms.count + 1);
        COB_TRY(merge_terms(&m, &counters[c].terms, v->column[c], err));
        COB_TRY(merge_words(&m, &counters[c], v->column[c], err));
    }
    COB_TRY(new_columns(&m, err));
    if (given) {
        COB_TRY(take_given(&m, given, v->column[0], v, err));
    } else {
        COB_TRY(choose_words(&m, err));
        COB_TRY(name_terms(&m, documents, info, err));
        COB_TRY(sort_columns(&m, v, info, err));
    }
    info->terms = v->names.count;
    for (int c = 0; c < count; c++)
        for (size_t t = 0; t < counters[c].terms.count; t++)
            v->column[c][t] = m.column_of[v->column[c][t]];
done:
    cob_free(given);
    release(&m);
    return status;
}
