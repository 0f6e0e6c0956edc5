/* libcobloc-mpi: a communicator (cobloc/ranks.h) over MPI. The command line loads it where it runs
 * under mpirun or srun; other programs can link with it. It needs nothing of libcobloc.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cobloc_mpi.h"

#include <mpi.h>
#include <stdlib.h>

enum { MOST = 1 << 30 }; /* counts of MPI are integers */

static char *at(void *bytes, int64_t place)
{
    return (char *)bytes + place;
}

static int broadcast(void *user, void *bytes, int64_t count, int from)
{
    (void)user;
    for (int64_t done = 0; done < count; done += MOST) {
        int some = (int)(count - done < MOST ? count - done : MOST);
        if (MPI_Bcast(at(bytes, done), some, MPI_BYTE, from, MPI_COMM_WORLD) != MPI_SUCCESS)
            return 1;
    }
    return 0;
}

static int add(void *user, int64_t *numbers, int64_t count)
{
    (void)user;
    for (int64_t done = 0; done < count; done += MOST) {
        int some = (int)(count - done < MOST ? count - done : MOST);
        if (MPI_Allreduce(MPI_IN_PLACE, numbers + done, some, MPI_INT64_T, MPI_SUM,
                          MPI_COMM_WORLD) != MPI_SUCCESS)
            return 1;
    }
    return 0;
}

/* More than MPI gathers at once: one rank after the other. */
static int gather_much(const void *own, void *all, const int64_t *counts, int rank, int size)
{
    int64_t place = 0;
    for (int r = 0; r < size; place += counts[r++]) {
        const char *from = own;
        for (int64_t i = 0; r == rank && from != at(all, place) && i < counts[r]; i++)
            *at(all, place + i) = from[i];
        if (broadcast(NULL, at(all, place), counts[r], r) != 0)
            return 1;
    }
    return 0;
}

static int gather(void *user, const void *own, void *all, const int64_t *counts)
{
    int rank, size, *lengths, *places;
    int64_t place = 0;
    (void)user;
    if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS)
        return 1;
    for (int r = 0; r < size; r++)
        place += counts[r];
    if (place > MOST)
        return gather_much(own, all, counts, rank, size);
    lengths = malloc(2 * (size_t)size * sizeof *lengths);
    if (!lengths)
        return 1;
    places = lengths + size;
    place = 0;
    for (int r = 0; r < size; place += counts[r++]) {
        lengths[r] = (int)counts[r];
        places[r] = (int)place;
    }
    bool there = own == at(all, places[rank]);
    int status = MPI_Allgatherv(there ? MPI_IN_PLACE : own, lengths[rank], MPI_BYTE, all, lengths,
                                places, MPI_BYTE, MPI_COMM_WORLD);
    free(lengths);
    return status != MPI_SUCCESS;
}

int cobloc_mpi_begin(cobloc_communicator *communicator)
{
    int provided;
    *communicator = (cobloc_communicator){.gather = gather, .add = add, .broadcast = broadcast};
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return 1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return MPI_Comm_rank(MPI_COMM_WORLD, &communicator->rank) != MPI_SUCCESS ||
           MPI_Comm_size(MPI_COMM_WORLD, &communicator->size) != MPI_SUCCESS ||
           provided < MPI_THREAD_FUNNELED;
}

void cobloc_mpi_end(void)
{
    MPI_Finalize();
}
