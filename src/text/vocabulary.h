/* From the terms of all counters to the columns of a matrix.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_VOCABULARY_H
#define COB_TEXT_VOCABULARY_H

#include "text/counter.h"

typedef struct cob_vocabulary {
    cob_names names;  /* of the columns */
    int32_t **column; /* by counter and term; -1: not a column */
    int counters;
} cob_vocabulary;

void cob_vocabulary_free(cob_vocabulary *vocabulary);

/* Chooses the columns according to the settings, and counts in `info` what was dropped. */
cobloc_status cob_vocabulary_make(cob_counter *counters, int count, int64_t documents,
                                  cob_vocabulary *vocabulary, cobloc_text_info *info,
                                  cobloc_error *err);

#endif
