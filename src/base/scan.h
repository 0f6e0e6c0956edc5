/* Numbers out of text, fast and independent of the locale. All of these stop at the first byte that
 * does not fit, and text must end in '\0'.
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

/* The same between two fields, where at least one blank must stand. */
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

/* True at the end of a line or of the text. */
static inline bool cob_at_line_end(const char *p)
{
    return *p == '\n' || *p == '\0';
}

/* True where a field ends: at a blank or at the end of the line. */
static inline bool cob_at_gap(const char *p)
{
    return *p == ' ' || *p == '\t' || *p == '\r' || cob_at_line_end(p);
}

/* How many bytes of a word are fit to be shown in a message, as in "%.*s": plain ones, not too
 * many. */
static inline int cob_shown(const char *word)
{
    int length = 0;
    while (length < 40 && word[length] > ' ' && word[length] < 127)
        length++;
    return length;
}

/* Reads a non-negative decimal integer below 10^18; moves *p past it. False, with *p unmoved, if
 * there is none. */
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

/* The number of bytes that cob_scan_short may read past the end of a text. */
enum { COB_SCAN_SLACK = 8 };

/* A count of one to seven digits, in constant time: eight bytes at once, so that no branch depends
 * on the number of digits. Returns that number, or 0 if there are no digits or more than seven. */
static inline int cob_scan_short(const char *p, uint32_t *value)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t x;
    memcpy(&x, p, sizeof x);
    x ^= 0x3030303030303030u; /* digits become 0 to 9; of all else, a high bit stays or comes up: */
    uint64_t other = ((x + 0x7676767676767676u) | x) & 0x8080808080808080u;
    if (other == 0 || (other & 0x80))
        return 0;
    int digits = __builtin_ctzll(other) >> 3;
    x <<= 64 - 8 * digits; /* leading zeros in front */
    x = x * 10 + (x >> 8); /* pairs of digits, in every other byte; then fours, then all eight */
    x = ((x & 0x000000FF000000FFu) * 0x000F424000000064u +
         ((x >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
        32;
    *value = (uint32_t)x;
    return digits;
#else
    uint32_t v = 0;
    int digits = 0;
    while (cob_is_digit(p[digits]) && digits < 8)
        v = v * 10 + (uint32_t)(p[digits++] - '0');
    *value = v;
    return digits < 8 ? digits : 0;
#endif
}

/* The same with an optional sign. */
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

/* Reads a decimal number (also "nan" and "inf", which callers then refuse by value), rounded
 * correctly; moves *p past it. False, with *p unmoved, if there is none. */
bool cob_scan_number(const char **p, double *value);

/* The same, quicker where most numbers are counts. */
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

/* Writes the shortest decimal text that reads back as the same double; `text` has room for 32
 * bytes. Returns its length. */
int cob_format_number(char *text, double value);

#endif
