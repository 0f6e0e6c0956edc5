/* Matrices on a device, and passes over them.
 * SPDX-License-Identifier: MIT
 */
#include "device/held.h"

#include "base/alloc.h"
#include "device/pieces.h"
#include "matrix/lines.h"
#include "matrix/scores.h"

#include <string.h>

/* So many labels of the other side a block can keep beside what else it needs. */
enum { NEAR_LABELS = 160 * 1024 };

typedef struct held_side {
    cob_held_lines lines;
    cob_address offsets, indices, values, effects, fixed;
    cob_address pieces, jobs, slots;
    int64_t job_count, slot_count, longest;
} held_side;

struct cob_held {
    cob_device *device;
    int layers;
    held_side side[2];
};

typedef struct run_side {
    cob_holder holder;
    cob_held_run *run;
    int side, to;
    cob_address labels[2]; /* as they are, and room for those of the next pass */
    cob_address rule;      /* A, b and e behind each other, and the units */
    cob_address sums;      /* of the lines that are cut */
    cob_address table;
    double *rule_here;
    int64_t *table_here;
    void *labels_here;
    int32_t *others; /* labels of the other side, where the processor had to look at them */
} run_side;

struct cob_held_run {
    cob_held *held;
    cob_queue queue;
    bool few; /* labels are bytes */
    run_side side[2];
    cobloc_error failure;
};

/* ---- the matrix ------------------------------------------------------------------------------ */

static cobloc_status upload(cob_device *device, const void *array, size_t count, size_t size,
                            cob_address *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (!array)
        return COBLOC_OK;
    COB_TRY(device->alloc(device, count * size, out, err));
    COB_TRY(device->write(device, NULL, *out, array, count * size, err));
    COB_TRY(device->wait(device, NULL, err));
done:
    return status;
}

static cobloc_status upload_side(cob_device *device, const cob_held_lines *lines, held_side *s,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = &lines->view;
    size_t major = (size_t)view->major, nnz = (size_t)view->nnz;
    cob_pieces cut = {0};
    s->lines = *lines;
    COB_TRY(upload(device, view->offsets, major + 1, sizeof *view->offsets, &s->offsets, err));
    COB_TRY(upload(device, view->indices, nnz, sizeof *view->indices, &s->indices, err));
    COB_TRY(upload(device, view->values, nnz, cob_kind_width(view->kind), &s->values, err));
    COB_TRY(upload(device, lines->effects, major, sizeof *lines->effects, &s->effects, err));
    COB_TRY(upload(device, lines->fixed, major, sizeof *lines->fixed, &s->fixed, err));
    COB_TRY(cob_pieces_cut(view, NEAR_LABELS, device->processors, &cut, err));
    COB_TRY(upload(device, cut.pieces, (size_t)cut.count, sizeof *cut.pieces, &s->pieces, err));
    COB_TRY(upload(device, cut.jobs, (size_t)cut.job_count, sizeof *cut.jobs, &s->jobs, err));
    COB_TRY(upload(device, cut.slots, (size_t)cut.slot_count, sizeof *cut.slots, &s->slots, err));
    s->job_count = cut.job_count;
    s->slot_count = cut.slot_count;
    s->longest = cut.longest;
done:
    cob_pieces_free(&cut);
    return status;
}

cobloc_status cob_held_new(cob_device *device, const cob_held_lines lines[2], int layers,
                           cob_held **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_held *held = NULL;
    COB_NEW_ZERO(held, 1);
    held->device = device;
    held->layers = layers;
    COB_TRY(device->prepare(device, (cob_variant){lines[0].view.kind, true}, err));
    for (int side = 0; side < 2; side++)
        COB_TRY(upload_side(device, &lines[side], &held->side[side], err));
    *out = held;
    held = NULL;
done:
    cob_held_free(held);
    return status;
}

void cob_held_free(cob_held *held)
{
    if (!held)
        return;
    for (int side = 0; side < 2; side++) {
        const held_side *s = &held->side[side];
        const cob_address arrays[] = {s->offsets, s->indices, s->values, s->effects,
                                      s->fixed,   s->pieces,  s->jobs,   s->slots};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            held->device->release(held->device, arrays[i]);
    }
    cob_free(held);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static size_t label_bytes(const cob_held_run *run)
{
    return run->few ? 1 : sizeof(int32_t);
}

static int64_t line_count(const cob_held_run *run, int side)
{
    return run->held->side[side].lines.view.major;
}

/* Clusters of the other side that lines are summed over. */
static int from_of(const cob_held_run *run, int side)
{
    return run->held->layers * run->side[1 - side].to;
}

static size_t rule_cells(const cob_held_run *run, int side)
{
    size_t to = (size_t)run->side[side].to, from = (size_t)from_of(run, side);
    return to * from + 2 * to + from;
}

static size_t table_cells(const cob_held_run *run, int side)
{
    size_t to = (size_t)run->side[side].to;
    return to * ((size_t)from_of(run, side) + COB_TABLE_EXTRA) + 1;
}

static void hold_lines(cob_holder *holder, cob_pass *pass, const cob_hard *hard, cob_desk *desk);
static void take_labels(cob_holder *holder, const int32_t *labels);

static cobloc_status run_side_alloc(cob_held_run *run, int side, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = run->held->device;
    run_side *own = &run->side[side];
    size_t labels = (size_t)run->held->layers * (size_t)line_count(run, side);
    size_t cut = (size_t)run->held->side[side].slot_count * (size_t)from_of(run, side);
    for (int i = 0; i < 2; i++)
        COB_TRY(device->alloc(device, labels * label_bytes(run), &own->labels[i], err));
    COB_TRY(device->alloc(device, rule_cells(run, side) * sizeof(double), &own->rule, err));
    COB_TRY(device->alloc(device, cut * sizeof(int64_t), &own->sums, err));
    COB_TRY(device->alloc(device, table_cells(run, side) * sizeof(int64_t), &own->table, err));
    COB_NEW(own->rule_here, rule_cells(run, side));
    COB_NEW(own->table_here, table_cells(run, side));
    own->labels_here = cob_alloc(labels, label_bytes(run));
    COB_TRY(own->labels_here ? COBLOC_OK : cob_fail_memory(err, labels, label_bytes(run)));
done:
    return status;
}

cobloc_status cob_held_run_new(cob_held *held, const int clusters[2], cob_held_run **out,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int most = clusters[0] > clusters[1] ? clusters[0] : clusters[1];
    cob_held_run *run = NULL;
    COB_NEW_ZERO(run, 1);
    run->held = held;
    run->few = most * held->layers <= COB_FEW_CLUSTERS;
    for (int side = 0; side < 2; side++)
        run->side[side] = (run_side){
            .holder = {hold_lines, take_labels}, .run = run, .side = side, .to = clusters[side]};
    COB_TRY(held->device->open_queue(held->device, &run->queue, err));
    for (int side = 0; side < 2; side++)
        COB_TRY(run_side_alloc(run, side, err));
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
    cob_device *device = run->held->device;
    for (int side = 0; side < 2; side++) {
        run_side *own = &run->side[side];
        const cob_address arrays[] = {own->labels[0], own->labels[1], own->rule, own->sums,
                                      own->table};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            device->release(device, arrays[i]);
        cob_free(own->rule_here);
        cob_free(own->table_here);
        cob_free(own->labels_here);
        cob_free(own->others);
    }
    device->close_queue(device, run->queue);
    cob_free(run);
}

cob_holder *cob_held_holder(cob_held_run *run, int side)
{
    return &run->side[side].holder;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static cobloc_status send_labels(cob_held_run *run, int side, const int32_t *labels,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = run->held->device;
    run_side *own = &run->side[side];
    int64_t count = line_count(run, side);
    for (int c = 0; c < run->held->layers; c++)
        for (int64_t i = 0; i < count; i++) {
            int32_t label = c * own->to + labels[i];
            if (run->few)
                ((uint8_t *)own->labels_here)[c * count + i] = (uint8_t)label;
            else
                ((int32_t *)own->labels_here)[c * count + i] = label;
        }
    COB_TRY(device->write(device, run->queue, own->labels[0], own->labels_here,
                          (size_t)(run->held->layers * count) * label_bytes(run), err));
    COB_TRY(device->wait(device, run->queue, err));
done:
    return status;
}

static cobloc_status fetch_labels(cob_held_run *run, int side, cob_address from, int32_t *labels,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = run->held->device;
    run_side *own = &run->side[side];
    int64_t count = line_count(run, side);
    COB_TRY(device->read(device, run->queue, own->labels_here, from,
                         (size_t)count * label_bytes(run), err));
    COB_TRY(device->wait(device, run->queue, err));
    for (int64_t i = 0; i < count; i++)
        labels[i] = run->few ? ((uint8_t *)own->labels_here)[i] : ((int32_t *)own->labels_here)[i];
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
        fetch_labels(run, side, run->side[side].labels[0], labels, &run->failure);
}

cobloc_status cob_held_check(const cob_held_run *run, cobloc_error *err)
{
    if (run->failure.status == COBLOC_OK)
        return COBLOC_OK;
    return cob_fail(err, run->failure.status, "%s", run->failure.message);
}

static void take_labels(cob_holder *holder, const int32_t *labels)
{
    run_side *own = (run_side *)holder;
    cob_held_send(own->run, own->side, labels);
}

/* ---- passes ---------------------------------------------------------------------------------- */

static bool fits(const cob_device *device, cob_lines_args *a, cob_launch *launch, int64_t labels,
                 int warps)
{
    int label = launch->variant.few ? 1 : (int)sizeof(int32_t);
    int sum = cob_sum_bytes(launch->variant.kind);
    a->stride = a->from | 1; /* copies begin in different banks */
    launch->warps = warps;
    launch->near = (size_t)(COB_NEAR_START + (a->labels_near ? cob_near_labels(labels, label) : 0) +
                            (a->rule_near ? cob_near_rule(a->to, a->from, a->diagonal) : 0) +
                            (a->table_near ? cob_near_table(a->to, a->from) : 0) +
                            warps * cob_near_warp(a->to, a->from, a->diagonal, a->stride, sum));
    return launch->near <= device->most_near;
}

/* Chooses what blocks keep near, and how many warps they have: labels first, since these are looked
 * up most; then all warps, the rule, and the table. */
static bool plan(const cob_device *device, cob_lines_args *a, cob_launch *launch, int64_t labels)
{
    static const struct {
        int warps, rule, table;
    } wishes[] = {{32, 1, 1}, {32, 1, 0}, {32, 0, 0}, {16, 1, 0}, {16, 0, 0},
                  {8, 0, 0},  {4, 0, 0},  {2, 0, 0},  {1, 0, 0}};
    enum { FEW_WARPS = 16 }; /* with fewer, labels are better left where they are */
    bool places = launch->kernel != COB_SUM_PIECES;
    for (int near = launch->variant.few && labels > 0; near >= 0; near--)
        for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
            if (near && wishes[i].warps < FEW_WARPS)
                break;
            a->labels_near = near;
            a->rule_near = wishes[i].rule && places && !a->keep;
            a->table_near = wishes[i].table && places;
            if (fits(device, a, launch, labels, wishes[i].warps))
                return true;
        }
    return false;
}

static cobloc_status start(cob_held_run *run, cob_kernel kernel, cob_lines_args args,
                           int64_t labels, int64_t work, cobloc_error *err)
{
    cob_device *device = run->held->device;
    cob_launch launch = {
        .kernel = kernel,
        .variant = {run->held->side[0].lines.view.kind, run->few},
    };
    if (work <= 0)
        return COBLOC_OK;
    if (!plan(device, &args, &launch, labels))
        return cob_fail(err, COBLOC_UNSUPPORTED,
                        "%s: %d clusters are more than its blocks can take", device->name,
                        args.from);
    int64_t groups = (work + launch.warps - 1) / launch.warps;
    launch.blocks = groups < device->processors ? (int)groups : device->processors;
    return device->start(device, run->queue, &launch, &args, err);
}

/* The rule and the units, behind each other, as the device takes them. */
static cobloc_status send_rule(cob_held_run *run, int side, const cob_hard *hard,
                               cob_lines_args *args, cobloc_error *err)
{
    cob_device *device = run->held->device;
    run_side *own = &run->side[side];
    const cob_rule *rule = hard->pass->rule;
    size_t cells = cob_rule_cells(rule), to = (size_t)rule->to, from = (size_t)rule->from;
    double *at = own->rule_here;
    memcpy(at, rule->A, cells * sizeof *at);
    memcpy(at + cells, rule->b, to * sizeof *at);
    memcpy(at + cells + to, rule->e, to * sizeof *at);
    memcpy(at + cells + 2 * to, hard->units, from * sizeof *at);
    args->A = own->rule;
    args->b = args->A + cells * sizeof *at;
    args->e = args->b + to * sizeof *at;
    args->units = args->e + to * sizeof *at;
    args->diagonal = rule->diagonal;
    return device->write(device, run->queue, own->rule, at, (cells + 2 * to + from) * sizeof *at,
                         err);
}

static cob_lines_args args_of(cob_held_run *run, int side, const cob_hard *hard)
{
    const cob_pass *pass = hard->pass;
    const held_side *lines = &run->held->side[side];
    const run_side *own = &run->side[side], *other = &run->side[1 - side];
    return (cob_lines_args){
        .offsets = lines->offsets,
        .indices = lines->indices,
        .values = lines->values,
        .effects = lines->effects,
        .fixed = lines->fixed,
        .labels = own->labels[0],
        .new_labels = own->labels[1],
        .other = other->labels[0],
        .pieces = lines->pieces,
        .jobs = lines->jobs,
        .slots = lines->slots,
        .slot_sums = own->sums,
        .table = own->table,
        .major = lines->lines.view.major,
        .minor = lines->lines.view.minor,
        .job_count = lines->job_count,
        .slot_count = lines->slot_count,
        .longest = lines->longest,
        .mass_scale = pass->effect_grid.scale,
        .to = pass->to,
        .from = pass->from,
        .layers = run->held->layers,
        .keep = pass->assign == COB_ASSIGN_KEEP,
        .anew = hard->anew,
        .has_masses = pass->masses != NULL,
    };
}

static cobloc_status run_pass(cob_held_run *run, int side, const cob_hard *hard, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = run->held->device;
    run_side *own = &run->side[side];
    size_t table = table_cells(run, side) * sizeof *own->table_here;
    cob_lines_args args = args_of(run, side, hard);
    if (!args.keep)
        COB_TRY(send_rule(run, side, hard, &args, err));
    COB_TRY(device->clear(device, run->queue, own->table, table, err));
    COB_TRY(device->clear(device, run->queue, own->sums,
                          (size_t)args.slot_count * (size_t)args.from * sizeof(int64_t), err));
    COB_TRY(start(run, COB_SUM_PIECES, args, COB_CHUNK, args.job_count * COB_WARPS, err));
    COB_TRY(start(run, COB_PLACE_LINES, args, args.minor, args.longest < 0 ? 0 : args.major, err));
    COB_TRY(start(run, COB_PLACE_SLOTS, args, 0, args.slot_count, err));
    COB_TRY(device->read(device, run->queue, own->table_here, own->table, table, err));
    COB_TRY(device->wait(device, run->queue, err));
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
        memset(whole, 0, (size_t)pass->from * sizeof *whole);
        for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++)
            whole[pass->other_labels[view->indices[e]]] += cob_entry(view->kind, view->values, e);
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
    int64_t count = line_count(run, 1 - side);
    COB_TRY(fetch_labels(run, side, own->labels[0], pass->labels, err));
    if (!own->others)
        COB_NEW(own->others, run->held->layers * count);
    COB_TRY(fetch_labels(run, 1 - side, run->side[1 - side].labels[0], own->others, err));
    for (int c = 1; c < run->held->layers; c++)
        for (int64_t i = 0; i < count; i++)
            own->others[c * count + i] = c * run->side[1 - side].to + own->others[i];
    pass->other_labels = own->others;
done:
    return status;
}

/* Looks for clusters that lost all members, and for who is to go back. Labels are brought back
 * only then. At most one line goes back to each cluster; that may empty others, if they are thin.
 */
static cobloc_status look_for_empty(cob_held_run *run, int side, cob_pass *pass,
                                    const cob_hard *hard, cob_desk *desk, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t *before = NULL;
    bool *thin = NULL, any = false;
    COB_NEW(thin, pass->to);
    for (int k = 0; k < pass->to; k++) {
        double size = (hard->anew ? 0 : pass->sizes[k]) + (double)desk->sizes[k];
        thin[k] = size <= pass->to;
        any = any || size < 0.5;
    }
    if (!any)
        goto done;
    COB_NEW(before, pass->view->major);
    COB_TRY(fetch_labels(run, side, run->side[side].labels[1], before, err));
    COB_TRY(fetch_both(run, side, pass, err));
    find_keepers(pass, hard->units, before, thin, desk);
done:
    cob_free(before);
    cob_free(thin);
    return status;
}

static void take_table(const cob_held_run *run, int side, const cob_pass *pass, cob_desk *desk)
{
    const int64_t *table = run->side[side].table_here;
    int wide = cob_wide(pass->from);
    for (int k = 0; k < pass->to; k++)
        for (int l = 0; l < pass->from; l++)
            desk->block[(int64_t)k * wide + l] = *table++;
    for (int k = 0; k < pass->to; k++)
        desk->sizes[k] = *table++;
    for (int k = 0; k < pass->to; k++)
        desk->masses[k] = *table++;
    desk->moved = *table;
    desk->looked = pass->view->nnz;
}

static void hold_lines(cob_holder *holder, cob_pass *pass, const cob_hard *hard, cob_desk *desk)
{
    run_side *own = (run_side *)holder;
    cob_held_run *run = own->run;
    if (run->failure.status != COBLOC_OK ||
        run_pass(run, own->side, hard, &run->failure) != COBLOC_OK)
        return;
    cob_address old = own->labels[0];
    own->labels[0] = own->labels[1];
    own->labels[1] = old;
    take_table(run, own->side, pass, desk);
    if (pass->assign == COB_ASSIGN_HARD)
        look_for_empty(run, own->side, pass, hard, desk, &run->failure);
}
