/* What the unit tests share.
 * SPDX-License-Identifier: MIT
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */
#include "support.h"

#include "base/random.h"

#include <ftw.h>
#include <unistd.h>
#include <zlib.h>

static bool same_side(const cobloc_matrix *a, const cob_side *x, const cob_side *y, int64_t major)
{
    size_t nnz = (size_t)a->nnz;
    return memcmp(x->offsets, y->offsets, (size_t)(major + 1) * sizeof *x->offsets) == 0 &&
           memcmp(x->indices, y->indices, nnz * sizeof *x->indices) == 0 &&
           (a->kind == COBLOC_ONES ||
            memcmp(x->values, y->values, nnz * cob_kind_width(a->kind)) == 0);
}

bool same_entries(const cobloc_matrix *a, const cobloc_matrix *b)
{
    return a->rows == b->rows && a->cols == b->cols && a->nnz == b->nnz && a->kind == b->kind &&
           same_side(a, &a->by_row, &b->by_row, a->rows) &&
           same_side(a, &a->by_col, &b->by_col, a->cols) && !a->missing == !b->missing &&
           (!a->missing || same_entries(a->missing, b->missing));
}

/* libomp keeps some memory of its threads until the end, whatever one does; so does fontconfig of
 * its fonts. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libomp.so\nleak:libfontconfig.so\n";
}

/* ---- files ----------------------------------------------------------------------------------- */

static char folder[64];

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *ftw)
{
    (void)about;
    (void)type;
    (void)ftw;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_folder(void)
{
    static const char in_memory[] = "/dev/shm";
    if (!folder[0]) {
        /* In memory where possible: every file is flushed to its disk, and there are thousands. */
        snprintf(folder, sizeof folder, "%s/cobloc-test-XXXXXX",
                 access(in_memory, W_OK) == 0 ? in_memory : P_tmpdir);
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    return folder;
}

const char *test_path(const char *name)
{
    static char paths[16][512];
    static int next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", test_folder(), name);
    return path;
}

const char *test_file(const char *name, const void *bytes, size_t size)
{
    const char *path = test_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *test_text(const char *name, const char *text)
{
    return test_file(name, text, strlen(text));
}

const char *gzip_file(const char *name, const char *text, size_t size, const char *mode)
{
    const char *path = test_path(name);
    gzFile file = gzopen(path, mode);
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)size), size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

const char *test_data(const char *name)
{
    static char path[512];
    const char *data = getenv("COBLOC_DATA");
    snprintf(path, sizeof path, "%s/%s", data ? data : COBLOC_DATA_DIR, name);
    if (access(path, R_OK) == 0)
        return path;
    print_message("skipped: no data (%s)\n", name);
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

static cobloc_io_options options_for(const char *format)
{
    cobloc_io_options options;
    cob_io_options_default(&options);
    options.format = format;
    options.threads = 2;
    return options;
}

void assert_refused(const char *path, const char *format, cobloc_status status, const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *matrix = NULL;
    cobloc_io_options options = options_for(format);
    cobloc_status got = cobloc_matrix_read(path, &options, &matrix, &err);
    if (got != status || !strstr(err.message, part))
        fail_msg("%s: got %s: \"%s\", expected %s with \"%s\"", path, cobloc_status_name(got),
                 err.message, cobloc_status_name(status), part);
    assert_null(matrix);
}

cobloc_matrix *must_read(const char *path, const char *format)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *matrix = NULL;
    cobloc_io_options options = options_for(format);
    assert_ok(cobloc_matrix_read(path, &options, &matrix, &err), err);
    return matrix;
}

bool recognised_as(const char *format, const char *text)
{
    cobloc_error err = {COBLOC_OK, ""}, named = {COBLOC_OK, ""};
    cobloc_matrix *by_content = NULL, *by_name = NULL;
    cobloc_io_options options = options_for(format);
    options.threads = 1;
    const char *path = test_text("any.dat", text);
    cobloc_status status = cobloc_matrix_read(path, NULL, &by_content, &err);
    cobloc_status named_status = cobloc_matrix_read(path, &options, &by_name, &named);
    bool same = status == named_status && strcmp(err.message, named.message) == 0 &&
                (!by_content || same_entries(by_content, by_name));
    cobloc_matrix_free(by_content);
    cobloc_matrix_free(by_name);
    return same;
}

static const int thread_counts[] = {8, 3, 2, 1};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

void check_any_threads(const char *path, const char *format, int64_t rows, int64_t cols,
                       const double *expected)
{
    cobloc_matrix *first = NULL;
    for (int t = 0; t < THREAD_COUNTS; t++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_matrix *matrix = NULL;
        cobloc_io_options options = options_for(format);
        options.threads = thread_counts[t];
        assert_ok(cobloc_matrix_read(path, &options, &matrix, &err), err);
        assert_dense(matrix, rows, cols, expected);
        if (first)
            assert_same_matrix(first, matrix);
        cobloc_matrix_free(first);
        first = matrix;
    }
    cobloc_matrix_free(first);
}

void check_earliest_error(const char *path, const char *format, const char *start)
{
    for (int t = 0; t < THREAD_COUNTS * 2; t++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_matrix *matrix = NULL;
        cobloc_io_options options = options_for(format);
        options.threads = thread_counts[t % THREAD_COUNTS];
        assert_int_equal(cobloc_matrix_read(path, &options, &matrix, &err), COBLOC_BAD_DATA);
        assert_null(matrix);
        if (strncmp(err.message, start, strlen(start)) != 0)
            fail_msg("%d threads: expected %s, got %s", options.threads, start, err.message);
    }
}

double *dense_of(const cobloc_matrix *matrix)
{
    cobloc_view view = cobloc_matrix_by_rows(matrix);
    double *dense = calloc((size_t)(view.major * view.minor), sizeof *dense);
    assert_non_null(dense);
    for (int64_t i = 0; i < view.major; i++)
        for (int64_t e = view.offsets[i]; e < view.offsets[i + 1]; e++)
            dense[i * view.minor + view.indices[e]] = cobloc_view_value(&view, e);
    return dense;
}

void assert_dense(const cobloc_matrix *matrix, int64_t rows, int64_t cols, const double *expected)
{
    assert_int_equal(cobloc_matrix_rows(matrix), rows);
    assert_int_equal(cobloc_matrix_cols(matrix), cols);
    double *dense = dense_of(matrix);
    for (int64_t c = 0; c < rows * cols; c++)
        if (dense[c] != expected[c])
            fail_msg("row %d, column %d: got %.17g, expected %.17g", (int)(c / cols),
                     (int)(c % cols), dense[c], expected[c]);
    free(dense);
}

/* ---- random matrices ------------------------------------------------------------------------- */

static double random_value(cobloc_value_kind kind, const cob_stream *stream, uint64_t item)
{
    double u = cob_random_uniform(stream, item);
    switch (kind) {
    case COBLOC_ONES:
        return 1;
    case COBLOC_U8:
        return 1 + (double)(int)(u * 255);
    case COBLOC_U16:
        return 1 + (double)(int)(u * 65535);
    case COBLOC_U32:
        return 1 + (double)(int64_t)(u * 4294967295.0);
    case COBLOC_F32:
        return (double)(float)(u * 10);
    case COBLOC_F64:
        return u < 0.5 ? u * 1e-300 : u * 1e145;
    }
    return 1;
}

/* A value that no smaller kind holds. */
static double telling_value(cobloc_value_kind kind)
{
    static const double value[] = {1, 255, 65535, 4294967295.0, 0.5, 0.1};
    return value[kind];
}

static const char *nasty_name(int64_t i, const char *axis)
{
    static const char *const nasty[] = {
        "plain",    "two words", "tab\there", "say \"hi\"", "a,b;c", "# hash", "%percent",
        "naïve Ωλ", "12",        "",          "' single'",  " lead", "trail ", "日本語",
        "-1.5e3",   "a:b",       "\\n",       "<b>&amp;",   "y",     "?"};
    static char name[64];
    const int count = sizeof nasty / sizeof *nasty;
    if (i < count)
        return nasty[i];
    snprintf(name, sizeof name, "%s %s %d", nasty[i % count], axis, (int)i);
    return name;
}

static void give_names(cob_names *names, int64_t count, const char *axis)
{
    cobloc_error err;
    for (int64_t i = 0; i < count; i++) {
        const char *name = nasty_name(i, axis);
        assert_ok(cob_names_add(names, name, strlen(name), &err), err);
    }
}

static void give_labels(cob_names *names, int64_t count)
{
    static const char *const label[] = {"1", "2", "two words", "été"};
    cobloc_error err;
    for (int64_t i = 0; i < count; i++)
        assert_ok(cob_names_add(names, label[i % 4], strlen(label[i % 4]), &err), err);
}

cobloc_matrix *random_matrix(uint64_t seed, int64_t rows, int64_t cols, double density,
                             cobloc_value_kind kind, int names)
{
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    cob_stream stream = cob_stream_at(seed, 0, 0, 0);
    int64_t count = 0;
    size_t room = (size_t)(rows * cols) + 1;
    int32_t *row = malloc(room * sizeof *row), *col = malloc(room * sizeof *col);
    double *value = malloc(room * sizeof *value);
    for (int64_t c = 0; c < rows * cols; c++) {
        int last = c == rows * cols - 1;
        if (!last && cob_random_uniform(&stream, (uint64_t)c * 2) >= density)
            continue;
        row[count] = (int32_t)(c / cols);
        col[count] = (int32_t)(c % cols);
        value[count++] =
            last ? telling_value(kind) : random_value(kind, &stream, (uint64_t)c * 2 + 1);
    }
    assert_ok(cobloc_matrix_from_triples(rows, cols, count, row, col, value, &matrix, &err), err);
    assert_int_equal(cobloc_matrix_kind(matrix), kind);
    free(row);
    free(col);
    free(value);
    if (names) {
        give_names(&matrix->row_names, rows, "row");
        give_names(&matrix->col_names, cols, "col");
        give_labels(&matrix->row_labels, rows);
    }
    return matrix;
}

static void assert_same_names(const cob_names *a, const cob_names *b, const char *what)
{
    if (a->count != b->count)
        fail_msg("%d %s, expected %d", (int)b->count, what, (int)a->count);
    for (int64_t i = 0; i < a->count; i++)
        if (strcmp(cob_names_get(a, i), cob_names_get(b, i)) != 0)
            fail_msg("%s %d: got \"%s\", expected \"%s\"", what, (int)i, cob_names_get(b, i),
                     cob_names_get(a, i));
}

void assert_same_matrix(const cobloc_matrix *a, const cobloc_matrix *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_int_equal(a->nnz, b->nnz);
    assert_int_equal(a->kind, b->kind);
    assert_true(same_entries(a, b));
    assert_memory_equal(a->row_sums, b->row_sums, (size_t)a->rows * sizeof(double));
    assert_memory_equal(a->col_sums, b->col_sums, (size_t)a->cols * sizeof(double));
    assert_same_names(&a->row_names, &b->row_names, "row names");
    assert_same_names(&a->col_names, &b->col_names, "column names");
    assert_same_names(&a->row_labels, &b->row_labels, "labels");
}

void check_round_trip(const char *file, cobloc_value_kind largest, int names)
{
    static const int64_t shapes[][2] = {{1, 1}, {1, 9}, {9, 1}, {30, 25}, {3, 40}, {60, 7}};
    for (int s = 0; s < 6; s++)
        for (int kind = COBLOC_ONES; kind <= (int)largest; kind++)
            for (int named = 0; named <= names; named++) {
                cobloc_error err;
                cobloc_matrix *made =
                    random_matrix((uint64_t)(s * 100 + kind), shapes[s][0], shapes[s][1], 0.2,
                                  (cobloc_value_kind)kind, named);
                char name[64];
                snprintf(name, sizeof name, "rt%d-%d-%d-%s", s, kind, named, file);
                const char *path = test_path(name);
                assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
                cobloc_matrix *back = must_read(path, NULL);
                assert_same_matrix(made, back);
                cobloc_matrix_free(made);
                cobloc_matrix_free(back);
            }
}

bool allocation_failed(long k, cobloc_status status, const cobloc_error *err, long least)
{
    bool failed = cob_alloc_has_failed() != 0;
    cob_alloc_fail_at(-1);
    if (status != (failed ? COBLOC_NO_MEMORY : COBLOC_OK))
        fail_msg("allocation %ld %s, but the status is \"%s\": %s", k,
                 failed ? "failed" : "did not fail", cobloc_status_name(status), err->message);
    assert_true(k < 100000);
    assert_true(failed || k > least);
    return failed;
}

void check_failing_allocations(const char *path, const char *format)
{
    cobloc_io_options options = options_for(format);
    options.threads = 1;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_matrix *matrix = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_matrix_read(path, &options, &matrix, &err);
        failed = allocation_failed(k, status, &err, 3);
        cobloc_matrix_free(matrix);
    }
}
