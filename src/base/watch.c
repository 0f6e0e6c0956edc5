/* Progress, cancellation and the deadline.
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base/watch.h"

#include "base/parallel.h"
#include "base/plain.h"

#include <stdio.h>
#include <time.h>

/* "fitting splbm, start 3 of 6, best so far -1234.5"; its first word is the stage. */
static void describe(const cob_watch *watch, uint32_t restart, char *text, size_t room)
{
    cob_standing *s = watch->standing;
    int start = (int)restart < watch->restarts ? (int)restart + 1 : watch->restarts;
    if (s && start > s->start) /* several may run at a time */
        s->start = start;
    if (!s)
        snprintf(text, room, "fitting");
    else if (!s->any)
        snprintf(text, room, "fitting %s, start %d of %d", s->model, s->start, watch->restarts);
    else
        cob_plain_print(text, room, "fitting %s, start %d of %d, best so far %.6g", s->model,
                        s->start, watch->restarts, s->best);
}

void cob_note_best(const cob_watch *watch, double criterion)
{
    if (watch->standing && watch->progress.report) {
#pragma omp critical(cob_progress)
        {
            watch->standing->any = true;
            watch->standing->best = criterion;
        }
    }
}

static cobloc_stop must_stop(const cob_watch *watch, uint32_t restart, double done)
{
    int cancelled = 0;
    if (cob_clock() > (watch->ranks ? watch->last_together : watch->deadline))
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
            char what[128];
            describe(watch, restart, what, sizeof what);
            cancelled = watch->progress.report(watch->progress.user, what, all < 1 ? all : 1);
        }
    }
    return cancelled ? COBLOC_STOP_CANCELLED : COBLOC_STOP_CONVERGED;
}

/* The gravest of what ranks have met: each kind has a digit of the votes. */
static cobloc_stop stop_together(cob_ranks *ranks, cobloc_stop own)
{
    enum { MOST_RANKS = 1 << 20 };
    int64_t mine = own == COBLOC_STOP_CANCELLED ? MOST_RANKS : own == COBLOC_STOP_TIME, votes;
    if (!cob_ranks_vote(ranks, mine, &votes))
        return COBLOC_STOP_CANCELLED;
    return votes >= MOST_RANKS ? COBLOC_STOP_CANCELLED
           : votes > 0         ? COBLOC_STOP_TIME
                               : COBLOC_STOP_CONVERGED;
}

cobloc_stop cob_must_stop(const cob_watch *watch, uint32_t restart, double done)
{
    cobloc_stop own = must_stop(watch, restart, done);
    cob_threads_look();
    return watch->ranks ? stop_together(watch->ranks, own) : own;
}

double cob_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
