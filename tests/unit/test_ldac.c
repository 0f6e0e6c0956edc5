/* LDA-C files.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* mkdir */
#include "support.h"

#include <sys/stat.h>

static const double table[] = {2, 0, 1, 0, 0, 0, 0, 3, 0};

static void good_files(void **state)
{
    static const char *const same[] = {
        "2 0:2 2:1\n0\n1 1:3\n",         "2 0:2 2:1\n0\n1 1:3",
        "2 0:2 2:1\r\n0\r\n1 1:3\r\n",   "\n 2\t2:1  0:2 \n\n0 \n2 1:1 1:2\n\n",
        "2 0:2 2:1.0\n1 1:0\n1 1:3e0\n",
    };
    (void)state;
    for (size_t s = 0; s < sizeof same / sizeof *same; s++) {
        cobloc_matrix *matrix = must_read(test_text("good.ldac", same[s]), NULL);
        assert_dense(matrix, 3, 3, table);
        assert_int_equal(cobloc_matrix_kind(matrix), COBLOC_U8);
        cobloc_matrix_free(matrix);
    }
}

static void broken_files(void **state)
{
    static const struct {
        const char *text;
        const char *part;
    } broken[] = {
        {"1 0:1\n\n2 0:1\n", "bad.ldac:3: holds 1 pairs, expected the 2 it begins with"},
        {"1 0:1 1:1\n", ":1: holds 2 pairs, expected the 1"},
        {"0:1\n", ":1: found '0:1', expected the number of pairs"},
        {"-1 0:1\n", ":1: found '-1', expected the number"},
        {"1.0 0:1\n", ":1: found '1.0', expected the number"},
        {"1 0:1\nx\n", ":2: found 'x', expected the number"},
        {"1 x:1\n", ":1: found 'x:1', expected 'term:count'"},
        {"1 0\n", ":1: found '0', expected 'term:count'"},
        {"1 0:\n", ":1: found '0:'"},
        {"1 -1:1\n", ":1: found '-1:1'"},
        {"1 3:2.5\n", ":1: the count of term 3 is 2.5, expected a whole number"},
        {"1 0:-2\n", ":1: the count of term 0 is -2, expected a whole number from 0 on"},
        {"1 0:nan\n", ":1: the value is not a number"},
        {"1 0:inf\n", ":1: the value is infinite"},
        {"1 2147483647:1\n", ":1: column 2147483647 is out of range"},
        {"1 2147483646:1\n", "the shape is implausible"},
        {"0\n0\n", "bad.ldac: holds no 'term:count' at all"},
        {"", "holds no 'term:count' at all"},
    };
    (void)state;
    for (size_t b = 0; b < sizeof broken / sizeof *broken; b++)
        assert_refused(test_text("bad.ldac", broken[b].text), "ldac", COBLOC_BAD_DATA,
                       broken[b].part);
    assert_refused(test_file("nul.ldac", "1 0:1\n1 0:1\0\n", 13), "ldac", COBLOC_BAD_DATA,
                   "nul.ldac:2: holds a NUL byte");
}

/* The number of columns comes from the list of terms beside the file. */
static void lists_of_terms(void **state)
{
    const double wide[] = {2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0};
    (void)state;
    assert_int_equal(mkdir(test_path("ap"), 0700), 0);
    test_text("ap/vocab.txt", "a\nb\nc\nd\ne\n");
    const char *path = test_text("ap/ap.dat", "2 0:2 2:1\n0\n1 0:3\n");
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_dense(matrix, 3, 5, wide);
    assert_string_equal(cobloc_matrix_col_name(matrix, 4), "e");
    cobloc_matrix_free(matrix);

    test_text("ap/ap.terms.txt", "x\ny\nz\n"); /* its own list goes first */
    matrix = must_read(path, NULL);
    assert_int_equal(cobloc_matrix_cols(matrix), 3);
    assert_string_equal(cobloc_matrix_col_name(matrix, 2), "z");
    cobloc_matrix_free(matrix);
    test_text("ap/ap.terms.txt", "x\ny\n");
    assert_refused(path, NULL, COBLOC_BAD_DATA, "ap.dat: holds term 2, but the list of terms");

    path = test_text("ap/other.dat", "1 7:1\n"); /* vocab.txt is too short to be of this file */
    matrix = must_read(path, NULL);
    assert_int_equal(cobloc_matrix_cols(matrix), 8);
    assert_null(cobloc_matrix_col_name(matrix, 0));
    cobloc_matrix_free(matrix);
}

static const char *format_of(const char *text)
{
    static char message[512];
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *matrix = NULL;
    cobloc_matrix_read(test_text("what.data", text), NULL, &matrix, &err);
    snprintf(message, sizeof message, "%s",
             !matrix                    ? "none"
             : matrix->row_labels.count ? "svm"
                                        : "");
    cobloc_matrix_free(matrix);
    return message;
}

/* The same lines mean another matrix as svmlight: only the numbers of pairs tell. */
static void recognition(void **state)
{
    (void)state;
    assert_string_equal(format_of("2 0:2 2:1\n0\n1 1:3\n"), "");
    assert_string_equal(format_of("1 1:3\n"), "");
    assert_string_equal(format_of("1 0:1 1:1\n2 0:1 1:1\n"), "svm");
    assert_string_equal(format_of("2 0:1 1:0.5\n"), "svm");
    assert_string_equal(format_of("# c\n2 0:1 1:5\n"), "svm");
    assert_string_equal(format_of("2 0:1 1:5 x\n"), "none");
}

/* A first line that is longer than what recognition sees. */
static void long_lines(void **state)
{
    enum { PAIRS = 20000 };
    char *text = malloc(PAIRS * 12 + 64), *p = text + sprintf(text, "%d", PAIRS);
    (void)state;
    for (int i = 0; i < PAIRS; i++)
        p += sprintf(p, " %d:%d", i, i % 7 + 1);
    sprintf(p, "\n1 0:1\n");
    cobloc_matrix *matrix = must_read(test_text("long.data", text), NULL);
    assert_int_equal(cobloc_matrix_cols(matrix), PAIRS);
    assert_int_equal(cobloc_matrix_nnz(matrix), PAIRS + 1);
    assert_null(
        cobloc_matrix_row_label(matrix, 0)); /* svmlight would have made one of the number */
    cobloc_matrix_free(matrix);
    free(text);
}

static void many_blocks(void **state)
{
    enum { ROWS = 200000 };
    char *text = malloc(ROWS * 32), *p = text;
    (void)state;
    for (int i = 0; i < ROWS; i++)
        p += sprintf(p, i % 4 ? "2 %d:%d 17:2\n%s" : "0\n", i % 11, i % 3 + 1, i % 6 ? "" : "\n");
    for (int threads = 1; threads <= 3; threads++) {
        cobloc_error err;
        cobloc_matrix *matrix = NULL;
        cobloc_io_options options;
        cob_io_options_default(&options);
        options.threads = threads;
        assert_ok(cobloc_matrix_read(test_text("many.ldac", text), &options, &matrix, &err), err);
        assert_int_equal(cobloc_matrix_rows(matrix), ROWS);
        cobloc_view view = cobloc_matrix_by_rows(matrix);
        for (int i = 0; i < ROWS; i++) {
            int64_t first = view.offsets[i];
            assert_int_equal(view.offsets[i + 1] - first, i % 4 ? 2 : 0);
            if (i % 4) {
                assert_int_equal(view.indices[first], i % 11);
                assert_true(cobloc_view_value(&view, first) == i % 3 + 1);
            }
        }
        cobloc_matrix_free(matrix);
    }
    free(text);
}

static void round_trips(void **state)
{
    (void)state;
    check_round_trip("a.ldac", COBLOC_U32, NAMES_NASTY);
    check_round_trip("b.ldac.gz", COBLOC_U32, NAMES_NASTY);

    /* Counts too large for 32 bits; a last column that only its name knows of. */
    cobloc_error err;
    cobloc_matrix *made = NULL;
    const int32_t row[] = {0, 1}, col[] = {1, 0};
    const double value[] = {9007199254740992.0, 3};
    const char *const names[] = {"a", "b", "c"};
    assert_ok(cobloc_matrix_from_triples(3, 3, 2, row, col, value, &made, &err), err);
    assert_ok(cobloc_matrix_set_col_names(made, names, &err), err);
    assert_ok(cobloc_matrix_write(made, test_path("named.ldac"), NULL, &err), err);
    cobloc_matrix *back = must_read(test_path("named.ldac"), NULL);
    assert_same_matrix(made, back);
    cobloc_matrix_free(made);
    cobloc_matrix_free(back);
}

static void cannot_write(int64_t cols, int64_t entries, double value, const char *part)
{
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    const int32_t row = 0, col = 1;
    assert_ok(cobloc_matrix_from_triples(2, cols, entries, &row, &col, &value, &matrix, &err), err);
    cobloc_status status = cobloc_matrix_write(matrix, test_path("no.ldac"), NULL, &err);
    assert_int_equal(status, COBLOC_UNSUPPORTED);
    if (!strstr(err.message, part))
        fail_msg("got \"%s\", expected \"%s\"", err.message, part);
    cobloc_matrix_free(matrix);
}

static void matrices_it_cannot_hold(void **state)
{
    (void)state;
    cannot_write(2, 1, 0.5, "no.ldac: the matrix holds the value 0.5, but LDA-C holds only counts");
    cannot_write(2, 1, 1e150, "holds the value 1e+150");
    cannot_write(3, 1, 2, "no.ldac: the last column is empty and the columns have no names");
    cannot_write(2, 0, 2, "the last column is empty");
}

static void failing_allocations(void **state)
{
    (void)state;
    check_failing_allocations(test_text("small.ldac", "2 0:1 2:5\n0\n1 1:4\n"), NULL);
    test_text("listed.terms.txt", "a\nb\nc\nd\n");
    check_failing_allocations(test_text("listed.ldac", "2 0:1 2:5\n0\n1 1:4\n"), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),          cmocka_unit_test(broken_files),
        cmocka_unit_test(lists_of_terms),      cmocka_unit_test(recognition),
        cmocka_unit_test(long_lines),          cmocka_unit_test(many_blocks),
        cmocka_unit_test(round_trips),         cmocka_unit_test(matrices_it_cannot_hold),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("ldac", tests, NULL, NULL);
}
