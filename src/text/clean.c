/* Cleaning documents.
 * SPDX-License-Identifier: MIT
 */
#include "text/clean.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "text/html.h"
#include "text/mail.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned part;
} parts[] = {{"mail", COB_CLEAN_MAIL},
             {"html", COB_CLEAN_HTML},
             {"urls", COB_CLEAN_URLS},
             {"blobs", COB_CLEAN_BLOBS}};

enum { PARTS = sizeof parts / sizeof *parts, ALL_PARTS = 15 };

static unsigned part_named(const char *name, size_t length)
{
    for (int i = 0; i < PARTS; i++)
        if (strlen(parts[i].name) == length && memcmp(parts[i].name, name, length) == 0)
            return parts[i].part;
    return 0;
}

cobloc_status cob_cleaning_parse(const char *text, cob_cleaning *cleaning, cobloc_error *err)
{
    *cleaning = (cob_cleaning){0};
    if (!text || strcmp(text, "auto") == 0) {
        *cleaning = (cob_cleaning){ALL_PARTS, true};
        return COBLOC_OK;
    }
    for (const char *p = text; strcmp(text, "none") != 0; p++) {
        size_t length = strcspn(p, ",");
        unsigned part = part_named(p, length);
        if (!part)
            return cob_fail(err, COBLOC_BAD_ARGUMENT,
                            "there is no cleaning '%.*s', expected auto, none, or some of mail, "
                            "html, urls and blobs, separated by commas",
                            (int)(length < 40 ? length : 40), p);
        cleaning->parts |= part;
        p += length;
        if (!*p)
            break;
    }
    return COBLOC_OK;
}

void cob_cleaner_free(cob_cleaner *cleaner)
{
    cob_free(cleaner->mail.text);
    cob_free(cleaner->room.text);
    *cleaner = (cob_cleaner){0};
}

/* ---- blanking -------------------------------------------------------------------------------- */

typedef bool (*find_fn)(const char *text, size_t size, size_t from, cob_blank *found);

/* The text of a document on its way through the steps. */
typedef struct passage {
    const char *text;
    size_t size;
} passage;

/* Copies the text to our own room, unless it is there already, to change it. */
static cobloc_status own(cob_cleaner *c, passage *p, cobloc_error *err)
{
    if (c->room.text && p->text == c->room.text)
        return COBLOC_OK;
    c->room.size = 0;
    cobloc_status status = cob_append(&c->room, p->text, p->size, err);
    if (status == COBLOC_OK)
        p->text = c->room.text;
    return status;
}

/* Replaces by blanks all that `find` finds. Line ends stay. */
static cobloc_status blank_all(cob_cleaner *c, passage *p, find_fn find, int64_t *count,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_blank found;
    for (size_t from = 0; find(p->text, p->size, from, &found); from = found.end) {
        COB_TRY(own(c, p, err));
        for (size_t i = found.start; i < found.end; i++)
            if (c->room.text[i] != '\n')
                c->room.text[i] = ' ';
        ++*count;
    }
done:
    return status;
}

/* ---- the steps ------------------------------------------------------------------------------- */

static cobloc_status take_mail(cob_cleaner *c, passage *p, cobloc_error *err)
{
    if (c->how.recognise && !cob_looks_mail(p->text, p->size))
        return COBLOC_OK;
    c->mail.size = 0;
    cobloc_status status = cob_mail_text(p->text, p->size, &c->mail, err);
    if (status == COBLOC_OK && c->mail.text)
        *p = (passage){c->mail.text, c->mail.size};
    else
        p->size = 0;
    c->mails++;
    return status;
}

static cobloc_status take_html(cob_cleaner *c, passage *p, cobloc_error *err)
{
    cob_markup markup = cob_markup_of(p->text, p->size);
    if (markup == COB_MARKUP_NONE && !c->how.recognise)
        markup = COB_MARKUP_FRAGMENT;
    if (markup == COB_MARKUP_NONE)
        return COBLOC_OK;
    if (!cob_grow(&c->room.text, &c->room.capacity, p->size + 1 + COB_SCAN_SLACK, 1))
        return cob_fail_memory(err, p->size, 1);
    size_t size = cob_html_text(p->text, p->size, markup, c->room.text);
    c->room.size = size;
    *p = (passage){c->room.text, size};
    c->pages++;
    return COBLOC_OK;
}

cobloc_status cob_clean(cob_cleaner *c, const char *text, size_t size, const char **clean,
                        size_t *clean_size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    passage p = {text, size};
    if (size == 0)
        goto ready;
    if (c->how.parts & COB_CLEAN_MAIL)
        COB_TRY(take_mail(c, &p, err));
    if (c->how.parts & COB_CLEAN_HTML)
        COB_TRY(take_html(c, &p, err));
    if (c->how.parts & COB_CLEAN_BLOBS)
        COB_TRY(blank_all(c, &p, cob_find_encoded, &c->data, err));
    if (c->how.parts & COB_CLEAN_URLS)
        COB_TRY(blank_all(c, &p, cob_find_address, &c->addresses, err));
ready:
    *clean = p.text;
    *clean_size = p.size;
done:
    return status;
}
