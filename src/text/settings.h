/* What is to be a term, worked out from the options: stop words at hand, languages decided.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_SETTINGS_H
#define COB_TEXT_SETTINGS_H

#include "base/intern.h"
#include "text/options.h"
#include "text/words.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct cob_settings {
    cobloc_text_options options; /* checked; texts and lists are borrowed */
    cob_intern stop;             /* the stop words, in lower case */
    char language[8];            /* whose they are: a code, "none" or "own" */
    char stem[32];               /* of libstemmer; "": none */
    bool count_only;             /* no rows are wanted: a sample */
} cob_settings;

void cob_settings_free(cob_settings *settings);

/* Checks the options; before the language is known, there are no stop words and no stemmer. */
cobloc_status cob_settings_init(cob_settings *settings, const cobloc_text_options *options,
                                cobloc_error *err);

/* Whether the text must be looked at to know its language. */
bool cob_settings_need_language(const cob_settings *settings);

/* Takes stop words and stemmer; `language` is a code or "none", or "" where it was not looked for.
 */
cobloc_status cob_settings_decide(cob_settings *settings, const char *language, cobloc_error *err);

/* The settings as JSON, for new documents. NULL: out of memory. */
json_t *cob_text_options_to_json(const cob_settings *settings);

/* ---- languages (language.c, stop_words.c) ---------------------------------------------------- */

typedef struct cob_language {
    const char *code, *name;
    const char *stop_words; /* one blank apart */
} cob_language;

extern const cob_language cob_languages[];
extern const int cob_language_count;

/* NULL: there is none with this code. */
const cob_language *cob_language_find(const char *code);

/* Adds the words of a list, which blanks or line ends separate, as the tokenizer would have them.
 */
cobloc_status cob_stop_words_add(cob_intern *stop, cobloc_tokens rule, const char *list,
                                 size_t size, cobloc_error *err);

/* The language with the most stop words among the words, by how often they were met; NULL: of none
 * there are enough. `share`: what share of all they are. */
cobloc_status cob_language_guess(const cob_words *words, const cob_language **found, double *share,
                                 cobloc_error *err);

#endif
