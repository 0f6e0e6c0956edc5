/* Model "auto", which chooses among models and weights.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_AUTO_H
#define COB_FIT_AUTO_H

#include "fit/fit.h"

/* Fits several models, and hands out the result of the one that the others agree with most. */
cobloc_status cob_fit_auto(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                           cobloc_result **out, cobloc_error *err);

/* The options of one of these fits; false: there are no more. */
bool cob_auto_member(const cobloc_matrix *matrix, const cobloc_fit_options *options, int index,
                     cobloc_fit_options *out);

#endif
