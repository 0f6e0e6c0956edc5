/* The structures that need no model of their own: free and paired column clusters.
 * SPDX-License-Identifier: MIT
 */
#include "engine/structure.h"

#include <math.h>
#include <string.h>

int cob_largest_share(int g, const double *sums, const double *mass)
{
    int best = 0;
    double largest = 0;
    for (int k = 0; k < g; k++) { /* without branches, which nobody could predict */
        double share = sums[k] / (mass[k] > 0 ? mass[k] : INFINITY);
        best = share > largest ? k : best;
        largest = share > largest ? share : largest;
    }
    return best;
}

static int as_many(int g)
{
    return g;
}

static void as_rows(int g, const int *rows, int *cols)
{
    memcpy(cols, rows, (size_t)g * sizeof *cols);
}

static bool same_number(int g, int k, int l, cob_axis of)
{
    (void)g;
    (void)of;
    return k == l;
}

const cob_structure cob_free_columns = {.place = cob_largest_share, .merges = true};

const cob_structure cob_paired_columns = {
    .clusters = as_many,
    .place = cob_largest_share,
    .order = as_rows,
    .together = same_number,
    .paired = true,
    .merges = true,
};
