/* A fit that chooses its number of clusters: the parts by hand or by brute force, the whole on
 * planted tables.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "select/size.h"

/* ---- agreement ------------------------------------------------------------------------------- */

/* Two halves each: the information is log 2 or 0, the correction 1 / 8. */
static void test_agreement_by_hand(void **state)
{
    static const int32_t halves[] = {0, 0, 1, 1, -1}, swapped[] = {1, 1, 0, 0, 0},
                         across[] = {0, 1, 0, 1, 1};
    cobloc_error err;
    double same, other;
    (void)state;
    assert_int_equal(cob_agreement(halves, swapped, 5, &same, &err), COBLOC_OK);
    assert_int_equal(cob_agreement(halves, across, 5, &other, &err), COBLOC_OK);
    assert_near(same, log(2) - 0.25, 1e-12, "the same partition");
    assert_near(other, -log(2) - 0.25, 1e-12, "independent partitions");
}

/* A true split adds to the agreement; one that nobody shares takes from it. */
static void test_split(void **state)
{
    enum { N = 400 };
    int32_t two[N], four[N], mine[N], yours[N];
    cobloc_error err;
    double coarse, fine, odd;
    dice dc = dice_of(7);
    (void)state;
    for (int i = 0; i < N; i++) {
        two[i] = i % 2;
        four[i] = i % 4;
        mine[i] = i % 2 + 2 * roll_below(&dc, 2);
        yours[i] = i % 2 + 2 * roll_below(&dc, 2);
    }
    assert_int_equal(cob_agreement(two, two, N, &coarse, &err), COBLOC_OK);
    assert_int_equal(cob_agreement(four, four, N, &fine, &err), COBLOC_OK);
    assert_int_equal(cob_agreement(mine, yours, N, &odd, &err), COBLOC_OK);
    assert_true(fine > coarse);
    assert_true(odd < coarse);
}

/* Differences of 0, 1, ..., 6: their variance is 28 / 6. Pairs share models: twice as much. */
static void test_error_by_hand(void **state)
{
    cob_agreed a = {.k = 3, .count = 7}, b = {.k = 2, .count = 7};
    (void)state;
    for (int m = 0; m < a.count; m++) {
        b.of[m] = m % 3;
        a.of[m] = m % 3 + m;
    }
    assert_near(cob_mean_agreement(&a) - cob_mean_agreement(&b), 3, 1e-12, "mean");
    assert_near(cob_agreement_error(&a, &b), 2 * sqrt(28.0 / 6 / 7), 1e-12, "error");
}

/* ---- whether a model holds ------------------------------------------------------------------- */

static void open_path(const cobloc_matrix *x, const char *model, int k, cob_path *path)
{
    cob_algorithm a = cob_algorithm_of(model);
    cob_watch watch = {.restarts = 1, .deadline = INFINITY};
    cobloc_fit_options o;
    cobloc_error err;
    cob_fit_options_default(&o);
    o.threads = 1;
    if (cob_path_open(x, &o, &a, k, watch, path, &err) != COBLOC_OK)
        fail_msg("%s: %s", model, err.message);
}

static void test_poisson_excess(void **state)
{
    dice dc = dice_of(11);
    table t = planted_table(&dc, 24, 20, 2, 0.7, 0.2);
    cobloc_matrix *x = matrix_of(&t);
    cob_path path;
    open_path(x, "plbm", 3, &path);
    const int32_t *z = path.run->side[COB_ROWS].labels, *w = path.run->side[COB_COLS].labels;
    double block[3][3] = {{0}}, rows[3] = {0}, cols[3] = {0}, excess, expected = 0, total = 0;
    cobloc_error err;
    (void)state;
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++) {
            block[z[i]][w[j]] += cell(&t, i, j);
            rows[z[i]] += cell(&t, i, j);
            cols[w[j]] += cell(&t, i, j);
            total += cell(&t, i, j);
        }
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++) {
            double delta = block[z[i]][w[j]] / (rows[z[i]] * cols[w[j]]);
            expected += cell(&t, i, j) * (cell(&t, i, j) - 1) -
                        delta * delta * t.r[i] * (t.r[i] - 1) * t.c[j] * (t.c[j] - 1);
        }
    assert_int_equal(cob_poisson_excess(path.run, &excess, &err), COBLOC_OK);
    assert_near(excess, expected / total, 1e-12, "excess");
    cob_path_close(&path);
    cobloc_matrix_free(x);
}

static void test_bernoulli_ratio(void **state)
{
    dice dc = dice_of(12);
    table t = planted_table(&dc, 24, 20, 2, 0.7, 0.2);
    for (int i = 0; i < t.n * t.d; i++)
        t.x[i] = t.x[i] > 0;
    take_margins(&t);
    cobloc_matrix *x = matrix_of(&t);
    cob_path path;
    open_path(x, "lbm", 2, &path);
    const int32_t *z = path.run->side[COB_ROWS].labels, *w = path.run->side[COB_COLS].labels;
    double ones[2][2] = {{0}}, cells[2][2] = {{0}}, ratio[2];
    (void)state;
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++) {
            ones[z[i]][w[j]] += cell(&t, i, j);
            cells[z[i]][w[j]] += 1;
        }
    for (int side = 0; side < 2; side++) {
        double found = 0, expected = 0;
        for (int a = 0; a < (side ? t.d : t.n); a++) {
            double off = side ? t.c[a] : t.r[a];
            for (int b = 0; b < (side ? t.n : t.d); b++) {
                int k = side ? z[b] : z[a], l = side ? w[a] : w[b];
                double p = ones[k][l] / cells[k][l];
                off -= p;
                expected += p * (1 - p);
            }
            found += off * off;
        }
        ratio[side] = found / expected;
    }
    assert_near(cob_bernoulli_ratio(path.run), fmax(ratio[0], ratio[1]), 1e-9, "ratio");
    cob_path_close(&path);
    cobloc_matrix_free(x);
}

/* ---- a path ---------------------------------------------------------------------------------- */

static void test_steps_down(void **state)
{
    dice dc = dice_of(13);
    table t = planted_table(&dc, 40, 36, 3, 0.8, 0.05);
    cobloc_matrix *x = matrix_of(&t);
    cob_path path;
    open_path(x, "coclus", 6, &path);
    int32_t labels[40];
    cobloc_error err;
    (void)state;
    assert_int_equal(cob_path_step(&path, 5, &err), COBLOC_OK);
    assert_int_equal(cob_path_step(&path, 3, &err), COBLOC_OK);
    cob_path_labels(&path, labels);
    for (int i = 3; i < 40; i++) /* what was planted */
        assert_int_equal(labels[i], labels[i % 3]);
    cob_path_close(&path);
    cobloc_matrix_free(x);
}

/* All sizes up to 3, above it steps of a sixth; most of the models count. */
static void test_sizes_of_agreement(void **state)
{
    static const int visited[] = {24, 20, 17, 15, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};
    enum { COUNT = sizeof visited / sizeof *visited };
    dice dc = dice_of(20);
    table t = planted_table(&dc, 60, 48, 3, 0.8, 0.05);
    cobloc_matrix *x = matrix_of(&t);
    cob_watch watch = {.restarts = 1, .deadline = INFINITY};
    cobloc_fit_options o;
    cob_agreed sizes[24];
    cobloc_error err;
    int count = 0;
    (void)state;
    cob_fit_options_default(&o);
    assert_ok(cob_agree(x, &o, (cob_sizes){2, 3, 24}, watch, sizes, &count, &err), err);
    assert_int_equal(count, COUNT);
    for (int i = 0; i < count; i++) {
        assert_int_equal(sizes[i].k, visited[i]);
        assert_int_equal(sizes[i].models, cob_panel_count(x));
        assert_int_equal(sizes[i].count, sizes[i].models - (sizes[i].models - 1) / 4);
        for (int m = 1; m < sizes[i].count; m++)
            assert_true(sizes[i].of[m] <= sizes[i].of[m - 1]);
        assert_true(cob_mean_agreement(&sizes[i]) <= cob_mean_agreement(&sizes[COUNT - 2]));
    }
    cobloc_matrix_free(x);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static cobloc_fit_options sizeless(const char *model)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.restarts = 2;
    o.threads = 1;
    return o;
}

/* Every model finds what was planted. */
static void test_every_model(void **state)
{
    dice dc = dice_of(14);
    table t = planted_table(&dc, 60, 48, 3, 0.8, 0.05);
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++) {
        cobloc_fit_options o = sizeless(cobloc_model_name(m));
        cobloc_result *r = fit_table(&t, &o);
        if (strcmp(o.model, "glbm") != 0 && strcmp(o.model, "clbm") != 0 && r->k != 3)
            fail_msg("%s: 3 were planted, %d found", o.model, r->k);
        assert_true(r->k >= 2);
        assert_non_null(r->size_rule);
        assert_true(r->size_count > 1);
        assert_true(strlen(r->size_summary) > 10);
        cobloc_result_free(r);
    }
}

static void test_same_on_any_threads(void **state)
{
    dice dc = dice_of(15);
    table t = planted_table(&dc, 60, 48, 4, 0.5, 0.1);
    cobloc_fit_options o = sizeless("coclus");
    (void)state;
    cobloc_result *one = fit_table(&t, &o);
    o.threads = 3;
    cobloc_result *three = fit_table(&t, &o);
    assert_int_equal(one->k, three->k);
    assert_int_equal(one->size_count, three->size_count);
    for (int i = 0; i < one->size_count; i++)
        assert_true(one->sizes[i].value == three->sizes[i].value);
    assert_memory_equal(one->row_labels, three->row_labels, 60 * sizeof *one->row_labels);
    cobloc_result_free(one);
    cobloc_result_free(three);
}

/* A selection of one model goes by the rule of its fit without a size: agreement, and ICL where the
 * table is what a block model says. */
static void test_same_as_selection(void **state)
{
    static const double clear[] = {0.5, 0.8};
    (void)state;
    for (int i = 0; i < 2; i++) {
        dice dc = dice_of(15);
        table t = planted_table(&dc, 60, 48, 4, clear[i], 0.1);
        cobloc_matrix *x = matrix_of(&t);
        cobloc_fit_options o = sizeless("coclus");
        cobloc_select_options all;
        cobloc_selection *s = NULL;
        cobloc_error err;
        cob_select_options_default(&all);
        all.fit = o;
        cobloc_result *r = fit_table(&t, &o);
        assert_ok(cobloc_select(x, &all, &s, &err), err);
        assert_int_equal(s->curve[s->chosen].k, r->k);
        assert_string_equal(cobloc_choice_name(s->by), r->size_rule);
        for (int at = 0; at < s->count; at++)
            for (int tried = 0; tried < r->size_count; tried++)
                if (r->sizes[tried].k == s->curve[at].k)
                    assert_true(s->curve[at].value >= r->sizes[tried].value);
        cobloc_selection_free(s);
        cobloc_result_free(r);
        cobloc_matrix_free(x);
    }
}

/* Fewer kinds of rows than sizes to try. */
static void test_few_rows(void **state)
{
    table t = {.n = 6, .d = 5};
    cobloc_fit_options o = sizeless("coclus");
    (void)state;
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++)
            t.x[i * t.d + j] = (i % 2 == j % 2) * 3 + (i % 2 ? j : 0);
    take_margins(&t);
    cobloc_result *r = fit_table(&t, &o);
    assert_int_equal(r->k, 2);
    cobloc_result_free(r);
}

static void test_most(void **state)
{
    dice dc = dice_of(16);
    table t = planted_table(&dc, 60, 48, 6, 0.8, 0.05);
    cobloc_fit_options o = sizeless("coclus");
    (void)state;
    o.most = 4;
    cobloc_result *r = fit_table(&t, &o);
    assert_true(r->k <= 4);
    for (int i = 0; i < r->size_count; i++)
        assert_true(r->sizes[i].k <= 4);
    cobloc_result_free(r);
}

static int stop_at_once(void *user, const char *what, double done)
{
    (void)user, (void)what;
    return done > 0;
}

static void test_ends_early(void **state)
{
    dice dc = dice_of(17);
    table t = planted_table(&dc, 60, 48, 3, 0.6, 0.1);
    cobloc_fit_options o = sizeless("splbm-exact");
    (void)state;
    o.max_seconds = 1e-9;
    cobloc_result *late = fit_table(&t, &o);
    assert_int_equal(late->stop, COBLOC_STOP_TIME);
    assert_true(late->k >= 2);
    cobloc_result_free(late);
    o.max_seconds = 0;
    o.progress.report = stop_at_once;
    cobloc_result *cancelled = fit_table(&t, &o);
    assert_int_equal(cancelled->stop, COBLOC_STOP_CANCELLED);
    cobloc_result_free(cancelled);
}

static void test_refused(void **state)
{
    static const int32_t labels[12] = {0};
    dice dc = dice_of(18);
    table t = planted_table(&dc, 12, 12, 2, 0.7, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_fit_options o = sizeless("plbm");
    cobloc_result *r = NULL;
    cobloc_error err;
    (void)state;
    o.fix_rows = labels;
    assert_int_equal(cobloc_fit(x, &o, &r, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "known labels need"));
    cobloc_matrix_free(x);
}

static void test_failing_allocations(void **state)
{
    dice dc = dice_of(19);
    table t = planted_table(&dc, 12, 12, 2, 0.7, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_fit_options o = sizeless("coclus");
    (void)state;
    o.most = 3;
    o.restarts = 1;
    for (long k = 0, failed = 1; failed; k += 9) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_result *r = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_fit(x, &o, &r, &err);
        failed = allocation_failed(k, status, &err, 100);
        cobloc_result_free(r);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement_by_hand),
        cmocka_unit_test(test_split),
        cmocka_unit_test(test_error_by_hand),
        cmocka_unit_test(test_poisson_excess),
        cmocka_unit_test(test_bernoulli_ratio),
        cmocka_unit_test(test_steps_down),
        cmocka_unit_test(test_sizes_of_agreement),
        cmocka_unit_test(test_every_model),
        cmocka_unit_test(test_same_on_any_threads),
        cmocka_unit_test(test_same_as_selection),
        cmocka_unit_test(test_few_rows),
        cmocka_unit_test(test_most),
        cmocka_unit_test(test_ends_early),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_failing_allocations),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
