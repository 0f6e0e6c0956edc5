/* Paired tests of whether two methods differ: Student's t test and Wilcoxon's signed-rank test.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/gamma.h"
#include "score/scores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Student's t ----------------------------------------------------------------------------- */

/* The continued fraction of the incomplete beta function, by Lentz's method; it converges quickly
 * for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change = 1;
        for (int half = 0; half < 2; half++) {
            double term = half ? odd : even;
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            change = c * d;
            value *= change;
        }
        if (fabs(change - 1) < 1e-16)
            break;
    }
    return value;
}

/* The regularised incomplete beta function I_x(a, b); y = 1 - x is passed separately for precision.
 */
static double incomplete_beta(double a, double b, double x, double y)
{
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    double front =
        exp(cob_log_gamma(a + b) - cob_log_gamma(a) - cob_log_gamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

/* The probability of a value at least as far from 0 as t, on either side. */
static double student_tails(double t, double freedom)
{
    double square = t * t;
    if (isinf(square))
        return 0;
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square),
                           square / (freedom + square));
}

/* If all differences are equal, t is infinite; if all are 0, there is no evidence of a difference.
 */
static void t_test(const double *d, int count, cobloc_paired_test *test)
{
    double squares = 0;
    for (int i = 0; i < count; i++)
        squares += (d[i] - test->difference) * (d[i] - test->difference);
    test->sd = sqrt(squares / (count - 1));
    test->t = test->difference == 0 ? 0 : test->difference / (test->sd / sqrt(count));
    test->t_p = student_tails(test->t, count - 1);
}

/* ---- Wilcoxon's signed ranks ----------------------------------------------------------------- */

enum { MOST_EXACT = 200 };

static int by_size(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    x = fabs(x);
    y = fabs(y);
    return (x > y) - (x < y);
}

/* P(W <= sum) if each rank is in W with probability 1/2. Ranks are doubled, so that ties have whole
 * numbers. `chances` has room for all count (count + 1) + 1 sums. */
static double exact_tail(const int *doubled, int count, int sum, double *chances)
{
    int all = count * (count + 1), reached = 0;
    memset(chances, 0, ((size_t)all + 1) * sizeof *chances);
    chances[0] = 1;
    for (int i = 0; i < count; i++) {
        reached += doubled[i];
        for (int s = reached; s >= 0; s--)
            chances[s] = 0.5 * (chances[s] + (s >= doubled[i] ? chances[s - doubled[i]] : 0));
    }
    double tail = 0;
    for (int s = 0; s <= sum; s++)
        tail += chances[s];
    return tail;
}

/* The normal approximation, its variance corrected for ties. */
static double normal_tail(const int *doubled, int count, double sum)
{
    double n = count, mean = n * (n + 1) / 2, variance = 0; /* of doubled ranks */
    for (int i = 0; i < count; i++)
        variance += 0.25 * doubled[i] * (double)doubled[i];
    return 0.5 * erfc((mean - sum) / sqrt(2 * variance));
}

/* Differences of 0 are left out; equal ones share their mean rank. */
static cobloc_status signed_ranks(double *d, int count, cobloc_paired_test *test, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int *doubled = NULL, kept = 0;
    double *chances = NULL, positive = 0, negative = 0;
    for (int i = 0; i < count; i++)
        if (d[i] != 0)
            d[kept++] = d[i];
    qsort(d, (size_t)kept, sizeof *d, by_size);
    COB_NEW(doubled, kept);
    for (int i = 0, next; i < kept; i = next) {
        for (next = i + 1; next < kept && fabs(d[next]) == fabs(d[i]);)
            next++;
        for (int j = i; j < next; j++) {
            doubled[j] = i + 1 + next;
            *(d[j] > 0 ? &positive : &negative) += doubled[j];
        }
    }
    double sum = fmin(positive, negative);
    test->wilcoxon = sum / 2;
    if (kept <= MOST_EXACT) {
        COB_NEW(chances, (size_t)kept * ((size_t)kept + 1) + 1);
        test->wilcoxon_p = fmin(1, 2 * exact_tail(doubled, kept, (int)sum, chances));
    } else {
        test->wilcoxon_p = fmin(1, 2 * normal_tail(doubled, kept, sum));
    }
done:
    cob_free(doubled);
    cob_free(chances);
    return status;
}

cobloc_status cob_test_paired(const double *first, const double *second, int count,
                              cobloc_paired_test *test, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *d = NULL, sum = 0;
    cobloc_paired_test made;
    cob_init(&made, &cob_paired_test_type);
    made.pairs = count;
    COB_CHECK(count >= 2, COBLOC_BAD_ARGUMENT, "%d pairs of values, expected 2 or more", count);
    COB_NEW(d, count);
    for (int i = 0; i < count; i++) {
        d[i] = first[i] - second[i];
        COB_CHECK(isfinite(d[i]), COBLOC_BAD_DATA, "pair %d has no finite difference", i + 1);
        sum += d[i];
    }
    made.difference = sum / count;
    t_test(d, count, &made);
    COB_TRY(signed_ranks(d, count, &made, err));
    *test = made;
done:
    cob_free(d);
    return status;
}

cobloc_status cobloc_test_paired(const double *first, const double *second, int count,
                                 cobloc_paired_test **out, cobloc_error *err)
{
    cobloc_paired_test test;
    cobloc_status status = cob_test_paired(first, second, count, &test, err);
    return status ? status : cob_hand_out(&test, &cob_paired_test_type, out, err);
}
