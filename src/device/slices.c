/* Cutting lines into pieces, and dealing these to slices and jobs.
 * SPDX-License-Identifier: MIT
 */
#include "device/slices.h"

#include "base/alloc.h"

#include <string.h>

enum {
    MOST_QUADS = COB_WHOLE / COB_QUAD, /* of a line that is not cut */
    WINDOW = 1 << 12, /* whole lines are sorted among so many, so that their labels stay close */
    NARROW_MOST = UINT16_MAX
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

static bool fits_narrow(const cobloc_view *view, const cob_piece *piece)
{
    int64_t sum = piece->count;
    if (view->kind > COBLOC_U8)
        return false;
    if (view->kind == COBLOC_U8 && piece->count > NARROW_MOST / UINT8_MAX) {
        const uint8_t *values = (const uint8_t *)view->values + piece->first;
        sum = 0;
        for (int e = 0; e < piece->count; e++)
            sum += values[e];
    }
    return sum <= NARROW_MOST;
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
    c->out->narrow = c->out->narrow && fits_narrow(c->view, &piece);
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

static cobloc_status slice_lines(cutter *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *view = c->view;
    c->filler = -1; /* no line */
    c->new_job = true;
    for (int64_t i = 0; i < view->major && c->out->longest >= 0; i++) {
        if (length_of(view, i) <= c->out->longest)
            COB_TRY(deal(c, (cob_piece){view->offsets[i], (int)length_of(view, i), (int)i}, err));
        if (c->dealt_count > 0 && (i % WINDOW == WINDOW - 1 || i == view->major - 1)) {
            COB_TRY(sort_dealt(c, err));
            COB_TRY(slice_dealt(c, 0, (int)view->minor, err));
        }
    }
done:
    c->out->whole_count = c->out->count;
    c->out->whole_jobs = c->out->job_count;
    return status;
}

/* Lines by length, longest first: by each byte of it, least first, as cards are sorted. */
static cobloc_status sort_slots(const cobloc_view *view, int32_t *slots, int64_t count,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int32_t *other = NULL, *from = slots, *to;
    COB_NEW(other, count);
    to = other;
    for (int shift = 0; shift < 32; shift += 8) {
        int64_t begins[257] = {0};
        for (int64_t s = 0; s < count; s++)
            begins[255 - (length_of(view, from[s]) >> shift & 255) + 1]++;
        for (int d = 0; d < 256; d++)
            begins[d + 1] += begins[d];
        for (int64_t s = 0; s < count; s++)
            to[begins[255 - (length_of(view, from[s]) >> shift & 255)]++] = from[s];
        int32_t *swap = from;
        from = to;
        to = swap;
    } /* an even number of times: `slots` has them again */
done:
    cob_free(other);
    return status;
}

static cobloc_status find_slots(cutter *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_slices *out = c->out;
    for (int64_t i = 0; i < c->view->major; i++)
        out->slot_count += length_of(c->view, i) > out->longest;
    COB_NEW(out->slots, out->slot_count);
    for (int64_t i = 0, s = 0; i < c->view->major; i++)
        if (length_of(c->view, i) > out->longest)
            out->slots[s++] = (int32_t)i;
    COB_TRY(sort_slots(c->view, out->slots, out->slot_count, err));
done:
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

/* The entries of all slots, chunk after chunk of the other side. Slots stay in their order, that of
 * the lengths of whole lines: the sums of a slice then stand together. */
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
            for (int64_t e = cursors[s]; e < last; e += COB_PIECE) {
                int count = last - e < COB_PIECE ? (int)(last - e) : COB_PIECE;
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

cobloc_status cob_slices_cut(const cobloc_view *view, bool all, int64_t near, int blocks,
                             cob_slices *out, cobloc_error *err)
{
    enum { JOBS_A_BLOCK = 4, WORTH_A_JOB = 1 << 14 };
    cobloc_status status = COBLOC_OK;
    int64_t share = view->nnz / ((int64_t)blocks * JOBS_A_BLOCK);
    cutter c = {.view = view, .out = out, .most = share > WORTH_A_JOB ? share : WORTH_A_JOB};
    *out = (cob_slices){.longest = all || view->minor > near ? -1 : COB_WHOLE, .narrow = true};
    COB_TRY(slice_lines(&c, err));
    COB_TRY(find_slots(&c, err));
    COB_TRY(slice_slots(&c, err));
done:
    cob_free(c.dealt);
    cob_free(c.sorted);
    return status;
}

void cob_slices_free(cob_slices *slices)
{
    cob_free(slices->slices);
    cob_free(slices->pieces);
    cob_free(slices->jobs);
    cob_free(slices->slots);
    *slices = (cob_slices){0};
}
