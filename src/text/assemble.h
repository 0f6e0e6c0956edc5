/* The last step from text to a matrix: documents in order as rows, terms as columns.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_ASSEMBLE_H
#define COB_TEXT_ASSEMBLE_H

#include "text/counter.h"

/* Makes the matrix with its names, labels and settings, and completes `info`. `where` is the
 * corpus's name in messages. */
cobloc_status cob_assemble(const cob_settings *settings, cob_counter *counters, int count,
                           const char *where, cobloc_matrix **out, cobloc_text_info *info,
                           cobloc_error *err);

/* ---- from the terms of all counters to columns (vocabulary.c) -------------------------------- */

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
