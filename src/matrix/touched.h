/* The clusters of the other side that a line touches, of many: those of its sums that are not 0.
 * Included by files that are compiled for several processors.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_TOUCHED_H
#define COB_MATRIX_TOUCHED_H

#include "matrix/lines.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

typedef struct touched {
    int count;
    int32_t *clusters;
    double *sums;
} touched;

#ifdef __AVX512F__
/* Sixteen counts, which have a unit of 1, at a time. What is written behind the last is no more
 * than these: there is room for the sums of several lines. */
COB_INLINE void find_counts(const int32_t *sums, int from, touched *t)
{
    enum { AT_ONCE = 16 };
    __m512i place = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int first = 0; first < from; first += AT_ONCE) {
        int rest = from - first;
        __mmask16 used = (__mmask16)(rest < AT_ONCE ? (1 << rest) - 1 : 0xffff);
        __m512i some = _mm512_maskz_loadu_epi32(used, sums + first);
        __mmask16 any = _mm512_test_epi32_mask(some, some);
        __m512i counts = _mm512_maskz_compress_epi32(any, some);
        _mm512_storeu_si512(t->clusters + t->count, _mm512_maskz_compress_epi32(any, place));
        _mm512_storeu_pd(t->sums + t->count, _mm512_cvtepi32_pd(_mm512_castsi512_si256(counts)));
        _mm512_storeu_pd(t->sums + t->count + AT_ONCE / 2,
                         _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(counts, 1)));
        t->count += __builtin_popcount(any);
        place = _mm512_add_epi32(place, _mm512_set1_epi32(AT_ONCE));
    }
}

/* Eight sums of 64 bits. */
COB_INLINE void find_longs(const int64_t *sums, const double *units, int from, touched *t)
{
    enum { AT_ONCE = 8 };
    __m512i place = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int first = 0; first < from; first += AT_ONCE) {
        int rest = from - first;
        __mmask8 used = (__mmask8)(rest < AT_ONCE ? (1 << rest) - 1 : 0xff);
        __m512i some = _mm512_maskz_loadu_epi64(used, sums + first);
        __mmask8 any = _mm512_test_epi64_mask(some, some);
        __m512d unit = _mm512_maskz_loadu_pd(used, units + first);
        __m512d real = _mm512_mul_pd(_mm512_cvtepi64_pd(some), unit);
        _mm512_storeu_si512(t->clusters + t->count, _mm512_maskz_compress_epi32(any, place));
        _mm512_storeu_pd(t->sums + t->count, _mm512_maskz_compress_pd(any, real));
        t->count += __builtin_popcount(any);
        place = _mm512_add_epi32(place, _mm512_set1_epi32(AT_ONCE));
    }
}
#endif

/* Most are 0, so several are looked at together; the last of these are padding. */
COB_INLINE touched find_touched(const cob_hard *h, const void *sums, bool longs, double *room)
{
    int from = h->pass->from, wide = cob_wide(from);
    touched t = {0, (int32_t *)(void *)(room + 2 * wide), room};
#ifdef __AVX512F__
    if (longs)
        find_longs(sums, h->units, from, &t);
    else
        find_counts(sums, from, &t);
#else
    enum { AT_ONCE = 4 };
    for (int first = 0; first < from; first += AT_ONCE) {
        int last = first + AT_ONCE < from ? first + AT_ONCE : from;
        int64_t any = 0;
        for (int l = first; l < first + AT_ONCE; l++)
            any |= cob_sum_get(sums, longs, l);
        for (int l = first; any != 0 && l < last; l++) {
            int64_t sum = cob_sum_get(sums, longs, l);
            t.clusters[t.count] = l;
            t.sums[t.count] = (double)sum * h->units[l];
            t.count += sum != 0;
        }
    }
#endif
    return t;
}

#endif
