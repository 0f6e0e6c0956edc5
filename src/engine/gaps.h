/* Clusters that were merged into others leave gaps: their numbers are not used any more, until the
 * gaps are closed and all numbers above them move down.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_GAPS_H
#define COB_ENGINE_GAPS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cob_gaps {
    bool *is;   /* of each number, whether it is a gap; */
    int *where; /* and the gaps, in order, */
    int count;  /* so many */
} cob_gaps;

/* For so many numbers. */
cobloc_status cob_gaps_alloc(cob_gaps *gaps, int numbers, cobloc_error *err);
void cob_gaps_free(cob_gaps *gaps);

void cob_gaps_add(cob_gaps *gaps, int number);
/* There are none any more. */
void cob_gaps_clear(cob_gaps *gaps);

/* The number that one has without the gaps; it is not a gap itself. */
int cob_number_without(const cob_gaps *gaps, int number);

/* Copies so many things, each `width` bytes, without those in gaps; to where they are from, or to a
 * place before it. */
void cob_copy_without(const cob_gaps *gaps, const void *from, size_t width, int count, void *to);

#endif
