/* The entries of one line, summed by the cluster of the other side. Included by files that are
 * compiled for several processors.
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

/* Neighbouring entries are often in the same cluster, and each addition would wait for the one
 * before, so every other entry goes to `spare`. */
#define SUM_BY_LABEL(value)                                                                        \
    do {                                                                                           \
        for (; e + 1 < last; e += 2) {                                                             \
            sums[labels[indices[e]]] += value(e);                                                  \
            spare[labels[indices[e + 1]]] += value(e + 1);                                         \
        }                                                                                          \
        if (e < last)                                                                              \
            sums[labels[indices[e]]] += value(e);                                                  \
    } while (0)

/* Adds entries `e` to `last` - 1 to two parts of the sums. */
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

/* 16-bit sums for all clusters in one register: the count of an entry is added in the lane of its
 * cluster. Additions saturate; a sum at the largest value is not known. */
#define ADD_TO_LANE(sums, e, value)                                                                \
    sums = _mm512_mask_adds_epu16(sums, (__mmask32)1 << labels[indices[e]], sums,                  \
                                  _mm512_set1_epi16((short)value(e)))
#define ADD_PAIR(e, value)                                                                         \
    ADD_TO_LANE(even, e, value);                                                                   \
    ADD_TO_LANE(odd, (e) + 1, value)
#define SUM_LANES(value)                                                                           \
    do {                                                                                           \
        for (; e + 15 < last; e += 16) {                                                           \
            _mm_prefetch((const char *)(indices + e + TALLY_AHEAD), _MM_HINT_T0);                  \
            ADD_PAIR(e, value);                                                                    \
            ADD_PAIR(e + 2, value);                                                                \
            ADD_PAIR(e + 4, value);                                                                \
            ADD_PAIR(e + 6, value);                                                                \
            ADD_PAIR(e + 8, value);                                                                \
            ADD_PAIR(e + 10, value);                                                               \
            ADD_PAIR(e + 12, value);                                                               \
            ADD_PAIR(e + 14, value);                                                               \
        }                                                                                          \
        for (; e + 1 < last; e += 2) {                                                             \
            ADD_PAIR(e, value);                                                                    \
        }                                                                                          \
        if (e < last)                                                                              \
            ADD_TO_LANE(even, e, value);                                                           \
    } while (0)

/* How many entries ahead to prefetch: one memory page, since the processor's own prefetching stops
 * at its end. */
enum { TALLY_AHEAD = 1024 };
enum { TALLY_LANES = 32, TALLY_ENTRIES = 2048 }; /* few enough for 16 bits, in most tables */

/* Adds the sums to the counts, or with `begin` replaces them. */
static inline void store_lanes(__m512i sums, int wide, bool begin, int32_t *counts)
{
    const __m256i halves[] = {_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1)};
    for (int first = 0; first < wide; first += TALLY_LANES / 2) {
        __mmask16 used =
            wide - first < TALLY_LANES / 2 ? 0xff : 0xffff; /* wide is a multiple of 8 */
        __m512i before = _mm512_maskz_loadu_epi32(begin ? 0 : used, counts + first);
        __m512i more = _mm512_cvtepu16_epi32(halves[first > 0]);
        _mm512_mask_storeu_epi32(counts + first, used, _mm512_add_epi32(before, more));
    }
}

/* The sums of a line in a register, for few clusters; returns whether all of them are known. */
static inline bool tally_in_lanes(const cobloc_view *view, int64_t line, const uint8_t *labels,
                                  int wide, int32_t *restrict counts)
{
    const int32_t *restrict indices = view->indices;
    int64_t first = view->offsets[line], e = first, last, end = view->offsets[line + 1];
    if (wide > TALLY_LANES)
        return false;
    do {
        bool begin = e == first;
        __m512i even = _mm512_setzero_si512(), odd = even;
        last = end - e < TALLY_ENTRIES ? end : e + TALLY_ENTRIES;
        if (view->kind == COBLOC_ONES)
            SUM_LANES(ONE);
        else if (view->kind == COBLOC_U8)
            SUM_LANES(U8);
        else
            SUM_LANES(U16);
        __m512i sums = _mm512_adds_epu16(even, odd);
        if (_mm512_cmpeq_epi16_mask(sums, _mm512_set1_epi16(-1)) != 0)
            return false;
        store_lanes(sums, wide, begin, counts);
        e = last;
    } while (e < end);
    return true;
}

#else

enum { TALLY_LANES = 0 };

static inline bool tally_in_lanes(const cobloc_view *view, int64_t line, const uint8_t *labels,
                                  int wide, int32_t *restrict counts)
{
    (void)view, (void)line, (void)labels, (void)wide, (void)counts;
    return false;
}

#endif

#endif
