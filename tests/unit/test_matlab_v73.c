/* MATLAB files of version 7.3: HDF5 made by hand, by libmatio, and by other programs (the files in
 * tests/fuzz/corpus/matlab).
 *
 * SPDX-License-Identifier: MIT
 */
#include "matlab_blob.h"

#include <matio.h>

/* ---- files made by hand ---------------------------------------------------------------------- */

enum { BASE = 512, SUPERBLOCK = 48 };
enum { SPACE = 1, TYPE = 3, LINK = 6, LAYOUT = 8, FILTERS = 11, ATTRIBUTE = 12, CONTINUATION = 16 };

static int64_t here(const blob *b)
{
    return (int64_t)b->size - BASE;
}

/* The place of the superblock is kept free; finish_file fills it. */
static void start_file(blob *b)
{
    start(b, false);
    b->bytes[125] = 2;
    while (b->size < BASE + SUPERBLOCK)
        put(b, 0, 1);
}

/* Where the bytes of the last message of each type stand, and the last tree and object. */
static size_t place_of[32];
enum { SUPER_AT = 29, TREE_AT, OBJECT_AT };

static size_t open_message(blob *b, int type)
{
    put(b, (uint64_t)type, 2);
    put(b, 0, 2);
    put(b, 0, 4);
    return place_of[type] = b->size;
}

static void close_message(blob *b, size_t from)
{
    pad(b, from);
    size_t end = b->size;
    b->size = from - 6;
    put(b, end - from, 2);
    b->size = end;
}

static size_t open_object(blob *b)
{
    place_of[OBJECT_AT] = b->size;
    put(b, 1, 8);
    put(b, 0, 8);
    return b->size;
}

static void close_object(blob *b, size_t from)
{
    size_t end = b->size;
    b->size = from - 8;
    put(b, end - from, 4);
    b->size = end;
}

static void finish_file(blob *b, int64_t root)
{
    size_t end = b->size;
    b->size = BASE;
    memcpy(b->bytes + BASE, "\x89HDF\r\n\x1a\n", 8);
    b->size += 8;
    put(b, 2 | 8 << 8 | 8 << 16, 4);
    put(b, BASE, 8);
    put(b, UINT64_MAX, 8);
    put(b, end - BASE, 8);
    put(b, (uint64_t)root, 8);
    b->size = end;
}

static void add_link(blob *b, const char *name, int64_t object)
{
    size_t m = open_message(b, LINK);
    put(b, 1, 2);
    put(b, strlen(name), 1);
    for (const char *c = name; *c; c++)
        put(b, (unsigned char)*c, 1);
    put(b, (uint64_t)object, 8);
    close_message(b, m);
}

static void put_double_type(blob *b)
{
    put(b, 0x3F2011, 4);
    put(b, 8, 4);
    put(b, 0x400000, 4);
    put(b, 0x34000B34, 4);
    put(b, 1023, 4);
    put(b, 0, 4);
}

static void add_class(blob *b, const char *class)
{
    size_t m = open_message(b, ATTRIBUTE);
    put(b, 1, 2);
    put(b, sizeof "MATLAB_class", 2);
    put(b, 8, 2);
    put(b, 8, 2);
    for (const char *c = "MATLAB_class"; *c; c++)
        put(b, (unsigned char)*c, 1);
    put(b, 0, 4);
    put(b, 0x13, 4); /* a string */
    put(b, strlen(class), 4);
    put(b, 1, 8); /* one of them */
    for (const char *c = class; *c; c++)
        put(b, (unsigned char)*c, 1);
    close_message(b, m);
}

/* A matrix of doubles, 3 by 4: the shape, the type and the class, but not where the data lie. */
static size_t open_matrix(blob *b, int64_t cols)
{
    size_t object = open_object(b), m = open_message(b, SPACE);
    put(b, 1 | 2 << 8, 8);
    put(b, (uint64_t)cols, 8);
    put(b, 3, 8);
    close_message(b, m);
    m = open_message(b, TYPE);
    put_double_type(b);
    close_message(b, m);
    add_class(b, "double");
    return object;
}

static void put_doubles(blob *b)
{
    for (int i = 0; i < 12; i++) {
        uint64_t bits;
        memcpy(&bits, &by_column[i], sizeof bits);
        put(b, bits, 8);
    }
}

enum { OLD, OLD_COMPACT, CONTIGUOUS, COMPACT, CHUNKED, LAYOUTS };

/* A layout message with the data at `data`, or in it. */
static void add_layout(blob *b, int layout, int64_t data)
{
    static const int version[] = {1, 2, 3, 3, 3}, kind[] = {1, 0, 1, 0, 2};
    size_t m = open_message(b, LAYOUT);
    bool old = layout == OLD || layout == OLD_COMPACT;
    put(b, (uint64_t)version[layout], 1);
    put(b, old ? 3 : (uint64_t)kind[layout], 1);
    if (old) {
        put(b, (uint64_t)kind[layout], 6);
        if (layout == OLD)
            put(b, (uint64_t)data, 8);
    } else if (layout == CHUNKED) {
        put(b, 3, 1);
        put(b, (uint64_t)data, 8);
    }
    if (old || layout == CHUNKED) { /* chunks of all 4 columns, 2 rows */
        put(b, 4, 4);
        put(b, layout == CHUNKED ? 2 : 3, 4);
        put(b, 8, 4);
    }
    if (layout == CONTIGUOUS) {
        put(b, (uint64_t)data, 8);
        put(b, 96, 8);
    } else if (layout == COMPACT || layout == OLD_COMPACT) {
        put(b, 96, layout == COMPACT ? 2 : 4);
        put_doubles(b);
    }
    close_message(b, m);
}

static void save_root(blob *b, const char *name, int64_t object)
{
    int64_t root = here(b);
    size_t from = open_object(b);
    add_link(b, name, object);
    close_object(b, from);
    finish_file(b, root);
}

/* Two chunks of two rows, the second of which reaches beyond the matrix, and their tree. */
static int64_t put_chunks(blob *b)
{
    int64_t chunk[2], tree;
    for (int c = 0; c < 2; c++) {
        chunk[c] = here(b);
        for (int col = 0; col < 4; col++)
            for (int row = 2 * c; row < 2 * c + 2; row++) {
                uint64_t bits;
                double outside = 99;
                memcpy(&bits, row < 3 ? &by_column[col * 3 + row] : &outside, sizeof bits);
                put(b, bits, 8);
            }
    }
    tree = here(b);
    place_of[TREE_AT] = b->size;
    put(b, 0x45455254, 4); /* TREE, of chunks, level 0, two entries */
    put(b, 1 | 2 << 16, 4);
    put(b, UINT64_MAX, 8);
    put(b, UINT64_MAX, 8);
    for (int c = 0; c < 2; c++) {
        put(b, 64, 8);
        put(b, 0, 8);
        put(b, (uint64_t)(2 * c), 8);
        put(b, 0, 8);
        put(b, (uint64_t)chunk[c], 8);
    }
    return tree;
}

static void make_matrix(blob *b, int layout)
{
    start_file(b);
    int64_t data = here(b);
    if (layout == CHUNKED)
        data = put_chunks(b);
    else
        put_doubles(b);
    int64_t object = here(b);
    size_t from = open_matrix(b, 4);
    add_layout(b, layout, data);
    close_object(b, from);
    save_root(b, "fea", object);
}

static void layouts(void **state)
{
    static blob b;
    (void)state;
    for (int layout = 0; layout < LAYOUTS; layout++) {
        make_matrix(&b, layout);
        assert_reads(&b);
    }
}

/* ---- broken files ---------------------------------------------------------------------------- */

static void patch(blob *b, size_t at, uint64_t value, size_t width)
{
    size_t end = b->size;
    b->size = at;
    put(b, value, width);
    b->size = end;
}

static void broken_files(void **state)
{
    static const struct {
        int layout;
        int where; /* a byte of what */
        int byte;
        uint64_t value;
        size_t width;
        cobloc_status status;
        const char *part;
    } table[] = {
        {CONTIGUOUS, SUPER_AT, 0, 0, 1, COBLOC_BAD_DATA, "the HDF5 signature"},
        {CONTIGUOUS, SUPER_AT, 8, 9, 1, COBLOC_UNSUPPORTED, "superblock has version 9"},
        {CONTIGUOUS, SUPER_AT, 9, 4, 1, COBLOC_UNSUPPORTED,
         "offsets and lengths have 4 and 8 bytes"},
        {CONTIGUOUS, SUPER_AT, 36, 1 << 20, 8, COBLOC_BAD_DATA, "of an object is damaged"},
        {CONTIGUOUS, SUPER_AT, 36, 64, 8, COBLOC_BAD_DATA, "there is no HDF5 object at 64"},
        {CONTIGUOUS, OBJECT_AT, 8, 9999, 4, COBLOC_BAD_DATA, "of 9999 bytes at"},
        {CONTIGUOUS, LINK, -6, 999, 2, COBLOC_BAD_DATA, "of an object is damaged"},
        {CONTIGUOUS, LINK, 2, 200, 1, COBLOC_BAD_DATA, "of a link is damaged"},
        {CONTIGUOUS, LINK, 4, 0, 1, COBLOC_BAD_DATA, "of a link is damaged"},
        {CONTIGUOUS, LINK, 1, 8, 1, COBLOC_BAD_DATA, "the variables in it: none"},
        {CONTIGUOUS, LAYOUT, 0, 7, 1, COBLOC_BAD_DATA, "of a layout is damaged"},
        {CONTIGUOUS, LAYOUT, 1, 3, 1, COBLOC_UNSUPPORTED, "newer HDF5 files"},
        {CONTIGUOUS, LAYOUT, 2, 1 << 20, 8, COBLOC_BAD_DATA, "data lie outside the file"},
        {CONTIGUOUS, LAYOUT, 2, 400, 8, COBLOC_BAD_DATA, "beyond the end"},
        {CONTIGUOUS, LAYOUT, 10, 95, 8, COBLOC_BAD_DATA, "95 bytes are stored for 12 values of 8"},
        {CONTIGUOUS, SPACE, 1, 9, 1, COBLOC_BAD_DATA, "of a shape is damaged"},
        {CONTIGUOUS, SPACE, 8, UINT64_MAX, 8, COBLOC_BAD_DATA, "of a shape is damaged"},
        {CONTIGUOUS, SPACE, 8, 1 << 20, 8, COBLOC_BAD_DATA, "values of 8 bytes"},
        {CONTIGUOUS, SPACE, 8, (uint64_t)1 << 40, 8, COBLOC_UNSUPPORTED, "more than the"},
        {CONTIGUOUS, TYPE, 0, 0x15, 1, COBLOC_BAD_DATA, "not an array of numbers"},
        {CONTIGUOUS, TYPE, -4, 2, 1, COBLOC_UNSUPPORTED, "its type is shared"},
        {CONTIGUOUS, ATTRIBUTE, 2, 999, 2, COBLOC_BAD_DATA, "of an attribute is damaged"},
        {CONTIGUOUS, ATTRIBUTE, 40, 'D', 1, COBLOC_BAD_DATA, "fea (structure or object, 3 by 4)"},
        {OLD, LAYOUT, 1, 77, 1, COBLOC_BAD_DATA, "of a layout is damaged"},
        {OLD_COMPACT, LAYOUT, 20, 64, 4, COBLOC_BAD_DATA, "64 bytes are stored for 12 values"},
        {CHUNKED, LAYOUT, 11, 0, 4, COBLOC_BAD_DATA, "the shape of its chunks is damaged"},
        {CHUNKED, LAYOUT, 11, UINT32_MAX, 4, COBLOC_BAD_DATA, "the shape of its chunks is damaged"},
        {CHUNKED, LAYOUT, 11, 1 << 25, 4, COBLOC_BAD_DATA, "more than a thousandfold"},
        {CHUNKED, LAYOUT, 11, 3, 4, COBLOC_BAD_DATA, "a chunk has 64 bytes, expected 48"},
        {CHUNKED, TREE_AT, 0, 0, 4, COBLOC_BAD_DATA, "there is no B-tree node"},
        {CHUNKED, TREE_AT, 5, 1, 1, COBLOC_BAD_DATA, "there is no B-tree node"},
        {CHUNKED, TREE_AT, 6, 60000, 2, COBLOC_BAD_DATA, "beyond the end"},
        {CHUNKED, TREE_AT, 24, 63, 4, COBLOC_BAD_DATA, "a chunk has 63 bytes, expected 64"},
        {CHUNKED, TREE_AT, 32, 4, 8, COBLOC_BAD_DATA, "a chunk lies outside its dataset"},
        {CHUNKED, TREE_AT, 56, 1 << 20, 8, COBLOC_BAD_DATA, "a chunk lies outside the file"},
        {CHUNKED, TREE_AT, 80, 0, 8, COBLOC_BAD_DATA, "its chunks overlap"},
    };
    static blob b;
    (void)state;
    place_of[SUPER_AT] = BASE;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        make_matrix(&b, table[t].layout);
        patch(&b, place_of[table[t].where] + (size_t)table[t].byte, table[t].value, table[t].width);
        assert_refused(saved(&b), NULL, table[t].status, table[t].part);
    }
}

/* A header that continues in itself, and a tree that is its own child. */
static void circles(void **state)
{
    static blob b;
    (void)state;
    start_file(&b);
    int64_t object = here(&b);
    size_t from = open_matrix(&b, 4), m = open_message(&b, CONTINUATION);
    put(&b, (uint64_t)object + 16, 8);
    put(&b, b.size + 8 - from, 8);
    close_message(&b, m);
    close_object(&b, from);
    save_root(&b, "fea", object);
    assert_refused(saved(&b), NULL, COBLOC_BAD_DATA, "the HDF5 structures contain a cycle");

    make_matrix(&b, CHUNKED);
    patch(&b, place_of[TREE_AT] + 5, 1, 1);
    patch(&b, place_of[TREE_AT] + 56, place_of[TREE_AT] - BASE, 8);
    assert_refused(saved(&b), NULL, COBLOC_BAD_DATA, "a B-tree node is of level 1, expected 0");
}

static void strange_filters(void **state)
{
    static blob b;
    (void)state;
    start_file(&b);
    int64_t data = put_chunks(&b), object = here(&b);
    size_t from = open_matrix(&b, 4);
    add_layout(&b, CHUNKED, data);
    size_t m = open_message(&b, FILTERS);
    put(&b, 1 | 1 << 8, 8);
    put(&b, 32001, 8);
    close_message(&b, m);
    close_object(&b, from);
    save_root(&b, "fea", object);
    assert_refused(saved(&b), NULL, COBLOC_UNSUPPORTED, "compressed in a way other than deflate");
}

/* ---- files by libmatio, which is not ours ---------------------------------------------------- */

static void save_variable(mat_t *mat, const char *name, enum matio_classes class,
                          enum matio_types type, size_t rows, size_t cols, void *data, bool packed)
{
    size_t dims[] = {rows, cols};
    matvar_t *variable = Mat_VarCreate(name, class, type, 2, dims, data, 0);
    assert_non_null(variable);
    assert_int_equal(
        Mat_VarWrite(mat, variable, packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE), 0);
    Mat_VarFree(variable);
}

static const char *save_with_matio(bool packed)
{
    const char *path = test_path("matio.mat");
    mat_uint32_t rows[] = {0, 1, 0, 2, 2}, starts[] = {0, 1, 2, 4, 5};
    double values[] = {1, 3, 2, 4, 1};
    mat_sparse_t sparse = {
        .nzmax = 5, .ir = rows, .nir = 5, .jc = starts, .njc = 5, .ndata = 5, .data = values};
    mat_uint8_t labels[] = {1, 2, 1};
    static const char *const names[] = {"ab", "c", "xyz", "d e"};
    matvar_t *cells[5] = {NULL};
    remove(path);
    mat_t *mat = Mat_CreateVer(path, NULL, MAT_FT_MAT73);
    assert_non_null(mat);
    save_variable(mat, "X", MAT_C_SPARSE, MAT_T_DOUBLE, 3, 4, &sparse, packed);
    save_variable(mat, "labels", MAT_C_UINT8, MAT_T_UINT8, 3, 1, labels, packed);
    for (int i = 0; i < 4; i++) {
        char text[8];
        strcpy(text, names[i]);
        size_t dims[] = {1, strlen(text)};
        cells[i] = Mat_VarCreate(NULL, MAT_C_CHAR, MAT_T_UTF8, 2, dims, text, 0);
    }
    save_variable(mat, "terms", MAT_C_CELL, MAT_T_CELL, 4, 1, cells, packed);
    Mat_Close(mat);
    return path;
}

static void others_wrote_it(void **state)
{
    static const char *const names[] = {"ab", "c", "xyz", "d e"}, *const labels[] = {"1", "2", "1"};
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        cobloc_matrix *matrix = must_read(save_with_matio(packed), NULL);
        assert_dense(matrix, 3, 4, dense);
        for (int i = 0; i < 4; i++)
            assert_string_equal(cobloc_matrix_col_name(matrix, i), names[i]);
        for (int i = 0; i < 3; i++)
            assert_string_equal(cobloc_matrix_row_label(matrix, i), labels[i]);
        cobloc_matrix_free(matrix);
        check_failing_allocations(save_with_matio(packed), NULL);
    }
}

static size_t load(const char *path, unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    assert_true(size > 0 && size < room);
    fclose(file);
    return size;
}

/* Cut anywhere, or with any byte changed, a file is read or refused with a sentence. */
static void damaged_anywhere(void **state)
{
    static unsigned char bytes[1 << 15];
    cobloc_error err;
    (void)state;
    size_t size = load(save_with_matio(true), bytes, sizeof bytes);
    for (size_t at = BASE; at < size; at++)
        if (bytes[at] || at % 8 == 0) { /* most bytes are mere room */
            static const unsigned char change[] = {0x01, 0xFF, 0};
            unsigned char old = bytes[at];
            cobloc_matrix *matrix = NULL;
            bytes[at] ^= change[at % 3];
            const char *path = test_file("damaged.mat", bytes, change[at % 3] ? size : at);
            bytes[at] = old;
            if (cobloc_matrix_read(path, NULL, &matrix, &err) != COBLOC_OK)
                assert_non_null(strstr(err.message, "damaged.mat: "));
            cobloc_matrix_free(matrix);
        }
}

/* ---- files by other programs ----------------------------------------------------------------- */

/* Every file in the corpus holds the same matrix. */
static void the_corpus(void **state)
{
    static const struct {
        const char *file, *row, *col,
            *label; /* the names of row 1 and column 3, the label of row 1 */
    } table[] = {
        {"v5_sparse", "zwölf", "😀", "y"},     {"v5_full", NULL, "gg", "2"},
        {"v5_big_endian", NULL, NULL, NULL},  {"v7_compressed", NULL, NULL, "v"},
        {"v73_sparse", NULL, "", NULL},       {"v73_chunked", NULL, NULL, NULL},
        {"v73_big_endian", NULL, NULL, NULL}, {"v73_new_groups", "s", NULL, NULL},
        {"v73_deep_tree", NULL, NULL, "2"},
    };
    static const char here_is[] = __FILE__;
    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        char path[1024];
        snprintf(path, sizeof path, "%.*s../fuzz/corpus/matlab/%s.mat",
                 (int)(strrchr(here_is, '/') + 1 - here_is), here_is, table[t].file);
        cobloc_matrix *matrix = must_read(path, NULL);
        assert_dense(matrix, 3, 4, dense);
        const char *got[] = {cobloc_matrix_row_name(matrix, 1), cobloc_matrix_col_name(matrix, 3),
                             cobloc_matrix_row_label(matrix, 1)};
        const char *expected[] = {table[t].row, table[t].col, table[t].label};
        for (int i = 0; i < 3; i++) {
            assert_int_equal(!got[i], !expected[i]);
            if (got[i])
                assert_string_equal(got[i], expected[i]);
        }
        cobloc_matrix_free(matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),         cmocka_unit_test(broken_files),
        cmocka_unit_test(circles),         cmocka_unit_test(strange_filters),
        cmocka_unit_test(others_wrote_it), cmocka_unit_test(damaged_anywhere),
        cmocka_unit_test(the_corpus),
    };
    return cmocka_run_group_tests_name("matlab_v73", tests, NULL, NULL);
}
