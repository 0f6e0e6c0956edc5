/* Products of sparse matrices with thin dense ones, cell by cell, for every kind and width.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "matrix/kernels.h"

typedef long double real;

enum { WIDEST = 19, LINES = 37, OTHERS = 29 };

static double own[LINES * WIDEST], other[OTHERS * WIDEST];

/* A line of the products, and the sum of its logarithms. */
static void naive(const double *line, int i, int width, bool quotients, real *sums, real *log_sum)
{
    memset(sums, 0, WIDEST * sizeof *sums);
    *log_sum = 0;
    for (int j = 0; j < OTHERS; j++) {
        real value = line[j], expected = 0;
        for (int c = 0; c < width; c++)
            expected += (real)own[i * width + c] * other[j * width + c];
        for (int c = 0; c < width; c++)
            sums[c] += (quotients ? value / expected : value) * other[j * width + c];
        *log_sum += value > 0 ? value * logl(value / expected) : 0;
    }
}

static void check(const cobloc_matrix *x, const double *dense, int width, bool quotients)
{
    static double out[LINES * WIDEST], logs[LINES];
    cobloc_view view = cobloc_matrix_by_rows(x);
    if (quotients)
        cob_multiply_quotients(&view, own, other, width, 2, out, logs);
    else
        cob_multiply(&view, other, width, 2, out);
    for (int i = 0; i < LINES; i++) {
        real sums[WIDEST], log_sum;
        naive(dense + i * OTHERS, i, width, quotients, sums, &log_sum);
        for (int c = 0; c < width; c++)
            assert_near(out[i * width + c], (double)sums[c], 1e-12 * (1 + (double)sums[c]),
                        "product");
        if (quotients)
            assert_near(logs[i], (double)log_sum, 1e-12 * (1 + fabs((double)log_sum)),
                        "logarithms");
    }
}

static void test_products(void **state)
{
    dice dc = dice_of(87);
    (void)state;
    for (int c = 0; c < LINES * WIDEST; c++)
        own[c] = roll(&dc);
    for (int c = 0; c < OTHERS * WIDEST; c++)
        other[c] = roll(&dc);
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++) {
        cobloc_matrix *x =
            random_matrix(88, LINES, OTHERS, 0.3, (cobloc_value_kind)kind, NAMES_NONE);
        double *dense = dense_of(x);
        for (int width = 1; width <= WIDEST; width++) {
            check(x, dense, width, false);
            check(x, dense, width, true);
        }
        free(dense);
        cobloc_matrix_free(x);
    }
}

/* Factors that are all zero expect nothing: what is there cannot be divided by it. */
static void test_nothing_expected(void **state)
{
    static const double zeros[LINES * 2], ones[OTHERS * 2] = {1, 1, 1, 1};
    double out[LINES * 2], logs[LINES];
    cobloc_matrix *x = random_matrix(89, LINES, OTHERS, 0.3, COBLOC_U8, NAMES_NONE);
    cobloc_view view = cobloc_matrix_by_rows(x);
    (void)state;
    cob_multiply_quotients(&view, zeros, ones, 2, 1, out, logs);
    for (int i = 0; i < LINES; i++)
        assert_true(out[2 * i] == 0 && isfinite(logs[i]) && logs[i] >= 0);
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_nothing_expected),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
