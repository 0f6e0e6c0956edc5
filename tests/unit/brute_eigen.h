/* Eigenvectors of small dense matrices by Jacobi's rotations, as a judge.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef BRUTE_EIGEN_H
#define BRUTE_EIGEN_H

#include "support.h"

#include <math.h>

typedef struct dense {
    int n, d;
    double *x; /* n by d */
} dense;

static inline double *zeros(int64_t count)
{
    double *made = calloc((size_t)count + 1, sizeof *made);
    assert_non_null(made);
    return made;
}

/* Jacobi: turns the symmetric `a` (size by size) into a diagonal, and `v` into its eigenvectors. */
static inline void rotate(double *a, double *v, int size, int p, int q)
{
    double off = a[p * size + q];
    if (fabs(off) < 1e-300)
        return;
    double theta = (a[q * size + q] - a[p * size + p]) / (2 * off);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < size; k++) {
        double x = a[k * size + p], y = a[k * size + q];
        a[k * size + p] = c * x - s * y;
        a[k * size + q] = s * x + c * y;
    }
    for (int k = 0; k < size; k++) {
        double x = a[p * size + k], y = a[q * size + k];
        a[p * size + k] = c * x - s * y;
        a[q * size + k] = s * x + c * y;
        x = v[k * size + p];
        y = v[k * size + q];
        v[k * size + p] = c * x - s * y;
        v[k * size + q] = s * x + c * y;
    }
}

/* The eigenvalues of M M', the largest first, and their vectors in the columns of `vectors`. */
static inline void brute_eigen(const dense *m, double *values, double *vectors)
{
    int n = m->n;
    double *a = zeros((int64_t)n * n), *v = zeros((int64_t)n * n);
    for (int i = 0; i < n; i++) {
        v[i * n + i] = 1;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < m->d; j++)
                a[i * n + k] += m->x[i * m->d + j] * m->x[k * m->d + j];
    }
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                rotate(a, v, n, p, q);
    for (int t = 0; t < n; t++) {
        int largest = -1;
        for (int i = 0; i < n; i++)
            if (!isnan(a[i * n + i]) && (largest < 0 || a[i * n + i] > a[largest * n + largest]))
                largest = i;
        values[t] = a[largest * n + largest];
        for (int i = 0; i < n; i++)
            vectors[i * n + t] = v[i * n + largest];
        a[largest * n + largest] = NAN;
    }
    free(a);
    free(v);
}

#endif
