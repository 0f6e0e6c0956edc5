/* A fit that is cancelled at any report of its progress, and resumed from its checkpoint, ends as
 * if it had never been disturbed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include <string.h>

typedef struct listener {
    int reports, last; /* the last one cancels; 0: none does */
} listener;

static int listen(void *user, const char *what, double done)
{
    listener *l = user;
    (void)what;
    (void)done;
    return ++l->reports >= l->last && l->last > 0;
}

static cobloc_result *fit(const cobloc_matrix *x, const char *model, const char *kept, bool resume,
                          listener *l)
{
    cobloc_error err;
    cobloc_fit_options *o = NULL;
    cobloc_result *result = NULL;
    assert_ok(cobloc_fit_options_new(&o, &err), err);
    assert_ok(cobloc_set_text(o, "model", model, &err), err);
    assert_ok(cobloc_set_int(o, "k", 3, &err), err);
    assert_ok(cobloc_set_int(o, "restarts", 8, &err), err);
    assert_ok(cobloc_set_int(o, "threads", 1, &err), err);
    if (kept) {
        assert_ok(cobloc_set_text(o, "checkpoint", kept, &err), err);
        assert_ok(cobloc_set_real(o, "checkpoint_seconds", 0, &err), err);
        assert_ok(cobloc_set_int(o, "resume", resume, &err), err);
    }
    cobloc_set_progress(o, listen, l);
    assert_ok(cobloc_fit(x, o, &result, &err), err);
    cobloc_fit_options_free(o);
    return result;
}

static void assert_same(const cobloc_result *a, const cobloc_result *b)
{
    static const char *const sides[] = {"row_labels", "col_labels"};
    for (int s = 0; s < 2; s++) {
        int64_t count, others;
        const int32_t *labels = cobloc_ints(a, &count, "%s", sides[s]);
        const int32_t *expected = cobloc_ints(b, &others, "%s", sides[s]);
        assert_int_equal(count, others);
        assert_memory_equal(labels, expected, (size_t)count * sizeof *labels);
    }
    assert_true(cobloc_real(a, "criterion") == cobloc_real(b, "criterion"));
    assert_int_equal(cobloc_int(a, "iterations"), cobloc_int(b, "iterations"));
}

static void test_cancelled_anywhere(void **state)
{
    static const char *const models[] = {"coclus", "itcc", "splbm-exact"};
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        cobloc_matrix *x = random_matrix(m + 1, 60, 40, 0.15, COBLOC_U8, NAMES_NONE);
        const char *kept = test_path("kept");
        listener quiet = {0, 0};
        cobloc_result *right = fit(x, models[m], NULL, false, &quiet);
        for (int last = 1; last < quiet.reports; last += 1 + last / 8) {
            cobloc_error err;
            listener one = {0, last}, none = {0, 0};
            cobloc_result_free(fit(x, models[m], kept, false, &one));
            cobloc_result *resumed = fit(x, models[m], kept, true, &none);
            assert_same(resumed, right);
            assert_ok(cobloc_checkpoint_remove(kept, &err), err);
            cobloc_result_free(resumed);
        }
        cobloc_result_free(right);
        cobloc_matrix_free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cancelled_anywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
