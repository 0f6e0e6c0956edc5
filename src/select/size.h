/* A fit that chooses its number of clusters.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SELECT_SIZE_H
#define COB_SELECT_SIZE_H

#include "select/select.h"

/* Sizes are tried up to this one, and further if the best calls for it. */
enum { COB_FIRST_SIZES = 12 };

/* ---- agreement (agree.c) --------------------------------------------------------------------- */

enum { COB_PANEL = 7 };

/* With how many clusters several models were fitted, and how much each agrees with the others. */
typedef struct cob_agreed {
    int k;
    double of[COB_PANEL];
} cob_agreed;

/* The agreement of two partitions, in nats; rows with a negative label are left out. */
cobloc_status cob_agreement(const int32_t *a, const int32_t *b, int64_t count, double *agreement,
                            cobloc_error *err);

/* Fits the models of the panel with `to` clusters, then with fewer, down to `from`; adds each size
 * to `sizes` and to `count`. Sizes for which there is no time are missing. */
cobloc_status cob_agree(const cobloc_matrix *matrix, const cobloc_fit_options *options, int from,
                        int to, cob_watch watch, cob_agreed *sizes, int *count, cobloc_error *err);

double cob_mean_agreement(const cob_agreed *size);

/* The standard error, over the models, of how much more they agree with one size than another. */
double cob_agreement_error(const cob_agreed *a, const cob_agreed *b);

/* ---- whether a model holds (holds.c) --------------------------------------------------------- */

/* Whether the matrix is what the run's model, plbm or lbm, says: ICL is only right if it is. */
cobloc_status cob_model_holds(const cob_run *run, bool *holds, cobloc_error *err);

/* By how much counts vary more than Poisson ones, per count: 0 if they are. */
cobloc_status cob_poisson_excess(const cob_run *run, double *excess, cobloc_error *err);

/* How much the sums of rows, or of columns, vary over what Bernoulli blocks say: 1 if they are. */
double cob_bernoulli_ratio(const cob_run *run);

#endif
