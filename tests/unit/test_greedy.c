/* cobloc_fit_greedy: finds how many clusters were planted, on either side, and says no where it
 * cannot.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute_assess.h"

static cobloc_fit_options options_for(const char *model, int most)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = most;
    o.restarts = 2;
    o.threads = 1;
    return o;
}

static cobloc_result *must_fit(const cobloc_matrix *x, const cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    if (cobloc_fit_greedy(x, o, &result, &err) != COBLOC_OK)
        fail_msg("%s: %s", o->model, err.message);
    return result;
}

static const char *const mergeable[] = {"plbm", "splbm-exact", "lbm", "dlbm1", "dlbm2"};

static void test_planted(void **state)
{
    dice dc = dice_of(91);
    (void)state;
    for (size_t m = 0; m < sizeof mergeable / sizeof *mergeable; m++)
        for (int planted = 2; planted <= 4; planted++) {
            table t = planted_table(&dc, 60, 48, planted, 0.8, 0.05);
            cobloc_matrix *x = matrix_of(&t);
            cobloc_fit_options o = options_for(mergeable[m], 8);
            cobloc_result *r = must_fit(x, &o);
            if (r->k != planted || r->l != planted)
                fail_msg("%s: %d were planted, %d and %d found", o.model, planted, r->k, r->l);
            cobloc_result_free(r);
            cobloc_matrix_free(x);
        }
}

/* Two kinds of rows, three of columns. */
static void test_sides_differ(void **state)
{
    dice dc = dice_of(92);
    table t = {.n = 40, .d = 48};
    (void)state;
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++) {
            static const double rate[2][3] = {{0.9, 0.5, 0.1}, {0.05, 0.5, 0.9}};
            t.x[i * t.d + j] = roll(&dc) < rate[i % 2][j % 3] ? 1 : 0;
        }
    cobloc_matrix *x = matrix_of(&t);
    cobloc_fit_options o = options_for("lbm", 6);
    cobloc_result *r = must_fit(x, &o);
    assert_int_equal(r->k, 2);
    assert_int_equal(r->l, 3);
    cobloc_result_free(r);
    cobloc_matrix_free(x);
}

static void test_same_on_any_threads(void **state)
{
    dice dc = dice_of(93);
    table t = planted_table(&dc, 50, 40, 3, 0.6, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_fit_options o = options_for("plbm", 7);
    (void)state;
    cobloc_result *one = must_fit(x, &o);
    o.threads = 3;
    cobloc_result *three = must_fit(x, &o);
    assert_int_equal(one->k, three->k);
    assert_true(one->icl == three->icl);
    assert_memory_equal(one->row_labels, three->row_labels, 50 * sizeof *one->row_labels);
    assert_memory_equal(one->col_labels, three->col_labels, 40 * sizeof *one->col_labels);
    cobloc_result_free(one);
    cobloc_result_free(three);
    cobloc_matrix_free(x);
}

static int stop_at_once(void *user, const char *what, double done)
{
    (void)user, (void)what;
    return done > 0.3;
}

static void test_ends_early(void **state)
{
    dice dc = dice_of(94);
    table t = planted_table(&dc, 50, 40, 3, 0.6, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_fit_options o = options_for("splbm-exact", 9);
    (void)state;
    o.progress.report = stop_at_once;
    cobloc_result *r = must_fit(x, &o);
    assert_int_equal(r->stop, COBLOC_STOP_CANCELLED);
    cobloc_result_free(r);
    cobloc_matrix_free(x);
}

static void test_refused(void **state)
{
    static const int32_t labels[12] = {0};
    dice dc = dice_of(95);
    table t = planted_table(&dc, 12, 12, 2, 0.7, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    (void)state;
#define REFUSE(part, ...)                                                                          \
    do {                                                                                           \
        cobloc_fit_options o = options_for("plbm", 3);                                             \
        cobloc_result *r = NULL;                                                                   \
        cobloc_error err;                                                                          \
        __VA_ARGS__;                                                                               \
        assert_int_equal(cobloc_fit_greedy(x, &o, &r, &err), COBLOC_BAD_ARGUMENT);                 \
        assert_non_null(strstr(err.message, part));                                                \
        assert_null(r);                                                                            \
    } while (0)
    REFUSE("no model 'nosuch'", o.model = "nosuch");
    REFUSE("coclus cannot choose its number", o.model = "coclus");
    REFUSE("socc cannot choose its number", o.model = "socc");
    REFUSE("known labels need", o.fix_rows = labels);
    REFUSE("k is 0", o.k = 0);
#undef REFUSE
    cobloc_matrix_free(x);
}

static void test_failing_allocations(void **state)
{
    dice dc = dice_of(96);
    table t = planted_table(&dc, 10, 10, 2, 0.7, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_fit_options o = options_for("plbm", 3);
    (void)state;
    o.restarts = 1;
    for (long k = 0, failed = 1; failed; k += 5) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_result *r = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_fit_greedy(x, &o, &r, &err);
        failed = allocation_failed(k, status, &err, 100);
        cobloc_result_free(r);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_sides_differ),
        cmocka_unit_test(test_same_on_any_threads),
        cmocka_unit_test(test_ends_early),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_failing_allocations),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
