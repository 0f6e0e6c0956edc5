/* Names of documents.
 * SPDX-License-Identifier: MIT
 */
#include "text/title.h"

#include "text/token.h"

#include <string.h>

enum { MOST_CHARACTERS = 60, MOST_PREFIX = 160 };

/* The length of the character at `text`; 0 if it is not UTF-8, or a control character other than
 * white space. */
static size_t character(const char *text, size_t size)
{
    unsigned char c = (unsigned char)*text;
    size_t bytes = c < 0x80 ? 1 : c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
    if (c == 0x7F || bytes > size || cob_valid_bytes(text, bytes) < bytes)
        return 0;
    return bytes;
}

/* Whether a text is printable ASCII without a leading blank or two blanks in a row. */
static bool is_tidy(const char *text, size_t size)
{
    unsigned char odd = size > 0 && text[0] == ' ';
    for (size_t i = 0; i < size; i++)
        odd |= (unsigned char)((text[i] < ' ') | (text[i] == 0x7F));
    for (size_t i = 1; i < size; i++)
        odd |= (unsigned char)((text[i] == ' ') & (text[i - 1] == ' '));
    return !odd;
}

/* Copies up to `most` characters; *whole tells whether this is the whole text. */
static size_t copy(char *to, size_t room, const char *text, size_t size, int most, bool *whole)
{
    size_t length = 0, at = 0;
    int characters = 0;
    bool blank = false; /* a blank goes before the next character */
    size_t start = size < room ? size : room;
    start = start < (size_t)most ? start : (size_t)most;
    if (start > 0 && is_tidy(text, start)) { /* the usual case: copied at once */
        blank = text[start - 1] == ' ';
        memcpy(to, text, start);
        length = start - blank;
        characters = (int)length;
        at = start;
    }
    for (size_t bytes; at < size; at += bytes ? bytes : 1) {
        unsigned char c = (unsigned char)text[at];
        bytes = c > ' ' && c < 0x7F ? 1 : character(text + at, size - at);
        if (c <= ' ' && c > 0) {
            blank = length > 0;
            continue;
        }
        if (bytes == 0)
            continue;
        if (characters + blank >= most || length + blank + bytes > room)
            break;
        if (blank)
            to[length++] = ' ';
        characters += 1 + blank;
        blank = false;
        for (size_t b = 0; b < bytes; b++)
            to[length++] = text[at + b];
    }
    *whole = at >= size;
    return length;
}

size_t cob_one_line(char *to, size_t room, const char *text, size_t size)
{
    bool whole;
    return copy(to, room, text, size, (int)room, &whole);
}

/* The last blank, where a text cut inside a word should end. */
static size_t last_blank(const char *text, size_t length)
{
    size_t at = length;
    while (at > 0 && text[at - 1] != ' ')
        at--;
    return at > length / 2 ? at - 1 : length;
}

static size_t write_number(char *to, int64_t number)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    for (size_t i = 0; i < count; i++)
        to[i] = digits[count - 1 - i];
    return count;
}

size_t cob_title(char title[COB_TITLE_ROOM], const char *prefix, size_t prefix_length,
                 int64_t number, const char *text, size_t size)
{
    size_t length = cob_one_line(title, MOST_PREFIX, prefix, prefix_length);
    if (length > 0)
        title[length++] = ' ';
    length += write_number(title + length, number);
    char *words = title + length + 2;
    bool whole;
    size_t copied = copy(words, 4 * MOST_CHARACTERS, text, size, MOST_CHARACTERS, &whole);
    if (copied == 0)
        return length;
    memcpy(title + length, ": ", 2);
    if (!whole) {
        copied = last_blank(words, copied);
        memcpy(words + copied, "\xE2\x80\xA6", 3);
        copied += 3;
    }
    return length + 2 + copied;
}
