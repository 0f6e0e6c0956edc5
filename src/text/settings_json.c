/* Text settings as JSON and back, for model.json.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/json.h"
#include "base/record.h"
#include "text/settings.h"

#include <string.h>

/* What is always there. */
#define NUMBERS "corpus tokens min_length numbers ngrams_from ngrams_to min_df max_df max_terms"

static json_t *word_list(const cob_names *names)
{
    json_t *list = json_array();
    for (int64_t i = 0; list && i < names->count; i++)
        json_array_append_new(list, json_string(cob_names_get(names, i)));
    return list;
}

json_t *cob_text_options_to_json(const cob_settings *s)
{
    const cobloc_text_options *o = &s->options;
    const struct {
        const char *key, *text;
    } texts[] = {
        {"field", o->field}, {"name_field", o->name_field}, {"stem", s->stem}, {"clean", o->clean}};
    json_t *object = cob_record_json(o, &cob_text_options_type, NUMBERS);
    for (size_t i = 0; object && i < sizeof texts / sizeof *texts; i++)
        if (texts[i].text && *texts[i].text)
            json_object_set_new(object, texts[i].key, json_string(texts[i].text));
    if (object && o->phrase_count > 0) {
        json_t *phrases = json_array();
        for (int64_t i = 0; i < o->phrase_count; i++)
            json_array_append_new(phrases, json_string(o->phrase_list[i]));
        json_object_set_new(object, "phrases", phrases);
    }
    if (object)
        json_object_set_new(object, "stop_words",
                            strcmp(s->language, "own") == 0 ? word_list(&s->stop.names)
                                                            : json_string(s->language));
    return object;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A list of words, or of phrases. */
static cobloc_status take_list(cobloc_text_options *o, const char *field, const json_t *list,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char **words = NULL;
    size_t i;
    const json_t *word;
    COB_NEW(words, json_array_size(list) + 1);
    json_array_foreach(list, i, word)
    {
        COB_CHECK(json_is_string(word), COBLOC_BAD_DATA, "'%s' is no list of words", field);
        words[i] = json_string_value(word);
    }
    status = cobloc_set_texts(o, field, words, (int64_t)json_array_size(list), err);
done:
    cob_free(words);
    return status;
}

static cobloc_status take_all(cobloc_text_options *o, json_t *object, cobloc_error *err)
{
    static const char *const texts[] = {"field", "name_field", "stem", "stop_words", "clean"};
    cobloc_status status = COBLOC_OK;
    const cob_record_rule by_table = {0};
    COB_TRY(cobloc_set_text(o, "language", "none", err));
    COB_TRY(cob_record_read(object, &cob_text_options_type, NUMBERS, by_table, o, err));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const json_t *value = json_object_get(object, texts[i]);
        if (json_is_array(value) && i == 3) {
            COB_TRY(cobloc_set_text(o, "stop_words", "none", err));
            COB_TRY(take_list(o, "stop_list", value, err));
        } else if (value)
            COB_CHECK(json_is_string(value), COBLOC_BAD_DATA, "'%s' is not a text", texts[i]);
        if (json_is_string(value))
            COB_TRY(cobloc_set_text(o, texts[i], json_string_value(value), err));
    }
    if (json_is_array(json_object_get(object, "phrases")))
        status = take_list(o, "phrase_list", json_object_get(object, "phrases"), err);
done:
    return status;
}

cobloc_status cobloc_text_options_from_json(const char *json, cobloc_text_options **out,
                                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_text_options *o = NULL;
    json_error_t problem;
    json_t *object = cob_json_parse(json, strlen(json), 0, &problem);
    COB_CHECK(object, COBLOC_BAD_DATA, "the text settings are damaged: %s", problem.text);
    COB_TRY(cobloc_text_options_new(&o, err));
    status = take_all(o, object, err);
    if (status != COBLOC_OK && status != COBLOC_NO_MEMORY)
        status = cob_fail_at(err, COBLOC_BAD_DATA, "the text settings are damaged: ");
    if (status == COBLOC_OK) {
        *out = o;
        o = NULL;
    }
done:
    cobloc_text_options_free(o);
    json_decref(object);
    return status;
}
