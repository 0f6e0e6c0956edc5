/* Text into words, in lower case: quickly where it is ASCII, by Unicode's rules where not.
 *
 * The text is taken in stretches between ASCII blanks, since no word reaches beyond one. What is
 * plain ASCII goes by rules that agree with Unicode's there (plain.c); any other stretch goes
 * through libunistring.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_TOKEN_H
#define COB_TEXT_TOKEN_H

#include "base/error.h"
#include "text/words.h"

#include <stdbool.h>

/* A run of bytes that is longer is no word, but what an encoder made. */
enum { COB_LONGEST_WORD = 255 };

/* A word: it holds no NUL and 1 to COB_LONGEST_WORD bytes of UTF-8; COB_WORD_SLACK bytes behind it
 * may be read. */
typedef struct cob_token {
    const char *text;
    size_t length;
} cob_token;

/* So many words are handed out at a time, at most: who takes them can fetch what it knows of the
 * next ones while it looks at the first. */
enum { COB_MOST_TOKENS = 128, COB_MOST_ENDS = 64, COB_TOKENS_ROOM = 4096 };

/* Words that follow each other, of one document or several. */
typedef struct cob_batch {
    int count;
    int end_count;           /* of documents that end here, */
    int ends[COB_MOST_ENDS]; /* and each after how many of the words */
    cob_token tokens[COB_MOST_TOKENS];
    size_t used; /* of the room for their bytes */
    char room[COB_TOKENS_ROOM];
} cob_batch;

typedef cobloc_status (*cob_take_fn)(void *context, const cob_batch *batch, cobloc_error *err);

typedef struct cob_tokenizer {
    cobloc_tokens rule;
    cob_take_fn take;
    void *context;         /* of `take` */
    int64_t invalid_bytes; /* seen so far */
    cob_batch batch;       /* that is not full yet; starts with 0 in all of its counts */
} cob_tokenizer;

/* Hands out the words of a text, in order, as soon as they fill a batch. Bytes that are not UTF-8,
 * and NUL, end a word. */
cobloc_status cob_tokenize(cob_tokenizer *tokenizer, const char *text, size_t size,
                           cobloc_error *err);

/* Ends a document. */
cobloc_status cob_tokenizer_end(cob_tokenizer *tokenizer, cobloc_error *err);

/* Hands out what waits. */
cobloc_status cob_tokenizer_flush(cob_tokenizer *tokenizer, cobloc_error *err);

/* ---- inside the tokenizer -------------------------------------------------------------------- */

/* Where the next word may be written, with its slack twice; NULL, with the status in *status, where
 * those that wait could not be handed out. */
static inline char *cob_token_room(cob_tokenizer *t, cobloc_status *status, cobloc_error *err)
{
    if (t->batch.count == COB_MOST_TOKENS ||
        t->batch.used + COB_LONGEST_WORD + 2 * COB_WORD_SLACK > COB_TOKENS_ROOM)
        *status = cob_tokenizer_flush(t, err);
    return *status == COBLOC_OK ? t->batch.room + t->batch.used : NULL;
}

/* Keeps the word that has been written there. */
static inline void cob_token_keep(cob_tokenizer *t, size_t length)
{
    t->batch.tokens[t->batch.count++] = (cob_token){t->batch.room + t->batch.used, length};
    t->batch.used += length;
}

static inline bool cob_is_plain_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

/* The words of a text that is ASCII without NUL (plain.c). */
cobloc_status cob_take_plain(cob_tokenizer *tokenizer, const char *text, size_t size,
                             cobloc_error *err);

/* ---- text and words -------------------------------------------------------------------------- */

/* A word as the tokenizer would have it: in lower case; for the rule `words`, also in normal form.
 * *lower is `room`, or new memory for cob_lowered_free. False: out of memory. The text is UTF-8. */
bool cob_lowered(cobloc_tokens rule, const char *text, size_t size, char *room, size_t room_size,
                 char **lower, size_t *length);
void cob_lowered_free(char *lower, const char *room);

/* The number of characters in UTF-8 text. */
int cob_characters(const char *text, size_t size);

/* True where a character is a letter. */
bool cob_has_letter(const char *word, size_t length);

/* True where the word begins with a character of a script that puts no blanks between words. */
bool cob_stands_alone(const char *word, size_t length);

/* The number of bytes, from `text` on, that are UTF-8 without NUL; `size` where all are. */
size_t cob_valid_bytes(const char *text, size_t size);

#endif
