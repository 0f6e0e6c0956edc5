/* cobloc_map_rows: the rows (or columns) of a matrix as points in the plane.
 * SPDX-License-Identifier: MIT
 */
#include "map/map.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <math.h>

enum { MOST_JUDGED = 2000 };

/* Places of unit spread are too far apart for the first steps. */
static void scale_start(double *plane, int64_t count, uint64_t seed)
{
    cob_stream stream = cob_stream_at(seed, 0, 0, COB_MAP_PLACES);
    for (int a = 0; a < 2; a++) {
        double sum = 0, squares = 0;
        for (int64_t i = 0; i < count; i++)
            sum += plane[2 * i + a];
        for (int64_t i = 0; i < count; i++) {
            plane[2 * i + a] -= sum / (double)count;
            squares += plane[2 * i + a] * plane[2 * i + a];
        }
        double spread = squares > 0 ? sqrt(squares / (double)count) : 1;
        /* Equal rows must be able to part. */
        for (int64_t i = 0; i < count; i++)
            plane[2 * i + a] =
                1e-4 * (plane[2 * i + a] / spread +
                        0.01 * (cob_random_uniform(&stream, (uint64_t)(2 * i + a)) - 0.5));
    }
}

/* How many of the nearest of a point are among its k nearest places. */
static int kept_of(const double *places, int64_t count, int64_t point, const int32_t *near, int k)
{
    double nearest[100];
    int found = 0, kept = 0;
    const double *own = places + 2 * point;
    for (int64_t i = 0; i < count; i++) {
        double dx = places[2 * i] - own[0], dy = places[2 * i + 1] - own[1], d = dx * dx + dy * dy;
        if (i == point || (found == k && d >= nearest[k - 1]))
            continue;
        int at = found < k ? found++ : k - 1;
        for (; at > 0 && nearest[at - 1] > d; at--)
            nearest[at] = nearest[at - 1];
        nearest[at] = d;
    }
    for (int t = 0; t < k && near[t] >= 0; t++) {
        double dx = places[2 * (int64_t)near[t]] - own[0];
        double dy = places[2 * (int64_t)near[t] + 1] - own[1];
        kept += found > 0 && dx * dx + dy * dy <= nearest[found - 1];
    }
    return kept;
}

/* The share of neighbours that are kept, of points at equal distances in their list. */
static double judge(const double *places, int64_t count, const int32_t *near, int k, int threads)
{
    int64_t judged = count < MOST_JUDGED ? count : MOST_JUDGED, kept = 0, all = 0;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) reduction(+ : kept, all)
    for (int64_t j = 0; j < judged; j++) {
        int64_t point = j * count / judged;
        kept += kept_of(places, count, point, near + point * k, k);
        for (int t = 0; t < k; t++)
            all += near[point * k + t] >= 0;
    }
    return all > 0 ? (double)kept / (double)all : 1;
}

/* Into the unit square, with the same scale on both axes. */
static void fill_square(const double *places, const int64_t *rows, int64_t count, cobloc_map *map)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t c = 0; c < 2 * count; c++) {
        low[c % 2] = fmin(low[c % 2], places[c]);
        high[c % 2] = fmax(high[c % 2], places[c]);
    }
    double width = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-300);
    for (int64_t i = 0; i < map->n; i++)
        map->x[i] = map->y[i] = NAN;
    for (int64_t p = 0; p < count; p++) {
        map->x[rows[p]] = 0.5 + (places[2 * p] - (low[0] + high[0]) / 2) / width;
        map->y[rows[p]] = 0.5 + (places[2 * p + 1] - (low[1] + high[1]) / 2) / width;
    }
}

static cobloc_status make(const cobloc_matrix *matrix, const cobloc_map_options *o, cobloc_map *map,
                          cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_map_points points = {0};
    int64_t *rows = NULL;
    double *places = NULL;
    int32_t *near = NULL;
    int threads = cob_threads(0);
    cob_watch watch = {.progress = o->progress, .restarts = 1, .deadline = INFINITY};
    COB_NEW(map->x, matrix->rows);
    COB_NEW(map->y, matrix->rows);
    COB_TRY(cob_map_features(matrix, o, &points, &rows, &places, err));
    int k = points.count - 1 < o->neighbours ? (int)points.count - 1 : o->neighbours;
    map->neighbours = k = k < 1 ? 1 : k;
    COB_NEW(near, (size_t)points.count * (size_t)k);
    COB_TRY(cob_map_neighbours(&points, k, o->seed, threads, near, err));
    scale_start(places, points.count, o->seed);
    if (points.count > 0)
        COB_TRY(cob_map_layout(near, points.count, k, o->iterations, threads, &watch, places, err));
    map->kept = judge(places, points.count, near, k, threads);
    fill_square(places, rows, points.count, map);
done:
    cob_free(points.at);
    cob_free(rows);
    cob_free(places);
    cob_free(near);
    return status;
}

cobloc_status cobloc_map_rows(const cobloc_matrix *matrix, const cobloc_map_options *options,
                              cobloc_map **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_map_options defaults;
    cobloc_map *map = NULL;
    cob_map_options_default(&defaults);
    const cobloc_map_options *o = options ? options : &defaults;
    int before = cob_threads_begin(o->threads, (double)matrix->nnz * 500);
    COB_TRY(cobloc_matrix_verify(matrix, err));
    COB_CHECK(matrix->rows <= INT32_MAX / 4, COBLOC_BAD_DATA, "a map has no room for %lld rows",
              (long long)matrix->rows);
    COB_MAKE(map, cob_map_type);
    map->n = matrix->rows;
    COB_TRY(make(matrix, o, map, err));
    *out = map;
    map = NULL;
done:
    cob_threads_end(before);
    cobloc_map_free(map);
    return status;
}

cobloc_status cobloc_map_cols(const cobloc_matrix *matrix, const cobloc_map_options *options,
                              cobloc_map **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_side by_row = matrix->by_col, by_col = matrix->by_row;
    const cob_sides lent = {by_row, by_col};
    cobloc_matrix *turned = NULL;
    COB_TRY(cobloc_matrix_verify(matrix, err));
    COB_TRY(cob_matrix_own_both(matrix->cols, matrix->rows, matrix->kind, &by_row, &by_col, &lent,
                                NULL, 0, &turned, err));
    status = cobloc_map_rows(turned, options, out, err);
done:
    cobloc_matrix_free(turned);
    return status;
}
