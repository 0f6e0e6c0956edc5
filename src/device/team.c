/* Runs that pass over the lines together. Each is on a thread of its own and knows of no other:
 * when all of them wait for a pass, one of their threads does it for all that wait for the same
 * side.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "device/holding.h"
#include "matrix/lines.h"

#include <pthread.h>
#include <semaphore.h>

typedef enum member_state {
    ABSENT,
    AWAY,    /* what it waits for next is not known yet */
    WAITING, /* for a pass, */
    LEADING  /* or to do it for all */
} member_state;

typedef struct member {
    member_state state;
    cob_there how;
    cobloc_error failure; /* of its last pass */
    sem_t woken;
    int place; /* among those whose pass is over */
} member;

struct cob_team {
    cob_labelled *labelled;
    int lanes;
    cob_address desks; /* labels of each run, one after the other; `desk` bytes apart */
    size_t desk;
    pthread_mutex_t lock;
    int away;     /* members that do not wait */
    bool working; /* a pass is on its way */
    int *done;    /* those whose pass is over */
    int done_count;
    member members[];
};

/* ---- making ---------------------------------------------------------------------------------- */

cobloc_status cob_held_gather(cob_held *held, const int clusters[2], int runs, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = held->device;
    int lanes = (runs + COB_WARP - 1) / COB_WARP * COB_WARP;
    int64_t rows = cob_label_count(held, 0), cols = cob_label_count(held, 1);
    cob_team *team = cob_alloc_zero(1, sizeof *team + (size_t)lanes * sizeof *team->members);
    if (!team)
        return cob_fail_memory(err, (size_t)lanes, sizeof *team->members);
    pthread_mutex_init(&team->lock, NULL);
    team->lanes = lanes;
    for (int i = 0; i < lanes; i++)
        sem_init(&team->members[i].woken, 0, 0);
    COB_NEW(team->done, lanes);
    COB_TRY(cob_labelled_new(held, clusters, lanes, &team->labelled, err));
    team->desk = (size_t)(rows > cols ? rows : cols) * cob_label_bytes(team->labelled);
    COB_TRY(device->alloc(device, team->desk * (size_t)lanes, &team->desks, err));
    held->team = team;
    team = NULL;
done:
    cob_team_free(team);
    return status;
}

void cob_held_disperse(cob_held *held)
{
    cob_team_free(held->team);
    held->team = NULL;
}

void cob_team_free(cob_team *team)
{
    if (!team)
        return;
    if (team->labelled) {
        cob_device *device = team->labelled->held->device;
        device->release(device, team->desks);
    }
    cob_labelled_free(team->labelled);
    for (int i = 0; i < team->lanes; i++)
        sem_destroy(&team->members[i].woken);
    pthread_mutex_destroy(&team->lock);
    cob_free(team->done);
    cob_free(team);
}

cob_labelled *cob_team_labelled(cob_team *team)
{
    return team->labelled;
}

cob_address cob_team_desk(const cob_team *team, int lane)
{
    return team->desks + (size_t)lane * team->desk;
}

/* ---- members --------------------------------------------------------------------------------- */

/* Somebody who waits, to lead the next pass if nobody else is away; the lock is held. */
static void wake_a_leader(cob_team *team)
{
    for (int i = 0; i < team->lanes && team->away == 0 && !team->working; i++)
        if (team->members[i].state == WAITING) {
            team->working = true;
            team->members[i].state = LEADING;
            sem_post(&team->members[i].woken);
            return;
        }
}

int cob_team_join(cob_team *team, const int clusters[2])
{
    int lane = -1;
    if (clusters[0] != team->labelled->clusters[0] || clusters[1] != team->labelled->clusters[1])
        return -1;
    pthread_mutex_lock(&team->lock);
    for (int i = 0; i < team->lanes && lane < 0; i++)
        if (team->members[i].state == ABSENT)
            lane = i;
    if (lane >= 0) {
        team->members[lane].state = AWAY;
        team->away++;
    }
    pthread_mutex_unlock(&team->lock);
    return lane;
}

void cob_team_leave(cob_team *team, int lane)
{
    pthread_mutex_lock(&team->lock);
    team->members[lane].state = ABSENT;
    team->away--;
    wake_a_leader(team);
    pthread_mutex_unlock(&team->lock);
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Whether two passes can be one: of the same side, in the same way. */
static bool agree(const cob_there *a, const cob_there *b)
{
    return a->side == b->side && a->keep == b->keep && a->anew == b->anew;
}

/* The pass of all that agree with one of them. Nobody else changes anything meanwhile, but for new
 * members, which send their labels. */
static void lead(cob_team *team, int lane)
{
    cob_labelled *labelled = team->labelled;
    cob_there how = team->members[lane].how;
    cobloc_error failure = {COBLOC_OK, ""};
    team->done_count = 0;
    for (int i = 0; i < team->lanes; i++) {
        const member *one = &team->members[i];
        bool active = i == lane || (one->state == WAITING && agree(&one->how, &how));
        labelled->active_here[i] = active;
        if (active && i != lane)
            team->done[team->done_count++] = i;
    }
    pthread_mutex_unlock(&team->lock);
    cob_pass_there(labelled, &how, &failure);
    pthread_mutex_lock(&team->lock);
    team->working = false;
    team->members[lane].failure = failure;
    team->members[lane].state = AWAY;
    team->away += 1 + team->done_count;
    for (int i = 0; i < team->done_count; i++) {
        member *one = &team->members[team->done[i]];
        one->failure = failure;
        one->state = AWAY;
        one->place = i;
    }
}

/* Each wakes two others, so that the last need not wait for all before it. */
static void wake_two(cob_team *team, int place)
{
    for (int i = 2 * place + 1; i <= 2 * place + 2; i++)
        if (i < team->done_count)
            sem_post(&team->members[team->done[i]].woken);
}

static void wait_to_be_woken(member *own)
{
    while (sem_wait(&own->woken) != 0) { /* a signal came in between */
    }
}

cobloc_status cob_team_pass(cob_team *team, int lane, const cob_there *how, const cob_hard *hard,
                            cobloc_error *err)
{
    member *own = &team->members[lane];
    if (!how->keep) /* nobody looks at it before this one waits */
        cob_write_rule(team->labelled, lane, hard);
    pthread_mutex_lock(&team->lock);
    own->how = *how;
    own->state = WAITING;
    team->away--;
    bool last = team->away == 0 && !team->working;
    if (last) {
        team->working = true;
        own->state = LEADING;
    }
    pthread_mutex_unlock(&team->lock);
    if (!last)
        wait_to_be_woken(own);
    if (own->state == LEADING) {
        pthread_mutex_lock(&team->lock);
        lead(team, lane);
        pthread_mutex_unlock(&team->lock);
        if (team->done_count > 0)
            sem_post(&team->members[team->done[0]].woken);
    } else {
        wake_two(team, own->place);
    }
    if (own->failure.status == COBLOC_OK)
        return COBLOC_OK;
    return cob_fail(err, own->failure.status, "%s", own->failure.message);
}
