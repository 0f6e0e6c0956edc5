/* Behind cobloc_select: neighbours that lend each other their clusters, and the choice.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SELECT_SELECT_H
#define COB_SELECT_SELECT_H

#include "fit/fit.h"
#include "select/selection.h"

/* What is needed to make the start of one size from the result of another: the problem of one
 * model, measured by hard labels whatever the inference. */
typedef struct cob_neighbourhood {
    cob_problem problem;
    cob_prepared prepared;
    cob_start_data data;
    int threads;
    int64_t rows, cols; /* of the user's matrix */
} cob_neighbourhood;

/* `k` and `l` are the largest sizes that will be asked for: refused where the matrix is too small.
 * A method has no neighbours: for it, that is all. */
cobloc_status cob_neighbourhood_open(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                     const cob_algorithm *algorithm, int k, int l,
                                     cob_neighbourhood *out, cobloc_error *err);
void cob_neighbourhood_close(cob_neighbourhood *around);

/* Labels of the user's rows and columns for k and l clusters, made from the clusters of `from`,
 * which has more of either, or of both (merged), or one fewer (split). */
cobloc_status cob_merged_labels(const cob_neighbourhood *around, const cobloc_result *from, int k,
                                int l, int32_t *rows, int32_t *cols, cobloc_error *err);
cobloc_status cob_split_labels(const cob_neighbourhood *around, const cobloc_result *from, int k,
                               int l, int32_t *rows, int32_t *cols, cobloc_error *err);

/* The algorithm of a name that is known. */
cob_algorithm cob_algorithm_of(const char *name);

/* Fills in values, spreads, the best, the chosen and the summary, all from the results. */
void cob_choose(cobloc_selection *selection, double within);

/* How far the second best of the criteria falls short of the best; NaN for less than two numbers.
 */
double cob_spread(const double *criteria, int count, bool minimised);

#endif
