/* The number of threads, and sums on several of them.
 * SPDX-License-Identifier: MIT
 */
#include "base/parallel.h"

#ifdef _OPENMP

#include <pthread.h>
#include <stdbool.h>

enum { MOST_THREADS = 1024 };

static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Whether the system lets this process have `count` more threads at the same time. OpenMP ends the
 * process when it cannot make one, so we try first. */
static bool can_make(int count)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t made[2 * MOST_THREADS];
    int some = 0;
    pthread_mutex_lock(&gate);
    while (some < count && pthread_create(&made[some], NULL, wait_at, &gate) == 0)
        some++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < some; i++)
        pthread_join(made[i], NULL);
    return some == count;
}

/* OpenMP keeps the threads that it has made for a thread of the caller, so each of these tries only
 * when it wants more than before. It tries twice as many, since the system may still count threads
 * that have just ended. An empty loop then makes them at once: later, memory may be short. */
static _Thread_local int tried = 1, possible = 1;

static int possible_threads(int wanted)
{
    if (wanted > tried) {
        possible = can_make(2 * (wanted - 1)) ? wanted : 1;
        tried = wanted;
#pragma omp parallel num_threads(possible)
        {
        }
    }
    return wanted < possible ? wanted : possible;
}

int cob_threads(int requested)
{
    int threads = requested > 0 ? requested : omp_get_max_threads();
    if (threads <= 1 || omp_get_active_level() >= omp_get_max_active_levels())
        return 1;
    return possible_threads(threads < MOST_THREADS ? threads : MOST_THREADS);
}

int cob_threads_begin(int requested, double work)
{
    const double worth_threads = 1e6;
    int before = omp_get_max_threads();
    omp_set_num_threads(requested == 0 && work < worth_threads ? 1 : cob_threads(requested));
    return before;
}

void cob_threads_end(int before)
{
    omp_set_num_threads(before <= tried ? possible_threads(before) : before);
}

#else

int cob_threads(int requested)
{
    (void)requested;
    return 1;
}

int cob_threads_begin(int requested, double work)
{
    (void)requested, (void)work;
    return 1;
}

void cob_threads_end(int before)
{
    (void)before;
}

#endif

double cob_sum_blocks(cob_range_sum *sum, const void *data, int64_t count, int64_t block,
                      int threads)
{
    enum { AT_ONCE = 256 };
    double total = 0, of_block[AT_ONCE];
    int64_t blocks = (count + block - 1) / block;
    for (int64_t first = 0; first < blocks; first += AT_ONCE) {
        int some = (int)(blocks - first < AT_ONCE ? blocks - first : AT_ONCE);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (some > 1)
        for (int b = 0; b < some; b++) {
            int64_t from = (first + b) * block, to = from + block;
            of_block[b] = sum(data, from, to < count ? to : count);
        }
        for (int b = 0; b < some; b++)
            total += of_block[b];
    }
    return total;
}
