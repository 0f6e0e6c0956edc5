/* One line of JSON.
 * SPDX-License-Identifier: MIT
 */
#include "text/json_lines.h"

#include "base/alloc.h"
#include "base/json.h"
#include "text/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cob_line_document_free(cob_line_document *document)
{
    if (document->parts != &document->one)
        cob_free(document->parts);
    cob_free(document->name);
    cob_free(document->label);
    json_decref(document->object);
    *document = (cob_line_document){0};
}

void cob_line_reader_free(cob_line_reader *reader)
{
    cob_free(reader->repaired);
}

/* Copies the line with a blank for every byte that is not UTF-8. */
static cobloc_status repair(cob_line_reader *reader, const char *line, size_t size,
                            int64_t *invalid, cobloc_error *err)
{
    if (!cob_grow(&reader->repaired, &reader->capacity, size, 1))
        return cob_fail_memory(err, size, 1);
    memcpy(reader->repaired, line, size);
    for (size_t at = 0; at < size; at++) {
        at += cob_valid_bytes(line + at, size - at);
        if (at < size) {
            reader->repaired[at] = ' ';
            ++*invalid;
        }
    }
    return COBLOC_OK;
}

static cobloc_status parse(cob_line_reader *reader, const char *line, size_t size, int64_t *invalid,
                           json_t **object, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_error_t problem;
    if (cob_valid_bytes(line, size) < size) {
        COB_TRY(repair(reader, line, size, invalid, err));
        line = reader->repaired;
    }
    size_t flags = JSON_ALLOW_NUL | (reader->elements ? JSON_DECODE_ANY : 0);
    *object = cob_json_parse(line, size, flags, &problem);
    COB_CHECK(*object, COBLOC_BAD_DATA, "is not JSON (%.100s), expected %s", problem.text,
              reader->elements ? "an object or a text" : "one object per line");
    COB_CHECK(json_is_object(*object) || (reader->elements && json_is_string(*object)),
              COBLOC_BAD_DATA, "is JSON, but not an object {...}");
done:
    return status;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static cobloc_status fail_field(const json_t *object, const char *field, cobloc_error *err)
{
    char known[256] = "";
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value) snprintf(
        known + strlen(known), sizeof known - strlen(known), "%s%.40s", *known ? ", " : "", key);
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "there is no field '%.60s'; there are: %s", field,
                    known);
}

/* A string or a list of strings; null means no text. */
static cobloc_status take_text(const json_t *value, const char *field, cob_line_document *document,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t count = json_is_array(value) ? json_array_size(value) : !json_is_null(value);
    document->parts = &document->one;
    if (count > 1)
        COB_NEW(document->parts, count);
    for (size_t i = 0; i < count; i++) {
        const json_t *text = json_is_array(value) ? json_array_get(value, i) : value;
        COB_CHECK(json_is_string(text), COBLOC_BAD_DATA,
                  "the field '%.60s' is neither a text nor a list of texts", field);
        document->parts[i] = (cob_line_part){json_string_value(text), json_string_length(text)};
        document->part_count++;
    }
done:
    return status;
}

/* A name or label: a string as it is, any other value as JSON; "" if missing. */
static cobloc_status take_word(const json_t *object, const char *field, char **word,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *dumped = NULL;
    if (!field)
        return COBLOC_OK;
    const json_t *value = json_object_get(object, field);
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    if (value && !json_is_string(value) && !json_is_null(value)) {
        text = dumped = cob_json_print(value, JSON_ENCODE_ANY | JSON_COMPACT);
        COB_CHECK(dumped, COBLOC_NO_MEMORY, "out of memory");
    }
    COB_TRY(cob_copy_text(text, word, err));
done:
    free(dumped);
    return status;
}

cobloc_status cob_json_line_read(cob_line_reader *reader, const char *line, size_t size,
                                 int64_t *invalid, cob_line_document *document, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_text_options *o = reader->options;
    const char *field = o->field ? o->field : "text";
    const char *must[] = {field, o->name_field, o->label_field};
    COB_TRY(parse(reader, line, size, invalid, &document->object, err));
    if (json_is_string(document->object)) {
        status = take_text(document->object, "text", document, err);
        goto done;
    }
    for (int m = 0; m < 3 && reader->first; m++)
        if (must[m] && !json_object_get(document->object, must[m]))
            COB_TRY(fail_field(document->object, must[m], err));
    const json_t *value = json_object_get(document->object, field);
    if (value)
        COB_TRY(take_text(value, field, document, err));
    COB_TRY(take_word(document->object, o->name_field, &document->name, err));
    status = take_word(document->object, o->label_field, &document->label, err);
done:
    return status;
}
