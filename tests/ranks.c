/* Ranks that are threads of one process.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* pthread_barrier_t */
#include "ranks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct room {
    int size;
    pthread_barrier_t barrier;
    const void *said[MOST_TEST_RANKS];
} room;

typedef struct seat {
    room *in;
    int rank;
    struct seat *in_group; /* the same rank, in the room of its group; NULL: there are none */
    pthread_t thread;
    rank_fn *work;
    void *job;
    cobloc_status *status;
    cobloc_error *err;
} seat;

static void wait_for_all(seat *s)
{
    pthread_barrier_wait(&s->in->barrier);
}

static int gather(void *user, const void *own, void *all, const int64_t *counts)
{
    seat *s = user;
    char *to = all;
    s->in->said[s->rank] = own;
    wait_for_all(s);
    for (int r = 0; r < s->in->size; to += counts[r++])
        if (counts[r] > 0 && to != s->in->said[r])
            memcpy(to, s->in->said[r], (size_t)counts[r]);
    wait_for_all(s);
    return 0;
}

static int add(void *user, int64_t *numbers, int64_t count)
{
    seat *s = user;
    int64_t *sums = calloc((size_t)count + 1, sizeof *sums);
    s->in->said[s->rank] = numbers;
    wait_for_all(s);
    for (int r = 0; r < s->in->size; r++)
        for (int64_t i = 0; i < count; i++)
            sums[i] += ((const int64_t *)s->in->said[r])[i];
    wait_for_all(s);
    memcpy(numbers, sums, (size_t)count * sizeof *numbers);
    free(sums);
    return 0;
}

static int broadcast(void *user, void *bytes, int64_t count, int from)
{
    seat *s = user;
    s->in->said[s->rank] = bytes;
    wait_for_all(s);
    if (s->rank != from)
        memcpy(bytes, s->in->said[from], (size_t)count);
    wait_for_all(s);
    return 0;
}

static cobloc_communicator communicator_of(seat *s)
{
    return (cobloc_communicator){s->rank, s->in->size, s, gather, add, broadcast};
}

cobloc_communicator group_of(const cobloc_communicator *communicator)
{
    const seat *s = communicator->user;
    return s->in_group ? communicator_of(s->in_group) : (cobloc_communicator){0};
}

static void *sit(void *data)
{
    seat *s = data;
    cobloc_communicator c = communicator_of(s);
    cobloc_status own = s->work(&c, s->job, s->err);
    *s->status = cobloc_ranks_end(&c, own, s->err);
    return NULL;
}

static void open_room(room *in, int size)
{
    *in = (room){.size = size};
    pthread_barrier_init(&in->barrier, NULL, (unsigned)size);
}

void run_groups(int size, int groups, rank_fn *work, void *job,
                cobloc_status status[MOST_TEST_RANKS], cobloc_error err[MOST_TEST_RANKS])
{
    room all, of[MOST_TEST_RANKS];
    seat seats[MOST_TEST_RANKS], in_groups[MOST_TEST_RANKS];
    open_room(&all, size);
    for (int g = 0; g < groups; g++)
        open_room(&of[g], (size - g + groups - 1) / groups);
    for (int r = 0; r < size; r++) {
        if (groups > 0)
            in_groups[r] = (seat){.in = &of[r % groups], .rank = r / groups};
        seats[r] = (seat){.in = &all,
                          .rank = r,
                          .in_group = groups > 0 ? &in_groups[r] : NULL,
                          .work = work,
                          .job = job,
                          .status = &status[r],
                          .err = &err[r]};
    }
    for (int r = 0; r < size; r++)
        pthread_create(&seats[r].thread, NULL, sit, &seats[r]);
    for (int r = 0; r < size; r++)
        pthread_join(seats[r].thread, NULL);
    for (int g = 0; g < groups; g++)
        pthread_barrier_destroy(&of[g].barrier);
    pthread_barrier_destroy(&all.barrier);
}

void run_ranks(int size, rank_fn *work, void *job, cobloc_status status[MOST_TEST_RANKS],
               cobloc_error err[MOST_TEST_RANKS])
{
    run_groups(size, 0, work, job, status, err);
}

/* ---- fits ------------------------------------------------------------------------------------ */

cobloc_fit_options rank_options(const char *model, int k)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.restarts = 2;
    o.max_iterations = 4;
    o.threads = 1;
    return o;
}

static cobloc_status fit(const cobloc_communicator *c, void *data, cobloc_error *err)
{
    rank_job *j = data;
    cobloc_fit_options o = j->options;
    if (c->rank == j->fails)
        return cob_fail(err, COBLOC_IO, "rank %d has no matrix", c->rank);
    cobloc_communicator group = group_of(c);
    cobloc_set_communicator(&o, c);
    cobloc_set_group(&o, &group);
    return cobloc_fit(j->matrix, &o, &j->results[c->rank], err);
}

void run_rank_job(rank_job *j, int ranks, cobloc_status status[MOST_TEST_RANKS],
                  cobloc_error err[MOST_TEST_RANKS])
{
    run_groups(ranks, j->options.share == COBLOC_SHARE_GROUPS ? 2 : 0, fit, j, status, err);
}

void free_rank_job(rank_job *j)
{
    for (int r = 0; r < MOST_TEST_RANKS; r++)
        cobloc_result_free(j->results[r]);
}
