/* Starts between what two others found, and the families of restarts that they belong to.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "engine/starts.h"
#include "fit/family.h"

/* ---- between two partitions ------------------------------------------------------------------ */

static bool can_cross(const known *model)
{
    return !is_model(model, "socc"); /* its sections have a meaning of their own */
}

/* Whether lines that have the same label in a and the same in b have the same one in c. */
static bool keeps_together(const int32_t *a, const int32_t *b, const int32_t *c, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (a[i] == a[j] && b[i] == b[j] && c[i] != c[j])
                return false;
    return true;
}

static void assert_filled(const int32_t *labels, int count, int clusters)
{
    for (int k = 0; k < clusters; k++) {
        int i = 0;
        while (i < count && labels[i] != k)
            i++;
        assert_true(i < count);
    }
    for (int i = 0; i < count; i++)
        assert_true(labels[i] >= 0 && labels[i] < clusters);
}

/* Two clusters have four pieces at most, and so many are allowed: none need be given up. */
static void check_pieces(dice *dc, const known *model, int clusters)
{
    table raw = random_table(dc, 24, 20, 0.5, false), t = table_for(model, &raw);
    int32_t rows[2][MOST_LINES], cols[2][MOST_LINES];
    int m = columns_for(model, clusters, clusters);
    cobloc_error err;
    bench b;
    bench_open(&b, model, &t, clusters, m, COBLOC_HARD);
    for (int i = 0; i < 2; i++) {
        random_partition(dc, t.n, clusters, rows[i]);
        random_partition(dc, t.d, m, cols[i]);
    }
    cob_labels first = {{rows[0], cols[0]}}, second = {{rows[1], cols[1]}};
    assert_ok(cob_start_between(b.run, &first, &second, &err), err);
    assert_filled(b.run->side[COB_ROWS].labels, t.n, clusters);
    assert_filled(b.run->side[COB_COLS].labels, t.d, m);
    assert_true(clusters > 2 ||
                keeps_together(rows[0], rows[1], b.run->side[COB_ROWS].labels, t.n));
    if (!model->diagonal)
        assert_true(clusters > 2 ||
                    keeps_together(cols[0], cols[1], b.run->side[COB_COLS].labels, t.d));
    assert_ok(cob_start_between(b.run, &first, &first, &err), err);
    assert_true(keeps_together(rows[0], rows[0], b.run->side[COB_ROWS].labels, t.n));
    bench_close(&b);
}

static void test_pieces(void **state)
{
    dice dc = dice_of(81);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < rounds_of(30) && can_cross(&known_models[at]); round++)
            check_pieces(&dc, &known_models[at], 2 + round % 5);
}

/* Each of two partitions has taken two of four clusters for one; between them lies the truth. */
static void test_truth_between(void **state)
{
    static const int joined[2][4] = {{0, 0, 1, 2}, {0, 1, 2, 2}};
    dice dc = dice_of(82);
    const known *model = &known_models[0];
    table t = planted_table(&dc, 40, 32, 4, 0.9, 0.02);
    int32_t rows[2][MOST_LINES], cols[2][MOST_LINES], truth[MOST_LINES];
    cobloc_error err;
    bench b;
    (void)state;
    bench_open(&b, model, &t, 4, 4, COBLOC_HARD);
    for (int i = 0; i < t.n; i++)
        truth[i] = i % 4;
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < t.n; i++) /* the fourth cluster: one row of the first */
            rows[s][i] = i < 4 && truth[i] == 0 ? 3 : joined[s][truth[i]];
        for (int j = 0; j < t.d; j++)
            cols[s][j] = j % 4;
    }
    cob_labels first = {{rows[0], cols[0]}}, second = {{rows[1], cols[1]}};
    assert_ok(cob_start_between(b.run, &first, &second, &err), err);
    assert_ok(cob_run_refine(b.run, 20, &err), err);
    assert_true(keeps_together(truth, truth, b.run->side[COB_ROWS].labels, t.n));
    assert_true(
        keeps_together(b.run->side[COB_ROWS].labels, b.run->side[COB_ROWS].labels, truth, t.n));
    bench_close(&b);
}

/* ---- families -------------------------------------------------------------------------------- */

static void test_pairs(void **state)
{
    cob_family some = {.crosses = true};
    bool seen[COB_FOUNDERS][COB_FOUNDERS] = {{false}};
    (void)state;
    for (int r = COB_FAMILY; r < 2 * COB_FAMILY; r++) {
        cob_pair pair = cob_places(&some, r);
        bool founder = r < COB_FAMILY + COB_FOUNDERS;
        assert_int_equal(cob_is_founder(&some, r), founder);
        assert_true(founder ? pair.first == r - COB_FAMILY && pair.second == pair.first
                            : pair.first >= 0 && pair.first < pair.second);
        assert_true(pair.second < COB_FOUNDERS && !seen[pair.first][pair.second]);
        seen[pair.first][pair.second] = true;
    }
    some.crosses = false;
    assert_true(cob_is_founder(&some, 17));
}

static cobloc_fit_options many_restarts(const known *model, int restarts)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model->name;
    o.k = 3;
    o.l = columns_for(model, 3, 0);
    o.restarts = restarts;
    o.threads = 1;
    return o;
}

/* Six restarts are the first six of many, and the others find what they find on any threads. */
static void check_family(const known *model, const table *t)
{
    cobloc_fit_options o = many_restarts(model, COB_FAMILY + 3);
    cobloc_result *many = fit_table(t, &o);
    o.threads = 3;
    cobloc_result *threaded = fit_table(t, &o);
    assert_memory_equal(many->restart_criteria, threaded->restart_criteria,
                        (size_t)o.restarts * sizeof *many->restart_criteria);
    assert_memory_equal(many->row_labels, threaded->row_labels,
                        (size_t)t->n * sizeof *many->row_labels);
    assert_int_equal(many->best_restart, threaded->best_restart);
    o.restarts = COB_FOUNDERS;
    cobloc_result *few = fit_table(t, &o);
    if (!is_model(model, "dlbm3")) /* its best may be that of another model's starts */
        assert_memory_equal(many->restart_criteria, few->restart_criteria,
                            COB_FOUNDERS * sizeof *few->restart_criteria);
    cobloc_result_free(few);
    cobloc_result_free(threaded);
    cobloc_result_free(many);
}

static void test_families(void **state)
{
    dice dc = dice_of(83);
    table t = planted_table(&dc, 40, 30, 4, 0.4, 0.1);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        check_family(&known_models[at], &t);
}

static void test_out_of_memory(void **state)
{
    dice dc = dice_of(84);
    table t = planted_table(&dc, 12, 10, 3, 0.8, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    (void)state;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_fit_options o = many_restarts(&known_models[0], COB_FOUNDERS + 1);
        cobloc_result *result = NULL;
        cobloc_error err = {COBLOC_OK, ""};
        cob_alloc_fail_at(k);
        failed = allocation_failed(k, cobloc_fit(x, &o, &result, &err), &err, 100);
        cobloc_result_free(result);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),        cmocka_unit_test(test_truth_between),
        cmocka_unit_test(test_pairs),         cmocka_unit_test(test_families),
        cmocka_unit_test(test_out_of_memory),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
