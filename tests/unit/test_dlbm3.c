/* dlbm3 on sparse tables, where its own criterion leaves no co-clusters.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

static cobloc_result *fitted(const cobloc_matrix *x, const char *model, cobloc_start start)
{
    cobloc_error err;
    cobloc_fit_options o;
    cobloc_result *r = NULL;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = 3;
    o.threads = 1;
    o.start = start;
    assert_ok(cobloc_fit(x, &o, &r, &err), err);
    return r;
}

/* Zeros inside co-clusters and ones outside, counted one by one. */
static double wrong_cells(const cobloc_result *r, const cobloc_matrix *x)
{
    cobloc_view rows = cobloc_matrix_by_rows(x);
    double wrong = 0;
    for (int64_t i = 0; i < rows.major; i++) {
        for (int64_t j = 0; j < rows.minor; j++)
            wrong += r->row_labels[i] == r->col_labels[j];
        for (int64_t e = rows.offsets[i]; e < rows.offsets[i + 1]; e++)
            wrong += r->row_labels[i] == r->col_labels[rows.indices[e]] ? -1 : 1;
    }
    return wrong;
}

static void draw(const char *preset, cobloc_matrix **x, cobloc_truth **truth)
{
    cobloc_error err;
    cobloc_simulation *s = NULL;
    assert_ok(cobloc_simulation_preset(preset, &s, &err), err);
    assert_ok(cobloc_simulate(s, x, truth, &err), err);
    cobloc_simulation_free(s);
}

static void test_sparse(void **state)
{
    static const struct {
        const char *preset;
        double accuracy;
    } tables[] = {
        {"dlbm-sparse:90", 0.97}, {"dlbm-sparse:98", 0.9}, {"dlbm-sparse:98:unequal", 0.7}};
    static const cobloc_start starts[] = {COBLOC_START_AUTO, COBLOC_START_RANDOM};
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (int s = 0; s < 2; s++) {
            cobloc_matrix *x = NULL;
            cobloc_truth *truth = NULL;
            cobloc_scores scores;
            cobloc_error err;
            draw(tables[i].preset, &x, &truth);
            cobloc_result *r = fitted(x, "dlbm3", starts[s]);
            assert_ok(cob_score(r->row_labels, truth->row_labels, truth->rows, &scores, &err), err);
            assert_true(scores.acc >= tables[i].accuracy);
            assert_int_equal(r->repaired, 0);
            assert_true(r->criterion == wrong_cells(r, x));
            assert_true(r->criterion == r->restart_criteria[r->best_restart]);
            assert_int_equal(r->trace_count, r->iterations);
            cobloc_result_free(r);
            cobloc_truth_free(truth);
            cobloc_matrix_free(x);
        }
}

/* `block` keeps to the criterion, and holds clusters for it. */
static void test_block_keeps_to_it(void **state)
{
    cobloc_matrix *x = NULL;
    cobloc_truth *truth = NULL;
    (void)state;
    draw("dlbm-sparse:98", &x, &truth);
    cobloc_result *r = fitted(x, "block", COBLOC_START_RANDOM);
    cobloc_result *other = fitted(x, "dlbm3", COBLOC_START_RANDOM);
    assert_true(r->repaired > 0);
    assert_true(r->criterion < other->criterion);
    cobloc_result_free(r);
    cobloc_result_free(other);
    cobloc_truth_free(truth);
    cobloc_matrix_free(x);
}

/* Where it keeps all clusters by itself, it is what it always was. */
static void test_dense_tables_do_without(void **state)
{
    dice dc = dice_of(81);
    (void)state;
    for (int round = 0; round < rounds_of(10); round++) {
        table t = planted_table(&dc, 30, 24, 3, 0.8, 0.2);
        cobloc_matrix *x = matrix_of(&t);
        cobloc_result *a = fitted(x, "dlbm3", COBLOC_START_AUTO);
        cobloc_result *b = fitted(x, "block", COBLOC_START_AUTO);
        assert_int_equal(b->repaired, 0);
        assert_true(a->criterion == b->criterion);
        assert_memory_equal(a->row_labels, b->row_labels, 30 * sizeof *a->row_labels);
        cobloc_result_free(a);
        cobloc_result_free(b);
        cobloc_matrix_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_block_keeps_to_it),
        cmocka_unit_test(test_dense_tables_do_without),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
