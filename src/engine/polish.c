/* Split and merge: out of a local optimum.
 * SPDX-License-Identifier: MIT
 */
#include "engine/starts.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "engine/resume.h"

#include <math.h>
#include <string.h>

/* Purposes of random numbers: above those of starts, one a round. */
enum { PURPOSE_SPLIT = 32 };

/* Real values gain a little in nearly every round, counts in fewer: with these rounds, both take
 * about as long. Where there are many clusters, each round takes longer and gains less. */
enum { ATTEMPTS = 3, ROUNDS = 12, REAL_ROUNDS = 10, FINE_ITERATIONS = 5, ITERATIONS = 50 };

/* ---- splitting ------------------------------------------------------------------------------- */

/* Draws two members of each cluster: seeds[2k] and seeds[2k + 1], by the largest random numbers. */
static cobloc_status draw_seeds(const int32_t *labels, int64_t count, int clusters,
                                cob_stream stream, int64_t *seeds, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *drawn = NULL;
    COB_NEW_ZERO(drawn, 2 * clusters);
    for (int k = 0; k < 2 * clusters; k++)
        seeds[k] = -1;
    for (int64_t i = 0; i < count; i++) {
        double u = cob_random_uniform(&stream, (uint64_t)i);
        double *own = drawn + 2 * labels[i];
        int64_t *seed = seeds + 2 * labels[i];
        if (u > own[0]) {
            own[1] = own[0];
            seed[1] = seed[0];
            own[0] = u;
            seed[0] = i;
        } else if (u > own[1]) {
            own[1] = u;
            seed[1] = i;
        }
    }
done:
    cob_free(drawn);
    return status;
}

/* What lines are compared with: a number for each index, weighed once more by the other side; and
 * of points, half the square of the length. */
typedef struct seed_line {
    double *dense, half_square;
    int64_t seed; /* the line that it is; -1: none yet */
} seed_line;

/* All numbers are 0 again. */
static void clear_seed(const cobloc_view *view, int64_t seed, const seed_line *of)
{
    for (int64_t e = seed >= 0 ? view->offsets[seed] : 0; seed >= 0 && e < view->offsets[seed + 1];
         e++)
        of->dense[view->indices[e]] = 0;
}

/* Every rank gets it, from the one that has the line. */
static cobloc_status spread_seed(const cob_weighed *lines, int64_t seed, seed_line *to,
                                 cobloc_error *err)
{
    const cobloc_view *view = &lines->view;
    cob_ranks *ranks = lines->part.ranks;
    cob_between own = cob_part_lines(&lines->part, 0, view->major);
    int64_t here = seed >= own.first && seed < own.last, from;
    double squares = 0;
    if (ranks) /* which have not all entries */
        memset(to->dense, 0, (size_t)view->minor * sizeof *to->dense);
    else
        clear_seed(view, to->seed, to);
    to->seed = seed;
    for (int64_t e = here ? view->offsets[seed] : 0; here && e < view->offsets[seed + 1]; e++) {
        double value = cob_weighed_value(lines, seed, e);
        int32_t index = view->indices[e];
        to->dense[index] = lines->other ? value * lines->other[index] : value;
        squares += value * value;
    }
    to->half_square = lines->points ? sqrt(squares) * sqrt(squares) / 2 : 0;
    if (!ranks || seed < 0)
        return COBLOC_OK;
    cob_ranks_vote(ranks, here ? ranks->rank : 0, &from); /* these are directions, never points */
    cob_ranks_broadcast(ranks, to->dense, view->minor * (int64_t)sizeof *to->dense, (int)from);
    return cob_ranks_check(ranks, err);
}

/* Whether a line is nearer to the second. */
COB_INLINE bool is_second(const cob_weighed *lines, cobloc_value_kind kind, int64_t line,
                          const seed_line *first, const seed_line *second)
{
    const cobloc_view *view = &lines->view;
    double of_first = 0, of_second = 0, own = lines->own ? lines->own[line] : 1;
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
        double value = cob_value_get(kind, view->values, e);
        of_first += first->dense[view->indices[e]] * value;
        of_second += second->dense[view->indices[e]] * value;
    }
    return of_second * own - second->half_square > of_first * own - first->half_square;
}

/* Lines in the order of their clusters: those of cluster k from begins[k] on. */
static void sort_lines(const int32_t *labels, cob_between lines, int clusters, int64_t *begins,
                       int64_t *order)
{
    memset(begins, 0, ((size_t)clusters + 1) * sizeof *begins);
    for (int64_t i = lines.first; i < lines.last; i++)
        begins[labels[i]]++;
    for (int k = 1; k <= clusters; k++) /* where each ends */
        begins[k] += begins[k - 1];
    for (int64_t i = lines.last - 1; i >= lines.first; i--)
        order[--begins[labels[i]]] = i;
}

/* What all the lines of a cluster are compared with, and where these stand. */
typedef struct halving {
    seed_line first, second;
    int64_t *order, begin, end;
    int cluster;
} halving;

static void split_line(const cob_weighed *lines, const halving *h, int64_t place, int32_t *halves)
{
    int64_t i = h->order[place];
    COB_FOR_KIND(lines->view.kind,
                 halves[i] = 2 * h->cluster + is_second(lines, KIND, i, &h->first, &h->second))
}

static void split_cluster(const cob_weighed *lines, const halving *h, int threads, int32_t *halves)
{
    for (int64_t place = h->begin; threads == 1 && place < h->end; place++)
        split_line(lines, h, place, halves);
    if (threads == 1)
        return;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (int64_t place = h->begin; place < h->end; place++)
        split_line(lines, h, place, halves);
}

cobloc_status cob_split_lines(const cob_weighed *lines, const int32_t *labels, int clusters,
                              cob_stream stream, int32_t *halves, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_between own = cob_part_lines(&lines->part, 0, lines->view.major);
    int threads = cob_threads_worth(cob_threads(0), own.last + lines->view.nnz / clusters);
    int64_t *seeds = NULL, *begins = NULL;
    halving h = {.first = {.seed = -1}, .second = {.seed = -1}};
    COB_NEW(seeds, 2 * (size_t)clusters);
    COB_NEW(begins, (size_t)clusters + 1);
    COB_NEW(h.order, own.last - own.first);
    COB_NEW_ZERO(h.first.dense, lines->view.minor);
    COB_NEW_ZERO(h.second.dense, lines->view.minor);
    COB_TRY(draw_seeds(labels, lines->view.major, clusters, stream, seeds, err));
    sort_lines(labels, own, clusters, begins, h.order);
    for (int k = 0; k < clusters; k++) {
        COB_TRY(spread_seed(lines, seeds[2 * k], &h.first, err));
        COB_TRY(spread_seed(lines, seeds[2 * k + 1], &h.second, err));
        h.cluster = k, h.begin = begins[k], h.end = begins[k + 1];
        split_cluster(lines, &h, threads, halves);
    }
    COB_TRY(cob_part_gather(&lines->part, 0, halves, sizeof *halves, err));
done:
    cob_free(seeds);
    cob_free(begins);
    cob_free(h.order);
    cob_free(h.first.dense);
    cob_free(h.second.dense);
    return status;
}

/* ---- merging --------------------------------------------------------------------------------- */

cobloc_status cob_merge_into(cob_run *fine, int iterations, cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int *numbers[2] = {NULL, NULL};
    COB_NEW(numbers[COB_ROWS], fine->side[COB_ROWS].clusters);
    COB_NEW(numbers[COB_COLS], fine->side[COB_COLS].clusters);
    COB_TRY(cob_run_fill_empty(fine, NULL, err));
    COB_TRY(cob_run_refine(fine, iterations, err));
    run->disturbed = run->disturbed || fine->disturbed;
    COB_TRY(cob_merge_clusters(fine, run->side[COB_ROWS].clusters, run->side[COB_COLS].clusters,
                               numbers[COB_ROWS], numbers[COB_COLS], NULL, err));
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        int64_t count = cob_line_count(run->problem, side);
#pragma omp parallel for schedule(static) num_threads(cob_threads_worth(run->threads, count))
        for (int64_t i = 0; i < count; i++)
            run->side[side].labels[i] = numbers[side][fine->side[side].labels[i]];
    }
done:
    cob_free(numbers[COB_ROWS]);
    cob_free(numbers[COB_COLS]);
    return status;
}

/* ---- one attempt ----------------------------------------------------------------------------- */

static cobloc_status split_side(const cob_run *run, cob_axis side, const cob_start_data *data,
                                uint32_t purpose, cob_run *fine, cobloc_error *err)
{
    cob_weighed lines = cob_start_lines(data, side);
    cob_stream stream = cob_stream_at(run->problem->seed, run->restart, 0, purpose + side);
    return cob_split_lines(&lines, run->side[side].labels, run->side[side].clusters, stream,
                           fine->side[side].labels, err);
}

cobloc_status cob_split_run(const cob_run *run, const cob_start_data *data, uint32_t purpose,
                            cob_run *fine, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(split_side(run, COB_ROWS, data, purpose, fine, err));
    if (run->problem->model->structure->clusters)
        COB_TRY(cob_place_columns(fine, err));
    else
        COB_TRY(split_side(run, COB_COLS, data, purpose, fine, err));
done:
    return status;
}

static cobloc_status attempt(cob_run *run, const cob_start_data *data, uint32_t round,
                             cob_run *fine, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_split_run(run, data, PURPOSE_SPLIT + 2 * round, fine, err));
    COB_TRY(cob_merge_into(fine, FINE_ITERATIONS, run, err));
    COB_TRY(cob_run_refine(run, ITERATIONS, err));
done:
    return status;
}

/* After a round that was not to its end: what would go on is the run as it was before. */
static cobloc_status keep_before(cob_run *run, const cob_run *before, const cob_labels *labels,
                                 cobloc_error *err)
{
    cob_run was = *before;
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        was.side[side].labels = labels->of[side];
    was.trace = run->trace;
    was.held = NULL;
    was.disturbed = run->disturbed;
    run->sealed = true;
    return cob_may_keep(&was, was.place.step, was.place.more, err);
}

/* All of them; fewer where clusters are many, and there are not two rows for each pair of them; and
 * half as many where they were split and merged while they grew. */
static int rounds_of(const cob_run *run)
{
    enum { FEW = 16, ROWS_A_PAIR = 2 };
    const cob_problem *p = run->problem;
    double k = run->side[COB_ROWS].clusters, rows = (double)cob_line_count(p, COB_ROWS);
    double share = fmin(1, sqrt(fmax(rows / ROWS_A_PAIR, FEW * FEW)) / k);
    share = k > COB_FEW ? share / 2 : share;
    return (int)((p->x->kind > COBLOC_U32 ? REAL_ROUNDS : ROUNDS) * share);
}

cobloc_status cob_split_and_merge(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_run *fine = NULL;
    cob_labels best = {{0}};
    bool measured = true; /* the statistics are those of the labels */
    int rounds = rounds_of(run);
    int g = 2 * run->side[COB_ROWS].clusters, m = 2 * run->side[COB_COLS].clusters;
    if ((!data->directions.matrix && !data->lines[COB_ROWS]) || !p->model->structure->merges ||
        p->side[COB_ROWS].fixed || p->side[COB_COLS].fixed || g < 4 ||
        g > cob_line_count(p, COB_ROWS) || m > cob_line_count(p, COB_COLS) ||
        run->stop == COBLOC_STOP_CANCELLED || run->stop == COBLOC_STOP_TIME)
        return COBLOC_OK;
    COB_TRY(cob_labels_alloc(&best, p, err));
    cob_problem brief = cob_brief(p);
    COB_TRY(cob_run_new(&brief, g, m, run->restart, run->threads, &fine, err));
    cob_begin_phase(run, COB_POLISHING);
    for (cob_place at = run->place; at.step < rounds && at.more < ATTEMPTS;) {
        run->place = at;
        cob_run before = *run;
        cob_keep_labels(run, &best);
        run->place = (cob_place){0};
        COB_TRY(attempt(run, data, (uint32_t)at.step, fine, err));
        measured = true;
        if (run->disturbed || cob_clock() > p->watch.deadline) {
            run->disturbed = true;
            COB_TRY(keep_before(run, &before, &best, err));
            at.more = ATTEMPTS;
        }
        if (run->kept > before.kept || !cob_better(p->model, run->criterion, before.criterion)) {
            cob_take_labels(run, &best);
            run->criterion = before.criterion;
            run->kept = before.kept;
            at.more++;
            measured = false;
        }
        at.step++;
        run->place = at;
        COB_TRY(cob_may_keep(run, at.step, at.more, err));
    }
    if (!measured)
        cob_run_measure(run);
done:
    cob_end_phase(run);
    cob_run_free(fine);
    cob_labels_free(&best);
    return status;
}
