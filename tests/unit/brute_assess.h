/* ICL, modularity and explained information once more, straight from their definitions: sums over
 * the cells of a dense table.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_BRUTE_ASSESS_H
#define COB_TESTS_BRUTE_ASSESS_H

#include "brute.h"

/* The log-probability of counts that are Poisson(r_i c_j delta_kl), with the best delta_kl. */
static inline long double brute_counts(const table *t, int g, int m, const int32_t *rows,
                                       const int32_t *cols)
{
    long double value = 0;
    for (int k = 0; k < g; k++)
        for (int l = 0; l < m; l++) {
            long double sum = 0, base = 0;
            for (int c = 0; c < t->n * t->d; c++)
                if (rows[c / t->d] == k && cols[c % t->d] == l) {
                    sum += t->x[c];
                    base += (long double)t->r[c / t->d] * t->c[c % t->d];
                }
            for (int c = 0; c < t->n * t->d; c++)
                if (rows[c / t->d] == k && cols[c % t->d] == l) {
                    long double mean = (long double)t->r[c / t->d] * t->c[c % t->d] * sum / base;
                    value += (t->x[c] > 0 ? t->x[c] * logl(mean) : 0) - mean -
                             lgammal((long double)t->x[c] + 1);
                }
        }
    return value;
}

/* The complete log-likelihood of a pair of partitions; NaN where the model has none. */
static inline double brute_log_likelihood(const known *model, const table *t, int g, int m,
                                          const int32_t *rows, const int32_t *cols)
{
    if (model->likelihood)
        return brute_value(model, t, g, m, rows, cols);
    if (model->family != WRONG_CELLS && model->family != INFORMATION && model->family != SQUARES)
        return NAN;
    /* Equal proportions; one dispersion, or one variance, or counts by blocks. */
    long double value = -t->n * logl(g) - t->d * logl(m);
    if (model->family == SQUARES) {
        long double variance = (long double)brute_value(model, t, g, m, rows, cols) / (t->n * t->d);
        return (double)(value - t->n * t->d * logl(2 * acosl(-1) * expl(1) * variance) / 2);
    }
    if (model->family == INFORMATION)
        return (double)(value + brute_counts(t, g, m, rows, cols));
    double eps = fmin(brute_value(model, t, g, m, rows, cols) / (t->n * t->d), 0.5);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++)
            value += (rows[i] == cols[j]) == (cell(t, i, j) > 0) ? logl(1 - (long double)eps)
                                                                 : logl((long double)eps);
    return (double)value;
}

/* What ICL takes off for the model's block parameters, and for g - 1 and m - 1 proportions where
 * they are not taken to be equal. */
static inline double brute_penalty(const known *model, const table *t, int g, int m)
{
    double parameters = model->family == WRONG_CELLS     ? 1
                        : is_model(model, "splbm-exact") ? g + 1
                        : is_model(model, "dlbm2")       ? g
                        : is_model(model, "fnmtf")       ? g * m + 1
                                                         : g * m;
    double proportions = (g - 1) * log(t->n) / 2 + (m - 1) * log(t->d) / 2;
    return (model->likelihood ? proportions : 0) + parameters * log(t->n * t->d) / 2;
}

static inline long double sum_of(const table *t, int row, int col)
{
    long double sum = 0;
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++)
            sum += (row < 0 || i == row) && (col < 0 || j == col) ? cell(t, i, j) : 0;
    return sum;
}

/* Modularity with row cluster k paired with column cluster pair[k]. */
static inline double modularity_of_pairs(const table *t, const int *pair, const int32_t *rows,
                                         const int32_t *cols)
{
    long double N = sum_of(t, -1, -1), q = 0, r[MOST_LINES], c[MOST_LINES];
    for (int i = 0; i < t->n; i++)
        r[i] = sum_of(t, i, -1);
    for (int j = 0; j < t->d; j++)
        c[j] = sum_of(t, -1, j);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++)
            if (pair[rows[i]] == cols[j])
                q += (cell(t, i, j) - r[i] * c[j] / N) / N;
    return (double)q;
}

/* The best over all ways to pair the clusters from `from` on. */
static inline double best_pairs(const table *t, int g, int from, int *pair, const int32_t *rows,
                                const int32_t *cols)
{
    double best = -INFINITY;
    if (from == g)
        return modularity_of_pairs(t, pair, rows, cols);
    for (int k = from; k < g; k++) {
        int first = pair[from];
        pair[from] = pair[k];
        pair[k] = first;
        best = fmax(best, best_pairs(t, g, from + 1, pair, rows, cols));
        pair[k] = pair[from];
        pair[from] = first;
    }
    return best;
}

static inline double brute_modularity(const table *t, int g, bool diagonal, const int32_t *rows,
                                      const int32_t *cols)
{
    int pair[MOST_CLUSTERS];
    for (int k = 0; k < g; k++)
        pair[k] = k;
    return best_pairs(t, g, diagonal ? g : 0, pair, rows, cols);
}

/* The mutual information between the clusters of rows and columns, given as labels. */
static inline long double information_of(const table *t, const int32_t *rows, const int32_t *cols)
{
    static long double p[MOST_LINES][MOST_LINES], r[MOST_LINES], c[MOST_LINES];
    long double N = sum_of(t, -1, -1), value = 0;
    memset(p, 0, sizeof p);
    memset(r, 0, sizeof r);
    memset(c, 0, sizeof c);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++) {
            p[rows[i]][cols[j]] += cell(t, i, j) / N;
            r[rows[i]] += cell(t, i, j) / N;
            c[cols[j]] += cell(t, i, j) / N;
        }
    for (int k = 0; k < MOST_LINES; k++)
        for (int l = 0; l < MOST_LINES; l++)
            if (p[k][l] > 0)
                value += p[k][l] * logl(p[k][l] / (r[k] * c[l]));
    return value;
}

/* Of the clusters, as a share of that with every line a cluster of its own. */
static inline double brute_explained(const table *t, const int32_t *rows, const int32_t *cols)
{
    int32_t own[MOST_LINES];
    for (int i = 0; i < MOST_LINES; i++)
        own[i] = i;
    return (double)(information_of(t, rows, cols) / information_of(t, own, own));
}

#endif
