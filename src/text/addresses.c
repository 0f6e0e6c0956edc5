/* Addresses, names of hosts, and encoded data in text.
 * SPDX-License-Identifier: MIT
 */
#include "text/clean.h"

#include "base/hash.h"

#include <string.h>

/* ---- scanning -------------------------------------------------------------------------------- */

static inline bool is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline bool is_alnum(char c)
{
    return is_letter(c) || is_digit(c);
}

/* Whether an address may have this byte in its middle: '@', "://", or '.' or '!' before a letter or
 * digit. Most text has none. */
static inline unsigned char is_sign(char c, char next)
{
    unsigned char letter = ((unsigned char)((next | 0x20) - 'a') < 26);
    return (unsigned char)((c == '@') | ((c == ':') & (next == '/')) |
                           (((c == '.') | (c == '!')) & letter));
}

/* The first such byte from `at` on; `size` if there is none. Looks at 64 bytes at once. */
static size_t next_sign(const char *text, size_t size, size_t at)
{
    for (; at + 65 <= size; at += 64) {
        unsigned char any = 0;
        for (size_t i = 0; i < 64; i++)
            any |= is_sign(text[at + i], text[at + i + 1]);
        if (any)
            break;
    }
    while (at + 1 < size && !is_sign(text[at], text[at + 1]))
        at++;
    return at + 1 < size ? at : size;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static bool among(const char *list, const char *word, size_t length)
{
    char key[10];
    if (length == 0 || length > 7)
        return false;
    key[0] = ' ';
    for (size_t i = 0; i < length; i++)
        key[i + 1] = (char)(is_letter(word[i]) ? word[i] | 0x20 : word[i]);
    key[length + 1] = ' ';
    key[length + 2] = '\0';
    return strstr(list, key) != NULL;
}

static const char generic[] = " com edu gov mil net org int info biz arpa uucp bitnet ";
static const char countries[] =
    " ar at au be br ca ch cl cn co cz de dk es eu fi fr gr hk hu ie il in io is it jp kr mx my nl "
    "no nz pl pt ro ru se sg sk th tr tw ua uk us za ";
static const char groups[] = " alt bionet bit clari comp gnu misc news rec sci soc talk ";

/* Words joined by full stops: a host, by its last word, or a newsgroup, by its first. */
static bool is_host(const char *name, size_t length)
{
    size_t dots = 0, first = 0, last = 0, before = 0;
    for (size_t i = 0; i < length; i++)
        if (name[i] == '.') {
            first = dots == 0 ? i : first;
            before = i - last - (dots > 0);
            last = i;
            dots++;
        }
    if (dots == 0)
        return false;
    const char *top = name + last + 1;
    size_t top_length = length - last - 1;
    if (among(generic, top, top_length))
        return before >= 2 || dots >= 2;
    if (dots >= 2 && among(countries, top, top_length))
        return before >= 2;
    return among(groups, name, first) && name[0] >= 'a' && top[0] >= 'a' && top_length >= 3 &&
           (dots >= 2 || name[first + 1] >= 'a');
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool in_host(char c)
{
    return is_alnum(c) || c == '-' || c == '_' || c == '.';
}

static bool in_user(char c)
{
    return in_host(c) || c == '+' || c == '%' || c == '!' || c == '=' || c == '~' || c == '$';
}

static bool in_url(char c)
{
    return (unsigned char)c > ' ' && c != '<' && c != '>' && c != '"' && c != '`' && c != '\\' &&
           c != '{' && c != '}' && c != '|' && c != '^';
}

typedef bool (*in_fn)(char c);

static size_t go_left(const char *text, size_t at, size_t from, in_fn in)
{
    enum { LONGEST = 256 };
    size_t least = at - from > LONGEST ? at - LONGEST : from;
    while (at > least && in(text[at - 1]))
        at--;
    return at;
}

static size_t go_right(const char *text, size_t size, size_t at, in_fn in)
{
    while (at < size && in(text[at]))
        at++;
    return at;
}

/* Without the punctuation after an address, which belongs to the sentence. */
static size_t before_punctuation(const char *text, size_t start, size_t end)
{
    while (end > start && strchr(".,;:!?)]'-_", text[end - 1]))
        end--;
    return end;
}

/* The port and the path behind a host. */
static size_t after_path(const char *text, size_t size, size_t at)
{
    if (at + 1 < size && text[at] == ':' && is_digit(text[at + 1]))
        at = go_right(text, size, at + 1, is_digit);
    if (at < size && text[at] == '/')
        at = before_punctuation(text, at, go_right(text, size, at, in_url));
    return at;
}

/* The address around the sign at `at`, not before `from`; false if there is none. */
static bool address_at(const char *text, size_t size, size_t at, size_t from, cob_blank *found)
{
    size_t left, right;
    switch (text[at]) {
    case '@':
        left = go_left(text, at, from, in_user);
        right = before_punctuation(text, at + 1, go_right(text, size, at + 1, in_user));
        *found = (cob_blank){left, right};
        return left < at && right > at + 1;
    case ':':
        left = go_left(text, at, from, is_letter);
        if (left == at || size - at < 4 || text[at + 2] != '/')
            return false;
        right = before_punctuation(text, at + 3, go_right(text, size, at + 3, in_url));
        *found = (cob_blank){left, right};
        return right > at + 3;
    case '!':
        left = go_left(text, at, from, in_user);
        right = before_punctuation(text, at + 1, go_right(text, size, at + 1, in_user));
        *found = (cob_blank){left, right};
        return left < at && memchr(text + at + 1, '!', right - at - 1) != NULL;
    default:
        left = go_left(text, at, from, in_host);
        right = before_punctuation(text, at, go_right(text, size, at, in_host));
        if (left == at || right <= at || !is_host(text + left, right - left))
            return false;
        *found = (cob_blank){left, after_path(text, size, right)};
        return true;
    }
}

bool cob_find_address(const char *text, size_t size, size_t from, cob_blank *found)
{
    size_t at = from;
    while ((at = next_sign(text, size, at)) < size) {
        if (address_at(text, size, at, from, found)) {
            if (text[at] == '.' && found->end < size && text[found->end] == '@')
                address_at(text, size, found->end, from, found); /* user%host.org@relay */
            return true;
        }
        at = text[at] == '.' ? go_right(text, size, at, in_host) : at + 1;
    }
    return false;
}

/* ---- encoded data ---------------------------------------------------------------------------- */

enum { LEAST_LINE = 40, LEAST_ALONE = 100 };

static size_t line_size(const char *text, size_t size, size_t at, size_t *next)
{
    const char *stop = memchr(text + at, '\n', size - at);
    size_t end = stop ? (size_t)(stop - text) : size;
    *next = stop ? end + 1 : size;
    while (end > at && (text[end - 1] == '\r' || text[end - 1] == ' '))
        end--;
    return end - at;
}

/* Whether a line has only characters of base64. */
static bool is_base64(const char *line, size_t length)
{
    size_t i = 0;
    while (i < length && (is_alnum(line[i]) || line[i] == '+' || line[i] == '/'))
        i++;
    while (i < length && line[i] == '=')
        i++;
    return i == length && length > 0;
}

/* Whether letters of both cases and digits are mixed as they are in data, not in words. */
static bool is_mixed(const char *line, size_t length)
{
    size_t upper = 0, lower = 0, digits = 0;
    for (size_t i = 0; i < length; i++) {
        upper += line[i] >= 'A' && line[i] <= 'Z';
        lower += line[i] >= 'a' && line[i] <= 'z';
        digits += is_digit(line[i]);
    }
    return upper * 20 > length && lower * 20 > length && digits > 0;
}

/* A full line of uuencoded data: 'M', then 60 characters without lower-case letters. */
static bool is_uuencoded(const char *line, size_t length)
{
    if (length < 55 || length > 62 || *line != 'M')
        return false;
    for (size_t i = 0; i < length; i++)
        if (line[i] < ' ' || line[i] > '`')
            return false;
    return true;
}

/* "begin 644 picture.gif". */
static bool begins_uuencoded(const char *line, size_t length)
{
    if (length < 11 || memcmp(line, "begin ", 6) != 0)
        return false;
    size_t i = 6;
    while (i < length && line[i] >= '0' && line[i] <= '7')
        i++;
    return i >= 9 && i < length && line[i] == ' ';
}

/* After the lines that end uuencoded data: "`" and "end". */
static size_t after_end(const char *text, size_t size, size_t at)
{
    size_t next, length;
    while (at < size && (length = line_size(text, size, at, &next)) <= 3 &&
           (length == 0 || (length == 1 && text[at] == '`') ||
            (length == 3 && memcmp(text + at, "end", 3) == 0))) {
        at = next;
        if (length == 3)
            break;
    }
    return at;
}

static bool is_data(const char *line, size_t length)
{
    return is_uuencoded(line, length) ||
           (length >= LEAST_LINE && is_base64(line, length) && is_mixed(line, length));
}

/* The block that starts with the line of data at `start`: several such lines and a shorter last
 * one, or one long line. */
static bool block_at(const char *text, size_t size, size_t start, cob_blank *found)
{
    size_t next, at = start, lines = 0, length = line_size(text, size, at, &next);
    if (begins_uuencoded(text + at, length)) {
        at = next;
        length = at < size ? line_size(text, size, at, &next) : 0;
    }
    size_t first = length;
    bool uuencoded = at < size && is_uuencoded(text + at, length);
    while (at < size && is_data(text + at, length)) {
        lines++;
        at = next;
        length = at < size ? line_size(text, size, at, &next) : 0;
    }
    if (lines > 0 && at < size && length < first &&
        (uuencoded ? length > 0 && !memchr(text + at, ' ', length) && text[at] < 'M'
                   : is_base64(text + at, length)))
        at = next;
    *found = (cob_blank){start, uuencoded ? after_end(text, size, at) : at};
    return lines >= 2 || uuencoded || (lines == 1 && first >= LEAST_ALONE);
}

bool cob_find_encoded(const char *text, size_t size, size_t from, cob_blank *found)
{
    for (size_t at = from, next; at < size; at = next) {
        size_t length = line_size(text, size, at, &next);
        bool data = length >= LEAST_LINE &&
                    (text[at] == 'M' || !memchr(text + at, ' ', LEAST_LINE)) &&
                    is_data(text + at, length);
        if ((data || (length > 6 && text[at] == 'b' && begins_uuencoded(text + at, length))) &&
            block_at(text, size, at, found))
            return true;
    }
    return false;
}

bool cob_is_hex_code(const char *word, size_t length)
{
    size_t digits = 0, letters = 0;
    for (size_t i = 0; i < length; i++) {
        char c = word[i];
        digits += is_digit(c);
        letters += (unsigned char)((c | 0x20) - 'a') < 6;
    }
    return length >= 12 && digits + letters == length && digits >= 3 && letters > 0;
}
