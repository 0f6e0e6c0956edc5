/* Parsing numbers, fast and independent of the locale. All functions stop at the first byte that
 * does not fit; the text must end in '\0'.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_SCAN_H
#define COB_BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Skips spaces, tabs and carriage returns: the blanks within a line. */
static inline const char *cob_skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

/* The same between two fields, where at least one blank is required. */
static inline bool cob_skip_gap(const char **p)
{
    const char *s = cob_skip_blanks(*p);
    bool gap = s > *p;
    *p = s;
    return gap;
}

static inline bool cob_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* At the end of a line or of the text. */
static inline bool cob_at_line_end(const char *p)
{
    return *p == '\n' || *p == '\0';
}

/* At the end of a field: a blank or the end of the line. */
static inline bool cob_at_gap(const char *p)
{
    return *p == ' ' || *p == '\t' || *p == '\r' || cob_at_line_end(p);
}

/* How many bytes of a word to show in a message, as in "%.*s": printable ASCII, at most 40. */
static inline int cob_shown(const char *word)
{
    int length = 0;
    while (length < 40 && word[length] > ' ' && word[length] < 127)
        length++;
    return length;
}

/* Reads a non-negative decimal integer below 10^18 and moves *p past it. Returns false, with *p
 * unmoved, if there is none. */
static inline bool cob_scan_count(const char **p, int64_t *value)
{
    const char *s = *p;
    uint64_t v = 0;
    while (cob_is_digit(*s))
        v = v * 10 + (uint64_t)(*s++ - '0');
    if (s == *p || s - *p > 18)
        return false;
    *value = (int64_t)v;
    *p = s;
    return true;
}

/* How far the next two functions may read past the end of a text. */
enum { COB_SCAN_SLACK = 64 };

/* The positions of all bytes that are not digits, in order. `size` is at most 65,536; `gaps` has
 * room for `size` + COB_SCAN_SLACK positions. Returns their number. A parser that knows where many
 * numbers end need not finish one to begin the next. */
int cob_find_gaps(const char *text, size_t size, uint16_t *gaps);

/* The value of one to eight digits, eight bytes at once. */
static inline uint32_t cob_short_count(const char *digits, int length)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t x;
    memcpy(&x, digits, sizeof x);
    x = (x ^ 0x3030303030303030u) << (64 - 8 * length); /* moves leading zeros to the front */
    x = x * 10 + (x >> 8); /* pairs of digits, in every other byte; then fours, then all eight */
    x = ((x & 0x000000FF000000FFu) * 0x000F424000000064u +
         ((x >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
        32;
    return (uint32_t)x;
#else
    uint32_t value = 0;
    for (int i = 0; i < length; i++)
        value = value * 10 + (uint32_t)(digits[i] - '0');
    return value;
#endif
}

/* Like cob_scan_count, with an optional sign. */
static inline bool cob_scan_integer(const char **p, int64_t *value)
{
    const char *s = *p + (**p == '-' || **p == '+');
    if (!cob_scan_count(&s, value))
        return false;
    if (**p == '-')
        *value = -*value;
    *p = s;
    return true;
}

/* Reads a decimal number, correctly rounded, and moves *p past it. Accepts "nan" and "inf", which
 * callers reject by value. Returns false, with *p unmoved, if there is none. */
bool cob_scan_number(const char **p, double *value);

/* The same, faster if most numbers are counts. */
static inline bool cob_scan_value(const char **p, double *value)
{
    const char *s = *p;
    int64_t count;
    if (cob_scan_count(&s, &count) && count < ((int64_t)1 << 53) && *s <= ' ') {
        *value = (double)count;
        *p = s;
        return true;
    }
    return cob_scan_number(p, value);
}

/* Writes the shortest decimal text that reads back as the same double; `text` has room for
 * COB_NUMBER_ROOM bytes. Returns its length. */
enum { COB_NUMBER_ROOM = 32 };
int cob_format_number(char *text, double value);

#endif
