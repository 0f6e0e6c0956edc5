/* Runs that pass over the lines together: each says what it wants of the next pass, one pass does
 * it for all, and each takes what came of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "device/holding.h"
#include "matrix/lines.h"

#include <string.h>

/* What is known of a run: whether the sums of a side are those of the other side's labels, but for
 * lines that moved in the last pass over that; and how many did. */
typedef struct team_lane {
    bool summed[2];
    int64_t moved[2];
} team_lane;

struct cob_team {
    cob_labelled *labelled;
    team_lane *lanes;
    cob_address desks; /* labels of each run, one after the other; `desk` bytes apart */
    size_t desk;
    cob_there how;        /* of the next pass; */
    const double **sizes; /* of the clusters of each place, before it */
    cob_keepers *keepers;
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
    COB_NEW_ZERO(team->lanes, lanes);
    COB_TRY(cob_labelled_new(held, clusters, lanes, &team->labelled, err));
    team->desk = (size_t)(rows > cols ? rows : cols) * cob_label_bytes(team->labelled);
    COB_TRY(device->alloc(device, team->desk * (size_t)lanes, &team->desks, err));
    COB_NEW_ZERO(team->sizes, lanes);
    COB_TRY(cob_keepers_new(team->labelled, &team->keepers, err));
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
    cob_keepers_free(team->keepers);
    cob_free(team->sizes);
    cob_labelled_free(team->labelled);
    cob_free(team->lanes);
    cob_free(team);
}

cob_labelled *cob_team_labelled(cob_team *team)
{
    return team->labelled;
}

cob_keepers *cob_team_keepers(cob_team *team)
{
    return team->keepers;
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
    team->sizes[place] = hard->pass->sizes;
    if (!how->keep)
        cob_write_rule(l, place, hard);
    if (place == 0)
        team->how = *how;
}

/* Places that kernels can deal to the threads of warps. */
static int places_for(int runs)
{
    int places = 1;
    while (places < COB_WARP && places < runs)
        places *= 2;
    return (runs + places - 1) / places * places;
}

/* How the sums of a side are made, and whose moves are followed for them: that pays if few lines
 * moved, and the fewer the runs are, the more may have. */
static void plan_sums(cob_team *team, int runs)
{
    enum { AS_ONE = 16 }; /* runs together take about as long as so many would one by one */
    cob_labelled *l = team->labelled;
    int side = team->how.side, other = 1 - side;
    int32_t *follows = l->active_here + cob_fours(l->lanes);
    int64_t moved = 0, lines = l->held->side[other].lines.view.major;
    bool summed = true;
    memset(follows, 0, (size_t)l->lanes * sizeof *follows);
    for (int i = 0; i < runs; i++) {
        const team_lane *lane = &team->lanes[l->active_here[i]];
        follows[l->active_here[i]] = lane->moved[other] > 0;
        moved += lane->moved[other];
        summed = summed && lane->summed[side];
    }
    team->how.summed = summed && moved < lines * (runs + AS_ONE - 1) / AS_ONE;
    team->how.follows = moved > 0;
}

/* Sums of the other side can only follow moves of one pass. */
static void note_pass(cob_team *team, int runs)
{
    cob_labelled *l = team->labelled;
    int side = team->how.side, other = 1 - side;
    for (int i = 0; i < runs; i++) {
        team_lane *lane = &team->lanes[l->active_here[i]];
        lane->summed[side] = true;
        lane->moved[other] = 0;
        if (!team->how.keep) {
            lane->summed[other] = lane->summed[other] && lane->moved[side] == 0;
            lane->moved[side] = cob_moved_in_pass(l, i, side);
        }
    }
}

cobloc_status cob_team_pass(cob_team *team, int runs, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_labelled *l = team->labelled;
    COB_TRY(cob_keepers_settle(team->keepers, err));
    l->places = places_for(runs);
    for (int i = runs; i < l->places; i++)
        l->active_here[i] = -1;
    plan_sums(team, runs);
    COB_TRY(cob_pass_there(l, &team->how, err));
    if (!team->how.keep)
        COB_TRY(cob_keepers_find(team->keepers, &team->how, team->sizes, runs, err));
    note_pass(team, runs);
done:
    return status;
}

void cob_team_forget(cob_team *team, int lane)
{
    team->lanes[lane] = (team_lane){{false, false}, {0, 0}};
}

cobloc_status cob_team_draw(cob_team *team, const cob_stream streams[2], cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int lane = 0; lane < team->labelled->lanes; lane++)
        cob_team_forget(team, lane);
    for (int side = 0; side < 2; side++)
        COB_TRY(cob_draw_labels(team->labelled, side, streams[side], err));
done:
    return status;
}
