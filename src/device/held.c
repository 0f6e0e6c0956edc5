/* Runs that pass over a matrix on a device.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "device/holding.h"
#include "matrix/lines.h"
#include "matrix/scores.h"

#include <string.h>

typedef struct run_side {
    cob_holder holder;
    cob_held_run *run;
    int side;
    void *labels_here;
    int32_t *others; /* labels of the other side, where the processor had to look at them */
} run_side;

struct cob_held_run {
    cob_held *held;
    int clusters[2];
    cob_labelled *own;     /* made when it is first needed, unless the run is in a team */
    cob_memberships *soft; /* NULL: it has none */
    cob_team *team;        /* NULL: alone */
    int lane;              /* in it; -1: alone */
    int place;             /* in a pass of the team */
    bool summed;           /* the kept sums are those of the labels as they stand */
    run_side side[2];
    cobloc_error failure;
};

/* ---- runs ------------------------------------------------------------------------------------ */

static void announce(cob_holder *holder, const cob_hard *hard);
static void hold_lines(cob_holder *holder, cob_pass *pass, const cob_hard *hard, cob_desk *desk);
static const double *hold_soft(cob_holder *holder, cob_pass *pass, const double *units);
static int recall(cob_holder *holder, const cob_pass *pass, int k, int64_t line, int64_t *sums);
static void put_back(cob_holder *holder, const cob_pass *pass, int k, int64_t line);

/* Where the labels of a run are. */
static cobloc_status labelled_of(cob_held_run *run, cob_labelled **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (run->lane < 0 && !run->own)
        COB_TRY(cob_labelled_new(run->held, run->clusters, 1, &run->own, err));
    *out = run->lane < 0 ? run->own : cob_team_labelled(run->team);
done:
    return status;
}

/* And all that was to be changed is. */
static cobloc_status settled_labels_of(cob_held_run *run, cob_labelled **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(labelled_of(run, out, err));
    if (run->lane >= 0)
        COB_TRY(cob_keepers_settle(cob_team_keepers(run->team), err));
done:
    return status;
}

cobloc_status cob_held_run_new(cob_held *held, const int clusters[2], bool soft, cob_held_run **out,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int most = clusters[0] > clusters[1] ? clusters[0] : clusters[1];
    size_t bytes = most * held->layers <= COB_FEW_CLUSTERS ? 1 : sizeof(int32_t);
    cob_held_run *run = NULL;
    cob_labelled *labelled;
    COB_NEW_ZERO(run, 1);
    run->held = held;
    run->lane = -1;
    for (int side = 0; side < 2; side++) {
        run_side *own = &run->side[side];
        size_t labels = (size_t)cob_label_count(held, side);
        run->clusters[side] = clusters[side];
        *own = (run_side){.holder = {announce, hold_lines, hold_soft, recall, put_back},
                          .run = run,
                          .side = side};
        own->labels_here = cob_alloc(labels, bytes);
        COB_TRY(own->labels_here ? COBLOC_OK : cob_fail_memory(err, labels, bytes));
    }
    if (soft) {
        COB_TRY(labelled_of(run, &labelled, err));
        COB_TRY(cob_memberships_new(labelled, &run->soft, err));
    }
    *out = run;
    run = NULL;
done:
    cob_held_run_free(run);
    return status;
}

void cob_held_run_free(cob_held_run *run)
{
    if (!run)
        return;
    for (int side = 0; side < 2; side++) {
        cob_free(run->side[side].labels_here);
        cob_free(run->side[side].others);
    }
    cob_memberships_free(run->soft);
    cob_labelled_free(run->own);
    cob_free(run);
}

void cob_held_join(cob_held_run *run, cob_team *team, int lane)
{
    run->team = team;
    run->lane = lane;
}

void cob_held_leave(cob_held_run *run)
{
    run->lane = -1;
    run->summed = false;
}

void cob_held_take_place(cob_held_run *run, int place)
{
    run->place = place;
}

cob_holder *cob_held_holder(cob_held_run *run, int side)
{
    return &run->side[side].holder;
}

cob_labelled *cob_held_labelled(const cob_held_run *run)
{
    return run->own;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static cobloc_status send_labels(cob_held_run *run, int side, const int32_t *labels,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = run->held->device;
    run_side *own = &run->side[side];
    int64_t count = run->held->side[side].lines.view.major;
    cob_labelled *l;
    COB_TRY(settled_labels_of(run, &l, err));
    for (int c = 0; c < run->held->layers; c++)
        for (int64_t i = 0; i < count; i++) {
            int32_t label = c * run->clusters[side] + labels[i];
            if (l->few)
                ((uint8_t *)own->labels_here)[c * count + i] = (uint8_t)label;
            else
                ((int32_t *)own->labels_here)[c * count + i] = label;
        }
    cob_address to = run->lane < 0 ? l->side[side].labels : cob_team_desk(run->team, run->lane);
    COB_TRY(device->write(device, l->queue, to, own->labels_here,
                          (size_t)(run->held->layers * count) * cob_label_bytes(l), err));
    if (run->lane >= 0) {
        cob_team_forget(run->team, run->lane);
        COB_TRY(cob_move_labels(l, side, l->side[side].labels, run->lane, to, false, err));
    }
    COB_TRY(device->wait(device, l->queue, err));
    run->summed = run->summed && side == run->held->kept;
done:
    return status;
}

/* Labels as they are, or as they were before the last pass. */
static cobloc_status fetch_labels(cob_held_run *run, int side, bool before, int32_t *labels,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = run->held->device;
    run_side *own = &run->side[side];
    int64_t count = run->held->side[side].lines.view.major;
    cob_labelled *l;
    COB_TRY(settled_labels_of(run, &l, err));
    cob_address from = before ? l->side[side].before : l->side[side].labels;
    if (run->lane >= 0) {
        cob_address desk = cob_team_desk(run->team, run->lane);
        COB_TRY(cob_move_labels(l, side, from, run->lane, desk, true, err));
        from = desk;
    }
    COB_TRY(device->read(device, l->queue, own->labels_here, from,
                         (size_t)count * cob_label_bytes(l), err));
    COB_TRY(device->wait(device, l->queue, err));
    for (int64_t i = 0; i < count; i++)
        labels[i] = l->few ? ((uint8_t *)own->labels_here)[i] : ((int32_t *)own->labels_here)[i];
done:
    return status;
}

void cob_held_send(cob_held_run *run, int side, const int32_t *labels)
{
    if (run->failure.status == COBLOC_OK)
        send_labels(run, side, labels, &run->failure);
}

void cob_held_fetch(cob_held_run *run, int side, int32_t *labels)
{
    if (run->failure.status == COBLOC_OK)
        fetch_labels(run, side, false, labels, &run->failure);
}

void cob_held_send_soft(cob_held_run *run, int side, const double *soft)
{
    if (run->failure.status == COBLOC_OK)
        cob_memberships_send(run->soft, side, soft, &run->failure);
}

void cob_held_fetch_soft(cob_held_run *run, int side, double *soft)
{
    if (run->failure.status == COBLOC_OK)
        cob_memberships_fetch(run->soft, side, soft, &run->failure);
}

static cobloc_status take_back(cob_held_run *run, int side, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t *labels = NULL;
    COB_NEW(labels, run->held->side[side].lines.view.major);
    COB_TRY(fetch_labels(run, side, true, labels, err));
    COB_TRY(send_labels(run, side, labels, err));
done:
    cob_free(labels);
    return status;
}

void cob_held_take_back(cob_held_run *run, int side)
{
    if (run->failure.status == COBLOC_OK)
        take_back(run, side, &run->failure);
}

cobloc_status cob_held_check(const cob_held_run *run, cobloc_error *err)
{
    if (run->failure.status == COBLOC_OK)
        return COBLOC_OK;
    return cob_fail(err, run->failure.status, "%s", run->failure.message);
}

/* ---- passes ---------------------------------------------------------------------------------- */

static cob_drawing drawing_of(const cob_pass *pass)
{
    return (cob_drawing){.draws = pass->assign == COB_ASSIGN_DRAW,
                         .by_effect = pass->temperature_by_effect,
                         .temperature = pass->temperature,
                         .key = {pass->stream.key[0], pass->stream.key[1]},
                         .counter = {pass->stream.counter[0], pass->stream.counter[1]}};
}

static cob_there how_of(const cob_held_run *run, int side, const cob_hard *hard)
{
    const cob_pass *pass = hard->pass;
    return (cob_there){.side = side,
                       .mass_scale = pass->effect_grid.scale,
                       .diagonal = pass->rule->diagonal,
                       .keep = pass->assign == COB_ASSIGN_KEEP,
                       .anew = hard->anew,
                       .has_masses = pass->masses != NULL,
                       .summed = run->summed,
                       .drawing = drawing_of(pass)};
}

static void announce(cob_holder *holder, const cob_hard *hard)
{
    const run_side *own = (run_side *)holder;
    const cob_held_run *run = own->run;
    cob_there how = how_of(run, own->side, hard);
    cob_team_announce(run->team, run->place, run->lane, &how, hard);
}

static cobloc_status run_pass(cob_held_run *run, int side, const cob_hard *hard, cob_desk *desk,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_labelled *l;
    cob_there how = how_of(run, side, hard);
    COB_TRY(labelled_of(run, &l, err));
    if (run->lane < 0) { /* that of a team was done already */
        if (!how.keep)
            cob_write_rule(l, 0, hard);
        COB_TRY(cob_pass_there(l, &how, err));
    }
    run->summed = true;
    cob_take_pass(l, run->lane < 0 ? 0 : run->place, side, hard->anew, hard->pass, desk);
done:
    return status;
}

/* The line of each thin cluster that loses least by staying in it. They are few, so their scores
 * are made here. */
static void find_keepers(const cob_pass *pass, const double *units, const int32_t *before,
                         const bool *thin, cob_desk *desk)
{
    const cobloc_view *view = pass->view;
    int64_t *whole = desk->parts;
    for (int64_t line = 0; line < view->major; line++) {
        int own = before[line];
        if (!thin[own] || (pass->fixed && pass->fixed[line] >= 0))
            continue;
        cob_sum_line(pass, line, whole);
        for (int l = 0; l < pass->from; l++)
            desk->sums[l] = (double)whole[l] * units[l];
        cob_score_line(pass->rule, desk->sums, pass->effects[line], desk->scores);
        double most = desk->scores[cob_best_of(desk->scores, pass->to, -1)];
        cob_update_keeper(&desk->keepers[own], (cob_keeper){line, most - desk->scores[own]});
    }
}

/* The labels of both sides as the processor has them. */
static cobloc_status fetch_both(cob_held_run *run, int side, cob_pass *pass, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    run_side *own = &run->side[side];
    int64_t count = run->held->side[1 - side].lines.view.major;
    COB_TRY(fetch_labels(run, side, false, pass->labels, err));
    if (!own->others)
        COB_NEW(own->others, run->held->layers * count);
    COB_TRY(fetch_labels(run, 1 - side, false, own->others, err));
    for (int c = 1; c < run->held->layers; c++)
        for (int64_t i = 0; i < count; i++)
            own->others[c * count + i] = c * run->clusters[1 - side] + own->others[i];
    pass->other_labels = own->others;
done:
    return status;
}

/* Looks for clusters that lost all members, and for who is to go back. Labels are brought back
 * only then. */
static cobloc_status look_for_empty(cob_held_run *run, int side, cob_pass *pass,
                                    const cob_hard *hard, cob_desk *desk, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t *before = NULL;
    bool *thin = NULL;
    COB_NEW(thin, pass->to);
    if (!cob_find_thin(pass->to, hard->anew ? NULL : pass->sizes, desk->sizes, thin))
        goto done;
    COB_NEW(before, pass->view->major);
    COB_TRY(fetch_labels(run, side, true, before, err));
    COB_TRY(fetch_both(run, side, pass, err));
    find_keepers(pass, hard->units, before, thin, desk);
done:
    cob_free(before);
    cob_free(thin);
    return status;
}

static void hold_lines(cob_holder *holder, cob_pass *pass, const cob_hard *hard, cob_desk *desk)
{
    run_side *own = (run_side *)holder;
    cob_held_run *run = own->run;
    if (run->failure.status != COBLOC_OK ||
        run_pass(run, own->side, hard, desk, &run->failure) != COBLOC_OK)
        return;
    if (pass->assign == COB_ASSIGN_KEEP)
        return;
    for (int k = 0; run->lane >= 0 && k < pass->to; k++)
        desk->keepers[k] = cob_keepers_best(cob_team_keepers(run->team), run->place, k);
    if (run->lane < 0)
        look_for_empty(run, own->side, pass, hard, desk, &run->failure);
}

static int recall(cob_holder *holder, const cob_pass *pass, int k, int64_t line, int64_t *sums)
{
    const cob_held_run *run = ((run_side *)holder)->run;
    if (run->lane >= 0)
        return cob_keepers_recall(cob_team_keepers(run->team), run->place, k, sums);
    cob_sum_line(pass, line, sums);
    return pass->labels[line];
}

/* Sums of the kept side are made in passes over the other one, those of a team in the pass that
 * needs them. */
static void put_back(cob_holder *holder, const cob_pass *pass, int k, int64_t line)
{
    run_side *own = (run_side *)holder;
    cob_held_run *run = own->run;
    if (run->lane >= 0) {
        cob_keepers_put_back(cob_team_keepers(run->team), run->place, run->lane, k);
        return;
    }
    pass->labels[line] = k;
    run->summed = run->summed && own->side == run->held->kept;
    if (run->failure.status == COBLOC_OK)
        cob_put_label(run->own, own->side, line, k, &run->failure);
}

static const double *hold_soft(cob_holder *holder, cob_pass *pass, const double *units)
{
    run_side *own = (run_side *)holder;
    cob_held_run *run = own->run;
    const double *chunks = NULL;
    run->summed = false; /* the kept sums: labels move */
    if (run->failure.status == COBLOC_OK)
        cob_memberships_pass(run->soft, own->side, pass, units, &chunks, &run->failure);
    return chunks;
}
