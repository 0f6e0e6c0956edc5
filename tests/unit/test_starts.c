/* Starts: every cluster has a row and a column, known labels stay, merges are the best there are,
 * and who asks for k clusters gets k.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "engine/means.h"

/* ---- filling --------------------------------------------------------------------------------- */

static void count_sizes(const int32_t *labels, int count, int clusters, int *sizes)
{
    memset(sizes, 0, (size_t)clusters * sizeof *sizes);
    for (int i = 0; i < count; i++) {
        assert_true(labels[i] >= 0 && labels[i] < clusters);
        sizes[labels[i]]++;
    }
}

static void test_fill_empty(void **state)
{
    dice dc = dice_of(41);
    cobloc_error err;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        int32_t before[30], labels[30], fixed[30];
        int clusters = 1 + roll_below(&dc, 8), used = 1 + roll_below(&dc, clusters);
        int had[8], has[8], missing = 0, moved = 0, known_lines = round % 2 ? 12 : 0;
        for (int i = 0; i < 30; i++) {
            before[i] = labels[i] = roll_below(&dc, used);
            fixed[i] = i < known_lines ? labels[i] : -1;
        }
        count_sizes(before, 30, clusters, had);
        assert_ok(cob_repair_empty(labels, 30, clusters, known_lines ? fixed : NULL, NULL, NULL,
                                   NULL, &err),
                  err);
        count_sizes(labels, 30, clusters, has);
        for (int k = 0; k < clusters; k++) {
            missing += had[k] == 0;
            assert_true(has[k] > 0);
        }
        for (int i = 0; i < 30; i++) {
            moved += labels[i] != before[i];
            assert_true(fixed[i] < 0 || labels[i] == fixed[i]);
        }
        assert_int_equal(moved, missing);
    }
}

/* ---- all starts ------------------------------------------------------------------------------ */

static void assert_all_filled(const bench *b)
{
    int sizes[64];
    count_sizes(b->run->side[COB_ROWS].labels, b->t.n, b->run->side[COB_ROWS].clusters, sizes);
    for (int k = 0; k < b->run->side[COB_ROWS].clusters; k++)
        assert_true(sizes[k] > 0);
    count_sizes(b->run->side[COB_COLS].labels, b->t.d, b->run->side[COB_COLS].clusters, sizes);
    for (int l = 0; l < b->run->side[COB_COLS].clusters; l++)
        assert_true(sizes[l] > 0);
}

static void check_start(const known *model, const table *given, cobloc_start start, bool fixed)
{
    cobloc_error err;
    cob_start_data data = {0};
    table t = table_for(model, given);
    int32_t fix[MOST_LINES], first[MOST_LINES];
    int g = 3, m = columns_for(model, g, 4);
    bench b;
    bench_open(&b, model, &t, g, m, COBLOC_HARD);
    for (int i = 0; i < t.n; i++)
        fix[i] = i % 4 == 0 ? i % 3 : -1;
    b.problem.side[COB_ROWS].fixed = fixed ? fix : NULL;
    assert_ok(cob_directions_make(&data.directions, b.x, NULL, &err), err);
    for (uint32_t restart = 0; restart < 3; restart++) {
        b.run->restart = restart;
        assert_ok(cob_start(b.run, start, &data, &err), err);
        assert_all_filled(&b);
        for (int i = 0; i < t.n && fixed; i++)
            assert_true(fix[i] < 0 || b.run->side[COB_ROWS].labels[i] == fix[i]);
        memcpy(first, b.run->side[COB_ROWS].labels, (size_t)t.n * sizeof *first);
        memset(b.run->side[COB_ROWS].labels, 0, (size_t)t.n * sizeof *first);
        assert_ok(cob_start(b.run, start, &data, &err), err);
        assert_memory_equal(first, b.run->side[COB_ROWS].labels, (size_t)t.n * sizeof *first);
    }
    cob_directions_free(&data.directions);
    bench_close(&b);
}

static void test_all_starts(void **state)
{
    static const cobloc_start starts[] = {COBLOC_START_AUTO, COBLOC_START_MERGE,
                                          COBLOC_START_SKMEANS, COBLOC_START_RANDOM};
    dice dc = dice_of(42);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int s = 0; s < 4; s++)
            for (int round = 0; round < 6; round++) {
                table t = round % 2 ? planted_table(&dc, 24, 18, 3, 0.6, 0.1)
                                    : random_table(&dc, 15, 12, 0.4, round % 4 == 2);
                check_start(&known_models[at], &t, starts[s], round >= 3);
            }
}

static void test_restarts_take_turns(void **state)
{
    (void)state;
    static const cobloc_start turns[] = {COBLOC_START_MERGE, COBLOC_START_SKMEANS,
                                         COBLOC_START_SPECTRAL};
    for (uint32_t r = 0; r < 6; r++) {
        assert_int_equal(cob_start_of_restart(r, false), turns[r % 2]);
        assert_int_equal(cob_start_of_restart(r, true), turns[r % 3]);
    }
}

/* The user's own labels; columns, where they are not given, go where they have their largest share.
 */
static void test_own_labels(void **state)
{
    dice dc = dice_of(43);
    const known *coclus = &known_models[0];
    cobloc_error err;
    (void)state;
    for (int round = 0; round < 50; round++) {
        int32_t rows[MOST_LINES], cols[MOST_LINES];
        table t = planted_table(&dc, 20, 15, 3, 0.7, 0.05);
        bench b;
        bench_open(&b, coclus, &t, 3, 3, COBLOC_HARD);
        random_partition(&dc, t.n, 3, rows);
        random_partition(&dc, t.d, 3, cols);
        for (int i = 0; i < t.n && round % 2; i++)
            rows[i] = i % 3; /* every column cluster gets columns by itself */
        cob_start_data data = {.given = {rows, round % 2 ? NULL : cols}};
        assert_ok(cob_start(b.run, COBLOC_START_LABELS, &data, &err), err);
        assert_memory_equal(b.run->side[COB_ROWS].labels, rows, (size_t)t.n * sizeof *rows);
        for (int j = 0; j < t.d && round % 2; j++) {
            double share[3] = {0}, mass[3] = {0};
            for (int i = 0; i < t.n; i++) {
                share[rows[i]] += cell(&t, i, j);
                mass[rows[i]] += t.r[i];
            }
            cols[j] = 0;
            for (int k = 1; k < 3; k++)
                if (share[k] / mass[k] > share[cols[j]] / mass[cols[j]])
                    cols[j] = k;
        }
        assert_memory_equal(b.run->side[COB_COLS].labels, cols, (size_t)t.d * sizeof *cols);
        bench_close(&b);
    }
}

/* ---- k-means
 * --------------------------------------------------------------------------------------- */

static void test_spherical_kmeans(void **state)
{
    dice dc = dice_of(44);
    int found = 0;
    (void)state;
    for (uint32_t seed = 0; seed < 40; seed++) {
        int32_t labels[MOST_LINES], truth[MOST_LINES];
        cobloc_error err;
        cobloc_scores scores;
        table t = planted_table(&dc, 45, 30, 3, 0.8, 0.02);
        cobloc_matrix *x = matrix_of(&t);
        cob_directions plain = {.matrix = x};
        cob_weighed rows = cob_directions_by_rows(&plain), cols = cob_directions_by_cols(&plain);
        for (int i = 0; i < t.n; i++)
            truth[i] = i % 3;
        assert_ok(
            cob_means_start(&rows, 3, true, 20, cob_stream_at(5, seed, 0, 1), 1, labels, &err),
            err);
        assert_ok(cob_score(labels, truth, t.n, &scores, &err), err);
        found += scores.ari == 1;
        int sizes[MOST_LINES];
        assert_ok(
            cob_means_start(&cols, t.d, true, 20, cob_stream_at(5, seed, 0, 1), 1, labels, &err),
            err);
        count_sizes(labels, t.d, t.d, sizes);
        for (int k = 0; k < t.d; k++) /* as many clusters as lines: one each */
            assert_int_equal(sizes[k], 1);
        cobloc_matrix_free(x);
    }
    print_message("k-means found the planted classes in %d of 40 runs\n", found);
    assert_true(found >= 28);
}

/* ---- merging --------------------------------------------------------------------------------- */

/* The criterion after merging row clusters a, b (a < b) or column clusters, or both. */
static double merged_value(const known *model, const bench *b, bool rows, bool cols, int a, int c)
{
    int32_t row[MOST_LINES], col[MOST_LINES];
    for (int i = 0; i < b->t.n; i++) {
        int k = b->run->side[COB_ROWS].labels[i];
        row[i] = !rows || k < c ? k : k == c ? a : k - 1;
    }
    for (int j = 0; j < b->t.d; j++) {
        int l = b->run->side[COB_COLS].labels[j];
        col[j] = !cols || l < c ? l : l == c ? a : l - 1;
    }
    return brute_value(model, &b->t, b->run->side[COB_ROWS].clusters - rows,
                       b->run->side[COB_COLS].clusters - cols, row, col);
}

static double best_merge(const known *model, const bench *b, bool rows, bool cols)
{
    double best = model->minimised ? INFINITY : -INFINITY;
    int count = rows ? b->run->side[COB_ROWS].clusters : b->run->side[COB_COLS].clusters;
    for (int a = 0; a < count; a++)
        for (int c = a + 1; c < count; c++) {
            double value = merged_value(model, b, rows, cols, a, c);
            best = model->minimised ? fmin(best, value) : fmax(best, value);
        }
    return best;
}

static void map_labels(const bench *b, const int *row_map, const int *col_map, int32_t *row,
                       int32_t *col)
{
    for (int i = 0; i < b->t.n; i++)
        row[i] = row_map[b->run->side[COB_ROWS].labels[i]];
    for (int j = 0; j < b->t.d; j++)
        col[j] = col_map[b->run->side[COB_COLS].labels[j]];
}

/* Four clusters become three: the engine must find the best pair. */
static void check_one_merge(const known *model, bench *b, bool rows, bool cols)
{
    int row_map[MOST_CLUSTERS], col_map[MOST_CLUSTERS], g = b->run->side[COB_ROWS].clusters - rows,
                                                        m = b->run->side[COB_COLS].clusters - cols;
    int32_t row[MOST_LINES], col[MOST_LINES];
    int sizes[MOST_CLUSTERS];
    cobloc_error err;
    cob_merge_step step = {-1, -1, 0};
    assert_ok(cob_merge_clusters(b->run, g, m, row_map, col_map, rows ? &step : NULL, &err), err);
    map_labels(b, row_map, col_map, row, col);
    count_sizes(row, b->t.n, g, sizes);
    for (int k = 0; k < g; k++)
        assert_true(sizes[k] > 0);
    count_sizes(col, b->t.d, m, sizes);
    for (int l = 0; l < m; l++)
        assert_true(sizes[l] > 0);
    assert_near(brute_value(model, &b->t, g, m, row, col), best_merge(model, b, rows, cols), 1e-9,
                model->name);
    if (rows) {
        assert_true(step.a >= 0 && step.a < step.b && row_map[step.a] == row_map[step.b]);
        assert_near(step.criterion, best_merge(model, b, rows, cols), 1e-9, "step");
    }
}

/* A cluster less on either side: whichever merge costs less comes first. */
static void check_order_of_merges(const known *model, bench *b)
{
    int row_map[MOST_CLUSTERS], col_map[MOST_CLUSTERS], g = b->run->side[COB_ROWS].clusters - 1,
                                                        m = b->run->side[COB_COLS].clusters - 1;
    int32_t row[MOST_LINES], col[MOST_LINES];
    cob_merge_step step = {-1, -1, 0};
    cobloc_error err;
    double by_rows = best_merge(model, b, true, false), by_cols = best_merge(model, b, false, true);
    assert_ok(cob_merge_clusters(b->run, g, m, row_map, col_map, &step, &err), err);
    map_labels(b, row_map, col_map, row, col);
    bool rows_first = model->minimised ? by_rows <= by_cols : by_rows >= by_cols;
    assert_near(step.criterion, rows_first ? by_rows : brute_value(model, &b->t, g, m, row, col),
                1e-9, model->name);
}

static void test_merges(void **state)
{
    dice dc = dice_of(45);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < rounds_of(40) && !is_model(&known_models[at], "socc");
             round++) {
            const known *model = &known_models[at];
            table raw = random_table(&dc, 12, 11, 0.5, round % 2), t = table_for(model, &raw);
            bench b;
            bench_open(&b, model, &t, 4, 4, COBLOC_HARD);
            random_partition(&dc, t.n, 4, b.run->side[COB_ROWS].labels);
            random_partition(&dc, t.d, 4, b.run->side[COB_COLS].labels);
            cob_run_measure(b.run);
            if (model->diagonal) {
                check_one_merge(model, &b, true, true);
            } else {
                check_one_merge(model, &b, true, false);
                check_one_merge(model, &b, false, true);
                check_order_of_merges(model, &b);
            }
            bench_close(&b);
        }
}

/* From many clusters down to few: one to one onto all of them. */
static void test_merging_far(void **state)
{
    dice dc = dice_of(46);
    cobloc_error err;
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int g = 1; g < 13 && !is_model(&known_models[at], "socc"); g++) {
            const known *model = &known_models[at];
            int m = model->diagonal ? g : 13 - g, rows[12], cols[12], seen = 0;
            table raw = random_table(&dc, 30, 25, 0.3, g % 2), t = table_for(model, &raw);
            bench b;
            bench_open(&b, model, &t, 12, 12, COBLOC_HARD);
            random_partition(&dc, t.n, 12, b.run->side[COB_ROWS].labels);
            random_partition(&dc, t.d, 12, b.run->side[COB_COLS].labels);
            cob_run_measure(b.run);
            assert_ok(cob_merge_clusters(b.run, g, m, rows, cols, NULL, &err), err);
            for (int k = 0; k < 12; k++)
                seen |= 1 << rows[k];
            assert_int_equal(seen, (1 << g) - 1);
            seen = 0;
            for (int l = 0; l < 12; l++) {
                seen |= 1 << cols[l];
                assert_true(!model->diagonal || cols[l] == rows[l]);
            }
            assert_int_equal(seen, (1 << m) - 1);
            bench_close(&b);
        }
}

/* ---- leaving local optima -------------------------------------------------------------------- */

/* Splitting and merging may only help, and leaves statistics that belong to the labels. */
static void test_split_and_merge(void **state)
{
    dice dc = dice_of(48);
    cobloc_error err;
    int helped = 0;
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < rounds_of(20); round++) {
            const known *model = &known_models[at];
            table raw = planted_table(&dc, 30, 24, 4, 0.5, 0.1), t = table_for(model, &raw);
            int m = columns_for(model, 3, 3);
            cob_start_data data = {0};
            bench b;
            bench_open(&b, model, &t, 3, m, COBLOC_HARD);
            assert_ok(cob_directions_make(&data.directions, b.x, NULL, &err), err);
            b.run->restart = (uint32_t)round;
            assert_ok(cob_start(b.run, COBLOC_START_RANDOM, &data, &err), err);
            assert_ok(cob_run_refine(b.run, 100, &err), err);
            double before = b.run->criterion, slack = 1e-9 * fmax(1, fabs(before));
            assert_ok(cob_split_and_merge(b.run, &data, &err), err);
            double gain = model->minimised ? before - b.run->criterion : b.run->criterion - before;
            assert_true(gain >= -slack);
            helped += gain > slack;
            assert_all_filled(&b);
            assert_near(b.run->criterion,
                        brute_value(model, &t, 3, m, b.run->side[COB_ROWS].labels,
                                    b.run->side[COB_COLS].labels),
                        nearness(model, &t, 1e-9), model->name);
            cob_directions_free(&data.directions);
            bench_close(&b);
        }
    print_message("splitting and merging helped in %d of %d runs\n", helped, rounds_of(20) * KNOWN);
    assert_true(helped > 0);
}

/* ---- asked for k, get k ---------------------------------------------------------------------- */

static void check_gets_k(const known *model, const table *t, cobloc_inference inference, int k,
                         int seed)
{
    cobloc_error err;
    cobloc_fit_options o;
    cobloc_result *result = NULL;
    cobloc_matrix *x = matrix_of(t);
    cob_fit_options_default(&o);
    o.model = model->name;
    o.k = k;
    o.inference = inference;
    o.start = COBLOC_START_RANDOM;
    o.restarts = 1;
    o.seed = (uint64_t)seed;
    o.threads = 1;
    assert_ok(cobloc_fit(x, &o, &result, &err), err);
    assert_int_equal(result->k, k);
    for (int c = 0; c < result->k; c++)
        if (result->row_sizes[c] == 0)
            fail_msg("%s, %s: row cluster %d is empty", model->name,
                     cobloc_inference_name(inference), c);
    for (int c = 0; c < result->l; c++)
        if (result->col_sizes[c] == 0)
            fail_msg("%s, %s: column cluster %d is empty", model->name,
                     cobloc_inference_name(inference), c);
    cobloc_result_free(result);
    cobloc_matrix_free(x);
}

static void test_asked_for_k_gets_k(void **state)
{
    dice dc = dice_of(47);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int seed = 0; seed < 20; seed++) {
            const known *model = &known_models[at];
            int k = 2 + seed % 4;
            table t = seed % 2 ? planted_table(&dc, 40, 30, 5, 0.4, 0.03)
                               : distinct_table(&dc, 30, 24, 0.25, seed % 4 == 2);
            check_gets_k(model, &t, COBLOC_HARD, k, seed);
            check_gets_k(model, &t, COBLOC_STOCHASTIC, k, seed);
            if (model->likelihood) {
                check_gets_k(model, &t, COBLOC_SOFT, k, seed);
                check_gets_k(model, &t, COBLOC_SVEM, k, seed);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_empty),          cmocka_unit_test(test_all_starts),
        cmocka_unit_test(test_restarts_take_turns), cmocka_unit_test(test_own_labels),
        cmocka_unit_test(test_spherical_kmeans),    cmocka_unit_test(test_merges),
        cmocka_unit_test(test_merging_far),         cmocka_unit_test(test_split_and_merge),
        cmocka_unit_test(test_asked_for_k_gets_k),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
