/* From the terms of all counters to the columns of a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "text/assemble.h"

#include "base/alloc.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

/* The words and terms of all counters, merged into those of the first. */
typedef struct merge {
    const cobloc_text_options *options;
    cob_words *words;
    cob_terms *terms;
    int32_t *best;      /* the word that names each single-word term; -1: none */
    int32_t *order;     /* the terms in alphabetical order */
    int32_t *column_of; /* of each term; -1: not a column */
} merge;

static void release(merge *m)
{
    cob_free(m->best);
    cob_free(m->order);
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

static cobloc_status merge_words(merge *m, const cob_words *from, int32_t *numbers,
                                 cobloc_error *err)
{
    enum { AHEAD = 16 };
    cobloc_status status = COBLOC_OK;
    cob_word_key keys[AHEAD];
    for (size_t w = 0; w < from->count + AHEAD; w++) {
        cob_word_slot *slot;
        if (w >= AHEAD) {
            size_t old = w - AHEAD;
            COB_TRY(cob_words_find(m->words, keys[w % AHEAD], cob_word_text(from, old),
                                   from->list[old].length, &slot, err));
            numbers[old] = slot->number;
            m->words->list[slot->number].count += from->list[old].count;
        }
        if (w < from->count) {
            keys[w % AHEAD] = cob_word_key_of(cob_word_text(from, w), from->list[w].length);
            cob_words_prefetch(m->words, keys[w % AHEAD]);
        }
    }
done:
    return status;
}

static cobloc_status merge_terms(merge *m, const cob_terms *from, const int32_t *numbers,
                                 int32_t *map, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (size_t t = 0; t < from->count; t++) {
        const cob_term *term = &from->list[t];
        if (term->right < 0)
            COB_TRY(cob_terms_word(m->terms, m->words, numbers[term->left], &map[t], err));
        else /* its parts come before it, so they are already numbered */
            COB_TRY(cob_terms_pair(m->terms, map[term->left], map[term->right], &map[t], err));
        m->terms->list[map[t]].documents += term->documents;
        m->terms->list[map[t]].count += term->count;
    }
done:
    return status;
}

/* Merges a counter's words and terms; `map` receives the common numbers of its terms. */
static cobloc_status merge_counter(merge *m, const cob_counter *from, int32_t *map,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t *numbers = NULL;
    COB_NEW(numbers, from->words.count);
    COB_TRY(merge_words(m, &from->words, numbers, err));
    COB_TRY(merge_terms(m, &from->terms, numbers, map, err));
    for (size_t w = 0; w < from->words.count; w++)
        if (from->words.list[w].term >= 0)
            m->words->list[numbers[w]].term = map[from->words.list[w].term];
done:
    cob_free(numbers);
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A single-word term is named by its most frequent form; ties go to the first in alphabetical
 * order. */
static cobloc_status choose_words(merge *m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_word *list = m->words->list;
    COB_NEW(m->best, m->terms->count);
    for (size_t t = 0; t < m->terms->count; t++)
        m->best[t] = -1;
    for (size_t w = 0; w < m->words->count; w++) {
        if (list[w].term < 0)
            continue;
        int32_t *best = &m->best[list[w].term];
        if (*best < 0 || list[w].count > list[*best].count ||
            (list[w].count == list[*best].count &&
             strcmp(cob_word_text(m->words, w), cob_word_text(m->words, (size_t)*best)) < 0))
            *best = (int32_t)w;
    }
done:
    return status;
}

/* Terms in alphabetical order are scattered in memory: prefetches the last word of one. */
static inline void prefetch_word(const merge *m, int32_t term, bool its_text)
{
    int32_t right = m->terms->list[term].right;
    int32_t word = m->best[right < 0 ? term : right];
    if (its_text)
        __builtin_prefetch(cob_word_text(m->words, (size_t)word));
    else
        __builtin_prefetch(&m->words->list[word]);
}

/* Writes the words of a term, separated by blanks; returns the length. */
static size_t spell(const merge *m, int32_t term, char *to)
{
    const cob_term *t = &m->terms->list[term];
    size_t length = 0;
    if (t->right >= 0) {
        length = spell(m, t->left, to);
        to[length++] = ' ';
        term = t->right;
    }
    const cob_word *word = &m->words->list[m->best[term]];
    memcpy(to + length, m->words->text + word->text, word->length);
    return length + word->length;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Removes from `list` the terms that violate the limits; returns the number that remain. */
static int64_t apply_limits(const merge *m, int64_t documents, int32_t *list, int64_t count,
                            cobloc_text_info *info)
{
    const cobloc_text_options *o = m->options;
    double n = (double)documents;
    double least = o->min_df < 1 ? o->min_df * n : o->min_df;
    double most = o->max_df <= 1 ? o->max_df * n : o->max_df;
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        double df = (double)m->terms->list[list[i]].documents;
        if (df == 0)
            continue; /* only part of other terms */
        info->rare += df < least;
        info->frequent += df >= least && df > most;
        if (df >= least && df <= most)
            list[kept++] = list[i];
    }
    return kept;
}

typedef struct candidate {
    int64_t count, place; /* in alphabetical order */
} candidate;

static int by_count(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int by_place(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Keeps the `most` most frequent terms of `list`; ties go to the first. */
static cobloc_status leave_frequent(const merge *m, int32_t *list, int64_t count, int64_t most,
                                    cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    candidate *candidates = NULL;
    COB_NEW(candidates, count);
    for (int64_t i = 0; i < count; i++)
        candidates[i] = (candidate){m->terms->list[list[i]].count, i};
    qsort(candidates, (size_t)count, sizeof *candidates, by_count);
    qsort(candidates, (size_t)most, sizeof *candidates, by_place);
    for (int64_t i = 0; i < most; i++)
        list[i] = list[candidates[i].place];
done:
    cob_free(candidates);
    return status;
}

/* The columns: the terms within the limits, in alphabetical order. */
static cobloc_status choose_columns(merge *m, int64_t documents, cob_vocabulary *v,
                                    cobloc_text_info *info, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    enum { NEXT = 8, NEAR = 16, FAR = 24 };
    int64_t count, most = m->options->max_terms;
    char room[COB_MOST_NGRAM * (COB_LONGEST_WORD + 1)];
    COB_TRY(choose_words(m, err));
    COB_NEW(m->order, m->terms->count);
    COB_TRY(cob_terms_order(m->words, m->terms, m->best, m->order, err));
    count = apply_limits(m, documents, m->order, (int64_t)m->terms->count, info);
    if (most > 0 && count > most) {
        COB_TRY(leave_frequent(m, m->order, count, most, err));
        info->beyond = count - most;
        count = most;
    }
    for (int64_t c = 0; c < count; c++) {
        if (c + FAR < count)
            __builtin_prefetch(&m->terms->list[m->order[c + FAR]]);
        if (c + NEAR < count)
            prefetch_word(m, m->order[c + NEAR], false);
        if (c + NEXT < count)
            prefetch_word(m, m->order[c + NEXT], true);
        m->column_of[m->order[c]] = (int32_t)c;
        COB_TRY(cob_names_add(&v->names, room, spell(m, m->order[c], room), err));
    }
done:
    return status;
}

/* The term of a line of a given vocabulary; -1 if no text can contain it. */
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
    int most = o->phrase_count > 0 ? 2 : o->ngrams_to;
    if (words < o->ngrams_from || words > most)
        *term = -1;
done:
    cob_lowered_free(lower, room);
    return status;
}

/* Adds the given terms to those of the first counter, so that they get common numbers. */
static cobloc_status find_given(cob_counter *counter, int32_t *given, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_text_options *o = &counter->settings->options;
    for (int64_t i = 0; i < o->vocabulary_count; i++)
        COB_TRY(given_term(counter, o->vocabulary[i], &given[i], err));
done:
    return status;
}

static cobloc_status take_given(merge *m, const int32_t *given, cob_vocabulary *v,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_text_options *o = m->options;
    for (int64_t i = 0; i < o->vocabulary_count; i++) {
        COB_TRY(cob_names_add(&v->names, o->vocabulary[i], strlen(o->vocabulary[i]), err));
        if (given[i] < 0)
            continue;
        int32_t *column = &m->column_of[given[i]];
        COB_CHECK(*column < 0, COBLOC_BAD_DATA,
                  "the vocabulary has the same term twice: '%.60s' and '%.60s'",
                  o->vocabulary[*column], o->vocabulary[i]);
        *column = (int32_t)i;
    }
done:
    return status;
}

/* Gives the terms of all counters common numbers, which v->column holds until the columns are
 * known. */
static cobloc_status merge_all(merge *m, cob_counter *counters, int count, cob_vocabulary *v,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    v->counters = count;
    COB_NEW_ZERO(v->column, count);
    COB_NEW(v->column[0], counters[0].terms.count + 1);
    for (size_t t = 0; t < counters[0].terms.count; t++)
        v->column[0][t] = (int32_t)t;
    for (int c = 1; c < count; c++) {
        COB_NEW(v->column[c], counters[c].terms.count + 1);
        COB_TRY(merge_counter(m, &counters[c], v->column[c], err));
    }
    COB_NEW(m->column_of, m->terms->count);
    for (size_t t = 0; t < m->terms->count; t++)
        m->column_of[t] = -1;
done:
    return status;
}

cobloc_status cob_vocabulary_make(cob_counter *counters, int count, int64_t documents,
                                  cob_vocabulary *v, cobloc_text_info *info, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    merge m = {
        &counters[0].settings->options, &counters[0].words, &counters[0].terms, NULL, NULL, NULL};
    int32_t *given = NULL;
    if (m.options->vocabulary) {
        COB_NEW(given, m.options->vocabulary_count);
        COB_TRY(find_given(&counters[0], given, err));
    }
    size_t own = m.terms->count;
    COB_TRY(merge_all(&m, counters, count, v, err));
    if (given)
        COB_TRY(take_given(&m, given, v, err));
    else
        COB_TRY(choose_columns(&m, documents, v, info, err));
    info->terms = v->names.count;
    for (int c = 0; c < count; c++)
        for (size_t t = 0; t < (c == 0 ? own : counters[c].terms.count); t++)
            v->column[c][t] = m.column_of[v->column[c][t]];
done:
    cob_free(given);
    release(&m);
    return status;
}
