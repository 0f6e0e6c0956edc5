/* MATLAB's char arrays as lists of UTF-8 strings.
 *
 * Programs store text in several ways: MATLAB as UTF-16 or, if it is all ASCII, as bytes; others as
 * UTF-8 (with the length in bytes or in characters) or Latin-1.
 *
 * SPDX-License-Identifier: MIT
 */
#include "io/matlab.h"

#include "base/alloc.h"
#include "base/utf8.h"

#define NOT_TEXT 0xFFFDu

void cob_mat_chars_free(cob_mat_chars *chars)
{
    cob_free(chars->units);
    cob_free(chars->text);
    *chars = (cob_mat_chars){0};
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

static size_t put_utf8(char *to, uint32_t point)
{
    if (point == 0 || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
        point = NOT_TEXT;
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    size_t length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t b = length - 1; b > 0; b--, point >>= 6)
        to[b] = (char)(0x80 | (point & 0x3F));
    to[0] = (char)(point | (0xF00u >> length & 0xF0));
    return length;
}

/* ---- rows of an array ------------------------------------------------------------------------ */

static uint32_t unit_at(const cob_mat_chars *chars, int64_t row, int64_t col)
{
    return chars->units[col * chars->rows + row];
}

/* Decodes UTF-8 to code points, in place; false, with nothing changed, if it is not UTF-8. */
static bool decode_utf8(cob_mat_chars *chars)
{
    size_t made = 0;
    for (int pass = 0; pass < 2; pass++) {
        made = 0;
        for (size_t at = 0, length; at < chars->count; at += length, made++) {
            unsigned char bytes[4] = {0};
            uint32_t point;
            size_t size = chars->count - at < 4 ? chars->count - at : 4;
            for (size_t b = 0; b < size; b++)
                bytes[b] = (unsigned char)chars->units[at + b];
            length = cob_utf8_next(bytes, size, &point);
            if (length == 0)
                return false;
            if (pass == 1)
                chars->units[made] = point;
        }
    }
    chars->count = made;
    chars->width = 4;
    return true;
}

/* Makes rows * cols equal to count; false if that is impossible. */
static bool settle_shape(cob_mat_chars *chars)
{
    if (chars->rows == 0 || chars->cols == 0) {
        chars->rows = 1;
        chars->cols = 0;
        return true;
    }
    bool fits = chars->rows <= (int64_t)chars->count && chars->count % (size_t)chars->rows == 0 &&
                (int64_t)chars->count / chars->rows == chars->cols;
    if (!fits && chars->rows > 1)
        return chars->width == 1 && decode_utf8(chars) && settle_shape(chars);
    chars->cols = (int64_t)chars->count / chars->rows;
    return true;
}

static size_t put_row_of_bytes(const cob_mat_chars *chars, int64_t row, int64_t cols, char *text)
{
    uint32_t point;
    size_t length = 0;
    bool utf8 = true;
    for (int64_t c = 0; c < cols; c++)
        text[c] = (char)unit_at(chars, row, c);
    for (size_t at = 0, step; utf8 && at < (size_t)cols; at += step) {
        step = cob_utf8_next((const unsigned char *)text + at, (size_t)cols - at, &point);
        utf8 = step > 0 && point != 0;
    }
    if (utf8)
        return (size_t)cols;
    for (int64_t c = 0; c < cols; c++)
        length += put_utf8(text + length, unit_at(chars, row, c));
    return length;
}

static size_t put_row(const cob_mat_chars *chars, int64_t row, int64_t cols, char *text)
{
    size_t length = 0;
    if (chars->width == 1)
        return put_row_of_bytes(chars, row, cols, text);
    for (int64_t c = 0; c < cols; c++) {
        uint32_t point = unit_at(chars, row, c);
        if (chars->width == 2 && point >= 0xD800 && point < 0xDC00 && c + 1 < cols) {
            uint32_t second = unit_at(chars, row, c + 1);
            if (second >= 0xDC00 && second < 0xE000) {
                point = 0x10000 + ((point - 0xD800) << 10) + (second - 0xDC00);
                c++;
            }
        }
        length += put_utf8(text + length, point);
    }
    return length;
}

cobloc_status cob_mat_chars_add(cob_mat_chars *chars, bool strip, cob_names *names, int *usable,
                                cobloc_error *err)
{
    *usable = settle_shape(chars);
    if (!*usable)
        return COBLOC_OK;
    size_t room = (size_t)chars->cols * 4 + 1; /* no unit needs more than 4 bytes */
    if (!cob_grow(&chars->text, &chars->text_capacity, room, 1))
        return cob_fail_memory(err, room, 1);
    for (int64_t row = 0; row < chars->rows; row++) {
        int64_t cols = chars->cols;
        while (cols > 0 && (unit_at(chars, row, cols - 1) == 0 ||
                            (strip && unit_at(chars, row, cols - 1) == ' ')))
            cols--;
        size_t length = put_row(chars, row, cols, chars->text);
        cobloc_status status = cob_names_add(names, chars->text, length, err);
        if (status != COBLOC_OK)
            return status;
    }
    return COBLOC_OK;
}
