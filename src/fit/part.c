/* Fits whose ranks look at their own lines only.
 * SPDX-License-Identifier: MIT
 */
#include "engine/means.h"
#include "fit/fit.h"

/* Whether k-means of these lines begins with a sample, which the ranks gather. */
static bool is_sampled(cobloc_view view, int64_t empty, int clusters)
{
    view.major -= empty;
    return cob_sample_size(&view, (int)cob_fine_of(clusters)) < view.major;
}

/* Whether starts need no more than samples, and sums and products of each rank's own lines. */
static bool can_start(const cobloc_matrix *x, const cobloc_fit_options *o, const cob_algorithm *a,
                      int k, int l)
{
    bool placed = a->model->structure->clusters && !a->model->further_start;
    if (o->start == COBLOC_START_RANDOM || o->start == COBLOC_START_SPECTRAL ||
        (o->start == COBLOC_START_LABELS && o->start_cols))
        return true;
    return is_sampled(cobloc_matrix_by_rows(x), x->empty_rows, k) &&
           (placed || is_sampled(cobloc_matrix_by_cols(x), x->empty_cols, l));
}

bool cob_can_part(const cobloc_matrix *x, const cobloc_fit_options *o, const cob_algorithm *a,
                  int k, int l)
{
    return a->model && a->model->entries == COB_VALUES && !x->missing && can_start(x, o, a, k, l);
}
