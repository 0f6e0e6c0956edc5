/* The entries of one line, summed by the cluster of the other side. Included by files that are
 * compiled for several processors. Parameters that are constants where a function is called choose
 * the loop that is compiled.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_TALLY_H
#define COB_MATRIX_TALLY_H

#include "matrix/lines.h"
#include "matrix/values.h"

/* Entries, and where to find their clusters. */
typedef struct tallied {
    cobloc_value_kind kind;
    const int32_t *indices;
    const void *values;
    cob_other_labels other;
} tallied;

COB_INLINE int32_t cluster_of(const tallied *t, bool few, int64_t e)
{
    return cob_label_at(t->other.labels, few, t->indices[e]);
}

/* ---- in memory ------------------------------------------------------------------------------- */

/* Adds entries `e` to `last` - 1 to two parts of the sums, `wide` apart. Neighbouring entries are
 * often in the same cluster, and each addition would wait for the one before, so every other entry
 * goes to the second part. */
COB_INLINE void tally_kind(const tallied *t, cobloc_value_kind kind, bool few, bool longs,
                           int64_t e, int64_t last, int wide, void *restrict sums)
{
    for (; e + 1 < last; e += 2) {
        cob_sum_add(sums, longs, cluster_of(t, few, e), cob_entry(kind, t->values, e));
        cob_sum_add(sums, longs, wide + cluster_of(t, few, e + 1),
                    cob_entry(kind, t->values, e + 1));
    }
    if (e < last)
        cob_sum_add(sums, longs, cluster_of(t, few, e), cob_entry(kind, t->values, e));
}

COB_INLINE void tally_in_memory(const tallied *t, bool longs, int64_t e, int64_t last, int wide,
                                void *restrict sums)
{
    if (t->other.few)
        COB_FOR_KIND(t->kind, tally_kind(t, KIND, true, longs, e, last, wide, sums))
    else
        COB_FOR_KIND(t->kind, tally_kind(t, KIND, false, longs, e, last, wide, sums))
}

/* ---- in a register --------------------------------------------------------------------------- */

#ifdef __AVX512BW__
#include <immintrin.h>

/* How many entries ahead to prefetch: one memory page, since the processor's own prefetching stops
 * at its end. */
enum { TALLY_AHEAD = 1024 };
enum { TALLY_LANES = 32, TALLY_ENTRIES = 2048 }; /* few enough for 16 bits, in most tables */

/* 16-bit sums for all clusters in one register: the count of an entry is added in the lane of its
 * cluster. Additions saturate; a sum at the largest value is not known. */
COB_INLINE __m512i add_to_lane(const tallied *t, cobloc_value_kind kind, __m512i sums, int64_t e)
{
    short count = (short)cob_entry(kind, t->values, e);
    return _mm512_mask_adds_epu16(sums, (__mmask32)1 << cluster_of(t, true, e), sums,
                                  _mm512_set1_epi16(count));
}

/* Two sums, since each addition would wait for the one before. */
COB_INLINE __m512i sum_lanes(const tallied *t, cobloc_value_kind kind, int64_t e, int64_t last)
{
    enum { AT_ONCE = 16 };
    __m512i even = _mm512_setzero_si512(), odd = even;
    for (; e + AT_ONCE <= last; e += AT_ONCE) {
        _mm_prefetch((const char *)(t->indices + e + TALLY_AHEAD), _MM_HINT_T0);
#pragma GCC unroll 8
        for (int i = 0; i < AT_ONCE; i += 2) {
            even = add_to_lane(t, kind, even, e + i);
            odd = add_to_lane(t, kind, odd, e + i + 1);
        }
    }
    for (; e + 2 <= last; e += 2) {
        even = add_to_lane(t, kind, even, e);
        odd = add_to_lane(t, kind, odd, e + 1);
    }
    if (e < last)
        even = add_to_lane(t, kind, even, e);
    return _mm512_adds_epu16(even, odd);
}

/* Adds the sums to the counts, or with `begin` replaces them. */
COB_INLINE void store_lanes(__m512i sums, int wide, bool begin, int32_t *counts)
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

/* The sums of entries `first` to `end` - 1 in a register, for few clusters and small counts;
 * returns whether all of them are known. */
COB_INLINE bool tally_in_lanes(const tallied *t, int64_t first, int64_t end, int wide,
                               int32_t *restrict counts)
{
    int64_t e = first, last;
    if (wide > TALLY_LANES || !t->other.few)
        return false;
    do {
        last = end - e < TALLY_ENTRIES ? end : e + TALLY_ENTRIES;
        __m512i sums = t->kind == COBLOC_ONES ? sum_lanes(t, COBLOC_ONES, e, last)
                       : t->kind == COBLOC_U8 ? sum_lanes(t, COBLOC_U8, e, last)
                                              : sum_lanes(t, COBLOC_U16, e, last);
        if (_mm512_cmpeq_epi16_mask(sums, _mm512_set1_epi16(-1)) != 0)
            return false;
        store_lanes(sums, wide, e == first, counts);
        e = last;
    } while (e < end);
    return true;
}

#else

COB_INLINE bool tally_in_lanes(const tallied *t, int64_t first, int64_t end, int wide,
                               int32_t *restrict counts)
{
    (void)t, (void)first, (void)end, (void)wide, (void)counts;
    return false;
}

#endif

#endif
