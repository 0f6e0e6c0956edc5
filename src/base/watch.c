/* Progress, cancellation and the deadline.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base/watch.h"

#include <time.h>

cobloc_stop cob_must_stop(const cob_watch *watch, uint32_t restart, double done)
{
    int cancelled = 0;
    if (cob_clock() > watch->deadline)
        return COBLOC_STOP_TIME;
    if (watch->intact && !watch->intact(watch->data))
        return COBLOC_STOP_CANCELLED;
    if (watch->progress.report) {
        double all =
            (restart + (done < 1 ? done : 1)) / (watch->restarts > 0 ? watch->restarts : 1);
#pragma omp critical(cob_progress)
        {
            if (watch->made && all < *watch->made)
                all = *watch->made;
            if (watch->made)
                *watch->made = all;
            cancelled = watch->progress.report(watch->progress.user, "fitting", all < 1 ? all : 1);
        }
    }
    return cancelled ? COBLOC_STOP_CANCELLED : COBLOC_STOP_CONVERGED;
}

double cob_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
