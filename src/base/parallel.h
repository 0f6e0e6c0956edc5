/* Threads: how many, and which one is running. Loops use OpenMP pragmas directly; without OpenMP
 * everything runs on one thread, with the same results.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_PARALLEL_H
#define COB_BASE_PARALLEL_H

#include <stdint.h>

#ifdef _OPENMP
#include <omp.h>
static inline int cob_thread(void)
{
    return omp_get_thread_num();
}
#else
static inline int cob_thread(void)
{
    return 0;
}
#endif

/* Bytes between what two threads write all the time: processors fetch cache lines in pairs. */
enum { COB_APART = 256 };

/* The number of threads to use if the caller requested `requested` (0: as many as OpenMP offers).
 * One if the system does not let the process have so many, and within a parallel loop. Every
 * parallel region takes its number from here. */
int cob_threads(int requested);

/* Threads for a loop of so many steps, each of about a nanosecond: all, or one if there is little
 * to do. Never some of them: OpenMP ends threads that a loop does not use, and would have to make
 * them again. */
static inline int cob_threads_worth(int threads, int64_t steps)
{
    enum { WORTH_THREADS = 100000 };
    return steps < WORTH_THREADS ? 1 : threads;
}

/* Around a call of the interface: makes `requested` the number that cob_threads(0) gives. With 0,
 * work of fewer than a million steps, a few milliseconds, gets one thread: idle threads of OpenMP
 * spin, which costs more than they save. Returns what cob_threads_end sets again. */
int cob_threads_begin(int requested, double work);
void cob_threads_end(int before);

/* Once in an iteration: if others want the processors, threads that wait sleep soon from here on.
 */
void cob_threads_look(void);

/* The sum of sum(data, first, last) over blocks of `block` items of `count`. The blocks are always
 * the same ones and are added in their order, so the sum does not depend on the number of threads.
 */
typedef double cob_range_sum(const void *data, int64_t first, int64_t last);
double cob_sum_blocks(cob_range_sum *sum, const void *data, int64_t count, int64_t block,
                      int threads);

#endif
