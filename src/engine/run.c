/* The problem and the room of a run.
 * SPDX-License-Identifier: MIT
 */
#include "engine/engine.h"

#include "base/alloc.h"
#include "base/gamma.h"
#include "base/parallel.h"
#include "matrix/values.h"

#include <math.h>
#include <string.h>

/* ---- the problem ----------------------------------------------------------------------------- */

/* The sums of the lines, and their effects. Effects that are no sums have a grid of their own. */
static void measure_side(cob_problem *p, cob_axis side, int threads)
{
    enum { MANY_LINES = 1 << 16 };
    cob_problem_side *own = &p->side[side];
    double largest = 0;
    int64_t total = 0;
    own->view = cob_matrix_view(p->x, side);
    own->own_sums = p->operand.sums[side];
    p->operand.sums[side] = NULL;
    own->sums = own->own_sums ? own->own_sums : cob_matrix_sums(p->x, side);
    own->effects = own->effects ? own->effects : own->sums;
    own->grid = p->operand.grid;
#pragma omp parallel for schedule(static) num_threads(threads)                                     \
    reduction(max                                                                                  \
              : largest) if (own->view.major > MANY_LINES)
    for (int64_t i = 0; i < own->view.major; i++)
        largest = fmax(largest, fabs(own->effects[i]));
    if (own->effects != own->sums || own->grid.scale == 0)
        own->grid = cob_grid_for(largest, own->view.major, COB_GRID_MOST_BITS);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : total)                \
    if (own->view.major > MANY_LINES)
    for (int64_t i = 0; i < own->view.major; i++)
        total += llrint(own->effects[i] * own->grid.scale);
    own->effect = (double)total * own->grid.unit;
}

typedef struct lines_of {
    const double *sums, *effects;
} lines_of;

static double sum_log_effects(const void *data, int64_t first, int64_t last)
{
    const lines_of *of = data;
    double total = 0;
    for (int64_t i = first; i < last; i++)
        if (of->sums[i] > 0)
            total += of->sums[i] * log(of->effects[i]);
    return total;
}

/* The sum over i of r_i log(effect_i): sums of x_ij log r_i c_j fall apart into two of these. */
static double log_effects(const cob_problem *p, cob_axis side, int threads)
{
    enum { BLOCK = 1 << 14 };
    lines_of of = {p->side[side].sums, p->side[side].effects};
    return cob_sum_blocks(sum_log_effects, &of, cob_line_count(p, side), BLOCK, threads);
}

static double log_factorial(double x)
{
    return cob_log_gamma(x + 1);
}

/* Puts the lines on the device; passes then need nothing kept here. */
static cobloc_status hold(cob_problem *p, cobloc_error *err)
{
    cobloc_error ignored = {COBLOC_OK, ""};
    cob_held_lines lines[2];
    if (!p->device)
        return COBLOC_OK;
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        lines[side] =
            (cob_held_lines){p->operand.lines[side], p->side[side].effects, p->side[side].fixed};
    cobloc_status status =
        cob_held_new(p->device, lines, p->operand.depth.layers, cob_is_soft(p->inference), &p->held,
                     p->device_optional ? &ignored : err);
    if (status == COBLOC_OK)
        p->spare = 0;
    return p->device_optional ? COBLOC_OK : status;
}

/* The lines of this rank; and those of the others, whose entries are in the file only. */
static cobloc_status share_side(cob_problem *p, cob_axis side, cobloc_error *err)
{
    cobloc_view lines = p->operand.lines[side];
    cob_elsewhere x = {.file = p->file,
                       .lines = lines,
                       .here = p->part.lines[side],
                       .numbers = p->numbers[cob_other_side(side)]};
    p->share[side] = cob_share_of(p->ranks, &p->operand.lines[side], cob_is_soft(p->inference));
    if (!p->file || p->apart)
        return COBLOC_OK;
    if (p->whole) {
        cobloc_view in_file = cob_matrix_view(p->whole, side);
        x.lines.indices = in_file.indices;
        x.lines.kind = in_file.kind;
        x.lines.values = in_file.values;
        if (p->x->kind > COBLOC_U32 || p->weigher)
            x.remade = (cob_remade){.grid = p->operand.grid,
                                    .words = lines.kind == COBLOC_U32,
                                    .weigher = p->weigher,
                                    .columns = side == COB_COLS,
                                    .offsets = in_file.offsets,
                                    .lines = in_file.major};
    }
    return cob_elsewhere_new(&x, lines.kind, &p->elsewhere[side], err);
}

cobloc_status cob_problem_measure(cob_problem *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_view *rows = &p->side[COB_ROWS].view;
    int threads = cob_threads(p->threads);
    COB_CHECK(cobloc_matrix_total(p->x) < 0x1p62 || p->x->kind > COBLOC_U32, COBLOC_UNSUPPORTED,
              "the counts add up to %g, more than cobloc handles", cobloc_matrix_total(p->x));
    COB_TRY(cob_operand_make(p->x, p->model, &p->part, &p->operand, err));
    p->sums_as_effects = !p->side[COB_ROWS].effects && !p->side[COB_COLS].effects;
    measure_side(p, COB_ROWS, threads);
    measure_side(p, COB_COLS, threads);
    p->total = p->operand.total;
    double spare = (double)rows->nnz * (double)cob_entry_bytes(rows->kind);
    p->spare = (size_t)fmin(spare, cob_budget_block()) / (size_t)(p->at_once > 0 ? p->at_once : 1);
    p->spare /= (size_t)(p->ranks ? p->ranks->size : 1);
    for (cob_axis side = COB_ROWS; p->ranks && side <= COB_COLS; side++)
        COB_TRY(share_side(p, side, err));
    COB_TRY(hold(p, err));
    cob_shared_values shared = {
        .ranks = p->ranks,
        .weigher = p->weigher,
        .weighed = cob_part_entries(&p->part, COB_ROWS, rows->offsets, rows->major),
        .known = p->known};
    p->squares = cob_sum_over_values(rows, cob_square, threads, &shared);
    if ((p->model->likelihood || p->model->log_likelihood) && !cob_zeros_matter(p->model))
        p->constant = log_effects(p, COB_ROWS, threads) + log_effects(p, COB_COLS, threads) -
                      cob_sum_over_values(rows, log_factorial, threads, &shared);
done:
    return status;
}

void cob_problem_free(cob_problem *p)
{
    cob_held_free(p->held);
    p->held = NULL;
    cob_operand_free(&p->operand);
    cob_elsewhere_free(p->elsewhere[COB_ROWS]);
    cob_elsewhere_free(p->elsewhere[COB_COLS]);
    p->elsewhere[COB_ROWS] = p->elsewhere[COB_COLS] = NULL;
    cob_free(p->side[COB_ROWS].own_sums);
    cob_free(p->side[COB_COLS].own_sums);
    p->side[COB_ROWS].own_sums = p->side[COB_COLS].own_sums = NULL;
}

/* ---- room ------------------------------------------------------------------------------------ */

static cobloc_status rule_alloc(cob_rule *rule, int to, int from, bool diagonal, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *rule = (cob_rule){.to = to, .from = from, .diagonal = diagonal};
    COB_NEW(rule->A, cob_rule_cells(rule));
    COB_NEW(rule->b, to);
    COB_NEW(rule->e, to);
done:
    return status;
}

static void rule_free(cob_rule *rule)
{
    cob_free(rule->A);
    cob_free(rule->b);
    cob_free(rule->e);
}

cobloc_status cob_labels_alloc(cob_labels *labels, const cob_problem *problem, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        COB_NEW(labels->of[side], cob_line_count(problem, side));
done:
    return status;
}

void cob_labels_free(cob_labels *labels)
{
    cob_free(labels->of[COB_ROWS]);
    cob_free(labels->of[COB_COLS]);
    *labels = (cob_labels){{NULL, NULL}};
}

void cob_keep_labels(const cob_run *run, const cob_labels *to)
{
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        memcpy(to->of[side], run->side[side].labels,
               (size_t)cob_line_count(run->problem, side) * sizeof(int32_t));
}

void cob_take_labels(cob_run *run, const cob_labels *from)
{
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        memcpy(run->side[side].labels, from->of[side],
               (size_t)cob_line_count(run->problem, side) * sizeof(int32_t));
}

/* `used`: room for passes from a run like this one; NULL: there is none. */
static cobloc_status side_alloc(cob_run *run, cob_axis side, cob_pass_room **used,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_run_side *own = &run->side[side];
    const cobloc_view none = {.kind = p->operand.lines[side].kind};
    const cobloc_view *view = p->ranks ? &p->share[side].view : &p->operand.lines[side];
    int to = own->clusters;
    int from = p->operand.depth.layers * run->side[cob_other_side(side)].clusters;
    size_t lines = (size_t)cob_line_count(p, side);
    COB_NEW(own->labels, lines);
    COB_NEW_ZERO(own->masses, to);
    if (cob_is_soft(p->inference))
        COB_NEW(own->soft, lines * (size_t)to);
    if (cob_is_stochastic(p->inference) && p->model->likelihood)
        COB_NEW(own->counts, lines * (size_t)to);
    COB_TRY(rule_alloc(&own->rule, to, from, p->model->diagonal_rule, err));
    COB_TRY(cob_lent_alloc(&p->operand, side, to, &own->lent, err));
    bool elsewhere = run->held && p->inference == COBLOC_HARD; /* passes need little here */
    if (!*used)
        COB_TRY(cob_pass_room_new(elsewhere ? &none : view, to, from, elsewhere ? 1 : run->threads,
                                  p->spare, used, err));
    cob_pass_room_renew(*used);
    own->room = *used;
    *used = NULL;
done:
    return status;
}

static void side_free(cob_run_side *side)
{
    cob_free(side->labels);
    cob_free(side->soft);
    cob_free(side->counts);
    cob_free(side->masses);
    rule_free(&side->rule);
    cob_lent_free(&side->lent);
    cob_pass_room_free(side->room);
}

/* Where it is optional, a run that the device has no room for goes on here. */
static cobloc_status hold_run(cob_run *run, int g, int m, cobloc_error *err)
{
    const cob_problem *p = run->problem;
    const int clusters[] = {g, m};
    cobloc_error ignored = {COBLOC_OK, ""};
    if (!p->held || (p->device_optional && !cob_held_takes(p->held, clusters)))
        return COBLOC_OK;
    cobloc_status status = cob_held_run_new(p->held, clusters, cob_is_soft(p->inference),
                                            &run->held, p->device_optional ? &ignored : err);
    return p->device_optional ? COBLOC_OK : status;
}

static cobloc_status run_alloc(cob_run *run, int g, int m, cob_pass_room *used[2],
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_depth depth = p->operand.depth;
    run->side[COB_ROWS].clusters = g;
    run->side[COB_COLS].clusters = m;
    COB_TRY(hold_run(run, g, m, err));
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        COB_TRY(side_alloc(run, side, &used[side], err));
    if (cob_is_stochastic(p->inference) || p->model->ascent == COB_TAKES_BACK)
        COB_TRY(cob_labels_alloc(&run->best, p, err));
    if (cob_is_stochastic(p->inference) && p->model->likelihood) {
        COB_TRY(cob_theta_alloc_deep(&run->mean, g, m, depth, err));
        COB_TRY(cob_theta_alloc_deep(&run->square, g, m, depth, err));
    }
    COB_TRY(cob_stats_alloc_deep(&run->stats, g, m, depth, err));
    COB_NEW_ZERO(run->blocks, (size_t)depth.layers * run->stats.layer);
    COB_TRY(cob_theta_alloc_deep(&run->theta, g, m, depth, err));
done:
    return status;
}

static cobloc_status make_run(const cob_problem *problem, int g, int m, uint32_t restart,
                              int threads, cob_pass_room *used[2], cob_run **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *run = NULL;
    COB_NEW_ZERO(run, 1);
    run->problem = problem;
    run->restart = restart;
    run->threads = threads;
    COB_TRY(run_alloc(run, g, m, used, err));
    run->stats.n = (double)cob_line_count(problem, COB_ROWS);
    run->stats.d = (double)cob_line_count(problem, COB_COLS);
    run->stats.total = problem->total;
    run->stats.row_effect = problem->side[COB_ROWS].effect;
    run->stats.col_effect = problem->side[COB_COLS].effect;
    run->stats.squares = problem->squares;
    run->stats.constant = problem->constant;
    run->stats.missing = problem->x->missing ? (double)problem->x->missing->nnz : 0;
    run->stats.codes = problem->model->entries == COB_CODES;
    run->stats.variance = problem->operand.variance;
    run->stats.origin = problem->operand.origin;
    run->stats.sums_as_effects = problem->sums_as_effects;
    *out = run;
    run = NULL;
done:
    cob_run_free(run);
    return status;
}

cobloc_status cob_run_new(const cob_problem *problem, int g, int m, uint32_t restart, int threads,
                          cob_run **out, cobloc_error *err)
{
    cob_pass_room *none[2] = {NULL, NULL};
    return make_run(problem, g, m, restart, threads, none, out, err);
}

cobloc_status cob_run_again(cob_run **ended, uint32_t restart, cob_run **out, cobloc_error *err)
{
    cob_run *before = *ended;
    const cob_problem *problem = before->problem;
    int clusters[] = {before->side[COB_ROWS].clusters, before->side[COB_COLS].clusters};
    int threads = before->threads;
    cob_pass_room *used[2] = {NULL, NULL};
    for (cob_axis side = COB_ROWS; !before->held && side <= COB_COLS; side++) {
        used[side] = before->side[side].room; /* a device may have had no room for it */
        before->side[side].room = NULL;
    }
    cob_run_free(before);
    *ended = NULL;
    cobloc_status status =
        make_run(problem, clusters[COB_ROWS], clusters[COB_COLS], restart, threads, used, out, err);
    cob_pass_room_free(used[COB_ROWS]);
    cob_pass_room_free(used[COB_COLS]);
    return status;
}

void cob_run_free(cob_run *run)
{
    if (!run)
        return;
    side_free(&run->side[COB_ROWS]);
    side_free(&run->side[COB_COLS]);
    cob_held_run_free(run->held);
    cob_labels_free(&run->best);
    cob_theta_free(&run->mean);
    cob_theta_free(&run->square);
    cob_stats_free(&run->stats);
    cob_theta_free(&run->theta);
    cob_free(run->blocks);
    cob_free(run->trace);
    cob_free(run);
}
