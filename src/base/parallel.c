/* The number of threads, and sums on several of them.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/parallel.h"

#include "base/watch.h"

#ifdef _OPENMP

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_THREADS = 1024 };

/* Whether there is more than one thread. */
static atomic_bool several;

static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Whether there are addresses for the stacks of `count` more threads. */
static bool has_room(int count)
{
    pthread_attr_t usual;
    size_t stack = 0;
    if (pthread_attr_init(&usual) != 0)
        return false;
    pthread_attr_getstacksize(&usual, &stack);
    pthread_attr_destroy(&usual);
    void *all = mmap(NULL, (size_t)count * stack, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return all != MAP_FAILED && munmap(all, (size_t)count * stack) == 0;
}

/* Whether the system lets this process have `count` more threads at the same time. OpenMP ends the
 * process when it cannot make one, so we try first. The stacks of those that have ended stay there
 * for others; where there is no room for all, none are taken. */
static bool can_make(int count)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t made[2 * MOST_THREADS];
    int some = 0;
    if (!has_room(count))
        return false;
    pthread_mutex_lock(&gate);
    while (some < count && pthread_create(&made[some], NULL, wait_at, &gate) == 0)
        some++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < some; i++)
        pthread_join(made[i], NULL);
    return some == count;
}

/* Makes OpenMP's threads; compilers leave out a loop that does nothing. */
static void make(int count)
{
#pragma omp parallel num_threads(count)
    {
        volatile int here = cob_thread();
        (void)here;
    }
}

/* Waiting threads of GCC's OpenMP spin for milliseconds, which takes the processors from everybody
 * else; but only for microseconds if there are more threads than processors. So where others want
 * the processors, a thread of ours and one more of OpenMP, which never wake, are added to those
 * that work. Where nobody does, threads that spin are the first to go on. */
#ifndef __clang__
static void *sleep_forever(void *ready)
{
    make(2);
    sem_post(ready);
    for (;;)
        pause();
    return NULL;
}

static void add_sleepers(void)
{
    sigset_t all, before;
    pthread_t sleeper;
    sem_t ready;
    sigfillset(&all);
    sem_init(&ready, 0, 0);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the caller's threads */
    if (pthread_create(&sleeper, NULL, sleep_forever, &ready) == 0) {
        pthread_detach(sleeper);
        while (sem_wait(&ready) != 0)
            ;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sem_destroy(&ready);
}

/* How many threads of all programs run or want to, as Linux counts them; 0: nobody says. */
static int count_running(void)
{
    int running = 0;
    FILE *f = fopen("/proc/loadavg", "r");
    if (f && fscanf(f, "%*f %*f %*f %d", &running) != 1)
        running = 0;
    if (f)
        fclose(f);
    return running;
}

void cob_threads_look(void)
{
    enum { APART = 20000000, OFTEN = 2 }; /* nanoseconds between looks; so many in a row */
    static _Atomic int64_t looked;
    static atomic_int busy;
    int64_t now, last = atomic_load_explicit(&looked, memory_order_relaxed);
    if (!atomic_load_explicit(&several, memory_order_relaxed) || last < 0)
        return;
    now = (int64_t)(cob_clock() * 1e9);
    if (now - last < APART || !atomic_compare_exchange_strong(&looked, &last, now))
        return;
    atomic_store(&busy, count_running() > omp_get_num_procs() ? atomic_load(&busy) + 1 : 0);
    if (atomic_load(&busy) < OFTEN)
        return;
    atomic_store(&looked, -1);
    if (!getenv("OMP_WAIT_POLICY") && !getenv("GOMP_SPINCOUNT") && /* else the user has chosen */
        can_make(2 * 2))
        add_sleepers();
}
#else
void cob_threads_look(void)
{
}
#endif

/* OpenMP keeps the threads that it has made for a thread of the caller, so each of these tries only
 * when it wants more than before. It tries twice as many, since the system may still count threads
 * that have just ended. They are made at once: later, memory may be short. */
static _Thread_local int tried = 1, possible = 1;

static int possible_threads(int wanted)
{
    if (wanted > tried) {
        possible = can_make(2 * wanted) ? wanted : 1;
        tried = wanted;
        make(possible);
        if (possible > 1)
            atomic_store(&several, true);
    }
    cob_threads_look();
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

void cob_threads_look(void)
{
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
