/* What fuzz targets share. With libFuzzer each is a target; with -DREPLAY it is a plain program
 * that reads the files it is given, so that every corpus is also an ordinary test (target.c).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_FUZZ_TARGET_H
#define COBLOC_FUZZ_TARGET_H

#include "cobloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file, what it holds, and an empty folder that a target leaves empty. */
typedef struct input {
    const char *path, *scratch;
    const unsigned char *bytes;
    size_t size;
} input;

/* The target itself: whatever a file holds, this must return. */
void read_input(const input *given);

/* Chooses options. */
static inline int last_byte(const input *given)
{
    return given->size > 0 ? given->bytes[given->size - 1] : 0;
}

static inline void demand(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not sound: %s\n", what);
        abort();
    }
}

/* A failure comes with a sentence and without an object. */
static inline void demand_sentence(cobloc_status status, const void *object,
                                   const cobloc_error *err)
{
    if (status == COBLOC_OK)
        demand(object != NULL, "nothing was made");
    else
        demand(!object && err->status == status && err->message[0], "a failure without a sentence");
}

#endif
