/* cobloc: one computation on several processes ("ranks"), on one machine or many.
 *
 * Every rank calls the same functions with the same options on the same matrix, and all of them end
 * with the same result, which is that of one process, to the bit. What they have to tell each other
 * goes through a communicator: three functions, which MPI has, and Dask, Ray or Spark can carry.
 * The command line loads one for MPI (libcobloc-mpi) where it runs under mpirun or srun.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_RANKS_H
#define COBLOC_RANKS_H

#include "cobloc/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each function is called by all ranks, in the same order and from one thread of each, and ends
 * when its result is there. It returns 0, or anything else after a failure, after which only
 * cobloc_ranks_end may call `add` once more: where others may still wait elsewhere, it should fail
 * again at once. */
typedef struct cobloc_communicator {
    int rank, size; /* the number of this rank, from 0 on, and of all */
    void *user;     /* handed to the functions */
    /* From every rank so many bytes (`counts`, which all ranks know), one behind the other in the
     * order of the ranks. `own` may be their place in `all`. */
    int (*gather)(void *user, const void *own, void *all, const int64_t *counts);
    /* Each of `count` numbers becomes the sum of those of all ranks. */
    int (*add)(void *user, int64_t *numbers, int64_t count);
    /* `count` bytes of rank `from`, for all. */
    int (*broadcast)(void *user, void *bytes, int64_t count, int from);
} cobloc_communicator;

/* Sets the communicator of the options of a fit or a prediction, or of those that hold some, as
 * those of a selection do; it is copied. NULL: there is one process. Other options ignore it. */
COBLOC_API void cobloc_set_communicator(void *options, const cobloc_communicator *communicator);

/* The same for the ranks with which this one shares the rows and columns of a start, where ranks
 * make groups (the option `share`), such as those of one machine. Every rank is in one group, and
 * its number there may be any. Groups of one rank share nothing but starts. */
COBLOC_API void cobloc_set_group(void *options, const cobloc_communicator *group);

/* Tells the other ranks that this one has done its work, or with a `status` that it has failed.
 * Every rank calls it once, after all else: one that fails alone would leave the others waiting.
 * Returns what to end with: the status of this rank, if it is the first that failed;
 * COBLOC_ELSEWHERE if another one was; COBLOC_OK if all have done their work. */
COBLOC_API cobloc_status cobloc_ranks_end(const cobloc_communicator *communicator,
                                          cobloc_status status, cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
