/* Decoding UTF-8; what of it can be printed.
 * SPDX-License-Identifier: MIT
 */
#include "base/utf8.h"

#include "cobloc.h"

#include <stdbool.h>
#include <string.h>

size_t cob_utf8_next(const unsigned char *p, size_t size, uint32_t *point)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (size == 0)
        return 0;
    size_t length = p[0] < 0x80 ? 1 : p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : p[0] >= 0xC0 ? 2 : 0;
    if (length == 0 || length > size || p[0] > 0xF4)
        return 0;
    uint32_t value = length == 1 ? p[0] : p[0] & (0x7Fu >> length);
    for (size_t b = 1; b < length; b++) {
        if ((p[b] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (p[b] & 0x3F);
    }
    if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 0;
    *point = value;
    return length;
}

/* Escape sequences of terminals begin with a control character (C0, DEL, C1); the others change the
 * order or the lines in which text is shown. */
static bool is_harmful(uint32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x061C || point == 0x200E ||
           point == 0x200F || (point >= 0x2028 && point <= 0x202E) ||
           (point >= 0x2066 && point <= 0x2069);
}

void cobloc_make_harmless(char *text)
{
    char *to = text;
    while (*text) {
        uint32_t point = 0;
        size_t length = cob_utf8_next((const unsigned char *)text, COB_UTF8_LONGEST, &point);
        size_t kept = length > 0 && !is_harmful(point) ? length : 0;
        memmove(to, kept ? text : "?", kept ? kept : 1);
        to += kept ? kept : 1;
        text += length > 0 ? length : 1;
    }
    *to = '\0';
}
