/* The sums of clusters.
 * SPDX-License-Identifier: MIT
 */
#include "fit/saved.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <string.h>

cobloc_status cob_centres_of(const cobloc_result *r, const cobloc_matrix *matrix, double **centres,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_copies copies = {0};
    double *sums = NULL;
    cob_algorithm a;
    if (!cob_algorithm_named(r->model, &a) || !a.method || !a.method->placement ||
        !a.method->placement->centres)
        return COBLOC_OK;
    COB_NEW(sums, (size_t)r->d * (size_t)r->k);
    if (r->components) {
        memcpy(sums, r->components, (size_t)r->d * (size_t)r->k * sizeof *sums);
        *centres = sums;
        return COBLOC_OK;
    }
    COB_TRY(cob_copies_make(&copies, matrix, cob_result_weighing(r), err));
    cobloc_view cols =
        cobloc_matrix_by_cols(cob_copies_find(&copies, matrix, cob_result_weighing(r)));
    if (r->row_probabilities)
        cob_multiply(&cols, r->row_probabilities, r->k, cob_threads(0), sums);
    else
        cob_reduce(&cols, r->row_labels, r->k, cob_threads(0), sums);
    *centres = sums;
    sums = NULL;
done:
    cob_free(sums);
    cob_copies_free(&copies);
    return status;
}
