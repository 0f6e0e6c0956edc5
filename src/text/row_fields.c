/* The fields of documents.
 * SPDX-License-Identifier: MIT
 */
#include "text/row_fields.h"

#include "base/alloc.h"
#include "base/json.h"
#include "text/mail.h"
#include "text/title.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record is NAME, BETWEEN, VALUE, AFTER, and so on; neither occurs in names or values. */
enum { BETWEEN = 0x1F, AFTER = 0x1E };
enum { SHORT = 64, LONGEST = 256 };

void cob_row_fields_free(cob_row_fields *fields)
{
    cob_names_free(&fields->records);
    cob_free(fields->room.text);
    *fields = (cob_row_fields){0};
}

/* ---- what is wanted -------------------------------------------------------------------------- */

static bool all_short(const cobloc_text_options *o)
{
    return !o->fields || strcmp(o->fields, "auto") == 0;
}

bool cob_fields_wanted(const cobloc_text_options *o)
{
    return all_short(o) || strcmp(o->fields, "none") != 0;
}

/* The next name of a list "date,source"; false at its end. */
static bool next_name(const char **list, const char **name, size_t *length)
{
    *list += strspn(*list, ", ");
    *name = *list;
    *length = strcspn(*list, ",");
    *list += *length;
    while (*length > 0 && (*name)[*length - 1] == ' ')
        --*length;
    return *length > 0;
}

bool cob_field_is_wanted(const cobloc_text_options *o, const char *name)
{
    const char *list = o->fields, *each;
    size_t length;
    if (!cob_fields_wanted(o) || all_short(o))
        return cob_fields_wanted(o);
    while (next_name(&list, &each, &length))
        if (strlen(name) == length && memcmp(each, name, length) == 0)
            return true;
    return false;
}

/* ---- one document ---------------------------------------------------------------------------- */

cobloc_status cob_row_fields_add(cob_row_fields *fields, const cobloc_text_options *o,
                                 const char *name, const char *value, size_t size,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char line[LONGEST], plain[COB_FIELD_NAME];
    const char between = BETWEEN, after = AFTER;
    if (fields->full || size == 0 || (all_short(o) && size > SHORT) ||
        !cob_field_is_wanted(o, name))
        return COBLOC_OK;
    size_t length = cob_one_line(line, sizeof line, value, size);
    size_t named = cob_one_line(plain, sizeof plain, name, strlen(name));
    if (length == 0 || named == 0)
        return COBLOC_OK;
    COB_TRY(cob_append(&fields->room, plain, named, err));
    COB_TRY(cob_append(&fields->room, &between, 1, err));
    COB_TRY(cob_append(&fields->room, line, length, err));
    COB_TRY(cob_append(&fields->room, &after, 1, err));
done:
    return status;
}

cobloc_status cob_row_fields_add_json(cob_row_fields *fields, const cobloc_text_options *o,
                                      json_t *object, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *key, *text = o->field ? o->field : "text";
    char *dumped = NULL;
    json_t *value;
    if (fields->full || !cob_fields_wanted(o))
        return COBLOC_OK;
    json_object_foreach(object, key, value)
    {
        if (strcmp(key, text) == 0 || (o->name_field && strcmp(key, o->name_field) == 0))
            continue;
        if (json_is_string(value))
            COB_TRY(cob_row_fields_add(fields, o, key, json_string_value(value),
                                       strlen(json_string_value(value)), err));
        if (!json_is_number(value) && !json_is_boolean(value))
            continue;
        dumped = cob_json_print(value, JSON_ENCODE_ANY | JSON_COMPACT);
        COB_CHECK(dumped, COBLOC_NO_MEMORY, "out of memory");
        COB_TRY(cob_row_fields_add(fields, o, key, dumped, strlen(dumped), err));
        free(dumped);
        dumped = NULL;
    }
done:
    free(dumped);
    return status;
}

cobloc_status cob_row_fields_end(cob_row_fields *fields, const cobloc_text_options *o,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (fields->full || !cob_fields_wanted(o))
        return COBLOC_OK;
    status = cob_names_add(&fields->records, fields->room.text ? fields->room.text : "",
                           fields->room.size, err);
    fields->room.size = 0;
    if (all_short(o) && fields->records.size > COB_MOST_FIELD_BYTES) {
        cob_row_fields_free(fields);
        fields->full = true;
    }
    return status;
}

/* ---- all documents --------------------------------------------------------------------------- */

typedef struct field {
    const char *name, *first; /* a value, and whether there is another */
    size_t name_length, first_length;
    int64_t rows;
    bool varies;
} field;

typedef struct pair {
    const char *name, *value;
    size_t name_length, value_length;
} pair;

static bool next_pair(const char **record, pair *p)
{
    const char *between = strchr(*record, BETWEEN),
               *after = between ? strchr(between, AFTER) : NULL;
    if (!after)
        return false;
    *p = (pair){*record, between + 1, (size_t)(between - *record), (size_t)(after - between - 1)};
    *record = after + 1;
    return true;
}

static bool is_named(const pair *p, const field *f)
{
    return p->name_length == f->name_length && memcmp(p->name, f->name, f->name_length) == 0;
}

static bool is_first(const pair *p, const field *f)
{
    return p->value_length == f->first_length && memcmp(p->value, f->first, f->first_length) == 0;
}

/* The fields of all records, in the order in which they come. */
static int list_fields(const cob_names *records, field found[COB_MOST_FIELDS])
{
    int count = 0;
    for (int64_t i = 0; i < records->count; i++) {
        const char *record = cob_names_get(records, i);
        for (pair p; next_pair(&record, &p);) {
            int f = 0;
            while (f < count && !is_named(&p, &found[f]))
                f++;
            if (f == COB_MOST_FIELDS)
                continue;
            if (f == count)
                found[count++] = (field){p.name, p.value, p.name_length, p.value_length, 0, false};
            found[f].rows++;
            found[f].varies |= !is_first(&p, &found[f]);
        }
    }
    return count;
}

static cobloc_status add_values(const cob_names *records, const field *f, cob_names *values,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int64_t i = 0; i < records->count; i++) {
        const char *record = cob_names_get(records, i);
        pair p, own = {0};
        while (!own.name && next_pair(&record, &p))
            if (is_named(&p, f))
                own = p;
        COB_TRY(cob_names_add(values, own.name ? own.value : "", own.value_length, err));
    }
done:
    return status;
}

/* Fields that were asked for must be there. */
static cobloc_status check_named(const field *found, int count, const char *list, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *name;
    size_t length;
    while (next_name(&list, &name, &length)) {
        bool there = false;
        for (int f = 0; f < count; f++)
            there |= found[f].name_length == length && memcmp(found[f].name, name, length) == 0;
        COB_CHECK(there, COBLOC_BAD_ARGUMENT, "no document has a field '%.*s'",
                  (int)(length < 60 ? length : 60), name);
    }
done:
    return status;
}

cobloc_status cob_row_fields_keep(const cob_names *records, const cobloc_text_options *o,
                                  cobloc_matrix *matrix, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    field found[COB_MOST_FIELDS];
    cob_names names = {0}, values = {0};
    if (!cob_fields_wanted(o) || (all_short(o) && records->size > COB_MOST_FIELD_BYTES))
        return COBLOC_OK;
    int count = list_fields(records, found);
    if (!all_short(o))
        COB_TRY(check_named(found, count, o->fields, err));
    for (int f = 0; f < count; f++) {
        if (all_short(o) && (2 * found[f].rows < records->count || !found[f].varies))
            continue;
        COB_TRY(cob_names_add(&names, found[f].name, found[f].name_length, err));
        COB_TRY(add_values(records, &found[f], &values, err));
    }
    cob_names_move(&matrix->field_names, &names);
    cob_names_move(&matrix->field_values, &values);
done:
    cob_names_free(&names);
    cob_names_free(&values);
    return status;
}
