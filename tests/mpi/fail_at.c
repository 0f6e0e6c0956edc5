/* Loaded before MPI: on rank 1, call number COBLOC_FAIL_AT of MPI_Allgatherv fails, and the others
 * wait in theirs.
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <stdlib.h>

int MPI_Allgatherv(const void *own, int count, MPI_Datatype kind, void *all, const int counts[],
                   const int places[], MPI_Datatype of, MPI_Comm comm)
{
    static int calls;
    const char *at = getenv("COBLOC_FAIL_AT");
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (at && rank == 1 && ++calls == atoi(at))
        return MPI_ERR_OTHER;
    return PMPI_Allgatherv(own, count, kind, all, counts, places, of, comm);
}
