/* CLUTO matrices.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

/* ---- good files ------------------------------------------------------------------------------ */

typedef struct good {
    const char *what;
    const char *text;
    int64_t rows, cols;
    double dense[9];
} good;

/* clang-format off */
static const good good_files[] = {
    {"sparse", "2 3 3\n1 1.5 3 2\n2 7\n", 2, 3, {1.5, 0, 2, 0, 7, 0}},
    {"sparse, any order", "1 3 3\n3 1 1 2 2 5\n", 1, 3, {2, 5, 1}},
    {"sparse, an empty row", "3 2 2\n1 1\n\n2 4\n", 3, 2, {1, 0, 0, 0, 0, 4}},
    {"sparse, empty rows at both ends", "4 2 1\n \n2 9\n\n\n", 4, 2, {0, 0, 0, 9, 0, 0, 0, 0}},
    {"sparse, no entries", "2 2 0\n\n\n", 2, 2, {0}},
    {"sparse, trailing blank lines", "1 2 1\n2 3\n\n \n\t\n", 1, 2, {0, 3}},
    {"sparse, CRLF", "3 2 2\r\n1 1\r\n\r\n2 4\r\n", 3, 2, {1, 0, 0, 0, 0, 4}},
    {"sparse, no final newline", "2 2 2\n1 1\n2 4", 2, 2, {1, 0, 0, 4}},
    {"sparse, blanks", " 2\t2  2 \n  1   1 \n\t2\t4\t\n", 2, 2, {1, 0, 0, 4}},
    {"sparse, zeros are entries of the file", "1 3 3\n1 0 2 5 3 0.0\n", 1, 3, {0, 5, 0}},
    {"sparse, duplicates", "1 2 3\n2 1 1 4 2 2.5\n", 1, 2, {4, 3.5}},
    {"sparse, one column", "2 1 2\n1 3\n1 4\n", 2, 1, {3, 4}},
    {"dense", "2 3\n1 0 2.5\n0 1e2 3\n", 2, 3, {1, 0, 2.5, 0, 100, 3}},
    {"dense, two columns", "3 2\n1 2\n3 4\n0 0\n", 3, 2, {1, 2, 3, 4, 0, 0}},
    {"dense, one column", "3 1\n1\n0\n3\n", 3, 1, {1, 0, 3}},
    {"dense, CRLF", "2 3\r\n1 0 2\r\n0 1 3\r\n", 2, 3, {1, 0, 2, 0, 1, 3}},
    {"dense, no final newline", "2 3\n1 0 2\n0 1 3", 2, 3, {1, 0, 2, 0, 1, 3}},
    {"dense, trailing blank lines", "2 2\n1 0\n0 1\n\n  \n", 2, 2, {1, 0, 0, 1}},
};
/* clang-format on */

static void reads_good_files(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof good_files / sizeof *good_files; g++) {
        const good *file = &good_files[g];
        print_message("%s\n", file->what);
        cobloc_matrix *matrix = must_read(test_text("good.mat", file->text), NULL);
        assert_dense(matrix, file->rows, file->cols, file->dense);
        cobloc_matrix_free(matrix);
    }
}

static void reads_gzip(void **state)
{
    static const double expected[] = {1, 0, 0, 0, 0, 4};
    static const char text[] = "3 2 2\n1 1\n\n2 4\n";
    (void)state;
    gzip_file("packed.mat.gz", text, 9, "wb");
    const char *path = gzip_file("packed.mat.gz", text + 9, sizeof text - 10, "ab");
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_dense(matrix, 3, 2, expected);
    cobloc_matrix_free(matrix);
}

/* ---- recognition ----------------------------------------------------------------------------- */

static void recognises_by_content(void **state)
{
    static const char *const ours[] = {
        "2 3 1\n1 1\n\n",      "2 3 9\n1 1\n2 2\n", "1 3 1\n2 -1\n", "2 3 2\n1 1\n2 1\n3 1\n",
        "2 3\n1 2 3\n4 5 6\n", "2 2\n1 2\n3 4\n",   "2 3 0\n\n\n",   "1 4 2\n1 nan 2 2",
        "3 3\n1 2 3\n1 2 3\n",
    };
    static const char *const others[] = {
        "1 2 3\n1 3 4\n2 1 5\n", /* triples */
        "2 3 1\n4 1\n\n",        /* no such column */
        "2 3 1\n0 1\n\n",        "2 3 1\n1.0 1\n\n",
        "2 3 1\n1,1\n\n",        "2,3\n1,2\n",
        "2 3\n1 2\n3 4\n",       "1 2\n3 4\n5 6\n",
        "5 2\n1 2\n3 4\n",       "2 3 1\nx 1\n",
        "2 3 4 5\n1 1\n",        "2\n3\n",
        "2 3 1\n1 1x\n\n",       "a b\n1 2\n",
        "-2 3 1\n1 1\n",         "2 3 1",
        "2 3 1\n1 0x1\n1 1\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!recognised_as("cluto", ours[i]))
            fail_msg("expected to be recognised: %s", ours[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (recognised_as("cluto", others[i]))
            fail_msg("expected not to be recognised: %s", others[i]);
}

/* A first row longer than what recognition sees, and more empty rows than that. */
static void recognises_long_rows(void **state)
{
    enum { N = 70000 };
    char *text = malloc(N * 10);
    (void)state;
    for (int dense = 0; dense < 2; dense++) {
        int size = dense ? sprintf(text, "2 %d\n", N) : sprintf(text, "2 %d %d\n", N, N);
        for (int j = 1; j <= N; j++)
            size += dense ? sprintf(text + size, "%d ", j % 2) : sprintf(text + size, "%d 1 ", j);
        size += sprintf(text + size, "\n");
        for (int j = 1; dense && j <= N; j++)
            size += sprintf(text + size, "0 ");
        sprintf(text + size, "\n");
        cobloc_matrix *matrix = must_read(test_text("long.mat", text), NULL);
        assert_int_equal(cobloc_matrix_rows(matrix), 2);
        assert_int_equal(cobloc_matrix_cols(matrix), N);
        assert_int_equal(cobloc_matrix_nnz(matrix), dense ? N / 2 : N);
        cobloc_matrix_free(matrix);
    }
    int size = sprintf(text, "%d 1 1\n", N);
    memset(text + size, '\n', N);
    strcpy(text + size + N - 1, "1 8\n");
    cobloc_matrix *matrix = must_read(test_text("empty.mat", text), NULL);
    assert_true(cobloc_matrix_row_sums(matrix)[N - 1] == 8);
    assert_int_equal(cobloc_matrix_nnz(matrix), 1);
    cobloc_matrix_free(matrix);
    free(text);
}

/* ---- broken files ---------------------------------------------------------------------------- */

typedef struct broken {
    const char *text;
    size_t size;
    cobloc_status status;
    const char *part;
} broken;

/* clang-format off */
#define BAD(text, part) {text, sizeof(text) - 1, COBLOC_BAD_DATA, part}
#define UNSUPPORTED(text, part) {text, sizeof(text) - 1, COBLOC_UNSUPPORTED, part}

static const broken broken_files[] = {
    /* the first line */
    BAD("", ": the file is empty, expected a line of sizes"),
    BAD("\n2 2 0\n", ":1: the line starts with '', expected 'rows columns entries'"),
    BAD("2\n1\n", ":1: the line starts with '2', expected 'rows"),
    BAD("2 2 0 0\n\n\n", ":1: the line starts with"),
    BAD("-2 2 0\n\n\n", ":1: the line starts with '-2'"),
    BAD("2,2,0\n\n\n", ":1: the line starts with '2,2,0'"),
    BAD("2.0 2 0\n\n\n", ":1: the line starts with '2.0'"),
    BAD("x\n", ":1: the line starts with 'x'"),
    BAD("\xFF\xFE\x80\x01", ":1: the line starts with ''"),
    BAD("0 2 0\n", ":1: the matrix is 0 by 2"),
    BAD("2 0\n\n\n", ":1: the matrix is 2 by 0"),
    UNSUPPORTED("1 2147483648 1\n1 1\n", ":1: the matrix is 1 by 2147483648"),
    BAD("1 18446744073709551617 1\n1 1\n", ":1: the line starts with '1'"),
    BAD("1 2147483647 1\n1 1\n", ": 1 rows and 2147483647 columns for 1 entries"),
    BAD("999999999 2 1\n1 1\n", ": holds 1 rows, expected the 999999999"),
    /* how many */
    BAD("2 2 0", ": holds 0 rows, expected the 2 given in its first line"),
    BAD("3 2 2\n1 1\n2 2\n", ": holds 2 rows, expected the 3"),
    BAD("2 2 2\n1 1\n2 2\n1 1\n",
        ":4: found another row, expected no more than the 2 of the first line"),
    BAD("2 2 2\n1 1\n2 2\n\n\n x", ":6: found another row"),
    BAD("2 2 3\n1 1\n2 2\n", ": holds 2 entries, expected the 3 given in its first line"),
    BAD("2 2 1\n1 1\n2 2\n", ": holds 2 entries, expected the 1"),
    BAD("1 2 999999999999999\n1 1\n", ": holds 1 entries, expected the 9999"),
    BAD("3 2\n1 1\n2 2\n", ": holds 2 rows, expected the 3"),
    BAD("1 2\n1 1\n2 2\n", ":3: found another row"),
    BAD("2 3\n1 2 3\n1 2\n", ":3: the row has 2 numbers, expected 3"),
    BAD("2 3\n1 2 3\n\n", ":3: the row has 0 numbers, expected 3"),
    BAD("2 3\n1 2 3 4\n1 2 3\n", ":2: the row has more than the expected 3"),
    BAD("1000000 1000000\n1 2 3\n", ":2: the row has 3 numbers, expected 1000000"),
    /* pairs */
    BAD("2 2 2\n1 1\n2\n", ":3: found '' after column 2, expected its value"),
    BAD("1 2 1\n0 1\n", ":2: column 0 is out of range, expected 1 to 2"),
    BAD("2 2 1\n\n3 1\n", ":3: column 3 is out of range, expected 1 to 2"),
    BAD("1 2 1\n-1 1\n", ":2: column -1 is out of range"),
    BAD("1 2 1\n1.5 1\n", ":2: found '1.5', expected a column from 1 to 2"),
    BAD("1 2 1\n1:1\n", ":2: found '1:1', expected a column from 1 to 2"),
    BAD("1 2 2\n1 1,2 2\n", ":2: found '1,2' after column 1, expected its value"),
    BAD("1 2 1\nword 1\n", ":2: found 'word', expected a column"),
    BAD("1 2 1\n99999999999999999999 1\n", ":2: found '99999999999999999999'"),
    BAD("1 2 1\n1 nan\n", ":2: the value is not a number"),
    BAD("1 2 1\n1 1e999\n", ":2: the value is infinite"),
    BAD("1 2 1\n1 0x10\n", ":2: found '0x10' after column 1"),
    BAD("1 2 2\n1 1e308 1 1e308\n", ": duplicate entries sum to infinity"),
    BAD("2 2 2\n1 1\0\n2 2\n", ":2: holds a NUL byte, expected text"),
    BAD("2 2 1\n1 1\n\0\n", ":3: holds a NUL byte, expected text"),
    BAD("1 2 1\n1 1\n\0\0", ":3: holds a NUL byte, expected text"),
    BAD("1 2 1\n\x80\x81 1\n", ":2: found '', expected a column"),
    /* values */
    BAD("1 3\n1 x 3\n", ":2: found 'x', expected a number"),
    BAD("1 3\n1,2,3\n", ":2: found '1,2,3', expected a number"),
    BAD("2 2\n1 1\n1 -inf\n", ":3: the value is infinite"),
    BAD("2 2\n1 1\0\n1 1\n", ":2: holds a NUL byte"),
};
/* clang-format on */

static void refuses_broken_files(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof broken_files / sizeof *broken_files; b++) {
        const broken *file = &broken_files[b];
        const char *path = test_file("broken.mat", file->text, file->size);
        char sentence[700];
        print_message("%s\n", file->part);
        snprintf(sentence, sizeof sentence, "%s%s", path, file->part);
        assert_refused(path, "cluto", file->status, sentence);
    }
}

static void refuses_a_long_first_line(void **state)
{
    enum { LENGTH = 1 << 20 };
    char *text = malloc(LENGTH);
    (void)state;
    memset(text, ' ', LENGTH);
    const char *path = test_file("long.mat", text, LENGTH);
    char sentence[700];
    snprintf(sentence, sizeof sentence, "%s:1: the line is longer than 65536 bytes", path);
    assert_refused(path, "cluto", COBLOC_BAD_DATA, sentence);
    free(text);
}

/* ---- files beside it ------------------------------------------------------------------------- */

static void reads_names_beside(void **state)
{
    (void)state;
    const char *path = test_text("named.mat", "2 3 1\n1 1\n\n");
    test_text("named.mat.rlabel", "first row\r\n second \n");
    test_text("named.mat.clabel", "a\n\nc");
    test_text("named.mat.rclass", "sport\npolitics\n");
    test_text("named.labels.txt", "x\ny\n"); /* the format's own come first */
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_string_equal(cobloc_matrix_row_name(matrix, 0), "first row");
    assert_string_equal(cobloc_matrix_row_name(matrix, 1), " second ");
    assert_string_equal(cobloc_matrix_col_name(matrix, 0), "a");
    assert_string_equal(cobloc_matrix_col_name(matrix, 1), "");
    assert_string_equal(cobloc_matrix_col_name(matrix, 2), "c");
    assert_string_equal(cobloc_matrix_row_label(matrix, 0), "sport");
    assert_string_equal(cobloc_matrix_row_label(matrix, 1), "politics");
    cobloc_matrix_free(matrix);

    assert_int_equal(remove(test_path("named.mat.rclass")), 0);
    matrix = must_read(path, NULL);
    assert_string_equal(cobloc_matrix_row_label(matrix, 1), "y");
    cobloc_matrix_free(matrix);

    test_text("named.mat.clabel", "a\nb\n");
    assert_refused(path, NULL, COBLOC_BAD_DATA, "named.mat.clabel: holds 2 lines, expected 3");
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { ROWS = 16000, COLS = 97 };

/* Row i holds column 1 + i * k % COLS with value i + k, for k below i % 40: some rows
 * are empty. */
static char *large_text(int dense, double *expected, int bad_line, int worse_line)
{
    char *text = malloc((size_t)ROWS * 700), *entries = malloc((size_t)ROWS * 700);
    int size = 0, count = 0;
    for (int i = 0; i < ROWS; i++) {
        double row[COLS] = {0};
        for (int k = 0; k < i % 40; k++) {
            int col = (int)((int64_t)i * k % COLS);
            row[col] += i + k;
            count++;
            if (!dense)
                size += sprintf(entries + size, "%d %d ", col + 1, i + k);
        }
        for (int j = 0; j < COLS; j++) {
            expected[i * COLS + j] = row[j];
            if (dense)
                size += sprintf(entries + size, "%.0f ", row[j]);
        }
        size += sprintf(entries + size, i + 2 == bad_line || i + 2 == worse_line ? "oops\n" : "\n");
    }
    assert_true(size > 2 << 20); /* several blocks */
    int start = dense ? sprintf(text, "%d %d\n", ROWS, COLS)
                      : sprintf(text, "%d %d %d\n", ROWS, COLS, count);
    memcpy(text + start, entries, (size_t)size + 1);
    free(entries);
    return text;
}

static void same_for_any_threads(void **state)
{
    (void)state;
    double *expected = malloc((size_t)ROWS * COLS * sizeof *expected);
    for (int dense = 0; dense < 2; dense++) {
        char *text = large_text(dense, expected, 0, 0);
        const char *path = test_text("large.mat", text);
        check_any_threads(path, "cluto", ROWS, COLS, expected);
        free(text);
    }
    free(expected);
}

static void reports_the_earliest_error(void **state)
{
    (void)state;
    static const int bad[][2] = {{2, 8000}, {ROWS + 1, 0}, {9001, 9000}, {5000, 14000}};
    static const int earliest[] = {2, ROWS + 1, 9000, 5000};
    double *expected = malloc((size_t)ROWS * COLS * sizeof *expected);
    for (int b = 0; b < 8; b++) {
        char *text = large_text(b / 4, expected, bad[b % 4][0], bad[b % 4][1]);
        const char *path = test_text("bad.mat", text);
        char place[600];
        snprintf(place, sizeof place, "%s:%d: found 'oops'", path, earliest[b % 4]);
        check_earliest_error(path, "cluto", place);
        free(text);
    }
    free(expected);
}

/* ---- there and back -------------------------------------------------------------------------- */

static void round_trips(void **state)
{
    (void)state;
    check_round_trip("a.cluto", COBLOC_F64, NAMES_NASTY);
    check_round_trip("b.cluto.gz", COBLOC_F64, NAMES_NASTY);
}

static void round_trips_without_entries(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    for (int64_t rows = 1; rows < 100000; rows = rows * 40 + 1) {
        cobloc_matrix *made = NULL;
        assert_ok(cobloc_matrix_from_triples(rows, 3, 0, NULL, NULL, NULL, &made, &err), err);
        const char *path = test_path("none.cluto");
        assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
        cobloc_matrix *back = must_read(path, NULL);
        assert_same_matrix(made, back);
        cobloc_matrix_free(made);
        cobloc_matrix_free(back);
    }
}

static void reads_k1b(void **state)
{
    (void)state;
    if (!test_data("k1b.cluto.mat.gz") || !test_data("k1b.mtx.gz"))
        skip();
    cobloc_matrix *expected = must_read(test_data("k1b.mtx.gz"), NULL);
    cobloc_matrix *matrix = must_read(test_data("k1b.cluto.mat.gz"), NULL);
    assert_int_equal(cobloc_matrix_rows(matrix), 2340);
    assert_int_equal(cobloc_matrix_nnz(matrix), 349792);
    assert_non_null(cobloc_matrix_row_label(matrix, 0));
    assert_same_matrix(expected, matrix);
    cobloc_matrix_free(expected);
    cobloc_matrix_free(matrix);
}

static void failing_allocations(void **state)
{
    (void)state;
    test_text("small.mat.rlabel", "a\nb\n");
    test_text("small.mat.rclass", "x\ny\n");
    test_text("small.mat.clabel", "u\nv\nw\n");
    check_failing_allocations(test_text("small.mat", "2 3 3\n1 1 3 2.5\n1 4\n"), NULL);
    check_failing_allocations(test_text("dense.mat", "2 3\n1 1 3\n1 0 0.1\n"), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(reads_good_files),
        cmocka_unit_test(reads_gzip),
        cmocka_unit_test(recognises_by_content),
        cmocka_unit_test(recognises_long_rows),
        cmocka_unit_test(refuses_broken_files),
        cmocka_unit_test(refuses_a_long_first_line),
        cmocka_unit_test(reads_names_beside),
        cmocka_unit_test(reports_the_earliest_error),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(round_trips_without_entries),
        cmocka_unit_test(reads_k1b),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("cluto", tests, NULL, NULL);
}
