/* The starts of a fit on several ranks: start number i is that of rank i modulo their number. They
 * go in rounds; after each, all ranks know what all starts of it have come to.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_SPREAD_H
#define COB_FIT_SPREAD_H

#include "fit/family.h"

/* The end of the round that begins with start `first`: those that others build on are in rounds
 * before these, and where a checkpoint is kept, `at_once` starts of each rank are a round. */
int cob_round_end(const cob_task *task, const cob_family *family, int first, int at_once);

/* All ranks learn of the starts `first` to `last` - 1. `failure` is what went wrong here, if
 * anything did: then all of them fail with what went wrong on the first that did. */
cobloc_status cob_round_share(const cob_task *task, int first, int last,
                              const cobloc_error *failure, cob_restarts *restarts,
                              cob_family *family, cob_outcome *best, cobloc_error *err);

#endif
