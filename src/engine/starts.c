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
    PURPOSE_RANDOM_ROWS = 11,
    PURPOSE_RANDOM_COLS,
    PURPOSE_MEANS_ROWS,
    PURPOSE_MEANS_COLS,
    PURPOSE_SPECTRAL
};

enum { MEANS_ITERATIONS = 10, FINE_ITERATIONS = 5, COLUMN_DRAWS = 12 };
enum { SPECTRAL_ITERATIONS = 100 };

cobloc_start cob_start_of_restart(uint32_t restart, bool spectral)
{
    static const cobloc_start order[] = {COBLOC_START_MERGE, COBLOC_START_SKMEANS,
                                         COBLOC_START_SPECTRAL};
    return order[restart % (spectral ? 3 : 2)];
}

/* ---- helpers --------------------------------------------------------------------------------- */

static bool has_member(const int32_t *labels, int64_t count, int cluster)
{
    for (int64_t i = 0; i < count; i++)
        if (labels[i] == cluster)
            return true;
    return false;
}

static void apply_fixed(int32_t *labels, const int32_t *fixed, int64_t count)
{
    for (int64_t i = 0; fixed && i < count; i++)
        if (fixed[i] >= 0)
            labels[i] = fixed[i];
}

static cob_stream stream_for(const cob_run *run, uint32_t purpose)
{
    return cob_stream_at(run->problem->seed, run->restart, 0, purpose);
}

void cob_random_labels(int32_t *labels, int64_t count, int clusters, cob_stream stream)
{
    for (int64_t i = 0; i < count; i++)
        labels[i] = (int32_t)cob_random_below(&stream, (uint64_t)i, (uint32_t)clusters);
}

static cobloc_status finish_labels(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    apply_fixed(run->row_labels, p->fix_rows, p->rows.major);
    apply_fixed(run->col_labels, p->fix_cols, p->cols.major);
    COB_TRY(cob_repair_empty(run->row_labels, p->rows.major, run->g, p->fix_rows, NULL, NULL, NULL,
                             err));
    COB_TRY(cob_repair_empty(run->col_labels, p->cols.major, run->m, p->fix_cols, NULL, NULL, NULL,
                             err));
done:
    return status;
}

/* ---- columns for given rows ------------------------------------------------------------------ */

int cob_largest_share(int g, const double *sums, const double *mass)
{
    int best = 0;
    double largest = 0;
    for (int k = 0; k < g; k++)
        if (sums[k] > 0 && mass[k] > 0 && sums[k] / mass[k] > largest) {
            largest = sums[k] / mass[k];
            best = k;
        }
    return best;
}

static cobloc_status sum_effects(const double *effects, const int32_t *labels, int64_t count, int g,
                                 double **mass, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW_ZERO(*mass, g);
    for (int64_t i = 0; i < count; i++)
        (*mass)[labels[i]] += effects[i];
done:
    return status;
}

cobloc_status cob_sum_columns(const cobloc_view *cols, const double *row_effects,
                              const int32_t *row_labels, int g, int threads, double **sums,
                              double **mass, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(*sums, (size_t)cols->major * (size_t)g);
    COB_TRY(sum_effects(row_effects, row_labels, cols->minor, g, mass, err));
    cob_reduce(cols, row_labels, g, threads, *sums);
done:
    return status;
}

/* Places each column by its sums over the clusters of rows: where the model says, if its column
 * clusters have a meaning of their own, else with the rows that hold the largest share of
 * themselves in it. The sums of some columns at a time stay in the nearest cache. */
cobloc_status cob_place_columns(cob_run *run, cobloc_error *err)
{
    enum { SOME = 32 };
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    int64_t d = p->cols.major;
    int threads = cob_threads(run->threads);
    size_t room = (size_t)SOME * (size_t)run->g;
    double *sums = NULL, *mass = NULL;
    int (*place)(int, const double *, const double *) =
        p->model->place_column ? p->model->place_column : cob_largest_share;
    COB_NEW(sums, (size_t)threads * room);
    COB_TRY(sum_effects(p->row_effects, run->row_labels, p->rows.major, run->g, &mass, err));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t first = 0; first < d; first += SOME) {
        double *own = sums + (size_t)cob_thread() * room;
        cobloc_view some = p->cols;
        some.offsets += first;
        some.major = d - first < SOME ? d - first : SOME;
        cob_reduce(&some, run->row_labels, run->g, 1, own);
        for (int64_t j = 0; j < some.major; j++)
            run->col_labels[first + j] = place(run->g, own + j * run->g, mass);
    }
done:
    cob_free(sums);
    cob_free(mass);
    return status;
}

/* ---- known labels ---------------------------------------------------------------------------- */

/* Counts how often a label found meets a label known. */
static void count_meetings(const int32_t *labels, const int32_t *fixed, int64_t count, int clusters,
                           double *meetings)
{
    for (int64_t i = 0; fixed && i < count; i++)
        if (fixed[i] >= 0)
            meetings[(int64_t)labels[i] * clusters + fixed[i]]++;
}

static void renumber(int32_t *labels, int64_t count, const int *match)
{
    for (int64_t i = 0; i < count; i++)
        labels[i] = match[labels[i]];
}

/* The numbers of the clusters that k-means finds mean nothing; where labels are known, numbers do:
 * clusters are renumbered so that they agree best with them. */
static cobloc_status align(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    size_t most = (size_t)(run->g > run->m ? run->g : run->m);
    double *meetings = NULL, agreement;
    int *match = NULL;
    if (!p->fix_rows && !p->fix_cols)
        return COBLOC_OK;
    COB_NEW_ZERO(meetings, most * most);
    COB_NEW(match, most);
    count_meetings(run->row_labels, p->fix_rows, p->rows.major, run->g, meetings);
    if (p->model->diagonal)
        count_meetings(run->col_labels, p->fix_cols, p->cols.major, run->m, meetings);
    COB_TRY(cob_best_matching(meetings, run->g, run->g, &agreement, match, err));
    renumber(run->row_labels, p->rows.major, match);
    if (p->model->diagonal) {
        renumber(run->col_labels, p->cols.major, match);
    } else if (!p->model->place_column) {
        memset(meetings, 0, most * most * sizeof *meetings);
        count_meetings(run->col_labels, p->fix_cols, p->cols.major, run->m, meetings);
        COB_TRY(cob_best_matching(meetings, run->m, run->m, &agreement, match, err));
        renumber(run->col_labels, p->cols.major, match);
    }
done:
    cob_free(meetings);
    cob_free(match);
    return status;
}

/* ---- k-means starts -------------------------------------------------------------------------- */

/* Sections that a model places by its own lights tend to one local optimum: draws the columns
 * several times instead, refines each a little, and goes on from the best. */
static cobloc_status draw_columns(cob_run *run, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    size_t n = (size_t)p->rows.major, d = (size_t)p->cols.major;
    int32_t *rows = NULL, *best_rows = NULL, *best_cols = NULL;
    double best = 0;
    COB_NEW(rows, n);
    COB_NEW(best_rows, n);
    COB_NEW(best_cols, d);
    memcpy(rows, run->row_labels, n * sizeof *rows);
    for (uint32_t draw = 0; draw < COLUMN_DRAWS; draw++) {
        cob_stream stream = cob_stream_at(p->seed, run->restart, draw, PURPOSE_RANDOM_COLS);
        memcpy(run->row_labels, rows, n * sizeof *rows);
        cob_random_labels(run->col_labels, p->cols.major, run->m, stream);
        COB_TRY(finish_labels(run, err));
        COB_TRY(cob_run_refine(run, FINE_ITERATIONS, err));
        if (draw == 0 || cob_better(p->model, run->criterion, best)) {
            best = run->criterion;
            memcpy(best_rows, run->row_labels, n * sizeof *rows);
            memcpy(best_cols, run->col_labels, d * sizeof *best_cols);
        }
    }
    memcpy(run->row_labels, best_rows, n * sizeof *rows);
    memcpy(run->col_labels, best_cols, d * sizeof *best_cols);
done:
    cob_free(rows);
    cob_free(best_rows);
    cob_free(best_cols);
    return status;
}

/* Columns for rows that have their clusters: beside these; where there are more or fewer of them,
 * by k-means of their own. */
static cobloc_status start_columns(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    const cob_problem *p = run->problem;
    if (p->model->place_column && run->restart % 2 == 1)
        return draw_columns(run, err);
    if (p->model->diagonal || p->model->place_column)
        return cob_place_columns(run, err);
    cob_weighed cols = cob_directions_by_cols(&data->directions);
    return cob_means_start(&cols, run->m, true, MEANS_ITERATIONS,
                           stream_for(run, PURPOSE_MEANS_COLS), run->threads, run->col_labels, err);
}

static cobloc_status start_means(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_weighed rows = cob_directions_by_rows(&data->directions);
    COB_TRY(cob_means_start(&rows, run->g, true, MEANS_ITERATIONS,
                            stream_for(run, PURPOSE_MEANS_ROWS), run->threads, run->row_labels,
                            err));
    COB_TRY(start_columns(run, data, err));
    COB_TRY(align(run, err));
    if (p->fix_rows && (p->model->diagonal || p->model->place_column)) {
        apply_fixed(run->row_labels, p->fix_rows, p->rows.major);
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
    COB_TRY(cob_point_means_seed(means, stream_for(run, purpose), err));
    cob_rounds rounds = {.data = means,
                         .round = cob_point_means_round,
                         .value = means->error,
                         .most = SPECTRAL_ITERATIONS};
    COB_TRY(cob_kmeans_settle(&rounds, err));
done:
    return status;
}

/* Rows and columns that go together are clustered together, others apart. */
static cobloc_status start_spectral(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    int64_t n = p->rows.major, d = p->cols.major;
    bool together = p->model->diagonal;
    cob_point_means rows = {0}, cols = {0};
    COB_TRY(cluster_points(run, data->points, together ? n + d : n, data->dims, run->g,
                           PURPOSE_SPECTRAL, &rows, err));
    memcpy(run->row_labels, rows.labels, (size_t)n * sizeof *rows.labels);
    if (together) {
        memcpy(run->col_labels, rows.labels + n, (size_t)d * sizeof *rows.labels);
    } else if (p->model->place_column) {
        COB_TRY(cob_place_columns(run, err));
    } else {
        COB_TRY(cluster_points(run, data->points + n * data->dims, d, data->dims, run->m,
                               PURPOSE_MEANS_COLS, &cols, err));
        memcpy(run->col_labels, cols.labels, (size_t)d * sizeof *cols.labels);
    }
    COB_TRY(align(run, err));
done:
    cob_point_means_free(&rows);
    cob_point_means_free(&cols);
    return status;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* More clusters than asked for, some iterations, then greedy merging down. */
static cobloc_status start_merge(cob_run *run, const cob_start_data *data, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    cob_run *fine = NULL;
    int g = cob_fine_clusters(p, run->g), m = cob_fine_clusters(p, run->m);
    if (p->model->place_column || p->fix_rows || p->fix_cols || g < run->g || m < run->m) {
        COB_TRY(start_means(run, data, err)); /* clusters with a meaning cannot be merged */
        goto done;
    }
    cob_problem brief = *p;
    brief.spare = 0; /* sums that are kept pay in later iterations only */
    COB_TRY(cob_run_new(&brief, g, m, run->restart, run->threads, &fine, err));
    COB_TRY(start_means(fine, data, err));
    COB_TRY(cob_merge_into(fine, FINE_ITERATIONS, run, err));
done:
    cob_run_free(fine);
    return status;
}

/* Known labels may leave a cluster without anything that could be in it. */
static cobloc_status demand_members(const int32_t *labels, int64_t count, int clusters,
                                    const char *what, cobloc_error *err)
{
    for (int k = 0; k < clusters; k++)
        if (!has_member(labels, count, k))
            return cob_fail(err, COBLOC_BAD_DATA,
                            "%s cluster %d has no member: the known labels leave it none", what, k);
    return COBLOC_OK;
}

cobloc_status cob_start(cob_run *run, cobloc_start start, const cob_start_data *data,
                        cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_problem *p = run->problem;
    if (start == COBLOC_START_AUTO)
        start = cob_start_of_restart(run->restart, data->points != NULL);
    switch (start) {
    case COBLOC_START_MERGE:
        COB_TRY(start_merge(run, data, err));
        break;
    case COBLOC_START_SKMEANS:
        COB_TRY(start_means(run, data, err));
        break;
    case COBLOC_START_SPECTRAL:
        COB_TRY(start_spectral(run, data, err));
        break;
    case COBLOC_START_LABELS:
        memcpy(run->row_labels, data->rows, (size_t)p->rows.major * sizeof *data->rows);
        if (data->cols)
            memcpy(run->col_labels, data->cols, (size_t)p->cols.major * sizeof *data->cols);
        else if (run->m == run->g)
            COB_TRY(cob_place_columns(run, err));
        else
            COB_TRY(start_columns(run, data, err));
        break;
    default:
        cob_random_labels(run->row_labels, p->rows.major, run->g,
                          stream_for(run, PURPOSE_RANDOM_ROWS));
        cob_random_labels(run->col_labels, p->cols.major, run->m,
                          stream_for(run, PURPOSE_RANDOM_COLS));
    }
    COB_TRY(finish_labels(run, err));
    COB_TRY(demand_members(run->row_labels, p->rows.major, run->g, "row", err));
    COB_TRY(demand_members(run->col_labels, p->cols.major, run->m, "column", err));
done:
    return status;
}
