/* Watching over a long computation: how far it is, whether its user still wants it, the clock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_WATCH_H
#define COB_BASE_WATCH_H

#include "base/progress.h"

/* Shared by all restarts of a fit. */
typedef struct cob_watch {
    cobloc_progress progress;
    double *made;    /* what was reported last; NULL: forgotten */
    int restarts;    /* how many share it */
    double deadline; /* on cob_clock; infinite: none */
} cob_watch;

/* Whether to go on, asked `done` of the way through restart number `restart`: reports progress, one
 * thread at a time and never backwards. COBLOC_STOP_CONVERGED: go on; else the reason to stop. */
cobloc_stop cob_must_stop(const cob_watch *watch, uint32_t restart, double done);

/* Seconds on a clock that only goes forward. */
double cob_clock(void);

#endif
