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

/* In how many chunks so many threads should visit all entries: some threads are fast; and what is
 * read from the disk should be read in pieces that are small compared to the memory. */
int cob_chunk_count(const cobloc_view *view, int threads);

/* Under a budget: has entries `first` to `last` - 1, as far as there are any, or those of a chunk
 * read from the disk, in the background. */
void cob_entries_ahead(const cobloc_view *view, int64_t first, int64_t last);
void cob_chunk_ahead(const cobloc_view *view, int c, int chunks);

/* Entries `first` to `last` - 1 will not be visited for a while: gives their pages back, if they
 * are in a file, once there are many of them, or now (`all`). Returns the first that was not. */
int64_t cob_leave_behind(const cobloc_view *view, int64_t first, int64_t last, bool all);

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
