/* libcobloc-mpi: a communicator (cobloc/ranks.h) over MPI. The command line loads it where it runs
 * under mpirun or srun; other programs can link with it. It needs nothing of libcobloc.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "cobloc_mpi.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1 << 30 }; /* counts of MPI are integers */

/* What `user` points to. `lengths` has room for two numbers of each rank: one that runs out of
 * memory while others wait for it in MPI could not tell them. */
typedef struct some_ranks {
    MPI_Comm comm;
    int rank, size, *lengths;
} some_ranks;

static some_ranks world = {.comm = MPI_COMM_WORLD}, group = {.comm = MPI_COMM_NULL};

/* After a failure of MPI the others may wait for this rank in a call that it has left: it makes no
 * other one, which they would not understand, but ends them all. */
static bool broken;

static int check(int status)
{
    broken = broken || status != MPI_SUCCESS;
    return broken;
}

static char *at(void *bytes, int64_t place)
{
    return (char *)bytes + place;
}

static int broadcast(void *user, void *bytes, int64_t count, int from)
{
    const some_ranks *among = user;
    for (int64_t done = 0; done < count && !broken; done += MOST) {
        int some = (int)(count - done < MOST ? count - done : MOST);
        check(MPI_Bcast(at(bytes, done), some, MPI_BYTE, from, among->comm));
    }
    return broken;
}

/* Ranks wait for each other where they add numbers up. MPI's own waiting takes a core all the time:
 * while the first rank prints, too. After a tenth of a second, which ranks with equal shares seldom
 * wait, this one sleeps between looks, but never long: others may need it to pass their sums on. */
static int wait_for(MPI_Request *request)
{
    const double soon = 0.1;
    const struct timespec sleep = {.tv_nsec = 200000};
    double begin = MPI_Wtime();
    int done = 0;
    while (!check(MPI_Test(request, &done, MPI_STATUS_IGNORE)) && !done)
        if (MPI_Wtime() - begin > soon)
            nanosleep(&sleep, NULL);
    return broken;
}

static int add(void *user, int64_t *numbers, int64_t count)
{
    const some_ranks *among = user;
    for (int64_t done = 0; done < count && !broken; done += MOST) {
        int some = (int)(count - done < MOST ? count - done : MOST);
        MPI_Request request;
        if (!check(MPI_Iallreduce(MPI_IN_PLACE, numbers + done, some, MPI_INT64_T, MPI_SUM,
                                  among->comm, &request)))
            wait_for(&request);
    }
    return broken;
}

/* More than MPI gathers at once: one rank after the other. */
static int gather_much(some_ranks *among, const void *own, void *all, const int64_t *counts)
{
    int64_t place = 0;
    for (int r = 0; r < among->size && !broken; place += counts[r++]) {
        if (r == among->rank && own != at(all, place))
            memmove(at(all, place), own, (size_t)counts[r]);
        broadcast(among, at(all, place), counts[r], r);
    }
    return broken;
}

static int gather(void *user, const void *own, void *all, const int64_t *counts)
{
    some_ranks *among = user;
    int *lengths = among->lengths, *places = lengths + among->size;
    int64_t place = 0;
    for (int r = 0; r < among->size; r++)
        place += counts[r];
    if (place > MOST || broken)
        return gather_much(among, own, all, counts);
    place = 0;
    for (int r = 0; r < among->size; place += counts[r++]) {
        lengths[r] = (int)counts[r];
        places[r] = (int)place;
    }
    bool there = own == at(all, places[among->rank]);
    return check(MPI_Allgatherv(there ? MPI_IN_PLACE : own, lengths[among->rank], MPI_BYTE, all,
                                lengths, places, MPI_BYTE, among->comm));
}

/* The ranks of `among` as a communicator. Returns 0 unless that fails. */
static int fill_in(some_ranks *among, cobloc_communicator *communicator)
{
    if (check(MPI_Comm_set_errhandler(among->comm, MPI_ERRORS_RETURN)) ||
        check(MPI_Comm_rank(among->comm, &among->rank)) ||
        check(MPI_Comm_size(among->comm, &among->size)))
        return 1;
    among->lengths = malloc(2 * (size_t)among->size * sizeof *among->lengths);
    *communicator = (cobloc_communicator){.rank = among->rank,
                                          .size = among->size,
                                          .user = among,
                                          .gather = gather,
                                          .add = add,
                                          .broadcast = broadcast};
    return among->lengths == NULL;
}

int cobloc_mpi_begin(cobloc_communicator *communicator)
{
    int provided;
    return MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
           fill_in(&world, communicator) != 0 || provided < MPI_THREAD_FUNNELED;
}

int cobloc_mpi_group(int groups, cobloc_communicator *communicator)
{
    int color = (int)((int64_t)world.rank * groups / world.size);
    int status = groups > 0 ? MPI_Comm_split(world.comm, color, world.rank, &group.comm)
                            : MPI_Comm_split_type(world.comm, MPI_COMM_TYPE_SHARED, world.rank,
                                                  MPI_INFO_NULL, &group.comm);
    return check(status) || fill_in(&group, communicator);
}

void cobloc_mpi_end(void)
{
    if (broken)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (group.comm != MPI_COMM_NULL)
        MPI_Comm_free(&group.comm);
    free(group.lengths);
    free(world.lengths);
    MPI_Finalize();
}
