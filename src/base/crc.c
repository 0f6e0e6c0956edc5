/* CRC-32 by products of polynomials.
 *
 * The checksum is the rest of the bytes, as a polynomial over GF(2), divided by another one. Moving
 * 64 bytes on multiplies them by x^512, and what has the same rest may stand for that: so 64 bytes
 * are folded onto the next 64, until 64 are left that have the checksum of all. See Gopal et al.,
 * "Fast CRC computation for generic polynomials using PCLMULQDQ instruction" (Intel, 2009).
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/crc.h"

#include <zlib.h>

static uint32_t by_table(uint32_t crc, const unsigned char *bytes, size_t count)
{
    enum { MOST = 1 << 30 };
    for (size_t some; count > 0; bytes += some, count -= some) {
        some = count < MOST ? count : MOST;
        crc = (uint32_t)crc32(crc, bytes, (uInt)some);
    }
    return crc;
}

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>

enum { FOLDED = 64, LANES = FOLDED / (int)sizeof(__m128i) };

/* They move the two halves of 16 bytes on by 64 bytes: the rests of x^544 and x^480, whose bits
 * stand in the order of those of the bytes, the highest power first. */
static const long long EARLIER_HALF = 0x154442bd4, LATER_HALF = 0x1c6e41596;

/* At least FOLDED bytes. */
__attribute__((target("pclmul"))) static uint32_t
by_products(uint32_t crc, const unsigned char *bytes, size_t count)
{
    const __m128i factors = _mm_set_epi64x(LATER_HALF, EARLIER_HALF);
    __m128i folded[LANES];
    for (int i = 0; i < LANES; i++)
        folded[i] = _mm_loadu_si128((const __m128i *)(const void *)bytes + i);
    folded[0] = _mm_xor_si128(folded[0], _mm_cvtsi32_si128((int)~crc));
    for (bytes += FOLDED, count -= FOLDED; count >= FOLDED; bytes += FOLDED, count -= FOLDED)
        for (int i = 0; i < LANES; i++) {
            __m128i earlier = _mm_clmulepi64_si128(folded[i], factors, 0x00);
            __m128i later = _mm_clmulepi64_si128(folded[i], factors, 0x11);
            __m128i next = _mm_loadu_si128((const __m128i *)(const void *)bytes + i);
            folded[i] = _mm_xor_si128(_mm_xor_si128(earlier, later), next);
        }
    const uint32_t nothing = UINT32_MAX; /* zlib inverts it: the folded bytes begin with 0 */
    return by_table(by_table(nothing, (const unsigned char *)folded, FOLDED), bytes, count);
}

uint32_t cob_crc32(uint32_t crc, const void *bytes, size_t count)
{
    enum { WORTH_FOLDING = 4 * FOLDED };
    if (count < WORTH_FOLDING || !__builtin_cpu_supports("pclmul"))
        return by_table(crc, bytes, count);
    return by_products(crc, bytes, count);
}
#else
uint32_t cob_crc32(uint32_t crc, const void *bytes, size_t count)
{
    return by_table(crc, bytes, count);
}
#endif
