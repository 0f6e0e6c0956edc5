/* Excerpts of documents.
 * SPDX-License-Identifier: MIT
 */
#include "text/excerpt.h"

#include "base/alloc.h"
#include "cobloc/text.h"
#include "text/title.h"
#include "text/token.h"

#include <string.h>

/* ---- keeping --------------------------------------------------------------------------------- */

/* The longest prefix of at most `longest` bytes that ends with a whole character. */
static size_t whole_characters(const char *text, size_t length, size_t longest)
{
    if (length <= longest)
        return length;
    while (longest > 0 && ((unsigned char)text[longest] & 0xC0) == 0x80)
        longest--;
    return longest;
}

void cob_excerpts_cut(cob_names *texts, size_t longest)
{
    size_t to = 0;
    for (int64_t i = 0; i < texts->count; i++) {
        const char *text = texts->bytes + texts->offsets[i];
        size_t length = whole_characters(text, strlen(text), longest);
        texts->offsets[i] = (int64_t)to;
        memmove(texts->bytes + to, text, length);
        texts->bytes[to + length] = '\0';
        to += length + 1;
    }
    texts->size = to;
}

cobloc_status cob_excerpts_add(cob_names *texts, size_t *longest, const char *text, size_t size,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char few[1024], *room = few;
    if (*longest > sizeof few)
        COB_NEW(room, *longest);
    size_t length = size > 0 ? cob_one_line(room, *longest, text, size) : 0;
    COB_TRY(cob_names_add(texts, room, length, err));
    while (texts->size > COB_MOST_EXCERPTS && *longest > 1) {
        *longest /= 2;
        cob_excerpts_cut(texts, *longest);
    }
done:
    if (room != few)
        cob_free(room);
    return status;
}

/* ---- finding --------------------------------------------------------------------------------- */

bool cob_matrix_has_excerpts(const cobloc_matrix *matrix)
{
    return matrix->excerpts.count > 0 || matrix->packed.size > 0;
}

cobloc_status cob_excerpt_copy(const cobloc_matrix *matrix, int64_t row, char **text,
                               cobloc_error *err)
{
    *text = NULL;
    if (matrix->excerpts.count > 0)
        return cob_copy_text(cob_names_get(&matrix->excerpts, row), text, err);
    if (matrix->packed.size == 0 || row < 0 || row >= matrix->rows)
        return COBLOC_OK;
    if (!cob_matrix_is_intact(matrix))
        return cob_fail(err, COBLOC_IO, "%s: was changed while it was in use", matrix->path);
    return cob_unpack(&matrix->packed, row, text, err);
}

/* ---- showing --------------------------------------------------------------------------------- */

static bool is_word_byte(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26 || (unsigned char)(c - '0') < 10 || c < 0;
}

/* Where a word of the text begins like the term's first `length` bytes, whatever the case; `whole`:
 * and ends with them. The text and the term are in lower case. */
static const char *find_word(const char *text, const char *term, size_t length, bool whole)
{
    for (const char *p = text; (p = strstr(p, term)); p++)
        if ((p == text || !is_word_byte(p[-1])) && (!whole || !is_word_byte(p[length])))
            return p;
    return NULL;
}

/* The place of the term in the text: of the word itself, else of one with the same beginning, as
 * words with the same stem have it. -1: nowhere. */
static ptrdiff_t place_of(const char *text, const char *term)
{
    size_t size = strlen(text), length = strlen(term), lower_length;
    char *lower = NULL, stem[COB_LONGEST_WORD + 1];
    const char *found = NULL;
    if (length == 0 || length >= sizeof stem || cob_valid_bytes(text, size) < size ||
        !cob_lowered(COBLOC_TOKENS_WORD2, text, size, NULL, 0, &lower, &lower_length))
        return -1;
    char *copy = cob_alloc(lower_length + 1, 1);
    if (copy) {
        memcpy(copy, lower, lower_length);
        copy[lower_length] = '\0';
        found = find_word(copy, term, length, true);
        size_t kept = length > 6 ? length - 3 : length > 4 ? 4 : length;
        memcpy(stem, term, kept);
        stem[kept] = '\0';
        if (!found)
            found = find_word(copy, stem, kept, false);
    }
    ptrdiff_t place = found ? found - copy : -1;
    cob_free(copy);
    cob_lowered_free(lower, NULL);
    return place > (ptrdiff_t)size ? -1 : place;
}

/* The end of the second sentence, or of the first if that is long enough; the whole length if there
 * is none. */
static size_t sentences_end(const char *text, size_t length)
{
    enum { ENOUGH = 80 };
    int ended = 0;
    for (size_t i = 0; i + 1 < length; i++)
        if (strchr(".?!", text[i]) && text[i + 1] == ' ' && (++ended == 2 || i > ENOUGH))
            return i + 1;
    return length;
}

static const char dots[] = "\xE2\x80\xA6";
enum { DOTS = sizeof dots - 1 };

/* The end of the last whole word in `room` bytes. */
static size_t words_end(const char *text, size_t length, size_t room)
{
    if (length <= room)
        return length;
    size_t end = whole_characters(text, length, room), blank = end;
    while (blank > 0 && text[blank] != ' ')
        blank--;
    return blank > room / 2 ? blank : end;
}

size_t cob_excerpt_show(const char *text, const char *term, char *room, size_t size)
{
    size_t length = strlen(text), start = 0, to = 0;
    ptrdiff_t place = term ? place_of(text, term) : -1;
    if (size < 2 * DOTS + 2) {
        if (size > 0)
            *room = '\0';
        return 0;
    }
    size_t most = size - 1 - 2 * DOTS;
    if (place > 0 && (size_t)place > most / 3) {
        start = (size_t)place - most / 3;
        start = length - start < most && length > most ? length - most : start;
        while (start < (size_t)place && start > 0 && text[start - 1] != ' ')
            start++;
        while (start > 0 && ((unsigned char)text[start] & 0xC0) == 0x80)
            start++;
    }
    size_t shown = place < 0 ? sentences_end(text, length) : length - start;
    shown = words_end(text + start, shown, most);
    if (start > 0) {
        memcpy(room, dots, DOTS);
        to = DOTS;
    }
    memcpy(room + to, text + start, shown);
    to += shown;
    if (start + shown < length) {
        memcpy(room + to, dots, DOTS);
        to += DOTS;
    }
    room[to] = '\0';
    return to;
}

size_t cobloc_matrix_excerpt(const cobloc_matrix *matrix, int64_t row, const char *term, char *room,
                             size_t size)
{
    char *text = NULL;
    size_t length = 0;
    if (size > 0)
        *room = '\0';
    if (cob_excerpt_copy(matrix, row, &text, NULL) == COBLOC_OK && text)
        length = cob_excerpt_show(text, term, room, size);
    cob_free(text);
    return length;
}
