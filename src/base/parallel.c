/* The number of threads.
 * SPDX-License-Identifier: MIT
 */
#include "base/parallel.h"

#ifdef _OPENMP

#include <pthread.h>

enum { MOST_THREADS = 1024 };

static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* How many of `count` threads the system lets this process have at the same time. OpenMP ends the
 * process when it cannot make one, so we try first. */
static int try_threads(int count)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t made[MOST_THREADS];
    int some = 0;
    pthread_mutex_lock(&gate);
    while (some < count && pthread_create(&made[some], NULL, wait_at, &gate) == 0)
        some++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < some; i++)
        pthread_join(made[i], NULL);
    return some;
}

/* OpenMP keeps the threads that it has made for a thread of the caller, so each of these tries only
 * when it wants more than before. */
static _Thread_local int tried = 1, possible = 1;

static int possible_threads(int wanted)
{
    if (wanted > tried) {
        possible = 1 + try_threads(wanted - 1);
        tried = wanted;
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
