/* Objects made, filled with defaults and released by the tables of their fields.
 * SPDX-License-Identifier: MIT
 */
#include "base/fields.h"
#include "base/owned.h"

#include <string.h>

/* ---- members --------------------------------------------------------------------------------- */

void *cob_member_pointer(const void *in, size_t offset)
{
    void *pointer;
    memcpy(&pointer, (const char *)in + offset, sizeof pointer);
    return pointer;
}

int64_t cob_member_integer(const void *in, size_t offset, size_t size)
{
    int32_t narrow;
    int64_t wide;
    const char *at = (const char *)in + offset;
    if (size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

void cob_set_member_integer(void *in, size_t offset, size_t size, int64_t value)
{
    int32_t narrow = (int32_t)value;
    memcpy((char *)in + offset, size == sizeof narrow ? (void *)&narrow : (void *)&value, size);
}

int64_t cob_full_length(const cob_named_field *field, const void *in)
{
    int64_t length = field->times ? field->times : 1;
    for (int i = 0; i < 3 && field->count[i].size; i++) {
        bool last = i == 2 || !field->count[i + 1].size;
        length *= cob_member_integer(in, field->count[i].offset, field->count[i].size) +
                  (last ? field->plus : 0);
    }
    return length;
}

int64_t cob_row_length(const cob_named_field *field, const void *in)
{
    const cob_count *c = &field->count[1];
    return c->size ? cob_member_integer(in, c->offset, c->size) + field->plus : 0;
}

int64_t cob_field_length(const cob_named_field *field, const void *in)
{
    return in && cob_member_pointer(in, field->offset) ? cob_full_length(field, in) : 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

void cob_set_default(void *in, const cob_named_field *f)
{
    char *at = (char *)in + f->offset;
    switch (f->kind) {
    case COBLOC_INT:
    case COBLOC_FLAG:
    case COBLOC_CHOICE:
        cob_set_member_integer(in, f->offset, f->size, (int64_t)f->usual);
        break;
    case COBLOC_REAL:
        memcpy(at, &f->usual, sizeof f->usual);
        break;
    case COBLOC_TEXT:
        if (f->usual_text)
            memcpy(at, &f->usual_text, sizeof f->usual_text);
        break;
    case COBLOC_GROUP:
        cob_init(at, f->of);
        break;
    default:
        break;
    }
}

void cob_init(void *object, const cob_type *type)
{
    memset(object, 0, type->size);
    if (type->role != COB_PART)
        *(cob_object *)object = (cob_object){.type = type};
    for (int i = 0; i < type->count; i++)
        cob_set_default(object, &type->fields[i]);
}

void *cob_new(const cob_type *type, cobloc_error *err)
{
    void *object = cob_alloc(1, type->size);
    if (object)
        cob_init(object, type);
    else
        cob_fail_memory(err, 1, type->size);
    return object;
}

cobloc_status cob_hand_out(const void *result, const cob_type *type, void *out, cobloc_error *err)
{
    void *made = cob_new(type, err);
    if (!made)
        return COBLOC_NO_MEMORY;
    memcpy(made, result, type->size);
    memcpy(out, &made, sizeof made);
    return COBLOC_OK;
}

/* ---- releasing ------------------------------------------------------------------------------- */

static void release_field(void *in, const cob_named_field *f)
{
    bool behind = (f->kind == COBLOC_TEXT && !f->in_place) || f->kind == COBLOC_OBJECT ||
                  f->count[0].size > 0;
    char *pointer = f->kind == COBLOC_GROUP ? (char *)in + f->offset
                    : behind                ? cob_member_pointer(in, f->offset)
                                            : NULL;
    switch (f->kind) {
    case COBLOC_TEXT:
        cob_free(f->owned ? pointer : NULL);
        break;
    case COBLOC_OBJECT:
        cob_release(f->owned ? pointer : NULL);
        break;
    case COBLOC_GROUP:
        cob_release_part(pointer, f->of);
        break;
    case COBLOC_LIST:
    case COBLOC_TEXTS:
        for (int64_t i = 0, count = pointer ? cob_field_length(f, in) : 0; i < count; i++)
            if (f->kind == COBLOC_LIST)
                cob_release_part(pointer + (size_t)i * f->of->size, f->of);
            else
                cob_free(cob_member_pointer(pointer, (size_t)i * sizeof(char *)));
        cob_free(pointer);
        break;
    case COBLOC_INTS:
    case COBLOC_INT64S:
    case COBLOC_REALS:
        cob_free(pointer);
        break;
    default:
        break;
    }
}

void cob_release_part(void *part, const cob_type *type)
{
    if (type->role == COB_OPTIONS)
        cob_disown_all(part);
    for (int i = 0; type->role != COB_OPTIONS && i < type->count; i++)
        release_field(part, &type->fields[i]);
    if (type->release)
        type->release(part);
}

void cob_release(void *object)
{
    if (!object)
        return;
    cob_release_part(object, ((cob_object *)object)->type);
    cob_free(object);
}

/* ---- choices --------------------------------------------------------------------------------- */

int cob_choice_find(const char *const *choices, const char *name)
{
    for (int i = 0; choices[i]; i++)
        if (strcmp(choices[i], name) == 0)
            return i;
    return -1;
}

const char *cob_choice_name(const char *const *choices, int value)
{
    for (int i = 0; choices[i]; i++)
        if (i == value)
            return choices[i];
    return "unknown";
}
