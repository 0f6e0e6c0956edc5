/* ebco: the consensus of many co-clusterings (Affeldt, Labiod, Nadif 2020, "Ensemble block
 * co-clustering"). With M the mean of the members' scaled co-clusters (ensemble.h) it maximises
 *
 *     trace of Z~' M W~  =  sum over k of (Z' M W)_kk / sqrt(z_k w_k)
 *
 * which is dcc with M for the matrix: the engine runs it on the product M = R diag(s) C', and draws
 * the columns in proportion to their scores at first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "engine/modularity.h"
#include "engine/starts.h"
#include "engine/steps.h"
#include "methods/ensemble.h"
#include "methods/registry.h"
#include "models/registry.h"

#include <math.h>
#include <string.h>

enum { PURPOSE_LABELS = 41 }; /* of the rows, and next of the columns */

/* The paper's: 70 of 100 iterations draw the columns. */
enum { MOST_DRAWN = 70 };
static const double DRAW_SHARE = 0.7;

/* ---- what all starts share ------------------------------------------------------------------- */

static cobloc_status prepare(const cob_method_problem *p, void **shared, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_stack *stack = NULL;
    COB_NEW_ZERO(stack, 1);
    COB_TRY(cob_stack_prepare(p, COB_STACK_BY_SIZE, stack, err));
    *shared = stack;
    stack = NULL;
done:
    cob_free(stack);
    return status;
}

static void release(void *shared)
{
    cob_stack_free(shared);
    cob_free(shared);
}

/* ---- one start ------------------------------------------------------------------------------- */

/* The user's labels, or random ones. */
static cobloc_status start_side(cob_run *run, cob_axis side, const int32_t *given,
                                cobloc_error *err)
{
    const cob_problem *p = run->problem;
    int64_t count = cob_line_count(p, side);
    cob_run_side *own = &run->side[side];
    if (given)
        memcpy(own->labels, given, (size_t)count * sizeof *given);
    else
        cob_random_labels(own->labels, count, own->clusters,
                          cob_stream_at(p->seed, run->restart, 0, PURPOSE_LABELS + side),
                          run->threads);
    return cob_repair_empty(own->labels, count, own->clusters, NULL, NULL, NULL, NULL, err);
}

/* A side that was not given chooses by the other, before anything is drawn. */
static cobloc_status start(const cob_method_problem *p, cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(start_side(run, COB_ROWS, p->start_rows, err));
    COB_TRY(start_side(run, COB_COLS, p->start_cols, err));
    if (!p->start_cols) {
        cob_run_measure(run);
        cob_step(run, p->start_rows ? COB_COLS : COB_ROWS, (cob_manner){.assign = COB_ASSIGN_HARD});
    }
done:
    return status;
}

/* What the engine is to do: dcc with M for the matrix. */
static cobloc_status set_up(const cob_method_problem *p, cob_problem *problem, cobloc_error *err)
{
    const cob_stack *stack = p->shared;
    int drawn = (int)(DRAW_SHARE * p->max_iterations);
    *problem = (cob_problem){.x = p->x,
                             .model = &cob_model_dcc,
                             .inference = COBLOC_HARD,
                             .max_iterations = p->max_iterations,
                             .tolerance = p->tolerance,
                             .drawn = drawn < MOST_DRAWN ? drawn : MOST_DRAWN,
                             .seed = p->seed,
                             .watch = *p->watch,
                             .threads = p->threads};
    cobloc_status status = cob_problem_measure(problem, err);
    cob_operand_free(&problem->operand); /* that of the matrix */
    problem->operand = cob_operand_of_product(
        (cob_factors){.factor = {stack->rows, stack->cols}, .scale = stack->scale});
    problem->spare = 0;
    if (p->start_rows)
        problem->drawn = 0; /* labels are kept to */
    return status;
}

static cobloc_status take(const cob_run *run, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_keep_labels(run, &(cob_labels){{out->row_labels, out->col_labels}});
    for (size_t i = 0; i < run->trace_count; i++)
        COB_TRY(cob_outcome_note(out, run->trace[i], err));
    out->kept = run->kept;
    out->stop = run->stop;
done:
    return status;
}

/* Of M, not of X. */
static cobloc_status measure_modularity(const cob_method_problem *p, cob_outcome *out,
                                        cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_stats stats = {0};
    COB_TRY(cob_stats_alloc(&stats, p->k, p->k, err));
    COB_TRY(
        cob_stack_measure(p->shared, out->row_labels, out->col_labels, p->threads, &stats, err));
    out->own_modularity = true;
    out->modularity = cob_modularity(&stats, NULL);
done:
    cob_stats_free(&stats);
    return status;
}

static cobloc_status fit(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_problem problem = {0};
    cob_run *run = NULL;
    COB_TRY(set_up(p, &problem, err));
    COB_TRY(cob_run_new(&problem, p->k, p->k, p->restart, p->threads, &run, err));
    COB_TRY(start(p, run, err));
    COB_TRY(cob_run_iterate(run, err));
    COB_TRY(take(run, out, err));
    COB_TRY(measure_modularity(p, out, err));
done:
    cob_run_free(run);
    cob_problem_free(&problem);
    return status;
}

/* ---- new rows -------------------------------------------------------------------------------- */

/* No member has a new row, so that M says nothing of it: X stands in for M. */
static double traced(const cob_bloc *b)
{
    double size = sqrt(b->row_count * b->col_count);
    return size > 0 ? b->held / size : 0;
}

static const cob_placement place_by_trace = {
    .open = cob_open_blocs, .score = cob_score_by_gain, .worth = traced};

const cob_method cob_method_ebco = {
    .name = "ebco",
    .title = "consensus of many co-clusterings, diagonal",
    .criterion = "consensus",
    .diagonal = true,
    .members = true,
    .starts = 1u << COBLOC_START_RANDOM | 1u << COBLOC_START_LABELS,
    .weight = COBLOC_WEIGHT_TFIDF,
    .prepare = prepare,
    .release = release,
    .placement = &place_by_trace,
    .fit = fit,
};
