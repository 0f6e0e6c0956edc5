/* Shared by making and writing a consensus.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENSEMBLE_ENSEMBLE_H
#define COB_ENSEMBLE_ENSEMBLE_H

#include "select/selection.h"

/* ---- options and results --------------------------------------------------------------------- */

struct cobloc_ensemble_options {
    cob_object head;
    const char *method;
    int k, k_from, k_to;
    double within;
    const char *const *models;
    int model_count;
    int size_from, size_to, runs, base_restarts;
    const cobloc_copartition *given;
    int given_count;
    double keep;
    cobloc_weight weight;
    int restarts, max_iterations;
    uint64_t seed;
    int threads;
    double max_seconds;
    cobloc_progress progress;
};

typedef struct cobloc_member {
    const char *model;
    char *name;
    int k, run;
    uint64_t seed;
    double modularity;
    int kept;
} cobloc_member;

struct cobloc_consensus {
    cob_object head;
    int count, kept;
    cobloc_member *members;
    cobloc_selection *selection;
    cobloc_result *result; /* belongs to the selection, if there is one */
    double seconds;
};

extern const cob_type cob_ensemble_options_type, cob_consensus_type;

void cob_ensemble_options_default(cobloc_ensemble_options *options);

/* The options of the fit that makes the consensus, without its members. */
cobloc_fit_options cob_consensus_fit(const cobloc_ensemble_options *options);

#endif
