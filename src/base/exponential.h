/* The exponential and the logarithm, by operations that every processor and device rounds alike:
 * the same to the bit wherever a fit runs, whatever its C library. Errors are below one unit in the
 * last place of the exponential, and below three of the logarithm. The kernels of devices contain
 * this file as it is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_EXPONENTIAL_H
#define COB_BASE_EXPONENTIAL_H

#ifdef __CUDACC__
#define COB_BOTH __host__ __device__ static inline
#else
#define COB_BOTH static inline
#endif

/* Scores so far below the best have a probability of 0, and no exponential of them is taken. It
 * would be less than 1e-18, which no sum of probabilities would notice: of the criterion at most k
 * * 1e-16 of a unit is lost with a line. */
#define COB_NEGLIGIBLE 42

/* The logarithm of 2 in two parts; a few hundred times the first is exact. */
#define COB_LN2_HIGH 6.93147180369123816490e-01
#define COB_LN2_LOW 1.90821492927058770002e-10

typedef union cob_number_bits {
    double number;
    unsigned long long bits;
} cob_number_bits;

/* exp(-x), for x from 0 to COB_NEGLIGIBLE: 2^-n times the exponential of what is left, which is at
 * most log(2) / 2, by Taylor's series; even and odd powers do not wait for each other. */
COB_BOTH double cob_exp_minus(double x)
{
    const double per_ln2 = 1.44269504088896338700;
    int n = (int)(x * per_ln2 + 0.5);
    double r = (n * COB_LN2_HIGH - x) + n * COB_LN2_LOW, s = r * r;
    double even = 1.0 / 479001600, odd = 1.0 / 6227020800;
    cob_number_bits scale;
    even = even * s + 1.0 / 3628800;
    odd = odd * s + 1.0 / 39916800;
    even = even * s + 1.0 / 40320;
    odd = odd * s + 1.0 / 362880;
    even = even * s + 1.0 / 720;
    odd = odd * s + 1.0 / 5040;
    even = even * s + 1.0 / 24;
    odd = odd * s + 1.0 / 120;
    even = even * s + 1.0 / 2;
    odd = odd * s + 1.0 / 6;
    scale.bits = (unsigned long long)(1023 - n) << 52;
    return (1 + (r + s * (even + r * odd))) * scale.number;
}

/* log(x), for x of at least 1: n log(2) plus the logarithm of what is left, m, by the series of
 * the inverse hyperbolic tangent at (m - 1) / (m + 1), which is at most .172. */
COB_BOTH double cob_log_above(double x)
{
    const double root = 1.41421356237309504880;
    cob_number_bits left;
    left.number = x;
    int n = (int)(left.bits >> 52) - 1023;
    left.bits -= (unsigned long long)n << 52;
    if (left.number > root) {
        left.number *= 0.5;
        n++;
    }
    double f = (left.number - 1) / (left.number + 1), s = f * f, sum = 1.0 / 21;
    for (int i = 19; i >= 3; i -= 2)
        sum = sum * s + 1.0 / i;
    return n * COB_LN2_HIGH + (2 * f * (1 + s * sum) + n * COB_LN2_LOW);
}

#endif
