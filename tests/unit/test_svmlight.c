/* svmlight files.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include <zlib.h>

static void expect(const char *text, int64_t rows, int64_t cols, const double *table,
                   const char *const *labels)
{
    cobloc_matrix *matrix = must_read(test_text("good.svm", text), "svmlight");
    assert_dense(matrix, rows, cols, table);
    assert_int_equal(matrix->row_labels.count, labels ? rows : 0);
    for (int64_t i = 0; labels && i < rows; i++)
        assert_string_equal(cobloc_matrix_row_label(matrix, i), labels[i]);
    cobloc_matrix_free(matrix);
}

static void good_files(void **state)
{
    const double table[] = {1, 0, 2.5, 0, 0, 0, 0, 4, 0};
    const char *const labels[] = {"+1", "-1", "0.5"};
    static const char *const same[] = {
        "+1 1:1 3:2.5\n-1\n0.5 2:4\n",
        "+1 1:1 3:2.5\n-1\n0.5 2:4",
        "+1 1:1 3:2.5\r\n-1\r\n0.5 2:4\r\n",
        "# a comment\n\n  \t\n+1 1:1 3:2.5 # the first\n-1 #\n #another\n\n0.5  2:4\t\n\n# the end",
        "+1 qid:7 1:1 3:2.5\n-1 qid:7\n0.5 qid:8 2:4#close\n",
        "  +1\t3:25e-1\t1:1e0 \n -1 2:0\n0.5 2:1 2:3\n",
    };
    (void)state;
    for (size_t s = 0; s < sizeof same / sizeof *same; s++)
        expect(same[s], 3, 3, table, labels);
}

static void counting_from(void **state)
{
    const double from_zero[] = {0, 1, 2, 0, 0, 0}, from_one[] = {1, 0, 0, 2};
    const char *const labels[] = {"1", "2"};
    (void)state;
    expect("1 1:1 2:2\n2 0:0\n", 2, 3, from_zero, labels);
    expect("1 1:1\n2 2:2\n", 2, 2, from_one, labels);
}

static void kinds_of_labels(void **state)
{
    const double table[] = {1, 0, 2};
    const char *const several[] = {"1,3", "", "2,-4.5,1e2"};
    (void)state;
    expect("1,3 1:1\n  1:0\n2,-4.5,1e2 1:2\n", 3, 1, table, several);
    expect("1:1\n1:0\n1:2\n", 3, 1, table, NULL);
}

static void our_own_header(void **state)
{
    const double table[] = {1, 0, 0, 0, 0, 0};
    const char *const labels[] = {"0", "0"};
    (void)state;
    expect("# cobloc: 2 rows, 3 columns\n0 1:1\n0\n", 2, 3, table, labels);
    expect("# cobloc: 2 rows, 3 columns, no labels\r\n0 1:1\r\n0\r\n", 2, 3, table, NULL);
    expect("#cobloc is good\n0 1:1 3:0\n0\n", 2, 3, table, labels);
}

static void broken_files(void **state)
{
    static const struct {
        const char *text;
        const char *part;
    } broken[] = {
        {"1 1:1\n\nspam 1:2\n", "bad.svm:3: the label is 'spam', expected a number"},
        {"1, 1:2\n", ":1: the label is '1,'"},
        {"nan 1:2\n", ":1: the label is 'nan'"},
        {"1 1:2\n# c\n2 x\n", ":3: found 'x', expected 'index:value'"},
        {"1 2\n", ":1: found '2'"},
        {"1 1:\n", ":1: found '1:'"},
        {"1 :1\n", ":1: found ':1'"},
        {"1 1:2:3\n", ":1: found '1:2:3'"},
        {"1 1 :2\n", ":1: found '1'"},
        {"1 -1:2\n", ":1: found '-1:2'"},
        {"1 1.5:2\n", ":1: found '1.5:2'"},
        {"1 1:0x10\n", ":1: found '1:0x10'"},
        {"1 qid:x 1:2\n", ":1: found 'qid:x'"},
        {"1 1:2 qid:1\n", ":1: found 'qid:1'"},
        {"1 99999999999999999999:2\n", ":1: found '99999999999999999999:2'"},
        {"1 2147483647:2\n", ":1: column 2147483647 is out of range"},
        {"1 1:nan\n", ":1: the value is not a number"},
        {"1 1:1e999\n", ":1: the value is infinite"},
        {"1\n2\n", "bad.svm: holds no 'index:value' at all"},
        {"# nothing\n", "holds no 'index:value' at all"},
        {"1 2147483646:1\n", "the shape is implausible"},
        {"# cobloc: 2 rows\n1 1:1\n", ":1: the first line is not as cobloc writes it"},
        {"# cobloc: 2 rows, 3 columns, few labels\n1 1:1\n", ":1: the first line"},
        {"# cobloc: 2 rows, 3 columns\n1 1:1\n", "holds 1 rows, expected the 2 of its first line"},
        {"# cobloc: 1 rows, 3 columns\n1 1:1\n2\n", "holds 2 rows, expected the 1"},
        {"# cobloc: 1 rows, 3 columns\n1 1:1\n2 1:1\n",
         ":3: row 2 is out of range, expected 1 to 1"},
        {"# cobloc: 1 rows, 3 columns\n1 4:1\n", ":2: column 4 is out of range, expected 1 to 3"},
        {"# cobloc: 1 rows, 3 columns\n1 0:1\n", ":2: column 0 is out of range"},
        {"# cobloc: 0 rows, 3 columns\n", ":1: the matrix is 0 by 3"},
    };
    (void)state;
    for (size_t b = 0; b < sizeof broken / sizeof *broken; b++)
        assert_refused(test_text("bad.svm", broken[b].text), "svmlight", COBLOC_BAD_DATA,
                       broken[b].part);
    assert_refused(test_file("nul.svm", "1 1:1\n1 1:1\0 2:2\n", 17), "svmlight", COBLOC_BAD_DATA,
                   "nul.svm:2: holds a NUL byte");
    assert_refused(test_file("nul.svm", "1 1:1\n\0\n", 8), "svmlight", COBLOC_BAD_DATA,
                   "nul.svm:2: the label is ''");
    assert_refused(test_text("none.svm", ""), "svmlight", COBLOC_BAD_DATA, "none.svm: holds no");
}

/* What the content alone must tell. */
static void recognition(void **state)
{
    static const char *const ours[] = {
        "1 1:0.5 7:2\n-1 2:1\n",
        "0 3:1 4:1\n1 2:1\n",
        "# first\n1 qid:1 1:2 # c\n",
        "# cobloc: 2 rows, 3 columns\n1\n1\n",
        "# cobloc: 1 rows, 1 columns\n1 1:1\n",
        "1,2 1:1\n",
        "-1 1:2", /* not the number of pairs */
    };
    static const char *const others[] = {"1 2 3\n4 5 6\n", "1\n2\n", "a:1 b:2\n",   "1 1:2 x\n",
                                         "x 1:2\n",        "#\n",    "1 1:2\n3;4\n"};
    (void)state;
    for (size_t o = 0; o < sizeof ours / sizeof *ours; o++)
        cobloc_matrix_free(must_read(test_text("file.data", ours[o]), NULL));
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_matrix *matrix = NULL;
        cobloc_matrix_read(test_text("file.data", others[o]), NULL, &matrix, &err);
        cobloc_matrix_free(matrix);
        assert_null(
            strstr(err.message, "index:value")); /* another format's reader spoke, or none */
    }
}

/* A first line that is longer than what recognition sees, and than one block. */
static void long_lines(void **state)
{
    enum { PAIRS = 250000 };
    char *text = malloc(PAIRS * 12 + 64), *p = text + sprintf(text, "-1");
    (void)state;
    for (int i = 1; i <= PAIRS; i++)
        p += sprintf(p, " %d:%d", i, i % 7 + 1);
    sprintf(p, "\n1 1:1\n");
    cobloc_matrix *matrix = must_read(test_text("long.data", text), NULL);
    assert_int_equal(cobloc_matrix_rows(matrix), 2);
    assert_int_equal(cobloc_matrix_cols(matrix), PAIRS);
    assert_int_equal(cobloc_matrix_nnz(matrix), PAIRS + 1);
    cobloc_matrix_free(matrix);
    free(text);
}

/* Several blocks, parsed by several threads, with lines that are no rows in between. */
static void many_blocks(void **state)
{
    enum { ROWS = 150000 };
    char *text = malloc(ROWS * 64), *p = text, label[16];
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        if (i % 5 == 0)
            p += sprintf(p, i % 2 ? "\n" : "# between 3:4\n");
        p += sprintf(p, "%d %d:%d %d:1.5\n", i, i % 11 + 1, i % 3 + 1, i % 13 + 20);
    }
    for (int threads = 1; threads <= 4; threads++) {
        cobloc_error err;
        cobloc_matrix *matrix = NULL;
        cobloc_io_options options;
        cob_io_options_default(&options);
        options.threads = threads;
        assert_ok(cobloc_matrix_read(test_text("many.svm", text), &options, &matrix, &err), err);
        assert_int_equal(cobloc_matrix_rows(matrix), ROWS);
        assert_int_equal(cobloc_matrix_cols(matrix), 32);
        cobloc_view view = cobloc_matrix_by_rows(matrix);
        for (int i = 0; i < ROWS; i++) {
            snprintf(label, sizeof label, "%d", i);
            assert_string_equal(cobloc_matrix_row_label(matrix, i), label);
            assert_int_equal(view.offsets[i], 2 * i);
            assert_int_equal(view.indices[2 * i], i % 11);
            assert_true(cobloc_view_value(&view, 2 * i) == i % 3 + 1);
            assert_int_equal(view.indices[2 * i + 1], i % 13 + 19);
        }
        cobloc_matrix_free(matrix);
    }
    strcpy(p, "1 1:1\nwrong\n");
    assert_refused(test_text("many.svm", text), "svmlight", COBLOC_BAD_DATA,
                   "many.svm:180002: the label is 'wrong'");
    free(text);
}

static void compressed(void **state)
{
    static const char text[] = "# c\n3 1:1\n4 2:2\n";
    const double table[] = {1, 0, 0, 2};
    const char *path = test_path("packed.svm.gz");
    (void)state;
    gzFile file = gzopen(path, "wb");
    assert_int_equal(gzwrite(file, text, sizeof text - 1), sizeof text - 1);
    assert_int_equal(gzclose(file), Z_OK);
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_dense(matrix, 2, 2, table);
    assert_string_equal(cobloc_matrix_row_label(matrix, 1), "4");
    cobloc_matrix_free(matrix);
}

static void check_labels_back(cobloc_matrix *made, const char *const *label, int count)
{
    cobloc_error err;
    for (int64_t i = 0; i < made->rows; i++) {
        const char *text = label[i % count];
        assert_ok(cob_names_add(&made->row_labels, text, strlen(text), &err), err);
    }
    const char *path = test_path("labelled.svm");
    assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
    cobloc_matrix *back = must_read(path, NULL);
    assert_same_matrix(made, back);
    cobloc_matrix_free(made);
    cobloc_matrix_free(back);
}

static void round_trips(void **state)
{
    static const char *const label[] = {"0", "-1", "+2", "1.50", "3,1", "1e9"};
    static const char *const zero[] = {"0"};
    (void)state;
    check_round_trip("a.svm", COBLOC_F64, NAMES_NONE);
    check_round_trip("b.svm.gz", COBLOC_F64, NAMES_NONE);
    check_labels_back(random_matrix(1, 40, 9, 0.2, COBLOC_F64, NAMES_NONE), label, 6);
    check_labels_back(random_matrix(2, 1, 1, 1, COBLOC_U8, NAMES_NONE), label + 5, 1);
    check_labels_back(random_matrix(3, 5, 5, 0.1, COBLOC_ONES, NAMES_NONE), zero, 1);

    /* Empty rows and columns everywhere. */
    cobloc_error err;
    cobloc_matrix *made = NULL;
    assert_ok(cobloc_matrix_from_triples(4, 6, 0, NULL, NULL, NULL, &made, &err), err);
    check_labels_back(made, zero, 1);
    const int32_t row = 1, col = 2;
    assert_ok(cobloc_matrix_from_triples(4, 6, 1, &row, &col, NULL, &made, &err), err);
    check_labels_back(made, label, 2);
}

static void labels_it_cannot_hold(void **state)
{
    static const char *const label[] = {"spam", "two words", "",    "1 ", " 1",
                                        "1:2",  "nan",       "1\n", "1#"};
    cobloc_error err;
    (void)state;
    for (size_t l = 0; l < sizeof label / sizeof *label; l++) {
        cobloc_matrix *matrix = random_matrix(1, 2, 2, 0.5, COBLOC_U8, NAMES_NONE);
        const char *const labels[] = {"1", label[l]};
        assert_ok(cobloc_matrix_set_row_labels(matrix, labels, &err), err);
        cobloc_status status = cobloc_matrix_write(matrix, test_path("bad.svm"), NULL, &err);
        assert_int_equal(status, COBLOC_UNSUPPORTED);
        assert_non_null(strstr(err.message, "bad.svm: the label of row 2 is '"));
        cobloc_matrix_free(matrix);
    }
}

static void failing_allocations(void **state)
{
    (void)state;
    check_failing_allocations(test_text("small.svm", "1 1:1 3:0.5\n2\n3 2:4\n"), NULL);
    check_failing_allocations(test_text("ours.svm", "# cobloc: 1 rows, 3 columns\n1 1:1 3:5\n"),
                              NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files),
        cmocka_unit_test(counting_from),
        cmocka_unit_test(kinds_of_labels),
        cmocka_unit_test(our_own_header),
        cmocka_unit_test(broken_files),
        cmocka_unit_test(recognition),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(many_blocks),
        cmocka_unit_test(compressed),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(labels_it_cannot_hold),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("svmlight", tests, NULL, NULL);
}
