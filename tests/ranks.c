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

static void *sit(void *data)
{
    seat *s = data;
    cobloc_communicator c = {s->rank, s->in->size, s, gather, add, broadcast};
    cobloc_status own = s->work(&c, s->job, s->err);
    *s->status = cobloc_ranks_end(&c, own, s->err);
    return NULL;
}

void run_ranks(int size, rank_fn *work, void *job, cobloc_status status[MOST_TEST_RANKS],
               cobloc_error err[MOST_TEST_RANKS])
{
    room in = {.size = size};
    seat seats[MOST_TEST_RANKS];
    pthread_barrier_init(&in.barrier, NULL, (unsigned)size);
    for (int r = 0; r < size; r++) {
        seats[r] = (seat){&in, r, 0, work, job, &status[r], &err[r]};
        pthread_create(&seats[r].thread, NULL, sit, &seats[r]);
    }
    for (int r = 0; r < size; r++)
        pthread_join(seats[r].thread, NULL);
    pthread_barrier_destroy(&in.barrier);
}
