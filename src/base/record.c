/* Structs as JSON, by the tables of their fields.
 * SPDX-License-Identifier: MIT
 */
#include "base/record.h"

#include "base/json.h"
#include "base/owned.h"

#include <string.h>

enum { LONGEST_NAME = 64 };

/* Takes the next word of `names`: the key, and the field that it stands for. False at the end. */
static bool next_field(const char **names, const cob_type *type, char key[LONGEST_NAME],
                       const cob_named_field **field)
{
    size_t length = strcspn(*names, " "), before = strcspn(*names, "= ");
    const char *name = *names + (before < length ? before + 1 : 0);
    if (length == 0)
        return false;
    memcpy(key, *names, before);
    key[before] = '\0';
    *field = cob_field_named(type, name, (size_t)(*names + length - name));
    *names += length + ((*names)[length] == ' ');
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *element_json(const char *array, cobloc_kind kind, int64_t i)
{
    double value;
    if (kind == COBLOC_TEXTS)
        return cob_json_from_text(cob_member_pointer(array, (size_t)i * sizeof(char *)));
    if (kind == COBLOC_REALS) {
        memcpy(&value, array + (size_t)i * sizeof value, sizeof value);
        return number(value);
    }
    size_t size = kind == COBLOC_INTS ? 4 : 8;
    return json_integer(cob_member_integer(array, (size_t)i * size, size));
}

static json_t *elements_json(const char *array, cobloc_kind kind, int64_t from, int64_t count)
{
    json_t *list = json_array();
    for (int64_t i = from; i < from + count; i++)
        json_array_append_new(list, element_json(array, kind, i));
    return list;
}

static json_t *array_json(const void *in, const cob_named_field *f)
{
    const char *array = cob_member_pointer(in, f->offset);
    int64_t length = cob_full_length(f, in), row = cob_row_length(f, in);
    if (!array)
        return json_null();
    if (row == 0)
        return elements_json(array, f->kind, 0, length);
    json_t *rows = json_array();
    for (int64_t from = 0; from < length; from += row)
        json_array_append_new(rows, elements_json(array, f->kind, from, row));
    return rows;
}

static json_t *field_json(const void *in, const cob_named_field *f)
{
    const char *at = (const char *)in + f->offset;
    double value;
    switch (f->kind) {
    case COBLOC_INT:
        return json_integer(cob_member_integer(in, f->offset, f->size));
    case COBLOC_FLAG:
        return json_boolean(cob_member_integer(in, f->offset, f->size));
    case COBLOC_REAL:
        memcpy(&value, at, sizeof value);
        return number(value);
    case COBLOC_CHOICE:
        return json_string(
            cob_choice_name(f->choices, (int)cob_member_integer(in, f->offset, f->size)));
    case COBLOC_TEXT:
        return cob_json_from_text(f->in_place ? at : cob_member_pointer(in, f->offset));
    default:
        return array_json(in, f);
    }
}

json_t *cob_record_json(const void *record, const cob_type *type, const char *names)
{
    json_t *object = json_object();
    const cob_named_field *field = NULL;
    char key[LONGEST_NAME];
    while (next_field(&names, type, key, &field))
        if (json_object_set_new(object, key, field_json(record, field)) != 0) {
            json_decref(object);
            return NULL;
        }
    return object;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reading {
    const char *key;
    const cob_named_field *field;
    cob_record_rule rule;
    char *in;
    bool options; /* these keep what is theirs; other structs own their arrays themselves */
} reading;

static void find_limits(const reading *r, int64_t *least, int64_t *most)
{
    const cob_named_field *f = r->field;
    bool ranged = f->least < f->most;
    *least = r->rule.least;
    *most = r->rule.most;
    if (!r->rule.limited) {
        *least = ranged ? (int64_t)fmin(f->least, f->usual) : 0;
        *most = ranged ? (int64_t)f->most : INT32_MAX;
    }
}

static cobloc_status read_integer(const reading *r, json_t *value, cobloc_error *err)
{
    int64_t least, most, whole = json_integer_value(value);
    find_limits(r, &least, &most);
    if (!json_is_integer(value) || whole < least || whole > most)
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is not a whole number from %lld to %lld",
                        r->key, (long long)least, (long long)most);
    cob_set_member_integer(r->in, r->field->offset, r->field->size, whole);
    return COBLOC_OK;
}

static cobloc_status read_real(const reading *r, json_t *value, cobloc_error *err)
{
    double real = json_is_null(value) ? NAN : json_number_value(value);
    if (!json_is_number(value) && !json_is_null(value))
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is not a number", r->key);
    memcpy(r->in + r->field->offset, &real, sizeof real);
    return COBLOC_OK;
}

static cobloc_status read_choice(const reading *r, json_t *value, cobloc_error *err)
{
    const char *name = json_string_value(value);
    int choice = name ? cob_choice_find(r->field->choices, name) : -1;
    if (choice < 0)
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is nothing that cobloc knows", r->key);
    cob_set_member_integer(r->in, r->field->offset, r->field->size, choice);
    return COBLOC_OK;
}

static cobloc_status read_flag(const reading *r, json_t *value, cobloc_error *err)
{
    if (!json_is_boolean(value))
        return cob_fail(err, COBLOC_BAD_DATA, "'%s' is neither true nor false", r->key);
    cob_set_member_integer(r->in, r->field->offset, r->field->size, json_is_true(value));
    return COBLOC_OK;
}

/* Hands new memory to the struct or, where these are options, to them. */
static cobloc_status keep(const reading *r, void *memory, cobloc_error *err)
{
    if (r->options && !(memory = cob_adopt((cob_object *)(void *)r->in, memory, err)))
        return COBLOC_NO_MEMORY;
    memcpy(r->in + r->field->offset, &memory, sizeof memory);
    return COBLOC_OK;
}

static cobloc_status read_text(const reading *r, json_t *value, cobloc_error *err)
{
    char *text = NULL;
    cobloc_status status = cob_json_to_text(value, &text, err);
    return status == COBLOC_OK && text ? keep(r, text, err) : status;
}

static cobloc_status read_element(const reading *r, json_t *value, char *array, int64_t i,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t least, most, whole = json_integer_value(value);
    double real = json_is_null(value) ? NAN : json_number_value(value);
    char *text = NULL;
    switch (r->field->kind) {
    case COBLOC_TEXTS:
        COB_CHECK(!json_is_null(value), COBLOC_BAD_DATA, "'%s' holds a null", r->key);
        COB_TRY(cob_json_to_text(value, &text, err));
        memcpy(array + (size_t)i * sizeof text, &text, sizeof text);
        break;
    case COBLOC_REALS:
        COB_CHECK(json_is_number(value) || (r->rule.holes && json_is_null(value)), COBLOC_BAD_DATA,
                  "'%s' holds something other than numbers", r->key);
        memcpy(array + (size_t)i * sizeof real, &real, sizeof real);
        break;
    default:
        find_limits(r, &least, &most);
        COB_CHECK(json_is_integer(value) && whole >= least && whole <= most, COBLOC_BAD_DATA,
                  "'%s' holds something other than whole numbers from %lld to %lld", r->key,
                  (long long)least, (long long)most);
        size_t size = r->field->kind == COBLOC_INTS ? 4 : 8;
        cob_set_member_integer(array, (size_t)i * size, size, whole);
    }
done:
    return status;
}

static cobloc_status read_array(const reading *r, json_t *value, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t length = cob_full_length(r->field, r->in), row = cob_row_length(r->field, r->in);
    int64_t lists = row > 0 ? length / row : 1;
    char *array = NULL;
    if (json_is_null(value) && !r->rule.needed)
        return COBLOC_OK;
    COB_CHECK(json_is_array(value) && json_array_size(value) == (size_t)(row > 0 ? lists : length),
              COBLOC_BAD_DATA, "'%s' is not a list of %lld", r->key,
              (long long)(row > 0 ? lists : length));
    for (int64_t i = 0; row > 0 && i < lists; i++)
        COB_CHECK(json_array_size(json_array_get(value, (size_t)i)) == (size_t)row, COBLOC_BAD_DATA,
                  "'%s' is not a table of %lld by %lld", r->key, (long long)lists, (long long)row);
    if (!(array = cob_alloc_zero((size_t)length, r->field->kind == COBLOC_INTS ? 4 : 8)))
        return cob_fail_memory(err, (size_t)length, 8);
    COB_TRY(keep(r, array, err));
    for (int64_t i = 0; i < length; i++) {
        json_t *list = row > 0 ? json_array_get(value, (size_t)(i / row)) : value;
        COB_TRY(
            read_element(r, json_array_get(list, (size_t)(row > 0 ? i % row : i)), array, i, err));
    }
done:
    return status;
}

static cobloc_status read_field(const reading *r, json_t *value, cobloc_error *err)
{
    switch (r->field->kind) {
    case COBLOC_INT:
        return read_integer(r, value, err);
    case COBLOC_FLAG:
        return read_flag(r, value, err);
    case COBLOC_REAL:
        return read_real(r, value, err);
    case COBLOC_CHOICE:
        return read_choice(r, value, err);
    case COBLOC_TEXT:
        return read_text(r, value, err);
    default:
        return read_array(r, value, err);
    }
}

cobloc_status cob_record_read(json_t *from, const cob_type *type, const char *names,
                              cob_record_rule rule, void *record, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char key[LONGEST_NAME];
    reading r = {key, NULL, rule, record, type->role == COB_OPTIONS};
    while (next_field(&names, type, key, &r.field)) {
        json_t *value = json_object_get(from, key);
        COB_CHECK(value, COBLOC_BAD_DATA, "'%s' is missing", key);
        COB_TRY(read_field(&r, value, err));
    }
done:
    return status;
}
