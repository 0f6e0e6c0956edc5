/* Philox streams.
 * SPDX-License-Identifier: MIT
 */
#include "base/random.h"

#include <Random123/philox.h>

cob_stream cob_stream_at(uint64_t seed, uint32_t restart, uint32_t iteration, uint32_t purpose)
{
    /* The item uses 64 bits of the counter; restart and (iteration, purpose) use the other 64. */
    cob_stream stream = {{(uint32_t)seed, (uint32_t)(seed >> 32)},
                         {restart, iteration << 8 | (purpose & 0xFF)}};
    return stream;
}

void cob_random_words(const cob_stream *stream, uint64_t item, uint32_t words[4])
{
    philox4x32_ctr_t counter = {
        {(uint32_t)item, (uint32_t)(item >> 32), stream->counter[0], stream->counter[1]}};
    philox4x32_key_t key = {{stream->key[0], stream->key[1]}};
    philox4x32_ctr_t drawn = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        words[i] = drawn.v[i];
}

double cob_random_uniform(const cob_stream *stream, uint64_t item)
{
    uint32_t words[4];
    cob_random_words(stream, item, words);
    uint64_t bits = ((uint64_t)words[0] << 32 | words[1]) >> 11;
    return ((double)bits + 0.5) * 0x1p-53;
}

uint32_t cob_random_below(const cob_stream *stream, uint64_t item, uint32_t bound)
{
    /* Scales 64 random bits down: the bias is below 2^-32, and every item takes exactly one draw.
     */
    uint32_t words[4];
    cob_random_words(stream, item, words);
    uint64_t high = (uint64_t)words[0] * bound;
    uint64_t low = (uint64_t)words[1] * bound >> 32;
    return (uint32_t)((high + low) >> 32);
}
