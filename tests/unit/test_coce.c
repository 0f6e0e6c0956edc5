/* coce against a brute force that makes the dense table of edges, and its eigenvectors by Jacobi.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute_eigen.h"
#include "brute_ensemble.h"

#include "methods/spectrum.h"
#include "methods/spectral.h"

/* ---- the dense table of edges ---------------------------------------------------------------- */

/* What a co-cluster holds, over the root of what its rows hold and what its columns hold. */
static double brute_relevance(const table *t, const int32_t *rows, const int32_t *cols, int k)
{
    double held = 0, of_rows = 0, of_cols = 0;
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++) {
            of_rows += rows[i] == k ? cell(t, i, j) : 0;
            of_cols += cols[j] == k ? cell(t, i, j) : 0;
            held += rows[i] == k && cols[j] == k ? cell(t, i, j) : 0;
        }
    return held > 0 ? held / sqrt(of_rows * of_cols) : 0;
}

static void brute_edges(const table *t, const collection *c, double *edges)
{
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++) {
            edges[i * t->d + j] = 0;
            for (int m = 0; m < c->count; m++)
                if (c->rows[m][i] >= 0 && c->rows[m][i] == c->cols[m][j])
                    edges[i * t->d + j] +=
                        brute_relevance(t, c->rows[m], c->cols[m], c->rows[m][i]) / c->count;
        }
}

/* D_r^-1/2 (M - r c' / N) D_c^-1/2; `r` and `c` receive the sums. */
static dense normalised(const double *edges, int n, int d, double *r, double *c)
{
    dense m = {n, d, zeros((int64_t)n * d)};
    double total = 0;
    memset(r, 0, (size_t)n * sizeof *r);
    memset(c, 0, (size_t)d * sizeof *c);
    for (int at = 0; at < n * d; at++) {
        r[at / d] += edges[at];
        c[at % d] += edges[at];
        total += edges[at];
    }
    for (int at = 0; at < n * d; at++) {
        double both = r[at / d] * c[at % d];
        m.x[at] = both > 0 ? (edges[at] - both / total) / sqrt(both) : 0;
    }
    return m;
}

/* ---- factors and vectors --------------------------------------------------------------------- */

static cob_stack factors_of(const table *t, const collection *c)
{
    cobloc_matrix *x = matrix_of(t);
    cob_member *members = cob_alloc_zero((size_t)c->count, sizeof *members);
    cob_stack f = {0};
    cobloc_error err;
    for (int m = 0; m < c->count; m++)
        assert_ok(cob_member_make(x, &c->list[m], 1, &members[m], &err), err);
    assert_ok(cob_stack_make(members, c->count, t->n, t->d, COB_STACK_BY_RELEVANCE, &f, &err), err);
    cob_members_free(members, c->count);
    cobloc_matrix_free(x);
    return f;
}

static void test_edges(void **state)
{
    dice dc = dice_of(61);
    static collection c;
    static double edges[MOST_LINES * MOST_LINES];
    (void)state;
    for (int round = 0; round < rounds_of(20); round++) {
        int n = 4 + roll_below(&dc, 16), d = 4 + roll_below(&dc, 16);
        table t = full_table(&dc, n, d);
        make_collection(&dc, &c, 1 + roll_below(&dc, 6), n, d);
        brute_edges(&t, &c, edges);
        cob_stack f = factors_of(&t, &c);
        double *rows = dense_of(f.rows), *cols = dense_of(f.cols);
        for (int at = 0; at < n * d; at++) {
            double sum = 0;
            for (int k = 0; k < f.clusters; k++)
                sum += rows[at / d * f.clusters + k] * f.scale[k] * cols[at % d * f.clusters + k];
            assert_near(sum, edges[at], 1e-12, "edge");
        }
        free(rows);
        free(cols);
        cob_stack_free(&f);
    }
}

/* Singular vectors of a product that is never formed: M v = sigma u of the dense table, and the
 * values of Jacobi. */
static void test_vectors(void **state)
{
    enum { COUNT = 3 };
    dice dc = dice_of(62);
    static collection c;
    static double edges[MOST_LINES * MOST_LINES];
    static const cob_watch nobody = {.deadline = INFINITY};
    (void)state;
    for (int round = 0; round < rounds_of(12); round++) {
        int n = 8 + roll_below(&dc, 20), d = 8 + roll_below(&dc, 20);
        table t = full_table(&dc, n, d);
        double r[MOST_LINES], cs[MOST_LINES], values[MOST_LINES];
        cob_product p = {0};
        cob_spectrum s = {0};
        cobloc_error err;
        make_collection(&dc, &c, 6, n, d);
        brute_edges(&t, &c, edges);
        dense m = normalised(edges, n, d, r, cs);
        double *vectors = zeros((int64_t)n * n);
        brute_eigen(&m, values, vectors);
        cob_stack f = factors_of(&t, &c);
        assert_ok(cob_product_make(f.rows, f.scale, f.cols, 1, &p, &err), err);
        for (int i = 0; i < n; i++)
            assert_near(p.row_sums[i], r[i], 1e-12, "row sum");
        for (int j = 0; j < d; j++)
            assert_near(p.col_sums[j], cs[j], 1e-12, "column sum");
        assert_ok(
            cob_spectrum_find_product(&p, COUNT, cob_stream_at(1, 0, 0, 9), 1, &nobody, &s, &err),
            err);
        for (int at = 0; at < COUNT; at++) {
            assert_near(s.values[at], sqrt(fmax(values[at], 0)), 2e-6, "singular value");
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int j = 0; j < d; j++)
                    sum += m.x[i * d + j] * s.right[j * COUNT + at];
                assert_near(sum, s.values[at] * s.left[i * COUNT + at], 1e-7, "M v = sigma u");
            }
        }
        cob_product_free(&p);
        cob_spectrum_free(&s);
        cob_stack_free(&f);
        free(vectors);
        free(m.x);
    }
}

/* ---- the consensus --------------------------------------------------------------------------- */

/* The sums of the edges over the clusters: k by k. */
static void brute_blocks(const double *edges, int n, int d, int k, const cobloc_result *r,
                         double *blocks)
{
    memset(blocks, 0, (size_t)(k * k) * sizeof *blocks);
    for (int at = 0; at < n * d; at++)
        blocks[r->row_labels[at / d] * k + r->col_labels[at % d]] += edges[at];
}

static void brute_values(const double *blocks, int k, double *cut, double *modularity)
{
    double total = 0;
    *cut = *modularity = 0;
    for (int at = 0; at < k * k; at++)
        total += blocks[at];
    for (int a = 0; a < k; a++) {
        double rows = 0, cols = 0, own = blocks[a * k + a];
        for (int b = 0; b < k; b++) {
            rows += blocks[a * k + b];
            cols += blocks[b * k + a];
        }
        *cut += rows + cols > 0 ? 1 - 2 * own / (rows + cols) : 1;
        *modularity += (own - rows * cols / total) / total;
    }
}

/* Two clusters of columns the other way round would not be better. */
static void check_pairs(const double *blocks, int k, double modularity)
{
    for (int a = 0; a < k; a++)
        for (int b = 0; b < a; b++) {
            double turned[MOST_CLUSTERS * MOST_CLUSTERS], cut, value;
            memcpy(turned, blocks, (size_t)(k * k) * sizeof *turned);
            for (int at = 0; at < k; at++) {
                turned[at * k + a] = blocks[at * k + b];
                turned[at * k + b] = blocks[at * k + a];
            }
            brute_values(turned, k, &cut, &value);
            assert_true(value <= modularity + 1e-9);
        }
}

/* Every row is nearest to the mean of its own cluster, by the points of Jacobi's vectors: these are
 * ours, but for a rotation. */
static void check_nearest(const double *points, int count, int dims, int k, const int32_t *labels)
{
    double means[MOST_CLUSTERS * 4] = {0}, sizes[MOST_CLUSTERS] = {0};
    for (int i = 0; i < count; i++) {
        sizes[labels[i]]++;
        for (int t = 0; t < dims; t++)
            means[labels[i] * dims + t] += points[i * dims + t];
    }
    for (int i = 0; i < count; i++) {
        double apart[MOST_CLUSTERS] = {0};
        for (int c = 0; c < k; c++)
            for (int t = 0; t < dims; t++)
                apart[c] += pow(points[i * dims + t] - means[c * dims + t] / sizes[c], 2);
        for (int c = 0; c < k; c++)
            assert_true(apart[labels[i]] <= apart[c] * (1 + 1e-6) + 1e-9);
    }
}

/* Whether there was a gap behind the vectors, without which they are not the only ones. */
static bool check_rows(const double *edges, int n, int d, int k, const int32_t *labels)
{
    double r[MOST_LINES], cs[MOST_LINES], values[MOST_LINES], points[MOST_LINES * 4];
    dense m = normalised(edges, n, d, r, cs);
    double *vectors = zeros((int64_t)n * n);
    int dims = cob_spectral_dims(k);
    brute_eigen(&m, values, vectors);
    bool gap = values[dims - 1] - values[dims] > 0.02;
    for (int i = 0; i < n; i++)
        for (int t = 0; t < dims; t++)
            points[i * dims + t] = r[i] > 0 ? vectors[i * n + t] / sqrt(r[i]) : 0;
    if (gap)
        check_nearest(points, n, dims, k, labels);
    free(vectors);
    free(m.x);
    return gap;
}

static void test_consensus(void **state)
{
    dice dc = dice_of(63);
    static collection c;
    static double edges[MOST_LINES * MOST_LINES];
    int followed = 0;
    (void)state;
    for (int round = 0; round < 30; round++) {
        int n = 12 + roll_below(&dc, 20), d = 12 + roll_below(&dc, 20), k = 2 + round % 3;
        table t = full_table(&dc, n, d);
        cobloc_matrix *x = matrix_of(&t);
        cobloc_fit_options o;
        cobloc_result *r = NULL;
        cobloc_error err;
        double blocks[MOST_CLUSTERS * MOST_CLUSTERS], cut, modularity;
        make_collection(&dc, &c, 6, n, d);
        brute_edges(&t, &c, edges);
        cob_fit_options_default(&o);
        o.model = "coce";
        o.k = k;
        o.weight = COBLOC_WEIGHT_NONE;
        o.tolerance = 0;
        o.threads = 1;
        o.base = c.list;
        o.base_count = c.count;
        assert_ok(cobloc_fit(x, &o, &r, &err), err);
        brute_blocks(edges, n, d, k, r, blocks);
        brute_values(blocks, k, &cut, &modularity);
        assert_near(r->criterion, cut, 1e-10, "normalised cut");
        assert_near(r->modularity, modularity, 1e-10, "modularity");
        check_pairs(blocks, k, modularity);
        if (r->repaired == 0)
            followed += check_rows(edges, n, d, k, r->row_labels);
        cobloc_result_free(r);
        cobloc_matrix_free(x);
    }
    assert_true(followed > 8);
}

/* Nobody is together with anybody: there is no edge, and still an answer. */
static void test_no_edges(void **state)
{
    static const int32_t rows[] = {0, 0, 0, 0}, cols[] = {1, 1, 1, 1};
    static const cobloc_copartition apart = {.row_labels = rows, .col_labels = cols, .paired = 1};
    static const char *const methods[] = {"ebco", "coce"};
    dice dc = dice_of(64);
    table t = full_table(&dc, 4, 4);
    cobloc_matrix *x = matrix_of(&t);
    (void)state;
    for (int m = 0; m < 2; m++) {
        cobloc_fit_options o;
        cobloc_result *r = NULL;
        cobloc_error err;
        cob_fit_options_default(&o);
        o.model = methods[m];
        o.k = 2;
        o.base = &apart;
        o.base_count = 1;
        assert_ok(cobloc_fit(x, &o, &r, &err), err);
        assert_true(r->modularity == 0 && isfinite(r->criterion));
        assert_true(r->row_sizes[1] > 0 && r->col_sizes[1] > 0);
        cobloc_result_free(r);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_consensus),
        cmocka_unit_test(test_no_edges),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
