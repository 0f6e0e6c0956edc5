/* Paths: from "blocs[3].name" to the member of a struct.
 * SPDX-License-Identifier: MIT
 */
#include "base/fields.h"
#include "base/guess.h"
#include "base/scan.h"

#include <string.h>

/* ---- the nearest name ------------------------------------------------------------------------ */

static cobloc_status fail_unknown(const cob_type *type, const char *name, int length,
                                  cobloc_error *err)
{
    char did_you_mean[COB_GUESS_ROOM];
    cob_guess guess = cob_guess_begin(name, (size_t)length);
    for (int i = 0; i < type->count; i++)
        cob_guess_try(&guess, type->fields[i].name);
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "there is no '%.*s' in %s%s", cob_shown(name), name,
                    type->name, cob_guess_text(&guess, did_you_mean));
}

/* ---- steps of a path ------------------------------------------------------------------------- */

const cob_named_field *cob_field_named(const cob_type *type, const char *name, size_t length)
{
    for (int i = 0; i < type->count; i++)
        if (strlen(type->fields[i].name) == length &&
            memcmp(type->fields[i].name, name, length) == 0)
            return &type->fields[i];
    return NULL;
}

static bool is_array(const cob_named_field *f)
{
    return f->kind >= COBLOC_INTS && f->kind <= COBLOC_LIST && f->kind != COBLOC_GROUP;
}

/* Reads "[3]" at *path. */
static cobloc_status take_element(const char **path, cob_found *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *at = *path + 1;
    int64_t element = -2, count = cob_field_length(p->field, p->in);
    COB_CHECK(is_array(p->field), COBLOC_BAD_ARGUMENT, "%s is not a list", p->field->name);
    if (*at != ']') {
        COB_CHECK(cob_scan_integer(&at, &element) && *at == ']', COBLOC_BAD_ARGUMENT,
                  "%s[ is not followed by a whole number and ]", p->field->name);
        element += element == -1 ? count : 0;
        COB_CHECK(element >= 0 && element < count, COBLOC_BAD_ARGUMENT,
                  "%s has %lld elements, not one with number %lld", p->field->name,
                  (long long)count, (long long)element);
    }
    p->element = element;
    *path = at + 1;
done:
    return status;
}

/* Where a place is a struct: its type and address; else NULL. */
static void *enter(const cob_found *p, const cob_type **type)
{
    const cob_named_field *f = p->field;
    char *at = p->in;
    *type = f->of;
    if (f->kind == COBLOC_GROUP)
        return at ? at + f->offset : NULL;
    if (f->kind == COBLOC_OBJECT && f->of)
        return at ? cob_member_pointer(at, f->offset) : NULL;
    if (f->kind == COBLOC_LIST && p->element != -1) {
        at = at && p->element >= 0 ? cob_member_pointer(at, f->offset) : NULL;
        return at ? at + (size_t)p->element * f->of->size : NULL;
    }
    *type = NULL;
    return NULL;
}

cobloc_status cob_find_field(const void *object, const char *path, cob_found *place,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_object *head = object;
    COB_CHECK(head && head->type && path, COBLOC_BAD_ARGUMENT, "there is no object");
    cob_found p = {.type = head->type, .in = (void *)(uintptr_t)object, .element = -1};
    while (*path) {
        size_t length = strcspn(path, ".[");
        if (p.field) { /* go on inside the struct of the step before */
            p.in = enter(&p, &p.type);
            COB_CHECK(p.type, COBLOC_BAD_ARGUMENT, "%s has no names of its own", p.field->name);
        }
        const cob_named_field *field = cob_field_named(p.type, path, length);
        if (!field) {
            status = fail_unknown(p.type, path, (int)length, err);
            goto done;
        }
        p.field = field;
        p.owner = p.type;
        p.element = -1;
        path += length;
        if (*path == '[')
            COB_TRY(take_element(&path, &p, err));
        COB_CHECK(!*path || *path == '.', COBLOC_BAD_ARGUMENT, "%s is followed by '%.*s'",
                  field->name, cob_shown(path), path);
        path += *path == '.';
    }
    if (p.field)
        enter(&p, &p.type);
    *place = p;
done:
    return status;
}
