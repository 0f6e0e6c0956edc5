/* Encodings of mail: base64, quoted-printable, encoded words.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/scan.h"
#include "text/mail.h"

#include <string.h>
#include <strings.h>

cobloc_status cob_append(cob_buffer *to, const char *text, size_t size, cobloc_error *err)
{
    if (!cob_grow(&to->text, &to->capacity, to->size + size + 1 + COB_SCAN_SLACK, 1))
        return cob_fail_memory(err, to->size + size, 1);
    if (size > 0)
        memcpy(to->text + to->size, text, size);
    to->size += size;
    return COBLOC_OK;
}

static int sextet(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

size_t cob_decode_base64(char *text, size_t size)
{
    uint32_t bits = 0;
    int count = 0;
    size_t to = 0;
    for (size_t i = 0; i < size && text[i] != '='; i++) {
        int value = sextet(text[i]);
        if (value < 0)
            continue;
        bits = bits << 6 | (uint32_t)value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            text[to++] = (char)(bits >> count & 0xFF);
        }
    }
    return to;
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes of a line end at `at`, after blanks; 0: there is none. */
static size_t soft_break(const char *text, size_t at, size_t size)
{
    size_t i = at;
    while (i < size && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r'))
        i++;
    return i < size && text[i] == '\n' ? i + 1 - at : 0;
}

size_t cob_decode_quoted(char *text, size_t size)
{
    size_t to = 0;
    for (size_t i = 0; i < size; i++) {
        size_t skip = text[i] == '=' ? soft_break(text, i + 1, size) : 0;
        if (skip > 0) {
            i += skip;
        } else if (text[i] == '=' && i + 2 < size && hex(text[i + 1]) >= 0 &&
                   hex(text[i + 2]) >= 0) {
            text[to++] = (char)(hex(text[i + 1]) << 4 | hex(text[i + 2]));
            i += 2;
        } else {
            text[to++] = text[i];
        }
    }
    return to;
}

/* ---- headers --------------------------------------------------------------------------------- */

/* An encoded word, "=?charset?q?text?=", at `p`. */
static bool find_encoded(const char *p, const char *end, char *how, cob_span *word)
{
    enum { LONGEST_WORD = 1024 };
    const char *charset = p + 2;
    end = end - p > LONGEST_WORD ? p + LONGEST_WORD : end;
    if (end - p < 8 || p[0] != '=' || p[1] != '?')
        return false;
    const char *mark = memchr(charset, '?', (size_t)(end - charset));
    if (!mark || end - mark < 4 || mark[2] != '?')
        return false;
    *how = (char)(mark[1] | 0x20);
    word->start = mark + 3;
    for (word->end = word->start; end - word->end >= 2; word->end++)
        if (word->end[0] == '?' && word->end[1] == '=')
            return *how == 'q' || *how == 'b';
    return false;
}

/* Appends the text of an encoded word. */
static cobloc_status append_encoded(cob_span word, char how, cob_buffer *to, cobloc_error *err)
{
    size_t start = to->size;
    cobloc_status status = cob_append(to, word.start, (size_t)(word.end - word.start), err);
    if (status != COBLOC_OK)
        return status;
    char *text = to->text + start;
    size_t size = to->size - start;
    for (size_t i = 0; how == 'q' && i < size; i++)
        text[i] = text[i] == '_' ? ' ' : text[i];
    to->size = start + (how == 'q' ? cob_decode_quoted(text, size) : cob_decode_base64(text, size));
    return status;
}

cobloc_status cob_append_header(cob_span value, cob_buffer *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *p = value.start;
    while (value.end - p >= 3 && (strncasecmp(p, "re:", 3) == 0 || strncasecmp(p, "fw:", 3) == 0))
        for (p += 3; p < value.end && *p == ' ';)
            p++;
    while (p < value.end) {
        cob_span word;
        char how;
        if (find_encoded(p, value.end, &how, &word)) {
            COB_TRY(append_encoded(word, how, to, err));
            p = word.end + 2;
        } else {
            COB_TRY(cob_append(to, *p == '\n' || *p == '\r' ? " " : p, 1, err));
            p++;
        }
    }
    status = cob_append(to, "\n\n", 2, err);
done:
    return status;
}

cob_span cob_mime_parameter(cob_span type, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = type.start; p && (p = memchr(p, ';', (size_t)(type.end - p)));) {
        p++;
        while (p < type.end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
            p++;
        if ((size_t)(type.end - p) <= length || p[length] != '=' ||
            strncasecmp(p, name, length) != 0)
            continue;
        p += length + 1;
        char until = p < type.end && *p == '"' ? '"' : ';';
        p += until == '"';
        const char *stop = memchr(p, until, (size_t)(type.end - p));
        stop = stop ? stop : type.end;
        while (until == ';' && stop > p && (stop[-1] == ' ' || stop[-1] == '\t'))
            stop--;
        return (cob_span){p, stop};
    }
    return (cob_span){NULL, NULL};
}
