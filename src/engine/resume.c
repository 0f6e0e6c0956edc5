/* The states of runs.
 * SPDX-License-Identifier: MIT
 */
#include "engine/resume.h"

#include "engine/steps.h"

/* ---- phases ---------------------------------------------------------------------------------- */

/* What a run does after its time was over is not what it would have done: it is not kept. */
void cob_begin_phase(cob_run *run, cob_phase phase)
{
    if (run->disturbed || cob_clock() > run->problem->watch.deadline)
        run->sealed = true;
    if (cob_resumed_in(run) != phase)
        run->place = (cob_place){0};
    run->place.phase = phase;
    run->place.resumed = false;
}

void cob_end_phase(cob_run *run)
{
    run->place = (cob_place){0};
}

cobloc_status cob_may_keep(cob_run *run, int step, int more, cobloc_error *err)
{
    const cob_watch *watch = &run->problem->watch;
    if (!run->keeper || run->place.phase == COB_NO_PHASE || run->sealed)
        return COBLOC_OK;
    if (!run->disturbed && cob_clock() < run->keep_at)
        return COBLOC_OK;
    run->sealed = run->disturbed;
    if (watch->intact && !watch->intact(watch->data))
        return COBLOC_OK;
    run->place.step = step;
    run->place.more = more;
    cob_fetch_labels(run);
    cobloc_status status = run->keeper->keep(run->keeper->data, run, err);
    run->keep_at = cob_clock() + run->keeper->interval;
    return status;
}

/* ---- the state as sections ------------------------------------------------------------------- */

/* All that is not an array. */
typedef struct numbers {
    int32_t phase, step, more, draws, kept, at_bound, stop;
    uint32_t iteration;
    uint64_t trace_count;
    double value, criterion, entropy[2];
} numbers;

typedef struct part {
    const char *name;
    void *at;
    size_t bytes;
} part;

enum { MOST_PARTS = 32 };

static int add(part *parts, int count, const char *name, void *at, size_t elements, size_t size)
{
    if (at)
        parts[count++] = (part){name, at, elements * size};
    return count;
}

static int add_side(const cob_run *run, cob_axis side, part *parts, int count)
{
    static const char *const names[2][4] = {{"row labels", "row soft", "row counts", "row best"},
                                            {"col labels", "col soft", "col counts", "col best"}};
    const cob_run_side *own = &run->side[side];
    size_t lines = (size_t)cob_line_count(run->problem, side);
    size_t cells = lines * (size_t)own->clusters;
    count = add(parts, count, names[side][0], own->labels, lines, sizeof *own->labels);
    if (run->place.phase >= COB_SETTLING)
        count = add(parts, count, names[side][1], own->soft, cells, sizeof *own->soft);
    if (run->place.phase == COB_DRAWING)
        count = add(parts, count, names[side][2], own->counts, cells, sizeof *own->counts);
    if (run->place.phase == COB_ANNEALING)
        count = add(parts, count, names[side][3], run->best.of[side], lines, sizeof *own->labels);
    return count;
}

static int add_theta(const cob_theta *t, const char *const names[3], part *parts, int count)
{
    size_t cells = (size_t)t->parameters * (size_t)t->g * (size_t)t->m;
    if (!t->delta)
        return count;
    count = add(parts, count, names[0], t->delta, cells, sizeof *t->delta);
    count = add(parts, count, names[1], t->pi, (size_t)t->g, sizeof *t->pi);
    return add(parts, count, names[2], t->rho, (size_t)t->m, sizeof *t->rho);
}

/* While clusters are split and merged, statistics and parameters are those of the labels, and made
 * from these; else they may be of memberships, or averages. */
static int list_parts(const cob_run *run, part parts[MOST_PARTS])
{
    static const char *const theta[] = {"theta", "pi", "rho"};
    static const char *const mean[] = {"mean", "mean pi", "mean rho"};
    static const char *const square[] = {"square", "square pi", "square rho"};
    const cob_stats *s = &run->stats;
    int count = 0;
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        count = add_side(run, side, parts, count);
    count = add(parts, count, "trace", run->trace, run->trace_count, sizeof *run->trace);
    if (run->place.phase == COB_POLISHING)
        return count;
    if (run->place.phase > COB_POLISHING) {
        count = add_theta(&run->mean, mean, parts, count);
        count = add_theta(&run->square, square, parts, count);
    }
    count = add_theta(&run->theta, theta, parts, count);
    count = add(parts, count, "block", s->block, (size_t)s->layers * s->layer, sizeof *s->block);
    count = add(parts, count, "z", s->z, (size_t)s->g, sizeof *s->z);
    count = add(parts, count, "w", s->w, (size_t)s->m, sizeof *s->w);
    count = add(parts, count, "R", s->R, (size_t)s->g, sizeof *s->R);
    return add(parts, count, "C", s->C, (size_t)s->m, sizeof *s->C);
}

void cob_run_write(const cob_run *run, cob_sections_file *file)
{
    part parts[MOST_PARTS];
    numbers n = {.phase = (int32_t)run->place.phase,
                 .step = run->place.step,
                 .more = run->place.more,
                 .draws = run->draws,
                 .kept = run->kept,
                 .at_bound = run->theta.at_bound,
                 .stop = (int32_t)run->stop,
                 .iteration = run->iteration,
                 .trace_count = run->trace_count,
                 .value = run->place.value,
                 .criterion = run->criterion,
                 .entropy = {run->side[COB_ROWS].entropy, run->side[COB_COLS].entropy}};
    int count = list_parts(run, parts);
    cob_sections_put(file, "run", &n, sizeof n);
    for (int i = 0; i < count; i++)
        cob_sections_put(file, parts[i].name, parts[i].at, parts[i].bytes);
}

/* ---- back ------------------------------------------------------------------------------------ */

cobloc_status cob_check_read_labels(const int32_t *labels, int64_t count, int clusters,
                                    cobloc_error *err)
{
    for (int64_t i = 0; i < count; i++)
        if (labels[i] < 0 || labels[i] >= clusters)
            return cob_fail(err, COBLOC_BAD_DATA,
                            "the checkpoint is damaged: a label is %d, expected 0 to %d",
                            (int)labels[i], clusters - 1);
    return COBLOC_OK;
}

static cobloc_status take_numbers(cob_run *run, const cob_sections *from, numbers *n,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const int most = 1 << 30;
    COB_TRY(cob_sections_get(from, "run", n, sizeof *n, err));
    COB_CHECK(n->phase > COB_NO_PHASE && n->phase <= COB_DONE && n->step >= 0 && n->step < most &&
                  n->more >= 0 && n->more < most && n->draws >= 0 && n->draws < most &&
                  n->kept >= 0 && n->kept < most && n->stop >= COBLOC_STOP_CONVERGED &&
                  n->stop <= COBLOC_STOP_CANCELLED && n->trace_count < (uint64_t)most,
              COBLOC_BAD_DATA, "the checkpoint is damaged: it has no such place in a run");
    run->place = (cob_place){.phase = (cob_phase)n->phase,
                             .step = n->step,
                             .more = n->more,
                             .value = n->value,
                             .resumed = true};
    run->iteration = n->iteration;
    run->draws = n->draws;
    run->stop = (cobloc_stop)n->stop;
    run->trace_count = 0;
    while (run->trace_count < n->trace_count && status == COBLOC_OK)
        status = cob_note_criterion(run, err);
done:
    return status;
}

cobloc_status cob_run_read(cob_run *run, const cob_sections *from, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    part parts[MOST_PARTS];
    numbers n;
    COB_TRY(take_numbers(run, from, &n, err));
    int count = list_parts(run, parts);
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        cob_run_side *own = &run->side[side];
        int64_t lines = cob_line_count(run->problem, side);
        COB_TRY(cob_sections_get(from, side == COB_ROWS ? "row labels" : "col labels", own->labels,
                                 (size_t)lines * sizeof *own->labels, err));
        COB_TRY(cob_check_read_labels(own->labels, lines, own->clusters, err));
    }
    cob_run_measure(run);
    for (int i = 0; i < count; i++)
        COB_TRY(cob_sections_get(from, parts[i].name, parts[i].at, parts[i].bytes, err));
    for (cob_axis side = COB_ROWS; run->place.phase == COB_ANNEALING && side <= COB_COLS; side++)
        COB_TRY(cob_check_read_labels(run->best.of[side], cob_line_count(run->problem, side),
                                      run->side[side].clusters, err));
    run->criterion = n.criterion;
    run->kept = n.kept;
    run->theta.at_bound = n.at_bound;
    run->side[COB_ROWS].entropy = n.entropy[COB_ROWS];
    run->side[COB_COLS].entropy = n.entropy[COB_COLS];
done:
    return status;
}
