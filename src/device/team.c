/* Runs that pass over the lines together: each says what it wants of the next pass, one pass does
 * it for all, and each takes what came of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "device/holding.h"

struct cob_team {
    cob_labelled *labelled;
    cob_address desks; /* labels of each run, one after the other; `desk` bytes apart */
    size_t desk;
    cob_there how; /* of the next pass */
};

cobloc_status cob_team_new(cob_held *held, const int clusters[2], int runs, cob_team **out,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = held->device;
    int lanes = (runs + COB_WARP - 1) / COB_WARP * COB_WARP;
    int64_t rows = cob_label_count(held, 0), cols = cob_label_count(held, 1);
    cob_team *team = NULL;
    COB_NEW_ZERO(team, 1);
    COB_TRY(cob_labelled_new(held, clusters, lanes, &team->labelled, err));
    team->desk = (size_t)(rows > cols ? rows : cols) * cob_label_bytes(team->labelled);
    COB_TRY(device->alloc(device, team->desk * (size_t)lanes, &team->desks, err));
    *out = team;
    team = NULL;
done:
    cob_team_free(team);
    return status;
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

void cob_team_announce(cob_team *team, int place, int lane, const cob_there *how,
                       const struct cob_hard *hard)
{
    cob_labelled *l = team->labelled;
    l->active_here[place] = lane;
    if (!how->keep)
        cob_write_rule(l, place, hard);
    if (place == 0)
        team->how = *how;
}

cobloc_status cob_team_pass(cob_team *team, int runs, cobloc_error *err)
{
    cob_labelled *l = team->labelled;
    l->places = (runs + COB_WARP - 1) / COB_WARP * COB_WARP;
    for (int i = runs; i < l->places; i++)
        l->active_here[i] = -1;
    return cob_pass_there(l, &team->how, err);
}

cobloc_status cob_team_draw(cob_team *team, const cob_stream streams[2], cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int side = 0; side < 2; side++)
        COB_TRY(cob_draw_labels(team->labelled, side, streams[side], err));
done:
    return status;
}
