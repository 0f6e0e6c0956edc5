/* A new matrix in terms of a fitted one: its columns found again, its entries weighted as then.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_KNOWN_H
#define COB_FIT_KNOWN_H

#include "fit/saved.h"

/* Makes the rows of `matrix` over the columns of the fit, weighted as these were; what the fit
 * knows nothing of is left out. Fills what the prediction tells of the columns. */
cobloc_status cob_make_known(const cobloc_saved *saved, const cob_algorithm *algorithm,
                             const cobloc_matrix *matrix, cobloc_prediction *told,
                             cobloc_matrix **out, cobloc_error *err);

#endif
