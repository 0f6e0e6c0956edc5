/* cobloc: choosing a size and a model.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_SELECT_H
#define COBLOC_SELECT_H

#include "cobloc/fit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a size is chosen by. */
typedef enum cobloc_choice {
    COBLOC_BY_AUTO = 0,   /* ICL among several models, and where columns have a range of their own;
                             of one model, as a fit without k: ICL if a block model describes the
                             table, else agreement */
    COBLOC_BY_ICL,        /* the largest ICL */
    COBLOC_BY_MODULARITY, /* the smallest size whose modularity is as good as the largest one: it
                             has no penalty, so more clusters than there are do it no harm */
    COBLOC_BY_AGREEMENT,  /* the size on which several models agree most */
    COBLOC_BY_EXACT_ICL,  /* the largest integrated likelihood, with conjugate priors */
    COBLOC_BY_LENGTH,     /* the shortest description by the degree-corrected block model */
    COBLOC_BY_THINNING,   /* the likelihood of half of the counts by a fit of the other half */
    COBLOC_BY_STABILITY   /* the adjusted Rand index between fits of some of the rows */
} cobloc_choice;

COBLOC_API const char *cobloc_choice_name(cobloc_choice choice);

/* Options of a selection: the sizes k_from to k_to, the options of the fits as "fit.NAME", ... */
typedef struct cobloc_select_options cobloc_select_options;
COBLOC_API cobloc_status cobloc_select_options_new(cobloc_select_options **out, cobloc_error *err);
COBLOC_API void cobloc_select_options_free(cobloc_select_options *options);

/* Where the best fit of a size started. */
typedef enum cobloc_origin {
    COBLOC_ORIGIN_STARTS = 0, /* the starts that cobloc_fit makes */
    COBLOC_ORIGIN_MERGED,     /* a larger size, its two closest clusters merged */
    COBLOC_ORIGIN_SPLIT       /* a smaller size, the cluster that gains most by it split */
} cobloc_origin;

COBLOC_API const char *cobloc_origin_name(cobloc_origin origin);

/* What was tried, as a curve of sizes, and which of them is chosen. */
typedef struct cobloc_selection cobloc_selection;

/* Fits every size, first by itself, with the starts of cobloc_fit, then from its neighbours: from
 * the larger ones by merging the two closest clusters, from the smaller ones by splitting a
 * cluster. The best fit by the model's criterion is kept, so no size does worse than cobloc_fit
 * alone. */
COBLOC_API cobloc_status cobloc_select(const cobloc_matrix *matrix,
                                       const cobloc_select_options *options, cobloc_selection **out,
                                       cobloc_error *err);
COBLOC_API void cobloc_selection_free(cobloc_selection *selection);

/* Writes the chosen fit as cobloc_result_write does, and curve.tsv beside it. */
COBLOC_API cobloc_status cobloc_selection_write(const cobloc_selection *selection,
                                                const cobloc_matrix *matrix,
                                                const cobloc_select_options *options,
                                                const char *folder, cobloc_error *err);

/* A fit that chooses its number of clusters. It starts with `k` row clusters (and `l` column
 * clusters, or as many), which should be more than there can be, and merges two at a time by
 * the model's criterion, row clusters or column clusters where these are apart; after each merge
 * the lines may move. The answer is the step with the largest ICL: "k" and "l" of the result. For
 * models with a likelihood whose clusters have no meaning of their own: plbm, splbm, lbm, dlbm1
 * to 3. */
COBLOC_API cobloc_status cobloc_fit_greedy(const cobloc_matrix *matrix,
                                           const cobloc_fit_options *options, cobloc_result **out,
                                           cobloc_error *err);

/* Reads curve.tsv and larger.tsv of a folder that cobloc_selection_write made, for a report:
 * "points", none where the folder has no curve. */
typedef struct cobloc_curve cobloc_curve;
COBLOC_API cobloc_status cobloc_curve_read(const char *folder, cobloc_curve **out,
                                           cobloc_error *err);
COBLOC_API void cobloc_curve_free(cobloc_curve *curve);

/* As cobloc_cut_options, for more row clusters than the result has: the labels of a size that the
 * selection fitted and kept ("larger"), not a split of the blocs of this result. */
COBLOC_API cobloc_status cobloc_curve_options(const cobloc_curve *curve,
                                              const cobloc_result *result, int k,
                                              cobloc_fit_options *options, cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
