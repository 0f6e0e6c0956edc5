/* Shared by making and writing a consensus.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENSEMBLE_ENSEMBLE_H
#define COB_ENSEMBLE_ENSEMBLE_H

#include "ensemble/consensus.h"

/* The options of the fit that makes the consensus, without its members. */
cobloc_fit_options cob_consensus_fit(const cobloc_ensemble_options *options);

#endif
