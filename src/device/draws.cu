/* Random numbers of a device: Philox4x32-10, as base/random.c takes them from Random123.
 *
 * SPDX-License-Identifier: MIT
 */
#if WITH_HARD || WITH_DRAWS

/* The high word of the product of two words. */
HERE unsigned high_word(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}

/* The first two of the four words of an item. */
HERE void random_words(const unsigned *keys, unsigned restart, unsigned use,
                       unsigned long long item, unsigned *words)
{
    enum { ROUNDS = 10 };
    const unsigned times[2] = {0xd2511f53u, 0xcd9e8d57u}, steps[2] = {0x9e3779b9u, 0xbb67ae85u};
    unsigned word[4] = {(unsigned)item, (unsigned)(item >> 32), restart, use};
    unsigned key[2] = {keys[0], keys[1]};
    for (int round = 0; round < ROUNDS; round++) {
        unsigned first = high_word(times[1], word[2]) ^ word[1] ^ key[0];
        unsigned third = high_word(times[0], word[0]) ^ word[3] ^ key[1];
        word[1] = times[1] * word[2];
        word[3] = times[0] * word[0];
        word[0] = first;
        word[2] = third;
        key[0] += steps[0];
        key[1] += steps[1];
    }
    words[0] = word[0];
    words[1] = word[1];
}
#endif

#if WITH_DRAWS
/* Uniform in (0, 1). */
HERE double uniform_of(const cob_drawing *drawing, unsigned long long item)
{
    unsigned word[2];
    random_words(drawing->key, drawing->counter[0], drawing->counter[1], item, word);
    unsigned long long bits = ((unsigned long long)word[0] << 32 | word[1]) >> 11;
    return ((double)bits + 0.5) * (1.0 / 9007199254740992.0);
}
#endif

