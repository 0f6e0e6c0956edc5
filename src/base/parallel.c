/* The number of threads, and sums on several of them.
 * SPDX-License-Identifier: MIT
 */
#include "base/parallel.h"

enum { MOST_THREADS = 1024 };

int cob_threads(int requested)
{
#ifdef _OPENMP
    int threads = requested > 0 ? requested : omp_get_max_threads();
#else
    int threads = 1;
    (void)requested;
#endif
    return threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
}

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
