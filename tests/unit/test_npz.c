/* SciPy's .npz files. What a single array can be is the subject of test_npy.c.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* opendir, umask, lstat */
#include "support.h"

#include <dirent.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <zip.h>

/* ---- making archives ------------------------------------------------------------------------- */

typedef struct array {
    const char *name;   /* of the member; NULL: there is none */
    const char *header; /* the dictionary */
    const void *values;
    size_t size;
} array;

/* An array as numpy.save stores it; free() it. */
static char *npy_of(const array *a, size_t *size)
{
    size_t length = strlen(a->header);
    char *bytes = calloc(10 + length + a->size, 1);
    assert_non_null(bytes);
    memcpy(bytes, "\x93NUMPY\1", 7);
    bytes[8] = (char)length;
    memcpy(bytes + 10, a->header, length);
    if (a->size)
        memcpy(bytes + 10 + length, a->values, a->size);
    *size = 10 + length + a->size;
    return bytes;
}

static const char *make_zip(const char *file, const array *arrays, int count, int method)
{
    const char *path = test_path(file);
    char *bytes[8] = {NULL};
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    for (int a = 0; a < count; a++) {
        size_t size;
        if (!arrays[a].name)
            continue;
        bytes[a] = npy_of(&arrays[a], &size);
        zip_source_t *source = zip_source_buffer(zip, bytes[a], size, 0);
        zip_int64_t index = zip_file_add(zip, arrays[a].name, source, 0);
        assert_true(index >= 0);
        assert_int_equal(zip_set_file_compression(zip, (zip_uint64_t)index, method, 0), 0);
    }
    assert_int_equal(zip_close(zip), 0);
    for (int a = 0; a < count; a++)
        free(bytes[a]);
    return path;
}

#define HEADER(type, shape)                                                                        \
    "{'descr': '" type "', 'fortran_order': False, 'shape': " shape ", }   \n"

/* 1 0 2 0
 * 0 0 0 0
 * 0 3 0 4 */
static const double table[] = {1, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 4};
static const int32_t counts[] = {1, 2, 3, 4}, columns[] = {0, 2, 1, 3};
static const int64_t ends[] = {0, 2, 2, 4}, sizes[] = {3, 4};

enum { FORMAT, SHAPE, DATA, INDICES, INDPTR, MEMBERS };
static const array good[MEMBERS] = {
    {"format.npy", HEADER("|S3", "()"), "csr", 3},
    {"shape.npy", HEADER("<i8", "(2,)"), sizes, sizeof sizes},
    {"data.npy", HEADER("<i4", "(4,)"), counts, sizeof counts},
    {"indices.npy", HEADER("<i4", "(4,)"), columns, sizeof columns},
    {"indptr.npy", HEADER("<i8", "(4,)"), ends, sizeof ends},
};

static void expect_table(const char *path)
{
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_dense(matrix, 3, 4, table);
    cobloc_matrix_free(matrix);
}

/* The good archive with one member replaced. */
static const char *make_with(const char *file, int which, array replacement)
{
    array arrays[MEMBERS];
    memcpy(arrays, good, sizeof good);
    arrays[which] = replacement;
    return make_zip(file, arrays, MEMBERS, ZIP_CM_DEFLATE);
}

/* ---- good files ------------------------------------------------------------------------------ */

static void layouts(void **state)
{
    (void)state;
    expect_table(make_zip("csr.npz", good, MEMBERS, ZIP_CM_DEFLATE));
    expect_table(make_zip("stored.npz", good, MEMBERS, ZIP_CM_STORE));

    const int32_t by_column[] = {1, 3, 2, 4}, rows[] = {0, 2, 0, 2},
                  column_ends[] = {0, 1, 2, 3, 4};
    const array csc[] = {
        {"data.npy", HEADER("<i4", "(4,)"), by_column, sizeof by_column},
        {"format.npy", HEADER("<U3", "()"), "c\0\0\0s\0\0\0c\0\0\0", 12},
        {"indices.npy", HEADER("<i4", "(4,)"), rows, sizeof rows},
        {"indptr.npy", HEADER("<i4", "(5,)"), column_ends, sizeof column_ends},
        {"shape.npy", HEADER("<i8", "(2,)"), sizes, sizeof sizes},
        {"_is_array.npy", HEADER("|b1", "()"), "\1", 1},
    };
    expect_table(make_zip("csc.npz", csc, 6, ZIP_CM_DEFLATE));

    /* In no order, with a duplicate and a zero. */
    const int32_t row[] = {2, 0, 2, 0, 2, 1}, col[] = {3, 0, 1, 2, 3, 1},
                  value[] = {1, 1, 3, 2, 3, 0};
    const array coo[] = {
        {"row.npy", HEADER("<i4", "(6,)"), row, sizeof row},
        {"col.npy", HEADER("<i4", "(6,)"), col, sizeof col},
        {"format.npy", HEADER(">U3", "(1,)"), "\0\0\0c\0\0\0o\0\0\0o", 12},
        {"shape.npy", HEADER("<i8", "(2,)"), sizes, sizeof sizes},
        {"data.npy", HEADER("<i4", "(6,)"), value, sizeof value},
    };
    expect_table(make_zip("coo.npz", coo, 5, ZIP_CM_DEFLATE));
}

/* An index array of another type of integer, its values written here byte by byte. */
static const char *typed(const char *file, int which, const char *type, const int *values)
{
    unsigned char bytes[64];
    char header[128];
    int width = type[2] - '0', count = which == SHAPE ? 2 : 4;
    for (int k = 0; k < count * width; k++) {
        int place = type[0] == '>' ? width - 1 - k % width : k % width;
        bytes[k] = (unsigned char)(place == 0 ? values[k / width] : 0);
    }
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }",
             type, count);
    array replaced = {good[which].name, header, bytes, (size_t)(count * width)};
    return make_with(file, which, replaced);
}

static void index_types(void **state)
{
    static const char *const type[] = {"|u1", "|i1", "<u2", ">u2", "<i2", ">i2", "<u4",
                                       ">u4", "<i4", ">i4", "<u8", ">u8", "<i8", ">i8"};
    const int column[] = {0, 2, 1, 3}, end[] = {0, 2, 2, 4}, size[] = {3, 4};
    (void)state;
    for (int t = 0; t < 14; t++) {
        expect_table(typed("indices.npz", INDICES, type[t], column));
        expect_table(typed("indptr.npz", INDPTR, type[t], end));
        expect_table(typed("shape.npz", SHAPE, type[t], size));
    }
}

static void dense_table(void **state)
{
    const int16_t by_row[] = {1, 0, 2, 0, 0, 0, 0, 0, 0, 3, 0, 4};
    const array dense = {"x.npy", HEADER("<i2", "(3, 4)"), by_row, sizeof by_row};
    (void)state;
    expect_table(make_zip("dense.npz", &dense, 1, ZIP_CM_DEFLATE));
}

/* More entries, and more rows, than one piece holds. */
static void many_pieces(void **state)
{
    cobloc_error err;
    (void)state;
    cobloc_matrix *made[2] = {random_matrix(5, 300, 400, 0.9, COBLOC_U16, NAMES_NONE),
                              random_matrix(6, 100001, 2, 0.3, COBLOC_F64, NAMES_NONE)};
    for (int m = 0; m < 2; m++) {
        const char *path = test_path("pieces.npz");
        assert_ok(cobloc_matrix_write(made[m], path, NULL, &err), err);
        cobloc_matrix *back = must_read(path, NULL);
        assert_same_matrix(made[m], back);
        cobloc_matrix_free(made[m]);
        cobloc_matrix_free(back);
    }
}

static void real_data(void **state)
{
    (void)state;
    const char *path = test_data("imdb100k.npz");
    if (!path)
        skip();
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_int_equal(cobloc_matrix_rows(matrix), 100000);
    assert_int_equal(cobloc_matrix_cols(matrix), 52594);
    assert_int_equal(cobloc_matrix_nnz(matrix), 13801036);
    assert_true(cobloc_matrix_total(matrix) == 22958801);
    assert_non_null(cobloc_matrix_col_name(matrix, 52593));
    assert_non_null(cobloc_matrix_row_label(matrix, 99999));
    cobloc_matrix_free(matrix);
}

/* ---- broken files ---------------------------------------------------------------------------- */

static void broken_members(void **state)
{
    static const int32_t outside[] = {0, 2, 1, 4}, under[] = {0, -1, 1, 3};
    static const double undefined[] = {1, 2, 0.0 / 0.0, 4}, infinite[] = {1, 2, 1.0 / 0.0, 4};
    static const int64_t far[] = {0, 2, (int64_t)1 << 40, 3}, late[] = {1, 2, 2, 4};
    static const int64_t falling[] = {0, 3, 2, 4}, beyond[] = {0, 2, 2, 5}, low[] = {0, 2, 2, 3};
    static const int64_t below[] = {0, -1, 2, 4}, none[] = {3, 0}, minus[] = {-3, 4};
    static const int64_t vast[] = {(int64_t)1 << 33, 4}, cube[] = {3, 4, 2}, wide[] = {4, 4};
    static const uint64_t huge[] = {0, 2, UINT64_MAX, 3};
#define AS(type, shape, values) HEADER(type, shape), values, sizeof values
    const struct {
        int which;
        const char *header;
        const void *values;
        size_t size;
        cobloc_status status;
        const char *part;
    } broken[] = {
        {DATA, AS("<f8", "(4,)", undefined), COBLOC_BAD_DATA, "entry 3: the value is not a number"},
        {DATA, AS("<f8", "(4,)", infinite), COBLOC_BAD_DATA, "the value is infinite"},
        {DATA, AS("|O", "(4,)", counts), COBLOC_UNSUPPORTED, "data.npy: holds Python objects"},
        {DATA, AS("|O8", "(4,)", counts), COBLOC_UNSUPPORTED, "Python objects"},
        {DATA, AS("<c8", "(4,)", counts), COBLOC_UNSUPPORTED, "the type is '<c8'"},
        {DATA, AS("<f16", "(4,)", counts), COBLOC_UNSUPPORTED, "the type is '<f16'"},
        {DATA, AS("<i3", "(4,)", counts), COBLOC_UNSUPPORTED, "the type is '<i3'"},
        {DATA, AS("<f", "(4,)", counts), COBLOC_UNSUPPORTED, "the type is '<f'"},
        {DATA, AS("<f8x", "(4,)", counts), COBLOC_UNSUPPORTED, "the type is '<f8x'"},
        {DATA, AS("<M8[D]", "(4,)", counts), COBLOC_UNSUPPORTED, "the type is '<M8[D]'"},
        {DATA, AS("<", "(4,)", counts), COBLOC_BAD_DATA, "has no type"},
        {DATA, AS("|S4", "(4,)", counts), COBLOC_BAD_DATA, "data.npy: holds text"},
        {DATA, AS("<i4", "(2, 2)", counts), COBLOC_BAD_DATA, "data.npy: has 2 dimensions"},
        {DATA, AS("<i4", "(3,)", counts), COBLOC_BAD_DATA,
         "indices.npy: holds 4 values, expected 3"},
        {DATA, AS("<i8", "(4,)", counts), COBLOC_BAD_DATA, "ends after 2 of the 4 values"},
        {DATA, AS("<i2", "(4,)", counts), COBLOC_BAD_DATA,
         "data.npy: continues after the 4 values"},
        {DATA, "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (4,)}", counts, 16,
         COBLOC_UNSUPPORTED, "data.npy: holds records"},
        {INDICES, AS("<i4", "(4,)", outside), COBLOC_BAD_DATA, "entry 4: column 4 is out of range"},
        {INDICES, AS("<i4", "(4,)", under), COBLOC_BAD_DATA, "column -1 is out of range"},
        {INDICES, AS("<i8", "(4,)", far), COBLOC_BAD_DATA, "column 1099511627776 is out of range"},
        {INDICES, AS("<u8", "(4,)", huge), COBLOC_BAD_DATA, "entry 3: column 9223372036854775807"},
        {INDICES, AS("<f4", "(4,)", counts), COBLOC_BAD_DATA,
         "indices.npy: holds values of the kind"},
        {INDICES, AS("<i4", "(5,)", columns), COBLOC_BAD_DATA, "holds 5 values, expected 4"},
        {INDPTR, AS("<i8", "(4,)", late), COBLOC_BAD_DATA, "indptr.npy: begins with 1, expected 0"},
        {INDPTR, AS("<i8", "(4,)", falling), COBLOC_BAD_DATA, "[2] is 2, expected 3 to 4"},
        {INDPTR, AS("<i8", "(4,)", below), COBLOC_BAD_DATA, "[1] is -1, expected 0 to 4"},
        {INDPTR, AS("<i8", "(4,)", beyond), COBLOC_BAD_DATA, "[3] is 5, expected 2 to 4"},
        {INDPTR, AS("<i8", "(4,)", low), COBLOC_BAD_DATA, "ends with 3, expected the 4 values"},
        {INDPTR, AS("<i8", "(3,)", ends), COBLOC_BAD_DATA,
         "indptr.npy: holds 3 values, expected 4"},
        {INDPTR, AS("|b1", "(4,)", ends), COBLOC_BAD_DATA, "expected integers"},
        {SHAPE, AS("<i8", "(2,)", none), COBLOC_BAD_DATA, "shape.npy: the matrix is 3 by 0"},
        {SHAPE, AS("<i8", "(2,)", minus), COBLOC_BAD_DATA, "the matrix is -3 by 4"},
        {SHAPE, AS("<i8", "(2,)", vast), COBLOC_UNSUPPORTED, "the matrix is 8589934592 by 4"},
        {SHAPE, AS("<i8", "(3,)", cube), COBLOC_UNSUPPORTED, "the matrix has 3 dimensions"},
        {SHAPE, AS("<i8", "(2, 1)", sizes), COBLOC_BAD_DATA, "shape.npy: has 2 dimensions"},
        {SHAPE, AS("<f8", "(2,)", sizes), COBLOC_BAD_DATA, "expected integers"},
        {SHAPE, AS("<i8", "(2,)", wide), COBLOC_BAD_DATA, "indptr.npy: holds 4 values, expected 5"},
        {FORMAT, HEADER("|S3", "()"), "bsr", 3, COBLOC_UNSUPPORTED,
         "stored as 'bsr', expected csr"},
        {FORMAT, HEADER("|S3", "()"), "dia", 3, COBLOC_UNSUPPORTED, "stored as 'dia'"},
        {FORMAT, HEADER("|S40", "()"), "a text that is longer than any of them..", 40,
         COBLOC_UNSUPPORTED, "stored as 'a?text?"},
        {FORMAT, HEADER("|S99999999", "()"), "csr", 3, COBLOC_BAD_DATA, "a text of 99999999 bytes"},
        {FORMAT, HEADER("|S0", "()"), "", 0, COBLOC_UNSUPPORTED, "the type is '|S0'"},
        {FORMAT, HEADER(">U0", "()"), "", 0, COBLOC_UNSUPPORTED, "the type is '>U0'"},
        {FORMAT, HEADER("|S3", "(2,)"), "csrcsr", 6, COBLOC_BAD_DATA, "expected one text"},
        {FORMAT, HEADER("<i4", "()"), "csr", 4, COBLOC_BAD_DATA, "expected one text"},
        {FORMAT, HEADER("|S3", "()"), "cs", 2, COBLOC_BAD_DATA, "format.npy: ends after 0 of"},
    };
    (void)state;
    for (size_t b = 0; b < sizeof broken / sizeof *broken; b++) {
        array bad = {good[broken[b].which].name, broken[b].header, broken[b].values,
                     broken[b].size};
        assert_refused(make_with("broken.npz", broken[b].which, bad), NULL, broken[b].status,
                       broken[b].part);
    }
}

static char *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static void broken_archives(void **state)
{
    size_t size;
    (void)state;
    for (int m = 0; m < MEMBERS; m++) {
        array missing = {NULL, "", "", 0};
        array renamed = good[m];
        char name[32];
        renamed.name = "other.npy";
        snprintf(name, sizeof name, "no %s", m == FORMAT ? "format.npy" : good[m].name);
        assert_refused(make_with("missing.npz", m, missing), NULL, COBLOC_BAD_DATA, name);
        assert_refused(make_with("renamed.npz", m, renamed), NULL, COBLOC_BAD_DATA, name);
    }
    char *bytes = contents(make_zip("whole.npz", good, MEMBERS, ZIP_CM_STORE), &size);
    for (size_t cut = 0; cut < size; cut++)
        assert_refused(test_file("cut.npz", bytes, cut), "npz", COBLOC_BAD_DATA, "cut.npz: ");
    int found = 0;
    for (size_t at = 0; at + sizeof counts <= size; at++)
        if (memcmp(bytes + at, counts, sizeof counts) == 0) {
            bytes[at] ^= 4; /* the checksum sees that a value is another */
            assert_refused(test_file("flipped.npz", bytes, size), NULL, COBLOC_BAD_DATA, "CRC");
            bytes[at] ^= 4;
            found++;
        }
    assert_int_equal(found, 1);
    for (size_t at = 0; at < size; at++) { /* whatever happens, no harm */
        cobloc_error err;
        cobloc_matrix *matrix = NULL;
        bytes[at] ^= 0x41;
        cobloc_matrix_read(test_file("harm.npz", bytes, size), NULL, &matrix, &err);
        cobloc_matrix_free(matrix);
        bytes[at] ^= 0x41;
    }
    free(bytes);
    if (zip_compression_method_supported(ZIP_CM_BZIP2, 1))
        assert_refused(make_zip("bzip2.npz", good, MEMBERS, ZIP_CM_BZIP2), NULL, COBLOC_UNSUPPORTED,
                       "format.npy: is encrypted or compressed in a way that NumPy does not write");
    assert_refused(test_text("word.docx", "PK\3\4"), NULL, COBLOC_BAD_DATA,
                   "the format is not recognised");
}

static void bombs(void **state)
{
    enum { SIZE = 9000 };
    (void)state;
    void *zeros = calloc(SIZE, SIZE);
    array bomb = {"x.npy", HEADER("|u1", "(9000, 9000)"), zeros, (size_t)SIZE * SIZE};
    assert_refused(make_zip("bomb.npz", &bomb, 1, ZIP_CM_DEFLATE), NULL, COBLOC_BAD_DATA,
                   "x.npy: expands more than a thousandfold");
    free(zeros);
    static const int64_t many[] = {2000000000, 2000000000};
    array shape = {"shape.npy", good[SHAPE].header, many, sizeof many};
    assert_refused(make_with("vast.npz", SHAPE, shape), NULL, COBLOC_BAD_DATA,
                   "indptr.npy: holds 4 values, expected 2000000001");
    array promise = {"x.npy", HEADER("<f8", "(2000000000, 2000000000)"), "", 0};
    assert_refused(make_zip("promise.npz", &promise, 1, ZIP_CM_DEFLATE), NULL, COBLOC_BAD_DATA,
                   "ends after 0 of the 4000000000000000000 values");
}

/* ---- the rest -------------------------------------------------------------------------------- */

static int stop_at_once(void *user, const char *what, double done)
{
    assert_string_equal(what, "reading");
    assert_true(done >= 0 && done <= 1);
    ++*(int *)user;
    return 1;
}

static void cancelling(void **state)
{
    int calls = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    cobloc_io_options options;
    (void)state;
    cob_io_options_default(&options);
    options.progress = (cobloc_progress){stop_at_once, &calls};
    const char *path = make_zip("cancel.npz", good, MEMBERS, ZIP_CM_DEFLATE);
    assert_int_equal(cobloc_matrix_read(path, &options, &matrix, &err), COBLOC_CANCELLED);
    assert_int_equal(calls, 1);
    assert_null(matrix);
}

static void round_trips(void **state)
{
    (void)state;
    check_round_trip("a.npz", COBLOC_F64, NAMES_NASTY);
    cobloc_error err;
    cobloc_matrix *empty = NULL;
    assert_ok(cobloc_matrix_from_triples(3, 5, 0, NULL, NULL, NULL, &empty, &err), err);
    assert_ok(cobloc_matrix_write(empty, test_path("empty.npz"), NULL, &err), err);
    cobloc_matrix *back = must_read(test_path("empty.npz"), NULL);
    assert_same_matrix(empty, back);
    cobloc_matrix_free(empty);
    cobloc_matrix_free(back);
}

static int files_in_folder(void)
{
    int count = 0;
    DIR *folder = opendir(test_folder());
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void written_files(void **state)
{
    cobloc_error err;
    size_t size[2];
    struct stat about;
    (void)state;
    cobloc_matrix *matrix = random_matrix(3, 20, 30, 0.3, COBLOC_ONES, NAMES_NONE);
    int before = files_in_folder();
    mode_t mask = umask(027);
    assert_ok(cobloc_matrix_write(matrix, test_path("one.npz"), NULL, &err), err);
    umask(mask);
    assert_ok(cobloc_matrix_write(matrix, test_path("two.npz"), NULL, &err), err);
    assert_int_equal(files_in_folder(), before + 2); /* nothing temporary is left */
    assert_int_equal(stat(test_path("one.npz"), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    char *one = contents(test_path("one.npz"), &size[0]),
         *two = contents(test_path("two.npz"), &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(one, two, size[0]);
    free(one);
    free(two);
    assert_int_equal(cobloc_matrix_write(matrix, test_path("no/such.npz"), NULL, &err), COBLOC_IO);
    assert_int_equal(cobloc_matrix_write(matrix, test_path("a.npz.gz"), NULL, &err),
                     COBLOC_UNSUPPORTED);
    cobloc_matrix_free(matrix);
}

static void failing_allocations(void **state)
{
    (void)state;
    check_failing_allocations(make_zip("small.npz", good, MEMBERS, ZIP_CM_DEFLATE), NULL);
    const array dense = {"x.npy", HEADER("<i4", "(2, 2)"), counts, sizeof counts};
    check_failing_allocations(make_zip("dense.npz", &dense, 1, ZIP_CM_STORE), NULL);

    cobloc_error err;
    cobloc_matrix *matrix = random_matrix(3, 20, 30, 0.3, COBLOC_ONES, NAMES_NONE);
    int before = files_in_folder();
    for (long k = 0, failed = 1; failed; k++) {
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_matrix_write(matrix, test_path("none.npz"), NULL, &err);
        failed = allocation_failed(k, status, &err, 3);
        assert_int_equal(files_in_folder(), before + !failed);
    }
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),         cmocka_unit_test(index_types),
        cmocka_unit_test(dense_table),     cmocka_unit_test(many_pieces),
        cmocka_unit_test(real_data),       cmocka_unit_test(broken_members),
        cmocka_unit_test(broken_archives), cmocka_unit_test(bombs),
        cmocka_unit_test(cancelling),      cmocka_unit_test(round_trips),
        cmocka_unit_test(written_files),   cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("npz", tests, NULL, NULL);
}
