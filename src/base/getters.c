/* Reading values by their paths, and listing names.
 * SPDX-License-Identifier: MIT
 */
#include "base/fields.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_PATH = 256 };

/* ---- finding --------------------------------------------------------------------------------- */

/* A place that exists in the object, not only in its type. */
static bool find(const void *object, const char *path, cob_found *p)
{
    return cob_find_field(object, path, p, NULL) == COBLOC_OK && p->in && p->element != -2;
}

static bool find_printed(const void *object, const char *format, va_list list, cob_found *p)
{
    char path[LONGEST_PATH];
    int length = vsnprintf(path, sizeof path, format, list);
    return length > 0 && length < LONGEST_PATH && find(object, path, p);
}

/* Starts a getter: `found` says whether the place `p` exists. */
#define FIND(object, format)                                                                       \
    cob_found p;                                                                                   \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    bool found = find_printed((object), (format), list, &p);                                       \
    va_end(list)

static const char *element_of(const cob_found *p, size_t size)
{
    const char *array = cob_member_pointer(p->in, p->field->offset);
    return array + (size_t)p->element * size;
}

/* ---- single values --------------------------------------------------------------------------- */

static bool is_integer(const cob_named_field *f)
{
    return f->kind == COBLOC_INT || f->kind == COBLOC_FLAG || f->kind == COBLOC_CHOICE;
}

static bool get_integer(const cob_found *p, int64_t *value)
{
    const cob_named_field *f = p->field;
    bool narrow = f->kind == COBLOC_INTS;
    if (is_integer(f))
        *value = cob_member_integer(p->in, f->offset, f->size);
    else if ((narrow || f->kind == COBLOC_INT64S) && p->element >= 0)
        *value = cob_member_integer(element_of(p, narrow ? 4 : 8), 0, narrow ? 4 : 8);
    else
        return false;
    return true;
}

int64_t cobloc_int(const void *object, const char *path, ...)
{
    int64_t value = 0;
    FIND(object, path);
    return found && get_integer(&p, &value) ? value : 0;
}

double cobloc_real(const void *object, const char *path, ...)
{
    double value = NAN;
    int64_t whole;
    FIND(object, path);
    if (found && p.field->kind == COBLOC_REAL)
        memcpy(&value, (char *)p.in + p.field->offset, sizeof value);
    else if (found && p.field->kind == COBLOC_REALS && p.element >= 0)
        memcpy(&value, element_of(&p, sizeof value), sizeof value);
    else if (found && get_integer(&p, &whole))
        value = (double)whole;
    return value;
}

const char *cobloc_text(const void *object, const char *path, ...)
{
    FIND(object, path);
    if (!found)
        return NULL;
    const cob_named_field *f = p.field;
    if (f->kind == COBLOC_TEXT && f->in_place)
        return (const char *)p.in + f->offset;
    if (f->kind == COBLOC_TEXT)
        return cob_member_pointer(p.in, f->offset);
    if (f->kind == COBLOC_TEXTS && p.element >= 0)
        return cob_member_pointer(element_of(&p, sizeof(char *)), 0);
    if (f->kind == COBLOC_CHOICE)
        return cob_choice_name(f->choices, (int)cob_member_integer(p.in, f->offset, f->size));
    return NULL;
}

/* ---- arrays and objects ---------------------------------------------------------------------- */

static const void *array_of(const cob_found *p, bool found, cobloc_kind kind, int64_t *count)
{
    bool good = found && p->field->kind == kind && p->element == -1;
    if (count)
        *count = good ? cob_field_length(p->field, p->in) : -1;
    return good ? cob_member_pointer(p->in, p->field->offset) : NULL;
}

const int32_t *cobloc_ints(const void *object, int64_t *count, const char *path, ...)
{
    FIND(object, path);
    return array_of(&p, found, COBLOC_INTS, count);
}

const int64_t *cobloc_int64s(const void *object, int64_t *count, const char *path, ...)
{
    FIND(object, path);
    return array_of(&p, found, COBLOC_INT64S, count);
}

const double *cobloc_reals(const void *object, int64_t *count, const char *path, ...)
{
    FIND(object, path);
    return array_of(&p, found, COBLOC_REALS, count);
}

const char *const *cobloc_texts(const void *object, int64_t *count, const char *path, ...)
{
    FIND(object, path);
    return array_of(&p, found, COBLOC_TEXTS, count);
}

int64_t cobloc_count(const void *object, const char *path, ...)
{
    int64_t count = -1;
    FIND(object, path);
    if (found && p.field->count[0].size)
        array_of(&p, true, p.field->kind, &count);
    return count;
}

int cobloc_shape(const void *object, int64_t shape[2], const char *path, ...)
{
    FIND(object, path);
    if (!found || p.element != -1 || !p.field->count[0].size)
        return 0;
    int64_t length = cob_field_length(p.field, p.in), row = cob_row_length(p.field, p.in);
    shape[0] = row > 0 ? length / row : length;
    shape[1] = row > 0 ? row : 1;
    return row > 0 ? 2 : 1;
}

const void *cobloc_object(const void *object, const char *path, ...)
{
    FIND(object, path);
    if (!found)
        return NULL;
    if (p.field->kind == COBLOC_GROUP && p.field->of->role != COB_PART)
        return (const char *)p.in + p.field->offset;
    return p.field->kind == COBLOC_OBJECT ? cob_member_pointer(p.in, p.field->offset) : NULL;
}

/* ---- listing --------------------------------------------------------------------------------- */

static const cob_type *type_at(const void *object, const char *path)
{
    cob_found p;
    return cob_find_field(object, path, &p, NULL) == COBLOC_OK ? p.type : NULL;
}

static const cob_named_field *field_at(const void *object, const char *path)
{
    cob_found p;
    return cob_find_field(object, path, &p, NULL) == COBLOC_OK ? p.field : NULL;
}

int cobloc_field_count(const void *object, const char *path)
{
    const cob_type *type = type_at(object, path);
    return type ? type->count : -1;
}

const char *cobloc_field_name(const void *object, const char *path, int index)
{
    const cob_type *type = type_at(object, path);
    return type && index >= 0 && index < type->count ? type->fields[index].name : NULL;
}

cobloc_kind cobloc_field_kind(const void *object, const char *path)
{
    const cob_named_field *f = field_at(object, path);
    return f ? f->kind : COBLOC_NONE;
}

const char *cobloc_field_help(const void *object, const char *path)
{
    const cob_named_field *f = field_at(object, path);
    return f ? f->help : NULL;
}

const char *cobloc_field_choice(const void *object, const char *path, int value)
{
    const cob_named_field *f = field_at(object, path);
    for (int i = 0; f && f->choices && f->choices[i]; i++)
        if (i == value)
            return f->choices[i];
    return NULL;
}

int cobloc_field_range(const void *object, const char *path, double *least, double *most)
{
    const cob_named_field *f = field_at(object, path);
    if (!f || f->least >= f->most)
        return 0;
    *least = f->least;
    *most = f->most;
    return 1;
}
