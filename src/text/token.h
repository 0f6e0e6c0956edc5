/* Text into words, in lower case: quickly where it is ASCII, by Unicode's rules where not.
 *
 * The text is taken in stretches between ASCII blanks, since no word reaches beyond one. A plain
 * stretch is walked byte by byte by rules that agree with Unicode's there; any other goes through
 * libunistring.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_TOKEN_H
#define COB_TEXT_TOKEN_H

#include "base/error.h"

#include <stdbool.h>

/* A run of bytes that is longer is no word, but what an encoder made. */
enum { COB_LONGEST_WORD = 255 };

/* Takes one word, which holds no NUL and 1 to COB_LONGEST_WORD bytes of UTF-8. */
typedef cobloc_status (*cob_word_fn)(void *context, const char *word, size_t length,
                                     cobloc_error *err);

typedef struct cob_tokenizer {
    cobloc_tokens rule;
    cob_word_fn take;
    void *context;         /* of `take` */
    int64_t invalid_bytes; /* seen so far */
} cob_tokenizer;

/* Hands out the words of a text, in order. Bytes that are not UTF-8, and NUL, end a word. */
cobloc_status cob_tokenize(cob_tokenizer *tokenizer, const char *text, size_t size,
                           cobloc_error *err);

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
