/* What a fit says beforehand that it takes of memory.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include <math.h>
#include <string.h>

static cobloc_fit_need need_of(const cobloc_matrix *x, const char *model, int k, cobloc_start start,
                               int threads)
{
    cobloc_fit_options o;
    cobloc_fit_need need;
    cobloc_error err;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.start = start;
    o.threads = threads;
    assert_ok(cob_fit_memory(x, &o, &need, &err), err);
    assert_true(need.total ==
                need.matrix + need.copies + need.similarities + need.starts * need.start);
    return need;
}

static void test_need_follows_the_options(void **state)
{
    cobloc_matrix *x = random_matrix(3, 400, 300, 0.2, COBLOC_U8, NAMES_NONE);
    (void)state;
    cobloc_fit_need usual = need_of(x, "coclus", 4, COBLOC_START_AUTO, 2);
    assert_true(usual.matrix == (double)cobloc_matrix_bytes(x));
    assert_true(usual.similarities == 0);
    assert_int_equal(usual.starts, 2);
    assert_int_equal(need_of(x, "coclus", 4, COBLOC_START_AUTO, 99).starts, 6); /* as restarts */
    assert_true(need_of(x, "coclus", 8, COBLOC_START_AUTO, 2).start > usual.start);
    assert_true(need_of(x, "coclus", 4, COBLOC_START_RANDOM, 2).start < usual.start);
    assert_true(need_of(x, "nmf", 4, COBLOC_START_AUTO, 2).copies >=
                2.0 * sizeof(double) * (double)cobloc_matrix_nnz(x));
    assert_true(isfinite(need_of(x, "coclus", INT32_MAX, COBLOC_START_AUTO, 2).total));
    assert_true(need_of(x, "chisim", 4, COBLOC_START_AUTO, 2).similarities > 0);
    cobloc_matrix_free(x);
}

/* lda keeps a topic for each word of each start. */
static void test_need_follows_the_counts(void **state)
{
    const int32_t at[] = {0, 1};
    const double counts[] = {400000, 300000};
    cobloc_matrix *x = NULL;
    cobloc_error err;
    (void)state;
    assert_ok(cobloc_matrix_from_triples(2, 2, 2, at, at, counts, &x, &err), err);
    cobloc_fit_need one = need_of(x, "lda", 2, COBLOC_START_AUTO, 1),
                    two = need_of(x, "lda", 2, COBLOC_START_AUTO, 2);
    assert_true(one.similarities >= 2 * 700000);
    assert_true(two.similarities == 2 * one.similarities);
    cobloc_matrix_free(x);
}

static void test_a_matrix_of_nothing(void **state)
{
    cobloc_matrix *x = NULL;
    cobloc_error err;
    (void)state;
    assert_ok(cobloc_matrix_from_triples(4, 3, 0, NULL, NULL, NULL, &x, &err), err);
    assert_true(isfinite(need_of(x, "coclus", 2, COBLOC_START_AUTO, 1).total));
    cobloc_matrix_free(x);
}

static void test_an_unknown_model(void **state)
{
    cobloc_matrix *x = random_matrix(3, 4, 3, 0.5, COBLOC_U8, NAMES_NONE);
    cobloc_fit_options o;
    cobloc_fit_need need;
    cobloc_error err;
    (void)state;
    cob_fit_options_default(&o);
    o.model = "coclass";
    assert_int_equal(cob_fit_memory(x, &o, &need, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "there is no model 'coclass'; did you mean 'coclus'?"));
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_need_follows_the_options),
        cmocka_unit_test(test_need_follows_the_counts),
        cmocka_unit_test(test_a_matrix_of_nothing),
        cmocka_unit_test(test_an_unknown_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
