/* What sizes can be chosen by beside ICL and modularity.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_SELECT_RULES_H
#define COB_SELECT_RULES_H

#include "select/size.h"

/* The integrated likelihood of labels and entries, without what is the same for all partitions.
 * Poisson: the margins are the data's, the lifts
 * N delta_kl have the prior Gamma(1, 1). Bernoulli: the prior of a block is Beta(1/2, 1/2). Both:
 * proportions have the prior Dirichlet(1, ..., 1). */
double cob_exact_icl(const cob_stats *stats, bool bernoulli);

/* The description length, in nats, of counts by the degree-corrected block model of bipartite
 * graphs, without what is the same for all partitions. Peixoto, "Nonparametric Bayesian inference
 * of the microcanonical stochastic block model", Physical Review E 95, 2017. */
double cob_description_length(const cob_stats *stats);

/* One of two halves of a table of counts: every count is split by as many fair coins. */
cobloc_status cob_thin(const cobloc_matrix *matrix, cob_stream stream, bool other, int threads,
                       cobloc_matrix **out, cobloc_error *err);

/* The Poisson log-likelihood of counts by the lifts of others, per count, without what is the same
 * for all partitions. */
double cob_held_out(const cob_stats *fitted, const cob_stats *held_out);

/* The values of all sizes of a selection by the rule that it names; several models are an error. */
cobloc_status cob_measure_sizes(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                cob_watch watch, cobloc_selection *selection, cobloc_error *err);

#endif
