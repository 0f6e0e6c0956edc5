/* Threads: how many, and which one am I. Loops use OpenMP's pragmas directly; without OpenMP
 * everything runs on one thread, with the same results.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_PARALLEL_H
#define COB_BASE_PARALLEL_H

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

/* The number of threads to use where `requested` were asked for (0: as many as OpenMP offers). */
int cob_threads(int requested);

#endif
