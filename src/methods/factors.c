/* Co-clusterings stacked into two matrices of ones.
 * SPDX-License-Identifier: MIT
 */
#include "methods/ensemble.h"

#include "base/alloc.h"

#include <math.h>
#include <stdbool.h>

void cob_factors_free(cob_factors *f)
{
    cobloc_matrix_free(f->rows);
    cobloc_matrix_free(f->cols);
    cob_free(f->scale);
    *f = (cob_factors){0};
}

static const int32_t *labels_of(const cob_member *member, bool of_rows)
{
    return of_rows ? member->rows : member->cols;
}

/* One side: in each line the co-clusters that it is in, which grow from member to member. `sizes`
 * receives their sizes. */
static cobloc_status stack(const cob_member *members, int count, bool of_rows, int64_t lines,
                           int clusters, int64_t *sizes, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *offsets = NULL, used = 0;
    int32_t *indices = NULL;
    COB_NEW(offsets, lines + 1);
    COB_NEW(indices, lines * count);
    offsets[0] = 0;
    for (int64_t i = 0; i < lines; i++) {
        int32_t first = 0;
        for (int m = 0; m < count;
             first += members[m++].clusters) /* those that are not there have none */
            if (members[m].rows && labels_of(&members[m], of_rows)[i] >= 0) {
                indices[used++] = first + labels_of(&members[m], of_rows)[i];
                sizes[indices[used - 1]]++;
            }
        offsets[i + 1] = used;
    }
    COB_TRY(cobloc_matrix_from_csr(lines, clusters, offsets, indices, NULL, out, err));
done:
    cob_free(offsets);
    cob_free(indices);
    return status;
}

cobloc_status cob_factors_make(const cob_member *members, int count, int64_t n, int64_t d,
                               cob_factors *factors, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_factors made = {0};
    int64_t *sizes = NULL;
    int there = 0;
    for (int m = 0; m < count; m++) {
        made.clusters += members[m].rows ? members[m].clusters : 0;
        there += members[m].rows != NULL;
    }
    COB_CHECK(there > 0, COBLOC_BAD_ARGUMENT, "there are no co-clusterings to join");
    COB_NEW_ZERO(sizes, 2 * (size_t)made.clusters);
    COB_NEW(made.scale, made.clusters);
    COB_TRY(stack(members, count, true, n, made.clusters, sizes, &made.rows, err));
    COB_TRY(stack(members, count, false, d, made.clusters, sizes + made.clusters, &made.cols, err));
    for (int c = 0; c < made.clusters; c++) {
        double cells = (double)sizes[c] * (double)sizes[made.clusters + c];
        made.scale[c] = cells > 0 ? 1 / (there * sqrt(cells)) : 0;
    }
    *factors = made;
    made = (cob_factors){0};
done:
    cob_factors_free(&made);
    cob_free(sizes);
    return status;
}
