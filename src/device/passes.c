/* Passes on a device: which kernels they consist of, and how these are started.
 *
 * Blocks of the table are added up from the sums of one side only, the one with fewer lines, whose
 * sums are kept. A pass over the other side chooses labels, sums the lines of the kept side by
 * these, and adds them up; the next pass over the kept side then needs no entries. So an iteration
 * looks at each entry twice, and no line that moves has to be added to many blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "device/holding.h"
#include "matrix/lines.h"

#include <string.h>

/* ---- room ------------------------------------------------------------------------------------ */

/* Numbers of one run: of the rule, as long as it may be; of the table; and of the counts. */
static size_t rule_numbers(const cob_labelled *l, int side, bool diagonal)
{
    return (size_t)cob_rule_numbers(l->clusters[side], cob_from_of(l, side), diagonal);
}

static size_t table_numbers(const cob_labelled *l)
{
    int kept = l->held->kept;
    return (size_t)l->clusters[kept] * (size_t)cob_from_of(l, kept);
}

static size_t count_numbers(const cob_labelled *l)
{
    int most = l->clusters[0] > l->clusters[1] ? l->clusters[0] : l->clusters[1];
    return (size_t)cob_count_numbers(most);
}

/* Which run has each place, and which runs are followed. */
static size_t active_bytes(const cob_labelled *l)
{
    return 2 * (size_t)cob_fours(l->lanes) * sizeof *l->active_here;
}

static size_t rule_bytes(const cob_labelled *l, int side, bool diagonal)
{
    return rule_numbers(l, side, diagonal) * (size_t)l->places * sizeof(double);
}

static size_t table_bytes(const cob_labelled *l)
{
    return (table_numbers(l) + count_numbers(l)) * (size_t)l->places * sizeof(int64_t);
}

/* Of a run that is alone, the lines that are cut; of a team all. */
static size_t sum_bytes(const cob_labelled *l, int side)
{
    const cobloc_view *view = &l->held->side[side].lines.view;
    int64_t lines = l->lanes > 1 ? view->major : cob_cut_of(l, side)->slot_count;
    return (size_t)lines * (size_t)cob_from_of(l, side) * (size_t)l->lanes *
           (size_t)cob_kept_bytes(view->kind);
}

/* What a run, or all of a team, needs is one piece of memory there and one here: to get many takes
 * longer than a pass over a small matrix. */
static cobloc_status room_alloc(cob_labelled *l, cobloc_error *err)
{
    enum { ALIGNED = 256 };
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    size_t rows = rule_bytes(l, 0, false), cols = rule_bytes(l, 1, false);
    size_t rule = rows > cols ? rows : cols, all = 0;
    struct {
        cob_address *to;
        size_t bytes;
    } parts[8] = {{&l->active, active_bytes(l) + rule}, {&l->table, table_bytes(l)}};
    char *here = NULL;
    for (int side = 0; side < 2; side++) {
        size_t bytes = (size_t)l->lanes * cob_label_bytes(l);
        parts[2 + 3 * side].to = &l->side[side].labels;
        parts[2 + 3 * side].bytes = (size_t)cob_label_count(l->held, side) * bytes;
        parts[3 + 3 * side].to = &l->side[side].before;
        parts[3 + 3 * side].bytes = (size_t)l->held->side[side].lines.view.major * bytes;
        parts[4 + 3 * side].to = &l->side[side].sums;
        parts[4 + 3 * side].bytes = sum_bytes(l, side);
    }
    for (int i = 0; i < 8; i++) {
        *parts[i].to = all;
        all += (parts[i].bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    }
    COB_TRY(device->alloc(device, all, &l->room, err));
    for (int i = 0; i < 8; i++)
        *parts[i].to += l->room;
    l->rule = l->active + active_bytes(l);
    COB_TRY(
        device->alloc_here(device, active_bytes(l) + rule + table_bytes(l), (void **)&here, err));
    memset(here, 0, active_bytes(l) + rule);
    l->active_here = (int32_t *)here;
    l->rule_here = (double *)(here + active_bytes(l));
    l->table_here = (int64_t *)(here + active_bytes(l) + rule);
done:
    return status;
}

cobloc_status cob_labelled_new(cob_held *held, const int clusters[2], int lanes, cob_labelled **out,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int most = clusters[0] > clusters[1] ? clusters[0] : clusters[1];
    cob_labelled *l = NULL;
    COB_NEW_ZERO(l, 1);
    *l = (cob_labelled){.held = held,
                        .clusters = {clusters[0], clusters[1]},
                        .lanes = lanes,
                        .places = lanes,
                        .few = most * held->layers <= COB_FEW_CLUSTERS,
                        .moved = INT64_MAX};
    if (lanes == 1)
        COB_TRY(cob_held_lay_out(held, err));
    COB_TRY(held->device->open_queue(held->device, &l->queue, err));
    COB_TRY(room_alloc(l, err));
    if (lanes == 1)
        COB_TRY(cob_across_room(l, err));
    *out = l;
    l = NULL;
done:
    cob_labelled_free(l);
    return status;
}

void cob_labelled_free(cob_labelled *l)
{
    if (!l)
        return;
    cob_device *device = l->held->device;
    device->release(device, l->room);
    device->release(device, l->list);
    device->release(device, l->starts);
    device->release_here(device, l->active_here);
    device->close_queue(device, l->queue);
    cob_free(l);
}

/* ---- starting kernels ------------------------------------------------------------------------ */

/* `work`: what warps take, each a share of it. */
static cobloc_status start_packed(cob_labelled *l, cob_kernel kernel, int packed,
                                  cob_lines_args args, int64_t labels, int64_t work,
                                  cobloc_error *err)
{
    cob_device *device = l->held->device;
    bool places = kernel == COB_PLACE_LINES || kernel == COB_PLACE_SLOTS;
    cob_launch launch = {.kernel = kernel,
                         .way = places && args.drawing.draws ? COB_DRAWN_WAY : COB_HARD_WAY,
                         .variant = cob_variant_of(l, packed)};
    int groups = l->places / cob_block_runs(l->places);
    if (work <= 0)
        return COBLOC_OK;
    if (!cob_plan_blocks(device, &args, &launch, labels))
        return cob_fail(err, COBLOC_UNSUPPORTED,
                        "%s: %d clusters are more than its blocks can take", device->name,
                        args.from);
    int64_t most = (device->processors + groups - 1) / groups;
    int64_t share = (work + most - 1) / most; /* of a block: little work is spread over all */
    launch.warps = share < launch.warps ? (int)share : launch.warps;
    launch.blocks = (int)(work < most ? work : most) * groups;
    return device->start(device, l->queue, &launch, &args, err);
}

static cobloc_status start(cob_labelled *l, cob_kernel kernel, cob_lines_args args, int64_t labels,
                           int64_t work, cobloc_error *err)
{
    return start_packed(l, kernel, 1, args, labels, work, err);
}

static cob_lines_args args_of(const cob_labelled *l, int side, const cob_there *how)
{
    const cob_held_side *lines = &l->held->side[side];
    const cob_cut *cut = cob_cut_of(l, side);
    int to = l->clusters[side], from = cob_from_of(l, side);
    return (cob_lines_args){
        .offsets = lines->offsets,
        .indices = lines->indices,
        .values = lines->values,
        .quad_indices = lines->quad_indices,
        .quad_values = lines->quad_values,
        .effects = lines->effects,
        .fixed = lines->fixed,
        .labels = l->side[side].labels,
        .before = l->side[side].before,
        .other = l->side[1 - side].labels,
        .A = l->rule,
        .pieces = cut->pieces,
        .jobs = lines->jobs,
        .slots = cut->slots,
        .slices = lines->cut_slices,
        .slot_sums = l->side[side].sums,
        .counts = l->table + table_numbers(l) * sizeof(int64_t),
        .active = l->active,
        .major = lines->lines.view.major,
        .minor = lines->lines.view.minor,
        .piece_count = cut->piece_count,
        .job_count = lines->job_count,
        .slot_count = cut->slot_count,
        .longest = cut->longest,
        .mass_scale = how->mass_scale,
        .drawing = how->drawing,
        .to = to,
        .from = from,
        .layers = l->held->layers,
        .lanes = l->places,
        .abreast = l->lanes,
        .totals = (long long)(table_numbers(l) + count_numbers(l)),
        .diagonal = how->diagonal,
        .keep = how->keep,
        .anew = how->anew,
        .has_masses = how->has_masses,
        .counted = true,
    };
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* Sums the lines of the kept side: anew, or if few of the other side's have moved since they were
 * summed, by these. */
static cobloc_status sum_kept(cob_labelled *l, bool summed, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    int kept = l->held->kept;
    cob_there how = {.side = 1 - kept};
    cob_lines_args args = args_of(l, how.side, &how);
    args.slot_sums = l->side[kept].sums;
    args.slot_count = cob_cut_of(l, kept)->slot_count;
    bool moves = summed && l->moved < args.major / 3;
    if (!moves)
        COB_TRY(device->clear(device, l->queue, args.slot_sums, sum_bytes(l, kept), err));
    COB_TRY(cob_across_sum(l, args, moves, err));
done:
    return status;
}

/* Sums the lines of the other side that are cut. */
static cobloc_status sum_cut(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    cob_lines_args args = args_of(l, how->side, how);
    COB_TRY(device->clear(device, l->queue, args.slot_sums, sum_bytes(l, how->side), err));
    COB_TRY(start(l, COB_SUM_PIECES, args, COB_CHUNK, args.job_count * COB_WARPS, err));
done:
    return status;
}

/* Places the lines of a side that are cut; with a table, these are all. */
static cobloc_status place_slots(cob_labelled *l, int side, const cob_there *how, bool counted,
                                 cob_address table, cobloc_error *err)
{
    cob_lines_args args = args_of(l, side, how);
    args.table = table;
    args.counted = counted;
    return start(l, COB_PLACE_SLOTS, args, 0, (args.slot_count + COB_WARP - 1) / COB_WARP, err);
}

/* Places the lines that are not cut: first those whose sums share most bits. */
static cobloc_status place_lines(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_held_side *lines = &l->held->side[how->side];
    cob_lines_args args = args_of(l, how->side, how);
    args.slices = lines->slices;
    args.slots = lines->slice_lines;
    for (int way = 0; way < COB_PACKINGS; way++) {
        args.first_slice = way > 0 ? lines->packed_end[way - 1] : 0;
        args.last_slice = lines->packed_end[way];
        COB_TRY(start_packed(l, COB_PLACE_LINES, COB_MOST_PACKED >> way, args, args.minor,
                             args.last_slice - args.first_slice, err));
    }
done:
    return status;
}

static cobloc_status pass_over_other(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_there rest = {.side = l->held->kept, .keep = true};
    if (!how->keep && cob_cut_of(l, how->side)->slot_count > 0)
        COB_TRY(sum_cut(l, how, err));
    COB_TRY(place_lines(l, how, err));
    COB_TRY(place_slots(l, how->side, how, true, 0, err));
    if (!how->keep || !how->summed)
        COB_TRY(sum_kept(l, how->summed, err));
    COB_TRY(place_slots(l, rest.side, &rest, false, l->table, err));
done:
    return status;
}

static cobloc_status pass_over_kept(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (!how->summed)
        COB_TRY(sum_kept(l, false, err));
    COB_TRY(place_slots(l, how->side, how, true, l->table, err));
done:
    return status;
}

/* The entries of lines that moved go from one sum of the other side to another. */
static cobloc_status follow_together(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cob_device *device = l->held->device;
    cob_lines_args args = args_of(l, 1 - how->side, how);
    args.active = l->active + active_bytes(l) / 2;
    args.slot_sums = l->side[how->side].sums;
    args.other_lines = l->held->side[how->side].lines.view.major;
    args.from = cob_from_of(l, how->side);
    cob_launch launch = {.kernel = COB_FOLLOW_RUNS,
                         .variant = cob_variant_of(l, 1),
                         .blocks = COB_FOLLOW_BLOCKS * device->processors,
                         .warps = COB_FOLLOW_WARPS,
                         .near = sizeof(cob_followed)};
    return device->start(device, l->queue, &launch, &args, err);
}

static int64_t shares(int64_t lines, int64_t each)
{
    return (lines + each - 1) / each;
}

/* Blocks are added up from the side that is passed over. */
static cobloc_status pass_together(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t at_once = COB_WARP / cob_block_runs(l->places); /* lines of a warp */
    cob_lines_args args = args_of(l, how->side, how);
    args.table = l->table;
    args.quad_indices = args.indices; /* read in fours, but not interleaved */
    args.quad_values = args.values;
    args.summed = how->summed;
    args.changes = !how->anew;
    int64_t kept = shares(how->summed ? args.major : args.slot_count, at_once);
    args.placed = kept < (int64_t)l->held->device->processors * COB_KEPT_WARPS ? 1 : COB_PLACED;
    if (!how->summed) {
        COB_TRY(start(l, COB_CLEAR_RUNS, args, 0, shares(args.slot_count, at_once), err));
        COB_TRY(start(l, COB_SUM_RUNS, args, 0, shares(args.piece_count, at_once), err));
        COB_TRY(start(l, COB_PLACE_RUNS, args, 0, shares(args.major, at_once), err));
    } else if (how->follows) {
        COB_TRY(follow_together(l, how, err));
    }
    COB_TRY(start(l, COB_PLACE_KEPT, args, 0, shares(kept, args.placed), err));
done:
    return status;
}

cobloc_status cob_look_for_keepers(cob_labelled *l, const cob_there *how, cob_address thin,
                                   cob_address found, cob_address sums, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t at_once = COB_WARP / cob_block_runs(l->places);
    cob_lines_args args = args_of(l, how->side, how);
    args.thin = thin;
    args.keepers = found;
    args.keeper_sums = sums;
    for (args.again = 0; args.again < 2; args.again++)
        COB_TRY(start(l, COB_LOOK_FOR_KEEPERS, args, 0, shares(args.major, at_once), err));
    COB_TRY(start(l, COB_DESCRIBE_KEEPERS, args, 0, (int64_t)l->places * args.to, err));
done:
    return status;
}

/* The rules, and with a team which runs have places. */
static cobloc_status send_rule(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cob_device *device = l->held->device;
    size_t bytes = active_bytes(l) + (how->keep ? 0 : rule_bytes(l, how->side, how->diagonal));
    return how->keep && l->lanes == 1
               ? COBLOC_OK
               : device->write(device, l->queue, l->active, l->active_here, bytes, err);
}

static cobloc_status fetch_table(cob_labelled *l, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    COB_TRY(device->read(device, l->queue, l->table_here, l->table, table_bytes(l), err));
    COB_TRY(device->wait(device, l->queue, err));
done:
    return status;
}

cobloc_status cob_pass_there(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    COB_TRY(send_rule(l, how, err));
    COB_TRY(device->clear(device, l->queue, l->table, table_bytes(l), err));
    if (l->lanes > 1)
        COB_TRY(pass_together(l, how, err));
    else if (how->side != l->held->kept)
        COB_TRY(pass_over_other(l, how, err));
    else
        COB_TRY(pass_over_kept(l, how, err));
    COB_TRY(fetch_table(l, err));
    if (how->side != l->held->kept && !how->keep)
        l->moved = cob_moved_in_pass(l, 0, how->side);
done:
    return status;
}

const int64_t *cob_counts_of(const cob_labelled *l, int place)
{
    return l->table_here + (size_t)place * (table_numbers(l) + count_numbers(l)) + table_numbers(l);
}

int64_t cob_moved_in_pass(const cob_labelled *l, int place, int side)
{
    return cob_counts_of(l, place)[2 * l->clusters[side]];
}

/* ---- rules and tables ------------------------------------------------------------------------ */

/* Units are powers of two: it makes no difference to any bit whether the sums are multiplied by
 * them, or the rule. */
void cob_write_rule(cob_labelled *l, int place, const cob_hard *hard)
{
    const cob_rule *rule = hard->pass->rule;
    size_t cells = cob_rule_cells(rule), to = (size_t)rule->to;
    size_t numbers = (size_t)cob_rule_numbers(rule->to, rule->from, rule->diagonal);
    double *own = l->rule_here + (size_t)place * numbers, *b = own + cob_fours((long long)cells);
    for (size_t i = 0; i < cells; i++)
        own[i] = rule->A[i] * hard->units[rule->diagonal ? i : i / to];
    memcpy(b, rule->b, to * sizeof *own);
    memcpy(b + cob_fours(rule->to), rule->e, to * sizeof *own);
}

/* Where, in the table of the kept side, or with a team in that of the side that was passed over,
 * the block of cluster k of the latter and cluster `other` of the other one stands. */
static size_t block_of(const cob_labelled *l, int side, int k, int other)
{
    int kept = l->lanes > 1 ? side : l->held->kept, across = l->clusters[kept];
    int row = side == kept ? k : other % across;
    int column = side == kept ? other : other / across * l->clusters[side] + k;
    return (size_t)row * (size_t)cob_from_of(l, kept) + (size_t)column;
}

void cob_take_pass(const cob_labelled *l, int place, int side, bool anew, const cob_pass *pass,
                   cob_desk *desk)
{
    const int64_t *table = l->table_here + (size_t)place * (table_numbers(l) + count_numbers(l));
    const int64_t *counts = cob_counts_of(l, place);
    int wide = cob_wide(pass->from);
    for (int k = 0; k < pass->to; k++) {
        for (int from = 0; pass->block && from < pass->from; from++) {
            bool changes = anew || l->lanes > 1; /* it has nothing else */
            int64_t before = changes ? 0 : pass->exact_block[cob_pass_block(pass, k, from)];
            desk->block[(int64_t)k * wide + from] = table[block_of(l, side, k, from)] - before;
        }
        desk->sizes[k] = counts[k];
        desk->masses[k] = counts[pass->to + k];
    }
    desk->moved = counts[2 * pass->to];
    desk->looked = pass->view->nnz;
}
