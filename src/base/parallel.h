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

/* The number of threads to use if the caller requested `requested` (0: as many as OpenMP offers).
 */
int cob_threads(int requested);

/* The sum of sum(data, first, last) over blocks of `block` items of `count`. The blocks are always
 * the same ones and are added in their order, so the sum does not depend on the number of threads.
 */
typedef double cob_range_sum(const void *data, int64_t first, int64_t last);
double cob_sum_blocks(cob_range_sum *sum, const void *data, int64_t count, int64_t block,
                      int threads);

#endif
