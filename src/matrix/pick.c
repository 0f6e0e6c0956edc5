/* Some of the rows of a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/matrix.h"

#include "base/alloc.h"

#include <string.h>

cobloc_status cob_matrix_pick_rows(const cobloc_matrix *matrix, const int64_t *rows, int64_t count,
                                   int threads, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_side *from = &matrix->by_row;
    double *values = NULL;
    cob_side to = {0};
    cobloc_value_kind kind = matrix->kind;
    int64_t entries = 0;
    for (int64_t i = 0; i < count; i++)
        entries += from->offsets[rows[i] + 1] - from->offsets[rows[i]];
    COB_TRY(cob_side_alloc(&to, count, entries, COBLOC_ONES, err));
    COB_NEW(values, entries);
    to.offsets[0] = entries = 0;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t e = from->offsets[rows[i]]; e < from->offsets[rows[i] + 1]; e++, entries++) {
            to.indices[entries] = from->indices[e];
            values[entries] = cob_value_get(matrix->kind, from->values, e);
        }
        to.offsets[i + 1] = entries;
    }
    COB_TRY(cob_values_pack(&values, entries, &kind, &to.values, err)); /* perhaps a smaller kind */
    COB_TRY(cob_matrix_own(count, matrix->cols, kind, &to, threads, out, err));
done:
    cob_free(values);
    cob_side_free(&to);
    return status;
}
