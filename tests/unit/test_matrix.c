/* src/matrix: building, orientations, margins, empties, weights.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/random.h"
#include "matrix/builder.h"
#include "matrix/transpose.h"

#include <math.h>

/* ---- building against a dense table ---------------------------------------------------------- */

enum { ROWS = 23, COLS = 17, ENTRIES = 300 };

typedef struct sample {
    int32_t row[ENTRIES], col[ENTRIES];
    double value[ENTRIES];
    double dense[ROWS * COLS];
} sample;

/* Random triples, with duplicates and zeros among them; values whose sums are exact in any order.
 */
static void draw_sample(sample *s, uint64_t seed, int fractions)
{
    cob_stream stream = cob_stream_at(seed, 0, 0, 0);
    memset(s->dense, 0, sizeof s->dense);
    for (uint64_t t = 0; t < ENTRIES; t++) {
        s->row[t] = (int32_t)cob_random_below(&stream, 3 * t, ROWS);
        s->col[t] = (int32_t)cob_random_below(&stream, 3 * t + 1, COLS);
        uint32_t count = cob_random_below(&stream, 3 * t + 2, 400);
        s->value[t] = count % 7 == 0 ? 0 : fractions ? count / 8.0 : count;
        s->dense[s->row[t] * COLS + s->col[t]] += s->value[t];
    }
}

static void assert_sound(const cobloc_matrix *m)
{
    const cobloc_view views[] = {cobloc_matrix_by_rows(m), cobloc_matrix_by_cols(m)};
    const double *sums[] = {cobloc_matrix_row_sums(m), cobloc_matrix_col_sums(m)};
    const int64_t empty[] = {cobloc_matrix_empty_rows(m), cobloc_matrix_empty_cols(m)};
    for (int v = 0; v < 2; v++) {
        int64_t empties = 0;
        assert_int_equal(views[v].offsets[0], 0);
        assert_int_equal(views[v].offsets[views[v].major], views[v].nnz);
        for (int64_t i = 0; i < views[v].major; i++) {
            double sum = 0;
            for (int64_t e = views[v].offsets[i]; e < views[v].offsets[i + 1]; e++) {
                assert_in_range(views[v].indices[e], 0, views[v].minor - 1);
                assert_true(e == views[v].offsets[i] ||
                            views[v].indices[e - 1] < views[v].indices[e]);
                assert_true(cobloc_view_value(&views[v], e) > 0);
                sum += cobloc_view_value(&views[v], e);
            }
            assert_true(sum == sums[v][i]);
            empties += views[v].offsets[i] == views[v].offsets[i + 1];
        }
        assert_int_equal(empties, empty[v]);
    }
    /* Both orientations hold the same table. */
    double *by_rows = dense_of(m);
    for (int64_t j = 0; j < views[1].major; j++)
        for (int64_t e = views[1].offsets[j]; e < views[1].offsets[j + 1]; e++) {
            double *cell = &by_rows[views[1].indices[e] * views[1].major + j];
            assert_true(*cell == cobloc_view_value(&views[1], e));
            *cell = 0;
        }
    for (int64_t c = 0; c < views[0].major * views[0].minor; c++)
        assert_true(by_rows[c] == 0);
    free(by_rows);
}

static void triples_become_the_table_they_say(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        sample s;
        cobloc_error err;
        cobloc_matrix *m = NULL;
        draw_sample(&s, seed, seed % 2 == 1);
        assert_ok(cobloc_matrix_from_triples(ROWS, COLS, ENTRIES, s.row, s.col, s.value, &m, &err),
                  err);
        assert_dense(m, ROWS, COLS, s.dense);
        assert_sound(m);
        cobloc_matrix_free(m);
    }
}

/* The same entries, dealt out to any number of lanes in any order, give the same bytes: even where
 * sums of duplicates round. */
static void lanes_and_order_do_not_matter(void **state)
{
    (void)state;
    cobloc_matrix *first = NULL;
    for (int lanes = 1; lanes <= 8; lanes++) {
        cobloc_error err;
        cob_builder builder;
        cobloc_matrix *m = NULL;
        cob_stream stream = cob_stream_at(9, 0, 0, 0);
        assert_ok(cob_builder_init(&builder, 2000, 300, 0, lanes, COBLOC_MISSING_AUTO, &err), err);
        for (int64_t k = 0; k < 20000; k++) {
            uint64_t t = (uint64_t)(lanes % 2 ? k : 19999 - k);
            int64_t row = cob_random_below(&stream, 3 * t, 2000);
            int64_t col = cob_random_below(&stream, 3 * t + 1, 30);
            double value = cob_random_uniform(&stream, 3 * t + 2);
            assert_ok(cob_lane_add(&builder.lanes[k % lanes], row, col, value, &err), err);
        }
        assert_ok(cob_builder_finish(&builder, -1, -1, &m, &err), err);
        assert_int_equal(cobloc_matrix_cols(m), 300);
        if (first)
            assert_same_matrix(first, m);
        else
            first = m;
        if (m != first)
            cobloc_matrix_free(m);
    }
    assert_sound(first);
    cobloc_matrix_free(first);
}

static void the_shape_can_come_from_the_entries(void **state)
{
    (void)state;
    cobloc_error err;
    cob_builder builder;
    cobloc_matrix *m = NULL;
    assert_ok(cob_builder_init(&builder, -1, -1, 0, 1, COBLOC_MISSING_AUTO, &err), err);
    assert_ok(cob_lane_add(&builder.lanes[0], 9999, 3, 2, &err), err);
    assert_ok(cob_lane_add(&builder.lanes[0], 5, 7, 0, &err), err); /* a zero still counts */
    assert_ok(cob_builder_finish(&builder, -1, -1, &m, &err), err);
    assert_int_equal(cobloc_matrix_rows(m), 10000);
    assert_int_equal(cobloc_matrix_cols(m), 8);
    assert_int_equal(cobloc_matrix_nnz(m), 1);
    cobloc_matrix_free(m);
}

static void values_take_the_smallest_kind(void **state)
{
    (void)state;
    const struct {
        double a, b;
        cobloc_value_kind kind;
    } cases[] = {
        {1, 1, COBLOC_ONES},           {1, 2, COBLOC_U8},      {255, 1, COBLOC_U8},
        {256, 1, COBLOC_U16},          {65536, 1, COBLOC_U32}, {4294967295.0, 1, COBLOC_U32},
        {4294967296.0, 1, COBLOC_F32}, {0.5, 1, COBLOC_F32},   {0.1, 1, COBLOC_F64},
        {16777217, 0.5, COBLOC_F64},   {1e150, 1, COBLOC_F64}, {9007199254740993.0, 1, COBLOC_F32}};
    const int32_t row[] = {0, 1}, col[] = {0, 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cobloc_error err;
        cobloc_matrix *m = NULL;
        const double value[] = {cases[i].a, cases[i].b};
        assert_ok(cobloc_matrix_from_triples(2, 1, 2, row, col, value, &m, &err), err);
        if (cobloc_matrix_kind(m) != cases[i].kind)
            fail_msg("%g and %g are stored as %s", cases[i].a, cases[i].b,
                     cobloc_value_kind_name(cobloc_matrix_kind(m)));
        assert_dense(m, 2, 1, value);
        cobloc_matrix_free(m);
    }
}

/* 200 + 100 no longer fits the bytes that each fits. */
static void sums_of_duplicates_may_need_a_larger_kind(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = NULL;
    const int32_t zeros[] = {0, 0};
    const double value[] = {200, 100}, sum[] = {300};
    assert_ok(cobloc_matrix_from_triples(1, 1, 2, zeros, zeros, value, &m, &err), err);
    assert_int_equal(cobloc_matrix_kind(m), COBLOC_U16);
    assert_dense(m, 1, 1, sum);
    cobloc_matrix_free(m);
}

static void csr_arrays_are_taken(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = NULL;
    const int64_t offsets[] = {0, 2, 2, 3};
    const int32_t indices[] = {2, 0, 1};
    const double values[] = {5, 6, 7}, dense[] = {6, 0, 5, 0, 0, 0, 0, 7, 0};
    const double pattern[] = {1, 0, 1, 0, 0, 0, 0, 1, 0};
    assert_ok(cobloc_matrix_from_compressed(3, 3, 0, offsets, COBLOC_ARRAY_I64, indices,
                                            COBLOC_ARRAY_I32, values, COBLOC_ARRAY_F64, NULL, NULL,
                                            &m, &err),
              err);
    assert_dense(m, 3, 3, dense);
    assert_int_equal(cobloc_matrix_empty_rows(m), 1);
    cobloc_matrix_free(m);
    assert_ok(cobloc_matrix_from_compressed(3, 3, 0, offsets, COBLOC_ARRAY_I64, indices,
                                            COBLOC_ARRAY_I32, NULL, COBLOC_ARRAY_NONE, NULL, NULL,
                                            &m, &err),
              err);
    assert_dense(m, 3, 3, pattern);
    assert_int_equal(cobloc_matrix_kind(m), COBLOC_ONES);
    cobloc_matrix_free(m);
    const int64_t falling[] = {0, 2, 1, 3};
    assert_int_equal(cobloc_matrix_from_compressed(3, 3, 0, falling, COBLOC_ARRAY_I64, indices,
                                                   COBLOC_ARRAY_I32, values, COBLOC_ARRAY_F64, NULL,
                                                   NULL, &m, &err),
                     COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "offsets[2]"));
}

static void bad_entries_are_refused(void **state)
{
    (void)state;
    const struct {
        int64_t rows, cols;
        int32_t row, col;
        double value;
        cobloc_status status;
        const char *part;
    } cases[] = {
        {2, 2, 0, 0, INFINITY, COBLOC_BAD_DATA, "infinite"},
        {2, 2, 2, 0, 1, COBLOC_BAD_DATA, "row 2 is out of range, expected 0 to 1"},
        {2, 2, 0, -1, 1, COBLOC_BAD_DATA, "column -1 is out of range"},
        {0, 2, 0, 0, 1, COBLOC_BAD_DATA, "at least one row"},
        {2, 0, 0, 0, 1, COBLOC_BAD_DATA, "at least one row"},
        {2, (int64_t)INT32_MAX + 1, 0, 0, 1, COBLOC_UNSUPPORTED, "more than"},
        {INT32_MAX, INT32_MAX, 0, 0, 1, COBLOC_BAD_DATA, "implausible"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_matrix *m = NULL;
        cobloc_status status =
            cobloc_matrix_from_triples(cases[i].rows, cases[i].cols, 1, &cases[i].row,
                                       &cases[i].col, &cases[i].value, &m, &err);
        if (status != cases[i].status || !strstr(err.message, cases[i].part))
            fail_msg("case %d: %s: %s", (int)i, cobloc_status_name(status), err.message);
        assert_null(m);
    }
}

static void a_matrix_may_hold_nothing(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = NULL, *dropped = NULL, *weighted = NULL;
    assert_ok(cobloc_matrix_from_triples(3, 4, 0, NULL, NULL, NULL, &m, &err), err);
    assert_int_equal(cobloc_matrix_nnz(m), 0);
    assert_int_equal(cobloc_matrix_empty_rows(m), 3);
    assert_int_equal(cobloc_matrix_empty_cols(m), 4);
    assert_sound(m);
    assert_int_equal(cobloc_matrix_drop_empty(m, &dropped, NULL, NULL, &err), COBLOC_BAD_DATA);
    assert_ok(cobloc_matrix_weighted(m, COBLOC_WEIGHT_TFIDF, &weighted, &err), err);
    assert_true(same_entries(m, weighted));
    cobloc_matrix_free(m);
    cobloc_matrix_free(weighted);
    cobloc_matrix_free(NULL);
}

/* Large and sparse enough for the transposition to go by tiles and on several threads. */
static void transposing_twice_is_the_identity(void **state)
{
    (void)state;
    enum { R = 9000, C = 9000, N = 200000 };
    cobloc_error err;
    cob_builder builder;
    cobloc_matrix *m = NULL;
    cob_stream stream = cob_stream_at(3, 0, 0, 0);
    assert_ok(cob_builder_init(&builder, R, C, 0, 3, COBLOC_MISSING_AUTO, &err), err);
    for (uint64_t t = 0; t < N; t++)
        assert_ok(cob_lane_add(&builder.lanes[t % 3], cob_random_below(&stream, 3 * t, R),
                               cob_random_below(&stream, 3 * t + 1, C), (double)(t % 300 + 1),
                               &err),
                  err);
    assert_ok(cob_builder_finish(&builder, R, C, &m, &err), err);
    for (int threads = 1; threads <= 8; threads *= 2) {
        cob_side there = {0}, back = {0};
        assert_ok(cob_side_alloc(&there, C, m->nnz, m->kind, &err), err);
        assert_ok(cob_side_alloc(&back, R, m->nnz, m->kind, &err), err);
        assert_ok(cob_transpose(&m->by_row, R, C, 1, m->kind, threads, &there, &err), err);
        assert_memory_equal(there.indices, m->by_col.indices, (size_t)m->nnz * 4);
        assert_ok(cob_transpose(&there, C, R, 0, m->kind, threads, &back, &err), err);
        assert_memory_equal(back.offsets, m->by_row.offsets, (R + 1) * 8);
        assert_memory_equal(back.indices, m->by_row.indices, (size_t)m->nnz * 4);
        assert_memory_equal(back.values, m->by_row.values,
                            (size_t)m->nnz * cob_kind_width(m->kind));
        cob_side_free(&there);
        cob_side_free(&back);
    }
    cobloc_matrix_free(m);
}

/* ---- empties and names ----------------------------------------------------------------------- */

static void empties_are_dropped_with_a_map(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = NULL, *filled = NULL;
    const int32_t row[] = {1, 3, 3}, col[] = {0, 2, 0};
    const double value[] = {1, 2, 3}, dense[] = {1, 0, 3, 2};
    const char *const rows[] = {"a", "b", "c", "d"}, *const cols[] = {"x", "y", "z"};
    int32_t row_map[4], col_map[3];
    assert_ok(cobloc_matrix_from_triples(4, 3, 3, row, col, value, &m, &err), err);
    assert_ok(cobloc_matrix_set_row_names(m, rows, &err), err);
    assert_ok(cobloc_matrix_set_row_labels(m, rows, &err), err);
    assert_ok(cobloc_matrix_set_col_names(m, cols, &err), err);
    assert_ok(cobloc_matrix_drop_empty(m, &filled, row_map, col_map, &err), err);
    assert_dense(filled, 2, 2, dense);
    assert_sound(filled);
    const int32_t expected_rows[] = {-1, 0, -1, 1}, expected_cols[] = {0, -1, 1};
    assert_memory_equal(row_map, expected_rows, sizeof row_map);
    assert_memory_equal(col_map, expected_cols, sizeof col_map);
    assert_string_equal(cobloc_matrix_row_name(filled, 1), "d");
    assert_string_equal(cobloc_matrix_row_label(filled, 0), "b");
    assert_string_equal(cobloc_matrix_col_name(filled, 1), "z");
    assert_null(cobloc_matrix_col_name(filled, 2));
    assert_ok(cobloc_matrix_set_col_names(filled, NULL, &err), err);
    assert_null(cobloc_matrix_col_name(filled, 0));
    cobloc_matrix_free(m);
    cobloc_matrix_free(filled);
}

/* Empty rows, empty columns, both, or none: with borrowed arrays all is as in a copy. */
static void borrowed_arrays_are_given_back(void **state)
{
    (void)state;
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++)
        for (int holes = 0; holes < 4; holes++) {
            int64_t rows = holes & 1 ? 40 : 9, cols = holes & 2 ? 40 : 9;
            cobloc_error err;
            cobloc_matrix *m = random_matrix((uint64_t)holes, rows, cols, holes ? 0.04 : 0.6,
                                             (cobloc_value_kind)kind, NAMES_NONE),
                          *copy = NULL, *borrowed = NULL;
            int32_t row_map[40], col_map[40];
            assert_ok(cobloc_matrix_drop_empty(m, &copy, NULL, NULL, &err), err);
            assert_ok(cob_matrix_drop_empty(m, NULL, &borrowed, row_map, col_map, &err), err);
            assert_sound(borrowed);
            assert_same_matrix(copy, borrowed);
            cobloc_matrix_free(borrowed);
            cobloc_matrix_free(copy);
            assert_sound(m);
            cobloc_matrix_free(m);
        }
}

/* ---- weights --------------------------------------------------------------------------------- */

static void weights_follow_their_formulas(void **state)
{
    (void)state;
    cobloc_matrix *m = random_matrix(4, ROWS, COLS, 0.3, COBLOC_U8, NAMES_NASTY);
    double *x = dense_of(m), idf[COLS], mean = m->total / (double)(ROWS - m->empty_rows);
    for (int j = 0; j < COLS; j++) {
        int df = 0;
        for (int i = 0; i < ROWS; i++)
            df += x[i * COLS + j] > 0;
        idf[j] = log((1.0 + ROWS) / (1.0 + df)) + 1;
    }
    for (int w = COBLOC_WEIGHT_NONE; w < (int)COB_WEIGHTS; w++) {
        cobloc_error err;
        cobloc_matrix *weighted = NULL;
        assert_ok(cobloc_matrix_weighted(m, (cobloc_weight)w, &weighted, &err), err);
        double *y = dense_of(weighted);
        for (int i = 0; i < ROWS; i++) {
            double length = 0;
            for (int j = 0; j < COLS; j++)
                length += pow(x[i * COLS + j] * (w == COBLOC_WEIGHT_TFIDF ? idf[j] : 1), 2);
            for (int j = 0; j < COLS; j++) {
                double v = x[i * COLS + j];
                double saturated = 3 * v / (v + 2 * (0.1 + 0.9 * m->row_sums[i] / mean));
                double expected = w == COBLOC_WEIGHT_NONE      ? v
                                  : w == COBLOC_WEIGHT_BINARY  ? v > 0
                                  : v == 0                     ? 0
                                  : w == COBLOC_WEIGHT_TFIDF   ? v * idf[j] / sqrt(length)
                                  : w == COBLOC_WEIGHT_ROWNORM ? v / sqrt(length)
                                  : w == COBLOC_WEIGHT_LOG     ? log(1 + v)
                                  : w == COBLOC_WEIGHT_SQRT    ? sqrt(v)
                                  : w == COBLOC_WEIGHT_BM25    ? saturated
                                                               : saturated * idf[j];
                assert_true(fabs(y[i * COLS + j] - expected) < 4e-15);
            }
        }
        assert_string_equal(cobloc_matrix_row_name(weighted, 1), "two words");
        assert_sound(weighted);
        free(y);
        cobloc_matrix_free(weighted);
    }
    cobloc_error err;
    cobloc_matrix *none = NULL;
    assert_int_equal(cobloc_matrix_weighted(m, (cobloc_weight)9, &none, &err), COBLOC_BAD_ARGUMENT);
    free(x);
    cobloc_matrix_free(m);
}

/* Squares of such values over- or underflow; their lengths need not. */
static void extreme_values_have_lengths_too(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_matrix *m = NULL, *weighted = NULL;
    const int32_t row[] = {0, 0, 1, 1, 2, 2}, col[] = {0, 1, 0, 1, 0, 1};
    const double value[] = {3e150, 4e150, 3e-300, 4e-300, 1e150, 1e-300};
    assert_ok(cobloc_matrix_from_triples(3, 2, 6, row, col, value, &m, &err), err);
    assert_ok(cobloc_matrix_weighted(m, COBLOC_WEIGHT_ROWNORM, &weighted, &err), err);
    double *y = dense_of(weighted);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(y[2 * i] - 0.6) < 1e-15);
        assert_true(fabs(y[2 * i + 1] - 0.8) < 1e-15);
    }
    assert_true(y[4] == 1 && y[5] > 0);
    assert_int_equal(cobloc_matrix_nnz(weighted), 6);
    free(y);
    cobloc_matrix_free(m);
    cobloc_matrix_free(weighted);
}

/* ---- failing allocations --------------------------------------------------------------------- */

static cobloc_status build_and_derive(const sample *s, cobloc_error *err)
{
    cobloc_matrix *m = NULL, *dropped = NULL, *borrowed = NULL, *weighted = NULL;
    int32_t row_map[ROWS], col_map[COLS];
    cobloc_status status =
        cobloc_matrix_from_triples(ROWS, COLS, ENTRIES, s->row, s->col, s->value, &m, err);
    if (status == COBLOC_OK)
        status = cobloc_matrix_set_row_names(
            m, (const char *const[ROWS]){"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
                                         "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w"},
            err);
    if (status == COBLOC_OK)
        status = cobloc_matrix_drop_empty(m, &dropped, NULL, NULL, err);
    if (status == COBLOC_OK)
        status = cob_matrix_drop_empty(m, NULL, &borrowed, row_map, col_map, err);
    if (status == COBLOC_OK)
        status = cobloc_matrix_weighted(dropped, COBLOC_WEIGHT_TFIDF, &weighted, err);
    cobloc_matrix_free(borrowed);
    cobloc_matrix_free(m);
    cobloc_matrix_free(dropped);
    cobloc_matrix_free(weighted);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    sample s;
    draw_sample(&s, 1, 1);
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cob_alloc_fail_at(k);
        cobloc_status status = build_and_derive(&s, &err);
        failed = allocation_failed(k, status, &err, 20);
        assert_true(!failed || strstr(err.message, "out of memory"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triples_become_the_table_they_say),
        cmocka_unit_test(lanes_and_order_do_not_matter),
        cmocka_unit_test(the_shape_can_come_from_the_entries),
        cmocka_unit_test(values_take_the_smallest_kind),
        cmocka_unit_test(sums_of_duplicates_may_need_a_larger_kind),
        cmocka_unit_test(csr_arrays_are_taken),
        cmocka_unit_test(bad_entries_are_refused),
        cmocka_unit_test(a_matrix_may_hold_nothing),
        cmocka_unit_test(transposing_twice_is_the_identity),
        cmocka_unit_test(empties_are_dropped_with_a_map),
        cmocka_unit_test(borrowed_arrays_are_given_back),
        cmocka_unit_test(weights_follow_their_formulas),
        cmocka_unit_test(extreme_values_have_lengths_too),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
