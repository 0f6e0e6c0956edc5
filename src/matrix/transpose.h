/* From one orientation of a sparse matrix to the other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_TRANSPOSE_H
#define COB_MATRIX_TRANSPOSE_H

#include "matrix/matrix.h"

#include <stdbool.h>

/* The first of `major` lines in chunk `c` of `chunks`: about as many entries and lines in each. */
int64_t cob_chunk_begin(const int64_t *offsets, int64_t major, int c, int chunks);

/* Under a budget: has the entries of that chunk read from the disk, in the background. */
void cob_chunk_ahead(const cobloc_view *view, int c, int chunks);

/* Fills `to` (allocated for `minor` lines and the same number of entries) from `from`, which has
 * `major` lines. The indices within each line of `to` increase. `sorted`: those of `from` do, too,
 * which is faster. O(nnz + threads * minor). */
cobloc_status cob_transpose(const cob_side *from, int64_t major, int64_t minor, bool sorted,
                            cobloc_value_kind kind, int threads, cob_side *to, cobloc_error *err);

/* The same for lines that are larger than memory: every write goes to one of few places. */
cobloc_status cob_transpose_on_disk(const cob_side *from, int64_t major, int64_t minor,
                                    cobloc_value_kind kind, int threads, cob_side *to,
                                    cobloc_error *err);

#endif
