/* What methods of rows alone leave for new rows: the sums of their clusters.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_CENTRES_H
#define COB_FIT_CENTRES_H

#include "fit/fit.h"

/* Columns by clusters: the entries, weighted as they were, summed over the rows of each cluster (by
 * their probabilities, if there are any). NULL for what places new rows by other means. */
cobloc_status cob_centres_of(const cobloc_result *result, const cobloc_matrix *matrix,
                             double **centres, cobloc_error *err);

#endif
