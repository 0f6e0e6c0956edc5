/* Random starts, spherical k-means starts, and starts that merge down from many clusters.
 * SPDX-License-Identifier: MIT
 */
#include "engine/starts.h"

#include "base/alloc.h"
#include "base/matching.h"
#include "base/parallel.h"
#include "base/points.h"
#include "engine/means.h"

#include <string.h>

/* What starts use random numbers for; iterations come after, so iteration 0 is theirs. */
enum {
    PURPOSE_RANDOM = 11, /* of rows, and next of columns */
    PURPOSE_MEANS = 13,  /* likewise */
    PURPOSE_SPECTRAL = 15
};

enum { MEANS_ITERATIONS = 10, FINE_ITERATIONS = 5, COLUMN_DRAWS = 12 };
enum { SPECTRAL_ITERATIONS = 100 };

cobloc_start cob_start_of_restart(uint32_t restart, bool spectral)
{
    static const cobloc_start order[] = {COBLOC_START_MERGE, COBLOC_START_SKMEANS,
                                         COBLOC_START_SPECTRAL};
    return order[restart % (spectral ? 3 : 2)];
}

/* ---- lines for k-means ----------------------------------------------------------------------- */

cob_weighed cob_start_lines(const cob_start_data *data, cob_axis side)
{
    if (data->lines[side])
        return (cob_weighed){.view = cobloc_matrix_by_rows(data->lines[side]),
                             .turned = cobloc_matrix_by_cols(data->lines[side]),
                             .points = true};
    return side == COB_ROWS ? cob_directions_by_rows(&data->directions)
                            : cob_directions_by_cols(&data->directions);
}

cobloc_status cob_start_lines_make(const cob_problem *p, cob_start_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (p->model->entries == COB_VALUES)
        return cob_directions_make(&data->directions, p->x, &p->part, err);
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        COB_TRY(cob_points_make(p->x, &p->operand, p->model, side, &data->lines[side], err));
done:
    return status;
}

void cob_start_lines_free(cob_start_data *data)
{
    cob_directions_free(&data->directions);
    cobloc_matrix_free(data->lines[COB_ROWS]);
    cobloc_matrix_free(data->lines[COB_COLS]);
}

/* ---- helpers --------------------------------------------------------------------------------- */

static bool has_member(const int32_t *labels, int64_t count, int cluster)
{
    for (int64_t i = 0; i < count; i++)
        if (labels[i] == cluster)
            return true;
    return false;
}

cobloc_status cob_run_fill_empty(cob_run *run, int *filled, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int all = 0;
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        int found;
        COB_TRY(cob_repair_empty(run->side[side].labels, cob_line_count(run->problem, side),
                                 run->side[side].clusters, run->problem->side[side].fixed, NULL,
                                 NULL, &found, err));
        all += found;
    }
    if (filled)
        *filled = all;
done:
    return status;
}

static void apply_fixed(cob_run *run, cob_axis side)
{
    const int32_t *fixed = run->problem->side[side].fixed;
    for (int64_t i = 0; fixed && i < cob_line_count(run->problem, side); i++)
        if (fixed[i] >= 0)
            run->side[side].labels[i] = fixed[i];
}

static bool has_fixed(const cob_problem *p)
{
    return p->side[COB_ROWS].fixed || p->side[COB_COLS].fixed;
}

/* A start that comes too late is only to be complete. */
static bool is_late(const cob_problem *p)
{
    return cob_clock() > p->watch.deadline;
}

static cob_stream stream_for(const cob_run *run, uint32_t purpose)
{
    return cob_stream_at(run->problem->seed, run->restart, 0, purpose);
}

void cob_random_labels(int32_t *labels, int64_t count, int clusters, cob_stream stream, int threads)
{
    enum { WORTH_THREADS = 10000 };
#pragma omp parallel for schedule(static)                                                          \
    num_threads(cob_threads(threads)) if (count > WORTH_THREADS)
    for (int64_t i = 0; i < count; i++)
        labels[i] = (int32_t)cob_random_below(&stream, (uint64_t)i, (uint32_t)clusters);
}

static cobloc_status finish_labels(cob_run *run, cobloc_error *err)
{
    apply_fixed(run, COB_ROWS);
    apply_fixed(run, COB_COLS);
    return cob_run_fill_empty(run, NULL, err);
}

/* ---- known labels ---------------------------------------------------------------------------- */

/* Counts how often a label found meets a label known. */
static void count_meetings(const cob_run *run, cob_axis side, double *meetings)
{
    const cob_run_side *own = &run->side[side];
    const int32_t *fixed = run->problem->side[side].fixed;
    for (int64_t i = 0; fixed && i < cob_line_count(run->problem, side); i++)
        if (fixed[i] >= 0)
            meetings[(int64_t)own->labels[i] * own->clusters + fixed[i]]++;
}

static void renumber(cob_run *run, cob_axis side, const int *match)
{
    int32_t *labels = run->side[side].labels;
    for (int64_t i = 0; i < cob_line_count(run->problem, side); i++)
        labels[i] = match[labels[i]];
}

/* The numbers of the clusters that k-means finds mean nothing; where labels are known, numbers do:
 * clusters are renumbered so that they agree best with them. */
static cobloc_status align(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_structure *structure = run->problem->model->structure;
    int g = run->side[COB_ROWS].clusters, m = run->side[COB_COLS].clusters;
    size_t most = (size_t)(g > m ? g : m);
    double *meetings = NULL, agreement;
    int *match = NULL;
    if (!has_fixed(run->problem))
        return COBLOC_OK;
    COB_NEW_ZERO(meetings, most * most);
    COB_NEW(match, most);
    count_meetings(run, COB_ROWS, meetings);
    if (structure->paired)
        count_meetings(run, COB_COLS, meetings);
    COB_TRY(cob_best_matching(meetings, g, g, &agreement, match, err));
    renumber(run, COB_ROWS, match);
    if (structure->paired) {
        renumber(run, COB_COLS, match);
    } else if (!structure->clusters) {
        memset(meetings, 0, most * most * sizeof *meetings);
        count_meetings(run, COB_COLS, meetings);
        COB_TRY(cob_best_matching(meetings, m, m, &agreement, match, err));
        renumber(run, COB_COLS, match);
    }
done:
    cob_free(meetings);
    cob_free(match);
    return status;
}

/* ---- k-means starts -------------------------------------------------------------------------- */

static void draw_labels(cob_run *run, cob_axis side, cob_stream stream)
{
    cob_random_labels(run->side[side].labels, cob_line_count(run->problem, side),
                      run->side[side].clusters, stream, run->threads);
}

/* Draws the columns several times, refines each a little, and goes on from the best. */
static cobloc_status draw_columns(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_labels first = {{0}}, best = {{0}};
    double value = 0;
    COB_TRY(cob_labels_alloc(&first, p, err));
    COB_TRY(cob_labels_alloc(&best, p, err));
    cob_keep_labels(run, &first);
    for (uint32_t draw = 0; draw < COLUMN_DRAWS; draw++) {
        cob_take_labels(run, &first);
        draw_labels(run, COB_COLS,
                    cob_stream_at(p->seed, run->restart, draw, PURPOSE_RANDOM + COB_COLS));
        COB_TRY(finish_labels(run, err));
        COB_TRY(cob_run_refine(run, FINE_ITERATIONS, err));
        if (draw == 0 || cob_better(p->model, run->criterion, value)) {
            value = run->criterion;
            cob_keep_labels(run, &best);
        }
    }
    cob_take_labels(run, &best);
done:
    cob_labels_free(&first);
    cob_labels_free(&best);
    return status;
}

static cobloc_status find_means(cob_run *run, cob_axis side, const cob_start_data *data,
                                cobloc_error *err)
{
    cob_weighed lines = cob_start_lines(data, side);
    lines.deadline = run->problem->watch.deadline;
    return cob_means_start(&lines, run->side[side].clusters, !lines.points, MEANS_ITERATIONS,
                           stream_for(run, PURPOSE_MEANS + side), run->threads,
                           run->side[side].labels, err);
}

void cob_shared_means_free(cob_shared_means *means)
{
    for (int i = 0; i < COB_SHARED_STARTS; i++) {
        cob_free(means->labels[COB_ROWS][i]);
        cob_free(means->labels[COB_COLS][i]);
    }
    cob_free(means->points);
    *means = (cob_shared_means){0};
}

/* Each restart has a place of its own, so restarts of one fit do not meet there. */
static cobloc_status start_side(cob_run *run, cob_axis side, const cob_start_data *data,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    uint32_t place = run->restart;
    cob_shared_means *shared = place < COB_SHARED_STARTS ? data->shared : NULL;
    cob_run_side *own = &run->side[side];
    size_t bytes = (size_t)cob_line_count(run->problem, side) * sizeof *own->labels;
    if (shared && shared->labels[side][place] && shared->clusters[side][place] == own->clusters) {
        memcpy(own->labels, shared->labels[side][place], bytes);
        return COBLOC_OK;
    }
    COB_TRY(find_means(run, side, data, err));
    if (shared && !shared->labels[side][place]) {
        COB_NEW(shared->labels[side][place], cob_line_count(run->problem, side));
        memcpy(shared->labels[side][place], own->labels, bytes);
        shared->clusters[side][place] = own->clusters;
    }
done:
    return status;
}

/* Columns for rows that have their clusters: beside these; where there are more or fewer of them,
 * by k-means of their own. */
static cobloc_status start_columns(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    const cob_structure *structure = run->problem->model->structure;
    if (structure->draws && run->restart % 2 == 1)
        return draw_columns(run, err);
    if (structure->clusters)
        return cob_place_columns(run, err);
    return start_side(run, COB_COLS, data, err);
}

static cobloc_status start_means(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    COB_TRY(start_side(run, COB_ROWS, data, err));
    COB_TRY(start_columns(run, data, err));
    COB_TRY(align(run, err));
    if (p->side[COB_ROWS].fixed && p->model->structure->clusters) {
        apply_fixed(run, COB_ROWS);
        COB_TRY(cob_place_columns(run, err));
    }
done:
    return status;
}

/* ---- spectral starts ------------------------------------------------------------------------- */

static cobloc_status cluster_points(const cob_run *run, const double *points, int64_t count,
                                    int dims, int k, uint32_t purpose, cob_point_means *means,
                                    cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cob_point_means_alloc(means, points, count, dims, k, run->threads, err));
    means->deadline = run->problem->watch.deadline;
    COB_TRY(cob_point_means_seed(means, stream_for(run, purpose), err));
    cob_rounds rounds = {.data = means,
                         .round = cob_point_means_round,
                         .value = means->error,
                         .most = SPECTRAL_ITERATIONS,
                         .deadline = means->deadline};
    COB_TRY(cob_kmeans_settle(&rounds, err));
done:
    return status;
}

/* Rows and columns that go together are clustered together, others apart. */
static cobloc_status start_spectral(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_structure *structure = run->problem->model->structure;
    cob_run_side *rows = &run->side[COB_ROWS], *cols = &run->side[COB_COLS];
    int64_t n = cob_line_count(run->problem, COB_ROWS), d = cob_line_count(run->problem, COB_COLS);
    bool together = structure->paired;
    cob_point_means of_rows = {0}, of_cols = {0};
    COB_TRY(cluster_points(run, data->points, together ? n + d : n, data->dims, rows->clusters,
                           PURPOSE_SPECTRAL, &of_rows, err));
    memcpy(rows->labels, of_rows.labels, (size_t)n * sizeof *rows->labels);
    if (together) {
        memcpy(cols->labels, of_rows.labels + n, (size_t)d * sizeof *cols->labels);
    } else if (structure->clusters) {
        COB_TRY(cob_place_columns(run, err));
    } else {
        COB_TRY(cluster_points(run, data->points + n * data->dims, d, data->dims, cols->clusters,
                               PURPOSE_MEANS + COB_COLS, &of_cols, err));
        memcpy(cols->labels, of_cols.labels, (size_t)d * sizeof *cols->labels);
    }
    COB_TRY(align(run, err));
done:
    cob_point_means_free(&of_rows);
    cob_point_means_free(&of_cols);
    return status;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* More clusters than asked for, some iterations, then greedy merging down. Many clusters grow from
 * few. Clusters with a meaning can be neither merged nor split. */
static cobloc_status start_merge(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_problem brief = cob_brief(p);
    cob_run *other = NULL;
    int k = run->side[COB_ROWS].clusters, l = run->side[COB_COLS].clusters;
    int g = cob_fine_clusters(p, k), m = cob_fine_clusters(p, l);
    bool merges = p->model->structure->merges && !has_fixed(p) && !is_late(p);
    if (merges && cob_can_grow(p, k, l)) {
        COB_TRY(cob_run_new(&brief, cob_begun_with(k), cob_begun_with(l), run->restart,
                            run->threads, &other, err));
        COB_TRY(start_merge(other, data, err));
        COB_TRY(cob_grow_clusters(&other, data, run, err));
    } else if (!merges || g < k || m < l || g + m == k + l) {
        COB_TRY(start_means(run, data, err));
    } else {
        COB_TRY(cob_run_new(&brief, g, m, run->restart, run->threads, &other, err));
        COB_TRY(start_means(other, data, err));
        COB_TRY(cob_merge_into(other, is_late(p) ? 0 : FINE_ITERATIONS, run, err));
    }
done:
    cob_run_free(other);
    return status;
}

/* Known labels may leave a cluster without anything that could be in it. */
static cobloc_status demand_members(const cob_run *run, cob_axis side, cobloc_error *err)
{
    const cob_run_side *own = &run->side[side];
    for (int k = 0; k < own->clusters; k++)
        if (!has_member(own->labels, cob_line_count(run->problem, side), k))
            return cob_fail(err, COBLOC_BAD_DATA,
                            "%s cluster %d has no member: the known labels leave it none",
                            side == COB_ROWS ? "row" : "column", k);
    return COBLOC_OK;
}

static cobloc_status start_labels(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        if (data->given[side])
            memcpy(run->side[side].labels, data->given[side],
                   (size_t)cob_line_count(run->problem, side) * sizeof(int32_t));
    if (data->given[COB_COLS])
        return COBLOC_OK;
    return run->side[COB_ROWS].clusters == run->side[COB_COLS].clusters && !data->lines[COB_COLS]
               ? cob_place_columns(run, err)
               : start_columns(run, data, err);
}

static cobloc_status start_random(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    (void)data;
    (void)err;
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        draw_labels(run, side, stream_for(run, PURPOSE_RANDOM + side));
    return COBLOC_OK;
}

cobloc_status cob_draw_starts(cob_team *team, const cob_run *first, cobloc_error *err)
{
    const cob_stream streams[] = {stream_for(first, PURPOSE_RANDOM + COB_ROWS),
                                  stream_for(first, PURPOSE_RANDOM + COB_COLS)};
    return cob_team_draw(team, streams, err);
}

cobloc_status cob_finish_start(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(finish_labels(run, err));
    COB_TRY(demand_members(run, COB_ROWS, err));
    COB_TRY(demand_members(run, COB_COLS, err));
done:
    return status;
}

cobloc_status cob_start(cob_run *run, cobloc_start start, const cob_start_data *data,
                        cobloc_error *err)
{
    static cobloc_status (*const starts[])(cob_run *, const cob_start_data *, cobloc_error *) = {
        [COBLOC_START_MERGE] = start_merge,       [COBLOC_START_SKMEANS] = start_means,
        [COBLOC_START_SPECTRAL] = start_spectral, [COBLOC_START_RANDOM] = start_random,
        [COBLOC_START_LABELS] = start_labels,
    };
    cobloc_status status = COBLOC_OK;
    if (start == COBLOC_START_AUTO)
        start = cob_start_of_restart(run->restart, data->points != NULL);
    COB_TRY(starts[start](run, data, err));
    COB_TRY(cob_finish_start(run, err));
done:
    return status;
}
