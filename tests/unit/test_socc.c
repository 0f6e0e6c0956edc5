/* socc: what its column clusters mean, effects that are sums, and what a model is fitted by where
 * nobody says anything.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "fit/algorithm.h"

/* Tables as in the paper's simulation: 120 rows in 3 clusters, 1200 columns in 7. */
static void draw(uint64_t seed, cobloc_matrix **x, cobloc_truth **truth)
{
    cobloc_error err;
    cobloc_simulation *s = NULL;
    assert_ok(cobloc_simulation_preset("socc-table1", &s, &err), err);
    s->seed = seed;
    s->threads = 1;
    assert_ok(cobloc_simulate(s, x, truth, &err), err);
    cobloc_simulation_free(s);
}

static cobloc_result *fitted(const cobloc_matrix *x, const double *rows, const double *cols)
{
    cobloc_error err;
    cobloc_fit_options o;
    cobloc_result *r = NULL;
    cob_fit_options_default(&o);
    o.model = "socc";
    o.k = 3;
    o.threads = 1;
    o.inference = COBLOC_HARD;
    o.restarts = 12;
    o.row_effects = rows;
    o.col_effects = cols;
    assert_ok(cobloc_fit(x, &o, &r, &err), err);
    return r;
}

/* 0 main, 1 second, 2 common. */
static int kind_of(int col_cluster)
{
    return col_cluster < 3 ? 0 : col_cluster < 6 ? 1 : 2;
}

/* The share of columns whose section is of the right kind. */
static double right_kinds(const cobloc_result *r, const cobloc_truth *t)
{
    int right = 0;
    for (int64_t j = 0; j < t->cols; j++)
        right += kind_of(r->col_labels[j]) == kind_of(t->col_labels[j]);
    return (double)right / (double)t->cols;
}

static void check_found(const cobloc_result *r, const cobloc_truth *t, double ari, double kinds)
{
    cobloc_coscores s;
    cobloc_error err;
    assert_ok(cob_coscore(r->row_labels, t->row_labels, t->rows, r->col_labels, t->col_labels,
                          t->cols, &s, &err),
              err);
    assert_true(s.rows.ari == 1);
    assert_true(s.cols.ari >= ari);
    assert_true(right_kinds(r, t) >= kinds);
}

/* With sums for effects a main section, which has small sums, used to be taken for the common one,
 * or for a second one upside down. Table 82 is the hardest of the first hundred. */
static void test_sections_are_found(void **state)
{
    static const uint64_t seeds[] = {1, 63, 82};
    (void)state;
    for (int i = 0; i < rounds_of(3); i++) {
        cobloc_matrix *x = NULL;
        cobloc_truth *truth = NULL;
        draw(seeds[i], &x, &truth);
        cobloc_result *sums = fitted(x, NULL, NULL);
        cobloc_result *told = fitted(x, truth->row_effects, truth->col_effects);
        check_found(sums, truth, 0.8, 0.9);
        check_found(told, truth, 0.99, 0.995);
        cobloc_result_free(sums);
        cobloc_result_free(told);
        cobloc_truth_free(truth);
        cobloc_matrix_free(x);
    }
}

/* Effects that are told are taken at their word, also where they are the sums: one parameter a
 * column cluster, one for all noise. Scaled ones are at least as likely. */
static void test_known_effects_are_not_scaled(void **state)
{
    dice dc = dice_of(71);
    (void)state;
    for (int round = 0; round < rounds_of(20); round++) {
        table t = random_table(&dc, 20, 18, 0.6, true);
        cobloc_matrix *x = matrix_of(&t);
        cobloc_result *told = fitted(x, t.r, t.c);
        double noise = told->parameters[told->l];
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < told->l; l++) {
                double mean = 0;
                for (int a = 0; a < 3; a++) /* of those that are like it */
                    if (about(3, a, l))
                        mean = told->parameters[a * told->l + l];
                assert_near(told->parameters[k * told->l + l], about(3, k, l) ? mean : noise, 1e-12,
                            "parameter");
            }
        cobloc_result_free(told);
        cobloc_matrix_free(x);
    }
}

/* ---- what nobody says ------------------------------------------------------------------------ */

static void test_own_ways(void **state)
{
    dice dc = dice_of(72);
    table t = planted_table(&dc, 24, 20, 2, 0.6, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    (void)state;
    for (int at = 0; at < cobloc_model_count(); at++) {
        cobloc_error err;
        cobloc_fit_options o;
        cobloc_result *r = NULL;
        cob_fit_options_default(&o);
        o.model = cobloc_model_name(at);
        o.k = 2;
        o.threads = 1;
        assert_ok(cobloc_fit(x, &o, &r, &err), err);
        assert_int_equal(r->inference, cobloc_model_inference(at));
        assert_int_equal(r->restarts, cobloc_model_restarts(at));
        bool socc = strcmp(o.model, "socc") == 0, certain = strcmp(o.model, "chisim") == 0;
        bool long_chains = strcmp(o.model, "lda") == 0;
        assert_int_equal(r->inference, socc ? COBLOC_STOCHASTIC : COBLOC_HARD);
        assert_int_equal(r->restarts, socc ? 20 : certain ? 1 : long_chains ? 3 : 6);
        cobloc_result_free(r);
    }
    assert_int_equal(cobloc_model_restarts(-1), 0);
    assert_string_equal(cobloc_inference_name(COBLOC_INFERENCE_AUTO), "auto");
    cobloc_matrix_free(x);
}

/* A cluster that has to be held is a failure, save where it may well be empty. */
static void test_which_is_better(void **state)
{
    cob_algorithm coclus, dlbm3, socc;
    (void)state;
    assert_true(cob_algorithm_named("coclus", &coclus) && cob_algorithm_named("dlbm3", &dlbm3) &&
                cob_algorithm_named("socc", &socc));
    assert_true(cob_algorithm_prefers(&coclus, 2, 0, 1, 0));
    assert_false(cob_algorithm_prefers(&coclus, 1, 0, 1, 0));
    assert_false(cob_algorithm_prefers(&dlbm3, 2, 0, 1, 0));
    assert_true(cob_algorithm_prefers(&coclus, 1, 0, 2, 3));
    assert_false(cob_algorithm_prefers(&coclus, 2, 3, 1, 0));
    assert_true(cob_algorithm_prefers(&coclus, 2, 3, 1, 2));
    assert_false(cob_algorithm_prefers(&socc, 1, 0, 2, 3));
    assert_true(cob_algorithm_prefers(&socc, 2, 3, 1, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections_are_found),
        cmocka_unit_test(test_known_effects_are_not_scaled),
        cmocka_unit_test(test_own_ways),
        cmocka_unit_test(test_which_is_better),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
