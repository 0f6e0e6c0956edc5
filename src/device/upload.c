/* Bringing a matrix to a device.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "device/holding.h"

#include <string.h>

/* So many labels of the other side a block can keep beside what else it needs. */
enum { NEAR_LABELS = 160 * 1024 };

/* Bytes behind an array, whose last numbers may be read together with others. */
enum { IN_FOURS = COB_QUAD * sizeof(int64_t) };

/* Passes over fewer entries are so short that runs do them together. */
enum { FEW_ENTRIES = 20000000 };

cobloc_status cob_upload(cob_device *device, const void *array, int64_t count, size_t size,
                         cob_address *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (!array)
        return COBLOC_OK;
    COB_TRY(device->alloc(device, (size_t)count * size + IN_FOURS, out, err));
    COB_TRY(device->write(device, NULL, *out, array, (size_t)count * size, err));
    COB_TRY(device->wait(device, NULL, err));
done:
    return status;
}

/* Lays out the entries of slices: of whole lines, or of what is cut. */
static cobloc_status lay(cob_device *device, const cob_held_side *s, cob_address slices,
                         cob_address pieces, const cob_job *jobs, int64_t count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_address there = 0;
    cob_launch launch = {.kernel = COB_LAY_SLICES,
                         .variant = {s->lines.view.kind, true, 1},
                         .blocks = count < device->processors ? (int)count : device->processors,
                         .warps = COB_WARPS};
    cob_lines_args args = {.indices = s->indices,
                           .values = s->values,
                           .quad_indices = s->quad_indices,
                           .quad_values = s->quad_values,
                           .slices = slices,
                           .pieces = pieces,
                           .job_count = count};
    if (count == 0)
        return COBLOC_OK;
    COB_TRY(cob_upload(device, jobs, count, sizeof *jobs, &there, err));
    args.jobs = there;
    COB_TRY(device->start(device, NULL, &launch, &args, err));
    COB_TRY(device->wait(device, NULL, err));
done:
    device->release(device, there);
    return status;
}

/* Whole lines: where they are, and which ones. */
static cobloc_status lay_whole(cob_device *device, const cob_slices *cut, cob_held_side *s,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t count = cut->whole_count * COB_WARP;
    cob_address pieces = 0;
    int32_t *lines = NULL;
    COB_NEW(lines, count);
    for (int64_t i = 0; i < count; i++)
        lines[i] = cut->pieces[i].slot;
    COB_TRY(cob_upload(device, lines, count, sizeof *lines, &s->slice_lines, err));
    COB_TRY(cob_upload(device, cut->pieces, count, sizeof *cut->pieces, &pieces, err));
    COB_TRY(
        cob_upload(device, cut->slices, cut->whole_count, sizeof *cut->slices, &s->slices, err));
    COB_TRY(lay(device, s, s->slices, pieces, cut->jobs, cut->whole_jobs, err));
done:
    device->release(device, pieces);
    cob_free(lines);
    return status;
}

/* What is cut, and its pieces, if there are any. */
static cobloc_status upload_cut(cob_device *device, const cob_slices *cut, cob_cut *out,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t first = cut->whole_count;
    *out = (cob_cut){.slot_count = cut->slot_count,
                     .piece_count = (cut->count - first) * COB_WARP,
                     .longest = cut->longest};
    COB_TRY(cob_upload(device, cut->slots, cut->slot_count, sizeof *cut->slots, &out->slots, err));
    if (out->piece_count > 0)
        COB_TRY(cob_upload(device, cut->pieces + first * COB_WARP, out->piece_count,
                           sizeof *cut->pieces, &out->pieces, err));
done:
    return status;
}

static cobloc_status lay_cut(cob_device *device, const cob_slices *cut, cob_held_side *s,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_job *jobs = cut->jobs + cut->whole_jobs;
    int64_t slices = cut->count - cut->whole_count;
    if (slices == 0)
        return COBLOC_OK;
    s->job_count = cut->job_count - cut->whole_jobs;
    COB_TRY(cob_upload(device, cut->slices + cut->whole_count, slices, sizeof *cut->slices,
                       &s->cut_slices, err));
    COB_TRY(cob_upload(device, jobs, s->job_count, sizeof *jobs, &s->jobs, err));
    COB_TRY(lay(device, s, s->cut_slices, s->cut[0].pieces, jobs, s->job_count, err));
done:
    return status;
}

/* Line after line. */
static cobloc_status upload_lines(cob_device *device, cob_held_side *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = &s->lines.view;
    COB_TRY(cob_upload(device, view->offsets, view->major + 1, sizeof *view->offsets, &s->offsets,
                       err));
    COB_TRY(cob_upload(device, view->indices, view->nnz, sizeof *view->indices, &s->indices, err));
    COB_TRY(
        cob_upload(device, view->values, view->nnz, cob_kind_width(view->kind), &s->values, err));
done:
    return status;
}

/* What passes need of the lines, however these are summed. */
static cobloc_status upload_about(cob_device *device, cob_held_side *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = &s->lines.view;
    COB_TRY(cob_upload(device, s->lines.effects, view->major, sizeof(double), &s->effects, err));
    COB_TRY(cob_upload(device, s->lines.fixed, view->major, sizeof(int32_t), &s->fixed, err));
done:
    return status;
}

/* What runs that are alone need of the side whose lines are summed by labels of the kept one. */
static cobloc_status lay_out_other(cob_device *device, cob_held_side *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = &s->lines.view;
    cob_slices cut = {0};
    COB_TRY(cob_slices_cut(view, NEAR_LABELS, device->processors, &cut, err));
    size_t places = (size_t)cut.quads * COB_QUAD * COB_WARP;
    memcpy(s->packed_end, cut.packed_end, sizeof s->packed_end);
    COB_TRY(upload_cut(device, &cut, &s->cut[0], err));
    COB_TRY(device->alloc(device, places * sizeof *view->indices, &s->quad_indices, err));
    COB_TRY(device->alloc(device, places * cob_kind_width(view->kind), &s->quad_values, err));
    COB_TRY(lay_whole(device, &cut, s, err));
    COB_TRY(lay_cut(device, &cut, s, err));
done:
    cob_slices_free(&cut);
    return status;
}

/* And of the kept side: its entries are those of the other one. */
static cobloc_status lay_out_kept(cob_held *held, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_held_side *s = &held->side[held->kept];
    cob_slices order = {0};
    COB_TRY(cob_slices_order(&s->lines.view, &order, err));
    COB_TRY(upload_cut(held->device, &order, &s->cut[0], err));
    COB_TRY(cob_across_hold(held, &order, err));
done:
    cob_slices_free(&order);
    return status;
}

cobloc_status cob_held_lay_out(cob_held *held, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
#pragma omp critical(cob_device_layout)
    if (!held->laid_out) {
        status = lay_out_other(held->device, &held->side[1 - held->kept], err);
        if (status == COBLOC_OK)
            status = lay_out_kept(held, err);
        held->laid_out = status == COBLOC_OK;
    }
    return status;
}

/* All lines of a side, for teams: long ones in pieces. */
static cobloc_status upload_for_teams(cob_device *device, cob_held_side *s, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_slices cut = {0};
    COB_TRY(upload_lines(device, s, err));
    COB_TRY(cob_slices_long(&s->lines.view, device->processors, &cut, err));
    COB_TRY(upload_cut(device, &cut, &s->cut[1], err));
done:
    cob_slices_free(&cut);
    return status;
}

/* Those of the side that is not kept, as long as they are needed to lay them out; for soft passes,
 * of both. */
static cobloc_status upload_large(cob_held *held, bool soft, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = held->device;
    cob_held_side *other = &held->side[1 - held->kept];
    COB_TRY(upload_lines(device, other, err));
    COB_TRY(cob_held_lay_out(held, err));
    if (soft) {
        COB_TRY(upload_lines(device, &held->side[held->kept], err));
        goto done;
    }
    device->release(device, other->indices);
    device->release(device, other->values);
    other->indices = other->values = 0;
done:
    return status;
}

/* Counts as a kind whose sums have 64 bits. */
static cobloc_status widen(cob_held *held, int side, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view *view = &held->side[side].lines.view;
    COB_NEW(held->wide[side], view->nnz);
    for (int64_t e = 0; e < view->nnz; e++)
        held->wide[side][e] = (uint32_t)cob_entry(view->kind, view->values, e);
    view->kind = COBLOC_U32;
    view->values = held->wide[side];
done:
    return status;
}

/* The lines of both sides, as kernels can add them up. */
static cobloc_status take_lines(cob_held *held, const cob_held_lines lines[2], cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool heavy = cob_has_heavy_line(&lines[0].view) || cob_has_heavy_line(&lines[1].view);
    for (int side = 0; side < 2; side++) {
        held->side[side].lines = lines[side];
        if (heavy)
            COB_TRY(widen(held, side, err));
    }
done:
    return status;
}

/* What has to be done before passes, in parts that do not wait for each other: loading the kernels
 * takes as long as bringing a small matrix there. */
static cobloc_status do_part(cob_held *held, int part, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = held->device;
    if (part == 0)
        return device->prepare(device, (cob_variant){held->side[0].lines.view.kind, true, 1}, err);
    cob_held_side *s = &held->side[part - 1];
    COB_TRY(upload_about(device, s, err));
    if (held->teams)
        COB_TRY(upload_for_teams(device, s, err));
done:
    return status;
}

static cobloc_status do_parts(cob_held *held, cobloc_error *err)
{
    enum { PARTS = 3 };
    cobloc_status status = COBLOC_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(cob_threads(0))
    for (int part = 0; part < PARTS; part++) {
        cobloc_error own = {COBLOC_OK, ""};
        cobloc_status ended = do_part(held, part, &own);
#pragma omp critical(cob_held_parts)
        if (ended != COBLOC_OK && status == COBLOC_OK) {
            status = ended;
            if (err)
                *err = own;
        }
    }
    return status;
}

cobloc_status cob_held_new(cob_device *device, const cob_held_lines lines[2], int layers, bool soft,
                           cob_held **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_held *held = NULL;
    COB_NEW_ZERO(held, 1);
    held->device = device;
    held->layers = layers;
    held->kept = lines[0].view.major < lines[1].view.major ? 0 : 1;
    held->teams = lines[0].view.nnz <= FEW_ENTRIES;
    COB_TRY(take_lines(held, lines, err));
    COB_TRY(do_parts(held, err));
    if (!held->teams)
        COB_TRY(upload_large(held, soft, err));
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
        cob_held_side *s = &held->side[side];
        const cob_cut *alone = &s->cut[0], *team = &s->cut[1];
        const cob_address arrays[] = {s->quad_indices, s->quad_values, s->slices,    s->slice_lines,
                                      s->jobs,         s->cut_slices,  alone->slots, alone->pieces,
                                      team->slots,     team->pieces,   s->effects,   s->fixed,
                                      s->offsets,      s->indices,     s->values};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            held->device->release(held->device, arrays[i]);
        cob_free(held->wide[side]);
    }
    held->device->release(held->device, held->codes);
    held->device->release(held->device, held->code_values);
    cob_free(held);
}

bool cob_held_takes(const cob_held *held, const int clusters[2])
{
    int from = held->layers * (clusters[0] > clusters[1] ? clusters[0] : clusters[1]);
    int bytes = cob_sum_bytes(held->side[0].lines.view.kind);
    return COB_NEAR_START + cob_near_sums(from, 1, bytes) <= (long long)held->device->most_near;
}

int cob_held_together(const cob_held *held)
{
    return held->teams ? COB_WARP : 1;
}
