/* A result cut by its hierarchy: the criterion is what the hierarchy says, labels are unions of the
 * old clusters in canonical numbers, and the smaller result has the rest of the same hierarchy.
 *
 * SPDX-License-Identifier: MIT
 */
#include "described.h"

#include <string.h>

static cobloc_result *fitted(const cobloc_matrix *matrix, const char *model, int k)
{
    cobloc_fit_options *o = NULL;
    cobloc_result *r = NULL;
    cobloc_error err;
    assert_ok(cobloc_fit_options_new(&o, &err), err);
    assert_ok(cobloc_set_text(o, "model", model, &err), err);
    assert_ok(cobloc_set_int(o, "k", k, &err), err);
    assert_ok(cobloc_set_int(o, "restarts", 2, &err), err);
    assert_ok(cobloc_fit(matrix, o, &r, &err), err);
    cobloc_fit_options_free(o);
    return r;
}

static cobloc_result *must_cut(const cobloc_matrix *matrix, const cobloc_result *from, int k)
{
    cobloc_fit_options *o = NULL;
    cobloc_result *r = NULL;
    cobloc_error err;
    assert_ok(cobloc_fit_options_new(&o, &err), err);
    assert_ok(cobloc_cut_options(from, k, o, &err), err);
    assert_ok(cobloc_fit(matrix, o, &r, &err), err);
    cobloc_fit_options_free(o);
    return r;
}

/* The groups that a cluster and all that was merged into it make, found step by step. */
static bool stay_together(const cobloc_result *r, int k, int a, int b)
{
    for (int s = 0; s < r->k - k; s++) {
        a = a == r->merges[2 * s + 1] ? r->merges[2 * s] : a;
        b = b == r->merges[2 * s + 1] ? r->merges[2 * s] : b;
    }
    return a == b;
}

static void assert_cut(const cobloc_result *r, const cobloc_result *cut, int k)
{
    bool paired = cobloc_model_is_diagonal(cobloc_model_find(r->model));
    assert_int_equal(cut->k, k);
    assert_int_equal(cut->l, paired ? k : r->l);
    double expected = k == r->k ? r->criterion : r->merge_criteria[r->k - k - 1];
    if (fabs(cut->criterion - expected) > 1e-9 * fabs(expected))
        fail_msg("%s, %d: %.17g, expected %.17g", r->model, k, cut->criterion, expected);
    for (int64_t i = 0; i < r->n; i++)
        for (int64_t j = 0; j < i; j++)
            if (r->row_labels[i] >= 0 && r->row_labels[j] >= 0)
                assert_int_equal(cut->row_labels[i] == cut->row_labels[j],
                                 stay_together(r, k, r->row_labels[i], r->row_labels[j]));
    for (int c = 0; c + 1 < k; c++)
        assert_true(cut->row_sizes[c] >= cut->row_sizes[c + 1]);
    for (int s = 0; s + 1 < k; s++)
        assert_true(fabs(cut->merge_criteria[s] - r->merge_criteria[r->k - k + s]) <=
                    1e-9 * fabs(r->merge_criteria[r->k - k + s]));
}

static void every_size_of_every_model(void **state)
{
    enum { MOST = 6 };
    int tried = 0;
    (void)state;
    cobloc_matrix *matrix = planted(5, false);
    for (int m = 0; m < cobloc_model_count(); m++) {
        const char *name = cobloc_model_name(m);
        if (strcmp(name, "clbm") == 0 || strcmp(name, "auto") == 0)
            continue; /* categories */
        cobloc_result *r = fitted(matrix, name, MOST);
        for (int k = 1; r->merges && k <= MOST; k++) {
            cobloc_result *cut = must_cut(matrix, r, k);
            assert_cut(r, cut, k);
            cobloc_result_free(cut);
            tried++;
        }
        cobloc_result_free(r);
    }
    assert_true(tried >= 8 * MOST);
    cobloc_matrix_free(matrix);
}

static void what_cannot_be_cut(void **state)
{
    cobloc_fit_options *o = NULL;
    cobloc_error err;
    (void)state;
    cobloc_matrix *matrix = planted(5, false);
    cobloc_result *r = fitted(matrix, "coclus", 3), *flat = fitted(matrix, "skmeans", 3);
    assert_ok(cobloc_fit_options_new(&o, &err), err);
    assert_int_equal(cobloc_cut_options(r, 4, o, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "1 to 3"));
    assert_int_equal(cobloc_cut_options(r, 0, o, &err), COBLOC_BAD_ARGUMENT);
    assert_int_equal(cobloc_cut_options(flat, 2, o, &err), COBLOC_UNSUPPORTED);
    assert_non_null(strstr(err.message, "no hierarchy"));
    cobloc_fit_options_free(o);
    cobloc_result_free(flat);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

static void failing_allocations(void **state)
{
    (void)state;
    cobloc_matrix *matrix = planted(5, false);
    cobloc_result *r = fitted(matrix, "coclus", 4);
    cobloc_error err;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_fit_options *o = NULL;
        assert_ok(cobloc_fit_options_new(&o, &err), err);
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_cut_options(r, 2, o, &err);
        failed = allocation_failed(k, status, &err, 4);
        cobloc_fit_options_free(o);
    }
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_of_every_model),
        cmocka_unit_test(what_cannot_be_cut),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
