/* libcobloc-mpi: the ranks of MPI_COMM_WORLD as a communicator, and groups of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_MPI_H
#define COBLOC_MPI_H

#include "cobloc/ranks.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts MPI, and fills the communicator in. Returns 0, or anything else after a failure. Its
 * functions are to be called from the thread that called this. */
COBLOC_API int cobloc_mpi_begin(cobloc_communicator *communicator);

/* The ranks of this one's group, for cobloc_set_group: ranks in a row make `groups` groups of about
 * the same size or, with 0, those of one machine are a group. All ranks call it, once, with the
 * same number. Returns 0, or anything else after a failure. */
COBLOC_API int cobloc_mpi_group(int groups, cobloc_communicator *communicator);

/* Ends MPI, which waits for all ranks. After a failure of MPI it ends all of them at once. */
COBLOC_API void cobloc_mpi_end(void);

#ifdef __cplusplus
}
#endif

#endif
