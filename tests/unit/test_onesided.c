/* kmeans, skmeans and bmm, each against a plain version on dense tables, straight from its
 * definition and in long double; and bounds that change nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "engine/means.h"

/* ---- dense judges ---------------------------------------------------------------------------- */

typedef struct judge {
    const table *t;
    int k;
    int32_t labels[MOST_LINES];
    long double centres[MOST_CLUSTERS][MOST_LINES]; /* of bmm: its probabilities */
    long double pi[MOST_CLUSTERS];
    long double value;
    int iterations;
} judge;

typedef void (*estimate_fn)(judge *);
/* How well row i goes into cluster k: the larger the better. */
typedef long double (*fit_fn)(const judge *, int i, int k);

static long double size_of(const judge *q, int k)
{
    long double size = 0;
    for (int i = 0; i < q->t->n; i++)
        size += q->labels[i] == k;
    return size;
}

static long double sum_of(const judge *q, int k, int j)
{
    long double sum = 0;
    for (int i = 0; i < q->t->n; i++)
        sum += q->labels[i] == k ? (long double)cell(q->t, i, j) : 0;
    return sum;
}

static void estimate_means(judge *q)
{
    for (int k = 0; k < q->k; k++)
        for (int j = 0; j < q->t->d; j++)
            q->centres[k][j] = sum_of(q, k, j) / size_of(q, k);
}

static void estimate_directions(judge *q)
{
    for (int k = 0; k < q->k; k++) {
        long double length = 0;
        for (int j = 0; j < q->t->d; j++) {
            q->centres[k][j] = sum_of(q, k, j);
            length += q->centres[k][j] * q->centres[k][j];
        }
        for (int j = 0; j < q->t->d; j++)
            q->centres[k][j] /= sqrtl(length);
    }
}

static void estimate_bernoulli(judge *q)
{
    for (int k = 0; k < q->k; k++) {
        q->pi[k] = size_of(q, k) / q->t->n;
        for (int j = 0; j < q->t->d; j++)
            q->centres[k][j] = (sum_of(q, k, j) + 1) / (size_of(q, k) + 2);
    }
}

static long double fit_by_distance(const judge *q, int i, int k)
{
    long double sum = 0;
    for (int j = 0; j < q->t->d; j++)
        sum -= powl(cell(q->t, i, j) - q->centres[k][j], 2);
    return sum;
}

static long double fit_by_cosine(const judge *q, int i, int k)
{
    long double sum = 0;
    for (int j = 0; j < q->t->d; j++)
        sum += cell(q->t, i, j) * q->centres[k][j];
    return sum;
}

static long double fit_by_probability(const judge *q, int i, int k)
{
    long double sum = logl(q->pi[k]);
    for (int j = 0; j < q->t->d; j++)
        sum += logl(cell(q->t, i, j) > 0 ? q->centres[k][j] : 1 - q->centres[k][j]);
    return sum;
}

/* The sum over rows, and for bmm the logarithm of its prior. */
static long double value_of(const judge *q, fit_fn fit)
{
    long double sum = 0;
    for (int i = 0; i < q->t->n; i++)
        sum += fit(q, i, q->labels[i]);
    for (int k = 0; fit == fit_by_probability && k < q->k; k++)
        for (int j = 0; j < q->t->d; j++)
            sum += logl(q->centres[k][j]) + logl(1 - q->centres[k][j]);
    return fit == fit_by_distance ? -sum : sum;
}

/* Runs until no label changes; false where a cluster loses all its rows: then the judge has none.
 */
static bool judge_runs(judge *q, estimate_fn estimate, fit_fn fit)
{
    for (int moved = 1; moved > 0; q->iterations++) {
        estimate(q);
        moved = 0;
        for (int i = 0; i < q->t->n; i++) {
            int best = q->labels[i];
            for (int k = 0; k < q->k; k++)
                if (fit(q, i, k) > fit(q, i, best))
                    best = k;
            moved += best != q->labels[i];
            q->labels[i] = best;
        }
        for (int k = 0; k < q->k; k++)
            if (size_of(q, k) == 0)
                return false;
    }
    q->value = value_of(q, fit);
    return true;
}

static table scaled_table(const table *given, bool binary, bool unit)
{
    table t = *given;
    for (int i = 0; i < t.n; i++) {
        double length = 0;
        for (int j = 0; j < t.d; j++)
            length += cell(&t, i, j) * cell(&t, i, j);
        for (int j = 0; j < t.d; j++)
            t.x[i * t.d + j] = binary ? cell(&t, i, j) > 0
                               : unit ? cell(&t, i, j) / sqrt(length)
                                      : cell(&t, i, j);
    }
    return t;
}

/* The same partition, whatever the numbers. */
static void assert_same_parts(const char *name, const int32_t *a, const int32_t *b, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if ((a[i] == a[j]) != (b[i] == b[j]))
                fail_msg("%s: rows %d and %d are together in one only", name, j, i);
}

static cobloc_fit_options options_for(const char *model, int k, const int32_t *start)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.threads = 1;
    o.restarts = start ? 1 : 6;
    o.start = start ? COBLOC_START_LABELS : COBLOC_START_AUTO;
    o.start_rows = start;
    o.tolerance = 0;
    return o;
}

static void check_monotone(const cobloc_result *r, bool minimised)
{
    for (int i = 1; i < r->trace_count; i++) {
        double gain = (r->trace[i] - r->trace[i - 1]) * (minimised ? -1 : 1);
        if (gain < -1e-9 * fabs(r->trace[i]))
            fail_msg("%s: from %.17g to %.17g", r->model, r->trace[i - 1], r->trace[i]);
    }
    assert_true(r->trace[r->trace_count - 1] == r->criterion);
}

/* From the same labels, the same partition, criterion and number of iterations. */
static void check_against_judge(const char *name, estimate_fn estimate, fit_fn fit)
{
    dice dc = dice_of(81);
    int judged = 0;
    for (int round = 0; round < rounds_of(60); round++) {
        int k = 1 + round % 6;
        table given = distinct_table(&dc, 20 + round % 30, 10 + round % 20, 0.3, true);
        table t = scaled_table(&given, fit == fit_by_probability, fit == fit_by_cosine);
        int32_t start[MOST_LINES];
        random_partition(&dc, t.n, k, start);
        judge q = {.t = &t, .k = k};
        memcpy(q.labels, start, sizeof start);
        if (!judge_runs(&q, estimate, fit))
            continue;
        cobloc_fit_options o = options_for(name, k, start);
        o.weight = COBLOC_WEIGHT_NONE; /* skmeans: rows of unit length */
        cobloc_result *r = fit_table(&given, &o);
        assert_same_parts(name, r->row_labels, q.labels, t.n);
        assert_near(r->criterion, (double)q.value, 1e-9 * (1 + fabs((double)q.value)), name);
        assert_int_equal(r->iterations, q.iterations);
        assert_int_equal(r->stop, COBLOC_STOP_CONVERGED);
        check_monotone(r, fit == fit_by_distance);
        cobloc_result_free(r);
        judged++;
    }
    assert_true(judged > rounds_of(60) / 2);
}

static void test_kmeans(void **state)
{
    (void)state;
    check_against_judge("kmeans", estimate_means, fit_by_distance);
}

static void test_skmeans(void **state)
{
    (void)state;
    check_against_judge("skmeans", estimate_directions, fit_by_cosine);
}

static void test_bmm(void **state)
{
    (void)state;
    check_against_judge("bmm", estimate_bernoulli, fit_by_probability);
}

/* ---- EM -------------------------------------------------------------------------------------- */

/* The value of soft memberships with the parameters that are best for them: expected
 * log-likelihood, prior and entropy. */
static long double value_of_soft(const table *t, int k, const double *soft)
{
    long double value = 0;
    for (int c = 0; c < k; c++) {
        long double size = 0;
        for (int i = 0; i < t->n; i++) {
            double share = soft[i * k + c];
            size += share;
            value -= share > 0 ? share * logl(share) : 0;
        }
        value += size > 0 ? size * logl(size / t->n) : 0;
        for (int j = 0; j < t->d; j++) {
            long double with = 0;
            for (int i = 0; i < t->n; i++)
                with += cell(t, i, j) > 0 ? (long double)soft[i * k + c] : 0;
            long double alpha = (with + 1) / (size + 2);
            value += (with + 1) * logl(alpha) + (size - with + 1) * logl(1 - alpha);
        }
    }
    return value;
}

static void test_bmm_soft(void **state)
{
    dice dc = dice_of(82);
    (void)state;
    for (int round = 0; round < rounds_of(30); round++) {
        int k = 1 + round % 5;
        table t = distinct_table(&dc, 30, 16, 0.3, false);
        cobloc_fit_options o = options_for("bmm", k, NULL);
        o.inference = COBLOC_SOFT;
        o.tolerance = 1e-12;
        o.max_iterations = 500;
        cobloc_result *r = fit_table(&t, &o);
        check_monotone(r, false);
        assert_near(r->criterion, (double)value_of_soft(&t, k, r->row_probabilities), 1e-7,
                    "value of EM");
        for (int i = 0; i < t.n; i++) {
            double sum = 0;
            for (int c = 0; c < k; c++)
                sum += r->row_probabilities[i * k + c];
            assert_near(sum, 1, 1e-12, "memberships");
        }
        cobloc_result_free(r);
    }
}

/* ---- bounds ---------------------------------------------------------------------------------- */

typedef struct lloyd {
    cob_means m;
    int32_t labels[4096];
} lloyd;

static void prepare(lloyd *l, const cobloc_view *rows, const cobloc_view *cols, int k,
                    bool spherical, bool unbounded, int threads, uint32_t seed)
{
    cobloc_error err;
    assert_ok(cob_means_alloc(&l->m, rows, cols, k, spherical, threads, l->labels, &err), err);
    l->m.unbounded = unbounded;
    cob_weighed lines = {.view = *rows, .turned = *cols};
    assert_ok(cob_seed_lines(&lines, k, spherical, 1 + (int)(seed % 3),
                             cob_stream_at(1, seed, 0, 0), l->labels, NULL, &err),
              err);
    cob_means_centre(&l->m);
}

/* One step of both; false when nothing changes any more. */
static bool step_both(lloyd *a, lloyd *b)
{
    cobloc_error err;
    cob_round found[2] = {{0}, {0}};
    lloyd *both[] = {a, b};
    for (int i = 0; i < 2; i++)
        assert_ok(cob_means_round(&both[i]->m, &found[i], &err), err);
    assert_true(found[0].changed == found[1].changed && found[0].repaired == found[1].repaired);
    assert_memory_equal(&a->m.value, &b->m.value, sizeof a->m.value);
    assert_memory_equal(a->labels, b->labels, (size_t)a->m.view->major * sizeof *a->labels);
    return found[0].changed > 0;
}

/* Step by step the same as without bounds, to the bit, with less work. */
static void test_bounds(void **state)
{
    static lloyd with, without;
    static const cobloc_value_kind kinds[] = {COBLOC_ONES, COBLOC_U8, COBLOC_F64, COBLOC_F32,
                                              COBLOC_U32};
    int64_t fewer = 0, all = 0;
    (void)state;
    for (uint32_t round = 0; round < (uint32_t)rounds_of(60); round++) {
        int k = 1 + (int)round % 20, steps = 0;
        cobloc_matrix *x = random_matrix(round, 100 + 40 * (int)round, 30 + (int)round % 90, 0.1,
                                         kinds[round % 5], NAMES_NONE);
        cobloc_view rows = cobloc_matrix_by_rows(x), cols = cobloc_matrix_by_cols(x);
        prepare(&with, &rows, &cols, k, round % 2, false, 1 + (int)round % 3, round);
        prepare(&without, &rows, &cols, k, round % 2, true, 1, round);
        while (step_both(&with, &without) && steps < 60)
            steps++;
        fewer += with.m.products;
        all += without.m.products;
        assert_int_equal(without.m.products, (steps + 1) * rows.major * k);
        cob_means_free(&with.m);
        cob_means_free(&without.m);
        cobloc_matrix_free(x);
    }
    assert_true(fewer < all * 3 / 4);
}

/* ---- lines and columns ----------------------------------------------------------------------- */

static void test_products(void **state)
{
    enum { COLUMNS = 7 };
    (void)state;
    for (int kind = COBLOC_ONES; kind <= COBLOC_F64; kind++) {
        cobloc_matrix *x =
            random_matrix((uint64_t)kind, 40, 30, 0.3, (cobloc_value_kind)kind, NAMES_NONE);
        cobloc_view rows = cobloc_matrix_by_rows(x);
        double *plain = dense_of(x), dense[30 * COLUMNS], found[COLUMNS];
        dice dc = dice_of(83);
        for (int c = 0; c < 30 * COLUMNS; c++)
            dense[c] = roll(&dc);
        for (int i = 0; i < 40; i++) {
            cob_line_times(&rows, i, dense, COLUMNS, found);
            for (int c = 0; c < COLUMNS; c++) {
                double expected = 0;
                for (int j = 0; j < 30; j++)
                    expected += plain[i * 30 + j] * dense[j * COLUMNS + c];
                assert_near(found[c], expected, 1e-12 * expected, "product");
            }
            for (int count = 1; count <= COLUMNS; count++) {
                static const int which[COLUMNS] = {5, 1, 6, 0, 2, 4, 3};
                double some[COLUMNS];
                cob_line_times_some(&rows, i, dense, COLUMNS, which, count, some);
                for (int c = 0; c < count; c++)
                    assert_memory_equal(&some[c], &found[which[c]], sizeof *some);
            }
        }
        free(plain);
        cobloc_matrix_free(x);
    }
}

/* Rows in three directions, far from each other: any start finds them. Every direction at two
 * lengths: k-means goes by these, spherical k-means does not. Row 6 is empty. */
static void test_lengths(void **state)
{
    static const table t = {
        .n = 7, .d = 3, .x = {1, 0, 0, 10, 0, 0, 0, 1, 0, 0, 10, 0, 0, 0, 1, 0, 0, 10, 0, 0, 0}};
    static const int32_t by_angle[] = {0, 0, 1, 1, 2, 2, -1}, by_distance[] = {0, 1, 0, 2, 0, 3, 0};
    cobloc_fit_options o = options_for("skmeans", 3, NULL);
    (void)state;
    cobloc_result *r = fit_table(&t, &o);
    assert_memory_equal(r->row_labels, by_angle, sizeof by_angle);
    assert_near(r->criterion, 6, 1e-12, "cosines");
    cobloc_result_free(r);
    o = options_for("kmeans", 4, NULL);
    r = fit_table(&t, &o);
    assert_memory_equal(r->row_labels, by_distance, sizeof by_distance);
    assert_near(r->criterion, 3 - 3.0 / 4, 1e-12, "squared error"); /* three ones, less 4 (1/4)^2 */
    cobloc_result_free(r);
}

/* As many clusters as rows: nothing is left of the error. */
static void test_every_row(void **state)
{
    dice dc = dice_of(84);
    (void)state;
    for (int round = 0; round < 10; round++) {
        table t = distinct_table(&dc, 12, 12, 0.4, true);
        cobloc_fit_options o = options_for("kmeans", 12, NULL);
        cobloc_result *r = fit_table(&t, &o);
        for (int k = 0; k < 12; k++)
            assert_int_equal(r->row_sizes[k], 1);
        assert_near(r->criterion, 0, 1e-9, "squared error");
        cobloc_result_free(r);
    }
}

static int stop_soon(void *user, const char *what, double done)
{
    (void)what;
    (void)done;
    return ++*(int *)user > 2;
}

static void test_stopped(void **state)
{
    static const char *const names[] = {"kmeans", "skmeans", "bmm"};
    dice dc = dice_of(85);
    table t = distinct_table(&dc, 60, 40, 0.3, true);
    (void)state;
    for (int i = 0; i < 3; i++) {
        int calls = 0;
        cobloc_fit_options o = options_for(names[i], 6, NULL);
        o.progress = (cobloc_progress){stop_soon, &calls};
        cobloc_result *r = fit_table(&t, &o);
        assert_int_equal(r->stop, COBLOC_STOP_CANCELLED);
        cobloc_result_free(r);
        o = options_for(names[i], 6, NULL);
        o.start = COBLOC_START_RANDOM;
        o.max_iterations = 1;
        r = fit_table(&t, &o);
        assert_int_equal(r->stop, COBLOC_STOP_ITERATIONS);
        assert_int_equal(r->iterations, 1);
        cobloc_result_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kmeans),  cmocka_unit_test(test_skmeans),
        cmocka_unit_test(test_bmm),     cmocka_unit_test(test_bmm_soft),
        cmocka_unit_test(test_bounds),  cmocka_unit_test(test_products),
        cmocka_unit_test(test_lengths), cmocka_unit_test(test_every_row),
        cmocka_unit_test(test_stopped),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
