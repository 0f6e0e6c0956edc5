/* A matrix that a device holds: the lines of both sides, cut into what its blocks can take at a
 * time, and the runs of the engine that pass over them.
 *
 * The labels of a run stay on the device from pass to pass. The engine sends them before its first
 * pass and fetches them when it wants to look at them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_DEVICE_HELD_H
#define COB_DEVICE_HELD_H

#include "device/device.h"
#include "matrix/kernels.h"

/* What is to be held of one side. */
typedef struct cob_held_lines {
    cobloc_view view; /* all values are integers (matrix/grid.h) */
    const double *effects;
    const int32_t *fixed; /* known labels, -1: free; or NULL */
} cob_held_lines;

/* Shared by all runs. */
typedef struct cob_held cob_held;
/* `soft`: passes may be soft. */
cobloc_status cob_held_new(cob_device *device, const cob_held_lines lines[2], int layers, bool soft,
                           cob_held **out, cobloc_error *err);
void cob_held_free(cob_held *held);

/* Whether the device's blocks have room for the sums over so many clusters of either side. */
bool cob_held_takes(const cob_held *held, const int clusters[2]);

/* Labels of both sides on the device, in so many clusters, and the room for passes, which with
 * `soft` may be soft. */
typedef struct cob_held_run cob_held_run;
cobloc_status cob_held_run_new(cob_held *held, const int clusters[2], bool soft, cob_held_run **out,
                               cobloc_error *err);
void cob_held_run_free(cob_held_run *run);

/* Who takes the lines of one side in passes. */
cob_holder *cob_held_holder(cob_held_run *run, int side);

/* Runs that pass over the lines together: entries are read once for all of them. `together`: how
 * many are worth it; 1: each is better off alone. */
int cob_held_together(const cob_held *held);

/* Up to `runs` of these, in so many clusters. Teams know nothing of each other: each may be another
 * thread's. */
typedef struct cob_team cob_team;
cobloc_status cob_team_new(cob_held *held, const int clusters[2], int runs, cob_team **out,
                           cobloc_error *err);
void cob_team_free(cob_team *team);

/* A run is number `lane` of a team until it leaves; its labels are to be sent, or drawn, after
 * either. */
void cob_held_join(cob_held_run *run, cob_team *team, int lane);
void cob_held_leave(cob_held_run *run);

/* Draws the labels of all of them at random, but for known ones: lane 0 by these streams, for rows
 * and columns, the others by those of the restarts that follow. */
cobloc_status cob_team_draw(cob_team *team, const cob_stream streams[2], cobloc_error *err);

/* Passes of some of them: each gets a place, from 0 on, and announces what it wants
 * (cob_pass_announce); one pass is done for so many; and each takes what came of it by
 * cob_pass_run. */
void cob_held_take_place(cob_held_run *run, int place);
cobloc_status cob_team_pass(cob_team *team, int runs, cobloc_error *err);

/* The labels of one side of a run again as they were before its last pass. */
void cob_held_take_back(cob_held_run *run, int side);

/* Labels there and back. */
void cob_held_send(cob_held_run *run, int side, const int32_t *labels);
void cob_held_fetch(cob_held_run *run, int side, int32_t *labels);

/* The same for memberships, lines by clusters: sent before the first soft pass of a run
 * that may have some. */
void cob_held_send_soft(cob_held_run *run, int side, const double *soft);
void cob_held_fetch_soft(cob_held_run *run, int side, double *soft);

/* Neither these nor passes say that they failed. This does: the first failure of any of them, after
 * which nothing more is done. */
cobloc_status cob_held_check(const cob_held_run *run, cobloc_error *err);

#endif
