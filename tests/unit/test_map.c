/* Maps of rows: neighbours are found as by brute force, forces are those of all pairs, groups stay
 * together, and the map is the same for any number of threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "map/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 4, ROWS = 600, COLS = 80 };

/* Rows of group g have most entries in the columns of group g; row 7 is empty. */
static cobloc_matrix *grouped(void)
{
    cob_stream stream = cob_stream_at(3, 0, 0, 0);
    int32_t *row = malloc(ROWS * COLS * sizeof *row), *col = malloc(ROWS * COLS * sizeof *col);
    double *value = malloc(ROWS * COLS * sizeof *value);
    int64_t count = 0;
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    assert_true(row && col && value);
    for (int c = 0; c < ROWS * COLS; c++) {
        double chance = c / COLS % GROUPS == c % COLS % GROUPS ? 0.5 : 0.03;
        if (c / COLS == 7 || cob_random_uniform(&stream, (uint64_t)c) >= chance)
            continue;
        row[count] = c / COLS;
        col[count] = c % COLS;
        value[count++] = 1;
    }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &matrix, &err), err);
    free(row);
    free(col);
    free(value);
    return matrix;
}

static cobloc_map *must_map(const cobloc_matrix *matrix, int threads)
{
    cobloc_map_options *o = NULL;
    cobloc_map *map = NULL;
    cobloc_error err;
    assert_ok(cobloc_map_options_new(&o, &err), err);
    assert_ok(cobloc_set_int(o, "threads", threads, &err), err);
    assert_ok(cobloc_map_rows(matrix, o, &map, &err), err);
    cobloc_map_options_free(o);
    return map;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static double squared(const float *at, int dims, int a, int b)
{
    double sum = 0;
    for (int t = 0; t < dims; t++)
        sum += pow((double)at[a * dims + t] - (double)at[b * dims + t], 2);
    return sum;
}

static void neighbours_by_brute_force(void **state)
{
    enum { COUNT = 1500, DIMS = 11, K = 10 };
    static float at[COUNT * DIMS];
    static int32_t near[COUNT * K];
    cob_stream stream = cob_stream_at(5, 0, 0, 0);
    cob_map_points points = {COUNT, DIMS, at};
    cobloc_error err;
    int right = 0;
    (void)state;
    for (int c = 0; c < COUNT * DIMS; c++)
        at[c] = (float)cob_random_uniform(&stream, (uint64_t)c);
    assert_ok(cob_map_neighbours(&points, K, 1, 2, near, &err), err);
    for (int i = 0; i < COUNT; i++)
        for (int t = 0; t < K; t++) {
            int nearer = 0;
            double own = squared(at, DIMS, i, near[i * K + t]);
            assert_true(near[i * K + t] >= 0 && near[i * K + t] != i);
            assert_true(t == 0 || own >= squared(at, DIMS, i, near[i * K + t - 1]) - 1e-6);
            for (int j = 0; j < COUNT; j++)
                nearer += j != i && squared(at, DIMS, i, j) < own - 1e-6;
            right += nearer < K;
        }
    if (right < 0.97 * COUNT * K)
        fail_msg("only %d of %d neighbours are right", right, COUNT * K);
}

static void forces_of_all_pairs(void **state)
{
    enum { COUNT = 700 };
    double places[2 * COUNT], forces[2 * COUNT], sum = 0, off = 0, all = 0;
    cob_stream stream = cob_stream_at(6, 0, 0, 0);
    cob_repulsion *r = NULL;
    cobloc_error err;
    (void)state;
    for (int c = 0; c < 2 * COUNT; c++)
        places[c] = 40 * pow(cob_random_uniform(&stream, (uint64_t)c), 2);
    places[2] = places[0]; /* two at the same place */
    places[3] = places[1];
    assert_ok(cob_repulsion_new(COUNT, &r, &err), err);
    double found = cob_repulsion_find(r, places, 2, forces);
    for (int i = 0; i < COUNT; i++) {
        double x = 0, y = 0;
        for (int j = 0; j < COUNT; j++) {
            double dx = places[2 * i] - places[2 * j], dy = places[2 * i + 1] - places[2 * j + 1];
            double near = 1 / (1 + dx * dx + dy * dy);
            sum += i != j ? near : 0;
            x += near * near * dx;
            y += near * near * dy;
        }
        off += hypot(x - forces[2 * i], y - forces[2 * i + 1]);
        all += hypot(x, y);
    }
    if (fabs(found - sum) >= 0.03 * sum || off >= 0.06 * all)
        fail_msg("sum %g, expected %g; forces off by %g of %g", found, sum, off, all);

    cob_repulsion_free(r);
}

/* ---- maps ------------------------------------------------------------------------------------ */

static void groups_stay_together(void **state)
{
    (void)state;
    cobloc_matrix *matrix = grouped();
    cobloc_map *map = must_map(matrix, 1);
    int right = 0;
    assert_int_equal(map->n, ROWS);
    for (int i = 0; i < ROWS; i++) {
        int nearest = -1;
        if (i == 7) {
            assert_true(isnan(map->x[i]) && isnan(map->y[i]));
            continue;
        }
        assert_true(map->x[i] >= 0 && map->x[i] <= 1 && map->y[i] >= 0 && map->y[i] <= 1);
        for (int j = 0; j < ROWS; j++)
            if (j != i && j != 7 &&
                (nearest < 0 ||
                 hypot(map->x[j] - map->x[i], map->y[j] - map->y[i]) <
                     hypot(map->x[nearest] - map->x[i], map->y[nearest] - map->y[i])))
                nearest = j;
        right += nearest % GROUPS == i % GROUPS;
    }
    assert_true(right > 0.97 * ROWS);
    assert_true(map->kept > 0.3 && map->kept <= 1);
    cobloc_map_free(map);
    cobloc_matrix_free(matrix);
}

static void any_threads(void **state)
{
    (void)state;
    cobloc_matrix *matrix = grouped();
    cobloc_map *one = must_map(matrix, 1), *four = must_map(matrix, 4);
    assert_memory_equal(one->x, four->x, ROWS * sizeof *one->x);
    assert_memory_equal(one->y, four->y, ROWS * sizeof *one->y);
    assert_true(one->kept == four->kept);
    cobloc_map_free(one);
    cobloc_map_free(four);
    cobloc_matrix_free(matrix);
}

/* Next to nothing: one row, one column, equal rows, no entries. */
static void small_tables(void **state)
{
    cobloc_error err;
    (void)state;
    for (int rows = 1; rows <= 5; rows++)
        for (int cols = 1; cols <= 3; cols += 2)
            for (int filled = 0; filled < 2; filled++) {
                double cells[15];
                cobloc_matrix *matrix = NULL;
                for (int c = 0; c < 15; c++)
                    cells[c] = filled;
                assert_ok(
                    cobloc_matrix_from_dense(rows, cols, cells, COBLOC_ARRAY_F64, &matrix, &err),
                    err);
                cobloc_map *map = must_map(matrix, 1);
                for (int i = 0; i < rows; i++)
                    assert_int_equal(isfinite(map->x[i]) && isfinite(map->y[i]), filled);
                cobloc_map_free(map);
                cobloc_matrix_free(matrix);
            }
}

static void failing_allocations(void **state)
{
    (void)state;
    cobloc_matrix *matrix = grouped();
    cobloc_map_options *o = NULL;
    cobloc_error err;
    assert_ok(cobloc_map_options_new(&o, &err), err);
    assert_ok(cobloc_set_int(o, "iterations", 2, &err), err);
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_map *map = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_map_rows(matrix, o, &map, &err);
        failed = allocation_failed(k, status, &err, 20);
        cobloc_map_free(map);
    }
    cobloc_map_options_free(o);
    cobloc_matrix_free(matrix);
}

static void columns_are_rows_of_the_other_table(void **state)
{
    (void)state;
    enum { WIDE = 30 };
    double cells[ROWS][WIDE] = {{0}}, turned[WIDE][ROWS] = {{0}};
    cobloc_matrix *matrix = NULL, *other = NULL;
    cobloc_map *map = NULL;
    cobloc_error err;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < WIDE; j++)
            cells[i][j] = turned[j][i] = i * 7 % 11 < j % 5 ? 1 + (i + j) % 3 : 0;
    assert_ok(cobloc_matrix_from_dense(ROWS, WIDE, &cells[0][0], COBLOC_ARRAY_F64, &matrix, &err),
              err);
    assert_ok(cobloc_matrix_from_dense(WIDE, ROWS, &turned[0][0], COBLOC_ARRAY_F64, &other, &err),
              err);
    cobloc_map *expected = must_map(other, 1);
    assert_ok(cobloc_map_cols(matrix, NULL, &map, &err), err);
    assert_int_equal(map->n, WIDE);
    assert_memory_equal(map->x, expected->x, WIDE * sizeof *map->x);
    assert_memory_equal(map->y, expected->y, WIDE * sizeof *map->y);
    cobloc_map_free(map);
    cobloc_map_free(expected);
    cobloc_matrix_free(matrix);
    cobloc_matrix_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_by_brute_force),
        cmocka_unit_test(forces_of_all_pairs),
        cmocka_unit_test(groups_stay_together),
        cmocka_unit_test(any_threads),
        cmocka_unit_test(columns_are_rows_of_the_other_table),
        cmocka_unit_test(small_tables),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
