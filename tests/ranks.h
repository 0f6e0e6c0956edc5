/* Ranks that are threads of one process: a communicator for tests, which sanitizers can follow.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_RANKS_H
#define COB_TESTS_RANKS_H

#include "cobloc.h"

/* What a rank does; `job` is shared by all of them. Ends with cobloc_ranks_end. */
typedef cobloc_status rank_fn(const cobloc_communicator *communicator, void *job,
                              cobloc_error *err);

enum { MOST_TEST_RANKS = 8 };

/* Runs `work` on so many ranks, and fills in what each of them ended with. */
void run_ranks(int size, rank_fn *work, void *job, cobloc_status status[MOST_TEST_RANKS],
               cobloc_error err[MOST_TEST_RANKS]);

#endif
