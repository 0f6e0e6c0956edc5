/* Passes that follow what moves, against passes that look at everything: the same labels, the same
 * statistics to the bit, for every model, every kind of values, every processor's loops and lines
 * that are dealt out to any number of threads.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include "base/alloc.h"
#include "engine/engine.h"
#include "models/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const processors[] = {"portable", "avx2", "avx512"};

/* Planted blocks with noise, so that some lines are clear and some are not; counts, or multiples of
 * a real number. In order: the lines of a cluster stand together. */
static cobloc_matrix *planted(uint64_t seed, int rows, int cols, int clusters, double most,
                              double step, bool in_order)
{
    static int32_t row[400000], col[400000];
    static double value[400000];
    int64_t count = 0;
    cobloc_matrix *matrix = NULL;
    cobloc_error err;
    cob_stream stream = cob_stream_at(seed, 0, 0, 99);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            uint64_t cell = (uint64_t)i * (uint64_t)cols + (uint64_t)j;
            bool together = in_order ? i * clusters / rows == j * clusters / cols
                                     : i % clusters == j % clusters;
            double chance = together ? (in_order ? 0.18 : 0.3) : 0.1;
            if (cob_random_uniform(&stream, 2 * cell) >= chance && j != i % cols)
                continue;
            row[count] = i;
            col[count] = j;
            value[count++] = step * floor(1 + cob_random_uniform(&stream, 2 * cell + 1) * most);
        }
    assert_ok(cobloc_matrix_from_triples(rows, cols, count, row, col, value, &matrix, &err), err);
    return matrix;
}

typedef struct way {
    const char *processor; /* NULL: look at everything */
    bool sums;             /* keep them */
    int threads;
} way;

/* Hard inference from random labels: the trace of the criterion, and the labels. */
static cob_run *run_to_the_end(cob_problem *p, way how)
{
    cob_run *run = NULL;
    cobloc_error err;
    if (how.processor)
        setenv("COBLOC_PROCESSOR", how.processor, 1);
    cob_problem_free(p); /* of the run before */
    p->side[COB_ROWS].effects = p->side[COB_COLS].effects = NULL;
    assert_ok(cob_problem_measure(p, &err), err);
    p->operand.turned = p->operand.turned && how.processor;
    p->spare = how.sums ? (size_t)-1 : 0;
    int clusters[2] = {p->side[COB_ROWS].clusters, p->side[COB_COLS].clusters};
    assert_ok(cob_run_new(p, clusters[0], clusters[1], 0, how.threads, &run, &err), err);
    cob_stream stream = cob_stream_at(p->seed, 0, 0, 7);
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
        int32_t *labels = run->side[side].labels;
        int64_t count = cob_line_count(p, side);
        for (int64_t i = 0; i < count; i++)
            labels[i] = (int32_t)cob_random_below(&stream, (uint64_t)(1000 * side + i),
                                                  (uint32_t)clusters[side]);
        assert_ok(cob_repair_empty(labels, count, clusters[side], NULL, NULL, NULL, NULL, &err),
                  err);
    }
    assert_ok(cob_run_iterate(run, &err), err);
    unsetenv("COBLOC_PROCESSOR");
    return run;
}

static void check_equal(const cob_run *a, const cob_run *b)
{
    const cob_problem *p = a->problem;
    assert_int_equal(a->trace_count, b->trace_count);
    assert_memory_equal(a->trace, b->trace, a->trace_count * sizeof *a->trace);
    size_t g = (size_t)a->stats.g, m = (size_t)a->stats.m;
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        assert_memory_equal(a->side[side].labels, b->side[side].labels,
                            (size_t)cob_line_count(p, side) * sizeof(int32_t));
    assert_memory_equal(a->stats.block, b->stats.block, g * m * sizeof *a->stats.block);
    assert_memory_equal(a->stats.R, b->stats.R, g * sizeof *a->stats.R);
    assert_memory_equal(a->stats.C, b->stats.C, m * sizeof *a->stats.C);
}

static double row_passes(const cob_run *run)
{
    return cob_pass_count(run->side[COB_ROWS].room, &run->problem->side[COB_ROWS].view);
}

/* All ways from the same labels; returns by how much bounds and sums save looking at entries. */
static double check_all_ways(const cobloc_matrix *x, const cob_model *model, int g, int m,
                             uint64_t seed, const int32_t *fixed)
{
    int cols = cob_column_clusters(model->structure, g, m);
    cob_problem p = {.x = x,
                     .model = model,
                     .side = {{.clusters = g, .fixed = fixed}, {.clusters = cols}},
                     .max_iterations = 30,
                     .tolerance = 0,
                     .watch = {.deadline = INFINITY, .restarts = 1},
                     .seed = seed};
    cob_run *all = run_to_the_end(&p, (way){.threads = 1});
    double saved = 0;
    for (size_t v = 0; v < sizeof processors / sizeof *processors; v++)
        for (int sums = 0; sums < 2; sums++) {
            static const int threads[] = {1, 2, 3, 8, 16};
            way how = {processors[v], sums == 1, threads[(seed + v) % 5]};
            cob_run *some = run_to_the_end(&p, how);
            check_equal(all, some);
            saved += row_passes(all) - row_passes(some);
            cob_run_free(some);
        }
    cob_run_free(all);
    cob_problem_free(&p);
    return saved;
}

static void test_follows_what_moves(void **state)
{
    (void)state;
    double saved = 0;
    for (int i = 0; cob_model_at(i); i++)
        for (uint64_t seed = 1; seed <= 8; seed++) {
            /* Ones, bytes, 16 bits, also with sums of more, and 32 bits; floats, doubles; few
             * clusters and many. */
            static const double most[] = {1, 9, 900, 60000, 9, 3e9, 9, 900};
            static const double step[] = {1, 1, 1, 1, 1, 1, 0.5, 0.1};
            static const int of[] = {3, 9, 3, 20, 40, 5, 9, 20};
            int clusters = of[seed - 1];
            cob_law law = cob_model_at(i)->law;
            double largest = law == COB_LAW_BERNOULLI ? 1 : most[seed - 1];
            if (law == COB_LAW_CATEGORICAL) /* numbers of categories */
                largest = fmin(largest, 9);
            bool whole = law == COB_LAW_BERNOULLI || law == COB_LAW_CATEGORICAL;
            int rows = clusters < 20 ? 240 : 120, cols = rows * 3 / 4;
            cobloc_matrix *x =
                planted(seed, rows, cols, clusters, largest, whole ? 1 : step[seed - 1], false);
            saved += check_all_ways(x, cob_model_at(i), clusters, clusters + 2, seed, NULL);
            cobloc_matrix_free(x);
        }
    assert_true(saved > 0);
}

static void test_fixed_lines(void **state)
{
    (void)state;
    static int32_t fixed[240];
    cobloc_matrix *x = planted(5, 240, 180, 4, 1, 1, false);
    for (int i = 0; i < 240; i++)
        fixed[i] = i % 5 == 0 ? i % 4 : -1;
    for (int i = 0; cob_model_at(i); i++)
        check_all_ways(x, cob_model_at(i), 4, 4, 2, fixed);
    cobloc_matrix_free(x);
}

/* So many entries that what moves is shared by threads, and lines whose entries are more frequent
 * at one end; clusters are so faint that less and less moves. */
static void test_large_tables_in_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        cobloc_matrix *x = planted(seed, 2000, 1500, 8, 9, seed > 2 ? 0.1 : 1, true);
        check_all_ways(x, cob_model_named("coclus"), 8, 8, seed, NULL);
        check_all_ways(x, cob_model_named("plbm"), 8, 6, seed, NULL);
        cobloc_matrix_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_what_moves),
        cmocka_unit_test(test_fixed_lines),
        cmocka_unit_test(test_large_tables_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
