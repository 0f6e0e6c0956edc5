/* MATLAB files of version 5 to 7 that are damaged.
 * SPDX-License-Identifier: MIT
 */
#include "matlab_blob.h"

static void broken_headers(void **state)
{
    static blob b;
    (void)state;
    add_sparse(start(&b, 0), 0, MI_DOUBLE, "A");
    b.bytes[125] = 3;
    assert_refused(saved(&b), "matlab", COBLOC_BAD_DATA,
                   "is not a MATLAB file of version 5 to 7.3");
    assert_refused(test_text("short.mat", "MATLAB"), "matlab", COBLOC_BAD_DATA,
                   "has 6 bytes, expected at least the 128");
    assert_refused(test_text("empty.mat", ""), NULL, COBLOC_BAD_DATA, "empty");
}

static void broken_arrays(void **state)
{
    static const struct {
        size_t at; /* of a sparse matrix that starts at byte 128 */
        uint32_t value;
        const char *part;
    } table[] = {
        {132, 1000, "the data element at byte 128 has 1000 bytes where"},
        {136, MI_INT8, "the flags of an array have type 1"},
        {140, 16, "expected 8 bytes of type 6"},
        {152, MI_DOUBLE, "the dimensions have type 9"},
        {156, 7, "the dimensions have type 5 and 7 bytes"},
        {156, 900, "a data element has 900 bytes where"},
        {160, 0xFFFFFFFF, "a dimension is negative"},
        {160, 0, "the matrix is 0 by 4"},
        {160, 2, "row 3 is out of range, expected 1 to 2"},
        {164, 9, "there are 5 column starts, expected 10"},
        {168, 6 << 16 | 1, "a small data element has 6 bytes"},
        {176, 8, "the row indices are stored as type 8"},
        {184, 0xFFFFFFFF, "the index -1 is out of range"},
        {216, 1, "the first column starts at entry 1"},
        {224, 0, "column 2 ends before it starts"},
        {232, 6, "the columns hold 6 entries, but there are row indices of 5"},
        {244, 32, "there are 4 values, expected 5"},
        {252, 0x7FF00000, "the value is infinite"},
        {252, 0x7FF80000, "the value is not a number"},
    };
    static blob b;
    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        add_sparse(start(&b, 0), 0, MI_DOUBLE, "A");
        assert_int_equal(b.bytes[240], MI_DOUBLE);
        size_t end = b.size;
        b.size = table[t].at;
        put(&b, table[t].value, 4);
        b.size = end;
        assert_refused(saved(&b), NULL, COBLOC_BAD_DATA, table[t].part);
    }
    add_full(start(&b, 0), INT64, MI_UINT64, 1, 1, "A", (double[]){0x1p60});
    assert_refused(saved(&b), NULL, COBLOC_UNSUPPORTED, "beyond the integers that a double holds");
}

/* Cut anywhere, a file is refused or, cut between two variables, read; it never crashes. */
static void files_cut_short(void **state)
{
    static blob b;
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        add_sparse(start(&b, 0), 0, MI_DOUBLE, "A");
        if (packed)
            compress_all(&b);
        size_t end = b.size;
        for (size_t size = 1; size < end; size++) {
            b.size = size;
            assert_refused(saved(&b), "matlab", COBLOC_BAD_DATA, "made.mat: ");
        }
        b.size = end;
        assert_reads(&b);
    }
}

static void damaged_compression(void **state)
{
    static blob b;
    (void)state;
    add_sparse(start(&b, 0), 0, MI_DOUBLE, "A");
    compress_all(&b);
    b.bytes[b.size - 1] ^= 1; /* the checksum at the end */
    assert_refused(saved(&b), NULL, COBLOC_BAD_DATA,
                   "compressed data are damaged (incorrect data check)");
    b.bytes[136] = 0;
    assert_refused(saved(&b), NULL, COBLOC_BAD_DATA, "compressed data are damaged (");
}

/* 100 MB of zeros in 100 kB. */
static void bombs(void **state)
{
    static blob b;
    const size_t zeros = 100000000;
    (void)state;
    size_t from = open_array(start(&b, 0), DOUBLE, 12500, 1000, "A");
    put(&b, MI_DOUBLE, 4);
    put(&b, zeros, 4);
    size_t head = b.size;
    b.size = from - 4;
    put(&b, zeros + head - from, 4);
    b.size = head;
    unsigned char *plain = calloc(zeros, 1), *packed = malloc(1 << 20);
    memcpy(plain, b.bytes + 128, b.size - 128);
    uLongf size = (1 << 20) - 136;
    assert_int_equal(compress2(packed + 136, &size, plain, zeros, 9), Z_OK);
    b.size = 128;
    put(&b, MI_COMPRESSED, 4);
    put(&b, size, 4);
    memcpy(packed, b.bytes, 136);
    assert_refused(test_file("bomb.mat", packed, 136 + size), NULL, COBLOC_BAD_DATA,
                   "expand more than a thousandfold");
    free(plain);
    free(packed);
}

static void failing_allocations(void **state)
{
    static blob b;
    static const char *const terms[] = {"a", "bc", "", "d e "};
    (void)state;
    add_sparse(start(&b, 0), 0, MI_DOUBLE, "A");
    compress_all(&b);
    add_cells(&b, 4, 1, "terms", terms);
    add_full(&b, DOUBLE, MI_UINT8, 3, 1, "labels", (double[]){1, 2, 1});
    check_failing_allocations(saved(&b), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_headers),  cmocka_unit_test(broken_arrays),
        cmocka_unit_test(files_cut_short), cmocka_unit_test(damaged_compression),
        cmocka_unit_test(bombs),           cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests_name("matlab_broken", tests, NULL, NULL);
}
