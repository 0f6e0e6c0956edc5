/* The exponential and the logarithm against those of the C library, in more digits.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/exponential.h"
#include "base/random.h"

#include <float.h>
#include <math.h>

enum { POINTS = 200000 };

/* The difference in units of the last place. */
static double units_off(double found, long double right)
{
    int exponent;
    frexp((double)right, &exponent);
    return (double)fabsl((found - right) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static void exponentials_are_right(void **state)
{
    cob_stream stream = cob_stream_at(1, 0, 0, 0);
    double most = 0;
    (void)state;
    for (int i = 0; i < POINTS; i++) {
        double x = COB_NEGLIGIBLE * cob_random_uniform(&stream, (uint64_t)i);
        x = i % 2 ? x : x * x * x / (COB_NEGLIGIBLE * COB_NEGLIGIBLE * 16); /* also small ones */
        most = fmax(most, units_off(cob_exp_minus(x), expl(-(long double)x)));
    }
    assert_true(most < 1);
    assert_true(cob_exp_minus(0) == 1);
    assert_true(cob_exp_minus(1e-300) == 1);
    assert_true(cob_exp_minus(COB_NEGLIGIBLE) > 0);
}

static void logarithms_are_right(void **state)
{
    cob_stream stream = cob_stream_at(2, 0, 0, 0);
    double most = 0;
    (void)state;
    for (int i = 0; i < POINTS; i++) {
        double u = cob_random_uniform(&stream, (uint64_t)i);
        double x = i % 3 == 0 ? 1 + u : i % 3 == 1 ? 1 + u * 1e-6 : exp2(31 * u);
        most = fmax(most, units_off(cob_log_above(x), logl(x)));
    }
    assert_true(most < 3);
    assert_true(cob_log_above(1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_are_right),
        cmocka_unit_test(logarithms_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
