/* Text in the charset that a mail names.
 * SPDX-License-Identifier: MIT
 */
#include "text/charset.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "text/corpus.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- converting ------------------------------------------------------------------------------ */

/* A text that is read from its beginning to its end. */
typedef struct view {
    const char *text;
    size_t size, at;
} view;

static cobloc_status read_view(void *context, void *bytes, size_t want, size_t *got,
                               cobloc_error *err)
{
    view *v = context;
    size_t left = v->size - v->at;
    (void)err;
    *got = left < want ? left : want;
    if (*got > 0)
        memcpy(bytes, v->text + v->at, *got);
    v->at += *got;
    return COBLOC_OK;
}

cobloc_status cob_append_converted(cob_buffer *to, const char *text, size_t size,
                                   const char *encoding, cobloc_error *err)
{
    enum { PIECE = 1 << 16 };
    cobloc_status status = COBLOC_OK;
    cob_conversion *conversion = NULL;
    view from = {text, size, 0};
    COB_TRY(cob_conversion_open(encoding, &conversion, err));
    for (size_t got = PIECE; got == PIECE; to->size += got) {
        COB_CHECK(cob_grow(&to->text, &to->capacity, to->size + PIECE + 1 + COB_SCAN_SLACK, 1),
                  COBLOC_NO_MEMORY, "out of memory");
        COB_TRY(cob_conversion_read(conversion, read_view, &from, to->text + to->size, PIECE, &got,
                                    err));
    }
done:
    cob_conversion_close(conversion);
    return status;
}

/* ---- charsets -------------------------------------------------------------------------------- */

static bool is_one_of(cob_span charset, const char *const *names, size_t count)
{
    size_t length = (size_t)(charset.end - charset.start);
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && strncasecmp(charset.start, names[i], length) == 0)
            return true;
    return false;
}

/* The encoding that a charset names; "": none that says more than the bytes do. */
static void name_of(cob_span charset, char name[COB_ENCODING_ROOM])
{
    static const char *const western[] = {"iso-8859-1", "iso8859-1", "iso_8859-1", "latin1"},
                             *const silent[] = {"us-ascii", "ascii",        "utf-8",
                                                "utf8",     "unknown-8bit", "x-unknown"};
    size_t length = (size_t)(charset.end - charset.start);
    *name = '\0';
    if (length >= COB_ENCODING_ROOM || is_one_of(charset, silent, sizeof silent / sizeof *silent))
        return;
    if (is_one_of(charset, western, sizeof western / sizeof *western)) {
        snprintf(name, COB_ENCODING_ROOM, "WINDOWS-1252"); /* as browsers do: many mean that */
        return;
    }
    for (const char *p = charset.start; p < charset.end; p++)
        if (*p <= ' ' || *p == 0x7F || *p == '/') /* behind a slash, a name tells iconv more */
            return;
    snprintf(name, COB_ENCODING_ROOM, "%.*s", (int)length, charset.start ? charset.start : "");
}

cobloc_status cob_append_in_charset(cob_buffer *to, const char *text, size_t size, cob_span charset,
                                    cobloc_error *err)
{
    char name[COB_ENCODING_ROOM] = "";
    cobloc_status status = COBLOC_BAD_ARGUMENT;
    if (charset.start)
        name_of(charset, name);
    if (*name)
        status = cob_append_converted(to, text, size, name, err);
    if (status != COBLOC_BAD_ARGUMENT)
        return status;
    cob_encoding_guess(text, size, name);
    return *name ? cob_append_converted(to, text, size, name, err)
                 : cob_append(to, text, size, err);
}

bool cob_is_seven_bit(cob_span charset)
{
    static const char *const families[] = {"iso-2022-", "hz-gb-2312", "utf-7"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (cob_begins(charset, families[i]))
            return true;
    return false;
}

void cob_encoding_of_document(const char *head, size_t size, char name[COB_ENCODING_ROOM])
{
    char said[COB_ENCODING_ROOM];
    cob_mail_head mail;
    cob_conversion *conversion = NULL;
    cob_encoding_guess(head, size, name);
    if (!*name || memchr(head, '\0', size) || !cob_looks_mail(head, size) ||
        cob_looks_mbox(head, size, true) || !cob_mail_head_read(head, head + size, &mail))
        return;
    name_of(cob_mime_parameter(mail.type, "charset"), said);
    if (*said && cob_conversion_open(said, &conversion, NULL) == COBLOC_OK)
        snprintf(name, COB_ENCODING_ROOM, "%s", said);
    cob_conversion_close(conversion);
}
