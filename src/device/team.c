/* Runs that pass over the lines together. Each is on a thread of its own and knows of no other: when
 * all of them wait for a pass, one of their threads does it for all that wait for the same side.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "device/holding.h"
#include "matrix/lines.h"

#include <pthread.h>

typedef enum member_state {
    ABSENT,
    AWAY,    /* what it waits for next is not known yet */
    WAITING, /* for a pass */
} member_state;

typedef struct member {
    member_state state;
    cob_there how;
    cobloc_error failure; /* of its last pass */
} member;

struct cob_team {
    cob_labelled *labelled;
    cob_address desks; /* labels of each run, one after the other; `desk` bytes apart */
    size_t desk;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool working; /* a pass is on its way: nothing of the others changes */
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
    pthread_cond_init(&team->changed, NULL);
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
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->lock);
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

int cob_team_join(cob_team *team, const int clusters[2])
{
    int lane = -1;
    if (clusters[0] != team->labelled->clusters[0] || clusters[1] != team->labelled->clusters[1])
        return -1;
    pthread_mutex_lock(&team->lock);
    for (int i = 0; i < team->labelled->lanes && lane < 0; i++)
        if (team->members[i].state == ABSENT)
            lane = i;
    if (lane >= 0)
        team->members[lane].state = AWAY;
    pthread_mutex_unlock(&team->lock);
    return lane;
}

void cob_team_leave(cob_team *team, int lane)
{
    pthread_mutex_lock(&team->lock);
    team->members[lane].state = ABSENT;
    pthread_cond_broadcast(&team->changed); /* others may have waited for this one alone */
    pthread_mutex_unlock(&team->lock);
}

/* ---- passes ---------------------------------------------------------------------------------- */

static bool all_wait(const cob_team *team)
{
    for (int i = 0; i < team->labelled->lanes; i++)
        if (team->members[i].state == AWAY)
            return false;
    return true;
}

/* Whether two passes can be one: of the same side, in the same way. */
static bool agree(const cob_there *a, const cob_there *b)
{
    return a->side == b->side && a->keep == b->keep && a->anew == b->anew;
}

/* The pass of all that agree with one of them. */
static void lead(cob_team *team, int lane)
{
    cob_labelled *labelled = team->labelled;
    cob_there how = team->members[lane].how;
    cobloc_error failure = {COBLOC_OK, ""};
    for (int i = 0; i < labelled->lanes; i++) {
        const member *one = &team->members[i];
        labelled->active_here[i] = one->state == WAITING && agree(&one->how, &how);
        how.summed = how.summed && (!labelled->active_here[i] || one->how.summed);
    }
    team->working = true;
    pthread_mutex_unlock(&team->lock);
    cob_pass_there(labelled, &how, &failure);
    pthread_mutex_lock(&team->lock);
    team->working = false;
    for (int i = 0; i < labelled->lanes; i++)
        if (labelled->active_here[i]) {
            team->members[i].failure = failure;
            team->members[i].state = AWAY;
        }
    pthread_cond_broadcast(&team->changed);
}

cobloc_status cob_team_pass(cob_team *team, int lane, const cob_there *how, const cob_hard *hard,
                            cobloc_error *err)
{
    member *own = &team->members[lane];
    pthread_mutex_lock(&team->lock);
    while (team->working)
        pthread_cond_wait(&team->changed, &team->lock);
    if (!how->keep)
        cob_write_rule(team->labelled, lane, hard);
    own->how = *how;
    own->state = WAITING;
    while (own->state == WAITING)
        if (!team->working && all_wait(team))
            lead(team, lane);
        else
            pthread_cond_wait(&team->changed, &team->lock);
    cobloc_error failure = own->failure;
    pthread_mutex_unlock(&team->lock);
    if (failure.status == COBLOC_OK)
        return COBLOC_OK;
    return cob_fail(err, failure.status, "%s", failure.message);
}
