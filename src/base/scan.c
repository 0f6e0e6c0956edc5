/* Scanning and formatting numbers.
 * SPDX-License-Identifier: MIT
 */
#include "base/scan.h"

#include "base/plain.h"

#include <string.h>

/* ---- many short counts ----------------------------------------------------------------------- */

/* Bit i is set if byte i of eight is not a digit. */
static uint64_t others_of_eight(const char *text)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t x;
    memcpy(&x, text, sizeof x);
    x ^= 0x3030303030303030u; /* digits become 0 to 9; for all other bytes the high bit stays set or
                                 becomes set below */
    x = ((x & 0x7F7F7F7F7F7F7F7Fu) + 0x7676767676767676u) | x;
    return ((x & 0x8080808080808080u) >> 7) * 0x0102040810204080u >> 56; /* gathers the bits */
#else
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)!cob_is_digit(text[i]) << i;
    return bits;
#endif
}

int cob_find_gaps(const char *text, size_t size, uint16_t *gaps)
{
    int count = 0;
    for (size_t at = 0; at < size; at += 64) {
        uint64_t others = 0;
        for (size_t i = 0; i < 8; i++)
            others |= others_of_eight(text + at + 8 * i) << (8 * i);
        for (; others; others &= others - 1)
            gaps[count++] = (uint16_t)(at + (size_t)__builtin_ctzll(others));
    }
    while (count > 0 && gaps[count - 1] >= size)
        count--;
    return count;
}

/* ---- any number ------------------------------------------------------------------------------ */

/* The general case: the C library converts the number. Hexadecimal, which strtod accepts, is not a
 * number here. */
static bool scan_slowly(const char **p, double *value)
{
    const char *digits = *p + (**p == '-' || **p == '+');
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        return false;
    if (*digits != '.' && !cob_is_digit(*digits) && !strchr("nNiI", *digits))
        return false;
    char *end;
    double v = cob_plain_strtod(*p, &end);
    if (end == *p)
        return false;
    *value = v;
    *p = end;
    return true;
}

bool cob_scan_number(const char **p, double *value)
{
    /* Exact if the digits fit 53 bits and the power of ten is exact: one correctly rounded
     * operation on two exact numbers. Nearly every number in a file is of this kind. */
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *s = *p;
    uint64_t digits = 0;
    int count = 0, fraction = 0;
    while (cob_is_digit(*s) && count < 16) {
        digits = digits * 10 + (uint64_t)(*s++ - '0');
        count++;
    }
    if (*s == '.' && count > 0) {
        s++;
        while (cob_is_digit(*s) && count < 16) {
            digits = digits * 10 + (uint64_t)(*s++ - '0');
            count++;
            fraction++;
        }
    }
    if (count == 0 || digits > (uint64_t)1 << 53 || cob_is_digit(*s) || *s == '.' || *s == 'e' ||
        *s == 'E' || *s == 'x' || *s == 'X')
        return scan_slowly(p, value);
    *value = (double)digits / power[fraction];
    *p = s;
    return true;
}

int cob_format_number(char *text, double value)
{
    if (value >= 0 && value < 1e15 && (double)(int64_t)value == value)
        return cob_plain_print(text, COB_NUMBER_ROOM, "%lld", (long long)value);
    int length = 0;
    for (int precision = 15; precision <= 17; precision++) {
        length = cob_plain_print(text, COB_NUMBER_ROOM, "%.*g", precision, value);
        const char *p = text;
        double back = 0;
        if (cob_scan_number(&p, &back) && back == value)
            break;
    }
    return length;
}
