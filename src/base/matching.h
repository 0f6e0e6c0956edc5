/* The assignment problem.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_MATCHING_H
#define COB_BASE_MATCHING_H

#include "base/error.h"

#include <stdbool.h>

/* The one-to-one matching of rows and columns of `gain` (rows by cols) with the largest sum.
 * match[i], unless NULL, receives the column of row i, or -1. O(min^2 max). */
cobloc_status cob_best_matching(const double *gain, int rows, int cols, double *sum, int *match,
                                cobloc_error *err);

#endif
