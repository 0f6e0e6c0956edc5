/* Features of rows: their TF-IDF directions along the leading singular vectors.
 *
 * Subspace iteration from random vectors (Halko, Martinsson, Tropp 2011): a few rounds are enough,
 * because neighbours do not depend on the last digits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "map/map.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "matrix/directions.h"
#include "base/eigen.h"

#include <math.h>
#include <string.h>

enum { SPARE = 10, ROUNDS = 4, BLOCK = 1024 };

/* ---- products -------------------------------------------------------------------------------- */

/* out = B in, line by line; lines without entries become 0. */
static void multiply(const cob_weighed *b, const double *in, int width, int threads, double *out)
{
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (int64_t i = 0; i < b->view.major; i++) {
        double *line = out + i * width;
        memset(line, 0, (size_t)width * sizeof *line);
        for (int64_t e = b->view.offsets[i]; e < b->view.offsets[i + 1]; e++) {
            double value = cob_weighed_value(b, i, e);
            const double *other = in + (int64_t)b->view.indices[e] * width;
            for (int t = 0; t < width; t++)
                line[t] += value * other[t];
        }
    }
}

/* gram = Y' Y: blocks of lines are summed in their order. */
static cobloc_status gram_of(const double *y, int64_t count, int width, int threads, double *gram,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t blocks = (count + BLOCK - 1) / BLOCK, cells = (int64_t)width * width;
    double *parts = NULL;
    COB_NEW_ZERO(parts, blocks * cells);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t i = b * BLOCK; i < count && i < (b + 1) * BLOCK; i++)
            for (int s = 0; s < width; s++)
                for (int t = 0; t < width; t++)
                    parts[b * cells + s * width + t] += y[i * width + s] * y[i * width + t];
    memset(gram, 0, (size_t)cells * sizeof *gram);
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t c = 0; c < cells; c++)
            gram[c] += parts[b * cells + c];
done:
    cob_free(parts);
    return status;
}

/* Y = Y T; T is width by width, column t of the product by its line t. */
static void turn(double *y, int64_t count, int width, const double *t, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < count; i++) {
        double line[256];
        for (int to = 0; to < width; to++) {
            line[to] = 0;
            for (int from = 0; from < width; from++)
                line[to] += y[i * width + from] * t[to * width + from];
        }
        memcpy(y + i * width, line, (size_t)width * sizeof *line);
    }
}

/* Turns Y so that its columns are orthogonal, the longest first; `unit`: each of length 1. Columns
 * that are next to nothing become 0. */
static cobloc_status straighten(double *y, int64_t count, int width, bool unit, int threads,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *gram = NULL, *values = NULL, *t = NULL;
    COB_NEW(gram, (size_t)width * (size_t)width);
    COB_NEW(t, (size_t)width * (size_t)width);
    COB_NEW(values, width);
    COB_TRY(gram_of(y, count, width, threads, gram, err));
    COB_TRY(cob_eigen_dense(gram, width, values, err));
    double largest = values[width - 1] > 0 ? values[width - 1] : 1;
    for (int to = 0; to < width; to++) {
        double value = values[width - 1 - to];
        bool some = value > 1e-13 * largest;
        for (int from = 0; from < width; from++)
            t[to * width + from] = !some  ? 0
                                   : unit ? gram[(width - 1 - to) * width + from] / sqrt(value)
                                          : gram[(width - 1 - to) * width + from];
    }
    turn(y, count, width, t, threads);
done:
    cob_free(gram);
    cob_free(values);
    cob_free(t);
    return status;
}

/* ---- the vectors ----------------------------------------------------------------------------- */

/* The rows of B, count by width, along its leading right singular vectors. */
static cobloc_status project(const cobloc_matrix *matrix, int width, uint64_t seed, int threads,
                             double *rows, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_directions directions = {0};
    double *cols = NULL;
    cob_stream stream = cob_stream_at(seed, 0, 0, COB_MAP_VECTORS);
    COB_TRY(cob_directions_make(&directions, matrix, NULL, err));
    cob_weighed by_rows = cob_directions_by_rows(&directions);
    cob_weighed by_cols = cob_directions_by_cols(&directions);
    COB_NEW(cols, (size_t)matrix->cols * (size_t)width);
    for (int64_t c = 0; c < matrix->cols * width; c++)
        cols[c] = cob_random_uniform(&stream, (uint64_t)c) - 0.5;
    for (int round = 0; round < ROUNDS; round++) {
        multiply(&by_rows, cols, width, threads, rows);
        COB_TRY(straighten(rows, matrix->rows, width, true, threads, err));
        multiply(&by_cols, rows, width, threads, cols);
        COB_TRY(straighten(cols, matrix->cols, width, true, threads, err));
    }
    multiply(&by_rows, cols, width, threads, rows);
    status = straighten(rows, matrix->rows, width, false, threads, err);
done:
    cob_directions_free(&directions);
    cob_free(cols);
    return status;
}

/* The first vector says how usual a row is; the next two make a plane. */
static void take_row(const double *from, int width, int dims, float *to, double *plane)
{
    double squares = 0;
    for (int t = 0; t < dims; t++)
        squares += from[t] * from[t];
    double scale = squares > 0 ? 1 / sqrt(squares) : 0;
    for (int t = 0; t < dims; t++)
        to[t] = (float)(from[t] * scale);
    plane[0] = width > 1 ? from[1] * scale : from[0];
    plane[1] = width > 2 ? from[2] * scale : from[0] * scale;
}

cobloc_status cob_map_features(const cobloc_matrix *matrix, const cobloc_map_options *o,
                               cob_map_points *points, int64_t **map, double **plane,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = matrix->rows, smaller = n < matrix->cols ? n : matrix->cols, count = 0;
    int dims = smaller < o->dims ? (int)smaller : o->dims;
    int width = smaller < dims + SPARE ? (int)smaller : dims + SPARE, threads = cob_threads(0);
    const int64_t *offsets = matrix->by_row.offsets;
    double *rows = NULL;
    COB_NEW(rows, (size_t)n * (size_t)width);
    COB_NEW(points->at, (size_t)n * (size_t)dims);
    COB_NEW(*map, n);
    COB_NEW(*plane, 2 * (size_t)n);
    COB_TRY(project(matrix, width, o->seed, threads, rows, err));
    for (int64_t i = 0; i < n; i++)
        if (offsets[i] < offsets[i + 1]) {
            take_row(rows + i * width, width, dims, points->at + count * dims, *plane + 2 * count);
            (*map)[count++] = i;
        }
    points->count = count;
    points->dims = dims;
done:
    cob_free(rows);
    return status;
}
