/* The steps that inferences are made of: half-iterations, and what goes with them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_STEPS_H
#define COB_ENGINE_STEPS_H

#include "engine/engine.h"

/* How labels are taken. */
typedef struct cob_manner {
    cob_assign assign;
    double temperature;
    uint32_t purpose; /* of random numbers; 0: that of the side */
    bool soft;        /* memberships of the other side are soft */
    bool keep_theta;  /* parameters stay as they are */
} cob_manner;

/* Score and assign the lines of one side; statistics and parameters follow. */
cob_pass cob_step(cob_run *run, cob_axis side, cob_manner how);

/* The same in two parts, between which many runs have their passes done together. */
cob_pass cob_step_begin(cob_run *run, cob_axis side, cob_manner how);
void cob_step_end(cob_run *run, cob_axis side, cob_manner how, cob_pass *pass);

/* The criterion of the statistics as they stand, with the entropies if soft. */
double cob_criterion(const cob_run *run, bool soft);

/* Whether iterations may end: after one that began with criterion `before` and moved so many. */
bool cob_settled(const cob_run *run, double before, int64_t moved, bool soft);

/* Adds the criterion to the trace. */
cobloc_status cob_note_criterion(cob_run *run, cobloc_error *err);

/* True when the run must end: cancelled, or out of time. `done`: how far it is, 0 to 1. */
bool cob_must_end(cob_run *run, double done);

/* SEM-Gibbs: a chain of draws, its parameters averaged after the burn-in, then a last chain with
 * these fixed, from which each label is the one drawn most often. */
cobloc_status cob_sample(cob_run *run, cobloc_error *err);

/* Annealing, for scores that are no log-probabilities: draws at a temperature that falls to
 * nothing; the best partition on the way is where it ends. */
cobloc_status cob_anneal(cob_run *run, cobloc_error *err);

#endif
