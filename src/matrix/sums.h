/* The innermost loops: sums of a line's entries over the clusters of the other side.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_SUMS_H
#define COB_MATRIX_SUMS_H

#include "cobloc.h"

enum {
    COB_FEW_CLUSTERS = 256, /* labels fit into a byte */
    COB_PACKED = 4          /* 16-bit sums fit into one register */
};

/* totals[l] = the sum of a line's entries in cluster l of `from`; `partial` is scratch for twice as
 * many. */
void cob_sum_numbers(const cobloc_view *view, int64_t line, const int32_t *labels, int from,
                     double *partial, double *totals);

/* The same for counts of at most 16 bits, lines up to cob_longest_of_counts and few clusters. */
void cob_sum_counts(const cobloc_view *view, int64_t line, const uint8_t *labels, int from,
                    int32_t *partial, double *totals);

/* The longest line whose counts are sure to add up to an int32_t. */
int64_t cob_longest_of_counts(cobloc_value_kind kind);

/* The same for one-byte counts, lines up to cob_longest_of_counts and at most COB_PACKED clusters:
 * as COB_PACKED counts, and as doubles. */
void cob_count_packed(const cobloc_view *view, int64_t line, const uint8_t *labels, int32_t *sums);
void cob_sum_packed(const cobloc_view *view, int64_t line, const uint8_t *labels, int from,
                    double *totals);

#endif
