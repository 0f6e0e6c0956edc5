/* Splitting text into lower-case words: fast for ASCII, by Unicode's rules otherwise.
 *
 * Text is processed in stretches between ASCII blanks, since no word contains one. Plain ASCII
 * follows rules that agree with Unicode's (plain.c); any other stretch goes through libunistring.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_TOKEN_H
#define COB_TEXT_TOKEN_H

#include "base/error.h"
#include "text/words.h"

#include <stdbool.h>

/* Longer runs of bytes are not words but encoded data. */
enum { COB_LONGEST_WORD = 255 };

/* A word of 1 to COB_LONGEST_WORD bytes of UTF-8 without NUL. COB_WORD_SLACK bytes after it may be
 * read. */
typedef struct cob_token {
    const char *text;
    size_t length;
} cob_token;

/* Words are handed out in batches of at most this many, so that the receiver can prefetch for later
 * words while it processes the first. */
enum { COB_MOST_TOKENS = 128, COB_MOST_ENDS = 64, COB_TOKENS_ROOM = 4096 };

/* Consecutive words, of one document or several. */
typedef struct cob_batch {
    int count;
    int end_count;           /* number of documents that end in the batch, */
    int ends[COB_MOST_ENDS]; /* and how many words precede each end */
    cob_token tokens[COB_MOST_TOKENS];
    size_t used; /* bytes of words stored */
    char room[COB_TOKENS_ROOM];
} cob_batch;

typedef cobloc_status (*cob_take_fn)(void *context, const cob_batch *batch, cobloc_error *err);

typedef struct cob_tokenizer {
    cobloc_tokens rule;
    cob_take_fn take;
    void *context;         /* for `take` */
    int64_t invalid_bytes; /* seen so far */
    cob_batch batch;       /* being filled; zero-initialised */
} cob_tokenizer;

/* Hands out the words of a text, in order, whenever a batch is full. NUL and bytes that are not
 * UTF-8 end a word. */
cobloc_status cob_tokenize(cob_tokenizer *tokenizer, const char *text, size_t size,
                           cobloc_error *err);

/* Ends a document. */
cobloc_status cob_tokenizer_end(cob_tokenizer *tokenizer, cobloc_error *err);

/* Hands out the words in an incomplete batch. */
cobloc_status cob_tokenizer_flush(cob_tokenizer *tokenizer, cobloc_error *err);

/* ---- inside the tokenizer -------------------------------------------------------------------- */

/* Where to write the next word, with room for twice the slack. NULL, with *status set, if a full
 * batch could not be handed out. */
static inline char *cob_token_room(cob_tokenizer *t, cobloc_status *status, cobloc_error *err)
{
    if (t->batch.count == COB_MOST_TOKENS ||
        t->batch.used + COB_LONGEST_WORD + 2 * COB_WORD_SLACK > COB_TOKENS_ROOM)
        *status = cob_tokenizer_flush(t, err);
    return *status == COBLOC_OK ? t->batch.room + t->batch.used : NULL;
}

/* Adds the word just written there to the batch. */
static inline void cob_token_keep(cob_tokenizer *t, size_t length)
{
    t->batch.tokens[t->batch.count++] = (cob_token){t->batch.room + t->batch.used, length};
    t->batch.used += length;
}

static inline bool cob_is_plain_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

/* Tokenizes ASCII text without NUL (plain.c). */
cobloc_status cob_take_plain(cob_tokenizer *tokenizer, const char *text, size_t size,
                             cobloc_error *err);

/* ---- text and words -------------------------------------------------------------------------- */

/* Converts a word to the tokenizer's form: lower case and, for the rule `words`, normalised. *lower
 * is `room` or new memory for cob_lowered_free. Returns false if out of memory. The text must be
 * UTF-8. */
bool cob_lowered(cobloc_tokens rule, const char *text, size_t size, char *room, size_t room_size,
                 char **lower, size_t *length);
void cob_lowered_free(char *lower, const char *room);

/* The number of characters in UTF-8 text. */
int cob_characters(const char *text, size_t size);

/* Whether any character is a letter. */
bool cob_has_letter(const char *word, size_t length);

/* Whether the word begins with a character of a script without blanks between words. */
bool cob_stands_alone(const char *word, size_t length);

/* The length of the longest prefix that is UTF-8 without NUL. */
size_t cob_valid_bytes(const char *text, size_t size);

#endif
