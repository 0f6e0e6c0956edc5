/* Excerpts of documents.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_EXCERPT_H
#define COB_TEXT_EXCERPT_H

#include "matrix/matrix.h"

/* All texts together take at most this many bytes. */
enum { COB_MOST_EXCERPTS = 1 << 28 };

/* Adds the beginning of a document, up to *longest bytes, as one line. *longest is halved as often
 * as it takes for all of them to stay within COB_MOST_EXCERPTS. */
cobloc_status cob_excerpts_add(cob_names *texts, size_t *longest, const char *text, size_t size,
                               cobloc_error *err);

/* Cuts all texts to `longest` bytes. */
void cob_excerpts_cut(cob_names *texts, size_t longest);

/* Whether a matrix has the beginnings of its documents: as texts in memory, packed in files. */
bool cob_matrix_has_excerpts(const cobloc_matrix *matrix);

/* The text that is kept of a row, in new memory for cob_free; NULL if none is. */
cobloc_status cob_excerpt_copy(const cobloc_matrix *matrix, int64_t row, char **text,
                               cobloc_error *err);

/* Copies some of a text to `room`, of `size` bytes: its first sentences or, where the text holds
 * the term, the words around it. Returns the length. */
size_t cob_excerpt_show(const char *text, const char *term, char *room, size_t size);

#endif
