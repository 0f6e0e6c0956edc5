/* Counter-based random numbers: Philox4x32-10 of Random123, a function rather than a sequence. The
 * number at (seed, restart, iteration, item) does not depend on the thread or on the order of
 * calls.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_RANDOM_H
#define COB_BASE_RANDOM_H

#include <stdint.h>

/* All numbers of one (seed, restart, iteration, purpose). `purpose`, below 256, separates the
 * different uses of random numbers within an iteration. */
typedef struct cob_stream {
    uint32_t key[2];
    uint32_t counter[2];
} cob_stream;

cob_stream cob_stream_at(uint64_t seed, uint32_t restart, uint32_t iteration, uint32_t purpose);

/* The four 32-bit words of an item. */
void cob_random_words(const cob_stream *stream, uint64_t item, uint32_t words[4]);

/* Uniform in (0, 1), 53 bits, never 0 or 1. */
double cob_random_uniform(const cob_stream *stream, uint64_t item);

/* Uniform in 0 .. bound - 1; bound > 0. */
uint32_t cob_random_below(const cob_stream *stream, uint64_t item, uint32_t bound);

#endif
