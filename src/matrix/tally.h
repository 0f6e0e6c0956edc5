/* The entries of one line, counted by the clusters of the other side. Files that are compiled for
 * several processors include this one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_TALLY_H
#define COB_MATRIX_TALLY_H

#include "matrix/sums.h"

#include <stdbool.h>

#define ONE(e) 1
#define U8(e) ((const uint8_t *)view->values)[e]
#define U16(e) ((const uint16_t *)view->values)[e]

/* Neighbouring entries often fall into the same cluster, and each addition would wait for the one
 * before: so every other entry goes to `spare`. */
#define SUM_BY_LABEL(value)                                                                        \
    do {                                                                                           \
        for (; e + 1 < last; e += 2) {                                                             \
            sums[labels[indices[e]]] += value(e);                                                  \
            spare[labels[indices[e + 1]]] += value(e + 1);                                         \
        }                                                                                          \
        if (e < last)                                                                              \
            sums[labels[indices[e]]] += value(e);                                                  \
    } while (0)

/* Adds entries `e` to before `last` to two parts of the sums. */
static inline void tally_in_memory(const cobloc_view *view, int64_t e, int64_t last,
                                   const uint8_t *labels, int wide, int32_t *restrict sums)
{
    const int32_t *restrict indices = view->indices;
    int32_t *restrict spare = sums + wide;
    if (view->kind == COBLOC_ONES)
        SUM_BY_LABEL(ONE);
    else if (view->kind == COBLOC_U8)
        SUM_BY_LABEL(U8);
    else
        SUM_BY_LABEL(U16);
}

#ifdef __AVX512BW__
#include <immintrin.h>

/* Sums of 16 bits for all clusters in one register: of an entry, the lane of its cluster gets the
 * count. They stop at the largest number there is; a sum that is there is not known. */
#define ADD_TO_LANE(sums, e, value)                                                                \
    sums = _mm512_mask_adds_epu16(sums, (__mmask32)1 << labels[indices[e]], sums,                  \
                                  _mm512_set1_epi16((short)value(e)))
#define SUM_LANES(value)                                                                           \
    do {                                                                                           \
        for (; e + 1 < last; e += 2) {                                                             \
            ADD_TO_LANE(even, e, value);                                                           \
            ADD_TO_LANE(odd, e + 1, value);                                                        \
        }                                                                                          \
        if (e < last)                                                                              \
            ADD_TO_LANE(even, e, value);                                                           \
    } while (0)

enum { TALLY_LANES = 32, TALLIES_IN_LANES = true };

static inline void add_lanes(__m512i sums, int wide, int32_t *counts)
{
    const __m256i halves[] = {_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1)};
    for (int first = 0; first < wide; first += TALLY_LANES / 2) {
        __mmask16 used = wide - first < TALLY_LANES / 2 ? 0xff : 0xffff; /* wide: so many eights */
        __m512i before = _mm512_maskz_loadu_epi32(used, counts + first);
        __m512i more = _mm512_cvtepu16_epi32(halves[first > 0]);
        _mm512_mask_storeu_epi32(counts + first, used, _mm512_add_epi32(before, more));
    }
}

/* The same in a register, for so few clusters; whether all sums are known, else none is added. */
static inline bool tally_in_lanes(const cobloc_view *view, int64_t e, int64_t last,
                                  const uint8_t *labels, int wide, int32_t *restrict counts)
{
    const int32_t *restrict indices = view->indices;
    __m512i even = _mm512_setzero_si512(), odd = even;
    if (view->kind == COBLOC_ONES)
        SUM_LANES(ONE);
    else if (view->kind == COBLOC_U8)
        SUM_LANES(U8);
    else
        SUM_LANES(U16);
    __m512i sums = _mm512_adds_epu16(even, odd);
    if (_mm512_cmpeq_epi16_mask(sums, _mm512_set1_epi16(-1)) != 0)
        return false;
    add_lanes(sums, wide, counts);
    return true;
}

static inline void tally_line(const cobloc_view *view, int64_t line, const uint8_t *labels,
                              int wide, int32_t *restrict counts)
{
    enum { AT_ONCE = 2048 }; /* few enough for sums of 16 bits, in most tables */
    int64_t e = view->offsets[line], last = view->offsets[line + 1], next;
    for (; e < last; e = next) {
        next = e + AT_ONCE < last ? e + AT_ONCE : last;
        if (wide > TALLY_LANES || !tally_in_lanes(view, e, next, labels, wide, counts))
            tally_in_memory(view, e, next, labels, wide, counts);
    }
}

#else

enum { TALLIES_IN_LANES = false };

static inline void tally_line(const cobloc_view *view, int64_t line, const uint8_t *labels,
                              int wide, int32_t *restrict counts)
{
    tally_in_memory(view, view->offsets[line], view->offsets[line + 1], labels, wide, counts);
}

#endif

#endif
