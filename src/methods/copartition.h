/* A co-clustering from any source, to be combined with others.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_COPARTITION_H
#define COB_METHODS_COPARTITION_H

#include "base/fields.h"

typedef struct cobloc_copartition {
    const int32_t *row_labels, *col_labels;
    int paired;
    const char *name;
    int64_t row_count, col_count; /* numbers of labels; 0: not checked against the matrix */
} cobloc_copartition;

extern const cob_type cob_copartition_type;

/* Checks that it has this many rows and columns. */
cobloc_status cob_copartition_check(const cobloc_copartition *given, int64_t rows, int64_t cols,
                                    cobloc_error *err);

#endif
