/* Real numbers as integers, and sums that do not depend on their order: against sums in 128 bits,
 * for every kind of values, either sign, long lines and the largest values; lines dealt out in any
 * number of chunks, on every processor's loops.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "brute.h"

#include "base/alloc.h"
#include "matrix/kernels.h"

__extension__ typedef __int128 large;

/* ---- units ----------------------------------------------------------------------------------- */

static void test_units(void **state)
{
    static const double largest[] = {1, 0.1, 3e-310, 7e-30, 5.5, 4294967295.0, 1e17, 1.7e308};
    (void)state;
    for (int i = 0; i < 8; i++)
        for (int64_t count = 1; count < (int64_t)1 << 40; count *= 3)
            for (int bits = COB_GRID_BITS; bits <= COB_GRID_MOST_BITS; bits++) {
                cob_value_grid g = cob_grid_for(largest[i], count, bits);
                int exponent;
                assert_true(g.unit > 0 && isfinite(g.scale) && g.scale * g.unit == 1);
                assert_true(frexp(g.unit, &exponent) == 0.5);
                assert_true(largest[i] * g.scale * (double)count <= 0x1p62);
                if (count < (int64_t)1 << 30 && largest[i] > 1e-290) /* rounded to half a unit */
                    assert_true(g.unit / 2 <= largest[i] * 0x1p-32);
            }
}

static void test_rounding(void **state)
{
    enum { COUNT = 3000 };
    static double values[COUNT];
    static const int64_t offsets[] = {0, COUNT};
    cobloc_view view = {1, 1, COUNT, COBLOC_F64, offsets, NULL, values}, out;
    dice dc = dice_of(1);
    (void)state;
    for (int round = 0; round < 40; round++) {
        int bits = round % 2 ? COB_GRID_BITS : COB_GRID_MOST_BITS;
        double scale = pow(10, 20 * roll(&dc) - 10), largest = 0, sum;
        large exact = 0;
        void *made = NULL;
        cobloc_error err;
        for (int e = 0; e < COUNT; e++)
            largest = fmax(largest, values[e] = scale * roll(&dc));
        cob_value_grid grid = cob_grid_of_entries(&view, (cob_between){0, view.major}, NULL, bits);
        assert_ok(
            cob_view_on_grid(&view, (cob_between){0, view.major}, grid, bits, &out, &made, &err),
            err);
        assert_int_equal(out.kind, bits == COB_GRID_BITS ? COBLOC_U32 : COBLOC_F64);
        for (int e = 0; e < COUNT; e++) {
            double near = (double)cob_entry(out.kind, out.values, e) * grid.unit;
            assert_true(fabs(near - values[e]) <= ldexp(largest, -(bits < 50 ? bits : 50)));
            exact += cob_entry(out.kind, out.values, e);
        }
        assert_true(cob_grid_sums(&out, (cob_between){0, out.major}, grid.unit, &sum) == exact);
        cob_free(made);
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

enum { LINES = 3000, OTHERS = 700, MOST = 300 };

typedef struct sample {
    int64_t offsets[LINES + 1];
    int32_t *indices;
    void *values;
    cobloc_view view;
    int32_t labels[LINES], other[OTHERS];
} sample;

/* The largest values of a kind, mostly; doubles are integers of either sign. */
static void sample_make(sample *s, dice *dc, cobloc_value_kind kind)
{
    static const double largest[] = {1, UINT8_MAX, UINT16_MAX, UINT32_MAX, 0, 0x1p40};
    int64_t count = 0;
    s->indices = malloc(sizeof *s->indices * LINES * OTHERS);
    s->values = malloc(sizeof(double) * LINES * OTHERS);
    for (int i = 0; i < LINES; i++) {
        double chance = i == 0 ? 1 : roll(dc);
        for (int j = 0; j < OTHERS; j++)
            if (roll(dc) < chance) {
                double sign = kind == COBLOC_F64 && roll(dc) < 0.3 ? -1 : 1;
                double value = roll(dc) < 0.9 ? largest[kind] : 1 + roll_below(dc, 1);
                cob_value_set(kind, s->values, count, sign * value);
                s->indices[count++] = j;
            }
        s->offsets[i + 1] = count;
    }
    s->view = (cobloc_view){LINES, OTHERS, count, kind, s->offsets, s->indices, s->values};
}

static void sample_free(sample *s)
{
    free(s->indices);
    free(s->values);
}

static void brute_blocks(const sample *s, int from, large *blocks)
{
    for (int i = 0; i < LINES; i++)
        for (int64_t e = s->offsets[i]; e < s->offsets[i + 1]; e++)
            blocks[s->labels[i] * from + s->other[s->indices[e]]] +=
                (large)cob_value_get(s->view.kind, s->values, e);
}

static void check_sums(sample *s, int to, int from, int threads, const large *expected)
{
    cob_pass_room *room = NULL;
    cobloc_error err;
    int64_t *exact = calloc((size_t)to * (size_t)from, sizeof *exact);
    double *block = calloc((size_t)to * (size_t)from, sizeof *block), sizes[MOST];
    double unit = 0.25;
    assert_ok(cob_pass_room_new(&s->view, to, from, threads, 0, &room, &err), err);
    cob_pass pass = {.view = &s->view,
                     .to = to,
                     .from = from,
                     .units = &unit,
                     .other_labels = s->other,
                     .assign = COB_ASSIGN_KEEP,
                     .labels = s->labels,
                     .block = block,
                     .exact_block = exact,
                     .down = (size_t)from,
                     .across = 1,
                     .sizes = sizes};
    cob_pass_run(&pass, room);
    for (int c = 0; c < to * from; c++) {
        assert_true(exact[c] == expected[c]);
        assert_true(block[c] == (double)expected[c] * unit);
    }
    cob_pass_room_free(room);
    free(exact);
    free(block);
}

static void test_sums(void **state)
{
    static const char *const processors[] = {"portable", "avx2", "avx512"};
    static const int clusters[] = {3, 20, 40, MOST}, threads[] = {1, 2, 3, 8, 16};
    sample *s = calloc(1, sizeof *s);
    dice dc = dice_of(2);
    (void)state;
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++) {
        if (kind == COBLOC_F32) /* never holds integers in a pass */
            continue;
        sample_make(s, &dc, (cobloc_value_kind)kind);
        for (int c = 0; c < 4; c++) {
            int to = 5, from = clusters[c];
            large *expected = calloc((size_t)(to * from), sizeof *expected);
            for (int i = 0; i < LINES; i++)
                s->labels[i] = roll_below(&dc, to);
            for (int j = 0; j < OTHERS; j++)
                s->other[j] = roll_below(&dc, from);
            brute_blocks(s, from, expected);
            for (int p = 0; p < 3; p++) {
                setenv("COBLOC_PROCESSOR", processors[p], 1);
                for (int t = p; t < 5; t += 2)
                    check_sums(s, to, from, threads[t], expected);
            }
            free(expected);
        }
        sample_free(s);
    }
    unsetenv("COBLOC_PROCESSOR");
    free(s);
}

/* 16-bit counts in a line so long that their sum needs 64 bits. */
static void test_long_line(void **state)
{
    enum { LONG = 100000 };
    static int32_t indices[LONG], other[LONG];
    static uint16_t values[LONG];
    static const int64_t offsets[] = {0, LONG};
    int64_t exact[2];
    double block[2], sizes[1];
    int32_t label = 0;
    cob_pass_room *room = NULL;
    cobloc_error err;
    (void)state;
    for (int e = 0; e < LONG; e++)
        indices[e] = e, values[e] = UINT16_MAX, other[e] = e % 4 == 0;
    cobloc_view view = {1, LONG, LONG, COBLOC_U16, offsets, indices, values};
    assert_ok(cob_pass_room_new(&view, 1, 2, 1, 0, &room, &err), err);
    cob_pass pass = {.view = &view,
                     .to = 1,
                     .from = 2,
                     .other_labels = other,
                     .labels = &label,
                     .block = block,
                     .exact_block = exact,
                     .down = 2,
                     .across = 1,
                     .sizes = sizes};
    cob_pass_run(&pass, room);
    assert_true(exact[0] == (int64_t)75000 * UINT16_MAX && exact[1] == (int64_t)25000 * UINT16_MAX);
    cob_pass_room_free(room);
}

/* ---- fits ------------------------------------------------------------------------------------ */

static cobloc_matrix *real_matrix(double scale, double first_row)
{
    enum { ROWS = 60, COLS = 40 };
    static int32_t row[ROWS * COLS], col[ROWS * COLS];
    static double value[ROWS * COLS];
    int count = 0;
    cobloc_error err;
    cobloc_matrix *x = NULL;
    dice dc = dice_of(4);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            if (roll(&dc) < (i % 3 == j % 3 ? 0.6 : 0.2)) {
                row[count] = i, col[count] = j;
                value[count++] = scale * (i == 0 ? first_row : 1) * (0.1 + roll(&dc));
            }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &x, &err), err);
    return x;
}

/* Rows of small values have more bits, down to where it is said that they cannot be had. */
static void test_wide_range(void **state)
{
    static const double first[] = {1, 1e-4, 1e-9, 1e-11, 1e-14, 1e-300};
    (void)state;
    for (int i = 0; i < 6; i++) {
        cobloc_error err;
        cobloc_matrix *x = real_matrix(1, first[i]);
        cob_problem p = {.x = x, .model = cob_model_named("coclus")};
        cobloc_status status = cob_problem_measure(&p, &err);
        if (i < 4) {
            assert_ok(status, err);
            assert_int_equal(p.operand.lines[COB_ROWS].kind, i < 2 ? COBLOC_U32 : COBLOC_F64);
            assert_near(p.side[COB_ROWS].sums[0] / cobloc_matrix_row_sums(x)[0], 1, 1e-3, "sum");
        } else {
            assert_int_equal(status, COBLOC_BAD_DATA);
            assert_non_null(strstr(err.message, "row 1 are too small beside the largest"));
        }
        cob_problem_free(&p);
        cobloc_matrix_free(x);
    }
}

/* Statistics of a real table: margins and totals are sums of the blocks, to the bit. */
static void check_identities(const cob_run *run)
{
    const cob_problem *p = run->problem;
    int64_t total = 0, g = run->stats.g, m = run->stats.m;
    for (int64_t k = 0; k < g; k++) {
        int64_t row = 0;
        for (int64_t l = 0; l < m; l++)
            row += run->blocks[k * m + l];
        assert_true(run->side[COB_ROWS].masses[k] == row);
        assert_true(run->stats.R[k] == (double)row * p->operand.grid.unit);
        total += row;
    }
    assert_true(p->total == (double)total * p->operand.grid.unit);
    assert_true(p->side[COB_ROWS].effect == p->total && p->side[COB_COLS].effect == p->total);
}

/* Multiplied by any number, a table has the same clusters; by a power of two, its statistics are
 * multiplied exactly. */
static void test_scaled(void **state)
{
    static const char *const names[] = {"coclus", "itcc", "fnmtf"};
    static const double scales[] = {1, 0x1p-300, 0x1p70, 3, 0.1};
    (void)state;
    for (int n = 0; n < 3; n++) {
        int32_t labels[2][100];
        double block = 0;
        for (int s = 0; s < 5; s++) {
            cobloc_error err;
            cobloc_matrix *x = real_matrix(scales[s], 1);
            cob_run *run = NULL;
            cob_problem p = {.x = x,
                             .model = cob_model_named(names[n]),
                             .side = {{.clusters = 3}, {.clusters = 3}},
                             .max_iterations = 30,
                             .watch = {.deadline = INFINITY, .restarts = 1}};
            assert_ok(cob_problem_measure(&p, &err), err);
            assert_ok(cob_run_new(&p, 3, 3, 0, 2, &run, &err), err);
            for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
                for (int64_t i = 0; i < cob_line_count(&p, side); i++)
                    run->side[side].labels[i] = (int32_t)(i * 7 % 11 % 3);
            assert_ok(cob_run_iterate(run, &err), err);
            check_identities(run);
            for (cob_axis side = COB_ROWS; side <= COB_COLS; side++) {
                size_t bytes = (size_t)cob_line_count(&p, side) * sizeof(int32_t);
                if (s == 0)
                    memcpy(labels[side], run->side[side].labels, bytes);
                assert_memory_equal(labels[side], run->side[side].labels, bytes);
            }
            block = s == 0 ? run->stats.block[0] : block;
            if (s < 3)
                assert_true(run->stats.block[0] == block * scales[s]);
            cob_run_free(run);
            cob_problem_free(&p);
            cobloc_matrix_free(x);
        }
    }
}

/* ---- sums over values ------------------------------------------------------------------------ */

static double cube(double x)
{
    return x * x * x;
}

/* Each function is summed once; what is known is given back, whatever the values are by then. */
static void test_known_sums(void **state)
{
    const int64_t offsets[] = {0, 3};
    const int32_t indices[] = {0, 1, 2};
    const uint8_t values[] = {1, 2, 4}, others[] = {1, 1, 1};
    cobloc_view view = {.major = 1,
                        .minor = 3,
                        .nnz = 3,
                        .offsets = offsets,
                        .indices = indices,
                        .kind = COBLOC_U8,
                        .values = values};
    cobloc_view other = view;
    cob_known_sums sums = {0};
    cob_shared_values shared = {.known = &sums};
    (void)state;
    other.values = others;
    assert_true(cob_sum_over_values(&view, cob_square, 1, &shared) == 21);
    assert_true(cob_sum_over_values(&view, cube, 1, &shared) == 73);
    assert_true(cob_sum_over_values(&other, cob_square, 1, &shared) == 21);
    assert_true(cob_sum_over_values(&other, cube, 1, &shared) == 73);
    sums = (cob_known_sums){0};
    assert_true(cob_sum_over_values(&other, cube, 1, &shared) == 3);
    assert_true(cob_sum_over_values(&view, cube, 1, NULL) == 73);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),      cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_sums),       cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_wide_range), cmocka_unit_test(test_scaled),
        cmocka_unit_test(test_known_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
