/* Reading JSON.
 * SPDX-License-Identifier: MIT
 */
#include "base/json.h"

#include "base/fields.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

cobloc_status cob_json_read(const char *path, json_t **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_error_t wrong;
    FILE *file = fopen(path, "rb");
    COB_CHECK(file, COBLOC_IO, "%s: cannot be opened: %s", path, strerror(errno));
    *out = json_loadf(file, JSON_REJECT_DUPLICATES, &wrong);
    COB_CHECK(*out, COBLOC_BAD_DATA, "%s:%d: %s", path, wrong.line > 0 ? wrong.line : 1,
              wrong.text);
done:
    if (file)
        fclose(file);
    return status;
}

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

/* The list of `count` elements under a key; NULL for null. */
static cobloc_status list_at(json_t *object, const char *key, int64_t count, json_t **list,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_json_at(object, key, list, err));
    if (json_is_null(*list))
        *list = NULL;
    else
        COB_CHECK(json_array_size(*list) == (size_t)count, COBLOC_BAD_DATA,
                  "'%s' does not hold %lld numbers", key, (long long)count);
done:
    return status;
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

/* ---- values ---------------------------------------------------------------------------------- */

cobloc_status cob_json_at(json_t *object, const char *key, json_t **value, cobloc_error *err)
{
    *value = json_object_get(object, key);
    if (*value)
        return COBLOC_OK;
    return cob_fail(err, COBLOC_BAD_DATA, "'%s' is missing", key);
}

cobloc_status cob_json_real(json_t *object, const char *key, double *value, cobloc_error *err)
{
    json_t *found;
    cobloc_status status = cob_json_at(object, key, &found, err);
    if (status == COBLOC_OK && !json_is_number(found) && !json_is_null(found))
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is not a number", key);
    *value = json_is_number(found) ? json_number_value(found) : NAN;
    return status;
}

cobloc_status cob_json_integer(json_t *object, const char *key, int64_t least, int64_t most,
                               int64_t *value, cobloc_error *err)
{
    json_t *found;
    cobloc_status status = cob_json_at(object, key, &found, err);
    if (status != COBLOC_OK)
        return status;
    *value = json_integer_value(found);
    if (!json_is_integer(found) || *value < least || *value > most)
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is not a whole number from %lld to %lld", key,
                        (long long)least, (long long)most);
    return COBLOC_OK;
}

cobloc_status cob_json_int(json_t *object, const char *key, int least, int most, int *value,
                           cobloc_error *err)
{
    int64_t whole = least;
    cobloc_status status = cob_json_integer(object, key, least, most, &whole, err);
    *value = (int)whole;
    return status;
}

cobloc_status cob_json_bool(json_t *object, const char *key, bool *value, cobloc_error *err)
{
    json_t *found;
    cobloc_status status = cob_json_at(object, key, &found, err);
    if (status == COBLOC_OK && !json_is_boolean(found))
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is neither true nor false", key);
    *value = json_is_true(found);
    return status;
}

cobloc_status cob_json_choice(json_t *object, const char *key, const char *const *names,
                              int *choice, cobloc_error *err)
{
    json_t *found;
    cobloc_status status = cob_json_at(object, key, &found, err);
    if (status != COBLOC_OK)
        return status;
    *choice = json_is_string(found) ? cob_choice_find(names, json_string_value(found)) : -1;
    if (*choice >= 0)
        return COBLOC_OK;
    return cob_fail(err, COBLOC_BAD_DATA, "'%s' has a value that cobloc does not know", key);
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
    json_t *list;
    COB_TRY(cob_json_at(object, key, &list, err));
    if (json_is_null(list))
        goto done;
    COB_CHECK(json_array_size(list) == (size_t)count, COBLOC_BAD_DATA,
              "'%s' is not a list of %lld names", key, (long long)count);
    for (int64_t i = 0; i < count; i++)
        COB_TRY(add_name(json_array_get(list, (size_t)i), names, err));
done:
    return status;
}

cobloc_status cob_json_text(json_t *object, const char *key, char **text, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names one = {0};
    json_t *value;
    COB_TRY(cob_json_at(object, key, &value, err));
    if (!json_is_null(value)) {
        COB_TRY(add_name(value, &one, err));
        COB_TRY(cob_copy_text(cob_names_get(&one, 0), text, err));
    }
done:
    cob_names_free(&one);
    return status;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* If `holes`, null becomes NaN; otherwise it is an error. */
static cobloc_status fill_numbers(json_t *list, const char *key, size_t count, bool holes,
                                  double *to, cobloc_error *err)
{
    if (json_array_size(list) != count)
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' does not hold %zu numbers", key, count);
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_array_get(list, i);
        if (!json_is_number(value) && !(holes && json_is_null(value)))
            return cob_fail(err, COBLOC_BAD_DATA, "'%s' holds something other than numbers", key);
        to[i] = json_is_null(value) ? NAN : json_number_value(value);
    }
    return COBLOC_OK;
}

cobloc_status cob_json_list(json_t *object, const char *key, int64_t count, bool holes, double **to,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *list;
    COB_TRY(list_at(object, key, count, &list, err));
    if (!list)
        goto done;
    COB_NEW(*to, count);
    COB_TRY(fill_numbers(list, key, (size_t)count, holes, *to, err));
done:
    return status;
}

cobloc_status cob_json_table(json_t *object, const char *key, int64_t rows, int64_t cols,
                             bool holes, double **to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *list;
    COB_TRY(cob_json_at(object, key, &list, err));
    if (json_is_null(list))
        goto done;
    COB_CHECK(json_array_size(list) == (size_t)rows &&
                  json_array_size(json_array_get(list, 0)) == (size_t)cols,
              COBLOC_BAD_DATA, "'%s' is not a table of %lld by %lld numbers", key, (long long)rows,
              (long long)cols);
    COB_NEW(*to, rows * cols);
    for (int64_t i = 0; i < rows; i++)
        COB_TRY(fill_numbers(json_array_get(list, (size_t)i), key, (size_t)cols, holes,
                             *to + i * cols, err));
done:
    return status;
}

cobloc_status cob_json_integers(json_t *object, const char *key, int64_t count, int64_t least,
                                int64_t most, int64_t **to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    json_t *list;
    COB_TRY(list_at(object, key, count, &list, err));
    if (!list)
        goto done;
    COB_NEW(*to, count);
    for (int64_t i = 0; i < count; i++) {
        json_t *value = json_array_get(list, (size_t)i);
        (*to)[i] = json_integer_value(value);
        COB_CHECK(json_is_integer(value) && (*to)[i] >= least && (*to)[i] <= most, COBLOC_BAD_DATA,
                  "'%s' holds something other than whole numbers from %lld to %lld", key,
                  (long long)least, (long long)most);
    }
done:
    return status;
}

cobloc_status cob_json_labels(json_t *object, const char *key, int64_t count, int clusters,
                              int32_t **to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *wide = NULL;
    COB_TRY(cob_json_integers(object, key, count, -1, clusters - 1, &wide, err));
    if (!wide)
        goto done;
    COB_NEW(*to, count);
    for (int64_t i = 0; i < count; i++)
        (*to)[i] = (int32_t)wide[i];
done:
    cob_free(wide);
    return status;
}
