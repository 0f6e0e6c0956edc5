/* Text options: defaults, checks, and the settings they lead to.
 * SPDX-License-Identifier: MIT
 */
#include "text/settings.h"

#include "base/alloc.h"
#include "base/encoding.h"
#include "base/source.h"
#include "text/counter.h"

#include <libstemmer.h>
#include <stdio.h>
#include <string.h>

void cob_settings_free(cob_settings *settings)
{
    cob_intern_free(&settings->stop);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* Whether libstemmer knows a language, by name or code. */
static bool has_stemmer(const char *language)
{
    struct sb_stemmer *stemmer = sb_stemmer_new(language, NULL);
    bool found = stemmer != NULL;
    sb_stemmer_delete(stemmer);
    return found;
}

static cobloc_status check_stem(const char *stem, cobloc_error *err)
{
    char known[256] = "";
    if (!stem || is(stem, "auto") || has_stemmer(stem))
        return COBLOC_OK;
    for (const char **name = sb_stemmer_list(); *name; name++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", " : "",
                 *name);
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "there is no stemmer for '%.40s'; there are: %s",
                    stem, known);
}

static cobloc_status check_encoding(const char *encoding, cobloc_error *err)
{
    cob_conversion *conversion = NULL;
    cobloc_status status = encoding ? cob_conversion_open(encoding, &conversion, err) : COBLOC_OK;
    cob_conversion_close(conversion);
    return status;
}

static cobloc_status check_numbers(const cobloc_text_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(o->ngrams_to >= o->ngrams_from, COBLOC_BAD_ARGUMENT,
              "the n-grams are %d:%d, expected two numbers from 1 to %d in order", o->ngrams_from,
              o->ngrams_to, COB_MOST_NGRAM);
    COB_CHECK(o->min_df >= 0 && o->max_df > 0, COBLOC_BAD_ARGUMENT,
              "min_df is %g and max_df %g, expected numbers of documents, or shares", o->min_df,
              o->max_df);
    COB_CHECK(!o->vocabulary || (o->vocabulary_count > 0 && o->vocabulary_count <= INT32_MAX),
              COBLOC_BAD_ARGUMENT, "the vocabulary is empty");
done:
    return status;
}

cobloc_status cob_settings_init(cob_settings *settings, const cobloc_text_options *options,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *settings = (cob_settings){.language = "none"};
    if (options)
        settings->options = *options;
    else
        cob_text_options_default(&settings->options);
    cobloc_text_options *o = &settings->options;
    o->language = o->language ? o->language : "auto";
    COB_CHECK(is(o->language, "auto") || is(o->language, "none") || cob_language_find(o->language),
              COBLOC_BAD_ARGUMENT,
              "there are no stop words for the language '%.40s'; there are en, fr, de, es, it, pt, "
              "nl and ru; or give 'none'",
              o->language);
    COB_TRY(check_encoding(o->encoding, err));
    COB_TRY(cob_cleaning_parse(o->clean, &settings->cleaning, err));
    COB_TRY(check_stem(o->stem, err));
    status = check_numbers(o, err);
done:
    return status;
}

/* ---- decisions ------------------------------------------------------------------------------- */

bool cob_settings_need_language(const cob_settings *settings)
{
    const cobloc_text_options *o = &settings->options;
    return is(o->language, "auto") && ((!o->stop_words && !o->stop_list) || is(o->stem, "auto"));
}

enum { MOST_STOP_BYTES = 1 << 24 };

static cobloc_status read_stop_words(cob_settings *settings, const char *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_source *source = NULL;
    char *text = NULL;
    size_t size;
    COB_TRY(cob_source_open(path, &source, err));
    COB_NEW(text, MOST_STOP_BYTES);
    COB_TRY(cob_source_read(source, text, MOST_STOP_BYTES, &size, err));
    COB_CHECK(size < MOST_STOP_BYTES, COBLOC_BAD_DATA, "%s: is too long for a list of stop words",
              path);
    COB_TRY(cob_stop_words_add(&settings->stop, settings->options.tokens, text, size, err));
    snprintf(settings->language, sizeof settings->language, "own");
done:
    cob_free(text);
    cob_source_close(source);
    return status;
}

static cobloc_status take_stop_words(cob_settings *settings, const char *language,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_text_options *o = &settings->options;
    const char *code = o->stop_words ? o->stop_words : language;
    const cob_language *found = cob_language_find(code);
    if (o->stop_list) {
        for (int64_t i = 0; i < o->stop_count; i++)
            COB_TRY(cob_stop_words_add(&settings->stop, o->tokens, o->stop_list[i],
                                       strlen(o->stop_list[i]), err));
        snprintf(settings->language, sizeof settings->language, "own");
    } else if (found) {
        COB_TRY(cob_stop_words_add(&settings->stop, o->tokens, found->stop_words,
                                   strlen(found->stop_words), err));
        snprintf(settings->language, sizeof settings->language, "%s", found->code);
    } else if (o->stop_words && !is(code, "none")) {
        status = read_stop_words(settings, o->stop_words, err);
    }
done:
    return status;
}

cobloc_status cob_settings_decide(cob_settings *settings, const char *language, cobloc_error *err)
{
    const cobloc_text_options *o = &settings->options;
    const char *known = is(o->language, "auto") ? language : o->language;
    const char *stem = is(o->stem, "auto") ? known : o->stem;
    if (stem && *stem && !is(stem, "none") && has_stemmer(stem))
        snprintf(settings->stem, sizeof settings->stem, "%s", stem);
    return take_stop_words(settings, known, err);
}
