/* cobloc: the consensus of many co-clusterings.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_ENSEMBLE_H
#define COBLOC_ENSEMBLE_H

#include "cobloc/select.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The consensus of many co-clusterings of one matrix, after "Ensemble block co-clustering"
 * (Affeldt, Labiod, Nadif 2020): they are made by fits of several models and sizes, or come from
 * anywhere; those of a good modularity are kept and joined, as there or as in "Co-clustering
 * ensembles based on multiple relevance measures" (Yu and others 2019). No table of rows by columns
 * is ever made: time and memory follow (rows + columns) times their number. */

/* Options: the models that make members, how these are joined, ... Co-clusterings from elsewhere
 * are added with cobloc_append(options, "given", err). */
typedef struct cobloc_ensemble_options cobloc_ensemble_options;
COBLOC_API cobloc_status cobloc_ensemble_options_new(cobloc_ensemble_options **out,
                                                     cobloc_error *err);
COBLOC_API void cobloc_ensemble_options_free(cobloc_ensemble_options *options);

/* The consensus: its "result", and the members that it was made of. */
typedef struct cobloc_consensus cobloc_consensus;

COBLOC_API cobloc_status cobloc_ensemble(const cobloc_matrix *matrix,
                                         const cobloc_ensemble_options *options,
                                         cobloc_consensus **out, cobloc_error *err);
COBLOC_API void cobloc_consensus_free(cobloc_consensus *consensus);

/* Writes the consensus as cobloc_result_write does, and members.tsv beside it: every member with
 * its model, size and seed; where the size was chosen, curve.tsv, too. */
COBLOC_API cobloc_status cobloc_consensus_write(const cobloc_consensus *consensus,
                                                const cobloc_matrix *matrix,
                                                const cobloc_ensemble_options *options,
                                                const char *folder, cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
