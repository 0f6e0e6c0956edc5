/* Tokenizing ASCII text, 64 bytes at a time.
 * SPDX-License-Identifier: MIT
 */
#include "base/hash.h"
#include "base/scan.h"
#include "text/token.h"

/* One bit for each of 64 bytes: whether it is a letter, a digit or an underscore. */
static inline uint64_t word_bits(const char *text)
{
    unsigned char is_part[64];
    uint64_t bits = 0;
    for (int i = 0; i < 64; i++) {
        unsigned char c = (unsigned char)text[i], lower = c | 0x20;
        is_part[i] =
            ((unsigned char)(lower - 'a') < 26) | ((unsigned char)(c - '0') < 10) | (c == '_');
    }
    for (int i = 0; i < 8; i++) { /* the product gathers the lowest bit of each of eight bytes */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        bits |= (cob_load8((const char *)is_part + 8 * i) * 0x0102040810204080u >> 56) << (8 * i);
#else
        for (int k = 0; k < 8; k++)
            bits |= (uint64_t)is_part[8 * i + k] << (8 * i + k);
#endif
    }
    return bits;
}

/* Converts eight bytes of ASCII to lower case. */
static inline uint64_t lower_eight(uint64_t x)
{
    uint64_t from_a = x + 0x3F3F3F3F3F3F3F3Fu, beyond_z = x + 0x2525252525252525u;
    return x | (from_a & ~beyond_z & 0x8080808080808080u) >> 2;
}

/* A plain text, and a word that is held back until it is clear that it ends. */
typedef struct plain_text {
    const char *end;
    const char *start, *stop; /* of the word; NULL: no word */
} plain_text;

/* Whether a word contains anything but underscores. */
static bool has_more(const char *p, const char *stop)
{
    while (p < stop && *p == '_')
        p++;
    return p < stop;
}

static inline cobloc_status take_plain_word(cob_tokenizer *t, plain_text *plain, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *start = plain->start;
    size_t length = (size_t)(plain->stop - start), i = 0;
    plain->start = NULL;
    if (length > COB_LONGEST_WORD || (t->rule == COBLOC_TOKENS_WORD2 && length < 2) ||
        (t->rule != COBLOC_TOKENS_WORD2 && *start == '_' && !has_more(start, plain->stop)))
        return COBLOC_OK;
    char *word = cob_token_room(t, &status, err);
    if (!word)
        return status;
    if (plain->end - plain->stop < 8)
        start = memcpy(word, start, length); /* reads nothing beyond the text */
    do {
        uint64_t lower = lower_eight(cob_load8(start + i));
        memcpy(word + i, &lower, sizeof lower);
        i += 8;
    } while (i < length);
    cob_token_keep(t, length);
    return COBLOC_OK;
}

/* For the rule `words`: a full stop between letters or digits joins them, as does a comma or a
 * semicolon between digits. */
static bool joins(const char *p)
{
    if (cob_is_digit(p[-1]) && cob_is_digit(p[1]))
        return *p == '.' || *p == ',' || *p == ';';
    return *p == '.' && cob_is_plain_letter(p[-1]) && cob_is_plain_letter(p[1]);
}

static inline cobloc_status take_run(cob_tokenizer *t, plain_text *plain, const char *start,
                                     const char *stop, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (plain->start && t->rule != COBLOC_TOKENS_WORD2 && start == plain->stop + 1 &&
        joins(plain->stop)) {
        plain->stop = stop;
        return status;
    }
    if (plain->start)
        status = take_plain_word(t, plain, err);
    plain->start = start;
    plain->stop = stop;
    return status;
}

/* The bits of the last bytes from `at` on, fewer than 64. Reads nothing beyond the text. */
static uint64_t last_bits(const char *text, size_t at, size_t size)
{
    size_t left = size - at;
    if (left == 0)
        return 0;
    if (size >= 64)
        return word_bits(text + size - 64) >> (64 - left);
    char padded[64] = {0};
    memcpy(padded, text, size);
    return word_bits(padded);
}

/* Walks from one end of a run of word bytes to the next. */
cobloc_status cob_take_plain(cob_tokenizer *t, const char *text, size_t size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    plain_text plain = {.end = text + size};
    const char *start = NULL;
    uint64_t inside = 0;
    for (size_t at = 0; at <= size; at += 64) {
        uint64_t bits = size - at < 64 ? last_bits(text, at, size) : word_bits(text + at);
        uint64_t edges = bits ^ (bits << 1 | inside);
        inside = bits >> 63;
        for (; edges; edges &= edges - 1) {
            const char *edge = text + at + __builtin_ctzll(edges);
            if (start)
                COB_TRY(take_run(t, &plain, start, edge, err));
            start = start ? NULL : edge;
        }
    }
    if (plain.start)
        status = take_plain_word(t, &plain, err);
done:
    return status;
}
