/* Singular vectors, dense k-means, and the two spectral methods, each against a plain version on
 * dense tables: eigenvectors by Jacobi's rotations, Lloyd's algorithm as it is defined.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute_eigen.h"

#include "base/kmeans.h"
#include "base/parallel.h"
#include "fit/fit.h"
#include "base/eigen.h"
#include "methods/spectrum.h"
#include "methods/spectral.h"

#include <math.h>

/* ---- dense judges ---------------------------------------------------------------------------- */

/* D_r^-1/2 (X - r c' / N) D_c^-1/2, written down. */
static dense modularity_matrix(const cobloc_matrix *matrix)
{
    dense m = {(int)cobloc_matrix_rows(matrix), (int)cobloc_matrix_cols(matrix), dense_of(matrix)};
    double *r = zeros(m.n), *c = zeros(m.d), total = 0;
    for (int i = 0; i < m.n; i++)
        for (int j = 0; j < m.d; j++) {
            r[i] += m.x[i * m.d + j];
            c[j] += m.x[i * m.d + j];
            total += m.x[i * m.d + j];
        }
    for (int i = 0; i < m.n; i++)
        for (int j = 0; j < m.d; j++)
            m.x[i * m.d + j] = r[i] > 0 && c[j] > 0
                                   ? (m.x[i * m.d + j] - r[i] * c[j] / total) / sqrt(r[i] * c[j])
                                   : 0;
    free(r);
    free(c);
    return m;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static double uniform(uint64_t seed, int64_t item)
{
    cob_stream stream = cob_stream_at(seed, 0, 0, 99);
    return cob_random_uniform(&stream, (uint64_t)item);
}

/* Row i is in class i % k, column j in j % k; entries are 1 to 3, many inside, few outside. */
static cobloc_matrix *planted(uint64_t seed, int n, int d, int k, double inside, double outside)
{
    int32_t *row = malloc((size_t)(n * d) * sizeof *row),
            *col = malloc((size_t)(n * d) * sizeof *col);
    double *value = zeros((int64_t)n * d);
    cobloc_matrix *x = NULL;
    cobloc_error err;
    int count = 0;
    assert_true(row && col);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            if (uniform(seed, i * d + j) < (i % k == j % k ? inside : outside)) {
                row[count] = i;
                col[count] = j;
                value[count++] = 1 + (i * 7 + j * 3) % 3;
            }
    assert_ok(cobloc_matrix_from_triples(n, d, count, row, col, value, &x, &err), err);
    free(row);
    free(col);
    free(value);
    return x;
}

static const cob_watch nobody = {.deadline = INFINITY};

static cob_spectrum spectrum_of(const cobloc_matrix *x, int count, int threads)
{
    cob_spectrum s = {0};
    cobloc_error err;
    cob_stream stream = cob_stream_at(5, 0, 0, 1);
    assert_ok(cob_spectrum_find(x, &(cob_part){0}, count, stream, threads, &nobody, &s, &err), err);
    return s;
}

/* ---- singular vectors ------------------------------------------------------------------------ */

/* M v = sigma u, M' u = sigma v, and all vectors are at right angles. */
static void check_pairs(const dense *m, const cob_spectrum *s)
{
    for (int t = 0; t < s->count; t++)
        for (int i = 0; i < m->n && s->values[t] > 0; i++) {
            double sum = 0;
            for (int j = 0; j < m->d; j++)
                sum += m->x[i * m->d + j] * s->right[j * s->count + t];
            assert_true(fabs(sum - s->values[t] * s->left[i * s->count + t]) < 1e-8);
        }
    for (int t = 0; t < s->count; t++)
        for (int j = 0; j < m->d && s->values[t] > 0; j++) {
            double sum = 0;
            for (int i = 0; i < m->n; i++)
                sum += m->x[i * m->d + j] * s->left[i * s->count + t];
            assert_true(fabs(sum - s->values[t] * s->right[j * s->count + t]) < 1e-8);
        }
    for (int t = 0; t < s->count; t++)
        for (int o = 0; o <= t; o++) {
            double left = 0, right = 0, wanted = t == o && s->values[t] > 0 ? 1 : 0;
            for (int i = 0; i < m->n; i++)
                left += s->left[i * s->count + t] * s->left[i * s->count + o];
            for (int j = 0; j < m->d; j++)
                right += s->right[j * s->count + t] * s->right[j * s->count + o];
            assert_true(fabs(left - wanted) < 1e-8 && fabs(right - wanted) < 1e-7);
        }
}

/* The same values; and where there is a gap behind the last, the same space: u in the span of the
 * judge's vectors. */
static void check_spectrum(const cobloc_matrix *x, int count)
{
    dense m = modularity_matrix(x);
    double *values = zeros(m.n), *vectors = zeros((int64_t)m.n * m.n);
    cob_spectrum s = spectrum_of(x, count, 1);
    brute_eigen(&m, values, vectors);
    check_pairs(&m, &s);
    for (int t = 0; t < count; t++) {
        double expected = t < m.n && values[t] > 0 ? sqrt(values[t]) : 0;
        if (fabs(s.values[t] - expected) > (expected > 1e-4 ? 1e-9 : 2e-6))
            fail_msg("singular value %d is %.12g, expected %.12g", t, s.values[t], expected);
    }
    bool gap = count < m.n && values[count - 1] - values[count] > 0.05;
    for (int t = 0; t < count && gap; t++) {
        double inside = 0;
        for (int o = 0; o < count; o++) {
            double along = 0;
            for (int i = 0; i < m.n; i++)
                along += vectors[i * m.n + o] * s.left[i * count + t];
            inside += along * along;
        }
        assert_true(fabs(inside - 1) < 1e-12); /* the square of the angle's cosine */
    }
    cob_spectrum_free(&s);
    free(values);
    free(vectors);
    free(m.x);
}

static void test_spectrum(void **state)
{
    static const struct {
        int n, d, k, count;
    } cases[] = {{20, 30, 3, 2},   {30, 20, 4, 6}, {150, 180, 4, 3},
                 {180, 140, 4, 5}, {5, 9, 2, 5},   {4, 3, 2, 6}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cobloc_matrix *x = planted(c + 1, cases[c].n, cases[c].d, cases[c].k, 0.6, 0.1);
        check_spectrum(x, cases[c].count);
        cobloc_matrix_free(x);
    }
}

/* Blocks of ones: 6 classes give the value 1 five times beside the trivial one, and nothing else.
 */
static void test_repeated_values(void **state)
{
    cobloc_matrix *x = planted(1, 300, 240, 6, 2, -1);
    cob_spectrum first = spectrum_of(x, 7, 1);
    (void)state;
    for (int t = 0; t < 7; t++)
        assert_true(fabs(first.values[t] - (t < 5)) < 1e-7);
    for (int again = 1; again < 4; again++) { /* the same bytes, for any threads */
        cob_spectrum s = spectrum_of(x, 7, again);
        assert_memory_equal(s.left, first.left, 300 * 7 * sizeof *s.left);
        assert_memory_equal(s.right, first.right, 240 * 7 * sizeof *s.right);
        cob_spectrum_free(&s);
    }
    cob_spectrum_free(&first);
    cobloc_matrix_free(x);
}

/* A v = lambda v, and all vectors at right angles: of random matrices, and of those with repeated
 * eigenvalues, where QL iterations come apart at once. */
static void test_dense_eigenvectors(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        int n = 1 + round % 40;
        double *a = zeros((int64_t)n * n), *v = zeros((int64_t)n * n), *values = zeros(n);
        cobloc_error err;
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                a[i * n + j] = a[j * n + i] = v[i * n + j] = v[j * n + i] =
                    round % 4 == 0   ? i == j
                    : round % 4 == 1 ? i % 3 == j % 3
                                     : uniform((uint64_t)round, i * n + j) - 0.5;
        assert_ok(cob_eigen_dense(v, n, values, &err), err);
        for (int t = 0; t < n; t++) {
            assert_true(t == 0 || values[t - 1] <= values[t]);
            for (int i = 0; i < n; i++) {
                double image = 0, product = 0;
                for (int j = 0; j < n; j++) {
                    image += a[i * n + j] * v[t * n + j];
                    product += v[i * n + j] * v[t * n + j];
                }
                assert_true(fabs(image - values[t] * v[t * n + i]) < 1e-12 * n);
                assert_true(fabs(product - (i == t)) < 1e-12 * n);
            }
        }
        free(a);
        free(v);
        free(values);
    }
}

static int stop_at_once(void *user, const char *what, double done)
{
    (void)user;
    (void)what;
    return done >= 0;
}

static void test_cancelled(void **state)
{
    cobloc_matrix *x = planted(3, 200, 200, 4, 0.5, 0.1);
    cobloc_fit_options o;
    cobloc_result *r = NULL;
    cobloc_error err;
    (void)state;
    cob_fit_options_default(&o);
    o.model = "spec";
    o.k = 4;
    o.progress = (cobloc_progress){stop_at_once, NULL};
    assert_int_equal(cobloc_fit(x, &o, &r, &err), COBLOC_CANCELLED);
    assert_null(r);
    cobloc_matrix_free(x);
}

/* ---- k-means --------------------------------------------------------------------------------- */

/* One step as it is defined: means, then the nearest of them (of equal ones its own). */
static double plain_step(const double *points, int count, int dims, int k, int32_t *labels)
{
    double *centres = zeros((int64_t)k * dims), *sizes = zeros(k), error = 0;
    for (int i = 0; i < count; i++) {
        sizes[labels[i]]++;
        for (int j = 0; j < dims; j++)
            centres[labels[i] * dims + j] += points[i * dims + j];
    }
    for (int i = 0; i < count; i++) {
        double best = INFINITY;
        int to = labels[i];
        for (int t = -1; t < k; t++) {
            int c = t < 0 ? labels[i] : t;
            double sum = 0;
            for (int j = 0; j < dims; j++)
                sum += pow(points[i * dims + j] - centres[c * dims + j] / sizes[c], 2);
            if (sizes[c] > 0 && sum < best) {
                best = sum;
                to = c;
            }
        }
        labels[i] = to;
        error += best;
    }
    free(centres);
    free(sizes);
    return error;
}

static void check_kmeans(uint64_t seed, int count, int dims, int k, int threads)
{
    double *points = zeros((int64_t)count * dims);
    int32_t *labels = malloc((size_t)count * sizeof *labels);
    cob_point_means m;
    cobloc_error err;
    cob_round found = {.changed = 1};
    for (int i = 0; i < count * dims; i++)
        points[i] = uniform(seed, i) + i / dims % 3;
    assert_ok(cob_point_means_alloc(&m, points, count, dims, k, threads, &err), err);
    assert_ok(cob_point_means_seed(&m, cob_stream_at(seed, 0, 0, 3), &err), err);
    memcpy(labels, m.labels, (size_t)count * sizeof *labels);
    for (int step = 0; step < 50 && found.changed > 0; step++) {
        double before = m.error, expected = plain_step(points, count, dims, k, labels);
        assert_ok(cob_point_means_round(&m, &found, &err), err);
        if (found.repaired > 0)
            break; /* the judge repairs nothing */
        assert_memory_equal(m.labels, labels, (size_t)count * sizeof *labels);
        assert_true(fabs(m.error - expected) <= 1e-9 * expected + 1e-12);
        assert_true(m.error <= before * (1 + 1e-12) + 1e-12);
    }
    assert_true(found.changed == 0 || found.repaired > 0);
    cob_point_means_free(&m);
    free(labels);
    free(points);
}

static void test_kmeans(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 40; seed++) {
        check_kmeans(seed, 200, 1 + (int)seed % 5, 2 + (int)seed % 7, 1 + (int)seed % 3);
        check_kmeans(seed, 12, 2, 2 + (int)seed % 10, 1);
    }
    check_kmeans(7, 5, 2, 5, 1);
    check_kmeans(8, 5, 2, 1, 1);
}

static cobloc_status settle(cob_point_means *m, double tolerance, cobloc_error *err)
{
    cob_rounds rounds = {.data = m,
                         .round = cob_point_means_round,
                         .value = m->error,
                         .most = 100,
                         .tolerance = tolerance};
    return cob_kmeans_settle(&rounds, err);
}

/* Fewer different points than clusters: all clusters have members all the same. */
static void test_kmeans_same_points(void **state)
{
    static const double points[] = {1, 1, 1, 1, 2, 2, 2};
    int32_t sizes[5] = {0};
    cob_point_means m;
    cobloc_error err;
    (void)state;
    assert_ok(cob_point_means_alloc(&m, points, 7, 1, 5, 1, &err), err);
    assert_ok(cob_point_means_seed(&m, cob_stream_at(1, 0, 0, 3), &err), err);
    assert_ok(settle(&m, 1e-9, &err), err);
    for (int i = 0; i < 7; i++)
        sizes[m.labels[i]]++;
    for (int k = 0; k < 5; k++)
        assert_true(sizes[k] > 0);
    assert_true(m.error == 0);
    cob_point_means_free(&m);
}

/* Two far groups: k-means++ finds them from every start. */
static void test_kmeans_apart(void **state)
{
    double points[60];
    (void)state;
    for (int i = 0; i < 60; i++)
        points[i] = uniform(4, i) + (i % 2 ? 1000 : 0);
    for (uint32_t start = 0; start < 50; start++) {
        cob_point_means m;
        cobloc_error err;
        assert_ok(cob_point_means_alloc(&m, points, 60, 1, 2, 1, &err), err);
        assert_ok(cob_point_means_seed(&m, cob_stream_at(1, start, 0, 3), &err), err);
        assert_ok(settle(&m, 0, &err), err);
        for (int i = 0; i < 60; i++)
            assert_int_equal(m.labels[i], m.labels[i % 2]);
        assert_true(m.labels[0] != m.labels[1]);
        cob_point_means_free(&m);
    }
}

/* ---- the methods ----------------------------------------------------------------------------- */

static cobloc_result *fit(const cobloc_matrix *x, const char *model, int k, int threads)
{
    cobloc_fit_options o;
    cobloc_result *r = NULL;
    cobloc_error err;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.threads = threads;
    assert_ok(cobloc_fit(x, &o, &r, &err), err);
    return r;
}

/* The criteria from their definitions, over the cells. */
static void check_criterion(const cobloc_matrix *matrix, const cobloc_result *r)
{
    double *x = dense_of(matrix), total = 0, value = 0;
    for (int64_t c = 0; c < r->n * r->d; c++)
        total += x[c];
    for (int k = 0; k < r->k; k++) {
        double inside = 0, rows = 0, cols = 0;
        for (int64_t i = 0; i < r->n; i++)
            for (int64_t j = 0; j < r->d; j++) {
                double cell = x[i * r->d + j];
                rows += r->row_labels[i] == k ? cell : 0;
                cols += r->col_labels[j] == k ? cell : 0;
                inside += r->row_labels[i] == k && r->col_labels[j] == k ? cell : 0;
            }
        if (strcmp(r->model, "spec") == 0) /* edges that leave over all edge ends inside */
            value += (rows + cols - 2 * inside) / (rows + cols);
        else
            value += (inside - rows * cols / total) / sqrt(rows * cols);
    }
    assert_true(fabs(r->criterion - value) < 1e-10);
    free(x);
}

/* Both sides' classes are found, up to the clusters' numbers, and rows go with their columns. */
static void check_classes(const cobloc_result *r, int k)
{
    for (int64_t i = 0; i < r->n; i++)
        assert_int_equal(r->row_labels[i], r->row_labels[i % k]);
    for (int64_t j = 0; j < r->d; j++)
        assert_int_equal(r->col_labels[j], r->row_labels[j % k]);
}

static void test_methods(void **state)
{
    static const char *const models[] = {"spec", "specco"};
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int k = 2; k <= 6; k++) {
            cobloc_matrix *x = planted((uint64_t)k, 220, 150 + 10 * k, k, 0.5, 0.05);
            cobloc_result *r = fit(x, models[m], k, 1), *again = fit(x, models[m], k, 3);
            if (m == 1 || k <= 3) /* spec takes ceil(log2 k) directions: fewer than there are */
                check_classes(r, k);
            check_criterion(x, r);
            assert_memory_equal(r->row_labels, again->row_labels, 220 * sizeof(int32_t));
            assert_memory_equal(r->restart_criteria, again->restart_criteria, 6 * sizeof(double));
            cobloc_result_free(r);
            cobloc_result_free(again);
            cobloc_matrix_free(x);
        }
}

/* No structure at all, and more clusters than the space has directions. */
static void test_little_to_find(void **state)
{
    (void)state;
    for (int k = 1; k <= 9; k += 2) {
        cobloc_matrix *x = planted(9, 40, 30, 1, 0.2, 0);
        cobloc_result *spec = fit(x, "spec", k, 1), *specco = fit(x, "specco", k, 1);
        check_criterion(x, spec);
        check_criterion(x, specco);
        for (int c = 0; c < k; c++)
            assert_true(spec->row_sizes[c] > 0 && spec->col_sizes[c] > 0 &&
                        specco->row_sizes[c] > 0 && specco->col_sizes[c] > 0);
        cobloc_result_free(spec);
        cobloc_result_free(specco);
        cobloc_matrix_free(x);
    }
}

/* ---- starts ---------------------------------------------------------------------------------- */

static void test_spectral_start(void **state)
{
    static const char *const models[] = {"coclus", "plbm", "lbm", "socc", "itcc"};
    cobloc_matrix *x = planted(11, 90, 60, 3, 0.5, 0.05);
    (void)state;
    for (int m = 0; m < 5; m++) {
        cobloc_fit_options o;
        cobloc_result *r = NULL;
        cobloc_error err;
        cob_fit_options_default(&o);
        o.model = models[m];
        o.k = 3;
        o.start = COBLOC_START_SPECTRAL;
        o.restarts = 2;
        o.threads = 1;
        assert_ok(cobloc_fit(x, &o, &r, &err), err);
        for (int64_t i = 0; i < r->n; i++)
            if (r->row_labels[i] != r->row_labels[i % 3])
                fail_msg("%s: row %d", o.model, (int)i);
        cobloc_result_free(r);
        for (long k = 0, failed = 1; failed; k += 7) { /* memory that runs out */
            cob_alloc_fail_at(k);
            cobloc_status status = cobloc_fit(x, &o, &r, &err);
            failed = allocation_failed(k, status, &err, 7);
            if (!failed)
                cobloc_result_free(r);
        }
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spectrum),
        cmocka_unit_test(test_repeated_values),
        cmocka_unit_test(test_dense_eigenvectors),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_kmeans),
        cmocka_unit_test(test_kmeans_same_points),
        cmocka_unit_test(test_kmeans_apart),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_little_to_find),
        cmocka_unit_test(test_spectral_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
