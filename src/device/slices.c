/* Cutting lines into pieces, and dealing these to slices and jobs.
 * SPDX-License-Identifier: MIT
 */
#include "device/slices.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "matrix/grid.h"

#include <string.h>

enum {
    MOST_QUADS = COB_WHOLE / COB_QUAD, /* of a line that is not cut */
    WINDOW = 1 << 12 /* whole lines are sorted among so many, so that their labels stay close */
};

/* What grows while lines are cut. */
typedef struct cutter {
    const cobloc_view *view;
    cob_slices *out;
    size_t slice_room, piece_room, job_room;
    int64_t in_job; /* entries of the last job, */
    int64_t most;   /* and how many it may have */
    bool new_job;
    int filler; /* the slot of pieces that are none */
    int piece;  /* so many entries at most */

    cob_piece *dealt, *sorted; /* pieces that are to be sorted by length */
    size_t dealt_room, sorted_room;
    int64_t dealt_count;
} cutter;

static int64_t length_of(const cobloc_view *view, int64_t line)
{
    return view->offsets[line + 1] - view->offsets[line];
}

static int quads_of(const cob_piece *piece)
{
    return (piece->count + COB_QUAD - 1) / COB_QUAD;
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* What entries add up to, or if that is more, UINT32_MAX; those that may be negative add up to
 * anything. */
static uint32_t weight_of(const cobloc_view *view, int64_t first, int64_t last)
{
    uint64_t sum = view->kind > COBLOC_U16 ? UINT32_MAX : (uint64_t)(last - first);
    if (view->kind == COBLOC_U8 || view->kind == COBLOC_U16) {
        sum = 0;
        for (int64_t e = first; e < last; e++)
            sum += (uint64_t)cob_entry(view->kind, view->values, e);
    }
    return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* How many such sums can share 32 bits. */
static int packed_of(uint32_t weight)
{
    return weight <= UINT8_MAX ? 4 : weight <= UINT16_MAX ? 2 : 1;
}

/* A slice of the next pieces. */
static cobloc_status add_slice(cutter *c, const cob_piece *pieces, int64_t count, int64_t base,
                               int span, cobloc_error *err)
{
    cob_slices *out = c->out;
    int quads = 0;
    size_t held = (size_t)(out->count + 1) * COB_WARP;
    if (!cob_grow(&out->slices, &c->slice_room, (size_t)out->count + 1, sizeof *out->slices) ||
        !cob_grow(&out->pieces, &c->piece_room, held, sizeof *out->pieces) ||
        !cob_grow(&out->jobs, &c->job_room, (size_t)out->job_count + 1, sizeof *out->jobs))
        return cob_fail_memory(err, held, sizeof *out->pieces);
    if (c->new_job || c->in_job >= c->most) {
        int64_t first = out->count - out->whole_count;
        out->jobs[out->job_count++] = (cob_job){first, first, base, span, 0};
        c->in_job = 0;
        c->new_job = false;
    }
    for (int i = 0; i < COB_WARP; i++) {
        cob_piece piece = i < count ? pieces[i] : (cob_piece){0, 0, c->filler};
        out->pieces[out->count * COB_WARP + i] = piece;
        quads = quads_of(&piece) > quads ? quads_of(&piece) : quads;
    }
    out->slices[out->count++] = (cob_slice){out->quads, quads, 0};
    out->jobs[out->job_count - 1].last = out->count - out->whole_count;
    out->quads += quads;
    c->in_job += (int64_t)(quads + 1) * COB_QUAD * COB_WARP;
    return COBLOC_OK;
}

static cobloc_status deal(cutter *c, cob_piece piece, cobloc_error *err)
{
    if (!cob_grow(&c->dealt, &c->dealt_room, (size_t)c->dealt_count + 1, sizeof *c->dealt))
        return cob_fail_memory(err, (size_t)c->dealt_count, sizeof *c->dealt);
    c->dealt[c->dealt_count++] = piece;
    return COBLOC_OK;
}

/* Sorts what was dealt, longest first; of equal length, in their order. */
static cobloc_status sort_dealt(cutter *c, cobloc_error *err)
{
    int64_t begins[MOST_QUADS + 2] = {0};
    if (!cob_grow(&c->sorted, &c->sorted_room, (size_t)c->dealt_count + 1, sizeof *c->sorted))
        return cob_fail_memory(err, (size_t)c->dealt_count, sizeof *c->sorted);
    for (int64_t i = 0; i < c->dealt_count; i++)
        begins[MOST_QUADS - quads_of(&c->dealt[i]) + 1]++;
    for (int q = 0; q <= MOST_QUADS; q++)
        begins[q + 1] += begins[q];
    for (int64_t i = 0; i < c->dealt_count; i++)
        c->sorted[begins[MOST_QUADS - quads_of(&c->dealt[i])]++] = c->dealt[i];
    memcpy(c->dealt, c->sorted, (size_t)c->dealt_count * sizeof *c->dealt);
    return COBLOC_OK;
}

/* Makes slices of all that was dealt. */
static cobloc_status slice_dealt(cutter *c, int64_t base, int span, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int64_t i = 0; i < c->dealt_count; i += COB_WARP)
        COB_TRY(add_slice(c, c->dealt + i, c->dealt_count - i, base, span, err));
    c->dealt_count = 0;
done:
    return status;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* For each line, how many of its sums can share 32 bits; 0: it is cut. */
static cobloc_status pack_lines(cutter *c, uint8_t **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = c->view;
    uint8_t *packed = NULL;
    COB_NEW(packed, view->major);
#pragma omp parallel for schedule(static) num_threads(cob_threads_worth(cob_threads(0), view->nnz))
    for (int64_t i = 0; i < view->major; i++)
        packed[i] =
            length_of(view, i) > c->out->longest
                ? 0
                : (uint8_t)packed_of(weight_of(view, view->offsets[i], view->offsets[i + 1]));
done:
    *out = packed;
    return status;
}

/* Lines that need the same bits for their sums, in windows. */
static cobloc_status slice_packed(cutter *c, const uint8_t *lines, int packed, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = c->view;
    for (int64_t i = 0; i < view->major; i++) {
        if (lines[i] == packed)
            COB_TRY(deal(c, (cob_piece){view->offsets[i], (int)length_of(view, i), (int)i}, err));
        if (c->dealt_count == WINDOW || (c->dealt_count > 0 && i == view->major - 1)) {
            COB_TRY(sort_dealt(c, err));
            COB_TRY(slice_dealt(c, 0, (int)view->minor, err));
        }
    }
done:
    return status;
}

static cobloc_status slice_lines(cutter *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_slices *out = c->out;
    uint8_t *packed = NULL;
    c->filler = -1; /* no line */
    c->new_job = true;
    COB_TRY(pack_lines(c, &packed, err));
    for (int way = 0; way < COB_PACKINGS && out->longest >= 0; way++) {
        COB_TRY(slice_packed(c, packed, COB_MOST_PACKED >> way, err));
        out->packed_end[way] = out->count;
    }
done:
    out->whole_count = out->count;
    out->whole_jobs = out->job_count;
    cob_free(packed);
    return status;
}

/* Largest weights first: by each byte of them, least first, as cards are sorted. */
static cobloc_status sort_slots(const uint32_t *weights, int32_t *slots, int64_t count,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t *other = NULL, *from = slots, *to;
    COB_NEW(other, count);
    to = other;
    for (int shift = 0; shift < 32; shift += 8) {
        int64_t begins[257] = {0};
        for (int64_t s = 0; s < count; s++)
            begins[255 - (weights[from[s]] >> shift & 255) + 1]++;
        for (int d = 0; d < 256; d++)
            begins[d + 1] += begins[d];
        for (int64_t s = 0; s < count; s++)
            to[begins[255 - (weights[from[s]] >> shift & 255)]++] = from[s];
        int32_t *swap = from;
        from = to;
        to = swap;
    } /* an even number of times: `slots` has them again */
done:
    cob_free(other);
    return status;
}

static cobloc_status find_slots(const cobloc_view *view, cob_slices *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint32_t *weights = NULL;
    for (int64_t i = 0; i < view->major; i++)
        out->slot_count += length_of(view, i) > out->longest;
    COB_NEW(out->slots, out->slot_count);
    COB_NEW(weights, view->major);
    for (int64_t i = 0, s = 0; i < view->major; i++)
        if (length_of(view, i) > out->longest)
            out->slots[s++] = (int32_t)i;
#pragma omp parallel for schedule(dynamic, 64)                                                     \
    num_threads(cob_threads_worth(cob_threads(0), view->nnz))
    for (int64_t s = 0; s < out->slot_count; s++)
        weights[out->slots[s]] =
            weight_of(view, view->offsets[out->slots[s]], view->offsets[out->slots[s] + 1]);
    COB_TRY(sort_slots(weights, out->slots, out->slot_count, err));
    for (int64_t s = 0; s < out->slot_count; s++) {
        out->large += weights[out->slots[s]] == UINT32_MAX;
        out->heavy += weights[out->slots[s]] > UINT16_MAX;
    }
done:
    cob_free(weights);
    return status;
}

/* The first entry from `first` on whose index is `end` or more: in steps that double, then by
 * halves. */
static int64_t first_beyond(const int32_t *indices, int64_t first, int64_t last, int64_t end)
{
    int64_t step = 1, low = first, high;
    while (low + step < last && indices[low + step] < end) {
        low += step;
        step *= 2;
    }
    high = low + step < last ? low + step : last;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (indices[middle] < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The entries of all slots, chunk after chunk of the other side. Slots stay in their order, so
 * that the sums of a slice stand together. */
static cobloc_status slice_slots(cutter *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = c->view;
    const cob_slices *out = c->out;
    int64_t *cursors = NULL; /* of each slot: the first entry that was not dealt yet */
    c->filler = 0;
    COB_NEW(cursors, out->slot_count);
    for (int64_t s = 0; s < out->slot_count; s++)
        cursors[s] = view->offsets[out->slots[s]];
    for (int64_t base = 0; base < view->minor && out->slot_count > 0; base += COB_CHUNK) {
        int64_t end = base + COB_CHUNK < view->minor ? base + COB_CHUNK : view->minor;
        for (int64_t s = 0; s < out->slot_count; s++) {
            int64_t last =
                first_beyond(view->indices, cursors[s], view->offsets[out->slots[s] + 1], end);
            for (int64_t e = cursors[s]; e < last; e += c->piece) {
                int count = last - e < c->piece ? (int)(last - e) : c->piece;
                COB_TRY(deal(c, (cob_piece){e, count, (int)s}, err));
            }
            cursors[s] = last;
        }
        c->new_job = true;
        COB_TRY(slice_dealt(c, base, (int)(end - base), err));
    }
done:
    cob_free(cursors);
    return status;
}

static cobloc_status cut(const cobloc_view *view, int64_t longest, int piece, bool whole,
                         int blocks, cob_slices *out, cobloc_error *err)
{
    enum { JOBS_A_BLOCK = 4, WORTH_A_JOB = 1 << 14 };
    cobloc_status status = COBLOC_OK;
    int64_t share = view->nnz / ((int64_t)blocks * JOBS_A_BLOCK);
    cutter c = {.view = view,
                .out = out,
                .most = share > WORTH_A_JOB ? share : WORTH_A_JOB,
                .piece = piece};
    *out = (cob_slices){.longest = longest};
    if (whole)
        COB_TRY(slice_lines(&c, err));
    COB_TRY(find_slots(view, out, err));
    COB_TRY(slice_slots(&c, err));
done:
    cob_free(c.dealt);
    cob_free(c.sorted);
    return status;
}

cobloc_status cob_slices_cut(const cobloc_view *view, int64_t near, int blocks, cob_slices *out,
                             cobloc_error *err)
{
    return cut(view, view->minor > near ? -1 : COB_WHOLE, COB_PIECE, true, blocks, out, err);
}

cobloc_status cob_slices_long(const cobloc_view *view, int blocks, cob_slices *out,
                              cobloc_error *err)
{
    return cut(view, COB_SHORT, COB_SHORT, false, blocks, out, err);
}

cobloc_status cob_slices_order(const cobloc_view *view, cob_slices *out, cobloc_error *err)
{
    *out = (cob_slices){.longest = -1};
    return find_slots(view, out, err);
}

void cob_slices_free(cob_slices *slices)
{
    cob_free(slices->slices);
    cob_free(slices->pieces);
    cob_free(slices->jobs);
    cob_free(slices->slots);
    *slices = (cob_slices){0};
}

bool cob_has_heavy_line(const cobloc_view *view)
{
    int64_t most = view->kind == COBLOC_U8 ? UINT8_MAX : UINT16_MAX;
    bool heavy = false;
    for (int64_t i = 0; i < view->major && view->kind <= COBLOC_U16 && !heavy; i++)
        heavy = length_of(view, i) >= UINT32_MAX / most &&
                weight_of(view, view->offsets[i], view->offsets[i + 1]) == UINT32_MAX;
    return heavy;
}
