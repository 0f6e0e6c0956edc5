/* The logarithm of the gamma function.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* lgamma_r */
#include "base/gamma.h"

#include <math.h>

double cob_log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}
