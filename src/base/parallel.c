/* The number of threads.
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
