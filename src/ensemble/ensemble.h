/* What making a consensus and writing it share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENSEMBLE_ENSEMBLE_H
#define COB_ENSEMBLE_ENSEMBLE_H

#include "ensemble/consensus.h"

/* The fit that makes the consensus, without what it joins. */
cobloc_fit_options cob_consensus_fit(const cobloc_ensemble_options *options);

#endif
