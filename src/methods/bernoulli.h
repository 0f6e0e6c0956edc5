/* One column in one cluster of a mixture of Bernoullis.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_BERNOULLI_H
#define COB_METHODS_BERNOULLI_H

#include <math.h>

/* Rows with, and as many without, that every cluster has seen before. */
#define COB_BERNOULLI_PRIOR 1.0

/* What rows and prior say of a column in a cluster of `size` rows, `with` of which have it. */
typedef struct cob_cell {
    double logit, log_without, value;
} cob_cell;

static inline cob_cell cob_cell_of(double with, double size)
{
    const double prior = COB_BERNOULLI_PRIOR;
    double without = size - with > 0 ? size - with : 0; /* rounding */
    double all = log(size + 2 * prior), yes = log(with + prior) - all,
           no = log(without + prior) - all;
    return (cob_cell){yes - no, no, (with + prior) * yes + (without + prior) * no};
}

#endif
