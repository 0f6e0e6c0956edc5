/* Restarts that end when so many of them have found the same best.
 *
 * What follows such a restart counts for nothing, so that they are noted in their order: those that
 * end before earlier ones wait for these. The result is then the same for any number of threads.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_ALIKE_H
#define COB_FIT_ALIKE_H

#include "fit/fit.h"

/* How many restarts with the same best criterion are enough where it is asked for: two starts of
 * different kinds seldom meet anywhere but at the top. */
enum { COB_ALIKE = 2 };

/* Whether the restarts noted so far are enough. The best of them must hold no clusters: others may
 * need to hold none. */
bool cob_enough_alike(const cob_task *task, const cob_restarts *restarts, const cob_outcome *best);

/* How many were made, of a race that has ended: fewer than were asked for if they were enough. */
int cob_restarts_made(const cob_task *task, const cob_restarts *restarts, const cob_outcome *best);

/* Outcomes that wait for earlier ones. */
typedef struct cob_turns {
    cob_outcome *waiting; /* of each restart, empty where none waits; NULL: they need not wait */
    int count, next;      /* how many restarts there are; the first that has not been noted */
} cob_turns;

/* `restarts`: those that had ended before are not waited for. */
cobloc_status cob_turns_new(const cob_task *task, const cob_restarts *restarts, cob_turns *turns,
                            cobloc_error *err);
void cob_turns_free(cob_turns *turns);

/* Takes an outcome over. */
void cob_turns_put(cob_turns *turns, cob_outcome *outcome);

/* Hands the next one out, if it is there. */
bool cob_turns_take(cob_turns *turns, cob_outcome *outcome);

#endif
