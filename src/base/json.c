/* Reading JSON.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"

#include "base/alloc.h"
#include "base/plain.h"
#include "base/source.h"

#include <string.h>

/* ---- whole texts, with numbers in the plain locale ------------------------------------------ */

json_t *cob_json_parse(const char *text, size_t size, size_t flags, json_error_t *wrong)
{
    cob_plain plain = cob_plain_begin();
    json_t *value = json_loadb(text, size, flags, wrong);
    cob_plain_end(plain);
    return value;
}

char *cob_json_print(const json_t *value, size_t flags)
{
    cob_plain plain = cob_plain_begin();
    char *text = value ? json_dumps(value, flags | JSON_REAL_PRECISION(17)) : NULL;
    cob_plain_end(plain);
    return text;
}

typedef struct reading {
    cob_source *source;
    cobloc_status status;
    cobloc_error *err;
} reading;

static size_t read_some(void *bytes, size_t room, void *context)
{
    reading *r = context;
    size_t got = 0;
    r->status = cob_source_read(r->source, bytes, room, &got, r->err);
    return r->status == COBLOC_OK ? got : (size_t)-1;
}

cobloc_status cob_json_read(const char *path, json_t **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_error_t wrong;
    reading r = {.err = err};
    cob_plain plain = cob_plain_begin();
    COB_TRY(cob_source_open(path, &r.source, err));
    *out = json_load_callback(read_some, &r, JSON_REJECT_DUPLICATES, &wrong);
    COB_TRY(r.status);
    COB_CHECK(*out, COBLOC_BAD_DATA, "%s:%d: %s", path, wrong.line > 0 ? wrong.line : 1,
              wrong.text);
done:
    cob_plain_end(plain);
    cob_source_close(r.source);
    return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

cobloc_status cob_json_number(json_t *object, const char *key, double fallback, double *value,
                              cobloc_error *err)
{
    json_t *found = json_object_get(object, key);
    *value = fallback;
    if (!found)
        return COBLOC_OK;
    if (!json_is_number(found))
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is not a number", key);
    *value = json_number_value(found);
    return COBLOC_OK;
}

cobloc_status cob_json_whole(json_t *object, const char *key, json_int_t fallback, int64_t *value,
                             cobloc_error *err)
{
    json_t *found = json_object_get(object, key);
    *value = fallback;
    if (!found && fallback < 0)
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is missing, expected a whole number", key);
    if (found && (!json_is_integer(found) || json_integer_value(found) < 0))
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is not a whole number of at least 0", key);
    if (found)
        *value = json_integer_value(found);
    return COBLOC_OK;
}

cobloc_status cob_json_numbers(json_t *list, const char *name, size_t count, double *to,
                               cobloc_error *err)
{
    if (!json_is_array(list) || json_array_size(list) != count)
        return cob_fail(err, COBLOC_BAD_DATA, "%s is not a list of %zu numbers", name, count);
    for (size_t i = 0; i < count; i++) {
        if (!json_is_number(json_array_get(list, i)))
            return cob_fail(err, COBLOC_BAD_DATA, "%s holds something other than numbers", name);
        to[i] = json_number_value(json_array_get(list, i));
    }
    return COBLOC_OK;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* A name is a string or, if it is not UTF-8, a list of its bytes. */
static cobloc_status add_name(json_t *value, cob_names *names, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t length = json_is_string(value) ? json_string_length(value) : json_array_size(value);
    char *bytes = NULL;
    COB_CHECK(json_is_string(value) || json_is_array(value), COBLOC_BAD_DATA,
              "a name is neither a text nor a list of bytes");
    if (json_is_string(value)) {
        COB_CHECK(!memchr(json_string_value(value), '\0', length), COBLOC_BAD_DATA,
                  "a name holds a NUL byte");
        COB_TRY(cob_names_add(names, json_string_value(value), length, err));
        goto done;
    }
    COB_NEW(bytes, length);
    for (size_t i = 0; i < length; i++) {
        json_int_t byte = json_integer_value(json_array_get(value, i));
        COB_CHECK(byte >= 1 && byte <= 255, COBLOC_BAD_DATA,
                  "a name holds something other than bytes");
        bytes[i] = (char)(unsigned char)byte;
    }
    COB_TRY(cob_names_add(names, bytes, length, err));
done:
    cob_free(bytes);
    return status;
}

cobloc_status cob_json_names(json_t *object, const char *key, int64_t count, cob_names *names,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *list = json_object_get(object, key);
    if (json_is_null(list))
        goto done;
    COB_CHECK(json_array_size(list) == (size_t)count, COBLOC_BAD_DATA,
              "'%s' is not a list of %lld names", key, (long long)count);
    for (int64_t i = 0; i < count; i++)
        COB_TRY(add_name(json_array_get(list, (size_t)i), names, err));
done:
    return status;
}

cobloc_status cob_json_to_text(json_t *value, char **text, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names one = {0};
    if (!json_is_null(value)) {
        COB_TRY(add_name(value, &one, err));
        COB_TRY(cob_copy_text(cob_names_get(&one, 0), text, err));
    }
done:
    cob_names_free(&one);
    return status;
}

json_t *cob_json_from_text(const char *text)
{
    if (!text)
        return json_null();
    json_t *value = json_string(text);
    if (value)
        return value;
    value = json_array();
    for (; *text; text++)
        json_array_append_new(value, json_integer((unsigned char)*text));
    return value;
}
