/* Languages: lists of stop words, and detecting the language of a text.
 * SPDX-License-Identifier: MIT
 */
#include "text/settings.h"
#include "text/token.h"

#include <string.h>

/* The share of stop words at which a text is taken to be in a language. In prose it is 0.3 to 0.6
 * for its own language, and rarely above 0.1 for another. */
static const double enough = 0.1;

int cobloc_language_count(void)
{
    return cob_language_count;
}

const char *cobloc_language_code(int index)
{
    return index >= 0 && index < cob_language_count ? cob_languages[index].code : NULL;
}

const char *cobloc_language_name(int index)
{
    return index >= 0 && index < cob_language_count ? cob_languages[index].name : NULL;
}

const cob_language *cob_language_find(const char *code)
{
    for (int i = 0; i < cob_language_count; i++)
        if (strcmp(cob_languages[i].code, code) == 0)
            return &cob_languages[i];
    return NULL;
}

static cobloc_status add_word(cob_intern *stop, cobloc_tokens rule, const char *word, size_t size,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char room[4 * COB_LONGEST_WORD], *lower = NULL;
    size_t length;
    int64_t number;
    if (cob_valid_bytes(word, size) < size || size > COB_LONGEST_WORD)
        return COBLOC_OK; /* no text contains such a word */
    COB_CHECK(cob_lowered(rule, word, size, room, sizeof room, &lower, &length), COBLOC_NO_MEMORY,
              "out of memory");
    status = cob_intern_add(stop, lower, length, &number, err);
done:
    cob_lowered_free(lower, room);
    return status;
}

cobloc_status cob_stop_words_add(cob_intern *stop, cobloc_tokens rule, const char *list,
                                 size_t size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *p = list, *end = list + size;
    while (p < end && status == COBLOC_OK) {
        const char *start = p;
        while (p < end && !(*p >= 0 && *p <= ' '))
            p++;
        if (p > start)
            status = add_word(stop, rule, start, (size_t)(p - start), err);
        p++;
    }
    return status;
}

/* The number of occurrences of a language's stop words. */
static cobloc_status occurrences(const cob_language *language, const cob_words *words, int64_t *sum,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_intern stop = {0};
    *sum = 0;
    COB_TRY(cob_stop_words_add(&stop, COBLOC_TOKENS_WORDS, language->stop_words,
                               strlen(language->stop_words), err));
    for (size_t w = 0; w < words->count; w++)
        if (cob_intern_find(&stop, cob_word_text(words, w), words->list[w].length) >= 0)
            *sum += words->list[w].count;
done:
    cob_intern_free(&stop);
    return status;
}

cobloc_status cob_language_guess(const cob_words *words, const cob_language **found, double *share,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t all = 0, most = 0, sum;
    *found = NULL;
    for (size_t w = 0; w < words->count; w++)
        all += words->list[w].count;
    for (int i = 0; i < cob_language_count; i++) {
        COB_TRY(occurrences(&cob_languages[i], words, &sum, err));
        if (sum > most && (double)sum >= enough * (double)all) {
            most = sum;
            *found = &cob_languages[i];
        }
    }
    *share = all ? (double)most / (double)all : 0;
done:
    return status;
}
