/* Runs that another process can go on with: the state of a run at certain places of its work, such
 * as between two iterations, is written to a file and read back.
 *
 * Random numbers are functions of the iteration (base/random.h) and sums are exact, so the state is
 * what the loops carry from one iteration to the next. What passes keep to save work is made anew.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_ENGINE_RESUME_H
#define COB_ENGINE_RESUME_H

#include "base/sections.h"
#include "engine/engine.h"

/* Who keeps the states of runs. */
struct cob_keeper {
    cobloc_status (*keep)(void *data, cob_run *run, cobloc_error *err);
    void *data;
    double interval; /* seconds between two states of a run */
};

/* The phase that a run was read back in; COB_NO_PHASE: it begins. */
static inline cob_phase cob_resumed_in(const cob_run *run)
{
    return run->place.resumed ? run->place.phase : COB_NO_PHASE;
}

/* Begins a phase: steps go on from run->place.step, which is 0 unless the run was read back in this
 * phase. */
void cob_begin_phase(cob_run *run, cob_phase phase);
/* From here on no states can be kept. */
void cob_end_phase(cob_run *run);

/* Keeps the state, if somebody does and it is time, or if the run has to end now. The phase would
 * go on with this step; `more` is what else it carries. */
cobloc_status cob_may_keep(cob_run *run, int step, int more, cobloc_error *err);

/* Writes a run as it stands, and reads it into a new one of the same problem and size. */
void cob_run_write(const cob_run *run, cob_sections_file *file);
cobloc_status cob_run_read(cob_run *run, const cob_sections *from, cobloc_error *err);

/* Labels that were read are those of this many clusters. */
cobloc_status cob_check_read_labels(const int32_t *labels, int64_t count, int clusters,
                                    cobloc_error *err);

#endif
