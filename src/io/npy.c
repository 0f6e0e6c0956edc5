/* Headers and values of NumPy arrays.
 * SPDX-License-Identifier: MIT
 */
#include "io/npz_archive.h"

#include "base/alloc.h"
#include "base/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_HEADER = 1 << 16 };

static char native_order(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first ? '<' : '>';
}

/* ---- the header ------------------------------------------------------------------------------ */

static const char *skip(const char *p)
{
    while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

/* A quoted Python string without escapes: its content is text[0 .. length). */
static bool scan_quoted(const char **p, const char **text, size_t *length)
{
    const char quote = **p;
    if (quote != '\'' && quote != '"')
        return false;
    const char *end = strchr(*p + 1, quote);
    if (!end)
        return false;
    *text = *p + 1;
    *length = (size_t)(end - *text);
    *p = end + 1;
    return true;
}

static cobloc_status check_type(const cob_npy *array, const char *text, size_t length,
                                cobloc_error *err)
{
    size_t w = array->width;
    bool integers = w == 1 || w == 2 || w == 4 || w == 8;
    bool known = array->kind == 'b'                         ? w == 1
                 : array->kind == 'i' || array->kind == 'u' ? integers
                 : array->kind == 'f'                       ? integers && w > 1
                                                            : strchr("SU", array->kind) && w > 0;
    if (known)
        return COBLOC_OK;
    if (array->kind == 'O')
        return cob_fail(err, COBLOC_UNSUPPORTED,
                        "holds Python objects (a pickle), which cobloc does not read");
    return cob_fail(err, COBLOC_UNSUPPORTED,
                    "the type is '%.*s', expected integers or reals of at most 8 bytes",
                    length < 20 ? (int)length : 20, text);
}

/* A type such as '<f8': byte order, kind, width. */
static cobloc_status parse_descr(const char **p, cob_npy *array, cobloc_error *err)
{
    const char *text, *s;
    size_t length;
    int64_t width = 0;
    if (**p == '[')
        return cob_fail(err, COBLOC_UNSUPPORTED, "holds records, expected an array of numbers");
    if (!scan_quoted(p, &text, &length) || length < 2)
        return cob_fail(err, COBLOC_BAD_DATA, "the header has no type");
    s = text;
    char order = strchr("<>=|", *s) ? *s++ : '=';
    array->kind = *s++;
    if (!cob_scan_count(&s, &width) && array->kind != 'O')
        width = -1;
    if (width < 0 || s != text + length)
        return cob_fail(err, COBLOC_UNSUPPORTED, "the type is '%.*s', expected one such as '<f8'",
                        length < 20 ? (int)length : 20, text);
    array->width = (size_t)width * (array->kind == 'U' ? 4 : 1);
    array->swapped =
        array->kind != 'S' && (order == '<' || order == '>') && order != native_order();
    return check_type(array, text, length, err);
}

static bool parse_shape(const char **p, cob_npy *array)
{
    const char *s = *p;
    if (*s++ != '(')
        return false;
    array->dims = 0;
    array->shape[0] = array->shape[1] = array->count = 1;
    for (s = skip(s); *s != ')'; s = skip(s)) {
        int64_t size;
        if (!cob_scan_count(&s, &size) || (size > 0 && array->count > INT64_MAX / size))
            return false;
        if (array->dims < 2)
            array->shape[array->dims] = size;
        array->dims++;
        array->count *= size;
        if (*s == 'L') /* as Python 2 writes long integers */
            s++;
        s = skip(s);
        if (*s == ',')
            s++;
        else if (*s != ')')
            return false;
    }
    *p = s + 1;
    return true;
}

static bool parse_boolean(const char **p, bool *value)
{
    *value = strncmp(*p, "True", 4) == 0;
    if (!*value && strncmp(*p, "False", 5) != 0)
        return false;
    *p += *value ? 4 : 5;
    return true;
}

static bool is_key(const char *key, size_t length, const char *name)
{
    return length == strlen(name) && memcmp(key, name, length) == 0;
}

/* Parses "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }", with the keys in any order.
 */
static cobloc_status parse_dictionary(const char *p, cob_npy *array, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    unsigned seen = 0;
    const char *key;
    size_t length;
    p = skip(p);
    bool good = *p == '{';
    for (p = skip(p + good); good && *p != '}'; p = skip(p)) {
        good = scan_quoted(&p, &key, &length) && *(p = skip(p)) == ':';
        if (!good)
            break;
        p = skip(p + 1);
        if (is_key(key, length, "descr")) {
            COB_TRY(parse_descr(&p, array, err));
            seen |= 1;
        } else if (is_key(key, length, "fortran_order")) {
            good = parse_boolean(&p, &array->fortran);
            seen |= 2;
        } else {
            good = is_key(key, length, "shape") && parse_shape(&p, array);
            seen |= 4;
        }
        p = skip(p);
        good = good && (*p == ',' || *p == '}');
        p += good && *p == ',';
    }
    COB_CHECK(good && seen == 7 && *skip(p + 1) == '\0', COBLOC_BAD_DATA,
              "the header of the array is damaged, expected its type, order and shape");
done:
    return status;
}

static cobloc_status read_exactly(cob_npy *array, void *bytes, size_t want, cobloc_error *err)
{
    size_t got = 0;
    cobloc_status status = array->read(array->from, bytes, want, &got, err);
    if (status == COBLOC_OK && got < want)
        return cob_fail(err, COBLOC_BAD_DATA, "ends inside the header of the array");
    return status;
}

static cobloc_status read_header(cob_npy *array, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    unsigned char start[12] = {0};
    char *text = NULL;
    COB_TRY(read_exactly(array, start, 10, err));
    COB_CHECK(memcmp(start, COB_NPY_MAGIC, 6) == 0, COBLOC_BAD_DATA,
              "is not a NumPy array, expected one written by numpy.save");
    COB_CHECK(start[6] >= 1 && start[6] <= 3, COBLOC_UNSUPPORTED,
              "the array has format version %d.%d, expected 1 to 3", start[6], start[7]);
    if (start[6] > 1)
        COB_TRY(read_exactly(array, start + 10, 2, err));
    size_t length =
        start[8] | (size_t)start[9] << 8 | (size_t)start[10] << 16 | (size_t)start[11] << 24;
    COB_CHECK(length <= LONGEST_HEADER, COBLOC_UNSUPPORTED,
              "the header of the array has %zu bytes, expected at most %d", length, LONGEST_HEADER);
    COB_NEW(text, length + 1);
    COB_TRY(read_exactly(array, text, length, err));
    text[length] = '\0';
    COB_TRY(parse_dictionary(text, array, err));
done:
    cob_free(text);
    return status;
}

cobloc_status cob_npy_open(cob_npy *array, cob_npy_read_fn read, void *from, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    array->read = read;
    array->from = from;
    COB_TRY(read_header(array, err));
    COB_NEW(array->piece, COB_NPY_PIECE * sizeof(uint64_t));
done:
    return status;
}

void cob_npy_close(cob_npy *array)
{
    cob_free(array->piece);
    array->piece = NULL;
}

/* ---- the values ------------------------------------------------------------------------------ */

static void swap_bytes(unsigned char *bytes, size_t count, size_t width)
{
    for (; count > 0; count--, bytes += width)
        for (size_t low = 0, high = width - 1; low < high; low++, high--) {
            unsigned char kept = bytes[low];
            bytes[low] = bytes[high];
            bytes[high] = kept;
        }
}

/* Reads the next `want` numbers into array->piece, in this machine's byte order. */
static cobloc_status take(cob_npy *array, size_t want, cobloc_error *err)
{
    size_t got = 0;
    cobloc_status status = array->read(array->from, array->piece, want * array->width, &got, err);
    if (status != COBLOC_OK)
        return status;
    if (got < want * array->width)
        return cob_fail(
            err, COBLOC_BAD_DATA, "ends after %lld of the %lld values given in its header",
            (long long)array->taken + (long long)(got / array->width), (long long)array->count);
    if (array->swapped)
        swap_bytes(array->piece, want, array->width);
    array->taken += (int64_t)want;
    return COBLOC_OK;
}

/* CONVERT is a case of a switch over TYPE: it converts the numbers of one type in array->piece. */
#define TYPE(kind, width) ((kind) << 4 | (int)(width))
#define CONVERT(kind, ctype, expression)                                                           \
    case TYPE(kind, sizeof(ctype)):                                                                \
        for (size_t i = 0; i < want; i++) {                                                        \
            ctype v;                                                                               \
            memcpy(&v, array->piece + i * sizeof v, sizeof v);                                     \
            into[i] = (expression);                                                                \
        }                                                                                          \
        break
#define CONVERT_INTEGERS(to)                                                                       \
    CONVERT('i', int8_t, (to)v);                                                                   \
    CONVERT('i', int16_t, (to)v);                                                                  \
    CONVERT('i', int32_t, (to)v);                                                                  \
    CONVERT('i', int64_t, (to)v);                                                                  \
    CONVERT('u', uint8_t, (to)v);                                                                  \
    CONVERT('u', uint16_t, (to)v);                                                                 \
    CONVERT('u', uint32_t, (to)v)

cobloc_status cob_npy_integers(cob_npy *array, int64_t *into, size_t want, cobloc_error *err)
{
    if (array->kind != 'i' && array->kind != 'u')
        return cob_fail(err, COBLOC_BAD_DATA, "holds values of the kind '%c', expected integers",
                        array->kind);
    cobloc_status status = take(array, want, err);
    if (status != COBLOC_OK)
        return status;
    switch (TYPE(array->kind, array->width)) {
        CONVERT_INTEGERS(int64_t);
        CONVERT('u', uint64_t, v > INT64_MAX ? INT64_MAX : (int64_t)v);
    }
    return COBLOC_OK;
}

static double of_half(uint16_t half)
{
    int exponent = half >> 10 & 31;
    double fraction = half & 1023;
    double size = exponent == 31  ? (fraction > 0 ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(fraction + 1024, exponent - 25);
    return half >> 15 ? -size : size;
}

cobloc_status cob_npy_values(cob_npy *array, double *into, size_t want, cobloc_error *err)
{
    if (array->kind == 'S' || array->kind == 'U')
        return cob_fail(err, COBLOC_BAD_DATA, "holds text, expected numbers");
    cobloc_status status = take(array, want, err);
    if (status != COBLOC_OK)
        return status;
    switch (TYPE(array->kind, array->width)) {
        CONVERT_INTEGERS(double);
        CONVERT('u', uint64_t, (double)v);
        CONVERT('b', uint8_t, v != 0);
        CONVERT('f', uint16_t, of_half(v));
        CONVERT('f', float, (double)v);
        CONVERT('f', double, v);
    }
    return COBLOC_OK;
}

cobloc_status cob_npy_text(cob_npy *array, char *room, size_t size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t step = array->kind == 'U' ? 4 : 1, length = 0;
    COB_CHECK((array->kind == 'S' || array->kind == 'U') && array->count == 1, COBLOC_BAD_DATA,
              "holds %lld values of the kind '%c', expected one text", (long long)array->count,
              array->kind);
    COB_CHECK(array->width <= COB_NPY_PIECE, COBLOC_BAD_DATA, "holds a text of %zu bytes",
              array->width);
    COB_TRY(take(array, 1, err));
    /* Swapping the bytes of the whole value also reversed the order of the characters. */
    for (size_t at = 0; at + step <= array->width && length + 1 < size; at += step) {
        size_t place = array->swapped && step > 1 ? array->width - step - at : at;
        uint32_t letter = array->piece[place];
        if (step > 1)
            memcpy(&letter, array->piece + place, sizeof letter);
        if (letter == 0)
            break;
        room[length++] = letter > ' ' && letter < 127 ? (char)letter : '?';
    }
    room[length] = '\0';
done:
    return status;
}

cobloc_status cob_npy_end(cob_npy *array, cobloc_error *err)
{
    char more;
    size_t got = 0;
    cobloc_status status = array->read(array->from, &more, 1, &got, err);
    if (status == COBLOC_OK && (got > 0 || array->taken < array->count))
        return cob_fail(err, COBLOC_BAD_DATA, "continues after the %lld values given in its header",
                        (long long)array->taken);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

size_t cob_npy_header(char *room, char kind, size_t width, int dims, int64_t count)
{
    char text[COB_NPY_HEADER - 10], sizes[24] = "";
    if (dims == 1)
        snprintf(sizes, sizeof sizes, "%lld,", (long long)count);
    snprintf(text, sizeof text, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%s), }",
             kind == 'S' || width == 1 ? '|' : native_order(), kind, width, sizes);
    memset(room, ' ', COB_NPY_HEADER);
    memcpy(room, COB_NPY_MAGIC "\x01\x00", 8);
    room[8] = COB_NPY_HEADER - 10;
    room[9] = 0;
    memcpy(room + 10, text, strlen(text));
    room[COB_NPY_HEADER - 1] = '\n';
    return COB_NPY_HEADER;
}
