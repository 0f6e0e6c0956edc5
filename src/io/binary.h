/* Binary files with random access, and the numbers in them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_BINARY_H
#define COB_IO_BINARY_H

#include "base/error.h"
#include "base/source.h"

#include <stdbool.h>
#include <string.h>

typedef struct cob_binary {
    int fd; /* -1: not open */
    int64_t size;
    cobloc_progress progress;
    int64_t reported; /* bytes read at the last progress report, and so far */
    int64_t consumed;
} cob_binary;

cobloc_status cob_binary_open(cob_binary *file, const char *path, const cobloc_progress *progress,
                              cobloc_error *err);
void cob_binary_close(cob_binary *file);

/* Reads exactly `count` bytes from `at`, or fails; reports progress. Messages do not name the file:
 * callers add its path. */
cobloc_status cob_binary_read(cob_binary *file, int64_t at, void *bytes, size_t count,
                              cobloc_error *err);

/* ---- numbers --------------------------------------------------------------------------------- */

static inline uint64_t cob_load(const unsigned char *p, size_t width, bool big)
{
    uint64_t value = 0;
    for (size_t b = 0; b < width; b++)
        value |= (uint64_t)p[b] << 8 * (big ? width - 1 - b : b);
    return value;
}

static inline uint16_t cob_load16(const unsigned char *p, bool big)
{
    return (uint16_t)cob_load(p, 2, big);
}

static inline uint32_t cob_load32(const unsigned char *p, bool big)
{
    return (uint32_t)cob_load(p, 4, big);
}

static inline uint64_t cob_load64(const unsigned char *p, bool big)
{
    return cob_load(p, 8, big);
}

/* How a number is stored in a file. */
typedef struct cob_number_type {
    unsigned char width; /* 1, 2, 4 or 8 bytes; 4 or 8 for reals */
    bool real;           /* otherwise an integer */
    bool is_signed;
    bool big; /* big-endian */
} cob_number_type;

/* False if a result of cob_number may have been rounded. */
static inline bool cob_number_is_exact(cob_number_type type, double value)
{
    return type.real || type.width < 8 || (value < 0x1p53 && value > -0x1p53);
}

/* Fails where a number may have been rounded. */
cobloc_status cob_number_check(cob_number_type type, double value, cobloc_error *err);

/* The number at `p`. 64-bit integers beyond 2^53 may be rounded. */
static inline double cob_number(cob_number_type type, const unsigned char *p)
{
    uint64_t bits = cob_load(p, type.width, type.big);
    if (type.real && type.width == 4) {
        uint32_t low = (uint32_t)bits;
        float value;
        memcpy(&value, &low, sizeof value);
        return value;
    }
    if (type.real) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    COB_KNOWN(type.width >= 1 && type.width <= 8);
    uint64_t sign = (uint64_t)1 << (8 * type.width - 1);
    if (type.is_signed && (bits & sign)) /* the magnitude of a two's complement */
        return -(double)((~bits & (sign - 1)) + 1);
    return (double)bits;
}

#endif
