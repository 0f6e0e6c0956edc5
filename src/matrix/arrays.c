/* Matrices from the caller's arrays.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/builder.h"

cobloc_status cobloc_matrix_from_triples(int64_t rows, int64_t cols, int64_t count,
                                         const int32_t *row, const int32_t *col,
                                         const double *value, cobloc_matrix **out,
                                         cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_builder builder = {0};
    COB_TRY(cob_builder_init(&builder, rows, cols, 0, 1, err));
    for (int64_t t = 0; t < count; t++) {
        status = cob_lane_add(&builder.lanes[0], row[t], col[t], value ? value[t] : 1, err);
        if (status != COBLOC_OK) {
            cob_fail_at(err, status, "triple %lld: ", (long long)t);
            goto done;
        }
    }
    COB_TRY(cob_builder_finish(&builder, rows, cols, out, err));
done:
    cob_builder_free(&builder);
    return status;
}

cobloc_status cobloc_matrix_from_csr(int64_t rows, int64_t cols, const int64_t *offsets,
                                     const int32_t *indices, const double *values,
                                     cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_builder builder = {0};
    COB_TRY(cob_builder_init(&builder, rows, cols, 0, 1, err));
    COB_CHECK(offsets[0] == 0, COBLOC_BAD_DATA, "offsets[0] is %lld, expected 0",
              (long long)offsets[0]);
    for (int64_t i = 0; i < rows; i++) {
        COB_CHECK(offsets[i + 1] >= offsets[i], COBLOC_BAD_DATA,
                  "offsets[%lld] is smaller than the one before it", (long long)(i + 1));
        for (int64_t e = offsets[i]; e < offsets[i + 1]; e++) {
            status = cob_lane_add(&builder.lanes[0], i, indices[e], values ? values[e] : 1, err);
            if (status != COBLOC_OK) {
                cob_fail_at(err, status, "entry %lld: ", (long long)e);
                goto done;
            }
        }
    }
    COB_TRY(cob_builder_finish(&builder, rows, cols, out, err));
done:
    cob_builder_free(&builder);
    return status;
}
