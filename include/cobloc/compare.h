/* cobloc: methods side by side on one matrix.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_COMPARE_H
#define COBLOC_COMPARE_H

#include "cobloc/fit.h"
#include "cobloc/score.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of a comparison: runs, seed, ... */
typedef struct cobloc_compare_options cobloc_compare_options;
COBLOC_API cobloc_status cobloc_compare_options_new(cobloc_compare_options **out,
                                                    cobloc_error *err);
COBLOC_API void cobloc_compare_options_free(cobloc_compare_options *options);

/* Adds a method such as "coclus", "splbm:exact", "plbm:soft@tfidf": a model; then, behind colons,
 * an inference (else the model's own) or "exact"; then, behind @, a weight. All other options are
 * those of `fit`, which is borrowed and must live as long; its seed, threads and progress are not
 * used. A method that is there already, with the same weight, is not added again. */
COBLOC_API cobloc_status cobloc_compare_add(cobloc_compare_options *options, const char *method,
                                            const cobloc_fit_options *fit, cobloc_error *err);

/* What became of the methods: their runs, means and spreads, and a test of the best two. */
typedef struct cobloc_comparison cobloc_comparison;

/* Runs every contender so many times, in parallel, each fit on one thread, and scores it against
 * the truth (a class for each row, -1: unknown). A contender that cannot be run on these data does
 * not end the comparison. */
COBLOC_API cobloc_status cobloc_compare(const cobloc_matrix *matrix, const int32_t *truth,
                                        const cobloc_compare_options *options,
                                        cobloc_comparison **out, cobloc_error *err);
COBLOC_API void cobloc_comparison_free(cobloc_comparison *comparison);

#ifdef __cplusplus
}
#endif

#endif
