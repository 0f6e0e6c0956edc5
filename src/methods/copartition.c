/* The fields of a co-clustering.
 * SPDX-License-Identifier: MIT
 */
#include "methods/copartition.h"

#define S cobloc_copartition
static const cob_named_field copartition[] = {
    COB_TEXT(name, "Where it comes from."),
    COB_INTS(row_labels, row_count, "Cluster of each row; -1: none."),
    COB_INTS(col_labels, col_count,
             "Cluster of each column. If missing, columns join the row "
             "cluster that holds their largest share."),
    COB_FLAG(paired, "Row cluster k belongs to column cluster k; 0: the pairs are found in the "
                     "matrix."),
};
const cob_type cob_copartition_type = COB_TYPE("a co-clustering", COB_PART, copartition);
#undef S

cobloc_status cob_copartition_check(const cobloc_copartition *given, int64_t rows, int64_t cols,
                                    cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(given->row_labels && (given->row_count == 0 || given->row_count == rows) &&
                  (given->col_count == 0 || given->col_count == cols),
              COBLOC_BAD_ARGUMENT,
              "a co-clustering has %lld row labels and %lld column labels, expected %lld and %lld",
              (long long)given->row_count, (long long)given->col_count, (long long)rows,
              (long long)cols);
done:
    return status;
}
