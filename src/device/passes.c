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

static size_t rule_bytes(const cob_labelled *l, int side, bool diagonal)
{
    return rule_numbers(l, side, diagonal) * (size_t)l->places * sizeof(double);
}

static size_t table_bytes(const cob_labelled *l)
{
    return (table_numbers(l) + count_numbers(l)) * (size_t)l->places * sizeof(int64_t);
}

static size_t sum_bytes(const cob_labelled *l, int side)
{
    return (size_t)cob_cut_of(l, side)->slot_count * (size_t)cob_from_of(l, side) *
           (size_t)l->places * (size_t)cob_kept_bytes(l->held->side[side].lines.view.kind);
}

static cobloc_status side_alloc(cob_labelled *l, int side, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    size_t lines = (size_t)l->held->side[side].lines.view.major;
    size_t bytes = (size_t)l->lanes * cob_label_bytes(l);
    COB_TRY(device->alloc(device, (size_t)cob_label_count(l->held, side) * bytes,
                          &l->side[side].labels, err));
    COB_TRY(device->alloc(device, lines * bytes, &l->side[side].before, err));
    COB_TRY(device->alloc(device, sum_bytes(l, side), &l->side[side].sums, err));
done:
    return status;
}

static cobloc_status numbers_alloc(cob_labelled *l, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    size_t rows = rule_bytes(l, 0, false), cols = rule_bytes(l, 1, false);
    size_t rule = rows > cols ? rows : cols;
    void *here = NULL;
    COB_TRY(device->alloc_here(device, rule, &here, err));
    l->rule_here = here;
    COB_TRY(device->alloc_here(device, table_bytes(l), &here, err));
    l->table_here = here;
    COB_TRY(device->alloc_here(device, (size_t)l->lanes * sizeof *l->active_here, &here, err));
    l->active_here = here;
    memset(l->rule_here, 0, rule);
    COB_TRY(device->alloc(device, rule, &l->sent_rule, err));
    COB_TRY(device->alloc(device, table_bytes(l), &l->sent_table, err));
    COB_TRY(device->alloc(device, (size_t)l->lanes * sizeof *l->active_here, &l->active, err));
    l->rule = l->sent_rule;
    l->table = l->sent_table;
    if (l->lanes > 1) {
        COB_TRY(device->alloc(device, rule, &l->rule, err));
        COB_TRY(device->alloc(device, table_bytes(l), &l->table, err));
    }
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
    for (int side = 0; side < 2; side++)
        COB_TRY(side_alloc(l, side, err));
    COB_TRY(numbers_alloc(l, err));
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
    const cob_address arrays[] = {l->side[0].labels,
                                  l->side[0].before,
                                  l->side[0].sums,
                                  l->side[1].labels,
                                  l->side[1].before,
                                  l->side[1].sums,
                                  l->active,
                                  l->list,
                                  l->starts,
                                  l->sent_rule,
                                  l->sent_table,
                                  l->rule == l->sent_rule ? 0 : l->rule,
                                  l->table == l->sent_table ? 0 : l->table};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        device->release(device, arrays[i]);
    device->close_queue(device, l->queue);
    device->release_here(device, l->rule_here);
    device->release_here(device, l->table_here);
    device->release_here(device, l->active_here);
    cob_free(l);
}

/* ---- starting kernels ------------------------------------------------------------------------ */

static bool fits(const cob_device *device, const cob_lines_args *a, cob_launch *launch,
                 int64_t labels, int warps)
{
    int label = launch->variant.few ? 1 : (int)sizeof(int32_t);
    int runs = a->lanes > 1 ? COB_WARP : 1;
    bool sums = launch->kernel != COB_PLACE_SLOTS;
    launch->warps = warps;
    launch->near = (size_t)(COB_NEAR_START + (a->labels_near ? cob_near_labels(labels, label) : 0) +
                            (a->rule_near ? cob_near_rule(a->to, a->from, a->diagonal, runs) : 0) +
                            (a->counts_near ? cob_near_counts(a->to, runs) : 0) +
                            (a->table_near ? cob_near_table(a->to, a->from, runs) : 0) +
                            (sums ? warps * cob_near_sums(a->from, launch->variant.packed,
                                                          cob_sum_bytes(launch->variant.kind))
                                  : 0));
    return launch->near <= device->most_near;
}

/* What blocks may keep near, and how many warps they have: the best that fits. */
static bool plan_warps(const cob_device *device, cob_lines_args *a, cob_launch *launch,
                       int64_t labels, int fewest)
{
    static const struct {
        int warps, rule, counts;
    } wishes[] = {{32, 1, 1}, {24, 1, 1}, {16, 1, 1}, {16, 0, 1}, {13, 1, 1}, {12, 1, 1},
                  {8, 1, 1},  {8, 0, 1},  {6, 1, 1},  {4, 1, 1},  {4, 0, 1},  {4, 0, 0},
                  {2, 1, 1},  {2, 0, 1},  {2, 0, 0},  {1, 0, 1},  {1, 0, 0}};
    bool places = launch->kernel != COB_SUM_PIECES && launch->kernel != COB_SUM_RUNS;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes && wishes[i].warps >= fewest; i++) {
        a->rule_near = wishes[i].rule && places && !a->keep;
        a->counts_near = wishes[i].counts && places;
        if (fits(device, a, launch, labels, wishes[i].warps))
            return true;
    }
    return false;
}

/* Labels first, since these are looked up most, and the table; unless too few warps are left. */
static bool plan(const cob_device *device, cob_lines_args *a, cob_launch *launch, int64_t labels)
{
    enum { FEW_WARPS = 4 };
    bool near = launch->variant.few && labels > 0, table = a->table != 0;
    a->labels_near = near;
    a->table_near = table;
    if ((near || table) && plan_warps(device, a, launch, labels, FEW_WARPS))
        return true;
    a->labels_near = a->table_near = false;
    return plan_warps(device, a, launch, labels, 1);
}

static cob_variant variant_of(const cob_labelled *l, int packed)
{
    return (cob_variant){l->held->side[0].lines.view.kind, l->few, packed};
}

/* `work`: what warps take, each a share of it. */
static cobloc_status start_packed(cob_labelled *l, cob_kernel kernel, int packed,
                                  cob_lines_args args, int64_t labels, int64_t work,
                                  cobloc_error *err)
{
    cob_device *device = l->held->device;
    bool places = kernel == COB_PLACE_LINES || kernel == COB_PLACE_SLOTS;
    cob_launch launch = {.kernel = kernel,
                         .way = places && args.drawing.draws ? COB_DRAWN_WAY : COB_HARD_WAY,
                         .variant = variant_of(l, packed)};
    int groups = l->lanes > 1 ? l->places / COB_WARP : 1;
    if (work <= 0)
        return COBLOC_OK;
    if (!plan(device, &args, &launch, labels))
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
        .counts = l->table + table_numbers(l) * (size_t)l->places * sizeof(int64_t),
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

/* Runs of a team keep no sums: to make them anew takes no longer than to send them to memory and
 * back. Blocks are added up from the side that is passed over. */
static cobloc_status pass_together(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    cob_lines_args args = args_of(l, how->side, how);
    args.table = l->table;
    args.quad_indices = args.indices; /* read in fours, but not interleaved */
    args.quad_values = args.values;
    COB_TRY(device->clear(device, l->queue, args.slot_sums, sum_bytes(l, how->side), err));
    COB_TRY(start(l, COB_SUM_RUNS, args, 0, args.piece_count, err));
    COB_TRY(start(l, COB_PLACE_RUNS, args, 0, args.slot_count + args.major, err));
done:
    return status;
}

/* Numbers of all runs: from run after run to number by number, or back. */
static cobloc_status turn(cob_labelled *l, cob_address from, size_t rows, size_t cols,
                          cob_address to, cobloc_error *err)
{
    cob_device *device = l->held->device;
    cob_lines_args args = {
        .A = from, .table = to, .major = (long long)rows, .minor = (long long)cols};
    cob_launch launch = {.kernel = COB_TURN_NUMBERS,
                         .variant = variant_of(l, 1),
                         .blocks = device->processors,
                         .warps = COB_WARPS};
    return from == to ? COBLOC_OK : device->start(device, l->queue, &launch, &args, err);
}

static cobloc_status send_rule(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    COB_TRY(device->write(device, l->queue, l->sent_rule, l->rule_here,
                          rule_bytes(l, how->side, how->diagonal), err));
    COB_TRY(turn(l, l->sent_rule, (size_t)l->places, rule_numbers(l, how->side, how->diagonal),
                 l->rule, err));
done:
    return status;
}

static cobloc_status fetch_table(cob_labelled *l, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    COB_TRY(turn(l, l->table, table_numbers(l) + count_numbers(l), (size_t)l->places, l->sent_table,
                 err));
    COB_TRY(device->read(device, l->queue, l->table_here, l->sent_table, table_bytes(l), err));
    COB_TRY(device->wait(device, l->queue, err));
done:
    return status;
}

cobloc_status cob_pass_there(cob_labelled *l, const cob_there *how, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_device *device = l->held->device;
    if (!how->keep)
        COB_TRY(send_rule(l, how, err));
    if (l->lanes > 1)
        COB_TRY(device->write(device, l->queue, l->active, l->active_here,
                              (size_t)l->places * sizeof *l->active_here, err));
    COB_TRY(device->clear(device, l->queue, l->table, table_bytes(l), err));
    if (l->lanes > 1)
        COB_TRY(pass_together(l, how, err));
    else if (how->side != l->held->kept)
        COB_TRY(pass_over_other(l, how, err));
    else
        COB_TRY(pass_over_kept(l, how, err));
    COB_TRY(fetch_table(l, err));
    if (how->side != l->held->kept && !how->keep)
        l->moved = l->table_here[table_numbers(l) + 2 * (size_t)l->clusters[how->side]];
done:
    return status;
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
    const int64_t *counts = table + table_numbers(l);
    int wide = cob_wide(pass->from);
    for (int k = 0; k < pass->to; k++) {
        for (int from = 0; pass->block && from < pass->from; from++) {
            int64_t before = anew ? 0 : pass->exact_block[cob_pass_block(pass, k, from)];
            desk->block[(int64_t)k * wide + from] = table[block_of(l, side, k, from)] - before;
        }
        desk->sizes[k] = counts[k];
        desk->masses[k] = counts[pass->to + k];
    }
    desk->moved = counts[2 * pass->to];
    desk->looked = pass->view->nnz;
}

cobloc_status cob_move_labels(cob_labelled *l, int side, cob_address all, int lane, cob_address one,
                              bool back, cobloc_error *err)
{
    cob_lines_args args = {.labels = all,
                           .before = one,
                           .major = all == l->side[side].labels
                                        ? cob_label_count(l->held, side)
                                        : l->held->side[side].lines.view.major,
                           .abreast = l->lanes,
                           .run = lane,
                           .keep = back};
    cob_launch launch = {.kernel = COB_MOVE_RUN,
                         .variant = variant_of(l, 1),
                         .blocks = l->held->device->processors,
                         .warps = COB_WARPS};
    return l->held->device->start(l->held->device, l->queue, &launch, &args, err);
}

cobloc_status cob_draw_labels(cob_labelled *l, int side, cob_stream stream, cobloc_error *err)
{
    const cob_held_side *lines = &l->held->side[side];
    cob_lines_args args = {
        .labels = l->side[side].labels,
        .fixed = lines->fixed,
        .major = lines->lines.view.major,
        .to = l->clusters[side],
        .layers = l->held->layers,
        .abreast = l->lanes,
        .draw = {stream.key[0], stream.key[1], stream.counter[0], stream.counter[1]}};
    cob_launch launch = {.kernel = COB_DRAW_RUNS,
                         .variant = variant_of(l, 1),
                         .blocks = l->held->device->processors,
                         .warps = COB_WARPS};
    return l->held->device->start(l->held->device, l->queue, &launch, &args, err);
}
