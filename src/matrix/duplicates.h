/* Entries that were given more than once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_DUPLICATES_H
#define COB_MATRIX_DUPLICATES_H

#include "matrix/matrix.h"

/* Whether any (sorted) line has equal neighbouring indices. */
int cob_has_duplicates(const cob_side *side, int64_t major, int threads);

/* Sums them; the values may need another kind afterwards. */
cobloc_status cob_sum_duplicates(cob_side *side, int64_t major, cobloc_value_kind *kind,
                                 cobloc_error *err);

#endif
