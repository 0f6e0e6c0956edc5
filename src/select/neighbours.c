/* Starts from the neighbouring size: two clusters merged, or one split.
 *
 * For merging, the criterion decides which two. For splitting, every cluster is tried: its lines
 * join the more similar one of two of its members, a few iterations follow, and the criterion
 * decides which partition is best. A split never loses what a criterion such as mutual information
 * has gained, so its curve cannot fall.
 *
 * SPDX-License-Identifier: MIT
 */
#include "select/select.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { PURPOSE_HALVES = 90 }; /* random stream, above those of starts and polishing */
enum { TRIES = 2, ITERATIONS = 3 };

/* ---- the neighbourhood ----------------------------------------------------------------------- */

cobloc_status cob_neighbourhood_open(const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                     const cob_algorithm *algorithm, int k, int l,
                                     cob_neighbourhood *a, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *a = (cob_neighbourhood){.threads = cob_threads(options->threads),
                             .rows = cobloc_matrix_rows(matrix),
                             .cols = cobloc_matrix_cols(matrix),
                             .problem = {.model = algorithm->model,
                                         .inference = COBLOC_HARD,
                                         .max_iterations = options->max_iterations,
                                         .tolerance = options->tolerance,
                                         .seed = options->seed,
                                         .watch = {.restarts = 1, .deadline = INFINITY},
                                         .threads = options->threads}};
    COB_TRY(cob_prepare(matrix, NULL, options, algorithm, k, l, NULL, &a->prepared, err));
    if (!algorithm->model)
        goto done;
    a->problem.x = a->prepared.x;
    a->problem.side[COB_ROWS].effects = a->prepared.row_effects;
    a->problem.side[COB_COLS].effects = a->prepared.col_effects;
    COB_TRY(cob_problem_measure(&a->problem, err));
    COB_TRY(cob_start_lines_make(&a->problem, &a->data, err));
done:
    return status;
}

void cob_neighbourhood_close(cob_neighbourhood *a)
{
    cob_prepared_free(&a->prepared);
    cob_start_lines_free(&a->data);
    cob_problem_free(&a->problem);
    *a = (cob_neighbourhood){0};
}

/* ---- labels in and out ----------------------------------------------------------------------- */

static void take(const int32_t *labels, const int32_t *map, int64_t count, int32_t *own)
{
    for (int64_t i = 0; i < count; i++)
        if (map[i] >= 0)
            own[map[i]] = labels[i];
}

/* Lines without entries have no cluster, but a start must give them one. */
static void give_side(const int32_t *own, const int32_t *map, int64_t count, int32_t *labels)
{
    for (int64_t i = 0; i < count; i++)
        labels[i] = map[i] >= 0 ? own[map[i]] : 0;
}

static void give(const cob_neighbourhood *a, const cob_run *run, int32_t *rows, int32_t *cols)
{
    give_side(run->side[COB_ROWS].labels, a->prepared.row_map, a->rows, rows);
    give_side(run->side[COB_COLS].labels, a->prepared.col_map, a->cols, cols);
}

static cobloc_status run_of(const cob_neighbourhood *a, const cobloc_result *from, cob_run **out,
                            cobloc_error *err)
{
    cobloc_status status = cob_run_new(&a->problem, from->k, from->l, 0, a->threads, out, err);
    if (status != COBLOC_OK)
        return status;
    take(from->row_labels, a->prepared.row_map, a->rows, (*out)->side[COB_ROWS].labels);
    take(from->col_labels, a->prepared.col_map, a->cols, (*out)->side[COB_COLS].labels);
    cob_run_measure(*out);
    return COBLOC_OK;
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* The best of several partitions, all tried in the same run. */
typedef struct contest {
    cob_run *trial, *best; /* of the same size; `best` holds labels if `held` */
    bool held;
} contest;

static cobloc_status contest_open(const cob_neighbourhood *a, int g, int m, contest *c,
                                  cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *c = (contest){0};
    COB_TRY(cob_run_new(&a->problem, g, m, 0, a->threads, &c->trial, err));
    COB_TRY(cob_run_new(&a->problem, g, m, 0, a->threads, &c->best, err));
done:
    return status;
}

static void contest_close(contest *c)
{
    cob_run_free(c->trial);
    cob_run_free(c->best);
}

/* Runs a few iterations from the trial's labels and keeps the better partition. */
static cobloc_status compete(contest *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = c->trial->problem;
    COB_TRY(cob_run_fill_empty(c->trial, NULL, err));
    COB_TRY(cob_run_refine(c->trial, ITERATIONS, err));
    bool fuller = (c->trial->kept == 0) > (c->best->kept == 0);
    bool emptier = (c->trial->kept == 0) < (c->best->kept == 0);
    if (!c->held || fuller ||
        (!emptier && cob_better(p->model, c->trial->criterion, c->best->criterion))) {
        cob_run *worse = c->best;
        c->best = c->trial;
        c->trial = worse;
        c->held = true;
    }
done:
    return status;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* If the table does not tell the cost of merging two clusters, every pair is tried. */
static cobloc_status merge_any_two(const cob_run *run, contest *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_run_side *rows = &run->side[COB_ROWS];
    for (int a = 0; a < rows->clusters; a++)
        for (int b = a + 1; b < rows->clusters; b++) {
            for (int64_t i = 0; i < cob_line_count(run->problem, COB_ROWS); i++) {
                int32_t k = rows->labels[i];
                c->trial->side[COB_ROWS].labels[i] = k == b ? a : k > b ? k - 1 : k;
            }
            COB_TRY(cob_place_columns(c->trial, err));
            COB_TRY(compete(c, err));
        }
done:
    return status;
}

cobloc_status cob_merged_labels(const cob_neighbourhood *a, const cobloc_result *from, int k, int l,
                                int32_t *rows, int32_t *cols, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *run = NULL;
    contest c = {0};
    int *row_map = NULL, *col_map = NULL;
    COB_TRY(run_of(a, from, &run, err));
    if (!a->problem.model->structure->merges) {
        COB_TRY(contest_open(a, k, l, &c, err));
        COB_TRY(merge_any_two(run, &c, err));
        give(a, c.best, rows, cols);
    } else {
        COB_NEW(row_map, from->k);
        COB_NEW(col_map, from->l);
        COB_TRY(cob_merge_clusters(run, k, l, row_map, col_map, NULL, err));
        for (int64_t i = 0; i < a->rows; i++)
            rows[i] = from->row_labels[i] < 0 ? 0 : row_map[from->row_labels[i]];
        for (int64_t j = 0; j < a->cols; j++)
            cols[j] = from->col_labels[j] < 0 ? 0 : col_map[from->col_labels[j]];
    }
done:
    contest_close(&c);
    cob_run_free(run);
    cob_free(row_map);
    cob_free(col_map);
    return status;
}

/* ---- splitting ------------------------------------------------------------------------------- */

/* Scratch space for splitting every cluster of one side into halves. */
typedef struct halving {
    int32_t *halves; /* of the lines to split: 2 k or 2 k + 1, where k is the cluster */
    double *sums;    /* paired clusters: sums of each column over the halves, */
    double *mass;    /* and their masses */
} halving;

static cobloc_status halve(const cob_neighbourhood *a, const cob_run *run, cob_axis side,
                           uint32_t round, halving *h, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = &a->problem;
    const cob_run_side *own = &run->side[side];
    uint32_t clusters = (uint32_t)own->clusters, purpose = PURPOSE_HALVES + 2 * round + side;
    cob_weighed lines = cob_start_lines(&a->data, side);
    COB_TRY(cob_split_lines(&lines, own->labels, own->clusters,
                            cob_stream_at(p->seed, clusters, 0, purpose), h->halves, err));
    if (p->model->structure->paired) {
        COB_KNOWN(h->mass); /* of such models */
        memset(h->mass, 0, 2 * clusters * sizeof *h->mass);
        for (int64_t i = 0; i < cob_line_count(p, COB_ROWS); i++)
            h->mass[h->halves[i]] += p->side[COB_ROWS].effects[i];
        cob_reduce(&p->side[COB_COLS].view, h->halves, 2 * own->clusters, run->threads, h->sums);
    }
done:
    return status;
}

/* Gives the second half of cluster k its own number; false if a half is empty. */
static bool split_labels(const cob_run_side *own, const int32_t *halves, int64_t count, int k,
                         int32_t *out)
{
    int64_t found[2] = {0, 0};
    for (int64_t i = 0; i < count; i++) {
        out[i] = halves[i] == 2 * k + 1 ? own->clusters : own->labels[i];
        if (own->labels[i] == k)
            found[halves[i] & 1]++;
    }
    return found[0] > 0 && found[1] > 0;
}

/* Columns of co-cluster k join the half in which they have the larger share. */
static void split_columns_after_rows(const cob_run *run, const halving *h, int k, int32_t *out)
{
    const cob_run_side *cols = &run->side[COB_COLS];
    int g = cols->clusters;
    double first = h->mass[2 * k], second = h->mass[2 * k + 1];
    for (int64_t j = 0; j < cob_line_count(run->problem, COB_COLS); j++) {
        const double *sums = h->sums + j * 2 * g + 2 * k;
        bool moves = cols->labels[j] == k && sums[1] * first > sums[0] * second;
        out[j] = moves ? g : cols->labels[j];
    }
}

static cobloc_status halving_open(const cob_run *run, halving *h, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    int64_t rows = cob_line_count(p, COB_ROWS), cols = cob_line_count(p, COB_COLS);
    size_t halves = 2 * (size_t)run->side[COB_ROWS].clusters;
    *h = (halving){0};
    COB_NEW(h->halves, rows > cols ? rows : cols);
    if (p->model->structure->paired) {
        COB_NEW(h->sums, (size_t)cols * halves);
        COB_NEW(h->mass, halves);
    }
done:
    return status;
}

/* The best split of one cluster of a side; where columns follow the rows, with its columns. */
static cobloc_status split_one(const cob_neighbourhood *a, const cob_run *run, cob_axis side,
                               contest *c, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = &a->problem;
    const cob_labels now = {{run->side[COB_ROWS].labels, run->side[COB_COLS].labels}};
    halving h = {0};
    COB_TRY(halving_open(run, &h, err));
    for (uint32_t round = 0; round < TRIES; round++) {
        COB_TRY(halve(a, run, side, round, &h, err));
        for (int k = 0; k < run->side[side].clusters; k++) {
            cob_take_labels(c->trial, &now);
            if (!split_labels(&run->side[side], h.halves, cob_line_count(p, side), k,
                              c->trial->side[side].labels))
                continue;
            if (p->model->structure->paired)
                split_columns_after_rows(run, &h, k, c->trial->side[COB_COLS].labels);
            else if (p->model->structure->clusters)
                COB_TRY(cob_place_columns(c->trial, err));
            COB_TRY(compete(c, err));
        }
    }
    if (!c->held) { /* only single or identical lines: any line makes a cluster */
        cob_take_labels(c->trial, &now);
        COB_TRY(compete(c, err));
    }
done:
    cob_free(h.halves);
    cob_free(h.sums);
    cob_free(h.mass);
    return status;
}

cobloc_status cob_split_labels(const cob_neighbourhood *a, const cobloc_result *from, int k, int l,
                               int32_t *rows, int32_t *cols, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_run *run = NULL;
    contest first = {0}, second = {0};
    bool together = a->problem.model->structure->clusters != NULL;
    const cob_run *last;
    COB_TRY(run_of(a, from, &run, err));
    last = run;
    if (k > from->k) {
        COB_TRY(contest_open(a, k, together ? l : from->l, &first, err));
        COB_TRY(split_one(a, last, COB_ROWS, &first, err));
        last = first.best;
    }
    if (l > from->l && !together) {
        COB_TRY(contest_open(a, k, l, &second, err));
        COB_TRY(split_one(a, last, COB_COLS, &second, err));
        last = second.best;
    }
    give(a, last, rows, cols);
done:
    contest_close(&first);
    contest_close(&second);
    cob_run_free(run);
    return status;
}
