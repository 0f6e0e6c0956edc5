/* .cbm: mapped matrices, damage, and sizes beyond 2^31.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "support.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>
#include <zlib.h>

static void round_trips(void **state)
{
    (void)state;
    check_round_trip("a.cbm", COBLOC_F64, NAMES_NASTY);
}

static void names_may_hold_line_breaks(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *made = random_matrix(1, 2, 2, 1, COBLOC_U8, NAMES_NONE);
    const char *const names[] = {"a\nb", "\r\n"};
    assert_ok(cobloc_matrix_set_row_names(made, names, &err), err);
    assert_ok(cobloc_matrix_write(made, test_path("breaks.cbm"), NULL, &err), err);
    cobloc_matrix *back = must_read(test_path("breaks.cbm"), NULL);
    assert_same_matrix(made, back);
    assert_int_equal(cobloc_matrix_write(made, test_path("breaks.mtx"), NULL, &err),
                     COBLOC_UNSUPPORTED);
    assert_non_null(strstr(err.message, "line break"));
    assert_int_equal(access(test_path("breaks.mtx"), F_OK), -1);
    cobloc_matrix_free(made);
    cobloc_matrix_free(back);
}

/* A date and a source for each row: what only version 4 holds. */
static cobloc_matrix *with_fields(void)
{
    cobloc_error err;
    cobloc_matrix *made = random_matrix(3, 4, 3, 0.6, COBLOC_U8, NAMES_NONE);
    const char *const dates[] = {"2024", "2025", "", "1999"}, *const sources[] = {"a", "b", "a",
                                                                                  "c"};
    assert_ok(cobloc_matrix_add_field(made, "date", dates, &err), err);
    assert_ok(cobloc_matrix_add_field(made, "source", sources, &err), err);
    assert_int_equal(cobloc_matrix_add_field(made, "date", dates, &err), COBLOC_BAD_ARGUMENT);
    return made;
}

static void fields_stay(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *made = with_fields();
    assert_ok(cobloc_matrix_write(made, test_path("fields.cbm"), NULL, &err), err);
    cobloc_matrix *back = must_read(test_path("fields.cbm"), NULL), *copy = NULL;
    assert_int_equal(cobloc_matrix_field_count(back), 2);
    assert_int_equal(cobloc_matrix_find_field(back, "source"), 1);
    assert_int_equal(cobloc_matrix_find_field(back, "sources"), -1);
    assert_string_equal(cobloc_matrix_row_field(back, 3, 0), "1999");
    assert_string_equal(cobloc_matrix_row_field(back, 2, 0), "");
    assert_string_equal(cobloc_matrix_row_field(back, 3, 1), "c");
    assert_null(cobloc_matrix_row_field(back, 4, 1));
    assert_null(cobloc_matrix_row_field(back, 0, 2));
    assert_ok(cobloc_matrix_weighted(back, COBLOC_WEIGHT_BINARY, &copy, &err), err);
    assert_string_equal(cobloc_matrix_row_field(copy, 3, 1), "c");
    cobloc_matrix_free(made);
    cobloc_matrix_free(back);
    cobloc_matrix_free(copy);
}

static void failing_allocations(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *made = random_matrix(1, 5, 4, 0.5, COBLOC_U8, NAMES_NASTY);
    assert_ok(cobloc_matrix_write(made, test_path("alloc.cbm"), NULL, &err), err);
    check_failing_allocations(test_path("alloc.cbm"), NULL);
    cobloc_matrix_free(made);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* A table of categories in which cells are missing: what only version 2 holds. */
static cobloc_matrix *with_missing_cells(void)
{
    cobloc_error err;
    cobloc_matrix *made = NULL;
    const double cells[] = {1, 0, NAN, 0, 2, 0, NAN, 3, 0, 0, 2, 1};
    const char *const rows[] = {"r", "s", "t", "u"}, *const categories[] = {"a", "b", "c", "d"};
    assert_ok(cobloc_matrix_from_dense(4, 3, cells, COBLOC_ARRAY_F64, &made, &err), err);
    assert_ok(cobloc_matrix_set_row_names(made, rows, &err), err);
    assert_ok(cobloc_matrix_set_categories(made, categories, 4, &err), err);
    return made;
}

/* The bytes of a small .cbm file of a version; *size tells how many. */
static unsigned char *small_file(int version, size_t *size)
{
    cobloc_error err;
    cobloc_matrix *made = version == 1   ? random_matrix(7, 6, 5, 0.5, COBLOC_U16, NAMES_NASTY)
                          : version == 2 ? with_missing_cells()
                                         : with_fields();
    const char *path = test_path("small.cbm");
    assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
    cobloc_matrix_free(made);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char *bytes = malloc(1 << 16);
    *size = fread(bytes, 1, 1 << 16, file);
    fclose(file);
    assert_true(*size > 512 && *size < 1 << 16);
    assert_int_equal(bytes[12], version);
    return bytes;
}

/* Opens and verifies; returns the status of the first that fails. */
static cobloc_status open_and_verify(const char *path, cobloc_error *err)
{
    cobloc_matrix *m = NULL;
    cobloc_io_options options;
    cob_io_options_default(&options);
    options.format = "cbm";
    cobloc_status status = cobloc_matrix_read(path, &options, &m, err);
    if (status == COBLOC_OK) {
        status = cobloc_matrix_verify(m, err);
        for (int64_t i = 0; i < cobloc_matrix_rows(m); i++) /* safe even when damaged */
            if (cobloc_matrix_row_name(m, i))
                (void)strlen(cobloc_matrix_row_name(m, i));
    }
    cobloc_matrix_free(m);
    return status;
}

static void assert_refused_cells(const char *path, const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    assert_int_equal(open_and_verify(path, &err), COBLOC_BAD_DATA);
    if (!strstr(err.message, part))
        fail_msg("%s", err.message);
}

static void notices_every_changed_byte(int version, int padding)
{
    size_t size;
    unsigned char *bytes = small_file(version, &size);
    int unnoticed = 0;
    for (size_t at = 0; at < size; at++) {
        cobloc_error err = {COBLOC_OK, ""};
        bytes[at] ^= 0x41;
        cobloc_status status = open_and_verify(test_file("flip.cbm", bytes, size), &err);
        bytes[at] ^= 0x41;
        if (status == COBLOC_OK)
            unnoticed++; /* only the padding between sections may change */
        else
            assert_non_null(strstr(err.message, "flip.cbm"));
    }
    assert_true(unnoticed < padding);
    free(bytes);
}

static void every_changed_byte_is_noticed(void **state)
{
    (void)state;
    notices_every_changed_byte(1, 14 * 64 + 512 - 424);
    notices_every_changed_byte(2, 20 * 64 + 1024 - 556);
    notices_every_changed_byte(4, 27 * 64 + 1024 - 724);
}

static void notices_every_truncation(int version)
{
    size_t size;
    unsigned char *bytes = small_file(version, &size);
    size_t last = size;
    while (last > 0 && bytes[last - 1] == 0)
        last--; /* what follows is padding */
    for (size_t keep = 8; keep < last; keep += keep < 520 ? 1 : 7) {
        cobloc_error err = {COBLOC_OK, ""};
        assert_int_equal(open_and_verify(test_file("cut.cbm", bytes, keep), &err), COBLOC_BAD_DATA);
        assert_non_null(strstr(err.message, "truncated"));
    }
    free(bytes);
}

static void every_truncation_is_noticed(void **state)
{
    (void)state;
    notices_every_truncation(1);
    notices_every_truncation(2);
    notices_every_truncation(4);
}

/* Puts a right checksum on a header that was changed on purpose. */
static void seal(unsigned char *bytes, size_t checksum_at)
{
    uint32_t sum = (uint32_t)crc32(0, bytes, (uInt)checksum_at);
    memcpy(bytes + checksum_at, &sum, sizeof sum);
}

enum {
    AT_ENDIAN = 8,
    AT_VERSION = 12,
    AT_ROWS = 16,
    AT_NNZ = 32,
    AT_KIND = 64,
    AT_SECTIONS = 72,
    AT_NEGATIVE = 68,
    AT_CHECKSUM = AT_SECTIONS + 14 * 24,
    AT_CHECKSUM_2 = AT_SECTIONS + 20 * 24
};

static void lies_with_a_right_checksum_are_noticed(void **state)
{
    (void)state;
    const struct {
        size_t at;
        uint64_t value;
        size_t width;
        const char *part;
    } lies[] = {{AT_ENDIAN, 0x04030201, 4, "byte order"},
                {AT_VERSION, 5, 4, "version 5"},
                {AT_ROWS, 7, 8, "inconsistent"},
                {AT_ROWS, (uint64_t)-1, 8, "inconsistent"},
                {AT_NNZ, 1ull << 40, 8, "inconsistent"},
                {AT_KIND, 77, 4, "inconsistent"},
                {AT_SECTIONS, 1ull << 62, 8, "truncated"},
                {AT_SECTIONS, 513, 8, "truncated"},
                {AT_SECTIONS + 8, UINT64_MAX, 8, "inconsistent"}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        size_t size;
        unsigned char *bytes = small_file(1, &size);
        memcpy(bytes + lies[i].at, &lies[i].value, lies[i].width);
        seal(bytes, AT_CHECKSUM);
        cobloc_error err = {COBLOC_OK, ""};
        assert_int_not_equal(open_and_verify(test_file("lie.cbm", bytes, size), &err), COBLOC_OK);
        if (!strstr(err.message, lies[i].part))
            fail_msg("lie %d: %s", (int)i, err.message);
        free(bytes);
    }
}

/* An index out of range whose section has a right checksum: only the walk can notice. */
static void impossible_indices_are_noticed(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = small_file(1, &size);
    uint64_t section[2];
    const size_t row_indices = AT_SECTIONS + 24;
    memcpy(section, bytes + row_indices, sizeof section);
    int32_t large = 1 << 20;
    memcpy(bytes + section[0], &large, sizeof large);
    uint32_t sum = (uint32_t)crc32(0, bytes + section[0], (uInt)section[1]);
    memcpy(bytes + row_indices + 16, &sum, sizeof sum);
    seal(bytes, AT_CHECKSUM);
    cobloc_error err = {COBLOC_OK, ""};
    assert_int_equal(open_and_verify(test_file("index.cbm", bytes, size), &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "impossible"));

    /* Everything that walks the entries refuses it, too. */
    cobloc_matrix *m = must_read(test_path("index.cbm"), NULL), *out = NULL;
    assert_int_equal(cobloc_matrix_weighted(m, COBLOC_WEIGHT_NONE, &out, &err), COBLOC_BAD_DATA);
    assert_int_equal(cobloc_matrix_drop_empty(m, &out, NULL, NULL, &err), COBLOC_BAD_DATA);
    assert_int_equal(cobloc_matrix_write(m, test_path("never.mtx"), NULL, &err), COBLOC_BAD_DATA);
    assert_int_equal(access(test_path("never.mtx"), F_OK), -1);
    cobloc_matrix_free(m);
    free(bytes);
}

/* Changes bytes of a section of a version 2 file and puts right checksums on everything. */
static void lie_in_section(int number, size_t at, const void *lie, size_t width, const char *part)
{
    size_t size;
    unsigned char *bytes = small_file(2, &size), *entry = bytes + AT_SECTIONS + 24 * number;
    uint64_t section[2];
    memcpy(section, entry, sizeof section);
    memcpy(bytes + section[0] + at, lie, width);
    uint32_t sum = (uint32_t)crc32(0, bytes + section[0], (uInt)section[1]);
    memcpy(entry + 16, &sum, sizeof sum);
    seal(bytes, AT_CHECKSUM_2);
    cobloc_error err = {COBLOC_OK, ""};
    assert_int_equal(open_and_verify(test_file("lie.cbm", bytes, size), &err), COBLOC_BAD_DATA);
    if (!strstr(err.message, part))
        fail_msg("section %d: %s", number, err.message);
    free(bytes);
}

static void lies_about_missing_cells_are_noticed(void **state)
{
    (void)state;
    enum {
        ROW_VALUES = 2,
        MISSING_ROW_OFFSETS = 16,
        MISSING_ROW_INDICES,
        MISSING_COL_OFFSETS,
        MISSING_COL_INDICES
    };
    const int64_t three = 3, many = 1 << 20, least = INT64_MIN;
    const int32_t outside = 4, under = -1;
    const uint8_t code = 4;
    lie_in_section(MISSING_ROW_OFFSETS, 4 * 8, &three, 8, "the missing cells are damaged");
    lie_in_section(MISSING_COL_OFFSETS, 3 * 8, &three, 8, "the missing cells are damaged");
    lie_in_section(MISSING_ROW_OFFSETS, 8, &many, 8, "the missing cells are damaged");
    lie_in_section(MISSING_ROW_OFFSETS, 0, &least, 8, "the missing cells are damaged");
    lie_in_section(MISSING_ROW_INDICES, 0, &outside, 4, "impossible");
    lie_in_section(MISSING_COL_INDICES, 0, &under, 4, "impossible");
    lie_in_section(ROW_VALUES, 0, &code, 1, "impossible"); /* there is no such category */
}

/* The header says whether values are negative: nothing has to be read to know it. */
static void negative_values_are_announced(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    const double cells[] = {1, -2.5};
    const uint32_t none = 0, some = 1, other = 2;
    unsigned char bytes[4096];
    cobloc_matrix *made = NULL;
    const char *path = test_path("minus.cbm");
    assert_ok(cobloc_matrix_from_dense(1, 2, cells, COBLOC_ARRAY_F64, &made, &err), err);
    assert_ok(cobloc_matrix_write(made, path, NULL, &err), err);
    cobloc_matrix_free(made);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_memory_equal(bytes + AT_NEGATIVE, &some, 4);
    cobloc_matrix *m = must_read(path, NULL);
    assert_true(cobloc_matrix_has_negative(m));
    assert_ok(cobloc_matrix_verify(m, &err), err);
    cobloc_matrix_free(m);
    memcpy(bytes + AT_NEGATIVE, &none, 4);
    seal(bytes, AT_CHECKSUM_2);
    assert_refused_cells(test_file("minus.cbm", bytes, size), "impossible");
    memcpy(bytes + AT_NEGATIVE, &other, 4);
    seal(bytes, AT_CHECKSUM_2);
    assert_refused_cells(test_file("minus.cbm", bytes, size), "inconsistent");
}

/* ---- more than 2^31 entries ------------------------------------------------------------------ */

static void put(int fd, uint64_t at, const void *bytes, size_t count)
{
    assert_int_equal(pwrite(fd, bytes, count, (off_t)at), (ssize_t)count);
}

/* A file of 2^31 + 100 entries that are all hole, but for the last: opened, asked, walked at its
 * end. */
static void more_than_31_bits_of_entries(void **state)
{
    (void)state;
    const int64_t rows = 70000, cols = 65536, nnz = ((int64_t)1 << 31) + 100;
    const uint64_t bytes[14] = {(uint64_t)(rows + 1) * 8, (uint64_t)nnz * 4, 0,
                                (uint64_t)(cols + 1) * 8, (uint64_t)nnz * 4, 0,
                                (uint64_t)rows * 8,       (uint64_t)cols * 8};
    unsigned char header[512] = "COBLOC\r\n";
    const uint32_t mark[] = {0x01020304, 1};
    const int64_t sizes[] = {rows, cols, nnz};
    memcpy(header + AT_ENDIAN, mark, sizeof mark);
    memcpy(header + AT_ROWS, sizes, sizeof sizes);
    uint64_t offset = 512, offsets[14];
    for (int s = 0; s < 14; s++) {
        memcpy(header + AT_SECTIONS + 24 * s, &offset, 8);
        memcpy(header + AT_SECTIONS + 24 * s + 8, &bytes[s], 8);
        offsets[s] = offset;
        offset += (bytes[s] + 63) / 64 * 64;
    }
    seal(header, AT_CHECKSUM);
    const char *path = test_path("huge.cbm");
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0);
    if (ftruncate(fd, (off_t)offset) != 0) {
        close(fd);
        skip(); /* a file system without large sparse files */
    }
    const int64_t last[] = {nnz - 1, nnz};
    const int32_t index = 12345;
    put(fd, 0, header, sizeof header);
    put(fd, offsets[0] + (uint64_t)(rows - 1) * 8, last, sizeof last);
    put(fd, offsets[1] + (uint64_t)(nnz - 1) * 4, &index, sizeof index);
    close(fd);

    cobloc_matrix *m = must_read(path, NULL);
    cobloc_view view = cobloc_matrix_by_rows(m);
    assert_true(cobloc_matrix_nnz(m) == nnz && view.nnz == nnz);
    assert_true(view.offsets[rows] == nnz && view.offsets[rows - 1] > INT32_MAX);
    for (int64_t e = view.offsets[rows - 1]; e < view.offsets[rows]; e++)
        assert_int_equal(view.indices[e], 12345);
    assert_true(cobloc_view_value(&view, nnz - 1) == 1);
    assert_true(cobloc_matrix_bytes(m) > ((size_t)1 << 34));
    cobloc_matrix_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(names_may_hold_line_breaks),
        cmocka_unit_test(fields_stay),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(every_changed_byte_is_noticed),
        cmocka_unit_test(every_truncation_is_noticed),
        cmocka_unit_test(lies_with_a_right_checksum_are_noticed),
        cmocka_unit_test(impossible_indices_are_noticed),
        cmocka_unit_test(lies_about_missing_cells_are_noticed),
        cmocka_unit_test(negative_values_are_announced),
        cmocka_unit_test(more_than_31_bits_of_entries),
    };
    return cmocka_run_group_tests_name("cbm", tests, NULL, NULL);
}
