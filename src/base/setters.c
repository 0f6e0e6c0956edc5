/* Setting options by their paths.
 * SPDX-License-Identifier: MIT
 */
#include "base/guess.h"
#include "base/owned.h"
#include "base/plain.h"
#include "base/scan.h"

#include <stdio.h>
#include <string.h>

/* What a setter works on. */
typedef struct target {
    cob_found place;
    const cob_named_field *field;
    cob_object *head; /* of the options: owns the copies */
    const char *path; /* for messages */
} target;

static const char *const KINDS[] = {
    "nothing",          "a whole number", "a number",           "0 or 1",       "a text",
    "a name",           "some integers",  "some wide integers", "some numbers", "some texts",
    "names of its own", "a list",         "an object",          "a callback",   "a communicator"};
_Static_assert(sizeof KINDS / sizeof *KINDS == COBLOC_RANKS + 1, "every kind has its words");

static cobloc_status find(void *options, const char *path, target *t, cobloc_error *err)
{
    cobloc_status status = cob_find_field(options, path, &t->place, err);
    if (status != COBLOC_OK)
        return status;
    t->field = t->place.field;
    t->head = options;
    t->path = path;
    if (t->head->type->role != COB_OPTIONS)
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s cannot be changed", t->head->type->name);
    if (!t->field || !t->place.in || t->place.element != -1)
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "'%.40s' is not one option", path);
    return COBLOC_OK;
}

static cobloc_status fail_kind(const target *t, const char *given, cobloc_error *err)
{
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s takes %s, not %s", t->path, KINDS[t->field->kind],
                    given);
}

static void *member(const target *t)
{
    return (char *)t->place.in + t->field->offset;
}

/* Puts a pointer into its member; what it held before is released, if the options owned it. */
static void replace(const target *t, const void *memory)
{
    const void *old = cob_member_pointer(t->place.in, t->field->offset);
    memcpy(member(t), &memory, sizeof memory);
    cob_disown(t->head, old);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool in_range(const cob_named_field *f, double value)
{
    return f->least >= f->most || (value >= f->least && value <= f->most);
}

/* "from 1 to 10000", "from 0", or nothing. */
static void put_range(const cob_named_field *f, char *text, size_t room)
{
    const double countless = 9e15;
    if (f->least >= f->most)
        snprintf(text, room, "%s", "");
    else if (f->most >= countless)
        cob_plain_print(text, room, " from %.15g", f->least);
    else
        cob_plain_print(text, room, " from %.15g to %.15g", f->least, f->most);
}

static cobloc_status fail_number(const target *t, const char *value, cobloc_error *err)
{
    char range[80];
    put_range(t->field, range, sizeof range);
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s is '%.*s', expected %s%s", t->path,
                    cob_shown(value), value, KINDS[t->field->kind], range);
}

static cobloc_status set_number(const target *t, double value, const char *shown, cobloc_error *err)
{
    const cob_named_field *f = t->field;
    const double widest = f->size == 4 ? INT32_MAX : 9007199254740992.0;
    bool real = f->kind == COBLOC_REAL;
    if (isnan(value) || !in_range(f, value) ||
        (!real && (value != floor(value) || fabs(value) > widest)))
        return fail_number(t, shown, err);
    if (real)
        memcpy(member(t), &value, sizeof value);
    else
        cob_set_member_integer(t->place.in, f->offset, f->size, (int64_t)value);
    return COBLOC_OK;
}

static cobloc_status set_choice(const target *t, int choice, const char *shown, cobloc_error *err)
{
    char all[256] = "", did_you_mean[COB_GUESS_ROOM];
    const char *const *names = t->field->choices;
    cob_guess guess = cob_guess_begin(shown, strlen(shown));
    int count = 0;
    for (; names[count]; count++) {
        size_t used = strlen(all);
        cob_guess_try(&guess, names[count]);
        snprintf(all + used, sizeof all - used, "%s%s", count ? ", " : "", names[count]);
    }
    if (choice < 0 || choice >= count)
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s is '%.*s', expected one of: %s%s", t->path,
                        cob_shown(shown), shown, all, cob_guess_text(&guess, did_you_mean));
    cob_set_member_integer(t->place.in, t->field->offset, t->field->size, choice);
    return COBLOC_OK;
}

static cobloc_status set_flag(const target *t, double value, const char *shown, cobloc_error *err)
{
    if (value != 0 && value != 1)
        return fail_number(t, shown, err);
    cob_set_member_integer(t->place.in, t->field->offset, t->field->size, value != 0);
    return COBLOC_OK;
}

cobloc_status cobloc_set_real(void *options, const char *path, double value, cobloc_error *err)
{
    target t;
    char shown[32];
    cobloc_status status = find(options, path, &t, err);
    if (status != COBLOC_OK)
        return status;
    cob_plain_print(shown, sizeof shown, "%.15g", value);
    switch (t.field->kind) {
    case COBLOC_INT:
    case COBLOC_REAL:
        return set_number(&t, value, shown, err);
    case COBLOC_FLAG:
        return set_flag(&t, value, shown, err);
    case COBLOC_CHOICE:
        return set_choice(&t, value >= 0 && value < 1000 ? (int)value : -1, shown, err);
    default:
        return fail_kind(&t, "a number", err);
    }
}

cobloc_status cobloc_set_int(void *options, const char *path, int64_t value, cobloc_error *err)
{
    return cobloc_set_real(options, path, (double)value, err);
}

cobloc_status cobloc_set_flag(void *options, const char *path, int value, cobloc_error *err)
{
    target t;
    cobloc_status status = find(options, path, &t, err);
    if (status != COBLOC_OK)
        return status;
    return t.field->kind == COBLOC_FLAG ? set_flag(&t, value != 0, "", err)
                                        : fail_kind(&t, "a flag", err);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Another array whose length is the same member; NULL: none is there. */
static const cob_named_field *shares_length(const target *t)
{
    const cob_named_field *f = t->field, *fields = t->place.owner->fields;
    for (int i = 0; !f->fixed && i < t->place.owner->count; i++)
        if (&fields[i] != f && fields[i].count[0].size &&
            fields[i].count[0].offset == f->count[0].offset &&
            cob_member_pointer(t->place.in, fields[i].offset))
            return &fields[i];
    return NULL;
}

static void set_length(const target *t, int64_t count)
{
    const cob_count *c = &t->field->count[0];
    if (!t->field->fixed && !shares_length(t))
        cob_set_member_integer(t->place.in, c->offset, c->size, count);
}

/* An array whose length is set by other options, or shared with other arrays, must have it. */
static cobloc_status check_length(const target *t, const void *values, int64_t count,
                                  cobloc_error *err)
{
    const cob_named_field *f = t->field;
    int64_t wanted = f->fixed && count > 0 ? cob_full_length(f, t->place.in) : count;
    if (count < 0 || (count > 0 && !values) || (f->count[0].size == 4 && count > INT32_MAX))
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s cannot have %lld elements", t->path,
                        (long long)count);
    const cob_named_field *other = shares_length(t);
    if (other)
        wanted = cob_field_length(other, t->place.in);
    if (count > 0 && count != wanted)
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s has %lld elements, expected %lld", t->path,
                        (long long)count, (long long)wanted);
    return COBLOC_OK;
}

static cobloc_status copy_array(void *options, const char *path, cobloc_kind kind,
                                const void *values, int64_t count, size_t size, cobloc_error *err)
{
    target t;
    void *copy = NULL;
    cobloc_status status = find(options, path, &t, err);
    if (status != COBLOC_OK)
        return status;
    if (t.field->kind != kind)
        return fail_kind(&t, KINDS[kind], err);
    if ((status = check_length(&t, values, count, err)) != COBLOC_OK)
        return status;
    if (count > 0 && !(copy = cob_own(t.head, (size_t)count, size, err)))
        return COBLOC_NO_MEMORY;
    replace(&t, copy);
    if (copy)
        memcpy(copy, values, (size_t)count * size);
    set_length(&t, count);
    return COBLOC_OK;
}

cobloc_status cobloc_set_ints(void *options, const char *path, const int32_t *values, int64_t count,
                              cobloc_error *err)
{
    return copy_array(options, path, COBLOC_INTS, values, count, sizeof *values, err);
}

cobloc_status cobloc_set_reals(void *options, const char *path, const double *values, int64_t count,
                               cobloc_error *err)
{
    return copy_array(options, path, COBLOC_REALS, values, count, sizeof *values, err);
}

static cobloc_status check_text(const cob_named_field *field, const char *text, cobloc_error *err)
{
    return field->check ? field->check(text, err) : COBLOC_OK;
}

/* Texts stand behind their pointers in one piece of memory. */
cobloc_status cobloc_set_texts(void *options, const char *path, const char *const *values,
                               int64_t count, cobloc_error *err)
{
    target t;
    const size_t pointers = count > 0 ? (size_t)count * sizeof *values : 0;
    size_t bytes = pointers;
    cobloc_status status = find(options, path, &t, err);
    if (status != COBLOC_OK)
        return status;
    for (int64_t i = 0; values && i < count && status == COBLOC_OK; i++) {
        status = check_text(t.field, values[i], err);
        bytes += strlen(values[i]) + 1;
    }
    if (status != COBLOC_OK)
        return status;
    if (t.field->kind != COBLOC_TEXTS || !values || count <= 0)
        return copy_array(options, path, COBLOC_TEXTS, values, count, sizeof *values, err);
    const char **copy = cob_own(t.head, bytes, 1, err);
    if (!copy)
        return COBLOC_NO_MEMORY;
    char *at = (char *)copy + pointers;
    for (int64_t i = 0; i < count; i++) {
        size_t size = strlen(values[i]) + 1;
        copy[i] = memcpy(at, values[i], size);
        at += size;
    }
    replace(&t, copy);
    set_length(&t, count);
    return COBLOC_OK;
}

cobloc_status cobloc_append(void *options, const char *path, cobloc_error *err)
{
    target t;
    cobloc_status status = find(options, path, &t, err);
    if (status != COBLOC_OK)
        return status;
    if (t.field->kind != COBLOC_LIST)
        return fail_kind(&t, "a new element", err);
    int64_t count = cob_field_length(t.field, t.place.in);
    char *old = cob_member_pointer(t.place.in, t.field->offset);
    size_t size = t.field->of->size;
    char *grown = cob_own_more(t.head, old, (size_t)count + 1, size, err);
    if (!grown)
        return COBLOC_NO_MEMORY;
    memcpy(member(&t), &grown, sizeof grown);
    cob_init(grown + (size_t)count * size, t.field->of);
    set_length(&t, count + 1);
    return COBLOC_OK;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* "a,b,c" as an array. */
static cobloc_status split_texts(void *options, const char *path, const char *value,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *copy = NULL;
    const char **parts = NULL;
    int64_t count = 0, commas = 0;
    for (const char *p = value; *p; p++)
        commas += *p == ',';
    COB_NEW(parts, commas + 1);
    COB_TRY(cob_copy_text(value, &copy, err));
    for (char *at = copy, *comma; at && *value; at = comma ? comma + 1 : NULL) {
        comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        parts[count++] = at;
    }
    COB_TRY(cobloc_set_texts(options, path, parts, count, err));
done:
    cob_free(copy);
    cob_free(parts);
    return status;
}

static cobloc_status copy_text(const target *t, const char *value, cobloc_error *err)
{
    const char *copy = t->field->usual_text;
    size_t size = strlen(value ? value : "") + 1;
    if (t->field->in_place) {
        if (size > t->field->size)
            return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s is longer than %zu bytes", t->path,
                            t->field->size - 1);
        memcpy(member(t), value ? value : "", size);
        return COBLOC_OK;
    }
    if (value) {
        cobloc_status status = check_text(t->field, value, err);
        if (status != COBLOC_OK)
            return status;
        char *made = cob_own(t->head, size, 1, err);
        if (!made)
            return COBLOC_NO_MEMORY;
        copy = memcpy(made, value, size);
    }
    replace(t, copy);
    return COBLOC_OK;
}

/* "yes" and "no", or a number; NaN: neither. */
static double number_of(const target *t, const char *text)
{
    double value;
    const char *at = text;
    if (t->field->kind == COBLOC_FLAG && (strcmp(text, "yes") == 0 || strcmp(text, "no") == 0))
        return strcmp(text, "yes") == 0;
    return cob_scan_number(&at, &value) && at > text && !*at ? value : NAN;
}

static cobloc_status set_from_text(const target *t, const char *value, cobloc_error *err)
{
    double number = number_of(t, value);
    switch (t->field->kind) {
    case COBLOC_INT:
    case COBLOC_REAL:
        return set_number(t, number, value, err);
    case COBLOC_FLAG:
        return set_flag(t, number, value, err);
    case COBLOC_CHOICE:
        return set_choice(t, cob_choice_find(t->field->choices, value), value, err);
    default:
        return fail_kind(t, "a text", err);
    }
}

cobloc_status cobloc_set_text(void *options, const char *path, const char *value, cobloc_error *err)
{
    target t;
    cobloc_status status = find(options, path, &t, err);
    if (status != COBLOC_OK)
        return status;
    if (t.field->kind == COBLOC_TEXT)
        return copy_text(&t, value, err);
    if (t.field->kind == COBLOC_TEXTS)
        return split_texts(options, path, value ? value : "", err);
    if (value)
        return set_from_text(&t, value, err);
    cob_set_default(t.place.in, t.field);
    return COBLOC_OK;
}

/* ---- objects and callbacks ------------------------------------------------------------------- */

cobloc_status cobloc_set_object(void *options, const char *path, const void *object,
                                cobloc_error *err)
{
    target t;
    cobloc_status status = find(options, path, &t, err);
    if (status != COBLOC_OK)
        return status;
    if (t.field->kind != COBLOC_OBJECT)
        return fail_kind(&t, "an object", err);
    const cob_type *wanted = t.field->of;
    if (object && wanted && ((const cob_object *)object)->type != wanted)
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s is not %s", path, wanted->name);
    memcpy(member(&t), &object, sizeof object);
    return COBLOC_OK;
}

/* All fields of this name, also in groups. */
static void set_all(char *in, const cob_type *type, const char *name, const void *value)
{
    for (int i = 0; i < type->count; i++) {
        const cob_named_field *f = &type->fields[i];
        if (f->kind == COBLOC_GROUP)
            set_all(in + f->offset, f->of, name, value);
        else if (strcmp(f->name, name) == 0)
            memcpy(in + f->offset, value, f->size);
    }
}

void cobloc_set_progress(void *options, cobloc_progress_fn report, void *user)
{
    const cob_object *head = options;
    const cobloc_progress progress = {report, user};
    if (head && head->type && head->type->role == COB_OPTIONS)
        set_all(options, head->type, "progress", &progress);
}

static void set_ranks(void *options, const char *name, const cobloc_communicator *communicator)
{
    const cob_object *head = options;
    const cobloc_communicator one = {0};
    if (head && head->type && head->type->role == COB_OPTIONS)
        set_all(options, head->type, name, communicator ? communicator : &one);
}

void cobloc_set_communicator(void *options, const cobloc_communicator *communicator)
{
    set_ranks(options, "communicator", communicator);
}

void cobloc_set_group(void *options, const cobloc_communicator *group)
{
    set_ranks(options, "group", group);
}
