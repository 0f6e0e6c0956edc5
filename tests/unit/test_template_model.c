/* The template that a new model is copied from: it is fitted, and checked by brute force. */
#include "fit/fit.h"
#include "support.h"

#include "brute.h"
#include "template_model.c"

/* The sum over blocks of (B - E)^2 / E, with E = R C / N, over N. */
static double brute_phi(const table *t, const cobloc_result *r)
{
    double total = 0, phi = 0;
    for (int i = 0; i < t->n * t->d; i++)
        total += t->x[i];
    for (int k = 0; k < r->k; k++)
        for (int l = 0; l < r->l; l++) {
            double block = 0, row = 0, col = 0;
            for (int i = 0; i < t->n; i++)
                for (int j = 0; j < t->d; j++) {
                    bool inside = r->row_labels[i] == k, across = r->col_labels[j] == l;
                    block += inside && across ? cell(t, i, j) : 0;
                    row += inside ? cell(t, i, j) : 0;
                    col += across ? cell(t, i, j) : 0;
                }
            double expected = row * col / total;
            phi += expected > 0 ? (block - expected) * (block - expected) / expected : 0;
        }
    return phi / total;
}

static void test_template(void **state)
{
    (void)state;
    dice dc = {1};
    for (int round = 0; round < 20; round++) {
        table t = planted_table(&dc, 24, 18, 3, 0.8, 0.05);
        cobloc_matrix *x = matrix_of(&t);
        cob_algorithm algorithm = cob_algorithm_of_model(&cob_model_croki2);
        cobloc_fit_options o;
        cobloc_result *r = NULL;
        cobloc_error err;
        cob_fit_options_default(&o);
        o.k = 3;
        o.seed = (uint64_t)round;
        assert_ok(cob_fit(x, &o, &algorithm, &r, &err), err);
        assert_near(r->criterion, brute_phi(&t, r), 1e-12, "phi-squared");
        for (int i = 1; i < r->trace_count; i++)
            assert_true(r->trace[i] >= r->trace[i - 1] - 1e-12);
        for (int i = 0; i < t.n; i++) /* row i was planted in cluster i % 3 */
            assert_true(r->row_labels[i] < 0 || r->row_labels[i] == r->row_labels[i % 3]);
        cobloc_result_free(r);
        cobloc_matrix_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_template)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
