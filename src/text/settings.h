/* What counts as a term, derived from the options: stop words and stemmer, once the language is
 * known.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_SETTINGS_H
#define COB_TEXT_SETTINGS_H

#include "base/intern.h"
#include "text/clean.h"
#include "text/options.h"
#include "text/words.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct cob_settings {
    cobloc_text_options options; /* validated; texts and lists are borrowed */
    cob_intern stop;             /* the stop words, in lower case */
    cob_cleaning cleaning;
    char language[8]; /* of the stop words: a code, "none" or "own" */
    char stem[32];    /* libstemmer algorithm; "": none */
    bool count_only;  /* for a sample: no rows are kept */
} cob_settings;

void cob_settings_free(cob_settings *settings);

/* Validates the options. There are no stop words and no stemmer until the language is known. */
cobloc_status cob_settings_init(cob_settings *settings, const cobloc_text_options *options,
                                cobloc_error *err);

/* Whether the language has to be detected. */
bool cob_settings_need_language(const cob_settings *settings);

/* Sets the stop words and the stemmer; `language` is a code or "none", or "" if it was not
 * detected. */
cobloc_status cob_settings_decide(cob_settings *settings, const char *language, cobloc_error *err);

/* The settings as JSON, for new documents. NULL: out of memory. */
json_t *cob_text_options_to_json(const cob_settings *settings);

/* ---- languages (language.c, stop_words.c) ---------------------------------------------------- */

typedef struct cob_language {
    const char *code, *name;
    const char *stop_words; /* separated by single blanks */
} cob_language;

extern const cob_language cob_languages[];
extern const int cob_language_count;

/* NULL if no language has this code. */
const cob_language *cob_language_find(const char *code);

/* Adds the words of a list, separated by blanks or line ends, in the form the tokenizer produces.
 */
cobloc_status cob_stop_words_add(cob_intern *stop, cobloc_tokens rule, const char *list,
                                 size_t size, cobloc_error *err);

/* The language whose stop words are most frequent among the words; NULL if no language has enough.
 * `share` is their share of all words. */
cobloc_status cob_language_guess(const cob_words *words, const cob_language **found, double *share,
                                 cobloc_error *err);

#endif
