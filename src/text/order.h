/* The order of terms by the alphabet, byte by byte, as strcmp would sort their names.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_ORDER_H
#define COB_TEXT_ORDER_H

#include "text/terms.h"

/* Puts all terms in order. `best`: of each term of one word, the word it is called by, of which
 * every byte is above that of a blank. */
cobloc_status cob_terms_order(const cob_words *words, const cob_terms *terms, const int32_t *best,
                              int32_t *order, cobloc_error *err);

#endif
