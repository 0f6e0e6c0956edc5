/* New rows in the clusters of methods: what each promises, by brute force; and that the number of
 * threads changes nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "predicting.h"

#include <omp.h>

static void most_come_back(void **state)
{
    cobloc_matrix *matrix = planted(3);
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++) {
        cobloc_fit_options o = options_for(cobloc_model_name(m), COBLOC_HARD);
        if (!comes_near(o.model))
            continue;
        cobloc_saved *saved = must_save(matrix, &o);
        cobloc_prediction *p = must_predict(saved, matrix, NULL);
        int same = 0;
        for (int64_t i = 0; i < p->n; i++)
            same += p->labels[i] == saved->result->row_labels[i];
        if (same < 0.9 * ROWS)
            fail_msg("%s: only %d of %d rows come back", o.model, same, ROWS);
        cobloc_prediction_free(p);
        cobloc_saved_free(saved);
    }
    cobloc_matrix_free(matrix);
}

/* Any number of threads gives the same, to the bit. */
static void threads_change_nothing(void **state)
{
    cobloc_matrix *matrix = planted(12);
    int before = omp_get_max_threads();
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++) {
        cobloc_fit_options o = options_for(cobloc_model_name(m), COBLOC_HARD);
        cobloc_prediction *p[3];
        if (!cobloc_model_predicts(m))
            continue;
        o.restarts = 1;
        o.max_iterations = 20;
        cobloc_saved *saved = must_save(matrix, &o);
        for (int t = 0; t < 3; t++) {
            omp_set_num_threads(1 + 2 * t);
            p[t] = must_predict(saved, matrix, NULL);
        }
        for (int t = 1; t < 3; t++) {
            assert_memory_equal(p[0]->labels, p[t]->labels, ROWS * sizeof *p[0]->labels);
            if (p[0]->probabilities)
                assert_memory_equal(p[0]->probabilities, p[t]->probabilities,
                                    ROWS * K * sizeof *p[0]->probabilities);
        }
        for (int t = 0; t < 3; t++)
            cobloc_prediction_free(p[t]);
        cobloc_saved_free(saved);
    }
    omp_set_num_threads(before);
    cobloc_matrix_free(matrix);
}

/* ---- by brute force -------------------------------------------------------------------------- */

/* The squared error of a row for coefficients of the components in `set`, solved for by Gaussian
 * elimination; INFINITY where one of them is negative. */
static double solve_set(const double *row, const double *h, int set, double *w)
{
    double a[K][K + 1] = {{0}}, error = 0;
    int which[K], count = 0;
    for (int c = 0; c < K; c++) {
        w[c] = 0;
        if (set >> c & 1)
            which[count++] = c;
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < COLS; j++) {
            for (int t = 0; t < count; t++)
                a[i][t] += h[j * K + which[i]] * h[j * K + which[t]];
            a[i][count] += h[j * K + which[i]] * row[j];
        }
    for (int i = 0; i < count; i++) /* positive definite: no pivots are needed */
        for (int below = 0; below < count; below++) {
            double factor = below == i ? 0 : a[below][i] / a[i][i];
            for (int t = i; t <= count; t++)
                a[below][t] -= factor * a[i][t];
        }
    for (int i = 0; i < count; i++) {
        w[which[i]] = a[i][count] / a[i][i];
        if (w[which[i]] < 0)
            return INFINITY;
    }
    for (int j = 0; j < COLS; j++) {
        double fitted = 0;
        for (int c = 0; c < K; c++)
            fitted += w[c] * h[j * K + c];
        error += (row[j] - fitted) * (row[j] - fitted);
    }
    return error;
}

/* The best coefficients are those of the best set of components that all come out positive. */
static void squares_are_smallest(void **state)
{
    static const char *const models[] = {"nmf", "nmf-mu", "onmtf"};
    cobloc_matrix *matrix = planted(13);
    double *dense = dense_of(matrix);
    (void)state;
    for (int m = 0; m < 3; m++) {
        cobloc_fit_options o = options_for(models[m], COBLOC_HARD);
        o.weight = COBLOC_WEIGHT_NONE;
        cobloc_saved *saved = must_save(matrix, &o);
        cobloc_prediction *p = must_predict(saved, matrix, NULL);
        for (int i = 0; i < ROWS; i++) {
            double best[K] = {0}, w[K], least = INFINITY, sum = 0;
            for (int set = 1; set < 1 << K && i != 17; set++) {
                double error = solve_set(dense + i * COLS, saved->centres, set, w);
                if (error < least) {
                    least = error;
                    memcpy(best, w, sizeof w);
                }
            }
            for (int c = 0; c < K; c++)
                sum += best[c];
            for (int c = 0; c < K && i != 17; c++)
                if (fabs(best[c] / sum - p->probabilities[i * K + c]) > 1e-9)
                    fail_msg("%s, row %d: the share is %.12g, expected %.12g", o.model, i,
                             p->probabilities[i * K + c], best[c] / sum);
        }
        cobloc_prediction_free(p);
        cobloc_saved_free(saved);
    }
    free(dense);
    cobloc_matrix_free(matrix);
}

static double divergence(const double *row, const double *h, const double *w)
{
    double sum = 0;
    for (int j = 0; j < COLS; j++) {
        double fitted = 0;
        for (int c = 0; c < K; c++)
            fitted += w[c] * h[j * K + c];
        sum += fitted - (row[j] > 0 ? row[j] * log(fitted) : 0);
    }
    return sum;
}

/* No small step from the coefficients leads to a smaller divergence. */
static void divergence_is_smallest(void **state)
{
    cobloc_matrix *matrix = planted(14);
    double *dense = dense_of(matrix);
    cobloc_fit_options o = options_for("nmf-kl", COBLOC_HARD);
    cobloc_saved *saved = must_save(matrix, &o);
    cobloc_prediction *p = must_predict(saved, matrix, NULL);
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        double w[K], sum = 0;
        if (i == 17)
            continue;
        for (int j = 0; j < COLS; j++)
            sum += dense[i * COLS + j];
        for (int c = 0; c < K; c++)
            w[c] = sum * p->probabilities[i * K + c];
        double least = divergence(dense + i * COLS, saved->centres, w);
        for (int c = 0; c < K; c++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double old = w[c], step = sign * 0.01 * sum;
                w[c] = old + step > 0 ? old + step : 0;
                assert_true(divergence(dense + i * COLS, saved->centres, w) > least - 1e-9);
                w[c] = old;
            }
    }
    free(dense);
    cobloc_prediction_free(p);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* The criterion of labels, cell by cell, with one row more than the matrix has: `added`, in `to`.
 */
static double criterion_with(const double *dense, const cobloc_result *r, const double *added,
                             int to)
{
    double held[K] = {0}, rows[K] = {0}, cols[K] = {0}, z[K] = {0}, total = 0, sum = 0;
    for (int i = 0; i <= ROWS; i++) {
        int k = i < ROWS ? r->row_labels[i] : to;
        for (int j = 0; j < COLS; j++) {
            double x = i < ROWS ? dense[i * COLS + j] : added[j];
            int l = r->col_labels[j];
            if (!(x > 0))
                continue;
            held[k] += k == l ? x : 0;
            rows[k] += x;
            cols[l] += x;
            total += x;
        }
        if (k >= 0)
            z[k]++;
    }
    for (int k = 0; k < K; k++)
        if (strcmp(r->model, "ebco") == 0)
            sum += held[k] / sqrt(z[k] * (double)r->col_sizes[k]);
        else if (strcmp(r->model, "specco") == 0)
            sum += (held[k] - rows[k] * cols[k] / total) / sqrt(rows[k] * cols[k]);
        else
            sum += 2 * held[k] / (rows[k] + cols[k]);
    return sum;
}

/* A new row goes where the criterion becomes best. */
static void gains_are_largest(void **state)
{
    static const char *const models[] = {"spec", "specco", "ebco", "coce"};
    cobloc_matrix *matrix = planted(15), *others = planted(16);
    double *dense = dense_of(matrix), *added = dense_of(others);
    int rows = 0;
    (void)state;
    for (int m = 0; m < 4; m++) {
        cobloc_fit_options o = options_for(models[m], COBLOC_HARD);
        o.weight = COBLOC_WEIGHT_NONE;
        cobloc_saved *saved = must_save(matrix, &o);
        cobloc_prediction *p = must_predict(saved, others, NULL);
        for (int i = 0; i < ROWS; i++) {
            double value[K];
            if (p->labels[i] < 0)
                continue;
            added[i * COLS + 20] = 0; /* an empty column of the fit, of which it knows nothing */
            for (int k = 0; k < K; k++)
                value[k] = criterion_with(dense, saved->result, added + i * COLS, k);
            for (int k = 0; k < K; k++)
                if (value[k] > value[p->labels[i]] + 1e-12)
                    fail_msg("%s, row %d: went to %d, but %d is better", o.model, i,
                             (int)p->labels[i], k);
            rows++;
        }
        cobloc_prediction_free(p);
        cobloc_saved_free(saved);
    }
    assert_true(rows > 3 * ROWS);
    free(dense);
    free(added);
    cobloc_matrix_free(others);
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_come_back),       cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(squares_are_smallest), cmocka_unit_test(divergence_is_smallest),
        cmocka_unit_test(gains_are_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
