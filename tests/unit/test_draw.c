/* Distributions against their textbook functions: chi-square for counts, Kolmogorov and Smirnov's
 * distance for reals. Seeds are fixed, limits are those that a right program would break about once
 * in a million.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "simulate/simulate.h"

#include <math.h>

enum { DRAWS = 40000 };

static cob_draws line(int64_t number)
{
    return cob_draws_at(77, COB_DRAW_ENTRIES, number);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Chi-square of `counts` of values 0 .. most - 1 (the last: all from there on) against Poisson;
 * values that are expected less than ten times are taken together. */
static void check_poisson(const int64_t *counts, int most, double mean, double draws)
{
    double statistic = 0, found = 0, expected = 0, left = 1;
    int cells = 0;
    for (int x = 0; x < most; x++) {
        double share = x == most - 1 ? left : exp(x * log(mean) - mean - lgamma(x + 1.0));
        left -= share;
        found += (double)counts[x];
        expected += draws * share;
        if (expected < 10 || draws * left < 10)
            if (x < most - 1)
                continue;
        if (expected > 0)
            statistic += (found - expected) * (found - expected) / expected;
        cells++;
        found = expected = 0;
    }
    double freedom = cells - 1, limit = freedom + 5 * sqrt(2 * freedom) + 10;
    if (statistic > limit)
        fail_msg("mean %g: chi-square %g with %d cells", mean, statistic, cells);
}

static void test_poisson(void **state)
{
    static const double means[] = {0.01, 0.5, 1, 4, 9.99, 10, 11.5, 30, 200, 1500};
    enum { MOST = 2000 };
    static int64_t counts[MOST];
    (void)state;
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        cob_draws draws = line((int64_t)m);
        memset(counts, 0, sizeof counts);
        for (int i = 0; i < DRAWS; i++) {
            int64_t x = cob_draw_poisson(&draws, means[m]);
            assert_true(x >= 0);
            counts[x < MOST ? x : MOST - 1]++;
        }
        check_poisson(counts, MOST, means[m], DRAWS);
    }
}

/* Too large for a table: mean and variance, within five standard deviations of theirs. */
static void test_large_poisson(void **state)
{
    static const double means[] = {1e5, 1e9, 4e9};
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        cob_draws draws = line(100 + (int64_t)m);
        double sum = 0, squares = 0;
        for (int i = 0; i < DRAWS; i++) {
            double z = ((double)cob_draw_poisson(&draws, means[m]) - means[m]) / sqrt(means[m]);
            sum += z;
            squares += z * z;
        }
        assert_true(fabs(sum / DRAWS) < 5 / sqrt(DRAWS));
        assert_true(fabs(squares / DRAWS - 1) < 5 * sqrt(2.0 / DRAWS));
    }
}

/* ---- reals ----------------------------------------------------------------------------------- */

static double normal_below(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

static double half_below(double x) /* a squared normal, halved */
{
    return erf(sqrt(x));
}

static double one_below(double x)
{
    return -expm1(-x);
}

static double three_below(double x)
{
    return 1 - (1 + x + x * x / 2) * exp(-x);
}

static double uniform_below(double x)
{
    return x;
}

static double draw_half(cob_draws *draws)
{
    return cob_draw_gamma(draws, 0.5);
}

static double draw_one(cob_draws *draws)
{
    return cob_draw_gamma(draws, 1);
}

static double draw_three(cob_draws *draws)
{
    return cob_draw_gamma(draws, 3);
}

static double draw_uniform(cob_draws *draws)
{
    return cob_draw_uniform(draws);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_reals(void **state)
{
    static const struct {
        double (*draw)(cob_draws *);
        double (*below)(double);
    } laws[] = {{draw_uniform, uniform_below},
                {cob_draw_normal, normal_below},
                {draw_half, half_below},
                {draw_one, one_below},
                {draw_three, three_below}};
    static double drawn[DRAWS];
    (void)state;
    for (size_t w = 0; w < sizeof laws / sizeof *laws; w++) {
        cob_draws draws = line(200 + (int64_t)w);
        double distance = 0;
        for (int i = 0; i < DRAWS; i++)
            drawn[i] = laws[w].draw(&draws);
        qsort(drawn, DRAWS, sizeof *drawn, compare);
        for (int i = 0; i < DRAWS; i++)
            distance = fmax(distance, fabs(laws[w].below(drawn[i]) - (i + 0.5) / DRAWS));
        if (distance * sqrt(DRAWS) > 2.7) /* exp(-2 * 2.7^2) * 2 is about 10^-6 */
            fail_msg("law %d: distance %g", (int)w, distance);
    }
}

/* ---- categories ------------------------------------------------------------------------------ */

static void test_alias(void **state)
{
    static const double weights[7] = {0, 1, 2.5, 0.25, 10, 0, 3};
    static const int32_t numbers[7] = {5, 6, 7, 8, 9, 10, 11};
    cob_alias places[7];
    int32_t room[7];
    int64_t found[12] = {0};
    cob_draws draws = line(300);
    (void)state;
    cob_alias_fill(places, 7, numbers, weights, room);
    for (int i = 0; i < DRAWS; i++)
        found[cob_alias_draw(places, 7, &draws)]++;
    for (int n = 0; n < 7; n++) {
        double share = weights[n] / 16.75, sd = sqrt(DRAWS * share * (1 - share));
        assert_true(fabs((double)found[numbers[n]] - DRAWS * share) <= 5 * sd);
    }
    cob_alias_fill(places, 1, numbers, weights + 4, room);
    assert_int_equal(cob_alias_draw(places, 1, &draws), 5);
}

/* Neighbouring lines share no numbers, and a line can be asked for again. */
static void test_lines(void **state)
{
    cob_draws a = line(1), b = line(2), again = line(1);
    (void)state;
    for (int i = 0; i < 1000; i++) {
        double x = cob_draw_uniform(&a);
        assert_true(x == cob_draw_uniform(&again));
        assert_true(x != cob_draw_uniform(&b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poisson), cmocka_unit_test(test_large_poisson),
        cmocka_unit_test(test_reals),   cmocka_unit_test(test_alias),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
