/* Terms in alphabetical order, byte by byte, as strcmp would sort their names.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_ORDER_H
#define COB_TEXT_ORDER_H

#include "text/terms.h"

/* Sorts all terms. `best` gives the word that names each single-word term; all its bytes are larger
 * than a blank. */
cobloc_status cob_terms_order(const cob_words *words, const cob_terms *terms, const int32_t *best,
                              int32_t *order, cobloc_error *err);

#endif
