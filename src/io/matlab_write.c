/* Writing MATLAB files of version 5, which MATLAB since 1996, Octave and SciPy can read: the sparse
 * matrix X and, if there are any, the cell arrays of strings rows, terms and labels.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/utf8.h"
#include "io/formats.h"
#include "io/matlab.h"
#include "io/matlab_element.h"

#include <stdio.h>

enum { CLASS_CELL = 1, CLASS_CHAR = 4, CLASS_SPARSE = 5 };

/* The size of an element: its type and size, and the data padded to a multiple of 8. */
static int64_t element_bytes(int64_t data)
{
    return 8 + (data + 7) / 8 * 8;
}

/* The size of everything before the data of an array. */
static int64_t head_bytes(const char *name)
{
    return element_bytes(8) + element_bytes(8) + element_bytes((int64_t)strlen(name));
}

static void put(cob_file *file, uint64_t value, size_t width)
{
    unsigned char bytes[8];
    for (size_t b = 0; b < width; b++)
        bytes[b] = (unsigned char)(value >> 8 * b);
    cob_file_bytes(file, bytes, width);
}

static void put_tag(cob_file *file, uint32_t type, int64_t size)
{
    put(file, type, 4);
    put(file, (uint64_t)size, 4);
}

static void put_padding(cob_file *file, int64_t size)
{
    put(file, 0, (size_t)((8 - size % 8) % 8));
}

static void put_head(cob_file *file, int64_t body, uint32_t class, int64_t nzmax, int64_t rows,
                     int64_t cols, const char *name)
{
    int64_t length = (int64_t)strlen(name);
    put_tag(file, MI_MATRIX, head_bytes(name) + body);
    put_tag(file, MI_UINT32, 8);
    put(file, class, 4);
    put(file, (uint64_t)nzmax, 4);
    put_tag(file, MI_INT32, 8);
    put(file, (uint64_t)rows, 4);
    put(file, (uint64_t)cols, 4);
    put_tag(file, MI_INT8, length);
    cob_file_text(file, name);
    put_padding(file, length);
}

/* MATLAB limits the size of a variable to 31 bits. */
static cobloc_status check_size(int64_t bytes, const char *name, const char *path,
                                cobloc_error *err)
{
    if (bytes <= INT32_MAX)
        return COBLOC_OK;
    return cob_fail(err, COBLOC_UNSUPPORTED,
                    "%s: the variable %s would take %lld bytes, but a MATLAB file of version 5 "
                    "allows at most 2 GiB; write .cbm instead",
                    path, name, (long long)bytes);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static cobloc_status put_matrix(cob_file *file, const cobloc_matrix *matrix, const char *path,
                                cobloc_error *err)
{
    const cob_side *side = &matrix->by_col;
    int64_t indices = matrix->nnz * 4, starts = (matrix->cols + 1) * 4, values = matrix->nnz * 8;
    int64_t body = element_bytes(indices) + element_bytes(starts) + element_bytes(values);
    cobloc_status status = check_size(head_bytes("X") + body, "X", path, err);
    if (status != COBLOC_OK)
        return status;
    put_head(file, body, CLASS_SPARSE, matrix->nnz, matrix->rows, matrix->cols, "X");
    put_tag(file, MI_INT32, indices);
    for (int64_t e = 0; e < matrix->nnz; e++)
        put(file, (uint64_t)side->indices[e], 4);
    put_padding(file, indices);
    put_tag(file, MI_INT32, starts);
    for (int64_t j = 0; j <= matrix->cols; j++)
        put(file, (uint64_t)side->offsets[j], 4);
    put_padding(file, starts);
    put_tag(file, MI_DOUBLE, values);
    for (int64_t e = 0; e < matrix->nnz; e++) {
        double value = cob_value_get(matrix->kind, side->values, e);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        put(file, bits, 8);
    }
    return COBLOC_OK;
}

/* ---- strings --------------------------------------------------------------------------------- */

/* Converts UTF-8 to UTF-16 and writes it unless `file` is NULL. Returns the number of units; -1 if
 * the text is not UTF-8. */
static int64_t put_utf16(cob_file *file, const char *text)
{
    int64_t units = 0;
    const unsigned char *p = (const unsigned char *)text;
    for (size_t left = strlen(text), length; left > 0; left -= length, p += length) {
        uint32_t point;
        length = cob_utf8_next(p, left, &point);
        if (length == 0)
            return -1;
        units += point < 0x10000 ? 1 : 2;
        if (file && point < 0x10000) {
            put(file, point, 2);
        } else if (file) {
            put(file, 0xD800 + ((point - 0x10000) >> 10), 2);
            put(file, 0xDC00 + ((point - 0x10000) & 0x3FF), 2);
        }
    }
    return units;
}

/* Whether some character needs two units. MATLAB treats both types alike; SciPy reads non-ASCII
 * text only from UTF16, but rejects the file if it contains such a pair. */
static bool has_pairs(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0xF0)
            return true;
    return false;
}

static cobloc_status put_strings(cob_file *file, const cob_names *names, const char *name,
                                 const char *path, cobloc_error *err)
{
    int64_t body = 0;
    if (names->count == 0)
        return COBLOC_OK;
    for (int64_t i = 0; i < names->count; i++) {
        int64_t units = put_utf16(NULL, cob_names_get(names, i));
        if (units < 0)
            return cob_fail(
                err, COBLOC_UNSUPPORTED,
                "%s: string %lld of the %s is not UTF-8, which a MATLAB file cannot hold; "
                "write .cbm instead",
                path, (long long)(i + 1), name);
        body += 8 + head_bytes("") + element_bytes(units * 2);
    }
    cobloc_status status = check_size(head_bytes(name) + body, name, path, err);
    if (status != COBLOC_OK)
        return status;
    put_head(file, body, CLASS_CELL, 0, names->count, 1, name);
    for (int64_t i = 0; i < names->count; i++) {
        const char *text = cob_names_get(names, i);
        int64_t units = put_utf16(NULL, text);
        put_head(file, element_bytes(units * 2), CLASS_CHAR, 0, units > 0, units, "");
        put_tag(file, has_pairs(text) ? MI_UINT16 : MI_UTF16, units * 2);
        put_utf16(file, text);
        put_padding(file, units * 2);
    }
    return COBLOC_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* No date, so that the same matrix gives the same bytes. */
static void put_header(cob_file *file)
{
    char text[COB_MAT_HEADER - 11];
    snprintf(text, sizeof text, "%-116s", "MATLAB 5.0 MAT-file, written by cobloc");
    cob_file_text(file, text);
    put(file, 0, 8);
    put(file, COB_MAT_VERSION_5, 2);
    cob_file_text(file, "IM");
}

cobloc_status cob_mat_write(const cobloc_matrix *matrix, cob_file *file, const char *path,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    put_header(file);
    COB_TRY(put_matrix(file, matrix, path, err));
    COB_TRY(put_strings(file, &matrix->row_names, "rows", path, err));
    COB_TRY(put_strings(file, &matrix->col_names, "terms", path, err));
    COB_TRY(put_strings(file, &matrix->row_labels, "labels", path, err));
done:
    return status;
}
