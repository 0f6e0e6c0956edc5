/* The text of a mail or news article: its subject and what its author wrote, without headers,
 * quoted lines, signature and attachments.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_MAIL_H
#define COB_TEXT_MAIL_H

#include "base/error.h"
#include "io/blocks.h"

#include <stdbool.h>

/* Whether a text begins with the headers of a mail: lines such as "From: ..." up to an empty one,
 * at least two of them well known. */
bool cob_looks_mail(const char *text, size_t size);

/* Appends the text of a mail. Text without headers is taken as a body. */
cobloc_status cob_mail_text(const char *text, size_t size, cob_buffer *to, cobloc_error *err);

/* A text between two places. */
typedef struct cob_span {
    const char *start, *end;
} cob_span;

/* Whether a text begins with a word, given in lower case, whatever its letters' case. */
bool cob_begins(cob_span span, const char *lower);

/* What headers say: the values of some; empty if they are not there. */
typedef struct cob_mail_head {
    cob_span subject, type, encoding, date;
    int known;        /* well-known headers */
    const char *body; /* behind the empty line */
} cob_mail_head;

/* Reads headers up to an empty line. False if some line is no header. */
bool cob_mail_head_read(const char *text, const char *end, cob_mail_head *head);

/* Whether the line is a well-known header. */
bool cob_is_mail_header(const char *line, const char *end);

/* ---- encodings of mail (mime.c) -------------------------------------------------------------- */

/* Decodes in place; returns the new size. */
size_t cob_decode_base64(char *text, size_t size);
size_t cob_decode_quoted(char *text, size_t size);

/* Appends a header's value, with its encoded words (RFC 2047) decoded, and a line end. */
cobloc_status cob_append_header(cob_span value, cob_buffer *to, cobloc_error *err);

/* A parameter of a content type, such as its boundary; empty if it is not there. */
cob_span cob_mime_parameter(cob_span type, const char *name);

/* Appends `size` bytes. */
cobloc_status cob_append(cob_buffer *to, const char *text, size_t size, cobloc_error *err);

#endif
