/* ebco: the consensus of many co-clusterings (Affeldt, Labiod, Nadif 2020, "Ensemble block
 * co-clustering"). With M the mean of the members' scaled co-clusters (ensemble.h) it maximises
 *
 *     trace of Z~' M W~  =  sum over k of (Z' M W)_kk / sqrt(z_k w_k)
 *
 * which is dcc with M for the matrix. As M = R diag(s) C', the sums of M over column clusters are
 * R T with T = diag(s) C' W, a table of (co-clusters by k) that one look at the columns gives. The
 * kernels take such a table for the memberships of the other side: a pass over the sparse R with
 * them is a pass over the dense M. So the loop here needs the kernels and none
 * of the engine, whose models would have to learn about a second matrix.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "engine/modularity.h"
#include "matrix/kernels.h"
#include "methods/ensemble.h"
#include "methods/registry.h"

#include <math.h>
#include <string.h>

enum { PURPOSE_ROWS = 41, PURPOSE_COLS, PURPOSE_DRAW };

/* The paper's: 70 of 100 iterations draw the columns. */
enum { MOST_DRAWS = 70 };
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

/* One side: its lines, and the passes over them. */
typedef struct side {
    cobloc_view lines;  /* by co-clusters */
    cobloc_view turned; /* co-clusters by lines */
    const double *effects;
    int32_t *labels, *before;
    double *sizes;
    double *table; /* T for the other side: co-clusters by k */
    cob_pass_room *room;
    uint32_t purpose;
} side;

typedef struct consensus {
    const cob_method_problem *problem;
    const cob_stack *stack;
    int k;
    uint32_t iteration;
    side rows, cols;
    cob_rule rule;
    double *masses;
    double *scores; /* of the columns, where they are drawn: columns by k */
    double criterion;
} consensus;

static cobloc_status side_alloc(side *s, const cobloc_matrix *x, int32_t *labels,
                                const consensus *c, uint32_t purpose, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    s->lines = cobloc_matrix_by_rows(x);
    s->turned = cobloc_matrix_by_cols(x);
    s->effects = cobloc_matrix_row_sums(x);
    s->labels = labels;
    s->purpose = purpose;
    COB_NEW(s->before, s->lines.major);
    COB_NEW(s->sizes, c->k);
    COB_NEW(s->table, (size_t)c->stack->clusters * (size_t)c->k);
    COB_TRY(cob_pass_room_new(&s->lines, c->k, c->k, c->problem->threads, 0, &s->room, err));
done:
    return status;
}

static void side_free(side *s)
{
    cob_free(s->before);
    cob_free(s->sizes);
    cob_free(s->table);
    cob_pass_room_free(s->room);
}

static cobloc_status consensus_alloc(consensus *c, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t k = (size_t)c->k;
    COB_TRY(side_alloc(&c->rows, c->stack->rows, out->row_labels, c, PURPOSE_ROWS, err));
    COB_TRY(side_alloc(&c->cols, c->stack->cols, out->col_labels, c, PURPOSE_COLS, err));
    COB_NEW(c->masses, k);
    COB_NEW(c->scores, (size_t)c->cols.lines.major * k);
    c->rule = (cob_rule){.to = c->k, .from = c->k, .diagonal = true};
    COB_NEW(c->rule.A, k);
    COB_NEW_ZERO(c->rule.b, k);
    COB_NEW_ZERO(c->rule.e, k);
done:
    return status;
}

static void consensus_free(consensus *c)
{
    side_free(&c->rows);
    side_free(&c->cols);
    cob_free(c->masses);
    cob_free(c->scores);
    cob_free(c->rule.A);
    cob_free(c->rule.b);
    cob_free(c->rule.e);
}

/* Sizes and T of the labels as they stand. */
static void measure_side(consensus *c, side *s)
{
    memset(s->sizes, 0, (size_t)c->k * sizeof *s->sizes);
    for (int64_t i = 0; i < s->lines.major; i++)
        s->sizes[s->labels[i]]++;
    cob_reduce(&s->turned, s->labels, c->k, c->problem->threads, s->table);
    for (int at = 0; at < c->stack->clusters; at++)
        for (int k = 0; k < c->k; k++)
            s->table[(size_t)at * (size_t)c->k + (size_t)k] *= c->stack->scale[at];
}

static void make_rule(consensus *c)
{
    for (int k = 0; k < c->k; k++)
        c->rule.A[k] = 1 / sqrt(c->rows.sizes[k] * c->cols.sizes[k]);
}

/* The trace of Z~' M W~ = (R' Z~)' diag(s) (C' W~): of both tables, co-cluster by co-cluster. */
static double criterion_of(const consensus *c)
{
    double sum = 0;
    for (int k = 0; k < c->k; k++) {
        double own = 0;
        for (int at = 0; at < c->stack->clusters; at++) {
            size_t place = (size_t)at * (size_t)c->k + (size_t)k;
            if (c->stack->scale[at] > 0)
                own += c->rows.table[place] * c->cols.table[place] / c->stack->scale[at];
        }
        sum += own / sqrt(c->rows.sizes[k] * c->cols.sizes[k]);
    }
    return sum;
}

/* Of M, not of X. */
static cobloc_status measure_modularity(const consensus *c, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_stats stats = {0};
    COB_TRY(cob_stats_alloc(&stats, c->k, c->k, err));
    COB_TRY(cob_stack_measure(c->stack, c->rows.labels, c->cols.labels, c->problem->threads, &stats,
                              err));
    out->own_modularity = true;
    out->modularity = cob_modularity(&stats, NULL);
done:
    cob_stats_free(&stats);
    return status;
}

static cob_pass pass_over(consensus *c, side *s, const side *other)
{
    make_rule(c);
    cob_pass pass = {.view = &s->lines,
                     .effects = s->effects,
                     .to = c->k,
                     .from = c->k,
                     .other_soft = other->table,
                     .assign = COB_ASSIGN_HARD,
                     .rule = &c->rule,
                     .labels = s->labels,
                     .sizes = s->sizes,
                     .masses = c->masses};
    cob_pass_run(&pass, s->room);
    measure_side(c, s);
    c->criterion = criterion_of(c);
    return pass;
}

/* ---- drawing the columns --------------------------------------------------------------------- */

static double score_lost(const void *data, int64_t line, int cluster)
{
    const consensus *c = data;
    const double *own = c->scores + line * c->k;
    return own[c->cols.labels[line]] - own[cluster];
}

/* A label with probability proportional to its score; where all are 0, the line stays. */
static int32_t draw_label(const double *scores, int k, double u, int32_t now)
{
    double total = 0, sum = 0;
    for (int at = 0; at < k; at++)
        total += scores[at];
    for (int at = 0; at < k; at++) {
        sum += scores[at];
        if (scores[at] > 0 && u * total < sum)
            return at;
    }
    return now;
}

static cobloc_status draw_columns(consensus *c, cobloc_error *err)
{
    const cob_method_problem *p = c->problem;
    cob_stream stream = cob_stream_at(p->seed, p->restart, c->iteration, PURPOSE_DRAW);
    int64_t d = c->cols.lines.major;
    int k = c->k;
    make_rule(c);
    cob_multiply(&c->cols.lines, c->rows.table, k, p->threads, c->scores);
#pragma omp parallel for num_threads(p->threads)
    for (int64_t j = 0; j < d; j++) {
        double *own = c->scores + j * k;
        for (int at = 0; at < k; at++)
            own[at] *= c->rule.A[at];
        c->cols.labels[j] =
            draw_label(own, k, cob_random_uniform(&stream, (uint64_t)j), c->cols.labels[j]);
    }
    cobloc_status status = cob_repair_empty(c->cols.labels, d, k, NULL, score_lost, c, NULL, err);
    measure_side(c, &c->cols);
    return status;
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* The user's labels, or random ones. */
static cobloc_status start_side(consensus *c, side *s, const int32_t *given, cobloc_error *err)
{
    const cob_method_problem *p = c->problem;
    cob_stream stream = cob_stream_at(p->seed, p->restart, 0, s->purpose);
    for (int64_t i = 0; i < s->lines.major; i++)
        s->labels[i] =
            given ? given[i] : (int32_t)cob_random_below(&stream, (uint64_t)i, (uint32_t)c->k);
    cobloc_status status =
        cob_repair_empty(s->labels, s->lines.major, c->k, NULL, NULL, NULL, NULL, err);
    measure_side(c, s);
    return status;
}

/* Lines choose by sizes that their choices change: a step that made things worse is taken back. */
static cob_pass step_if_better(consensus *c, side *s, const side *other)
{
    double before = c->criterion;
    memcpy(s->before, s->labels, (size_t)s->lines.major * sizeof *s->labels);
    cob_pass pass = pass_over(c, s, other);
    if (c->criterion < before) {
        memcpy(s->labels, s->before, (size_t)s->lines.major * sizeof *s->labels);
        measure_side(c, s);
        c->criterion = before;
        pass.moved = pass.kept = 0;
    }
    return pass;
}

static cobloc_status iterate(consensus *c, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_method_problem *p = c->problem;
    int draws = (int)(DRAW_SHARE * p->max_iterations);
    draws = p->start_rows ? 0 : draws < MOST_DRAWS ? draws : MOST_DRAWS; /* labels are kept to */
    out->stop = COBLOC_STOP_ITERATIONS;
    for (int i = 0; i < p->max_iterations; i++) {
        double before = c->criterion;
        int64_t moved = 0;
        c->iteration++;
        if (i < draws) {
            COB_TRY(draw_columns(c, err));
            pass_over(c, &c->rows, &c->cols);
        } else {
            cob_pass rows = step_if_better(c, &c->rows, &c->cols);
            cob_pass cols = step_if_better(c, &c->cols, &c->rows);
            moved = rows.moved + cols.moved;
            out->kept = rows.kept + cols.kept;
        }
        COB_TRY(cob_outcome_note(out, c->criterion, err));
        if (cob_method_must_end(p, (double)(i + 1) / p->max_iterations, out))
            break;
        if (i >= draws &&
            (moved == 0 || fabs(c->criterion - before) <= p->tolerance * fabs(before))) {
            out->stop = COBLOC_STOP_CONVERGED;
            break;
        }
    }
done:
    return status;
}

static cobloc_status fit(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    consensus c = {.problem = p, .stack = p->shared, .k = p->k};
    COB_TRY(consensus_alloc(&c, out, err));
    COB_TRY(start_side(&c, &c.rows, p->start_rows, err));
    COB_TRY(start_side(&c, &c.cols, p->start_cols, err));
    c.criterion = criterion_of(&c);
    if (!p->start_cols)
        pass_over(&c, p->start_rows ? &c.cols : &c.rows, p->start_rows ? &c.rows : &c.cols);
    COB_TRY(iterate(&c, out, err));
    COB_TRY(measure_modularity(&c, out, err));
done:
    consensus_free(&c);
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
