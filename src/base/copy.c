/* Copies of results, by the tables of their fields.
 * SPDX-License-Identifier: MIT
 */
#include "base/fields.h"

#include <string.h>

static size_t element_size(const cob_named_field *f)
{
    switch (f->kind) {
    case COBLOC_INTS:
        return sizeof(int32_t);
    case COBLOC_LIST:
        return f->of->size;
    case COBLOC_TEXTS:
        return sizeof(char *);
    default:
        return sizeof(double); /* and of int64_t */
    }
}

static bool is_owned(const cob_named_field *f)
{
    return f->count[0].size > 0 || (f->kind == COBLOC_TEXT && f->owned && !f->in_place);
}

/* What a copy of the bytes of a struct must not share with the original. */
static void forget(void *part, const cob_type *type)
{
    for (int i = 0; i < type->count; i++)
        if (is_owned(&type->fields[i]))
            memset((char *)part + type->fields[i].offset, 0, sizeof(void *));
}

static cobloc_status copy_part(const void *from, const cob_type *type, void *to, cobloc_error *err);

/* The array is the struct's as soon as it is there: it is released with it on failure. */
static cobloc_status copy_array(const void *from, const cob_named_field *f, void *to,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t count = (size_t)cob_field_length(f, from), size = element_size(f);
    const char *old = cob_member_pointer(from, f->offset);
    char *made = NULL;
    if (!old)
        return COBLOC_OK;
    if (!(made = cob_alloc_zero(count, size)))
        return cob_fail_memory(err, count, size);
    memcpy((char *)to + f->offset, &made, sizeof made);
    if (f->kind != COBLOC_LIST && f->kind != COBLOC_TEXTS)
        memcpy(made, old, count * size);
    for (size_t i = 0; i < count && status == COBLOC_OK; i++)
        if (f->kind == COBLOC_LIST) {
            status = copy_part(old + i * size, f->of, made + i * size, err);
        } else if (f->kind == COBLOC_TEXTS) {
            char *text = NULL;
            status = cob_copy_text(cob_member_pointer(old, i * size), &text, err);
            memcpy(made + i * size, &text, sizeof text);
        }
    return status;
}

static cobloc_status copy_part(const void *from, const cob_type *type, void *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    memcpy(to, from, type->size);
    forget(to, type);
    for (int i = 0; i < type->count && status == COBLOC_OK; i++) {
        const cob_named_field *f = &type->fields[i];
        char *text = NULL;
        if (f->kind == COBLOC_TEXT && is_owned(f)) {
            status = cob_copy_text(cob_member_pointer(from, f->offset), &text, err);
            memcpy((char *)to + f->offset, &text, sizeof text);
        } else if (is_owned(f)) {
            status = copy_array(from, f, to, err);
        }
    }
    return status;
}

void *cob_copy(const void *result, cobloc_error *err)
{
    const cob_type *type = ((const cob_object *)result)->type;
    void *made = cob_new(type, err);
    if (made && copy_part(result, type, made, err) != COBLOC_OK) {
        cob_release(made);
        made = NULL;
    }
    return made;
}
