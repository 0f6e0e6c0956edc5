/* Decoding UTF-8.
 * SPDX-License-Identifier: MIT
 */
#include "base/utf8.h"

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
