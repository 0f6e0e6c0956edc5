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
cobloc_status cob_held_new(cob_device *device, const cob_held_lines lines[2], int layers,
                           cob_held **out, cobloc_error *err);
void cob_held_free(cob_held *held);

/* Whether the device's blocks have room for the sums over so many clusters of either side. */
bool cob_held_takes(const cob_held *held, const int clusters[2]);

/* Labels of both sides on the device, in so many clusters, and the room for passes. */
typedef struct cob_held_run cob_held_run;
cobloc_status cob_held_run_new(cob_held *held, const int clusters[2], cob_held_run **out,
                               cobloc_error *err);
void cob_held_run_free(cob_held_run *run);

/* Who takes the lines of one side in passes. */
cob_holder *cob_held_holder(cob_held_run *run, int side);

/* Runs in so many clusters, up to `runs` at a time, pass over the lines together: entries are read
 * once for all of them. `together`: how many are worth it; 1: each is better off alone. */
int cob_held_together(const cob_held *held);
cobloc_status cob_held_gather(cob_held *held, const int clusters[2], int runs, cobloc_error *err);
void cob_held_disperse(cob_held *held);

/* Between these, every other run that has joined waits for this one before each of its passes. A
 * run sends its labels anew after each of them. */
void cob_held_join(cob_held_run *run);
void cob_held_leave(cob_held_run *run);

/* Labels there and back. */
void cob_held_send(cob_held_run *run, int side, const int32_t *labels);
void cob_held_fetch(cob_held_run *run, int side, int32_t *labels);

/* Neither these nor passes say that they failed. This does: the first failure of any of them, after
 * which nothing more is done. */
cobloc_status cob_held_check(const cob_held_run *run, cobloc_error *err);

#endif
