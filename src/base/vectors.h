/* Vectorised loops: one source, compiled for several instruction sets, one of which is chosen when
 * the program starts. No version fuses or reorders operations, so all give the same bits.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_VECTORS_H
#define COB_BASE_VECTORS_H

#include <stdint.h>

/* Before a function: compile it for several instruction sets. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) &&       \
    !defined(__SANITIZE_ADDRESS__)
#define COB_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define COB_CLONES
#endif

/* COB_INLINE: the function is inlined into each version. */
#if defined(__GNUC__)
#define COB_INLINE static inline __attribute__((always_inline))
#define COB_PREFETCH(address) __builtin_prefetch(address)
#else
#define COB_INLINE static inline
#define COB_PREFETCH(address) ((void)0)
#endif

/* Before a loop with independent iterations: otherwise gcc would unroll a short one. */
#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__)
#define COB_SIMD _Pragma("omp simd")
#else
#define COB_SIMD
#endif

/* Runs `call` of an inlined function with COUNT, a constant, among its arguments: a `count` of 1 to
 * 8, or else 0. Loops over so many are then unrolled. */
#define COB_FOR_COUNT(count, call)                                                                 \
    switch (count) {                                                                               \
        COB_WITH_COUNT(case 1, 1, call);                                                           \
        COB_WITH_COUNT(case 2, 2, call);                                                           \
        COB_WITH_COUNT(case 3, 3, call);                                                           \
        COB_WITH_COUNT(case 4, 4, call);                                                           \
        COB_WITH_COUNT(case 5, 5, call);                                                           \
        COB_WITH_COUNT(case 6, 6, call);                                                           \
        COB_WITH_COUNT(case 7, 7, call);                                                           \
        COB_WITH_COUNT(case 8, 8, call);                                                           \
        COB_WITH_COUNT(default, 0, call);                                                          \
    }
#define COB_WITH_COUNT(label, constant, call)                                                      \
    label : {                                                                                      \
        enum { COUNT = constant };                                                                 \
        call;                                                                                      \
    } break

/* The sum of the products of two arrays, always in the same order. */
static inline double cob_inner(const double *restrict a, const double *restrict b, int64_t count)
{
    double sums[4] = {0};
    int64_t c = 0;
    for (; c + 4 <= count; c += 4)
        for (int t = 0; t < 4; t++)
            sums[t] += a[c + t] * b[c + t];
    for (; c < count; c++)
        sums[0] += a[c] * b[c];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

#endif
