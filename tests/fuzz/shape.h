/* Mutators that know how a file is built, for inputs that changed bytes alone would not get past
 * the first checks of. Each target that has one is built with SHAPED.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_FUZZ_SHAPE_H
#define COBLOC_FUZZ_SHAPE_H

#include <stddef.h>
#include <stdint.h>

/* Changes an input in place, to at most `room` bytes, and puts its checksums right. Returns its new
 * size. The same seed makes the same change. */
size_t mutate(uint8_t *data, size_t size, size_t room, unsigned seed);

/* libFuzzer's own changes of plain bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* ---- choices --------------------------------------------------------------------------------- */

typedef uint64_t chance;

static inline chance chance_of(unsigned seed)
{
    return seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

/* 0 ... count - 1; count > 0. (xorshift64*) */
static inline size_t draw(chance *c, size_t count)
{
    *c ^= *c >> 12;
    *c ^= *c << 25;
    *c ^= *c >> 27;
    return (size_t)((*c * UINT64_C(0x2545F4914F6CDD1D)) >> 33) % count;
}

static inline int64_t draw_integer(chance *c)
{
    static const int64_t odd[] = {
        0,     1,     -1,        2,         3,          7,         255,       256,
        65535, 65536, INT32_MAX, INT32_MIN, 2147483648, INT64_MAX, INT64_MIN, INT64_MAX / 8};
    return odd[draw(c, sizeof odd / sizeof *odd)];
}

static inline double draw_real(chance *c)
{
    static const double odd[] = {0,     1,     -1,   0.5,   5e-324, 1e-300,    1e154,
                                 1e300, -0.25, 1e18, 1e-16, -1e300, 4294967296};
    return odd[draw(c, sizeof odd / sizeof *odd)];
}

#endif
