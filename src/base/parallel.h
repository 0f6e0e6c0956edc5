/* Threads: how many, and which one is running. Loops use OpenMP pragmas directly; without OpenMP
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

/* The number of threads to use if the caller requested `requested` (0: as many as OpenMP offers).
 */
int cob_threads(int requested);

#endif
