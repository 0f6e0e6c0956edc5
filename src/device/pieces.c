/* Cutting lines into pieces, and pieces into jobs.
 * SPDX-License-Identifier: MIT
 */
#include "device/pieces.h"

#include "base/alloc.h"

/* What grows while lines are cut. */
typedef struct cutter {
    cob_pieces *out;
    size_t room, job_room;
    int64_t in_job;   /* entries of the last job */
    int64_t most;     /* that it may have */
    int64_t *cursors; /* of each slot: the first entry that was not dealt yet */
} cutter;

static bool is_cut(const cobloc_view *view, int64_t line, int64_t longest)
{
    return view->offsets[line + 1] - view->offsets[line] > longest;
}

static cobloc_status find_slots(const cobloc_view *view, cutter *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_pieces *out = c->out;
    for (int64_t i = 0; i < view->major; i++)
        out->slot_count += is_cut(view, i, out->longest);
    COB_NEW(out->slots, out->slot_count);
    COB_NEW(c->cursors, out->slot_count);
    for (int64_t i = 0, s = 0; i < view->major; i++)
        if (is_cut(view, i, out->longest)) {
            out->slots[s] = (int32_t)i;
            c->cursors[s++] = view->offsets[i];
        }
done:
    return status;
}

/* A piece into the last job, or into a new one if that has enough or is of another chunk. */
static cobloc_status deal(cutter *c, cob_piece piece, int64_t base, int span, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_pieces *out = c->out;
    if (!cob_grow(&out->pieces, &c->room, (size_t)out->count + 1, sizeof *out->pieces) ||
        !cob_grow(&out->jobs, &c->job_room, (size_t)out->job_count + 1, sizeof *out->jobs))
        return cob_fail_memory(err, (size_t)out->count, sizeof *out->pieces);
    if (out->job_count == 0 || c->in_job >= c->most || out->jobs[out->job_count - 1].base != base) {
        out->jobs[out->job_count++] = (cob_job){out->count, out->count, base, span, 0};
        c->in_job = 0;
    }
    out->pieces[out->count++] = piece;
    out->jobs[out->job_count - 1].last = out->count;
    c->in_job += piece.count;
    return status;
}

/* The entries of all cut lines within one chunk of the other side. */
static cobloc_status deal_chunk(const cobloc_view *view, cutter *c, int64_t base, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t end = base + COB_CHUNK < view->minor ? base + COB_CHUNK : view->minor;
    for (int64_t s = 0; s < c->out->slot_count; s++) {
        int64_t last = view->offsets[c->out->slots[s] + 1];
        while (c->cursors[s] < last && view->indices[c->cursors[s]] < end) {
            cob_piece piece = {c->cursors[s], 0, (int)s};
            while (piece.count < COB_LONG && piece.first + piece.count < last &&
                   view->indices[piece.first + piece.count] < end)
                piece.count++;
            c->cursors[s] += piece.count;
            COB_TRY(deal(c, piece, base, (int)(end - base), err));
        }
    }
done:
    return status;
}

cobloc_status cob_pieces_cut(const cobloc_view *view, int64_t near, int blocks, cob_pieces *out,
                             cobloc_error *err)
{
    enum { JOBS_A_BLOCK = 4, WORTH_A_JOB = 1 << 16 };
    cobloc_status status = COBLOC_OK;
    int64_t share = view->nnz / ((int64_t)blocks * JOBS_A_BLOCK);
    cutter c = {.out = out, .most = share > WORTH_A_JOB ? share : WORTH_A_JOB};
    *out = (cob_pieces){.longest = view->minor <= near ? COB_LONG : -1};
    COB_TRY(find_slots(view, &c, err));
    for (int64_t base = 0; base < view->minor && out->slot_count > 0; base += COB_CHUNK)
        COB_TRY(deal_chunk(view, &c, base, err));
done:
    cob_free(c.cursors);
    return status;
}

void cob_pieces_free(cob_pieces *pieces)
{
    cob_free(pieces->pieces);
    cob_free(pieces->jobs);
    cob_free(pieces->slots);
    *pieces = (cob_pieces){0};
}
