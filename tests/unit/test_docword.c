/* UCI bags of words.
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
    {"plain", "2\n3\n3\n1 1 5\n1 3 2\n2 2 300\n", 2, 3, {5, 0, 2, 0, 300, 0}},
    {"any order", "2\n2\n3\n2 2 1\n1 2 4\n2 1 3\n", 2, 2, {0, 4, 3, 1}},
    {"empty documents and words", "3\n3\n1\n2 2 1\n", 3, 3, {0, 0, 0, 0, 1, 0, 0, 0, 0}},
    {"no entries", "2\n3\n0\n", 2, 3, {0}},
    {"no entries, no newline", "2\n3\n0", 2, 3, {0}},
    {"CRLF", "2\r\n2\r\n2\r\n1 1 5\r\n2 2 6\r\n", 2, 2, {5, 0, 0, 6}},
    {"no final newline", "2\n2\n2\n1 1 5\n2 2 6", 2, 2, {5, 0, 0, 6}},
    {"blank lines", "\n2\n\n \n2\n2\n\n1 1 5\n\t\n\n2 2 6\n\n", 2, 2, {5, 0, 0, 6}},
    {"blanks", " 2 \n\t2\n2  \n 1  1\t5 \n2 2 6\t\n  ", 2, 2, {5, 0, 0, 6}},
    {"explicit zeros", "2\n2\n2\n1 1 0\n2 2 6\n", 2, 2, {0, 0, 0, 6}},
    {"duplicates", "1\n2\n3\n1 2 200\n1 1 1\n1 2 100\n", 1, 2, {1, 300}},
    {"the largest count", "1\n1\n1\n1 1 9007199254740992\n", 1, 1, {9007199254740992.0}},
};
/* clang-format on */

static void reads_good_files(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof good_files / sizeof *good_files; g++) {
        const good *file = &good_files[g];
        print_message("%s\n", file->what);
        cobloc_matrix *matrix = must_read(test_text("docword.good.txt", file->text), NULL);
        assert_dense(matrix, file->rows, file->cols, file->dense);
        cobloc_matrix_free(matrix);
    }
}

static const char *packed_file(const char *name)
{
    static const char text[] = "2\n2\n2\n1 1 5\n2 2 6\n";
    gzip_file(name, text, 9, "wb");
    return gzip_file(name, text + 9, sizeof text - 10, "ab");
}

static void reads_gzip(void **state)
{
    static const double expected[] = {5, 0, 0, 6};
    (void)state;
    cobloc_matrix *matrix = must_read(packed_file("docword.packed.txt.gz"), NULL);
    assert_dense(matrix, 2, 2, expected);
    cobloc_matrix_free(matrix);
}

/* ---- recognition ----------------------------------------------------------------------------- */

static void recognises_by_content(void **state)
{
    static const char *const ours[] = {
        "2\n2\n1\n1 1 1\n", "2\n2\n5\n1 1 1\n",       "2\n2\n1\n1 1 0.5\n",
        "2\n2\n1\n3 1 1\n", "2\n2\n1\n-1 1 -1\n",     "2\n2\n1\n",
        "2\n2\n1",          "2\n2\n2\n1 1 1\nbroken",
    };
    static const char *const others[] = {
        "2\n2\n1\n1 1\n",
        "2\n2\n1\n1\n",
        "2 2 1\n1 1 1\n",
        "2\n2\n1 1\n",
        "2\n2\n1.5\n1 1 1",
        "2\n2\n1\n1,1,1\n",
        "2\n2\n",
        "x\n2\n1\n1 1 1\n",
        "2\n2\n1\n1:1 1 1",
        "2\n2\n1\n1 1 1 1\n",
        "2,\n2\n1\n1 1 1\n",
        "2\n2\n1\na b c\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!recognised_as("docword", ours[i]))
            fail_msg("expected to be recognised: %s", ours[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (recognised_as("docword", others[i]))
            fail_msg("expected not to be recognised: %s", others[i]);
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
    /* the header */
    BAD("", ": the file ends before the number of documents"),
    BAD(" \n\n", ": the file ends before the number of documents"),
    BAD("2\n", ": the file ends before the number of words"),
    BAD("2\n2\n\n", ": the file ends before the number of entries"),
    BAD("x\n2\n1\n", ":1: the line starts with 'x', expected only the number of documents"),
    BAD("2\n2 2\n1\n", ":2: the line starts with '2', expected only the number of words"),
    BAD("2\n\n2\n1.5\n", ":4: the line starts with '1.5', expected only the number of ent"),
    BAD("-2\n2\n1\n", ":1: the line starts with '-2'"),
    BAD("2,2,1\n", ":1: the line starts with '2,2,1'"),
    BAD("\x80\xFF\x01", ":1: the line starts with ''"),
    BAD("18446744073709551618\n2\n1\n1 1 1\n", ":1: the line starts with '18446"),
    BAD("0\n2\n0\n", ": the matrix is 0 by 2"),
    BAD("2\n0\n0\n", ": the matrix is 2 by 0"),
    UNSUPPORTED("2\n3000000000\n0\n", ": the matrix is 2 by 3000000000"),
    BAD("2000000000\n2000000000\n1\n1 1 1\n",
        ": 2000000000 rows and 2000000000 columns for 1 entries"),
    /* how many */
    BAD("2\n2\n3\n1 1 1\n2 2 1\n",
        ": holds 2 entries, expected the 3 given in its third line"),
    BAD("2\n2\n1\n1 1 1\n2 2 1\n", ": holds 2 entries, expected the 1"),
    BAD("2\n2\n1000000000000000\n1 1 1\n", ": holds 1 entries, expected the 1000"),
    BAD("2\n2\n1\n", ": holds 0 entries, expected the 1"),
    /* entries */
    BAD("2\n2\n1\n0 1 1\n", ":4: row 0 is out of range, expected 1 to 2"),
    BAD("2\n2\n1\n\n3 1 1\n", ":5: row 3 is out of range, expected 1 to 2"),
    BAD("2\n2\n1\n1 0 1\n", ":4: column 0 is out of range"),
    BAD("2\n2\n2\n1 1 1\n1 3 1\n", ":5: column 3 is out of range"),
    BAD("2\n2\n1\n-1 1 1\n", ":4: row -1 is out of range"),
    BAD("2\n2\n1\n1 1 -4\n", ":4: the count -4 is negative"),
    BAD("2\n2\n1\n1 1 1.5\n", ":4: the count is '1.5', expected a whole number"),
    BAD("2\n2\n1\n1 1 1e2\n", ":4: the count is '1e2', expected a whole number"),
    BAD("2\n2\n1\n1 1 nan\n", ":4: the count is 'nan', expected a whole number"),
    BAD("2\n2\n1\n1 1 inf\n", ":4: the count is 'inf', expected a whole number"),
    BAD("2\n2\n1\n1 1 9007199254740993\n", ":4: the count is '9007199254740993'"),
    BAD("2\n2\n1\n1 1 99999999999999999999\n", ":4: the count is '9999999999"),
    BAD("2\n2\n1\n1 1\n", ":4: the line starts with '1', expected 'document word"),
    BAD("2\n2\n1\n1\n1 1\n", ":4: the line starts with '1', expected 'document"),
    BAD("2\n2\n1\n1 2.5 1\n", ":4: the line starts with '1', expected 'document"),
    BAD("2\n2\n1\n1,1,1\n", ":4: the line starts with '1,1,1', expected"),
    BAD("2\n2\n1\n1 1 1 9\n", ":4: found '9' after the count"),
    BAD("2\n2\n1\nthe end\n", ":4: the line starts with 'the'"),
    BAD("2\n2\n2\n1 1 1\0\n2 2 1\n", ":4: holds a NUL byte, expected text"),
    BAD("2\n2\n1\n1 1 1\n\0", ":5: the line starts with ''"),
    BAD("2\n2\n1\n\xF0\x9F\n", ":4: the line starts with ''"),
};
/* clang-format on */

static void refuses_broken_files(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof broken_files / sizeof *broken_files; b++) {
        const broken *file = &broken_files[b];
        const char *path = test_file("broken.txt", file->text, file->size);
        char sentence[700];
        print_message("%s\n", file->part);
        snprintf(sentence, sizeof sentence, "%s%s", path, file->part);
        assert_refused(path, "docword", file->status, sentence);
    }
}

static void refuses_long_lines(void **state)
{
    enum { LENGTH = 3 << 20 };
    static const char *const starts[] = {" ", "2\n2\n1\n1 1 1"};
    static const int line[] = {1, 4};
    (void)state;
    for (int s = 0; s < 2; s++) {
        char *text = malloc(LENGTH);
        memset(text, ' ', LENGTH);
        memcpy(text, starts[s], strlen(starts[s]));
        const char *path = test_file("long.txt", text, LENGTH);
        char sentence[700];
        snprintf(sentence, sizeof sentence, "%s:%d: the line is longer than 65536 bytes", path,
                 line[s]);
        assert_refused(path, "docword", COBLOC_BAD_DATA, sentence);
        free(text);
    }
}

/* ---- the vocabulary -------------------------------------------------------------------------- */

static void reads_the_vocabulary(void **state)
{
    (void)state;
    const char *path = test_text("docword.kos.txt", "1\n3\n1\n1 2 7\n");
    test_text("vocab.kos.txt", "apple\r\n\npear tree");
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_string_equal(cobloc_matrix_col_name(matrix, 0), "apple");
    assert_string_equal(cobloc_matrix_col_name(matrix, 1), "");
    assert_string_equal(cobloc_matrix_col_name(matrix, 2), "pear tree");
    assert_null(cobloc_matrix_row_name(matrix, 0));
    cobloc_matrix_free(matrix);

    test_text("vocab.kos.txt", "apple\npear\n"); /* of another matrix: it has three words */
    matrix = must_read(path, NULL);
    assert_null(cobloc_matrix_col_name(matrix, 0));
    cobloc_matrix_free(matrix);

    test_text("docword.kos.terms.txt", "a\nb\nc\n");
    matrix = must_read(path, NULL);
    assert_string_equal(cobloc_matrix_col_name(matrix, 2), "c");
    cobloc_matrix_free(matrix);
}

static void reads_the_vocabulary_of_gzip(void **state)
{
    (void)state;
    const char *path = packed_file("docword.nips.txt.gz");
    test_text("vocab.nips.txt", "u\nv\n");
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_string_equal(cobloc_matrix_col_name(matrix, 1), "v");
    cobloc_matrix_free(matrix);

    test_file("vocab.nips.txt", "u\0\nv\n", 5);
    assert_refused(path, NULL, COBLOC_BAD_DATA, "vocab.nips.txt: holds NUL bytes");
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { LINES = 500000, ROWS = 700, COLS = 500 };

/* Several blocks of text with many duplicates; the entries on lines `bad` and `worse` are
 * broken. */
static const char *large_file(const char *name, double *expected, int bad, int worse)
{
    char *text = malloc((size_t)LINES * 20);
    int size = sprintf(text, "%d\n%d\n%d\n", ROWS, COLS, LINES);
    for (int i = 0; i < LINES; i++) {
        int row = (int)((int64_t)i * 7919 % ROWS), col = (int)((int64_t)i * i % COLS);
        int line = i + 4;
        size += sprintf(text + size, "%d %d %d%s\n", row + 1, col + 1, i % 300,
                        line == bad || line == worse ? ".5" : "");
        if (expected)
            expected[row * COLS + col] += i % 300;
    }
    assert_true(size > 4 << 20);
    const char *path = test_file(name, text, (size_t)size);
    free(text);
    return path;
}

static void same_for_any_threads(void **state)
{
    (void)state;
    double *expected = calloc(ROWS * COLS, sizeof *expected);
    const char *path = large_file("large.txt", expected, 0, 0);
    check_any_threads(path, "docword", ROWS, COLS, expected);
    free(expected);
}

static void reports_the_earliest_error(void **state)
{
    (void)state;
    static const int bad[][3] = {
        {4, 9, 4}, {LINES + 3, 0, LINES + 3}, {200001, 200000, 200000}, {50000, 450000, 50000}};
    for (int b = 0; b < 4; b++) {
        const char *path = large_file("bad.txt", NULL, bad[b][0], bad[b][1]);
        char place[600];
        snprintf(place, sizeof place, "%s:%d: the count is", path, bad[b][2]);
        check_earliest_error(path, "docword", place);
    }
}

/* ---- there and back -------------------------------------------------------------------------- */

static void round_trips(void **state)
{
    (void)state;
    check_round_trip("a.docword.txt", COBLOC_U32, NAMES_NASTY);
    check_round_trip("b.docword.txt.gz", COBLOC_U32, NAMES_NASTY);
}

/* Counts beyond 32 bits are stored as reals, but they are whole. */
static void round_trips_large_counts(void **state)
{
    static const int32_t row[] = {0, 1, 1}, col[] = {1, 0, 2};
    static const double value[] = {3, 9007199254740991.0, 1e15};
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *made = NULL;
    assert_ok(cobloc_matrix_from_triples(2, 3, 3, row, col, value, &made, &err), err);
    const char *path = test_path("large.docword.txt");
    assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
    cobloc_matrix *back = must_read(path, NULL);
    assert_same_matrix(made, back);
    cobloc_matrix_free(made);
    cobloc_matrix_free(back);
}

static void does_not_write_reals(void **state)
{
    static const int32_t row[] = {0, 1}, col[] = {1, 0};
    static const double values[][2] = {{3, 2.5}, {3, 0.1}, {3, 1e150}, {3, 9007199254740994.0}};
    (void)state;
    for (int v = 0; v < 4; v++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_matrix *made = NULL;
        assert_ok(cobloc_matrix_from_triples(2, 2, 2, row, col, values[v], &made, &err), err);
        const char *path = test_path("real.docword.txt");
        assert_int_equal(cobloc_matrix_write(made, path, NULL, &err), COBLOC_UNSUPPORTED);
        assert_non_null(strstr(err.message, "real.docword.txt: the value in row 2, column 1 is "));
        FILE *file = fopen(path, "rb");
        assert_null(file);
        cobloc_matrix_free(made);
    }
}

static void failing_allocations(void **state)
{
    (void)state;
    const char *path = test_text("docword.small.txt", "2\n3\n3\n1 1 1\n2 3 2\n1 1 4\n");
    test_text("vocab.small.txt", "a\nb\nc\n");
    check_failing_allocations(path, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(reads_good_files),
        cmocka_unit_test(reads_gzip),
        cmocka_unit_test(recognises_by_content),
        cmocka_unit_test(refuses_broken_files),
        cmocka_unit_test(refuses_long_lines),
        cmocka_unit_test(reads_the_vocabulary),
        cmocka_unit_test(reads_the_vocabulary_of_gzip),
        cmocka_unit_test(reports_the_earliest_error),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(round_trips_large_counts),
        cmocka_unit_test(does_not_write_reals),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("docword", tests, NULL, NULL);
}
