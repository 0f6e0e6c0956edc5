/* Labels from files: numbered, matched by name or by order; arrays of options from files; any input
 * by its content. What is expected was worked out by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "support.h"

static cobloc_labels *must_read_labels(const char *text)
{
    cobloc_error err;
    cobloc_labels *labels = NULL;
    assert_ok(cobloc_labels_read(test_text("labels", text), &labels, &err), err);
    return labels;
}

static void assert_labels(const cobloc_labels *labels, int64_t count, const int32_t *expected)
{
    int64_t found;
    const int32_t *values = cobloc_ints(labels, &found, "labels");
    assert_int_equal(found, count);
    assert_memory_equal(values, expected, (size_t)count * sizeof *expected);
}

/* Numbers come by size, then names by the alphabet. */
static void labels_are_numbered(void **state)
{
    (void)state;
    cobloc_labels *labels = must_read_labels("b\n10\n\n9\na\n?\n-1\nNA\n9\n");
    assert_labels(labels, 9, (const int32_t[]){3, 1, -1, 0, 2, -1, -1, -1, 0});
    assert_int_equal(cobloc_count(labels, "class_names"), 4);
    assert_string_equal(cobloc_text(labels, "class_names[0]"), "9");
    assert_string_equal(cobloc_text(labels, "class_names[3]"), "b");
    cobloc_labels_free(labels);
}

static void tables_are_read(void **state)
{
    (void)state;
    cobloc_labels *labels = must_read_labels("name,size,class\r\n\"x, y\",3,red\nz,4,blue\n");
    assert_labels(labels, 2, (const int32_t[]){1, 0});
    cobloc_labels_free(labels);
    labels = must_read_labels("name\tcluster\na\\tb\t1\nc\t0\n");
    assert_labels(labels, 2, (const int32_t[]){1, 0});
    cobloc_labels_free(labels);
}

static void must_refuse(const char *text, size_t size, const char *part)
{
    cobloc_error err;
    cobloc_labels *labels = NULL;
    const char *path = test_file("labels", text, size);
    if (cobloc_labels_read(path, &labels, &err) != COBLOC_BAD_DATA || !strstr(err.message, part))
        fail_msg("%s", err.message);
    assert_null(labels);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_labels *labels = NULL;
    assert_int_equal(cobloc_labels_read("no such file", &labels, &err), COBLOC_IO);
    must_refuse("a\0b\n", 4, "zero byte");
    must_refuse("\xFF\xFE"
                "a",
                3, "UTF-16");
    must_refuse("name\tsize\n", 10, "no 'cluster', 'label' or 'class'");
    must_refuse("name\tclass\nx\n", 13, ":2: has 1 field");
}

static cobloc_matrix *named_matrix(void)
{
    static const char *const names[] = {"x", "y", "z"};
    cobloc_matrix *m = random_matrix(1, 3, 4, 0.9, COBLOC_U8, NAMES_NONE);
    cobloc_error err;
    assert_ok(cobloc_matrix_set_row_names(m, names, &err), err);
    return m;
}

static void labels_are_matched(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = named_matrix();
    cobloc_labels *labels = must_read_labels("name\tclass\nz\tlow\nw\thigh\nx\tmid\n");
    assert_ok(cobloc_labels_match_rows(labels, m, &err), err);
    assert_labels(labels, 3, (const int32_t[]){1, -1, 0}); /* high is of nobody here */
    assert_int_equal(cobloc_count(labels, "class_names"), 2);
    assert_non_null(strstr(cobloc_text(labels, "note"), "'w'"));
    assert_non_null(strstr(cobloc_text(labels, "note"), "'y'"));
    cobloc_labels_free(labels);
    labels = must_read_labels("a\nb\n\n"); /* the last one may count */
    assert_ok(cobloc_labels_match_rows(labels, m, &err), err);
    assert_labels(labels, 3, (const int32_t[]){0, 1, -1});
    assert_int_equal(cobloc_labels_match_cols(labels, m, &err), COBLOC_BAD_DATA);
    cobloc_labels_free(labels);
    labels = must_read_labels("name\tclass\nx\t1\nx\t2\n");
    assert_int_equal(cobloc_labels_match_rows(labels, m, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "stands twice"));
    cobloc_labels_free(labels);
    cobloc_matrix_free(m);
}

static void own_labels_are_found(void **state)
{
    static const char *const texts[] = {"b", "a", "b"};
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = named_matrix();
    cobloc_labels *labels = NULL;
    assert_ok(cobloc_labels_own(m, &labels, &err), err);
    assert_int_equal(cobloc_int(labels, "count"), 0);
    cobloc_labels_free(labels);
    assert_ok(cobloc_matrix_set_row_labels(m, texts, &err), err);
    assert_ok(cobloc_labels_own(m, &labels, &err), err);
    assert_labels(labels, 3, (const int32_t[]){1, 0, 1});
    assert_int_equal(cobloc_labels_match_rows(labels, m, &err), COBLOC_BAD_ARGUMENT);
    cobloc_matrix_free(m);
    assert_string_equal(cobloc_text(labels, "class_names[1]"), "b");
    cobloc_labels_free(labels);
}

static void allocations_may_fail(void **state)
{
    (void)state;
    cobloc_matrix *m = named_matrix();
    const char *path = test_text("labels", "name\tclass\nz\tlow\nw\thigh\nx\tmid\n");
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_labels *labels = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_labels_read(path, &labels, &err);
        if (status == COBLOC_OK)
            status = cobloc_labels_match_rows(labels, m, &err);
        failed = allocation_failed(k, status, &err, 8);
        cobloc_labels_free(labels);
    }
    cobloc_matrix_free(m);
}

/* ---- arrays of options from files ------------------------------------------------------------ */

static void options_take_files(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_fit_options *fit = NULL;
    cobloc_text_options *text = NULL;
    assert_ok(cobloc_fit_options_new(&fit, &err), err);
    assert_ok(cobloc_text_options_new(&text, &err), err);
    assert_ok(cobloc_set_file(fit, "fix_rows", test_text("f", "2\n-1\n0\n"), &err), err);
    assert_int_equal(cobloc_count(fit, "fix_rows"), 3);
    assert_int_equal(cobloc_int(fit, "fix_rows[1]"), -1);
    assert_ok(cobloc_set_file(fit, "row_effects", test_text("f", "0.5\n2e3\n"), &err), err);
    assert_true(cobloc_real(fit, "row_effects[1]") == 2000);
    assert_int_equal(cobloc_set_file(fit, "fix_rows", test_text("f", "2\n0.5\n"), &err),
                     COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, ":2: '0.5' is not a whole number"));
    assert_int_equal(cobloc_count(fit, "fix_rows"), 3);
    assert_int_equal(cobloc_set_file(fit, "row_effects", test_text("f", "two\n"), &err),
                     COBLOC_BAD_DATA);
    assert_int_equal(cobloc_set_file(fit, "k", test_text("f", "2\n"), &err), COBLOC_BAD_ARGUMENT);
    assert_ok(cobloc_set_file(text, "vocabulary", test_text("f", "name\tcluster\nsea\t0\n"), &err),
              err);
    assert_string_equal(cobloc_text(text, "vocabulary[0]"), "sea");
    cobloc_fit_options_free(fit);
    cobloc_text_options_free(text);
}

static void texts_are_checked(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_select_options *o = NULL;
    assert_ok(cobloc_select_options_new(&o, &err), err);
    assert_int_equal(cobloc_set_text(o, "fit.model", "cocluz", &err), COBLOC_BAD_ARGUMENT);
    assert_int_equal(cobloc_set_text(o, "models", "lbm,cocluz", &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "'cocluz'"));
    assert_string_equal(cobloc_text(o, "fit.model"), "auto");
    assert_int_equal(cobloc_count(o, "models"), 0);
    cobloc_select_options_free(o);
}

/* ---- any input ------------------------------------------------------------------------------- */

static void input_is_recognised(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = NULL;
    cobloc_text_info *info = NULL;
    cobloc_text_options *text = NULL;
    const char *mtx = "%%MatrixMarket matrix coordinate integer general\n1 2 1\n1 2 5\n";
    assert_ok(cobloc_read(test_text("a.mtx", mtx), NULL, NULL, &m, &info, &err), err);
    assert_null(info);
    assert_int_equal(cobloc_matrix_cols(m), 2);
    cobloc_matrix_free(m);
    assert_ok(cobloc_text_options_new(&text, &err), err);
    assert_ok(cobloc_set_text(text, "language", "none", &err), err);
    assert_ok(cobloc_set_int(text, "min_df", 1, &err), err);
    assert_ok(cobloc_set_int(text, "max_df", 1, &err), err);
    assert_ok(cobloc_read(test_text("a.jsonl", "{\"text\": \"red sea\"}\n{\"text\": \"sea\"}\n"),
                          NULL, text, &m, &info, &err),
              err);
    assert_int_equal(cobloc_int(info, "terms"), 2);
    cobloc_matrix_free(m);
    cobloc_text_info_free(info);
    assert_ok(cobloc_set_text(text, "corpus", "lines", &err), err);
    assert_ok(cobloc_read(test_text("a.txt", "red sea\nblue sea\n"), NULL, text, &m, &info, &err),
              err);
    assert_int_equal(cobloc_matrix_rows(m), 2);
    cobloc_matrix_free(m);
    cobloc_text_info_free(info);
    cobloc_text_options_free(text);
    assert_int_equal(cobloc_read("no such file", NULL, NULL, &m, NULL, &err), COBLOC_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_numbered),   cmocka_unit_test(tables_are_read),
        cmocka_unit_test(bad_files_are_refused), cmocka_unit_test(labels_are_matched),
        cmocka_unit_test(own_labels_are_found),  cmocka_unit_test(allocations_may_fail),
        cmocka_unit_test(options_take_files),    cmocka_unit_test(texts_are_checked),
        cmocka_unit_test(input_is_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
