/* What somebody may have meant who typed a name that does not exist.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_GUESS_H
#define COB_BASE_GUESS_H

#include "cobloc.h"

typedef struct cob_guess {
    const char *word; /* what was typed, */
    size_t length;    /* so many bytes of it */
    const char *best; /* the name that is nearest so far; NULL: none is near */
    int apart;        /* by so many letters */
} cob_guess;

cob_guess cob_guess_begin(const char *word, size_t length);
void cob_guess_try(cob_guess *guess, const char *name);

/* "; did you mean 'NAME'?", or nothing, in `text`, which is returned. */
enum { COB_GUESS_ROOM = 96 };
const char *cob_guess_text(const cob_guess *guess, char text[COB_GUESS_ROOM]);

#endif
