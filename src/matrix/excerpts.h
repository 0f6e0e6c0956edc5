/* The beginnings of documents, kept beside the matrix that counts their words: as texts in memory,
 * compressed in blocks of rows in files.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_EXCERPTS_H
#define COB_MATRIX_EXCERPTS_H

#include "matrix/matrix.h"

/* Rows of a compressed block, and the most bytes that one can expand to. */
enum { COB_EXCERPT_ROWS = 64, COB_EXCERPT_BLOCK = 1 << 27 };

static inline int64_t cob_excerpt_blocks(int64_t rows)
{
    return (rows + COB_EXCERPT_ROWS - 1) / COB_EXCERPT_ROWS;
}

bool cob_matrix_has_excerpts(const cobloc_matrix *matrix);

/* The text that is kept of a row, in new memory for cob_free; NULL if none is. */
cobloc_status cob_excerpt_copy(const cobloc_matrix *matrix, int64_t row, char **text,
                               cobloc_error *err);

/* Compresses the texts of all rows; the caller frees `offsets` and `bytes` with cob_free. The bytes
 * of a block are those from its offset to the next one: the size of its texts, four bytes with the
 * lowest first, then these, each ended by a NUL, as zlib compresses them. */
cobloc_status cob_excerpts_pack(const cob_names *texts, int threads, cob_packed *out,
                                cobloc_error *err);
void cob_packed_free(cob_packed *packed);

#endif
