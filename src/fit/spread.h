/* The starts of a fit on several groups of ranks. They go in rounds; after each, all ranks know
 * what all starts of it have come to.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_SPREAD_H
#define COB_FIT_SPREAD_H

#include "fit/family.h"

/* The end of the round that begins with start `first`: those that others build on are in rounds
 * before these, and where a checkpoint is kept, `at_once` starts of each group are a round. */
int cob_round_end(const cob_task *task, const cob_family *family, int first, int at_once);

/* All ranks learn of the starts `first` to `last` - 1. */
cobloc_status cob_round_share(const cob_task *task, int first, int last, cob_restarts *restarts,
                              cob_family *family, cob_outcome *best, cobloc_error *err);

#endif
