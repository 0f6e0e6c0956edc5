/* Phrases: pairs of words that stand together far more often than chance would have it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_PHRASES_H
#define COB_TEXT_PHRASES_H

#include "base/names.h"
#include "text/options.h"

/* A pair must occur this often, in this many documents, with this NPMI (Bouma 2009),
 *
 *     log(p(ab) / (p(a) p(b))) / -log p(ab),
 *
 * where p are shares of all words that count. 1: the words only occur together; 0: as by chance. */
enum { COB_PHRASE_COUNT = 10, COB_PHRASE_DOCUMENTS = 3 };
#define COB_PHRASE_NPMI 0.5

/* Counts the documents by these options: cob_text_read or cob_text_count. */
typedef cobloc_status (*cob_text_fn)(const void *documents, const cobloc_text_options *options,
                                     cobloc_matrix **out, cobloc_text_info *info,
                                     cobloc_error *err);

/* As `count`. If the options ask for phrases and do not name them, the documents are counted twice:
 * first to find the phrases. */
cobloc_status cob_with_phrases(cob_text_fn count, const void *documents,
                               const cobloc_text_options *options, cobloc_matrix **out,
                               cobloc_text_info *info, cobloc_error *err);

/* The phrases among the columns of a matrix that counts words and pairs of words. */
cobloc_status cob_phrases_find(const cobloc_matrix *counts, cob_names *phrases, cobloc_error *err);

#endif
