/* libcobloc-mpi: a communicator (cobloc/ranks.h) over MPI. The command line loads it where it runs
 * under mpirun or srun; other programs can link with it. It needs nothing of libcobloc.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cobloc_mpi.h"

#include <mpi.h>
#include <stdlib.h>

enum { MOST = 1 << 30 }; /* counts of MPI are integers */

static MPI_Comm world = MPI_COMM_WORLD, group = MPI_COMM_NULL; /* what `user` points to */

static char *at(void *bytes, int64_t place)
{
    return (char *)bytes + place;
}

static int broadcast(void *user, void *bytes, int64_t count, int from)
{
    const MPI_Comm *among = user;
    for (int64_t done = 0; done < count; done += MOST) {
        int some = (int)(count - done < MOST ? count - done : MOST);
        if (MPI_Bcast(at(bytes, done), some, MPI_BYTE, from, *among) != MPI_SUCCESS)
            return 1;
    }
    return 0;
}

static int add(void *user, int64_t *numbers, int64_t count)
{
    const MPI_Comm *among = user;
    for (int64_t done = 0; done < count; done += MOST) {
        int some = (int)(count - done < MOST ? count - done : MOST);
        if (MPI_Allreduce(MPI_IN_PLACE, numbers + done, some, MPI_INT64_T, MPI_SUM, *among) !=
            MPI_SUCCESS)
            return 1;
    }
    return 0;
}

/* More than MPI gathers at once: one rank after the other. */
static int gather_much(void *user, const void *own, void *all, const int64_t *counts, int rank,
                       int size)
{
    int64_t place = 0;
    for (int r = 0; r < size; place += counts[r++]) {
        const char *from = own;
        for (int64_t i = 0; r == rank && from != at(all, place) && i < counts[r]; i++)
            *at(all, place + i) = from[i];
        if (broadcast(user, at(all, place), counts[r], r) != 0)
            return 1;
    }
    return 0;
}

static int gather(void *user, const void *own, void *all, const int64_t *counts)
{
    int rank, size, *lengths, *places;
    int64_t place = 0;
    const MPI_Comm *among = user;
    if (MPI_Comm_rank(*among, &rank) != MPI_SUCCESS || MPI_Comm_size(*among, &size) != MPI_SUCCESS)
        return 1;
    for (int r = 0; r < size; r++)
        place += counts[r];
    if (place > MOST)
        return gather_much(user, own, all, counts, rank, size);
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
                                places, MPI_BYTE, *among);
    free(lengths);
    return status != MPI_SUCCESS;
}

/* The ranks of `among` as a communicator. Returns 0 unless that fails. */
static int fill_in(MPI_Comm *among, cobloc_communicator *communicator)
{
    *communicator =
        (cobloc_communicator){.user = among, .gather = gather, .add = add, .broadcast = broadcast};
    return MPI_Comm_set_errhandler(*among, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
           MPI_Comm_rank(*among, &communicator->rank) != MPI_SUCCESS ||
           MPI_Comm_size(*among, &communicator->size) != MPI_SUCCESS;
}

int cobloc_mpi_begin(cobloc_communicator *communicator)
{
    int provided;
    return MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
           fill_in(&world, communicator) != 0 || provided < MPI_THREAD_FUNNELED;
}

int cobloc_mpi_group(int groups, cobloc_communicator *communicator)
{
    int rank, size, failed;
    if (MPI_Comm_rank(world, &rank) != MPI_SUCCESS || MPI_Comm_size(world, &size) != MPI_SUCCESS)
        return 1;
    if (groups > 0)
        failed = MPI_Comm_split(world, (int)((int64_t)rank * groups / size), rank, &group);
    else
        failed = MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &group);
    return failed != MPI_SUCCESS || fill_in(&group, communicator) != 0;
}

void cobloc_mpi_end(void)
{
    if (group != MPI_COMM_NULL)
        MPI_Comm_free(&group);
    MPI_Finalize();
}
