/* NumPy arrays: bare .npy files, which are dense tables.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

/* An array file of `version`; returns its path. */
static const char *make_npy(const char *file, int version, const char *header, const void *values,
                            size_t size)
{
    unsigned char bytes[512] = "\x93NUMPY";
    size_t length = strlen(header), start = version > 1 ? 12 : 10;
    assert_true(start + length + size <= sizeof bytes);
    bytes[6] = (unsigned char)version;
    bytes[8] = (unsigned char)length;
    memcpy(bytes + start, header, length);
    memcpy(bytes + start + length, values, size);
    return test_file(file, bytes, start + length + size);
}

static void expect(const char *path, int64_t rows, int64_t cols, const double *table)
{
    cobloc_matrix *matrix = must_read(path, NULL);
    assert_dense(matrix, rows, cols, table);
    cobloc_matrix_free(matrix);
}

/* The bytes of a small count as any type stores it, written here from the definition. */
static void encode(const char *type, int value, unsigned char *bytes)
{
    static const uint64_t halves[] = {0, 0x3C00, 0x4000, 0x4200, 0x4400};
    int width = type[2] - '0';
    uint64_t bits = (uint64_t)value;
    double number = value;
    float single = (float)value;
    if (type[1] == 'f' && width == 2)
        bits = halves[value];
    if (type[1] == 'f' && width == 4) {
        uint32_t low;
        memcpy(&low, &single, 4);
        bits = low;
    }
    if (type[1] == 'f' && width == 8)
        memcpy(&bits, &number, 8);
    for (int b = 0; b < width; b++)
        bytes[type[0] == '>' ? width - 1 - b : b] = (unsigned char)(bits >> (8 * b));
}

static void types(void **state)
{
    static const char *const type[] = {"|u1", "|i1", "<u2", ">u2", "<i2", ">i2", "<u4",
                                       ">u4", "<i4", ">i4", "<u8", ">u8", "<i8", ">i8",
                                       "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"};
    const double table[] = {1, 2, 0, 3, 4, 0};
    (void)state;
    for (int t = 0; t < 20; t++) {
        unsigned char bytes[64];
        char header[128];
        int width = type[t][2] - '0';
        for (int v = 0; v < 6; v++)
            encode(type[t], (int)table[v], bytes + v * width);
        snprintf(header, sizeof header,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (2, 3), }\n", type[t]);
        expect(make_npy("typed.npy", 1, header, bytes, (size_t)(6 * width)), 2, 3, table);
    }
    const double flags[] = {1, 0, 1};
    expect(make_npy("bool.npy", 1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3, 1)}",
                    "\1\0\1", 3),
           3, 1, flags);
}

/* Every half: against the definition, computed another way. */
static void halves(void **state)
{
    enum { FINITE = 31 << 10 };
    static uint16_t file[64 + FINITE];
    (void)state;
    memcpy(file, "\x93NUMPY\1\0\x76\0", 10);
    memset((char *)file + 10, ' ', 118);
    static const char header[] = "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 31744)}";
    memcpy((char *)file + 10, header, strlen(header));
    for (int h = 0; h < FINITE; h++)
        file[64 + h] = (uint16_t)h;
    cobloc_matrix *matrix = must_read(test_file("halves.npy", file, sizeof file), NULL);
    double *dense = dense_of(matrix);
    for (int h = 0; h < FINITE; h++) {
        int exponent = h >> 10;
        double expected = h & 1023, scale = 1.0 / (1 << 24);
        if (exponent > 0)
            expected += 1024;
        for (; exponent > 1; exponent--)
            scale *= 2;
        assert_true(dense[h] == expected * scale);
    }
    free(dense);
    cobloc_matrix_free(matrix);
}

static void signs(void **state)
{
    static const struct {
        const char *header;
        const char *bytes;
        double value[4];
    } good[] = {
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2)}", "\0\x3C\0\xBC", {1, -1}},
        {"{'descr': '|i1', 'fortran_order': False, 'shape': (1, 4)}", "\0\1\2\xFD", {0, 1, 2, -3}},
        {"{'descr': '>i2', 'fortran_order': False, 'shape': (1, 2)}", "\0\1\xFF\xFE", {1, -2}},
    };
    static const char halves[] = "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2)}";
    (void)state;
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
        cobloc_matrix *m =
            must_read(make_npy("sign.npy", 1, good[g].header, good[g].bytes, 4), NULL);
        assert_dense(m, 1, g == 1 ? 4 : 2, good[g].value);
        cobloc_matrix_free(m);
    }
    assert_refused(make_npy("sign.npy", 1, halves, "\0\0\0\x7C", 4), NULL, COBLOC_BAD_DATA,
                   "infinite");
    assert_refused(make_npy("sign.npy", 1, halves, "\0\0\1\x7C", 4), NULL, COBLOC_BAD_DATA,
                   "not a number");
}

static const int32_t counts[] = {1, 0, 0, 2, 3, 4};

static void headers(void **state)
{
    static const char *const header[] = {
        "{'shape': (2, 3), 'descr': '<i4', 'fortran_order': False}",
        "{\"descr\": \"<i4\", \"fortran_order\": False, \"shape\": (2L, 3L)}",
        "  { 'descr' : '<i4' , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , }\n\n",
        "{'descr':'i4','fortran_order':False,'shape':(2,3)}",
        "{'descr':'=i4','fortran_order':False,'shape':(2,3,)}",
    };
    const double table[] = {1, 0, 0, 2, 3, 4}, turned[] = {1, 0, 3, 0, 2, 4};
    (void)state;
    for (int version = 1; version <= 3; version++) {
        for (int h = 0; h < 5; h++)
            expect(make_npy("h.npy", version, header[h], counts, sizeof counts), 2, 3, table);
        expect(make_npy("f.npy", version,
                        "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3)}", counts,
                        sizeof counts),
               2, 3, turned);
    }
}

static void broken_headers(void **state)
{
    static const char *const header[] = {
        "",
        " ",
        "{",
        "{'descr'",
        "{'descr':",
        "{'descr': '<i4",
        "{'descr': 'i'",
        "{'descr': '<i4'}",
        "['descr': '<i4', 'fortran_order': False, 'shape': (2, 3)]",
        "{'descr': '<i4', 'fortran_order': 0, 'shape': (2, 3)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': 6}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (-2, 3)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2 3)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (4000000000, 4000000000)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)} more",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), 'extra': 1}",
        "{'descr': '<i4' 'fortran_order': False, 'shape': (2, 3)}",
    };
    static const unsigned char lengthy[64] = "\x93NUMPY\2\0\0\0\0\x70";
    (void)state;
    for (size_t h = 0; h < sizeof header / sizeof *header; h++)
        assert_refused(make_npy("header.npy", 1, header[h], counts, sizeof counts), NULL,
                       COBLOC_BAD_DATA, "header.npy: the header");
    assert_refused(make_npy("future.npy", 4, "{}", counts, sizeof counts), NULL, COBLOC_UNSUPPORTED,
                   "version 4.0");
    assert_refused(test_file("long.npy", lengthy, sizeof lengthy), NULL, COBLOC_UNSUPPORTED,
                   "has 1879048192 bytes");
}

static void broken_tables(void **state)
{
    static const struct {
        const char *type, *shape;
        cobloc_status status;
        const char *part;
    } bad[] = {
        {"|O", "(2, 3)", COBLOC_UNSUPPORTED, "holds Python objects"},
        {"<c8", "(2, 3)", COBLOC_UNSUPPORTED, "the type is '<c8'"},
        {"<f16", "(2, 3)", COBLOC_UNSUPPORTED, "the type is '<f16'"},
        {"|S4", "(2, 3)", COBLOC_BAD_DATA, "holds text"},
        {"<i4", "()", COBLOC_BAD_DATA, "has 0 dimensions, expected 2"},
        {"<i4", "(6,)", COBLOC_BAD_DATA, "has 1 dimensions, expected 2"},
        {"<i4", "(1, 2, 3)", COBLOC_BAD_DATA, "has 3 dimensions, expected 2"},
        {"<i4", "(0, 3)", COBLOC_BAD_DATA, "the matrix is 0 by 3"},
        {"<i4", "(3000000000, 3)", COBLOC_UNSUPPORTED, "the matrix is 3000000000 by 3"},
        {"<i4", "(3, 3)", COBLOC_BAD_DATA, "ends after 6 of the 9 values"},
        {"<i4", "(2, 2)", COBLOC_BAD_DATA, "continues after the 4 values"},
    };
    (void)state;
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        char header[128];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s}",
                 bad[b].type, bad[b].shape);
        assert_refused(make_npy("bad.npy", 1, header, counts, sizeof counts), NULL, bad[b].status,
                       bad[b].part);
    }
    static const char header[] = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}";
    const char *path = make_npy("whole.npy", 1, header, counts, sizeof counts);
    char bytes[256];
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t cut = 0; cut < size; cut++)
        assert_refused(test_file("cut.npy", bytes, cut), "npz", COBLOC_BAD_DATA, "cut.npy: ");
}

static void failing_allocations(void **state)
{
    static const char header[] = "{'descr': '<i4', 'fortran_order': True, 'shape': (3, 2)}";
    (void)state;
    check_failing_allocations(make_npy("small.npy", 2, header, counts, sizeof counts), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),
        cmocka_unit_test(halves),
        cmocka_unit_test(signs),
        cmocka_unit_test(headers),
        cmocka_unit_test(broken_headers),
        cmocka_unit_test(broken_tables),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("npy", tests, NULL, NULL);
}
