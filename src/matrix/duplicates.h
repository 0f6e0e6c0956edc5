/* Entries that were given more than once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_DUPLICATES_H
#define COB_MATRIX_DUPLICATES_H

#include "matrix/matrix.h"

/* Whether equal indices stand side by side in any of the (sorted) lines. */
int cob_has_duplicates(const cob_side *side, int64_t major, int threads);

/* Sums them; the values may need another kind afterwards. */
cobloc_status cob_sum_duplicates(cob_side *side, int64_t major, cobloc_value_kind *kind,
                                 cobloc_error *err);

#endif
