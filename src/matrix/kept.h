/* Entries of lines that other ranks have, kept from one pass to the next: most lines that move
 * after the first passes have moved before. Of a line, only what is in this rank's own lines is
 * kept, as passes have it, in as few bytes as tell these lines apart.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_KEPT_H
#define COB_MATRIX_KEPT_H

#include "base/parallel.h"
#include "base/ranks.h"
#include "matrix/values.h"

#include <stdbool.h>

typedef struct cob_kept {
    int32_t *at;        /* of each line: where it is, in words of `memory`; 0: not kept */
    uint32_t *memory;   /* of each kept line: how many entries, their indices, and their values */
    int64_t used, room; /* words */
    int64_t lines;
    bool full; /* a line had no room */
} cob_kept;

/* For so many lines, in at most so many bytes. */
cobloc_status cob_kept_alloc(cob_kept *kept, int64_t lines, double bytes, cobloc_error *err);
void cob_kept_free(cob_kept *kept);

/* If a line had no room, forgets all others: those that move now will move again sooner than those
 * that moved long ago. */
void cob_kept_renew(cob_kept *kept);

static inline bool cob_keeps(const cob_kept *kept, int64_t line)
{
    return kept->at[line] != 0;
}

/* Soon, a line may be asked for. */
static inline void cob_kept_ahead(const cob_kept *kept, int64_t line)
{
    COB_PREFETCH(kept->memory + kept->at[line]);
}

/* How many entries a kept line has. */
static inline int64_t cob_kept_count(const cob_kept *kept, int64_t line)
{
    return kept->memory[kept->at[line]];
}

/* Keeps a line, if there is room, by its entries, all of which are in lines `own`. */
void cob_kept_put(cob_kept *kept, int64_t line, cob_between own, cob_between entries,
                  const int32_t *indices, const void *values, size_t width);

/* The entries of a kept line, from place `to` on. */
void cob_kept_take(const cob_kept *kept, int64_t line, cob_between own, int64_t to,
                   int32_t *indices, void *values, size_t width);

#endif
