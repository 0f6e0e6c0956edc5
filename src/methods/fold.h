/* New rows of a factorisation: the row's own coefficients that fit it best, while the components of
 * the columns stay.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_FOLD_H
#define COB_METHODS_FOLD_H

#include "methods/placement.h"

/* Both take the centres for components, scaled so that the largest coefficient tells the cluster;
 * scores are the logarithms of the coefficients' shares. */
extern const cob_placement cob_fold_by_squares;    /* the smallest squared error */
extern const cob_placement cob_fold_by_divergence; /* the smallest Kullback-Leibler divergence */

#endif
