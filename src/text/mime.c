/* Encodings of mail: base64, quoted-printable, encoded words.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/scan.h"
#include "text/charset.h"

#include <string.h>
#include <strings.h>

cobloc_status cob_append(cob_buffer *to, const char *text, size_t size, cobloc_error *err)
{
    if (!cob_grow(&to->text, &to->capacity, to->size + size + 1 + COB_SCAN_SLACK, 1))
        return cob_fail_memory(err, to->size + size, 1);
    COB_KNOWN(to->text); /* it has grown */
    if (size > 0)
        memcpy(to->text + to->size, text, size);
    to->size += size;
    return COBLOC_OK;
}

bool cob_begins(cob_span span, const char *lower)
{
    size_t length = strlen(lower);
    return (size_t)(span.end - span.start) >= length && strncasecmp(span.start, lower, length) == 0;
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

/* An encoded word, "=?charset?q?text?=". */
typedef struct encoded_word {
    cob_span charset, text;
    char how; /* 'q' or 'b' */
} encoded_word;

static bool find_encoded(const char *p, const char *end, encoded_word *word)
{
    enum { LONGEST_WORD = 1024 };
    const char *charset = p + 2;
    end = end - p > LONGEST_WORD ? p + LONGEST_WORD : end;
    if (end - p < 8 || p[0] != '=' || p[1] != '?')
        return false;
    const char *mark = memchr(charset, '?', (size_t)(end - charset));
    if (!mark || end - mark < 4 || mark[2] != '?')
        return false;
    const char *language = memchr(charset, '*', (size_t)(mark - charset));
    word->charset = (cob_span){charset, language ? language : mark};
    word->how = (char)(mark[1] | 0x20);
    word->text.start = mark + 3;
    for (word->text.end = word->text.start; end - word->text.end >= 2; word->text.end++)
        if (word->text.end[0] == '?' && word->text.end[1] == '=')
            return word->how == 'q' || word->how == 'b';
    return false;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next encoded word, if only blanks are before it; these mean nothing. */
static bool find_next(const char *p, const char *end, encoded_word *word)
{
    while (p < end && is_space(*p))
        p++;
    return find_encoded(p, end, word);
}

/* Appends the bytes of an encoded word. */
static cobloc_status append_bytes(const encoded_word *word, cob_buffer *to, cobloc_error *err)
{
    size_t start = to->size, size = (size_t)(word->text.end - word->text.start);
    cobloc_status status = cob_append(to, word->text.start, size, err);
    if (status != COBLOC_OK)
        return status;
    char *text = to->text + start;
    for (size_t i = 0; word->how == 'q' && i < size; i++)
        text[i] = text[i] == '_' ? ' ' : text[i];
    size = word->how == 'q' ? cob_decode_quoted(text, size) : cob_decode_base64(text, size);
    to->size = start + size;
    return status;
}

/* Appends a word and those that follow in its charset, in the middle of a character, perhaps. `at`
 * moves behind them. */
static cobloc_status append_words(encoded_word word, const char *end, const char **at,
                                  cob_buffer *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_buffer bytes = {0};
    cob_span charset = word.charset;
    size_t length = (size_t)(charset.end - charset.start);
    do {
        COB_TRY(append_bytes(&word, &bytes, err));
        *at = word.text.end + 2;
    } while (find_next(*at, end, &word) &&
             (size_t)(word.charset.end - word.charset.start) == length &&
             strncasecmp(word.charset.start, charset.start, length) == 0);
    status = cob_append_in_charset(to, bytes.text, bytes.size, charset, err);
done:
    cob_free(bytes.text);
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
        encoded_word word;
        if (find_encoded(p, value.end, &word)) {
            COB_TRY(append_words(word, value.end, &p, to, err));
            while (find_next(p, value.end, &word)) /* in another charset */
                COB_TRY(append_words(word, value.end, &p, to, err));
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
        while (p < type.end && is_space(*p))
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
