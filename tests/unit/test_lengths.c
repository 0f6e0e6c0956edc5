/* Arrays that callers give must be as long as what they belong to: a shorter one ends in a
 * sentence, not in a read past its end. And what results keep outlives the options.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

static const int32_t LABELS[] = {0, 1, 0, 1, 0, 1};

static cobloc_result *must_fit(const cobloc_matrix *m)
{
    cobloc_error err;
    cobloc_fit_options *o = NULL;
    cobloc_result *r = NULL;
    assert_ok(cobloc_fit_options_new(&o, &err), err);
    assert_ok(cobloc_set_int(o, "k", 2, &err), err);
    assert_ok(cobloc_fit(m, o, &r, &err), err);
    cobloc_fit_options_free(o);
    return r;
}

static void must_not_write(const cobloc_report *report, const char *part)
{
    cobloc_error err;
    if (cobloc_report_write(report, test_path("page.html"), &err) != COBLOC_BAD_ARGUMENT ||
        !strstr(err.message, part))
        fail_msg("%s", err.message);
    assert_int_equal(cobloc_plot_result(test_path("p.svg"), report, COBLOC_PICTURE_CONFUSION, &err),
                     COBLOC_BAD_ARGUMENT);
}

static void reports_check_their_arrays(void **state)
{
    static const char *const names[] = {"one", "two"};
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = random_matrix(3, 6, 5, 0.8, COBLOC_U8, NAMES_NONE);
    cobloc_result *r = must_fit(m);
    cobloc_report *report = NULL;
    assert_ok(cobloc_report_new(&report, &err), err);
    must_not_write(report, "needs a matrix and a result");
    assert_ok(cobloc_set_object(report, "matrix", m, &err), err);
    assert_ok(cobloc_set_object(report, "result", r, &err), err);
    assert_ok(cobloc_set_ints(report, "truth", LABELS, 5, &err), err);
    must_not_write(report, "truth has 5 elements, but the matrix has 6 rows");
    assert_ok(cobloc_set_ints(report, "truth", LABELS, 6, &err), err);
    assert_ok(cobloc_set_texts(report, "class_names", names, 1, &err), err);
    must_not_write(report, "row 2 is of class 1, but only 1 classes have names");
    assert_ok(cobloc_set_texts(report, "class_names", names, 2, &err), err);
    assert_ok(cobloc_report_write(report, test_path("page.html"), &err), err);
    cobloc_report_free(report);
    cobloc_result_free(r);
    cobloc_matrix_free(m);
}

static void must_not_plot(const cobloc_boxes *boxes, const char *part)
{
    cobloc_error err;
    if (cobloc_plot_boxes(test_path("b.svg"), boxes, &err) != COBLOC_BAD_ARGUMENT ||
        !strstr(err.message, part))
        fail_msg("%s", err.message);
}

static void boxes_check_their_arrays(void **state)
{
    static const char *const names[] = {"left", "right"};
    static const double values[] = {1, 2, 3, 4};
    (void)state;
    cobloc_error err;
    cobloc_boxes *boxes = NULL;
    assert_ok(cobloc_boxes_new(&boxes, &err), err);
    assert_ok(cobloc_set_int(boxes, "panels", 2, &err), err);
    assert_ok(cobloc_append(boxes, "groups", &err), err);
    assert_ok(cobloc_set_text(boxes, "groups[0].name", "a", &err), err);
    assert_ok(cobloc_set_int(boxes, "groups[0].count", 2, &err), err);
    must_not_plot(boxes, "group 0 has 0 values, expected 4");
    assert_ok(cobloc_set_reals(boxes, "groups[0].values", values, 3, &err), err);
    must_not_plot(boxes, "group 0 has 3 values, expected 4");
    assert_ok(cobloc_set_reals(boxes, "groups[0].values", values, 4, &err), err);
    assert_ok(cobloc_set_texts(boxes, "panel_names", names, 1, &err), err);
    must_not_plot(boxes, "1 panel names for 2 panels");
    assert_ok(cobloc_set_texts(boxes, "panel_names", names, 2, &err), err);
    assert_ok(cobloc_plot_boxes(test_path("b.svg"), boxes, &err), err);
    cobloc_boxes_free(boxes);
}

static void ensembles_check_their_arrays(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = random_matrix(3, 6, 5, 0.8, COBLOC_U8, NAMES_NONE);
    cobloc_ensemble_options *o = NULL;
    cobloc_consensus *c = NULL;
    assert_ok(cobloc_ensemble_options_new(&o, &err), err);
    assert_ok(cobloc_set_int(o, "k", 2, &err), err);
    assert_ok(cobloc_set_text(o, "models", "dcc", &err), err);
    assert_ok(cobloc_set_int(o, "size_to", 2, &err), err);
    assert_ok(cobloc_append(o, "given", &err), err);
    assert_ok(cobloc_set_text(o, "given[0].name", "by hand", &err), err);
    assert_int_equal(cobloc_ensemble(m, o, &c, &err), COBLOC_BAD_ARGUMENT);
    assert_ok(cobloc_set_ints(o, "given[0].row_labels", LABELS, 4, &err), err);
    assert_int_equal(cobloc_ensemble(m, o, &c, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "4 row labels"));
    assert_ok(cobloc_set_ints(o, "given[0].row_labels", LABELS, 6, &err), err);
    assert_ok(cobloc_set_ints(o, "given[0].col_labels", LABELS, 4, &err), err);
    assert_int_equal(cobloc_ensemble(m, o, &c, &err), COBLOC_BAD_ARGUMENT);
    assert_ok(cobloc_set_ints(o, "given[0].col_labels", LABELS, 5, &err), err);
    assert_ok(cobloc_ensemble(m, o, &c, &err), err);
    cobloc_ensemble_options_free(o); /* the names below are not the options' */
    assert_string_equal(cobloc_text(c, "members[0].name"), "by hand");
    assert_null(cobloc_text(c, "members[0].model"));
    assert_string_equal(cobloc_text(c, "members[1].model"), "dcc");
    cobloc_consensus_free(c);
    cobloc_matrix_free(m);
}

static void selections_keep_their_models(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = random_matrix(3, 12, 9, 0.6, COBLOC_U8, NAMES_NONE);
    cobloc_select_options *o = NULL;
    cobloc_selection *s = NULL;
    assert_ok(cobloc_select_options_new(&o, &err), err);
    assert_ok(cobloc_set_text(o, "models", "itcc", &err), err);
    assert_ok(cobloc_set_int(o, "k_to", 2, &err), err);
    assert_ok(cobloc_select(m, o, &s, &err), err);
    cobloc_select_options_free(o);
    assert_string_equal(cobloc_text(s, "curve[0].model"), "itcc");
    assert_string_equal(cobloc_text(s, "curve[0].result.model"), "itcc");
    cobloc_selection_free(s);
    cobloc_matrix_free(m);
}

static void tables_have_a_shape(void **state)
{
    (void)state;
    int64_t shape[2] = {0, 0};
    cobloc_matrix *m = random_matrix(3, 6, 5, 0.8, COBLOC_U8, NAMES_NONE);
    cobloc_result *r = must_fit(m);
    assert_int_equal(cobloc_shape(r, shape, "row_labels"), 1);
    assert_int_equal(shape[0], 6);
    assert_int_equal(cobloc_shape(r, shape, "row_rule"), 2);
    assert_int_equal(shape[0], 2);
    assert_int_equal(shape[1], 4);
    assert_int_equal(cobloc_shape(r, shape, "k"), 0);
    assert_int_equal(cobloc_shape(r, shape, "nothing"), 0);
    cobloc_result_free(r);
    cobloc_matrix_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_check_their_arrays),
        cmocka_unit_test(boxes_check_their_arrays),
        cmocka_unit_test(ensembles_check_their_arrays),
        cmocka_unit_test(selections_keep_their_models),
        cmocka_unit_test(tables_have_a_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
