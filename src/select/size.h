/* Choosing the number of clusters: the rule that fits without one and selections share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SELECT_SIZE_H
#define COB_SELECT_SIZE_H

#include "fit/panel.h"
#include "select/select.h"

/* Sizes are tried up to this one, and further if the best calls for it. */
enum { COB_FIRST_SIZES = 12 };

/* ---- the choice (sizing.c) ------------------------------------------------------------------- */

typedef struct cob_sizing {
    int k, l; /* chosen; l = 0: what goes with k */
    cobloc_choice by;
    cob_tried *tried; /* in order of k; several of an equal k have different l */
    double *spreads;  /* of agreement: the standard error of how far a size is from the best */
    int count;
    char summary[256];
} cob_sizing;

/* Sizes to choose from: all of `from` (0: the smallest) to `to`, and further up to `most` (0: no
 * limit) as long as the best is among the largest. */
typedef struct cob_sizes {
    int from, to, most;
} cob_sizes;

/* Chooses the size of a model's fit. */
cobloc_status cob_choose_size(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                              const cob_algorithm *algorithm, cob_sizes sizes, cob_watch watch,
                              cob_sizing *out, cobloc_error *err);
void cob_sizing_free(cob_sizing *sizing);

/* The model that stands for all where only one will do: of auto, the first member for the matrix.
 */
const char *cob_model_for(const cobloc_matrix *matrix, const cobloc_fit_options *options);

/* ---- agreement (agree.c) --------------------------------------------------------------------- */

/* With how many clusters several models were fitted, how many of them count, and how much each of
 * these agrees with the others, in descending order. */
typedef struct cob_agreed {
    int k, models, count;
    double of[COB_MOST_MEMBERS];
} cob_agreed;

/* How many models there are to agree on a matrix. */
int cob_panel_count(const cobloc_matrix *matrix);

/* The agreement of two partitions, in nats; rows with a negative label are left out. */
cobloc_status cob_agreement(const int32_t *a, const int32_t *b, int64_t count, double *agreement,
                            cobloc_error *err);

/* Fits the models of the panel with `most` clusters, then with fewer, down to `from`: with some of
 * the sizes above `to`, and with all others. Adds each size to `sizes` and to `count`. Models for
 * which there is no time are missing. */
cobloc_status cob_agree(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                        cob_sizes range, cob_watch watch, cob_agreed *sizes, int *count,
                        cobloc_error *err);

double cob_mean_agreement(const cob_agreed *size);

/* The standard error, over the models, of how much more they agree with one size than another, the
 * best of one beside the best of the other and so on: of a mean over all pairs, it is twice that of
 * a mean over as many numbers (Hoeffding, 1948). */
double cob_agreement_error(const cob_agreed *a, const cob_agreed *b);

/* ---- whether a model holds (holds.c) --------------------------------------------------------- */

/* Whether the matrix is what the run's model, plbm or lbm, says: ICL is only right if it is. */
cobloc_status cob_model_holds(const cob_run *run, bool *holds, cobloc_error *err);

/* By how much counts vary more than Poisson ones, per count: 0 if they are. */
cobloc_status cob_poisson_excess(const cob_run *run, double *excess, cobloc_error *err);

/* How much the sums of rows, or of columns, vary over what Bernoulli blocks say: 1 if they are. */
double cob_bernoulli_ratio(const cob_run *run);

#endif
