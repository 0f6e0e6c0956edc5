/* Simulated matrices against the laws they are drawn from: proportions, blocks, margins, single
 * cells; and the promise of the same bytes for any number of threads. Limits are five standard
 * deviations.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include <math.h>

typedef struct drawn {
    cobloc_matrix *matrix;
    cobloc_truth *truth;
} drawn;

static drawn must_draw(const cobloc_simulation *simulation)
{
    cobloc_error err;
    drawn d = {NULL, NULL};
    assert_ok(cobloc_simulate(simulation, &d.matrix, &d.truth, &err), err);
    return d;
}

static void release(drawn *d)
{
    cobloc_matrix_free(d->matrix);
    cobloc_truth_free(d->truth);
}

static cobloc_simulation *preset(const char *name)
{
    cobloc_error err;
    cobloc_simulation *made = NULL;
    assert_ok(cobloc_simulation_preset(name, &made, &err), err);
    return made;
}

static void assert_near(const char *what, double found, double expected, double sd)
{
    if (!(fabs(found - expected) <= 5 * sd))
        fail_msg("%s: got %g, expected %g with sd %g", what, found, expected, sd);
}

/* ---- proportions and effects ----------------------------------------------------------------- */

static void check_sizes(const int64_t *sizes, int count, const double *proportions, int64_t lines)
{
    for (int c = 0; c < count; c++) {
        double p = proportions ? proportions[c] : 1.0 / count;
        assert_near("size", (double)sizes[c], p * (double)lines, sqrt(p * (1 - p) * (double)lines));
    }
}

static void test_proportions(void **state)
{
    static const double rows[3] = {.2, .3, .5}, cols[4] = {.7, .1, .15, .05};
    static const double parameters[12] = {1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4,
                                          1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4};
    cobloc_simulation s;
    (void)state;
    cob_simulation_default(&s);
    s.rows = 100000;
    s.cols = 50000;
    s.k = 3;
    s.l = 4;
    s.row_proportions = rows;
    s.col_proportions = cols;
    s.parameters = parameters;
    s.density = 1e-6;
    drawn d = must_draw(&s);
    check_sizes(d.truth->row_sizes, 3, rows, s.rows);
    check_sizes(d.truth->col_sizes, 4, cols, s.cols);
    release(&d);
    s.row_proportions = NULL;
    d = must_draw(&s);
    check_sizes(d.truth->row_sizes, 3, NULL, s.rows);
    release(&d);
}

static void check_moments(const double *values, int64_t count, double mean, double variance)
{
    double sum = 0, squares = 0, fourth = 0;
    for (int64_t i = 0; i < count; i++) {
        double z = values[i] - mean;
        assert_true(values[i] > 0);
        sum += z;
        squares += z * z;
        fourth += z * z * z * z;
    }
    double n = (double)count;
    assert_near("mean", sum / n, 0, sqrt(variance / n));
    assert_near("variance", squares / n, variance, sqrt((fourth / n - variance * variance) / n));
}

static void test_effects(void **state)
{
    static const struct {
        cobloc_effects effects;
        double mean, variance;
    } cases[] = {{{.kind = COBLOC_EFFECT_POISSON, .mean = 2455}, 2455, 2455},
                 {{.kind = COBLOC_EFFECT_GAMMA, .mean = 6, .shape = 3}, 6, 12},
                 {{.kind = COBLOC_EFFECT_LOGNORMAL, .mean = 80, .shape = .5},
                  80,
                  80 * 80 * 0.28402541668774150}}; /* exp(1/4) - 1 */
    cobloc_simulation s;
    double parameter = 1;
    (void)state;
    cob_simulation_default(&s);
    s.rows = 20000;
    s.cols = 100;
    s.k = s.l = 1;
    s.parameters = &parameter;
    s.density = 1e-4;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        s.row_effects = cases[c].effects;
        drawn d = must_draw(&s);
        check_moments(d.truth->row_effects, s.rows, cases[c].mean, cases[c].variance);
        for (int64_t j = 0; j < s.cols; j++)
            assert_true(d.truth->col_effects[j] == 1);
        release(&d);
    }
}

/* ---- blocks and margins ---------------------------------------------------------------------- */

/* The means of all cells, from the truth alone. */
static double *cell_means(const cobloc_truth *t)
{
    double *means = calloc((size_t)(t->rows * t->cols), sizeof *means);
    assert_non_null(means);
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t j = 0; j < t->cols; j++)
            means[i * t->cols + j] = t->parameters[t->row_labels[i] * t->l + t->col_labels[j]] *
                                     (t->row_effects ? t->row_effects[i] * t->col_effects[j] : 1);
    return means;
}

static double variance_of(const cobloc_truth *t, double mean)
{
    return t->law == COBLOC_POISSON ? mean : mean * (1 - mean);
}

static void check_blocks(const drawn *d, const double *means, const double *cells)
{
    const cobloc_truth *t = d->truth;
    double found[64] = {0}, expected[64] = {0}, variance[64] = {0};
    for (int64_t c = 0; c < t->rows * t->cols; c++) {
        int block = t->row_labels[c / t->cols] * t->l + t->col_labels[c % t->cols];
        found[block] += cells[c];
        expected[block] += means[c];
        variance[block] += variance_of(t, means[c]);
    }
    for (int block = 0; block < t->k * t->l; block++)
        assert_near("block", found[block], expected[block], sqrt(variance[block]));
}

/* Sums of lines, standardised and squared, add up to about as many as there are lines. */
static void check_margins(const drawn *d, const double *means, int by_rows)
{
    const cobloc_truth *t = d->truth;
    const double *sums =
        by_rows ? cobloc_matrix_row_sums(d->matrix) : cobloc_matrix_col_sums(d->matrix);
    int64_t lines = by_rows ? t->rows : t->cols;
    double statistic = 0;
    for (int64_t i = 0; i < lines; i++) {
        double expected = 0, variance = 0;
        for (int64_t j = 0; j < (by_rows ? t->cols : t->rows); j++) {
            double mean = by_rows ? means[i * t->cols + j] : means[j * t->cols + i];
            expected += mean;
            variance += variance_of(t, mean);
        }
        statistic += (sums[i] - expected) * (sums[i] - expected) / variance;
    }
    /* a squared Poisson of mean m, standardised, has the variance 2 + 1 / m: 4 is enough here */
    assert_near(by_rows ? "rows" : "columns", statistic, (double)lines, sqrt(4 * (double)lines));
}

static void test_presets_follow_their_laws(void **state)
{
    static const char *const names[] = {"socc-table1",
                                        "plbm",
                                        "splbm",
                                        "dlbm-table4:1000x500:++:unequal",
                                        "dlbm-table4:1000x1000:+:equal",
                                        "dlbm-sparse:90",
                                        "dlbm-sparse:98:unequal"};
    (void)state;
    for (size_t p = 0; p < sizeof names / sizeof *names; p++) {
        cobloc_simulation *s = preset(names[p]);
        s->rows = s->rows > 700 ? 700 : s->rows; /* columns stay, and with them their laws */
        drawn d = must_draw(s);
        double *means = cell_means(d.truth), *cells = dense_of(d.matrix);
        check_sizes(d.truth->row_sizes, s->k, s->row_proportions, s->rows);
        check_sizes(d.truth->col_sizes, s->l, s->col_proportions, s->cols);
        check_blocks(&d, means, cells);
        check_margins(&d, means, 1);
        check_margins(&d, means, 0);
        free(means);
        free(cells);
        release(&d);
        cobloc_simulation_free(s);
    }
}

/* ---- single cells ---------------------------------------------------------------------------- */

enum { SEEDS = 2500, ROWS = 2, COLS = 3, CELLS = ROWS * COLS, MOST = 100 };

static const double some_rows[ROWS] = {0.5, 2}, some_cols[COLS] = {1, 0.25, 3};

static double share_of(const cobloc_simulation *s, int cell, int value)
{
    double mean = s->parameters[0];
    if (s->law == COBLOC_BERNOULLI)
        return value == 0 ? 1 - mean : value == 1 ? mean : 0;
    mean *= some_rows[cell / COLS] * some_cols[cell % COLS];
    return exp(value * log(mean) - mean - lgamma(value + 1.0));
}

/* Every value of every cell as often as its law says; no two cells know of each other. */
static void check_cells(cobloc_simulation *s)
{
    static double values[SEEDS][CELLS];
    double mean[CELLS] = {0}, variance[CELLS] = {0};
    for (int seed = 0; seed < SEEDS; seed++) {
        s->seed = (uint64_t)seed;
        drawn d = must_draw(s);
        double *dense = dense_of(d.matrix);
        memcpy(values[seed], dense, sizeof values[seed]);
        free(dense);
        release(&d);
    }
    for (int c = 0; c < CELLS; c++) {
        double expected[MOST], found[MOST] = {0};
        for (int seed = 0; seed < SEEDS; seed++)
            found[(int)fmin(values[seed][c], MOST - 1)]++;
        for (int v = 0; v < MOST; v++) {
            expected[v] = share_of(s, c, v);
            mean[c] += v * expected[v];
            variance[c] += v * v * expected[v];
            assert_near("value", found[v], SEEDS * expected[v],
                        sqrt(SEEDS * expected[v] * (1 - expected[v])) + 0.5);
        }
        variance[c] -= mean[c] * mean[c];
    }
    for (int a = 0; a < CELLS; a++)
        for (int b = 0; b < a; b++) {
            double together = 0;
            for (int seed = 0; seed < SEEDS; seed++)
                together += (values[seed][a] - mean[a]) * (values[seed][b] - mean[b]);
            assert_near("covariance", together, 0, sqrt(SEEDS * variance[a] * variance[b]));
        }
}

static void test_cells(void **state)
{
    static const double parameters[] = {0.1, 0.9, 5}; /* few: dealt out; many: cell by cell */
    cobloc_simulation s;
    (void)state;
    cob_simulation_default(&s);
    s.rows = ROWS;
    s.cols = COLS;
    s.k = s.l = 1;
    s.threads = 1;
    s.law = COBLOC_BERNOULLI;
    for (int p = 0; p < 2; p++) {
        s.parameters = &parameters[p];
        check_cells(&s);
    }
    s.law = COBLOC_POISSON;
    s.row_effects =
        (cobloc_effects){.kind = COBLOC_EFFECT_GIVEN, .count = ROWS, .values = some_rows};
    s.col_effects =
        (cobloc_effects){.kind = COBLOC_EFFECT_GIVEN, .count = COLS, .values = some_cols};
    for (int p = 0; p < 3; p++) {
        s.parameters = &parameters[p];
        check_cells(&s);
    }
}

/* ---- density --------------------------------------------------------------------------------- */

static void test_density(void **state)
{
    static const struct {
        const char *preset;
        double density;
    } cases[] = {{"plbm", 0.001},           {"splbm", 0.05},
                 {"socc-table1", 0.3},      {"socc-table1", 0.9},
                 {"dlbm-sparse:90", 0.003}, {"dlbm-table4:1000x500:+:equal", 0.7}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cobloc_simulation *s = preset(cases[c].preset);
        s->rows = 3000; /* the labels' own luck moves the density, too */
        s->cols = 3000;
        s->density = cases[c].density;
        drawn d = must_draw(s);
        double found = (double)cobloc_matrix_nnz(d.matrix) / (double)(s->rows * s->cols);
        if (fabs(found / cases[c].density - 1) > 0.03)
            fail_msg("%s: density %g, expected %g", cases[c].preset, found, cases[c].density);
        release(&d);
        cobloc_simulation_free(s);
    }
}

/* ---- promises -------------------------------------------------------------------------------- */

static void assert_same_truth(const cobloc_truth *a, const cobloc_truth *b)
{
    assert_memory_equal(a->row_labels, b->row_labels, (size_t)a->rows * sizeof *a->row_labels);
    assert_memory_equal(a->col_labels, b->col_labels, (size_t)a->cols * sizeof *a->col_labels);
    if (a->row_effects) {
        assert_memory_equal(a->row_effects, b->row_effects,
                            (size_t)a->rows * sizeof *a->row_effects);
        assert_memory_equal(a->col_effects, b->col_effects,
                            (size_t)a->cols * sizeof *a->col_effects);
    }
}

static void test_threads(void **state)
{
    static const char *const names[] = {"socc-table1", "splbm", "dlbm-sparse:98"};
    static const int threads[] = {2, 3, 8};
    (void)state;
    for (size_t p = 0; p < 3; p++) {
        cobloc_simulation *s = preset(names[p]);
        s->rows = 2000;
        s->threads = 1;
        drawn one = must_draw(s);
        for (size_t t = 0; t < 3; t++) {
            s->threads = threads[t];
            drawn many = must_draw(s);
            assert_true(same_entries(one.matrix, many.matrix));
            assert_same_truth(one.truth, many.truth);
            release(&many);
        }
        s->seed = 2;
        drawn other = must_draw(s);
        assert_false(same_entries(one.matrix, other.matrix));
        release(&other);
        release(&one);
        cobloc_simulation_free(s);
    }
}

/* More rows leave the first ones as they were. */
static void test_more_rows(void **state)
{
    cobloc_simulation *s = preset("plbm");
    (void)state;
    s->rows = 300;
    drawn few = must_draw(s);
    s->rows = 700;
    drawn more = must_draw(s);
    cobloc_view a = cobloc_matrix_by_rows(few.matrix), b = cobloc_matrix_by_rows(more.matrix);
    assert_memory_equal(a.offsets, b.offsets, 301 * sizeof *a.offsets);
    assert_memory_equal(a.indices, b.indices, (size_t)a.nnz * sizeof *a.indices);
    for (int64_t e = 0; e < a.nnz; e++)
        assert_true(cobloc_view_value(&a, e) == cobloc_view_value(&b, e));
    release(&few);
    release(&more);
    cobloc_simulation_free(s);
}

static int stop(void *user, const char *what, double done)
{
    (void)what;
    (void)done;
    return ++*(int *)user > 1;
}

static void test_cancel(void **state)
{
    cobloc_simulation *s = preset("plbm");
    cobloc_matrix *matrix = NULL;
    int calls = 0;
    (void)state;
    s->rows = 100000;
    s->density = 0.0001;
    s->threads = 1;
    s->progress = (cobloc_progress){stop, &calls};
    assert_int_equal(cobloc_simulate(s, &matrix, NULL, NULL), COBLOC_CANCELLED);
    assert_null(matrix);
    assert_int_equal(calls, 2);
    cobloc_simulation_free(s);
}

/* Nothing at all, everything, and a single cell of a large count. */
static void test_extremes(void **state)
{
    double parameter = 1e-12;
    cobloc_simulation s;
    (void)state;
    cob_simulation_default(&s);
    s.rows = s.cols = 30;
    s.k = s.l = 1;
    s.parameters = &parameter;
    for (int law = COBLOC_POISSON; law <= COBLOC_BERNOULLI; law++) {
        s.law = (cobloc_law)law;
        drawn d = must_draw(&s);
        assert_int_equal(cobloc_matrix_nnz(d.matrix), 0);
        assert_true(law == COBLOC_BERNOULLI || d.truth->row_effects[29] == 1);
        release(&d);
    }
    parameter = 1;
    drawn full = must_draw(&s);
    assert_int_equal(cobloc_matrix_nnz(full.matrix), 900);
    assert_int_equal(cobloc_matrix_kind(full.matrix), COBLOC_ONES);
    release(&full);
    s.law = COBLOC_POISSON;
    s.rows = s.cols = 1;
    parameter = 4e9;
    drawn large = must_draw(&s);
    assert_int_equal(cobloc_matrix_kind(large.matrix), COBLOC_U32);
    assert_near("total", cobloc_matrix_total(large.matrix), 4e9, sqrt(4e9));
    release(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proportions),
        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_presets_follow_their_laws),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_density),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_more_rows),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
