/* A quick look at merges: how much each would cost, but for rounding errors, where the criterion is
 * the sum of B log (B / RC) over blocks. A merge of rows changes that by sums of x log x over two
 * lines of the table alone, which a short logarithm gives for several blocks at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_SCREEN_H
#define COB_ENGINE_SCREEN_H

#include "engine/model.h"

typedef struct cob_screen {
    double *lines; /* the blocks of each cluster of a side, padded with zeros; NULL: not used, */
    double *sums;  /* their sums, */
    double *sizes; /* and how many lines of the matrix they are of */
    size_t wide;
    bool proportions; /* z log z counts as well */
} cob_screen;

/* Whether merges by this model can be looked at so. */
bool cob_can_screen(const cob_model *model, const cob_stats *stats);

cobloc_status cob_screen_alloc(cob_screen *screen, const cob_model *model, int clusters,
                               cobloc_error *err);
void cob_screen_free(cob_screen *screen);

/* Takes what is now, as the side sees it. */
void cob_screen_take(cob_screen *screen, const cob_stats *s);

/* What clusters a and b would be worth as one, or a where b is negative. */
double cob_screen_value(const cob_screen *screen, int a, int b);

/* More than these values may be off together. */
double cob_screen_error(const cob_stats *s);

#endif
