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

/* Sets an option from a JSON value; stop words are a text or a list. */
static cobloc_status take_value(cobloc_text_options *o, const char *key, const json_t *value,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char **words = NULL;
    size_t i, count = json_array_size(value);
    const json_t *word;
    if (json_is_string(value)) {
        COB_TRY(cobloc_set_text(o, key, json_string_value(value), err));
    } else if (json_is_number(value)) {
        if (json_number_value(value) != cobloc_real(o, "%s", key)) /* a default may mean: not set */
            COB_TRY(cobloc_set_real(o, key, json_number_value(value), err));
    } else if (json_is_boolean(value)) {
        COB_TRY(cobloc_set_flag(o, key, json_is_true(value), err));
    } else {
        COB_NEW(words, count + 1);
        json_array_foreach(value, i, word)
        {
            COB_CHECK(json_is_string(word), COBLOC_BAD_DATA,
                      "the stop words of the text settings are not a list of words");
            words[i] = json_string_value(word);
        }
        COB_TRY(cobloc_set_text(o, key, "none", err));
        COB_TRY(cobloc_set_texts(o, "stop_list", words, (int64_t)count, err));
    }
done:
    cob_free(words);
    return status;
}

cobloc_status cobloc_text_options_from_json(const char *json, cobloc_text_options **out,
                                            cobloc_error *err)
{
    static const char *const needed[] = {"corpus",  "tokens",      "min_length",
                                         "numbers", "ngrams_from", "ngrams_to",
                                         "min_df",  "max_df",      "max_terms"};
    cobloc_status status = COBLOC_OK;
    cobloc_text_options *o = NULL;
    json_error_t problem;
    const char *key;
    json_t *value, *object = json_loads(json, 0, &problem);
    COB_CHECK(object, COBLOC_BAD_DATA, "the text settings are damaged: %s", problem.text);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        COB_CHECK(json_object_get(object, needed[i]), COBLOC_BAD_DATA,
                  "the text settings are damaged: '%s' is missing", needed[i]);
    COB_TRY(cobloc_text_options_new(&o, err));
    COB_TRY(cobloc_set_text(o, "language", "none", err));
    json_object_foreach(object, key, value)
    {
        status = take_value(o, key, value, err);
        if (status != COBLOC_OK && status != COBLOC_NO_MEMORY)
            status = cob_fail_at(err, COBLOC_BAD_DATA, "the text settings are damaged: ");
        if (status != COBLOC_OK)
            goto done;
    }
    *out = o;
    o = NULL;
done:
    cobloc_text_options_free(o);
    json_decref(object);
    return status;
}
