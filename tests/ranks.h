/* Ranks that are threads of one process: a communicator for tests, which sanitizers can follow.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_RANKS_H
#define COB_TESTS_RANKS_H

#include "cobloc.h"
#include "fit/options.h"

/* What a rank does; `job` is shared by all of them. Ends with cobloc_ranks_end. */
typedef cobloc_status rank_fn(const cobloc_communicator *communicator, void *job,
                              cobloc_error *err);

enum { MOST_TEST_RANKS = 8 };

/* Runs `work` on so many ranks, and fills in what each of them ended with. */
void run_ranks(int size, rank_fn *work, void *job, cobloc_status status[MOST_TEST_RANKS],
               cobloc_error err[MOST_TEST_RANKS]);

/* The same in groups: ranks with the same remainder by `groups` are one. */
void run_groups(int size, int groups, rank_fn *work, void *job,
                cobloc_status status[MOST_TEST_RANKS], cobloc_error err[MOST_TEST_RANKS]);

/* The ranks of the same group, for a rank of the communicator that its work was given. */
cobloc_communicator group_of(const cobloc_communicator *communicator);

/* ---- fits ------------------------------------------------------------------------------------ */

typedef struct rank_job {
    const cobloc_matrix *matrix;
    cobloc_fit_options options;
    cobloc_result *results[MOST_TEST_RANKS];
    int fails; /* this rank fails before it fits; -1: none */
} rank_job;

/* Options of short fits. */
cobloc_fit_options rank_options(const char *model, int k);

/* Fits on so many ranks, in two groups if these are to share it. */
void run_rank_job(rank_job *job, int ranks, cobloc_status status[MOST_TEST_RANKS],
                  cobloc_error err[MOST_TEST_RANKS]);
void free_rank_job(rank_job *job);

#endif
