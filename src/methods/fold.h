/* New rows of a factorisation: finds the coefficients that fit the row best, while the components
 * of the columns stay fixed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_FOLD_H
#define COB_METHODS_FOLD_H

#include "methods/placement.h"

/* Both use the centres as components, scaled so that the largest coefficient gives the cluster. The
 * scores are the logarithms of the coefficients' shares. */
extern const cob_placement cob_fold_by_squares;    /* the smallest squared error */
extern const cob_placement cob_fold_by_divergence; /* the smallest Kullback-Leibler divergence */

#endif
