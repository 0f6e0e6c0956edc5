/* Matrices from a caller's arrays: every type, copied and borrowed.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include <math.h>

enum { ROWS = 19, COLS = 13, CELLS = ROWS * COLS };

/* How a type is stored. */
static const struct {
    cobloc_array_type type;
    size_t width;
    double least, most;
} types[] = {{COBLOC_ARRAY_BOOL, 1, 0, 1},       {COBLOC_ARRAY_I8, 1, -128, 127},
             {COBLOC_ARRAY_I16, 2, -9999, 9999}, {COBLOC_ARRAY_I32, 4, -1e9, 1e9},
             {COBLOC_ARRAY_I64, 8, -1e9, 1e9},   {COBLOC_ARRAY_U8, 1, 0, 255},
             {COBLOC_ARRAY_U16, 2, 0, 65535},    {COBLOC_ARRAY_U32, 4, 0, 4e9},
             {COBLOC_ARRAY_U64, 8, 0, 4e9},      {COBLOC_ARRAY_F32, 4, -1e6, 1e6},
             {COBLOC_ARRAY_F64, 8, -1e9, 1e9}};
enum { TYPES = sizeof types / sizeof *types };

static void store(cobloc_array_type type, void *array, int64_t at, double value)
{
    switch (type) {
    case COBLOC_ARRAY_NONE:
        break;
    case COBLOC_ARRAY_BOOL:
    case COBLOC_ARRAY_U8:
        ((uint8_t *)array)[at] = (uint8_t)value;
        break;
    case COBLOC_ARRAY_I8:
        ((int8_t *)array)[at] = (int8_t)value;
        break;
    case COBLOC_ARRAY_I16:
        ((int16_t *)array)[at] = (int16_t)value;
        break;
    case COBLOC_ARRAY_I32:
        ((int32_t *)array)[at] = (int32_t)value;
        break;
    case COBLOC_ARRAY_I64:
        ((int64_t *)array)[at] = (int64_t)value;
        break;
    case COBLOC_ARRAY_U16:
        ((uint16_t *)array)[at] = (uint16_t)value;
        break;
    case COBLOC_ARRAY_U32:
        ((uint32_t *)array)[at] = (uint32_t)value;
        break;
    case COBLOC_ARRAY_U64:
        ((uint64_t *)array)[at] = (uint64_t)value;
        break;
    case COBLOC_ARRAY_F32:
        ((float *)array)[at] = (float)value;
        break;
    case COBLOC_ARRAY_F64:
        ((double *)array)[at] = value;
        break;
    }
}

static void fill(uint64_t seed, double least, double most, double cells[CELLS])
{
    for (int c = 0; c < CELLS; c++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned roll = (unsigned)(seed >> 40);
        double size = ceil(most * ((roll % 97) + 1) / 97);
        cells[c] = roll % 5 < 3 ? 0 : least < 0 && roll % 2 ? -size : size;
    }
}

/* Compressed lines of the cells: *count entries; `stored_zero`: one zero stands among them. */
typedef struct arrays {
    double offsets[CELLS + 1], indices[CELLS], values[CELLS];
    int64_t major, count;
    _Alignas(8) char offset_bytes[(CELLS + 1) * 8], index_bytes[CELLS * 8], value_bytes[CELLS * 8];
} arrays;

static void compress(const double *cells, bool columns, bool backwards, arrays *a)
{
    int64_t major = columns ? COLS : ROWS, minor = columns ? ROWS : COLS;
    a->major = major;
    a->count = 0;
    for (int64_t i = 0; i < major; i++) {
        a->offsets[i] = (double)a->count;
        for (int64_t at = 0; at < minor; at++) {
            int64_t j = backwards ? minor - 1 - at : at;
            double value = cells[columns ? j * COLS + i : i * COLS + j];
            if (value == 0)
                continue;
            a->indices[a->count] = (double)j;
            a->values[a->count++] = value;
        }
    }
    a->offsets[major] = (double)a->count;
}

static void pack(arrays *a, cobloc_array_type offset, cobloc_array_type index,
                 cobloc_array_type value)
{
    for (int64_t i = 0; i <= a->major; i++)
        store(offset, a->offset_bytes, i, a->offsets[i]);
    for (int64_t e = 0; e < a->count; e++) {
        store(index, a->index_bytes, e, a->indices[e]);
        store(value, a->value_bytes, e, a->values[e]);
    }
}

static void count_release(void *user)
{
    ++*(int *)user;
}

static void every_type_is_read(void **state)
{
    (void)state;
    static const cobloc_array_type wide[] = {COBLOC_ARRAY_I32, COBLOC_ARRAY_I64};
    static arrays a;
    for (int t = 0; t < TYPES; t++)
        for (unsigned how = 0; how < 32; how++) {
            cobloc_error err = {COBLOC_OK, ""};
            double cells[CELLS];
            cobloc_matrix *m = NULL;
            bool columns = how & 1, backwards = how & 2, lend = how & 16;
            cobloc_array_type offset = wide[how >> 2 & 1], index = wide[how >> 3 & 1];
            int released = 0;
            fill(how, types[t].least, types[t].most, cells);
            compress(cells, columns, backwards, &a);
            pack(&a, offset, index, types[t].type);
            assert_ok(cobloc_matrix_from_compressed(ROWS, COLS, columns, a.offset_bytes, offset,
                                                    a.index_bytes, index, a.value_bytes,
                                                    types[t].type, lend ? count_release : NULL,
                                                    &released, &m, &err),
                      err);
            assert_dense(m, ROWS, COLS, cells);
            bool borrowed = lend && !backwards && index == COBLOC_ARRAY_I32;
            assert_int_equal(cobloc_matrix_is_borrowed(m), borrowed);
            assert_int_equal(released, lend && !borrowed);
            cobloc_view view = columns ? cobloc_matrix_by_cols(m) : cobloc_matrix_by_rows(m);
            assert_int_equal((const char *)view.indices == a.index_bytes, borrowed);
            assert_int_equal((const char *)view.offsets == a.offset_bytes,
                             borrowed && offset == COBLOC_ARRAY_I64);
            if ((const char *)view.values == a.value_bytes)
                assert_int_equal(cob_kind_width(view.kind), types[t].width);
            cobloc_matrix_free(m);
            assert_int_equal(released, lend);
        }
}

/* Values of a stored kind are not copied; others are packed, which makes them smaller. */
static void values_are_borrowed_where_they_fit(void **state)
{
    (void)state;
    static const int64_t offsets[] = {0, 2, 3};
    static const int32_t indices[] = {0, 2, 1};
    static const uint8_t bytes[] = {1, 200, 3};
    static const int32_t large[] = {1, 70000, 3};
    static const float floats[] = {1, -0.5f, 3};
    static const double doubles[] = {0.1, 2, 3}, counts[] = {1, 2, 3};
    const struct {
        const void *values;
        cobloc_array_type type;
        cobloc_value_kind kind;
        bool borrowed;
    } cases[] = {{bytes, COBLOC_ARRAY_U8, COBLOC_U8, true},
                 {large, COBLOC_ARRAY_I32, COBLOC_U32, true},
                 {floats, COBLOC_ARRAY_F32, COBLOC_F32, true},
                 {doubles, COBLOC_ARRAY_F64, COBLOC_F64, true},
                 {counts, COBLOC_ARRAY_F64, COBLOC_U8, false},
                 {NULL, COBLOC_ARRAY_NONE, COBLOC_ONES, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_matrix *m = NULL, *copy = NULL;
        int released = 0;
        assert_ok(cobloc_matrix_from_compressed(2, 3, 0, offsets, COBLOC_ARRAY_I64, indices,
                                                COBLOC_ARRAY_I32, cases[c].values, cases[c].type,
                                                count_release, &released, &m, &err),
                  err);
        cobloc_view view = cobloc_matrix_by_rows(m);
        assert_int_equal(view.kind, cases[c].kind);
        assert_ptr_equal(view.indices, indices);
        assert_ptr_equal(view.offsets, offsets);
        assert_int_equal(view.values && view.values == cases[c].values, cases[c].borrowed);
        assert_ok(cobloc_matrix_weighted(m, COBLOC_WEIGHT_NONE, &copy, &err), err);
        cobloc_matrix_free(m);
        assert_int_equal(released, 1);
        assert_false(cobloc_matrix_is_borrowed(copy));
        cobloc_matrix_free(copy);
    }
}

static void nan_is_a_missing_cell(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *m = NULL;
    static const int32_t offsets[] = {0, 2, 3}, indices[] = {0, 2, 1};
    static const float values[] = {1, NAN, -3};
    static const double known[] = {1, 0, 0, 0, -3, 0}, lack[] = {0, 0, 1, 0, 0, 0};
    int released = 0;
    assert_ok(cobloc_matrix_from_compressed(2, 3, 0, offsets, COBLOC_ARRAY_I32, indices,
                                            COBLOC_ARRAY_I32, values, COBLOC_ARRAY_F32,
                                            count_release, &released, &m, &err),
              err);
    assert_false(cobloc_matrix_is_borrowed(m));
    assert_int_equal(released, 1);
    assert_dense(m, 2, 3, known);
    assert_dense(cobloc_matrix_missing(m), 2, 3, lack);
    cobloc_matrix_free(m);
    static const float cells[] = {1, 0, NAN, 0, -3, 0};
    assert_ok(cobloc_matrix_from_dense(2, 3, cells, COBLOC_ARRAY_F32, &m, &err), err);
    assert_dense(m, 2, 3, known);
    assert_dense(cobloc_matrix_missing(m), 2, 3, lack);
    cobloc_matrix_free(m);
}

static void stored_zeros_are_dropped(void **state)
{
    (void)state;
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *m = NULL;
    static const int64_t offsets[] = {0, 2, 3};
    static const int32_t indices[] = {0, 1, 1};
    static const uint8_t values[] = {0, 7, 2};
    static const double cells[] = {0, 7, 0, 2};
    int released = 0;
    assert_ok(cobloc_matrix_from_compressed(2, 2, 0, offsets, COBLOC_ARRAY_I64, indices,
                                            COBLOC_ARRAY_I32, values, COBLOC_ARRAY_U8,
                                            count_release, &released, &m, &err),
              err);
    assert_int_equal(cobloc_matrix_nnz(m), 2);
    assert_false(cobloc_matrix_is_borrowed(m));
    assert_int_equal(released, 1);
    assert_dense(m, 2, 2, cells);
    cobloc_matrix_free(m);
}

static void bad_arrays_are_refused(void **state)
{
    (void)state;
    static const int64_t good[] = {0, 1, 2}, late[] = {1, 1, 2}, falling[] = {0, 2, 1};
    static const int32_t indices[] = {0, 1}, outside[] = {0, 2}, under[] = {-1, 1};
    static const double values[] = {1, 2}, infinite[] = {1, INFINITY};
    const struct {
        const int64_t *offsets;
        const int32_t *indices;
        const double *values;
        cobloc_array_type index_type, value_type;
        const char *part;
    } bad[] = {
        {late, indices, values, COBLOC_ARRAY_I32, COBLOC_ARRAY_F64, "offsets[0] is 1"},
        {falling, indices, values, COBLOC_ARRAY_I32, COBLOC_ARRAY_F64, "offsets[2] is smaller"},
        {good, outside, values, COBLOC_ARRAY_I32, COBLOC_ARRAY_F64, "entry 1: column 2 is out"},
        {good, under, values, COBLOC_ARRAY_I32, COBLOC_ARRAY_F64, "entry 0: column -1 is out"},
        {good, indices, infinite, COBLOC_ARRAY_I32, COBLOC_ARRAY_F64, "entry 1: the value is inf"},
        {good, indices, values, COBLOC_ARRAY_F64, COBLOC_ARRAY_F64, "must be of type I32 or I64"},
        {good, indices, NULL, COBLOC_ARRAY_I32, COBLOC_ARRAY_F64,
         "the array of values is NULL or of unknown type"},
        {good, indices, values, COBLOC_ARRAY_I32, (cobloc_array_type)99,
         "the array of values is NULL or of unknown type"},
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_matrix *m = NULL;
        int released = 0;
        assert_int_not_equal(
            cobloc_matrix_from_compressed(2, 2, 0, bad[b].offsets, COBLOC_ARRAY_I64, bad[b].indices,
                                          bad[b].index_type, bad[b].values, bad[b].value_type,
                                          count_release, &released, &m, &err),
            COBLOC_OK);
        if (!strstr(err.message, bad[b].part))
            fail_msg("%s, expected %s", err.message, bad[b].part);
        assert_null(m);
        assert_int_equal(released, 0);
    }
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *m = NULL;
    assert_int_equal(cobloc_matrix_from_compressed(2, INT32_MAX, 0, good, COBLOC_ARRAY_I64, indices,
                                                   COBLOC_ARRAY_I32, NULL, COBLOC_ARRAY_NONE, NULL,
                                                   NULL, &m, &err),
                     COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "implausible"));
    assert_int_equal(cobloc_matrix_from_dense(1, 2, infinite, COBLOC_ARRAY_F64, &m, &err),
                     COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "row 0, column 1: the value is infinite"));
}

static void allocations_may_fail(void **state)
{
    (void)state;
    static const int32_t offsets[] = {0, 2, 3}, indices[] = {0, 2, 1};
    static const double values[] = {1, 7, 3};
    static const float cells[] = {1, 0, NAN, 0, -3, 0};
    for (int what = 0; what < 3; what++)
        for (long k = 0, failed = 1; failed; k++) {
            cobloc_error err = {COBLOC_OK, ""};
            cobloc_matrix *m = NULL;
            int released = 0;
            cob_alloc_fail_at(k);
            cobloc_status status =
                what == 2
                    ? cobloc_matrix_from_dense(2, 3, cells, COBLOC_ARRAY_F32, &m, &err)
                    : cobloc_matrix_from_compressed(
                          2, 3, 0, offsets, COBLOC_ARRAY_I32, indices, COBLOC_ARRAY_I32, values,
                          COBLOC_ARRAY_F64, what ? count_release : NULL, &released, &m, &err);
            failed = allocation_failed(k, status, &err, 4);
            assert_int_equal(released, 0);
            cobloc_matrix_free(m);
            assert_int_equal(released, !failed && what == 1);
        }
}

static void negative_sizes_follow_from_the_indices(void **state)
{
    (void)state;
    const int32_t row[] = {0, 4, 2}, col[] = {6, 1, 1};
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    assert_ok(cobloc_matrix_from_triples(-1, -7, 3, row, col, NULL, &matrix, &err), err);
    assert_int_equal(cobloc_matrix_rows(matrix), 5);
    assert_int_equal(cobloc_matrix_cols(matrix), 7);
    cobloc_matrix_free(matrix);
    matrix = NULL;
    assert_ok(cobloc_matrix_from_triples(9, -1, 3, row, col, NULL, &matrix, &err), err);
    assert_int_equal(cobloc_matrix_rows(matrix), 9);
    assert_int_equal(cobloc_matrix_cols(matrix), 7);
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(negative_sizes_follow_from_the_indices),
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(values_are_borrowed_where_they_fit),
        cmocka_unit_test(nan_is_a_missing_cell),
        cmocka_unit_test(stored_zeros_are_dropped),
        cmocka_unit_test(bad_arrays_are_refused),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
