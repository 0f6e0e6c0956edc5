/* The factorisations beside dense ones in long double, written straight from their definitions: the
 * same start, the same updates, cell by cell. And what must hold whatever the start: losses that
 * never grow, optima that are known, clusters that are never empty.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

typedef long double real;

static const char *const nmfs[] = {"nmf", "nmf-mu", "nmf-kl"};

static cobloc_fit_options options_for(const char *model, int k)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.threads = 1;
    o.restarts = 1;
    o.weight = COBLOC_WEIGHT_NONE;
    return o;
}

/* ---- dense factors --------------------------------------------------------------------------- */

/* lines by k; a middle is k by l. */
typedef real factor[MOST_LINES][MOST_CLUSTERS];

typedef struct dense {
    const table *t;
    int k, l;
    factor w, h, s; /* X ~ W H', or W S H' */
} dense;

static real product(const dense *m, int i, int j, bool three)
{
    real sum = 0;
    for (int a = 0; a < m->k; a++)
        for (int b = three ? 0 : a; b < (three ? m->l : a + 1); b++)
            sum += m->w[i][a] * (three ? m->s[a][b] : 1) * m->h[j][b];
    return sum;
}

static real squared_error(const dense *m, bool three)
{
    real sum = 0;
    for (int i = 0; i < m->t->n; i++)
        for (int j = 0; j < m->t->d; j++)
            sum += powl(cell(m->t, i, j) - product(m, i, j, three), 2);
    return sum;
}

static real divergence(const dense *m)
{
    real sum = 0;
    for (int i = 0; i < m->t->n; i++)
        for (int j = 0; j < m->t->d; j++) {
            real x = cell(m->t, i, j), y = product(m, i, j, false);
            sum += (x > 0 ? x * logl(x / y) : 0) - x + y;
        }
    return sum;
}

/* The table seen from a side: rows by columns, or the other way round. */
static real seen(const dense *m, bool turned, int line, int other)
{
    return turned ? cell(m->t, other, line) : cell(m->t, line, other);
}

/* What one number of W H' becomes: the best for the squared error, or times what is wanted over
 * what is there. `old` is its line, as the rule sees it. */
static real better(const dense *m, bool turned, int line, int c, int rule, const real *old)
{
    const factor *other = turned ? &m->w : &m->h;
    real up = 0, down = 0, best;
    for (int j = 0; j < (turned ? m->t->n : m->t->d); j++) {
        real x = seen(m, turned, line, j), fitted = 0, h = (*other)[j][c];
        for (int o = 0; o < m->k; o++)
            fitted += old[o] * (*other)[j][o];
        up += h * (rule == 0 ? x - fitted : rule == 1 ? x : x / fitted);
        down += h * (rule == 0 ? h : rule == 1 ? fitted : 1);
    }
    best = rule == 0 ? old[c] + up / down : old[c] * up / down;
    return best > 0 ? best : 0;
}

/* One factor of W H' by each of the rules. Coordinate descent sees what it has just changed, and
 * goes through a line three times. */
static void update(dense *m, bool turned, int rule)
{
    factor *own = turned ? &m->h : &m->w;
    for (int i = 0; i < (turned ? m->t->d : m->t->n); i++) {
        real old[MOST_CLUSTERS], *line = (*own)[i];
        for (int sweep = 0; sweep < (rule == 0 ? 3 : 1); sweep++) {
            memcpy(old, line, sizeof old);
            for (int c = 0; c < m->k; c++)
                line[c] = better(m, turned, i, c, rule, rule == 0 ? line : old);
        }
    }
}

static void start_side(const int32_t *labels, int lines, int k, factor f)
{
    for (int i = 0; i < lines; i++)
        for (int c = 0; c < k; c++)
            f[i][c] = labels[i] == c ? 1 : 1 / 6.0L;
}

/* Columns are the means of the rows, by their numbers in W; known labels hold back the rest. */
static void start_nmf(dense *m, const int32_t *rows, const int32_t *cols)
{
    start_side(rows, m->t->n, m->k, m->w);
    for (int j = 0; j < m->t->d; j++)
        for (int k = 0; k < m->k; k++) {
            real sum = 0, weight = 0;
            for (int i = 0; i < m->t->n; i++) {
                sum += m->w[i][k] * cell(m->t, i, j);
                weight += m->w[i][k];
            }
            m->h[j][k] = sum / weight * (cols && cols[j] != k ? 1 / 6.0L : 1);
        }
}

/* ---- tri-factorisation ----------------------------------------------------------------------- */

static void unit_columns(factor f, int lines, int k)
{
    for (int c = 0; c < k; c++) {
        real squares = 0;
        for (int i = 0; i < lines; i++)
            squares += f[i][c] * f[i][c];
        for (int i = 0; i < lines; i++)
            f[i][c] /= sqrtl(squares);
    }
}

static real block(const dense *m, int a, int b)
{
    real sum = 0;
    for (int i = 0; i < m->t->n; i++)
        for (int j = 0; j < m->t->d; j++)
            sum += m->w[i][a] * cell(m->t, i, j) * m->h[j][b];
    return sum;
}

static void start_onmtf(dense *m, const int32_t *rows, const int32_t *cols)
{
    start_side(rows, m->t->n, m->k, m->w);
    start_side(cols, m->t->d, m->l, m->h);
    unit_columns(m->w, m->t->n, m->k);
    unit_columns(m->h, m->t->d, m->l);
    for (int a = 0; a < m->k; a++)
        for (int b = 0; b < m->l; b++)
            m->s[a][b] = block(m, a, b);
}

/* (X H S')_ia, or (X'W S)_jb: what pulls a number up. */
static real pull(const dense *m, bool turned, int line, int c)
{
    real sum = 0;
    for (int o = 0; o < (turned ? m->t->n : m->t->d); o++)
        for (int e = 0; e < (turned ? m->k : m->l); e++)
            sum += seen(m, turned, line, o) *
                   (turned ? m->w[o][e] * m->s[e][c] : m->h[o][e] * m->s[c][e]);
    return sum;
}

static void update_orthogonal(dense *m, bool turned)
{
    factor *own = turned ? &m->h : &m->w;
    int lines = turned ? m->t->d : m->t->n, k = turned ? m->l : m->k;
    static factor pulls, old;
    memcpy(old, *own, sizeof old);
    for (int i = 0; i < lines; i++)
        for (int c = 0; c < k; c++)
            pulls[i][c] = pull(m, turned, i, c);
    for (int i = 0; i < lines; i++)
        for (int c = 0; c < k; c++) {
            real down = 0; /* (F F' pulls)_ic */
            for (int o = 0; o < lines; o++)
                for (int e = 0; e < k; e++)
                    down += old[i][e] * old[o][e] * pulls[o][c];
            (*own)[i][c] = old[i][c] * sqrtl(pulls[i][c] / down);
        }
}

static void update_middle(dense *m)
{
    static factor next;
    for (int a = 0; a < m->k; a++)
        for (int b = 0; b < m->l; b++) {
            real down = 0; /* (W'W S H'H)_ab */
            for (int i = 0; i < m->t->n; i++)
                for (int j = 0; j < m->t->d; j++)
                    down += m->w[i][a] * product(m, i, j, true) * m->h[j][b];
            next[a][b] = m->s[a][b] * sqrtl(block(m, a, b) / down);
        }
    memcpy(m->s, next, sizeof next);
}

/* ---- beside them ----------------------------------------------------------------------------- */

enum { STEPS = 6 };

/* Where a line has its largest share, and that share. `scales` as in the methods. */
static int largest(const factor f, int line, int k, const real *scales, real *share)
{
    real sum = 0;
    int best = 0;
    for (int c = 0; c < k; c++) {
        sum += f[line][c] * scales[c];
        best = f[line][c] * scales[c] > f[line][best] * scales[best] ? c : best;
    }
    *share = f[line][best] * scales[best] / sum;
    return best;
}

/* Labels agree up to their numbers, and the shares of the labels are the probabilities. */
static void compare_side(const factor f, int lines, int k, const real *scales,
                         const int32_t *labels, const double *probabilities)
{
    int number[MOST_CLUSTERS];
    memset(number, -1, sizeof number);
    for (int i = 0; i < lines; i++) {
        real share;
        int best = largest(f, i, k, scales, &share);
        if (number[best] < 0)
            number[best] = labels[i];
        assert_int_equal(number[best], labels[i]);
        assert_near(probabilities[i * k + labels[i]], (double)share, 1e-7, "share");
    }
}

/* The lengths (or sums, or inverse lengths) of the clusters of a factor. */
static void measure(const factor f, int lines, int k, int how, real *scales)
{
    for (int c = 0; c < k; c++) {
        scales[c] = 0;
        for (int i = 0; i < lines; i++)
            scales[c] += how == 2 ? f[i][c] : f[i][c] * f[i][c];
        scales[c] = how == 2 ? scales[c] : how == 3 ? 1 / sqrtl(scales[c]) : sqrtl(scales[c]);
    }
}

/* Every cluster that the dense factors have is found; where one would be empty, it was repaired,
 * and labels need not agree. */
static void compare(const dense *m, const cobloc_result *r, const real *trace, int method)
{
    real scales[2][MOST_CLUSTERS];
    assert_int_equal(r->trace_count, STEPS);
    for (int s = 0; s < STEPS; s++)
        assert_near(r->trace[s], (double)trace[s], 1e-9 * (1 + fabs((double)trace[0])), "loss");
    if (r->repaired > 0)
        return;
    measure(m->w, m->t->n, m->k, method, scales[0]);
    measure(m->h, m->t->d, m->l, method, scales[1]);
    compare_side(m->w, m->t->n, m->k, scales[method != 3], r->row_labels, r->row_probabilities);
    compare_side(m->h, m->t->d, m->l, scales[method == 3], r->col_labels, r->col_probabilities);
}

/* One iteration of a method, and the loss after it. */
static real step(dense *m, int method)
{
    if (method < 3) {
        update(m, false, method);
        update(m, true, method);
        return method < 2 ? squared_error(m, false) : divergence(m);
    }
    update_orthogonal(m, true);
    update_orthogonal(m, false);
    update_middle(m);
    return squared_error(m, true);
}

static dense *dense_start(const table *t, int method, int k, int l, const int32_t *rows,
                          const int32_t *cols)
{
    static dense m;
    m = (dense){.t = t, .k = k, .l = l};
    (method < 3 ? start_nmf : start_onmtf)(&m, rows, cols);
    return &m;
}

static cobloc_fit_options from_labels(int method, int k, int l, const int32_t *rows,
                                      const int32_t *cols)
{
    cobloc_fit_options o = options_for(method < 3 ? nmfs[method] : "onmtf", k);
    o.l = l;
    o.start = COBLOC_START_LABELS;
    o.start_rows = rows;
    o.start_cols = cols;
    o.tolerance = 0;
    return o;
}

static void check_method(const table *t, int method, int k, int l, const int32_t *rows,
                         const int32_t *cols)
{
    dense *m = dense_start(t, method, k, l, rows, cols);
    cobloc_fit_options o = from_labels(method, k, l, rows, cols);
    real trace[STEPS];
    for (int s = 0; s < STEPS; s++)
        trace[s] = step(m, method);
    o.max_iterations = STEPS;
    cobloc_result *r = fit_table(t, &o);
    compare(m, r, trace, method);
    cobloc_result_free(r);
}

static void test_beside_dense_factors(void **state)
{
    dice dc = dice_of(81);
    (void)state;
    for (int round = 0; round < rounds_of(24); round++) {
        table t = distinct_table(&dc, 12 + round, 14, 0.4, round % 2);
        int k = 2 + round % 4, l = 2 + round % 3;
        int32_t rows[MOST_LINES], cols[MOST_LINES], many[MOST_LINES];
        random_partition(&dc, t.n, k, rows);
        random_partition(&dc, t.d, l, cols);
        random_partition(&dc, t.d, k, many);
        for (int method = 0; method < 3; method++)
            check_method(&t, method, k, k, rows, round % 3 == 0 ? many : NULL);
        check_method(&t, 3, k, l, rows, cols);
    }
}

/* ---- where they end -------------------------------------------------------------------------- */

/* By how much a factor is not where no small change helps: a number is 0 and would not grow, or
 * its derivative is 0. Multiplications never leave a 0, even if it should grow. Derivatives are
 * shares of what they are the difference of. */
static real unrest(const dense *m, bool turned, int method)
{
    const factor *own = turned ? &m->h : &m->w, *other = turned ? &m->w : &m->h;
    real worst = 0;
    for (int i = 0; i < (turned ? m->t->d : m->t->n); i++)
        for (int c = 0; c < m->k; c++) {
            real up = 0, down = 0;
            for (int j = 0; j < (turned ? m->t->n : m->t->d); j++) {
                real x = seen(m, turned, i, j), h = (*other)[j][c];
                real y = turned ? product(m, j, i, false) : product(m, i, j, false);
                up += h * (method == 2 ? (x > 0 ? x / y : 0) : x);
                down += h * (method == 2 ? 1 : y);
            }
            real slope = (down - up) / (down + up), size = (*own)[i][c];
            real here = method == 0 && slope < 0 ? -slope : fminl(fabsl(slope), size);
            worst = here > worst ? here : worst;
        }
    return worst;
}

/* After many steps the fit has the loss of the dense factors, and these have come to rest; by
 * multiplications more slowly. */
static void test_ends_are_stationary(void **state)
{
    static const double most[] = {1e-6, 5e-3, 5e-3};
    dice dc = dice_of(90);
    (void)state;
    for (int round = 0; round < rounds_of(4); round++) {
        table t = distinct_table(&dc, 14, 12, 0.5, round % 2);
        int32_t rows[MOST_LINES];
        int k = 2 + round % 2;
        random_partition(&dc, t.n, k, rows);
        for (int method = 0; method < 3; method++) {
            dense *m = dense_start(&t, method, k, k, rows, NULL);
            cobloc_fit_options o = from_labels(method, k, k, rows, NULL);
            real loss = 0;
            o.max_iterations = 3000;
            o.tolerance = 1e-15;
            cobloc_result *r = fit_table(&t, &o);
            for (int s = 0; s < r->iterations; s++)
                loss = step(m, method);
            assert_near(r->criterion, (double)loss, 1e-8 * (double)loss, "loss in the end");
            assert_near((double)unrest(m, false, method), 0, most[method], "rows at rest");
            assert_near((double)unrest(m, true, method), 0, most[method], "columns at rest");
            cobloc_result_free(r);
        }
    }
}

/* ---- what must hold -------------------------------------------------------------------------- */

static void check_falling(const cobloc_result *r, double scale)
{
    for (int s = 1; s < r->trace_count; s++)
        if (r->trace[s] > r->trace[s - 1] + 1e-12 * scale)
            fail_msg("%s: the loss grows from %.17g to %.17g in iteration %d", r->model,
                     r->trace[s - 1], r->trace[s], s);
}

static double sum_of_squares(const table *t)
{
    double sum = 0;
    for (int c = 0; c < t->n * t->d; c++)
        sum += t->x[c] * t->x[c];
    return sum;
}

static void test_losses_never_grow(void **state)
{
    static const cobloc_start starts[] = {COBLOC_START_RANDOM, COBLOC_START_SKMEANS};
    dice dc = dice_of(82);
    (void)state;
    for (int round = 0; round < rounds_of(20); round++) {
        table t = distinct_table(&dc, 8 + round, 14 + round % 7, 0.3 + 0.01 * round, round % 2);
        for (int method = 0; method < 3; method++) {
            cobloc_fit_options o = options_for(nmfs[method], 1 + round % 6);
            o.start = starts[round / 2 % 2];
            o.seed = (uint64_t)round;
            cobloc_result *r = fit_table(&t, &o);
            double scale = sum_of_squares(&t);
            check_falling(r, scale > 1000 ? scale : 1000);
            cobloc_result_free(r);
        }
    }
}

/* The squared error of one component is what the largest singular value leaves (its vectors are
 * never negative); the divergence is that of the margins. */
static void test_one_component(void **state)
{
    dice dc = dice_of(83);
    (void)state;
    for (int round = 0; round < rounds_of(12); round++) {
        table t = distinct_table(&dc, 20, 15, 0.5, round % 2);
        double v[MOST_LINES], u[MOST_LINES], largest = 0, total = 0, margins = 0;
        for (int j = 0; j < t.d; j++)
            v[j] = 1;
        for (int step = 0; step < 2000; step++) {
            double length = 0;
            for (int i = 0; i < t.n; i++) {
                u[i] = 0;
                for (int j = 0; j < t.d; j++)
                    u[i] += cell(&t, i, j) * v[j];
            }
            for (int j = 0; j < t.d; j++) {
                v[j] = 0;
                for (int i = 0; i < t.n; i++)
                    v[j] += cell(&t, i, j) * u[i];
                length += v[j] * v[j];
            }
            largest = sqrt(length); /* of X'X */
            for (int j = 0; j < t.d; j++)
                v[j] /= largest;
        }
        for (int i = 0; i < t.n; i++)
            total += t.r[i];
        for (int i = 0; i < t.n; i++)
            for (int j = 0; j < t.d; j++)
                if (cell(&t, i, j) > 0)
                    margins += cell(&t, i, j) * log(cell(&t, i, j) * total / (t.r[i] * t.c[j]));
        for (int method = 0; method < 4; method++) {
            cobloc_fit_options o = options_for(method < 3 ? nmfs[method] : "onmtf", 1);
            o.tolerance = 1e-14;
            cobloc_result *r = fit_table(&t, &o);
            double expected = method == 2 ? margins : sum_of_squares(&t) - largest;
            assert_near(r->criterion, expected, 1e-6 * expected, r->model);
            assert_int_equal(r->row_sizes[0], t.n);
            cobloc_result_free(r);
        }
    }
}

/* Of rank 2, and made so: with 2 components nothing is left, and more do no harm. */
static void test_exact_factors(void **state)
{
    dice dc = dice_of(84);
    (void)state;
    for (int round = 0; round < rounds_of(3); round++) {
        table t = {.n = 30, .d = 20};
        double w[30][2], h[20][2];
        for (int i = 0; i < t.n; i++)
            for (int c = 0; c < 2; c++)
                w[i][c] = i % 3 == c ? 0 : roll(&dc);
        for (int j = 0; j < t.d; j++)
            for (int c = 0; c < 2; c++)
                h[j][c] = j % 3 == c ? 0 : roll(&dc);
        for (int i = 0; i < t.n; i++)
            for (int j = 0; j < t.d; j++)
                t.x[i * t.d + j] = w[i][0] * h[j][0] + w[i][1] * h[j][1];
        for (int method = 0; method < 3; method++)
            for (int k = 2; k <= 4; k++) {
                cobloc_fit_options o = options_for(nmfs[method], k);
                o.restarts = 3;
                o.max_iterations = 1000;
                o.start = COBLOC_START_RANDOM;
                cobloc_result *r = fit_table(&t, &o);
                if (r->criterion > 1e-3 * sum_of_squares(&t))
                    fail_msg("%s, k = %d: %g is left", r->model, k, r->criterion);
                for (int c = 0; c < k; c++)
                    assert_true(r->row_sizes[c] > 0 && r->col_sizes[c] > 0);
                cobloc_result_free(r);
            }
    }
}

/* As many clusters as lines: every line has its own, and next to nothing is left. */
static void test_as_many_as_lines(void **state)
{
    dice dc = dice_of(85);
    (void)state;
    for (int round = 0; round < rounds_of(6); round++) {
        table t = distinct_table(&dc, 6, 6, 0.6, true);
        for (int method = 0; method < 4; method++) {
            cobloc_fit_options o = options_for(method < 3 ? nmfs[method] : "onmtf", 6);
            o.max_iterations = 2000;
            cobloc_result *r = fit_table(&t, &o);
            for (int c = 0; c < 6; c++)
                assert_true(r->row_sizes[c] == 1 && r->col_sizes[c] == 1);
            assert_true(r->criterion < 0.2 * sum_of_squares(&t));
            cobloc_result_free(r);
        }
    }
}

/* Sums over many lines are taken in parts: the same parts for any number of threads. */
static void test_same_on_any_threads(void **state)
{
    cobloc_matrix *x = random_matrix(86, 1500, 1000, 0.03, COBLOC_U8, NAMES_NONE);
    cobloc_error err;
    (void)state;
    for (int method = 0; method < 4; method++) {
        cobloc_result *r[2] = {NULL, NULL};
        cobloc_fit_options o = options_for(method < 3 ? nmfs[method] : "onmtf", 5);
        o.inference = COBLOC_SOFT;
        o.max_iterations = 3;
        for (int run = 0; run < 2; run++) {
            o.threads = 1 + 3 * run;
            assert_ok(cobloc_fit(x, &o, &r[run], &err), err);
        }
        assert_memory_equal(r[0]->row_probabilities, r[1]->row_probabilities,
                            1500 * 5 * sizeof(double));
        assert_memory_equal(r[0]->col_probabilities, r[1]->col_probabilities,
                            1000 * 5 * sizeof(double));
        assert_memory_equal(r[0]->trace, r[1]->trace, 3 * sizeof(double));
        cobloc_result_free(r[0]);
        cobloc_result_free(r[1]);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_are_stationary), cmocka_unit_test(test_beside_dense_factors),
        cmocka_unit_test(test_losses_never_grow),   cmocka_unit_test(test_one_component),
        cmocka_unit_test(test_exact_factors),       cmocka_unit_test(test_as_many_as_lines),
        cmocka_unit_test(test_same_on_any_threads),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
