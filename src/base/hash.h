/* A fast hash of short texts. It may change between versions: never write it to a file.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_HASH_H
#define COB_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t cob_load8(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

/* The first `length` bytes (one to eight) as one number, padded with zeros. Eight bytes are read.
 */
static inline uint64_t cob_load_first(const char *text, size_t length)
{
    uint64_t word = cob_load8(text);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return word & UINT64_MAX >> (64 - 8 * length);
#else
    memset((char *)&word + length, 0, sizeof word - length);
    return word;
#endif
}

/* All bytes of a text of up to eight bytes as one number; different texts of the same length give
 * different numbers. */
static inline uint64_t cob_load_short(const char *text, size_t length)
{
    uint32_t first = 0, last = 0;
    if (length >= 4) {
        memcpy(&first, text, 4);
        memcpy(&last, text + length - 4, 4);
    } else if (length > 0) {
        first = (uint32_t)(unsigned char)text[0] << 16 |
                (uint32_t)(unsigned char)text[length / 2] << 8 | (unsigned char)text[length - 1];
    }
    return (uint64_t)first << 32 | last;
}

static inline uint64_t cob_hash_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 32;
}

/* Hashes eight bytes at a time; the last eight overlap those before if the length is not a multiple
 * of eight. */
static inline uint32_t cob_hash_bytes(const char *text, size_t length)
{
    uint64_t hash = length;
    for (size_t i = 0; i + 8 < length; i += 8)
        hash = cob_hash_mix(hash, cob_load8(text + i));
    hash = cob_hash_mix(hash,
                        length > 8 ? cob_load8(text + length - 8) : cob_load_short(text, length));
    return (uint32_t)(cob_hash_mix(hash, 0x9E3779B97F4A7C15u) >> 32);
}

#endif
