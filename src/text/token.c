/* Splitting text into words.
 * SPDX-License-Identifier: MIT
 */
#include "text/token.h"

#include "base/scan.h"

#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>
#include <uniwbrk.h>

/* A longer stretch without a blank is cut: it is not prose, and would need as much memory again. */
enum { LONGEST_STRETCH = 1 << 14, ROOM = 1024 };

/* ---- handing out ----------------------------------------------------------------------------- */

cobloc_status cob_tokenizer_flush(cob_tokenizer *t, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (t->batch.count > 0 || t->batch.end_count > 0)
        status = t->take(t->context, &t->batch, err);
    t->batch.count = t->batch.end_count = 0;
    t->batch.used = 0;
    return status;
}

cobloc_status cob_tokenizer_end(cob_tokenizer *t, cobloc_error *err)
{
    t->batch.ends[t->batch.end_count++] = t->batch.count;
    return t->batch.end_count == COB_MOST_ENDS ? cob_tokenizer_flush(t, err) : COBLOC_OK;
}

/* ---- Unicode --------------------------------------------------------------------------------- */

bool cob_lowered(cobloc_tokens rule, const char *text, size_t size, char *room, size_t room_size,
                 char **lower, size_t *length)
{
    *length = room_size;
    *lower = (char *)u8_tolower((const uint8_t *)text, size, NULL,
                                rule == COBLOC_TOKENS_WORDS ? UNINORM_NFKC : NULL, (uint8_t *)room,
                                length);
    return *lower != NULL;
}

void cob_lowered_free(char *lower, const char *room)
{
    if (lower != room)
        free(lower); /* allocated by libunistring */
}

static bool is_letter_or_number(ucs4_t c)
{
    return c < 128 ? cob_is_plain_letter((char)c) || cob_is_digit((char)c)
                   : uc_is_general_category_withtable(c, UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_N);
}

static cobloc_status take_word(cob_tokenizer *t, const uint8_t *word, const uint8_t *end,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t length = (size_t)(end - word);
    if (length == 0 || length > COB_LONGEST_WORD)
        return COBLOC_OK;
    char *room = cob_token_room(t, &status, err);
    if (room) {
        memcpy(room, word, length);
        memset(room + length, 0, COB_WORD_SLACK);
        cob_token_keep(t, length);
    }
    return status;
}

/* Runs of two or more letters, digits and underscores. */
static cobloc_status take_runs(cob_tokenizer *t, const uint8_t *p, const uint8_t *end,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const uint8_t *start = p;
    int characters = 0;
    while (p < end && status == COBLOC_OK) {
        ucs4_t c;
        int bytes = u8_mbtouc(&c, p, (size_t)(end - p));
        if (is_letter_or_number(c) || c == '_') {
            characters++;
        } else {
            if (characters >= 2)
                status = take_word(t, start, p, err);
            characters = 0;
            start = p + bytes;
        }
        p += bytes;
    }
    if (characters >= 2 && status == COBLOC_OK)
        status = take_word(t, start, end, err);
    return status;
}

/* The kind of a piece between two of Unicode's word boundaries. */
typedef enum piece_kind { NO_WORD, WORD, ONE_CHARACTER } piece_kind;

/* Scripts without blanks between words have a boundary around every character. */
static bool stands_alone(ucs4_t c)
{
    int property = uc_wordbreak_property(c);
    return c >= 0x0E00 && property != WBP_ALETTER && property != WBP_KATAKANA &&
           property != WBP_NUMERIC && property != WBP_HL &&
           uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Lo);
}

static piece_kind kind_of(const uint8_t *p, const uint8_t *end)
{
    piece_kind kind = NO_WORD;
    for (const uint8_t *start = p; p < end;) {
        ucs4_t c;
        int bytes = u8_mbtouc(&c, p, (size_t)(end - p));
        if (p == start && stands_alone(c))
            return ONE_CHARACTER; /* with its combining marks */
        if (is_letter_or_number(c))
            kind = WORD;
        p += bytes;
    }
    return kind;
}

/* The next apostrophe or colon: unlike Unicode, we split words there. */
static const uint8_t *next_apostrophe(const uint8_t *p, const uint8_t *end)
{
    for (; p < end; p++)
        if (*p == '\'' || *p == ':' || (end - p >= 3 && memcmp(p, "\xE2\x80\x99", 3) == 0))
            break;
    return p;
}

/* Splits a piece at apostrophes. */
static cobloc_status take_parts(cob_tokenizer *t, const uint8_t *p, const uint8_t *end,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    while (p < end && status == COBLOC_OK) {
        const uint8_t *stop = next_apostrophe(p, end);
        if (kind_of(p, stop) == WORD)
            status = take_word(t, p, stop, err);
        p = stop < end ? stop + (*stop < 128 ? 1 : 3) : end;
    }
    return status;
}

/* Characters of such scripts form pairs with their neighbours: a, b and c give ab and bc. */
typedef struct neighbours {
    const uint8_t *first, *last; /* the first and the latest of the run; NULL: none */
} neighbours;

static cobloc_status end_run(cob_tokenizer *t, neighbours *run, const uint8_t *end,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (run->first && run->first == run->last)
        status = take_word(t, run->first, end, err);
    *run = (neighbours){NULL, NULL};
    return status;
}

static cobloc_status take_pieces(cob_tokenizer *t, const uint8_t *text, size_t size,
                                 const char *boundary, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    neighbours run = {NULL, NULL};
    for (size_t at = 0, next; at < size && status == COBLOC_OK; at = next) {
        for (next = at + 1; next < size && !boundary[next];)
            next++;
        if (kind_of(text + at, text + next) == ONE_CHARACTER) {
            if (run.last)
                status = take_word(t, run.last, text + next, err);
            run.last = text + at;
            run.first = run.first ? run.first : run.last;
        } else {
            status = end_run(t, &run, text + at, err);
            if (status == COBLOC_OK)
                status = take_parts(t, text + at, text + next, err);
        }
    }
    return status == COBLOC_OK ? end_run(t, &run, text + size, err) : status;
}

static cobloc_status take_unicode(cob_tokenizer *t, const char *text, size_t size,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char room[ROOM], marks[ROOM], *lower = NULL, *boundary = marks;
    size_t length;
    COB_CHECK(cob_lowered(t->rule, text, size, room, sizeof room, &lower, &length),
              COBLOC_NO_MEMORY, "out of memory");
    if (t->rule == COBLOC_TOKENS_WORD2) {
        status = take_runs(t, (const uint8_t *)lower, (const uint8_t *)lower + length, err);
        goto done;
    }
    if (length > sizeof marks)
        boundary = malloc(length);
    COB_CHECK(boundary, COBLOC_NO_MEMORY, "out of memory");
    u8_wordbreaks((const uint8_t *)lower, length, boundary);
    status = take_pieces(t, (const uint8_t *)lower, length, boundary, err);
done:
    if (boundary != marks)
        free(boundary);
    cob_lowered_free(lower, room);
    return status;
}

/* ---- stretches ------------------------------------------------------------------------------- */

size_t cob_valid_bytes(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        ucs4_t c;
        int bytes = text[at] > 0 ? 1 : u8_mbtoucr(&c, (const uint8_t *)text + at, size - at);
        if (bytes <= 0 || text[at] == '\0')
            break;
        at += (size_t)bytes;
    }
    return at;
}

/* A stretch that is not plain ASCII: its valid parts, with a blank for every invalid byte. */
static cobloc_status take_stretch(cob_tokenizer *t, const char *p, const char *end,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    while (p < end && status == COBLOC_OK) {
        size_t valid = cob_valid_bytes(p, (size_t)(end - p));
        if (valid > 0)
            status = take_unicode(t, p, valid, err);
        p += valid;
        for (; p < end && cob_valid_bytes(p, (size_t)(end - p)) == 0; p++)
            t->invalid_bytes++;
    }
    return status;
}

/* Where to cut a stretch that is too long: before a character, if one starts nearby. */
static const char *cut_before(const char *p)
{
    const char *start = p;
    while (start - p < 3 && ((unsigned char)*p & 0xC0) == 0x80)
        p--;
    return ((unsigned char)*p & 0xC0) == 0x80 ? start : p;
}

/* The length of the longest ASCII prefix without NUL. */
static size_t plain_bytes(const char *text, size_t size)
{
    size_t at = 0;
    for (; size - at >= 64; at += 64) {
        unsigned char other = 0;
        for (size_t i = 0; i < 64; i++)
            other |= (unsigned char)(text[at + i] <= 0);
        if (other)
            break;
    }
    while (at < size && text[at] > 0)
        at++;
    return at;
}

/* The same, up to the last blank if the text continues. */
static size_t plain_stretches(const char *text, size_t size)
{
    size_t most = size < LONGEST_STRETCH ? size : LONGEST_STRETCH, plain = plain_bytes(text, most);
    if (plain < size)
        while (plain > 0 && text[plain - 1] > ' ')
            plain--;
    return plain;
}

static const char *stretch_end(const char *p, const char *end)
{
    const char *most = end - p > LONGEST_STRETCH ? p + LONGEST_STRETCH : end;
    while (p < most && (*p <= 0 || *p > ' '))
        p++;
    return p == most && most < end ? cut_before(p) : p;
}

cobloc_status cob_tokenize(cob_tokenizer *t, const char *text, size_t size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (const char *p = text, *end = text + size; p < end && status == COBLOC_OK;) {
        size_t left = (size_t)(end - p), plain = plain_stretches(p, left);
        const char *stop = plain > 0 ? p + plain : stretch_end(p, end);
        size_t stretch = (size_t)(stop - p);
        if (plain > 0 || plain_bytes(p, stretch) == stretch)
            status = cob_take_plain(t, p, stretch, err);
        else
            status = take_stretch(t, p, stop, err);
        p = stop;
    }
    return status;
}

/* ---- looking at words ------------------------------------------------------------------------ */

int cob_characters(const char *text, size_t size)
{
    int count = 0;
    for (size_t i = 0; i < size; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

bool cob_has_letter(const char *word, size_t length)
{
    const uint8_t *p = (const uint8_t *)word, *end = p + length;
    while (p < end) {
        ucs4_t c;
        int bytes = u8_mbtouc(&c, p, (size_t)(end - p));
        if (c < 128 ? cob_is_plain_letter((char)c)
                    : uc_is_general_category_withtable(c, UC_CATEGORY_MASK_L))
            return true;
        p += bytes;
    }
    return false;
}

bool cob_stands_alone(const char *word, size_t length)
{
    ucs4_t c;
    u8_mbtouc(&c, (const uint8_t *)word, length);
    return stands_alone(c);
}
