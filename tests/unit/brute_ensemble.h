/* Collections of co-clusterings for the tests of what joins them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef BRUTE_ENSEMBLE_H
#define BRUTE_ENSEMBLE_H

#include "brute.h"

#include "methods/ensemble.h"

enum { MOST_MEMBERS = 12 };

typedef struct collection {
    int count;
    int32_t rows[MOST_MEMBERS][MOST_LINES], cols[MOST_MEMBERS][MOST_LINES];
    cobloc_copartition list[MOST_MEMBERS];
} collection;

/* Co-clusterings near the planted one: some lines elsewhere, some in no cluster. */
static inline void make_collection(dice *dc, collection *c, int count, int n, int d)
{
    c->count = count;
    for (int m = 0; m < count; m++) {
        int g = 2 + roll_below(dc, 4);
        for (int i = 0; i < n; i++)
            c->rows[m][i] = roll(dc) < 0.6 ? i * g / n : roll_below(dc, g + 1) - 1;
        for (int j = 0; j < d; j++)
            c->cols[m][j] = roll(dc) < 0.6 ? j * g / d : roll_below(dc, g + 1) - 1;
        c->rows[m][0] = c->cols[m][0] = 0;
        c->list[m] =
            (cobloc_copartition){.row_labels = c->rows[m], .col_labels = c->cols[m], .paired = 1};
    }
}

static inline int members_of(const int32_t *labels, int count, int cluster)
{
    int members = 0;
    for (int i = 0; i < count; i++)
        members += labels[i] == cluster;
    return members;
}

static inline table full_table(dice *dc, int n, int d)
{
    table t = planted_table(dc, n, d, 3, 0.6, 0.2);
    for (int i = 0; i < n; i++) /* no line is empty, and all differ */
        for (int j = 0; j < d; j++)
            t.x[i * d + j] += i % d == j || j % n == i ? 1 + i : 0;
    take_margins(&t);
    return t;
}

#endif
