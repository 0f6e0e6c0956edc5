/* MATLAB files of version 5 made by hand, byte by byte.
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_MATLAB_BLOB_H
#define COB_TESTS_MATLAB_BLOB_H

#include "support.h"

#include "io/matlab_element.h"

enum { CELL = 1, STRUCT = 2, CHAR = 4, SPARSE = 5, DOUBLE = 6, UINT8 = 9, INT64 = 14 };
enum { COMPLEX = 0x0800, LOGICAL = 0x0200 };

typedef struct blob {
    unsigned char bytes[1 << 14];
    size_t size;
    bool big;
} blob;

static inline void put(blob *b, uint64_t value, size_t width)
{
    assert_true(b->size + width <= sizeof b->bytes);
    for (size_t i = 0; i < width; i++)
        b->bytes[b->size++] = (unsigned char)(value >> 8 * (b->big ? width - 1 - i : i));
}

static inline blob *start(blob *b, bool big)
{
    *b = (blob){.big = big, .size = 124};
    memset(b->bytes, ' ', 124);
    memcpy(b->bytes, "MATLAB 5.0 MAT-file", 19);
    put(b, 0x0100, 2);
    put(b, 'M' << 8 | 'I', 2);
    return b;
}

static inline void pad(blob *b, size_t from)
{
    while ((b->size - from) % 8)
        put(b, 0, 1);
}

/* An element of numbers, stored as `type`. */
static inline void numbers(blob *b, uint32_t type, size_t count, const double *values)
{
    static const size_t width[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4};
    put(b, type, 4);
    put(b, count * width[type], 4);
    size_t from = b->size;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        float single = (float)values[i];
        if (type == MI_SINGLE)
            memcpy(&bits, &single, sizeof single);
        else if (type == MI_DOUBLE)
            memcpy(&bits, &values[i], sizeof bits);
        else
            bits = values[i] < 0 ? (uint64_t)(int64_t)values[i] : (uint64_t)values[i];
        put(b, bits, width[type]);
    }
    pad(b, from);
}

/* Begins an array; close_array sets its size. */
static inline size_t open_array(blob *b, uint32_t class, int rows, int cols, const char *name)
{
    put(b, MI_MATRIX, 4);
    put(b, 0, 4);
    size_t from = b->size;
    numbers(b, MI_UINT32, 2, (double[]){class, 0});
    numbers(b, MI_INT32, 2, (double[]){rows, cols});
    if (strlen(name) > 0 && strlen(name) <= 4) { /* as a small element */
        put(b, strlen(name) << 16 | MI_INT8, 4);
    } else {
        put(b, MI_INT8, 4);
        put(b, strlen(name), 4);
    }
    for (const char *c = name; *c; c++)
        put(b, (unsigned char)*c, 1);
    pad(b, from);
    return from;
}

static inline void close_array(blob *b, size_t from)
{
    size_t end = b->size;
    b->size = from - 4;
    put(b, end - from, 4);
    b->size = end;
}

static inline void add_full(blob *b, uint32_t class, uint32_t type, int rows, int cols,
                            const char *name, const double *values)
{
    size_t from = open_array(b, class, rows, cols, name);
    numbers(b, type, (size_t)(rows * cols), values);
    close_array(b, from);
}

static inline void add_chars(blob *b, uint32_t type, int rows, int cols, const char *name,
                             size_t count, const double *units)
{
    size_t from = open_array(b, CHAR, rows, cols, name);
    numbers(b, type, count, units);
    close_array(b, from);
}

static inline void add_cells(blob *b, int rows, int cols, const char *name,
                             const char *const *strings)
{
    size_t from = open_array(b, CELL, rows, cols, name);
    for (int c = 0; c < rows * cols; c++) {
        double units[64];
        size_t length = strlen(strings[c]);
        for (size_t i = 0; i < length; i++)
            units[i] = (unsigned char)strings[c][i];
        add_chars(b, MI_UTF16, 1, (int)length, "", length, units);
    }
    close_array(b, from);
}

/* 1 0 2 0 / 0 3 0 0 / 0 0 4 1 */
static const double dense[] = {1, 0, 2, 0, 0, 3, 0, 0, 0, 0, 4, 1};
static const double by_column[] = {1, 0, 0, 0, 3, 0, 2, 0, 4, 0, 0, 1};

static inline void add_sparse(blob *b, uint32_t flags, uint32_t type, const char *name)
{
    size_t from = open_array(b, SPARSE | flags, 3, 4, name);
    numbers(b, MI_INT32, 5, (double[]){0, 1, 0, 2, 2});
    numbers(b, MI_INT32, 5, (double[]){0, 1, 2, 4, 5});
    numbers(b, type, 5, (double[]){1, 3, 2, 4, 1});
    close_array(b, from);
}

/* Wraps all but the header in one compressed element. */
static inline void compress_all(blob *b)
{
    static unsigned char packed[1 << 14];
    uLongf size = sizeof packed;
    assert_int_equal(compress(packed, &size, b->bytes + 128, b->size - 128), Z_OK);
    b->size = 128;
    put(b, MI_COMPRESSED, 4);
    put(b, size, 4);
    memcpy(b->bytes + b->size, packed, size);
    b->size += size;
}

static inline const char *saved(const blob *b)
{
    return test_file("made.mat", b->bytes, b->size);
}

static inline void assert_reads(const blob *b)
{
    cobloc_matrix *matrix = must_read(saved(b), NULL);
    assert_dense(matrix, 3, 4, dense);
    cobloc_matrix_free(matrix);
}

#endif
