/* The innermost loops: the entries of one line, summed over the clusters of the other side.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_SUMS_H
#define COB_MATRIX_SUMS_H

#include "cobloc.h"

enum {
    COB_FEW_CLUSTERS = 256, /* labels of a byte */
    COB_PACKED = 4          /* sums of 16 bits in one register */
};

/* totals[l] = the entries of a line in cluster l of `from`; `partial` has room for twice as many.
 */
void cob_sum_numbers(const cobloc_view *view, int64_t line, const int32_t *labels, int from,
                     double *partial, double *totals);

/* The same for counts of at most 16 bits, lines up to cob_longest_of_counts and few clusters. */
void cob_sum_counts(const cobloc_view *view, int64_t line, const uint8_t *labels, int from,
                    int32_t *partial, double *totals);

/* The longest line whose counts surely add up to an int32_t. */
int64_t cob_longest_of_counts(cobloc_value_kind kind);

/* The same for counts of a byte, lines up to cob_longest_of_counts and COB_PACKED clusters at most:
 * as counts, COB_PACKED of them, and as numbers. */
void cob_count_packed(const cobloc_view *view, int64_t line, const uint8_t *labels, int32_t *sums);
void cob_sum_packed(const cobloc_view *view, int64_t line, const uint8_t *labels, int from,
                    double *totals);

#endif
