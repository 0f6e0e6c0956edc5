/* Soft passes on a device: the memberships of both sides stay there from pass to pass.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "device/holding.h"
#include "matrix/lines.h"
#include "matrix/share.h"
#include "matrix/transpose.h"

enum { SMALL_TILE = 16, LARGE_TILE = 32 };

struct cob_memberships {
    cob_labelled *labels; /* borrowed */
    struct {
        cob_address soft, single, chunk_begins;
    } side[2];
    cob_address sums, entropies; /* of the side that is passed over */
    cob_address chunks, taken;
    cob_address moved;    /* behind the chunks, */
    double *chunks_here;  /* as they are here, too */
    size_t chunk_numbers; /* of all chunks, of the side that has more */
};

/* ---- room ------------------------------------------------------------------------------------ */

static int64_t lines_of(const cob_memberships *m, int side)
{
    return m->labels->held->side[side].lines.view.major;
}

static size_t soft_bytes(const cob_memberships *m, int side)
{
    return (size_t)lines_of(m, side) * (size_t)m->labels->clusters[side] * sizeof(double);
}

static size_t numbers_of(const cob_memberships *m, int side)
{
    int to = m->labels->clusters[side];
    return (size_t)to * (size_t)(cob_from_of(m->labels, side) + 2) + 1;
}

static cobloc_status side_alloc(cob_memberships *m, int side, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = m->labels->held->device;
    const cobloc_view *view = &m->labels->held->side[side].lines.view;
    int64_t begins[COB_SOFT_CHUNKS + 1];
    for (int c = 0; c <= COB_SOFT_CHUNKS; c++)
        begins[c] = cob_chunk_begin(view->offsets, view->major, c, COB_SOFT_CHUNKS);
    COB_TRY(device->alloc(device, soft_bytes(m, side), &m->side[side].soft, err));
    COB_TRY(
        device->alloc(device, (size_t)view->major * sizeof(int32_t), &m->side[side].single, err));
    COB_TRY(cob_upload(device, begins, COB_SOFT_CHUNKS + 1, sizeof *begins,
                       &m->side[side].chunk_begins, err));
done:
    return status;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

cobloc_status cob_memberships_new(cob_labelled *labels, cob_memberships **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = labels->held->device;
    cob_memberships *m = NULL;
    size_t lines = 0, sums = 0;
    void *here = NULL;
    COB_NEW_ZERO(m, 1);
    m->labels = labels;
    for (int side = 0; side < 2; side++) {
        size_t own = (size_t)lines_of(m, side);
        COB_TRY(side_alloc(m, side, err));
        lines = larger(lines, own);
        sums = larger(sums, own * (size_t)cob_from_of(labels, side));
    }
    m->chunk_numbers = COB_SOFT_CHUNKS * larger(numbers_of(m, 0), numbers_of(m, 1));
    size_t bytes = m->chunk_numbers * sizeof(double) + sizeof(int64_t);
    COB_TRY(device->alloc(device, sums * sizeof(double), &m->sums, err));
    COB_TRY(device->alloc(device, lines * sizeof(double), &m->entropies, err));
    COB_TRY(device->alloc(device, sizeof(int32_t), &m->taken, err));
    COB_TRY(device->alloc(device, bytes, &m->chunks, err));
    m->moved = m->chunks + m->chunk_numbers * sizeof(double);
    COB_TRY(device->alloc_here(device, bytes, &here, err));
    m->chunks_here = here;
    *out = m;
    m = NULL;
done:
    cob_memberships_free(m);
    return status;
}

void cob_memberships_free(cob_memberships *m)
{
    if (!m)
        return;
    cob_device *device = m->labels->held->device;
    const cob_address arrays[] = {m->side[0].soft, m->side[0].single, m->side[0].chunk_begins,
                                  m->side[1].soft, m->side[1].single, m->side[1].chunk_begins,
                                  m->sums,         m->entropies,      m->chunks,
                                  m->taken};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        device->release(device, arrays[i]);
    device->release_here(device, m->chunks_here);
    cob_free(m);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static cob_lines_args args_of(const cob_memberships *m, int side)
{
    const cob_labelled *l = m->labels;
    const cob_held_side *lines = &l->held->side[side];
    return (cob_lines_args){.offsets = lines->offsets,
                            .indices = lines->indices,
                            .values = lines->values,
                            .effects = lines->effects,
                            .fixed = lines->fixed,
                            .labels = l->side[side].labels,
                            .A = l->rule,
                            .counts = m->moved,
                            .soft = m->side[side].soft,
                            .other_soft = m->side[1 - side].soft,
                            .single = m->side[side].single,
                            .other_single = m->side[1 - side].single,
                            .soft_sums = m->sums,
                            .entropies = m->entropies,
                            .chunk_begins = m->side[side].chunk_begins,
                            .chunks = m->chunks,
                            .taken = m->taken,
                            .major = lines->lines.view.major,
                            .minor = lines->lines.view.minor,
                            .to = l->clusters[side],
                            .from = cob_from_of(l, side),
                            .layers = l->held->layers,
                            .lanes = 1,
                            .abreast = 1,
                            .chunk_count = COB_SOFT_CHUNKS};
}

static cobloc_status start(const cob_memberships *m, cob_kernel kernel, const cob_lines_args *args,
                           int64_t blocks, int warps, size_t near, cobloc_error *err)
{
    cob_device *device = m->labels->held->device;
    cob_launch launch = {.kernel = kernel,
                         .way = COB_SOFT_WAY,
                         .variant = {m->labels->held->side[0].lines.view.kind, m->labels->few, 1},
                         .blocks = (int)blocks,
                         .warps = warps,
                         .near = near};
    return device->start(device, m->labels->queue, &launch, args, err);
}

/* Blocks of so many warps, whose threads take a line each: as many as there is work for. */
static int64_t blocks_for(const cob_memberships *m, int64_t lines, int warps)
{
    int64_t blocks = (lines + warps * COB_WARP - 1) / (warps * COB_WARP);
    int64_t most = 4 * (int64_t)m->labels->held->device->processors;
    return blocks < 1 ? 1 : blocks < most ? blocks : most;
}

static cobloc_status sum_lines(cob_memberships *m, cob_lines_args args, cobloc_error *err)
{
    enum { WARPS = 8, FEWEST_BITS = 3, MOST_BITS = 5 };
    cob_device *device = m->labels->held->device;
    int clusters = args.from / args.layers, bits = FEWEST_BITS;
    while (bits < MOST_BITS && 1 << bits < clusters)
        bits++;
    args.group_bits = bits;
    cobloc_status status = device->clear(device, m->labels->queue, m->taken, sizeof(int32_t), err);
    if (status != COBLOC_OK)
        return status;
    return start(m, COB_SUM_SHARES, &args, blocks_for(m, args.major << bits, WARPS), WARPS,
                 (size_t)WARPS * COB_SOFT_DESK, err);
}

static cobloc_status place_lines(cob_memberships *m, cob_lines_args args, bool diagonal,
                                 cobloc_error *err)
{
    enum { WARPS = 8 };
    size_t rule = (size_t)cob_near_rule(args.to, args.from, diagonal, 1);
    args.diagonal = diagonal;
    args.rule_near = rule <= m->labels->held->device->most_near;
    return start(m, COB_PLACE_SOFT, &args, blocks_for(m, args.major, WARPS), WARPS,
                 args.rule_near ? rule : 0, err);
}

/* Blocks of many clusters take larger parts of the statistics, which read less. */
static cobloc_status add_chunks(cob_memberships *m, cob_lines_args args, cobloc_error *err)
{
    enum { MANY_CELLS = 4096 };
    int tile = (int64_t)args.to * args.from > MANY_CELLS ? LARGE_TILE : SMALL_TILE;
    int64_t parts = (int64_t)((args.to + tile - 1) / tile) * ((args.from + 2 + tile - 1) / tile);
    args.tile = tile;
    return start(m, COB_ADD_CHUNKS, &args, parts * COB_SOFT_CHUNKS, tile * tile / COB_WARP,
                 (size_t)(COB_SOFT_TILE * (2 * tile + 1) + tile * tile + 2) * sizeof(double), err);
}

/* ---- passes ---------------------------------------------------------------------------------- */

cobloc_status cob_memberships_send(cob_memberships *m, int side, const double *soft,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = m->labels->held->device;
    cob_queue queue = m->labels->queue;
    cob_lines_args args = args_of(m, side);
    enum { WARPS = 8 };
    COB_TRY(device->write(device, queue, m->side[side].soft, soft, soft_bytes(m, side), err));
    COB_TRY(start(m, COB_FIND_SINGLE, &args, blocks_for(m, args.major, WARPS), WARPS, 0, err));
    COB_TRY(device->wait(device, queue, err));
done:
    return status;
}

cobloc_status cob_memberships_fetch(cob_memberships *m, int side, double *soft, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = m->labels->held->device;
    COB_TRY(
        device->read(device, m->labels->queue, soft, m->side[side].soft, soft_bytes(m, side), err));
    COB_TRY(device->wait(device, m->labels->queue, err));
done:
    return status;
}

/* Units are powers of two: it makes no difference to any bit when sums are multiplied by them. */
static void take_units(cob_memberships *m, int side, const double *units)
{
    int to = m->labels->clusters[side], from = cob_from_of(m->labels, side);
    for (int c = 0; c < COB_SOFT_CHUNKS; c++) {
        double *chunk = m->chunks_here + (size_t)c * numbers_of(m, side);
        for (int k = 0; k < to; k++)
            for (int l = 0; l < from; l++)
                chunk[(int64_t)k * from + l] *= units[l];
    }
}

cobloc_status cob_memberships_pass(cob_memberships *m, int side, cob_pass *pass,
                                   const double *units, const double **chunks, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_labelled *l = m->labels;
    cob_device *device = l->held->device;
    cob_hard by = {.pass = pass, .units = units};
    cob_lines_args args = args_of(m, side);
    bool diagonal = pass->rule->diagonal;
    size_t rule = (size_t)cob_rule_numbers(args.to, args.from, diagonal) * sizeof(double);
    size_t bytes = m->chunk_numbers * sizeof(double) + sizeof(int64_t);
    cob_write_rule(l, 0, &by);
    COB_TRY(device->write(device, l->queue, l->rule, l->rule_here, rule, err));
    COB_TRY(device->clear(device, l->queue, m->chunks, bytes, err));
    COB_TRY(sum_lines(m, args, err));
    COB_TRY(place_lines(m, args, diagonal, err));
    COB_TRY(add_chunks(m, args, err));
    COB_TRY(device->read(device, l->queue, m->chunks_here, m->chunks, bytes, err));
    COB_TRY(device->wait(device, l->queue, err));
    take_units(m, side, units);
    pass->moved = *(const int64_t *)(m->chunks_here + m->chunk_numbers);
    *chunks = m->chunks_here;
done:
    return status;
}
