/* MatrixMarket files: good ones, on any number of threads, and there and back. The broken ones are
 * in test_mtx_broken.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/random.h"

#define BANNER "%%MatrixMarket matrix "
#define COORDINATE BANNER "coordinate real general\n"
#define ARRAY BANNER "array real general\n"

/* ---- good files ------------------------------------------------------------------------------ */

typedef struct good {
    const char *what;
    const char *text;
    int64_t rows, cols;
    double dense[9];
    cobloc_value_kind kind;
} good;

/* clang-format off */
static const good good_files[] = {
    {"coordinate real general",
     BANNER "coordinate real general\n2 3 3\n1 1 1.5\n2 3 2e1\n1 2 .25\n",
     2, 3, {1.5, .25, 0, 0, 0, 20}, COBLOC_F32},
    {"coordinate integer general", BANNER "coordinate integer general\n2 3 2\n2 1 7\n1 3 300\n",
     2, 3, {0, 0, 300, 7, 0, 0}, COBLOC_U16},
    {"coordinate pattern general", BANNER "coordinate pattern general\n3 2 2\n3 1\n1 2\n",
     3, 2, {0, 1, 0, 0, 1, 0}, COBLOC_ONES},
    {"coordinate real symmetric",
     BANNER "coordinate real symmetric\n3 3 3\n1 1 4\n3 1 0.5\n3 2 2\n",
     3, 3, {4, 0, .5, 0, 0, 2, .5, 2, 0}, COBLOC_F32},
    {"coordinate integer symmetric", BANNER "coordinate integer symmetric\n2 2 2\n2 1 3\n2 2 9\n",
     2, 2, {0, 3, 3, 9}, COBLOC_U8},
    {"coordinate pattern symmetric", BANNER "coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n",
     2, 2, {1, 1, 1, 0}, COBLOC_ONES},
    {"array real general", BANNER "array real general\n2 3\n1\n2\n3\n4.5\n0\n6\n",
     2, 3, {1, 3, 0, 2, 4.5, 6}, COBLOC_F32},
    {"array integer general", BANNER "array integer general\n3 1\n70000\n0\n2\n",
     3, 1, {70000, 0, 2}, COBLOC_U32},
    {"array real symmetric", BANNER "array real symmetric\n3 3\n1\n2\n3\n4\n5\n0.1\n",
     3, 3, {1, 2, 3, 2, 4, 5, 3, 5, .1}, COBLOC_F64},
    {"array integer symmetric", BANNER "array integer symmetric\n2 2\n1\n2\n3\n",
     2, 2, {1, 2, 2, 3}, COBLOC_U8},
    {"field called double", BANNER "coordinate double general\n1 1 1\n1 1 0.5\n",
     1, 1, {.5}, COBLOC_F32},
    {"comments", BANNER "coordinate integer general\n%\n% 9 9 9\n%%more\n1 2 1\n1 2 3\n",
     1, 2, {0, 3}, COBLOC_U8},
    {"blank lines", BANNER "coordinate integer general\n\n  \n1 2 2\n\n1 2 3\n \t\n\n1 1 2\n\n",
     1, 2, {2, 3}, COBLOC_U8},
    {"blank lines in an array", BANNER "array integer general\n\n2 2\n\n1\n\n \n2\n3\n\n4\n\n\n",
     2, 2, {1, 3, 2, 4}, COBLOC_U8},
    {"CRLF", BANNER "coordinate integer general\r\n% x\r\n\r\n2 2 2\r\n1 1 5\r\n\r\n2 2 6\r\n",
     2, 2, {5, 0, 0, 6}, COBLOC_U8},
    {"CRLF array", BANNER "array real general\r\n2 1\r\n1\r\n\r\n0.5\r\n",
     2, 1, {1, .5}, COBLOC_F32},
    {"no final newline", BANNER "coordinate integer general\n2 2 2\n1 1 5\n2 2 6",
     2, 2, {5, 0, 0, 6}, COBLOC_U8},
    {"no final newline, blanks", BANNER "array integer general\n1 2\n3\n4\n  ",
     1, 2, {3, 4}, COBLOC_U8},
    {"no entries, no newline", BANNER "coordinate integer general\n1 2 0",
     1, 2, {0, 0}, COBLOC_ONES},
    {"uppercase", "%%MATRIXMARKET MATRIX COORDINATE REAL GENERAL\n1 1 1\n1 1 2\n",
     1, 1, {2}, COBLOC_U8},
    {"mixed case", "%%matrixmarket Matrix Array Integer Symmetric\n1 1\n2\n", 1, 1, {2}, COBLOC_U8},
    {"blanks everywhere", BANNER "  coordinate\treal  general  \n  2\t 2   1 \n \t2  1\t 3 \n",
     2, 2, {0, 0, 3, 0}, COBLOC_U8},
    {"explicit zeros", BANNER "coordinate real general\n2 2 4\n1 1 0\n1 2 0.0\n2 2 3\n2 1 -0\n",
     2, 2, {0, 0, 0, 3}, COBLOC_U8},
    {"duplicates",
     BANNER "coordinate real general\n2 2 6\n2 2 1\n1 1 2\n2 2 0.5\n1 1 254\n2 2 1\n1 2 1\n",
     2, 2, {256, 1, 0, 2.5}, COBLOC_F32},
    {"a duplicate of one is two", BANNER "coordinate pattern general\n1 1 2\n1 1\n1 1\n",
     1, 1, {2}, COBLOC_U8},
    {"duplicates sum up to a count", BANNER "coordinate real general\n1 1 2\n1 1 .5\n1 1 .5\n",
     1, 1, {1}, COBLOC_ONES},
    {"duplicates, symmetric", BANNER "coordinate integer symmetric\n2 2 2\n2 1 1\n2 1 2\n",
     2, 2, {0, 3, 3, 0}, COBLOC_U8},
    {"plus signs", BANNER "coordinate real general\n1 2 1\n+1 +2 +3\n", 1, 2, {0, 3}, COBLOC_U8},
};
/* clang-format on */

static void reads_good_files(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof good_files / sizeof *good_files; g++) {
        const good *file = &good_files[g];
        print_message("%s\n", file->what);
        cobloc_matrix *matrix = must_read(test_text("good.mtx", file->text), NULL);
        assert_dense(matrix, file->rows, file->cols, file->dense);
        assert_int_equal(cobloc_matrix_kind(matrix), file->kind);
        int64_t filled = 0;
        for (int64_t c = 0; c < file->rows * file->cols; c++)
            filled += file->dense[c] != 0;
        assert_int_equal(cobloc_matrix_nnz(matrix), filled);
        cobloc_matrix_free(matrix);
    }
}

static void reads_gzip(void **state)
{
    static const char first[] = BANNER "coordinate integer general\n2 2",
                      second[] = " 2\n1 1 5\n2 ", third[] = "2 6\n";
    static const double expected[] = {5, 0, 0, 6};
    (void)state;
    const char *path = gzip_file("members.mtx.gz", first, sizeof first - 1, "wb");
    gzip_file("members.mtx.gz", second, sizeof second - 1, "ab");
    gzip_file("members.mtx.gz", "", 0, "ab");
    gzip_file("members.mtx.gz", third, sizeof third - 1, "ab9");
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_dense(matrix, 2, 2, expected);
    cobloc_matrix_free(matrix);

    /* By content: the name need not say so. */
    char whole[200];
    snprintf(whole, sizeof whole, "%s%s%s", first, second, third);
    matrix = must_read(gzip_file("anything", whole, strlen(whole), "wb"), NULL);
    assert_dense(matrix, 2, 2, expected);
    cobloc_matrix_free(matrix);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { LINES = 600000, ROWS = 400, COLS = 300 };

/* Several blocks of text; `expected`, if not NULL, receives the table. bad[]: lines of the file to
 * break, 0 ends them. */
static const char *large_file(const char *name, double *expected, const int *bad)
{
    cob_stream stream = cob_stream_at(7, 0, 0, 0);
    char *text = malloc((size_t)LINES * 24);
    int size = sprintf(text, "%s%%\n%d %d %d\n", COORDINATE, ROWS, COLS, LINES);
    for (int i = 0, line = 4; i < LINES; i++, line++) {
        int row = (int)(cob_random_uniform(&stream, (uint64_t)i * 3) * ROWS);
        int col = (int)(cob_random_uniform(&stream, (uint64_t)i * 3 + 1) * COLS);
        int eighths = (int)(cob_random_uniform(&stream, (uint64_t)i * 3 + 2) * 100);
        size += sprintf(text + size, "%d %d %.3f\n", row + 1, col + 1, eighths / 8.0);
        if (expected)
            expected[row * COLS + col] += eighths / 8.0;
        for (const int *b = bad; b && *b; b++)
            if (*b == line)
                text[size - 2] = 'x';
    }
    assert_true(size > 5 << 20);
    const char *path = test_file(name, text, (size_t)size);
    free(text);
    return path;
}

static void same_for_any_threads(void **state)
{
    (void)state;
    double *expected = calloc(ROWS * COLS, sizeof *expected);
    const char *path = large_file("large.mtx", expected, NULL);
    check_any_threads(path, "mtx", ROWS, COLS, expected);
    free(expected);
}

/* In an array file the place of a value is the number of values before it, blank ones
 * not counted. */
static void same_array_for_any_threads(void **state)
{
    (void)state;
    enum { N = 1200 };
    char *text = malloc((size_t)N * N * 12);
    double *expected = calloc((size_t)N * N, sizeof *expected);
    int size = sprintf(text, "%sarray integer symmetric\n%d %d\n", BANNER, N, N);
    for (int col = 0; col < N; col++)
        for (int row = col; row < N; row++) {
            int value = row * 1000 + col;
            expected[row * N + col] = expected[col * N + row] = value;
            size += sprintf(text + size, "%d\n%s", value, value % 7 ? "" : " \n\n");
        }
    assert_true(size > 3 << 20);
    const char *path = test_file("array.mtx", text, (size_t)size);
    check_any_threads(path, "mtx", N, N, expected);
    free(text);
    free(expected);
}

static void reports_the_earliest_error(void **state)
{
    (void)state;
    static const int bad[][4] = {
        {4}, {LINES + 3}, {300001, 300002}, {77777, 150000, 500000}, {100000, 99999}};
    static const int earliest[] = {4, LINES + 3, 300001, 77777, 99999};
    for (int b = 0; b < 5; b++) {
        const char *path = large_file("bad.mtx", NULL, bad[b]);
        char place[600];
        snprintf(place, sizeof place, "%s:%d: expected", path, earliest[b]);
        check_earliest_error(path, "mtx", place);
    }
}

static int stop_after_half(void *user, const char *what, double done)
{
    double *last = user;
    (void)what;
    assert_true(done >= *last && done <= 1);
    *last = done;
    return done > 0.5;
}

static void can_be_cancelled(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *matrix = NULL;
    cobloc_io_options options;
    double last = 0;
    cob_io_options_default(&options);
    options.threads = 3;
    options.progress = (cobloc_progress){stop_after_half, &last};
    assert_int_equal(
        cobloc_matrix_read(large_file("large.mtx", NULL, NULL), &options, &matrix, &err),
        COBLOC_CANCELLED);
    assert_null(matrix);
    assert_true(last > 0.5 && last < 1);
}

/* ---- there and back -------------------------------------------------------------------------- */

static void round_trips(void **state)
{
    (void)state;
    check_round_trip("a.mtx", COBLOC_F64, NAMES_NASTY);
    check_round_trip("b.mtx.gz", COBLOC_F64, NAMES_NASTY);
}

static void failing_allocations(void **state)
{
    (void)state;
    static const char text[] = COORDINATE "2 3 3\n1 1 1\n2 3 2.5\n1 1 4\n";
    check_failing_allocations(test_text("small.mtx", text), NULL);
    check_failing_allocations(gzip_file("small.mtx.gz", text, sizeof text - 1, "wb"), NULL);
    check_failing_allocations(test_text("array.mtx", ARRAY "1 2\n1\n2\n"), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(reads_good_files),
        cmocka_unit_test(reads_gzip),
        cmocka_unit_test(same_array_for_any_threads),
        cmocka_unit_test(reports_the_earliest_error),
        cmocka_unit_test(can_be_cancelled),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("mtx", tests, NULL, NULL);
}
