/* Paired tests, against tables, closed forms and all sign patterns counted one by one.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/random.h"

#include <math.h>

static void assert_close(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance * (1 + fabs(expected))))
        fail_msg("got %.17g, expected %.17g", got, expected);
}

static cobloc_paired_test test_of(const double *a, const double *b, int count)
{
    cobloc_error err;
    cobloc_paired_test test;
    assert_ok(cob_test_paired(a, b, count, &test, &err), err);
    return test;
}

/* With 1 degree of freedom t is Cauchy distributed, with 2 its tails have a closed form, too. */
static void test_t_closed_forms(void **state)
{
    (void)state;
    const double zero[3] = {0};
    for (int i = 1; i < 60; i++) {
        double two[2] = {0.1 * i, 1}, three[3] = {0.3 * i, 1, -2};
        cobloc_paired_test one = test_of(two, zero, 2);
        assert_close(one.t_p, 1 - 2 / 3.14159265358979323846 * atan(fabs(one.t)), 1e-13);
        cobloc_paired_test other = test_of(three, zero, 3);
        assert_close(other.t_p, 1 - fabs(other.t) / sqrt(2 + other.t * other.t), 1e-13);
    }
}

/* The classic table: with 9 degrees of freedom 2.262 is the two-sided 5 % point, 3.250 that of 1 %;
 * the digits beyond are SciPy's stats.t.isf. */
static void test_t_table(void **state)
{
    (void)state;
    static const double points[][2] = {
        {2.2621571627409915, 0.05}, {3.2498355440153697, 0.01}, {4.780912585931143, 0.001}};
    for (int i = 0; i < 3; i++) {
        /* differences m +- 1 with five of each sign have the deviation sqrt(10 / 9) */
        double a[10], b[10] = {0}, m = points[i][0] / 3;
        for (int j = 0; j < 10; j++)
            a[j] = m + (j % 2 ? 1 : -1);
        cobloc_paired_test test = test_of(a, b, 10);
        assert_close(test.t, points[i][0], 1e-12);
        assert_close(test.sd, sqrt(10.0 / 9), 1e-12);
        assert_close(test.difference, m, 1e-12);
        assert_close(test.t_p, points[i][1], 1e-9);
    }
}

/* All sign patterns, each as likely as any other: the share with a sum at most as large as the
 * smaller one of the two, twice. */
static double count_patterns(const double *d, int count)
{
    double ranks[20], values[20], positive = 0, total = 0;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (d[i] != 0)
            values[kept++] = d[i];
    for (int i = 0; i < kept; i++) {
        double below = 0, same = 0;
        for (int j = 0; j < kept; j++) {
            below += fabs(values[j]) < fabs(values[i]);
            same += fabs(values[j]) == fabs(values[i]);
        }
        ranks[i] = below + (same + 1) / 2;
        total += ranks[i];
        positive += values[i] > 0 ? ranks[i] : 0;
    }
    double smaller = fmin(positive, total - positive), found = 0;
    for (int pattern = 0; pattern < 1 << kept; pattern++) {
        double sum = 0;
        for (int i = 0; i < kept; i++)
            sum += pattern >> i & 1 ? ranks[i] : 0;
        found += sum <= smaller;
    }
    return fmin(1, 2 * found / (1 << kept));
}

static void test_wilcoxon_counted(void **state)
{
    (void)state;
    cob_stream stream = cob_stream_at(3, 0, 0, 0);
    for (int c = 0; c < 300; c++) {
        double a[14], b[14], d[14];
        int count = 2 + c % 13, levels = c % 3 ? 4 : 1000; /* few levels: ties and zeros */
        for (int i = 0; i < count; i++) {
            a[i] = cob_random_below(&stream, (uint64_t)(c * 40 + i), (uint32_t)levels);
            b[i] = cob_random_below(&stream, (uint64_t)(c * 40 + i + 20), (uint32_t)levels);
            d[i] = a[i] - b[i];
        }
        assert_close(test_of(a, b, count).wilcoxon_p, count_patterns(d, count), 1e-13);
    }
}

/* n differences of one sign: 2 / 2^n. */
static void test_wilcoxon_one_sided(void **state)
{
    (void)state;
    double a[300], b[300] = {0};
    for (int i = 0; i < 300; i++)
        a[i] = i + 1;
    for (int n = 2; n <= 200; n++) {
        cobloc_paired_test test = test_of(a, b, n);
        assert_true(test.wilcoxon == 0);
        assert_close(log(test.wilcoxon_p), (1 - n) * log(2), 1e-12);
    }
    /* From there on the normal distribution: of 201 ranks, deviation sqrt(n (n+1) (2n+1) / 24). */
    double z = 201 * 202 / 4.0 / sqrt(201.0 * 202 * 403 / 24);
    assert_close(log(test_of(a, b, 201).wilcoxon_p), log(erfc(z / sqrt(2))), 1e-12);
}

static void test_no_difference(void **state)
{
    (void)state;
    double a[5] = {1, 2, 3, 4, 5}, b[5] = {0, 1, 2, 3, 4};
    cobloc_paired_test same = test_of(a, a, 5), shifted = test_of(a, b, 5);
    assert_true(same.t == 0 && same.t_p == 1 && same.wilcoxon_p == 1 && same.difference == 0);
    assert_true(isinf(shifted.t) && shifted.t_p == 0 && shifted.difference == 1);
    assert_close(shifted.wilcoxon_p, 0.0625, 1e-15);
}

static void test_refused(void **state)
{
    (void)state;
    cobloc_error err;
    cobloc_paired_test test;
    double a[3] = {1, NAN, 3}, b[3] = {0, 1, 2};
    assert_int_equal(cob_test_paired(a, b, 1, &test, &err), COBLOC_BAD_ARGUMENT);
    assert_int_equal(cob_test_paired(a, b, 3, &test, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "pair 2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_t_closed_forms),   cmocka_unit_test(test_t_table),
        cmocka_unit_test(test_wilcoxon_counted), cmocka_unit_test(test_wilcoxon_one_sided),
        cmocka_unit_test(test_no_difference),    cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
