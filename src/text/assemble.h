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

#endif
