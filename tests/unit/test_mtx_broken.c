/* MatrixMarket files that must be refused, each with the right sentence.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* mkfifo */
#include "support.h"

#include "base/random.h"

#include <sys/stat.h>

#define BANNER "%%MatrixMarket matrix "
#define COORDINATE BANNER "coordinate real general\n"
#define ARRAY BANNER "array real general\n"

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
    BAD("", ":1: expected the banner"),
    BAD("2 2 1\n1 1 1\n", ":1: expected the banner"),
    BAD("%%MatrixMarket", ":1: the banner has 0 words"),
    BAD(BANNER "coordinate\n1 1 1\n1 1 1\n", ":1: the banner has 2 words"),
    UNSUPPORTED("%%MatrixMarket vector coordinate real general\n", "'vector'"),
    BAD(BANNER "dense real general\n1 1\n1\n", "'dense', expected 'coordinate'"),
    UNSUPPORTED(BANNER "coordinate complex general\n1 1 1\n1 1 1 0\n",
                ":1: the values are 'complex', expected real, integer or pattern"),
    UNSUPPORTED(BANNER "coordinate real hermitian\n1 1 1\n1 1 1\n",
                ":1: the symmetry is 'hermitian', expected general or symmetric"),
    UNSUPPORTED(BANNER "coordinate real skew-symmetric\n2 2 1\n2 1 1\n",
                ":1: the symmetry is 'skew-symmetric'"),
    BAD(BANNER "array pattern general\n1 1\n1\n", "array cannot be a pattern"),
    BAD(COORDINATE, "ends before the line of sizes"),
    BAD(COORDINATE "% only\n\n% comments", "ends before the line of sizes"),
    BAD(COORDINATE "%\n2 2\n1 1 1\n", ":3: the line of sizes is '2 2'"),
    BAD(COORDINATE "2 2 1 7\n1 1 1\n", ":2: the line of sizes is '2 2 1 7'"),
    BAD(COORDINATE "2 -2 1\n1 1 1\n", ":2: the line of sizes is '2 -2 1'"),
    BAD(COORDINATE "2 2.0 1\n1 1 1\n", ":2: the line of sizes is '2 2.0 1'"),
    BAD(ARRAY "1 1 1\n1\n", ":2: the line of sizes is '1 1 1'"),
    BAD(BANNER "coordinate real symmetric\n2 3 0\n", ":2: a symmetric matrix cannot be 2 by 3"),
    BAD(COORDINATE "0 2 0\n", ":2: the matrix is 0 by 2"),
    UNSUPPORTED(COORDINATE "2147483648 2 0\n", ":2: the matrix is 2147483648 by 2"),
    BAD(COORDINATE "18446744073709551617 2 1\n1 1 1\n", ":2: the line of sizes"),
    BAD(COORDINATE "2147483647 2147483647 1\n1 1 1\n", "implausible"),
    BAD(ARRAY "2147483647 2147483647\n1\n1\n", "holds 2 entries, expected the 46"),
    BAD(BANNER "array real symmetric\n2147483647 2147483647\n1\n",
        "holds 1 entries, expected the 2305843008139952128"),
    /* how many entries */
    BAD(COORDINATE "2 2 3\n1 1 1\n2 2 1\n",
        "holds 2 entries, expected the 3 given in its header"),
    BAD(COORDINATE "2 2 1\n1 1 1\n2 2 1\n", "holds 2 entries, expected the 1"),
    BAD(COORDINATE "2 2 1000000000000000\n1 1 1\n",
        "holds 1 entries, expected the 1000000000000000"),
    BAD(ARRAY "2 2\n1\n2\n3\n", "holds 3 entries, expected the 4"),
    BAD(ARRAY "1 2\n1\n2\n\n3\n", ":6: more values than the 2 of the header"),
    BAD(BANNER "array real symmetric\n2 2\n1\n2\n3\n4\n", ":6: more values"),
    /* where they stand */
    BAD(COORDINATE "2 2 1\n0 1 1\n", ":3: row 0 is out of range, expected 1 to 2"),
    BAD(COORDINATE "2 2 1\n1 0 1\n", ":3: column 0 is out of range"),
    BAD(COORDINATE "2 3 2\n1 1 1\n3 1 1\n", ":4: row 3 is out of range"),
    BAD(COORDINATE "%\n2 3 1\n\n1 4 1\n", ":5: column 4 is out of range"),
    BAD(COORDINATE "2 2 1\n-1 1 1\n", ":3: row -1 is out of range"),
    BAD(COORDINATE "2 2 1\n1 1 0\n3 1 0\n", ":4: row 3 is out of range"),
    BAD(COORDINATE "2 2 1\n9999999999999999999 1 1\n", ":3: expected 'row column"),
    /* what they are */
    BAD(COORDINATE "2 2 1\n1 1 NaN\n", ":3: the value is not a number"),
    BAD(COORDINATE "2 2 1\n1 1 inf\n", ":3: the value is infinite"),
    BAD(COORDINATE "2 2 1\n1 1 1e999\n", ":3: the value is infinite"),
    BAD(COORDINATE "2 2 2\n1 1 1e300\n2 2 1\n",
        ": the value 1e+300 in row 1, column 1 is too large to compute with"),
    BAD(COORDINATE "2 2 2\n1 1 1e-320\n2 2 -1e-300\n",
        ": the largest value, -1e-300 in row 2, column 2, is too small to compute with"),
    BAD(COORDINATE "1 1 2\n1 1 1e308\n1 1 1e308\n", "sum to infinity"),
    BAD(COORDINATE "2 2 1\n1 1 0x1p3\n", ":3: expected 'row column value'"),
    BAD(COORDINATE "2 2 1\n1 1 1,5\n", ":3: expected 'row column value'"),
    BAD(COORDINATE "2 2 1\n1 1\n", ":3: expected 'row column value'"),
    BAD(COORDINATE "2 2 1\n1 1 1 1\n", ":3: expected 'row column value'"),
    BAD(COORDINATE "2 2 1\n1\n1 1\n", ":3: expected 'row column value'"),
    BAD(BANNER "coordinate pattern general\n1 1 1\n1 1 1\n", ":3: expected 'row column'"),
    BAD(ARRAY "1 2\n1 2\n", ":3: expected one value per line"),
    BAD(COORDINATE "2 2 2\n1 1 1\0\n2 2 1\n", ":3: holds a NUL byte"),
    BAD(COORDINATE "2 2 2\n1 1 1\n\0\0\0", ":4: expected 'row column value'"),
    BAD(ARRAY "1 2\n1\0 7\n2\n", ":3: holds a NUL byte"),
    BAD(COORDINATE "2 2 1\n\x80\xFF\x01\x7F\x1B[31m\n", ":3: expected 'row column"),
};
/* clang-format on */

/* Every sentence starts with the path, and says it once. */
static void assert_names_file_once(const char *path)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *matrix = NULL;
    cobloc_io_options options;
    cob_io_options_default(&options);
    options.format = "mtx";
    assert_int_not_equal(cobloc_matrix_read(path, &options, &matrix, &err), COBLOC_OK);
    if (strncmp(err.message, path, strlen(path)) != 0 || strstr(err.message + 1, path))
        fail_msg("expected one '%s' at the start of: %s", path, err.message);
}

static void refuses_broken_files(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof broken_files / sizeof *broken_files; b++) {
        const broken *file = &broken_files[b];
        print_message("%s\n", file->part);
        const char *path = test_file("broken.mtx", file->text, file->size);
        assert_refused(path, "mtx", file->status, file->part);
        assert_names_file_once(path);
    }
}

/* "1 2.5" is two numbers, not the three of "1 2 .5". */
static void refuses_numbers_that_touch(void **state)
{
    static const char *const lines[] = {"1 2.5", "1+1 2", "1 1+2", "1 2inf"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s2 2 1\n%s\n", COORDINATE, lines[i]);
        assert_refused(test_text("touch.mtx", text), NULL, COBLOC_BAD_DATA,
                       ":3: expected 'row column");
    }
}

static void refuses_nul_in_header(void **state)
{
    static const char sizes[] = COORDINATE "2 2 1\0junk\n1 1 1\n";
    (void)state;
    assert_refused(test_file("nul.mtx", sizes, sizeof sizes - 1), NULL, COBLOC_BAD_DATA, "NUL");
}

static void refuses_what_is_no_text(void **state)
{
    (void)state;
    unsigned char junk[4096];
    cob_stream stream = cob_stream_at(1, 0, 0, 0);
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = (unsigned char)(cob_random_uniform(&stream, i) * 256);
    assert_refused(test_file("junk.mtx", junk, sizeof junk), "mtx", COBLOC_BAD_DATA, ":1: ");
    assert_refused(test_file("junk.mtx", junk, sizeof junk), NULL, COBLOC_BAD_DATA,
                   "the format is not recognised");
    assert_refused(test_text("empty.mtx", ""), NULL, COBLOC_BAD_DATA, "the file is empty");
    assert_refused(test_path("missing.mtx"), NULL, COBLOC_IO, "No such file");
    assert_refused(test_folder(), "mtx", COBLOC_IO, "is a directory, expected a regular file");
    const char *pipe = test_path("pipe.mtx");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_refused(pipe, "mtx", COBLOC_IO, "is a pipe, expected a regular file");
}

/* The line is told however long the path is. */
static void tells_the_line_after_a_long_path(void **state)
{
    char name[300];
    (void)state;
    memset(name, 'd', 250);
    name[250] = '\0';
    assert_int_equal(mkdir(test_path(name), 0700), 0);
    strcpy(name + 250, "/some-more-of-the-path.mtx");
    const char *path = test_text(name, COORDINATE "1 1 1\n2 1 1\n");
    assert_refused(path, NULL, COBLOC_BAD_DATA, "path.mtx:3: row 2 is out of range");
    assert_names_file_once(path);
}

static void refuses_long_lines(void **state)
{
    (void)state;
    enum { LENGTH = 3 << 20 };
    static const char *const starts[] = {"%%MatrixMarket ", COORDINATE "%",
                                         COORDINATE "1 1 1\n1 1 1"};
    for (int s = 0; s < 3; s++) {
        char *text = malloc(LENGTH);
        memset(text, ' ', LENGTH);
        memcpy(text, starts[s], strlen(starts[s]));
        char place[64];
        snprintf(place, sizeof place, "long.mtx:%d: the line is longer than 65536 bytes", s + 1);
        const char *path = test_file("long.mtx", text, LENGTH);
        assert_refused(path, NULL, COBLOC_BAD_DATA, place);
        assert_names_file_once(path);
        free(text);
    }
}

/* A line of 1 MB of digits is a long number, not a reason to fall over. */
static void refuses_a_megabyte_of_digits(void **state)
{
    (void)state;
    enum { LENGTH = 1000000 };
    char *text = malloc(LENGTH + 2);
    memset(text, '7', LENGTH);
    memcpy(text, COORDINATE "1 1 1\n1 1 ", strlen(COORDINATE "1 1 1\n1 1 "));
    memcpy(text + LENGTH, "\n", 2);
    assert_refused(test_text("digits.mtx", text), NULL, COBLOC_BAD_DATA,
                   ":3: the value is infinite");
    free(text);
}

static size_t read_bytes(const char *path, unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

static void refuses_cut_gzip(void **state)
{
    (void)state;
    char *text = malloc(400000);
    int size = sprintf(text, "%s40000 1 40000\n", COORDINATE);
    for (int i = 1; i <= 40000; i++)
        size += sprintf(text + size, "%d 1 1\n", i);
    const char *path = gzip_file("whole.mtx.gz", text, (size_t)size, "wb");
    cobloc_matrix_free(must_read(path, NULL));
    static unsigned char stored[400000];
    size_t stored_size = read_bytes(path, stored, sizeof stored);
    for (size_t cut = 1; cut < 30; cut += 7) { /* in the trailer, and before it */
        path = test_file("cut.mtx.gz", stored, stored_size - cut);
        assert_refused(path, NULL, COBLOC_BAD_DATA, "the compressed data end too early");
        assert_names_file_once(path);
    }
    assert_refused(test_file("cut.mtx.gz", stored, 10), NULL, COBLOC_BAD_DATA, "end too early");
    stored[stored_size - 6] ^= 1;
    path = test_file("cut.mtx.gz", stored, stored_size);
    assert_refused(path, NULL, COBLOC_BAD_DATA, "the compressed data are damaged");
    assert_names_file_once(path);
    free(text);
}

/* A header that is longer than what recognition sees: the cut is found while it is read. */
static void refuses_gzip_cut_in_the_header(void **state)
{
    enum { COMMENTS = 8000 };
    static unsigned char stored[COMMENTS * 24];
    char *text = malloc(COMMENTS * 24 + 100);
    cob_stream stream = cob_stream_at(3, 0, 0, 0);
    (void)state;
    int size = sprintf(text, "%s", COORDINATE);
    for (uint64_t i = 0; i < COMMENTS; i++)
        size += sprintf(text + size, "%% %.17f\n", cob_random_uniform(&stream, i));
    const char *path = gzip_file("comments.mtx.gz", text, (size_t)size, "wb");
    size_t stored_size = read_bytes(path, stored, sizeof stored);
    path = test_file("comments.mtx.gz", stored, stored_size - 20);
    assert_refused(path, NULL, COBLOC_BAD_DATA, "the compressed data end too early");
    assert_names_file_once(path);
    free(text);
}

/* A header, then ten gzip members of 20 MB of one byte each: 200 MB in 200 kB. */
static const char *bomb_file(char filler)
{
    static const char header[] = COORDINATE "1 1 0\n";
    enum { PART = 20000000 };
    static unsigned char stored[40000];
    char *part = malloc(PART);
    memset(part, filler, PART);
    size_t size = read_bytes(gzip_file("part.gz", part, PART, "wb9"), stored, sizeof stored);
    free(part);
    const char *path = gzip_file("bomb.mtx.gz", header, sizeof header - 1, "wb9");
    FILE *file = fopen(path, "ab");
    for (int p = 0; p < 10; p++)
        assert_int_equal(fwrite(stored, 1, size, file), size);
    fclose(file);
    return path;
}

/* Zeros make one endless line; blank lines mean nothing, but they do not end either. */
static void refuses_bombs(void **state)
{
    (void)state;
    assert_refused(bomb_file('\0'), NULL, COBLOC_BAD_DATA, ":3: the line is longer");
    const char *path = bomb_file('\n');
    assert_refused(path, NULL, COBLOC_BAD_DATA, "expands more than a thousandfold");
    assert_names_file_once(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_broken_files),
        cmocka_unit_test(refuses_numbers_that_touch),
        cmocka_unit_test(refuses_nul_in_header),
        cmocka_unit_test(refuses_what_is_no_text),
        cmocka_unit_test(tells_the_line_after_a_long_path),
        cmocka_unit_test(refuses_long_lines),
        cmocka_unit_test(refuses_a_megabyte_of_digits),
        cmocka_unit_test(refuses_cut_gzip),
        cmocka_unit_test(refuses_gzip_cut_in_the_header),
        cmocka_unit_test(refuses_bombs),
    };
    return cmocka_run_group_tests_name("mtx_broken", tests, NULL, NULL);
}
