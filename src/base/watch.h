/* Monitoring a long computation: progress, cancellation, the clock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_WATCH_H
#define COB_BASE_WATCH_H

#include "base/progress.h"
#include "base/ranks.h"

#include <stdbool.h>

/* How the starts of a fit stand, for those who watch it. */
typedef struct cob_standing {
    const char *model;
    int start;   /* the last one that began, from 1; 0: none */
    bool any;    /* a start has ended, */
    double best; /* and this is the best criterion so far */
} cob_standing;

/* Shared by all restarts of a fit. */
typedef struct cob_watch {
    cobloc_progress progress;
    cob_standing *standing;           /* or NULL: unknown */
    double *made;                     /* what was reported last; NULL: not tracked */
    int restarts;                     /* how many restarts share it */
    double deadline;                  /* on cob_clock; infinite: no deadline */
    bool (*intact)(const void *data); /* or NULL: whether the data are still what they were; if */
    const void *data;                 /* not, the computation stops, and its result is none */
    cob_ranks *ranks;     /* that do all in step and stop together, at this time; NULL: no such */
    double last_together; /* on cob_clock of the first rank */
} cob_watch;

/* Whether to stop, at fraction `done` of restart number `restart`. Reports progress, one thread at
 * a time and never decreasing. Returns COBLOC_STOP_CONVERGED to continue, otherwise the reason to
 * stop. */
cobloc_stop cob_must_stop(const cob_watch *watch, uint32_t restart, double done);

/* Notes the best criterion of the starts that have ended. */
void cob_note_best(const cob_watch *watch, double criterion);

/* Seconds on a monotonic clock. */
double cob_clock(void);

#endif
