/* Text settings as JSON and back, for model.json.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "text/settings.h"

#include <string.h>

static json_t *word_list(const cob_names *names)
{
    json_t *list = json_array();
    for (int64_t i = 0; list && i < names->count; i++)
        json_array_append_new(list, json_string(cob_names_get(names, i)));
    return list;
}

/* Sets a key that may be missing. */
static void set_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_object_set_new(object, key, json_string(text));
}

json_t *cob_text_options_to_json(const cob_settings *s)
{
    const cobloc_text_options *o = &s->options;
    json_t *object = json_pack(
        "{s:s, s:s, s:i, s:b, s:i, s:i, s:f, s:f, s:I}", "corpus", cobloc_corpus_name(o->corpus),
        "tokens", cobloc_tokens_name(o->tokens), "min_length", o->min_length, "numbers",
        o->numbers != 0, "ngrams_from", o->ngrams_from, "ngrams_to", o->ngrams_to, "min_df",
        o->min_df, "max_df", o->max_df, "max_terms", (json_int_t)o->max_terms);
    if (!object)
        return NULL;
    set_text(object, "field", o->field);
    set_text(object, "name_field", o->name_field);
    set_text(object, "stem", *s->stem ? s->stem : NULL);
    if (strcmp(s->language, "own") == 0)
        json_object_set_new(object, "stop_words", word_list(&s->stop.names));
    else
        set_text(object, "stop_words", s->language);
    return object;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Options, with the object that owns their texts. */
typedef struct owned {
    cobloc_text_options options; /* first, because callers see only this */
    json_t *object;
    const char **stop_list;
} owned;

void cobloc_text_options_free(cobloc_text_options *options)
{
    owned *all = (owned *)options;
    if (!all)
        return;
    json_decref(all->object);
    cob_free(all->stop_list);
    cob_free(all);
}

static cobloc_status take_stop_list(owned *all, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const json_t *words = json_object_get(all->object, "stop_words");
    size_t i;
    const json_t *word;
    all->options.language = "none";
    all->options.stop_words = json_is_string(words) ? json_string_value(words) : "none";
    if (!json_is_array(words))
        goto done;
    COB_NEW(all->stop_list, json_array_size(words) + 1);
    json_array_foreach(words, i, word)
    {
        COB_CHECK(json_is_string(word), COBLOC_BAD_DATA,
                  "the stop words of the text settings are not a list of words");
        all->stop_list[i] = json_string_value(word);
    }
    all->options.stop_list = all->stop_list;
    all->options.stop_count = (int64_t)json_array_size(words);
done:
    return status;
}

static cobloc_status take_kinds(owned *all, const char *corpus, const char *tokens,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int c = COBLOC_CORPUS_AUTO, t = COBLOC_TOKENS_WORDS;
    while (c <= COBLOC_CORPUS_SMART && strcmp(cobloc_corpus_name((cobloc_corpus)c), corpus) != 0)
        c++;
    while (t <= COBLOC_TOKENS_WORD2 && strcmp(cobloc_tokens_name((cobloc_tokens)t), tokens) != 0)
        t++;
    COB_CHECK(c <= COBLOC_CORPUS_SMART && t <= COBLOC_TOKENS_WORD2, COBLOC_BAD_DATA,
              "the text settings have the corpus '%.20s' and the tokens '%.20s', which cobloc does "
              "not know",
              corpus, tokens);
    all->options.corpus = (cobloc_corpus)c;
    all->options.tokens = (cobloc_tokens)t;
done:
    return status;
}

cobloc_status cobloc_text_options_from_json(const char *json, cobloc_text_options **out,
                                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    owned *all = NULL;
    json_error_t problem;
    const char *corpus, *tokens;
    json_int_t max_terms;
    COB_NEW_ZERO(all, 1);
    cobloc_text_options *o = &all->options;
    cobloc_text_options_default(o);
    all->object = json_loads(json, 0, &problem);
    COB_CHECK(all->object &&
                  json_unpack_ex(all->object, &problem, 0,
                                 "{s:s, s:s, s:i, s:b, s:i, s:i, s:F, s:F, s:I, s?s, s?s, s?s}",
                                 "corpus", &corpus, "tokens", &tokens, "min_length", &o->min_length,
                                 "numbers", &o->numbers, "ngrams_from", &o->ngrams_from,
                                 "ngrams_to", &o->ngrams_to, "min_df", &o->min_df, "max_df",
                                 &o->max_df, "max_terms", &max_terms, "field", &o->field,
                                 "name_field", &o->name_field, "stem", &o->stem) == 0,
              COBLOC_BAD_DATA, "the text settings are damaged: %s", problem.text);
    o->max_terms = max_terms;
    COB_TRY(take_kinds(all, corpus, tokens, err));
    COB_TRY(take_stop_list(all, err));
    *out = &all->options;
    all = NULL;
done:
    cobloc_text_options_free(all ? &all->options : NULL);
    return status;
}
