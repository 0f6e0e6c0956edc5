/* Monitoring a long computation: progress, cancellation, the clock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_WATCH_H
#define COB_BASE_WATCH_H

#include "base/progress.h"

#include <stdbool.h>

/* Shared by all restarts of a fit. */
typedef struct cob_watch {
    cobloc_progress progress;
    double *made;                     /* what was reported last; NULL: not tracked */
    int restarts;                     /* how many restarts share it */
    double deadline;                  /* on cob_clock; infinite: no deadline */
    bool (*intact)(const void *data); /* or NULL: whether the data are still what they were; if */
    const void *data;                 /* not, the computation stops, and its result is none */
} cob_watch;

/* Whether to stop, at fraction `done` of restart number `restart`. Reports progress, one thread at
 * a time and never decreasing. Returns COBLOC_STOP_CONVERGED to continue, otherwise the reason to
 * stop. */
cobloc_stop cob_must_stop(const cob_watch *watch, uint32_t restart, double done);

/* Seconds on a monotonic clock. */
double cob_clock(void);

#endif
