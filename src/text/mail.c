/* The text of a mail or news article.
 * SPDX-License-Identifier: MIT
 */
#include "text/mail.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "text/charset.h"
#include "text/html.h"

#include <string.h>
#include <strings.h>

enum { LONGEST_HEAD = 1 << 16, DEEPEST = 8, LONGEST_SIGNATURE = 12 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The end of the line without its line end; *next receives the start of the next line. */
static const char *line_end(const char *p, const char *end, const char **next)
{
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    *next = stop ? stop + 1 : end;
    stop = stop ? stop : end;
    while (stop > p && (stop[-1] == '\r' || is_blank(stop[-1])))
        stop--;
    return stop;
}

/* ---- headers --------------------------------------------------------------------------------- */

/* The length of a header's name; 0 if the line is no header. */
static size_t name_length(const char *line, const char *end)
{
    const char *p = line;
    while (p<end && * p> ' ' && *p < 0x7F && *p != ':')
        p++;
    return p < end && *p == ':' && p > line ? (size_t)(p - line) : 0;
}

static bool is_name(const char *line, size_t length, const char *name)
{
    return strlen(name) == length && strncasecmp(line, name, length) == 0;
}

static bool is_known(const char *line, size_t length)
{
    static const char *const known[] = {
        "approved",     "bcc",          "cc",           "content-disposition",
        "content-type", "date",         "delivered-to", "content-transfer-encoding",
        "distribution", "expires",      "followup-to",  "from",
        "in-reply-to",  "keywords",     "lines",        "list-id",
        "message-id",   "mime-version", "newsgroups",   "nntp-posting-host",
        "organization", "originator",   "path",         "received",
        "references",   "reply-to",     "return-path",  "sender",
        "sent",         "subject",      "summary",      "to",
        "user-agent",   "xref",         "x-mailer",     "x-newsreader"};
    for (size_t i = 0; length > 0 && i < sizeof known / sizeof *known; i++)
        if (is_name(line, length, known[i]))
            return true;
    return false;
}

bool cob_is_mail_header(const char *line, const char *end)
{
    return is_known(line, name_length(line, end));
}

static void note_header(const char *line, size_t length, const char *stop, cob_mail_head *head)
{
    const struct {
        const char *name;
        cob_span *value;
    } wanted[] = {{"subject", &head->subject},
                  {"date", &head->date},
                  {"content-type", &head->type},
                  {"content-transfer-encoding", &head->encoding}};
    const char *value = line + length + 1;
    while (value < stop && is_blank(*value))
        value++;
    head->known += is_known(line, length);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (is_name(line, length, wanted[i].name))
            *wanted[i].value = (cob_span){value, stop};
}

bool cob_mail_head_read(const char *text, const char *end, cob_mail_head *head)
{
    const char *p = text, *next, *stop;
    *head = (cob_mail_head){.body = text};
    for (; p < end && p - text < LONGEST_HEAD; p = next) {
        const char *line = p;
        stop = line_end(p, end, &next);
        if (stop == line) {
            head->body = next;
            return true;
        }
        while (next < end && is_blank(*next) && next - text < LONGEST_HEAD) /* goes on */
            stop = line_end(next, end, &next);
        size_t length = name_length(line, stop);
        bool envelope = line == text && (size_t)(stop - line) > 5 && memcmp(line, "From ", 5) == 0;
        if (length == 0 && !envelope)
            return false;
        if (length > 0)
            note_header(line, length, stop, head);
    }
    head->body = end;
    return p >= end && head->known > 0;
}

bool cob_looks_mail(const char *text, size_t size)
{
    cob_mail_head head;
    const char *end = text + size, *next;
    if (size == 0 || *text <= ' ' ||
        (name_length(text, line_end(text, end, &next)) == 0 &&
         (size < 5 || memcmp(text, "From ", 5) != 0)))
        return false; /* most texts */
    return cob_mail_head_read(text, end, &head) && head.known >= 2;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* "> text", "| text", "JD> text". */
static bool is_quoted(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    if (p < end && *p == '|')
        return true;
    for (int letters = 0; p < end && letters < 4 && (unsigned char)((*p | 0x20) - 'a') < 26; p++)
        letters++;
    return p < end && *p == '>';
}

static bool ends_with(const char *line, const char *stop, const char *ending)
{
    size_t length = strlen(ending);
    return (size_t)(stop - line) >= length && memcmp(stop - length, ending, length) == 0;
}

/* "In article <...>", "... writes:". */
static bool introduces_quote(const char *line, const char *stop)
{
    static const char *const ends[] = {"writes:",  "wrote:",  "writes...", "says:",         "said:",
                                       "writes :", "wrote :", "schrieb:",  "\303\251crit :"};
    if (stop - line > 11 && strncasecmp(line, "in article ", 11) == 0)
        return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(line, stop, ends[i]))
            return true;
    return false;
}

/* A line of nothing but dashes or the like, two at least. */
static bool is_rule(const char *line, const char *stop)
{
    const char *p = line;
    while (p < stop && (*p == *line || is_blank(*p)))
        p++;
    return p == stop && stop - line >= 2 && strchr("-_=*~", *line) != NULL;
}

/* Where the signature starts: the first line "-- ", or the last rule if few lines follow. */
static const char *before_signature(const char *text, const char *end)
{
    const char *next, *p = end;
    int lines = 0;
    for (const char *found = text; (found = memchr(found, '-', (size_t)(end - found))); found++)
        if (end - found >= 4 && (found == text || found[-1] == '\n') &&
            (memcmp(found, "-- \n", 4) == 0 || memcmp(found, "-- \r", 4) == 0)) {
            end = p = found;
            break;
        }
    while (p > text && lines <= LONGEST_SIGNATURE) {
        const char *line = p - 1;
        while (line > text && line[-1] != '\n')
            line--;
        const char *stop = line_end(line, end, &next);
        if (stop > line && is_rule(line, stop))
            return line > text ? line : end; /* a body may begin with one */
        lines += stop > line;
        p = line;
    }
    return end;
}

/* Appends the lines that the author wrote. */
static cobloc_status take_body(const char *text, const char *end, cob_buffer *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *next;
    bool header = false; /* the line before was one, of a mail that is forwarded */
    end = before_signature(text, end);
    for (const char *p = text; p < end; p = next) {
        const char *stop = line_end(p, end, &next), *after;
        bool known = cob_is_mail_header(p, stop);
        if (known && !header && next < end)
            header = cob_is_mail_header(next, line_end(next, end, &after));
        else
            header = known && header;
        if (!header && !is_quoted(p, stop) && !introduces_quote(p, stop) &&
            !(stop - p > 5 && memcmp(p, "-----", 5) == 0))
            COB_TRY(cob_append(to, p, (size_t)(next - p), err));
    }
done:
    return status;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static cobloc_status take_part(const char *text, const char *end, int depth, cob_buffer *to,
                               cobloc_error *err);

/* The bytes of a part, decoded, as UTF-8. */
static cobloc_status decode(const cob_mail_head *head, const char *end, cob_buffer *to,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t size = (size_t)(end - head->body);
    char *copy = NULL;
    COB_NEW(copy, size + 1);
    memcpy(copy, head->body, size);
    if (cob_begins(head->encoding, "base64"))
        size = cob_decode_base64(copy, size);
    else if (cob_begins(head->encoding, "quoted-printable"))
        size = cob_decode_quoted(copy, size);
    status = cob_append_in_charset(to, copy, size, cob_mime_parameter(head->type, "charset"), err);
done:
    cob_free(copy);
    return status;
}

/* A part that is text: decoded, and without tags if it is HTML. What no encoding hides was
 * converted with the whole file, unless its charset has ASCII bytes alone. */
static cobloc_status take_text(const cob_mail_head *head, const char *end, cob_buffer *to,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_buffer text = {0};
    bool html = cob_begins(head->type, "text/html"),
         hidden = cob_begins(head->encoding, "base64") ||
                  cob_begins(head->encoding, "quoted-printable") ||
                  cob_is_seven_bit(cob_mime_parameter(head->type, "charset"));
    if (!html && !hidden)
        return take_body(head->body, end, to, err);
    if (hidden)
        COB_TRY(decode(head, end, &text, err));
    else
        COB_TRY(cob_append(&text, head->body, (size_t)(end - head->body), err));
    if (html)
        text.size = cob_html_text(text.text, text.size, COB_MARKUP_PAGE, text.text);
    status = take_body(text.text, text.text + text.size, to, err);
done:
    cob_free(text.text);
    return status;
}

/* The start of the next line that is a boundary, from the start of a line on; `end` if there is
 * none. */
static const char *next_boundary(const char *p, const char *end, cob_span boundary)
{
    size_t length = (size_t)(boundary.end - boundary.start);
    for (const char *next; p < end; p = next) {
        line_end(p, end, &next);
        if ((size_t)(next - p) >= length + 2 && p[0] == '-' && p[1] == '-' &&
            memcmp(p + 2, boundary.start, length) == 0)
            return p;
    }
    return end;
}

/* All parts or, of alternatives, the one that is plain text; without one, the first. */
static cobloc_status take_parts(const cob_mail_head *head, cob_span boundary, const char *end,
                                int depth, cob_buffer *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool alternative = cob_begins(head->type, "multipart/alternative");
    cob_span chosen = {NULL, NULL};
    cob_mail_head part;
    const char *next, *p = next_boundary(head->body, end, boundary);
    while (p < end) {
        line_end(p, end, &next);
        const char *stop = next_boundary(next, end, boundary);
        bool plain = cob_mail_head_read(next, stop, &part) &&
                     (part.type.start == part.type.end || cob_begins(part.type, "text/plain"));
        if (alternative && (plain || !chosen.start))
            chosen = (cob_span){next, stop};
        if (alternative && plain)
            break;
        if (!alternative)
            COB_TRY(take_part(next, stop, depth + 1, to, err));
        p = stop;
    }
    if (chosen.start)
        status = take_part(chosen.start, chosen.end, depth + 1, to, err);
done:
    return status;
}

/* A mail, or a part of one: its headers, an empty line, its body. */
static cobloc_status take_part(const char *text, const char *end, int depth, cob_buffer *to,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_mail_head head;
    if (depth > DEEPEST)
        return COBLOC_OK;
    if (!cob_mail_head_read(text, end, &head)) {
        const char *next; /* a part may begin with an empty line */
        bool empty = text < end && line_end(text, end, &next) == text;
        head = (cob_mail_head){.body = empty ? next : text};
    }
    if (head.subject.start)
        COB_TRY(cob_append_header(head.subject, to, err));
    cob_span boundary = cob_mime_parameter(head.type, "boundary");
    if (cob_begins(head.type, "multipart/") && boundary.end > boundary.start)
        status = take_parts(&head, boundary, end, depth, to, err);
    else if (cob_begins(head.type, "message/rfc822"))
        status = take_part(head.body, end, depth + 1, to, err);
    else if (head.type.start == head.type.end || cob_begins(head.type, "text"))
        status = take_text(&head, end, to, err);
done:
    return status;
}

cobloc_status cob_mail_text(const char *text, size_t size, cob_buffer *to, cobloc_error *err)
{
    return take_part(text, text + size, 0, to, err);
}
