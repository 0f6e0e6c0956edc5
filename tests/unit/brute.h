/* The models once more, straight from their definitions: every criterion is a sum over the cells of
 * a dense table, in long double, with none of the engine's code or algebra. What the engine says is
 * judged by this. Also the small tables to judge it on, and a run of the engine on one of them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_BRUTE_H
#define COB_TESTS_BRUTE_H

#include "support.h"

#include "base/parallel.h"
#include "base/random.h"
#include "engine/starts.h"
#include "models/registry.h"

#include <math.h>

/* Small tables are made by the thousand: threads would only wait for each other. Fits ask for
 * theirs. */
static inline void one_thread_by_default(void)
{
#ifdef _OPENMP
    omp_set_num_threads(1);
#endif
}

/* How often to repeat what is the better the more often it is done: less often where every access
 * to memory is checked. */
static inline int rounds_of(int wanted)
{
    return TEST_SANITIZED ? (wanted + 5) / 6 : wanted;
}

/* ---- random numbers and tables --------------------------------------------------------------- */

/* SplitMix64: fast even where nothing is optimised. */
typedef struct dice {
    uint64_t state;
} dice;

static inline dice dice_of(uint64_t seed)
{
    return (dice){seed * 1000003};
}

static inline double roll(dice *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

static inline int roll_below(dice *d, int bound)
{
    return (int)(roll(d) * bound);
}

enum { MOST_LINES = 64, MOST_CLUSTERS = 16 };

typedef struct table {
    int n, d;
    double x[MOST_LINES * MOST_LINES];
    double r[MOST_LINES], c[MOST_LINES]; /* effects of rows and columns: their sums */
    bool own_effects;                    /* or something else */
} table;

static inline double cell(const table *t, int i, int j)
{
    return t->x[i * t->d + j];
}

static inline void take_margins(table *t)
{
    memset(t->r, 0, sizeof t->r);
    memset(t->c, 0, sizeof t->c);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++) {
            t->r[i] += cell(t, i, j);
            t->c[j] += cell(t, i, j);
        }
}

static inline cobloc_matrix *matrix_of(const table *t)
{
    static int32_t row[MOST_LINES * MOST_LINES], col[MOST_LINES * MOST_LINES];
    static double value[MOST_LINES * MOST_LINES];
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    int64_t count = 0;
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++)
            if (cell(t, i, j) > 0) {
                row[count] = i;
                col[count] = j;
                value[count++] = cell(t, i, j);
            }
    assert_ok(cobloc_matrix_from_triples(t->n, t->d, count, row, col, value, &matrix, &err), err);
    return matrix;
}

/* A fit that must succeed. */
static inline cobloc_result *fit_table(const table *t, const cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    cobloc_matrix *x = matrix_of(t);
    if (cobloc_fit(x, o, &result, &err) != COBLOC_OK)
        fail_msg("%s, k = %d: %s", o->model, o->k, err.message);
    cobloc_matrix_free(x);
    return result;
}

static inline table table_of(const cobloc_matrix *matrix)
{
    table t = {.n = (int)cobloc_matrix_rows(matrix), .d = (int)cobloc_matrix_cols(matrix)};
    double *cells = dense_of(matrix);
    memcpy(t.x, cells, (size_t)t.n * (size_t)t.d * sizeof *cells);
    free(cells);
    take_margins(&t);
    return t;
}

/* Whether no two rows and no two columns have their entries in the same places. */
static inline bool lines_differ(const table *t)
{
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < i; k++) {
            int same = 0;
            for (int j = 0; j < t->d; j++)
                same += (cell(t, i, j) > 0) == (cell(t, k, j) > 0);
            if (same == t->d)
                return false;
        }
    for (int j = 0; j < t->d; j++)
        for (int k = 0; k < j; k++) {
            int same = 0;
            for (int i = 0; i < t->n; i++)
                same += (cell(t, i, j) > 0) == (cell(t, i, k) > 0);
            if (same == t->n)
                return false;
        }
    return true;
}

/* Counts up to 6, or reals; no row or column without an entry. */
static inline table random_table(dice *dc, int n, int d, double density, bool reals)
{
    for (;;) {
        table t = {.n = n, .d = d};
        bool full = true;
        for (int c = 0; c < n * d; c++)
            if (roll(dc) < density)
                t.x[c] = reals ? 3 * roll(dc) : 1 + roll_below(dc, 6);
        take_margins(&t);
        for (int i = 0; i < n; i++)
            full = full && t.r[i] > 0;
        for (int j = 0; j < d; j++)
            full = full && t.c[j] > 0;
        if (full)
            return t;
    }
}

/* The same, with lines that differ for every model: fit for cobloc_fit. */
static inline table distinct_table(dice *dc, int n, int d, double density, bool reals)
{
    for (;;) {
        table t = random_table(dc, n, d, density, reals);
        if (lines_differ(&t))
            return t;
    }
}

/* Blocks along the diagonal: row i is of class i % k, column j of class j % k; cells inside are
 * filled with probability `inside`, others with `outside`. */
static inline table planted_table(dice *dc, int n, int d, int k, double inside, double outside)
{
    table t = {.n = n, .d = d};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            if (roll(dc) < (i % k == j % k ? inside : outside))
                t.x[i * d + j] = 1 + roll_below(dc, i % k == j % k ? 4 : 2);
    for (int i = 0; i < n; i++) /* nobody is left empty */
        t.x[i * d + (i % k + k * (i / k)) % (d - d % k)] += 1;
    for (int j = 0; j < d; j++)
        t.x[((j % k + k * (j / k)) % (n - n % k)) * d + j] += 1;
    take_margins(&t);
    return t;
}

/* Labels at random, every cluster with a member. */
static inline void random_partition(dice *dc, int count, int clusters, int32_t *labels)
{
    for (;;) {
        int seen[MOST_CLUSTERS] = {0}, filled = 0;
        for (int i = 0; i < count; i++) {
            labels[i] = roll_below(dc, clusters);
            filled += seen[labels[i]]++ == 0;
        }
        if (filled == clusters)
            return;
    }
}

/* ---- the models, as the papers have them ----------------------------------------------------- */

typedef enum family {
    MODULARITY,
    POISSON,
    BERNOULLI,
    WRONG_CELLS,
    INFORMATION,
    SQUARES,
    DIRECTIONAL
} family;

typedef struct known {
    const char *name;
    family family;
    bool diagonal, minimised, likelihood, zeros_matter;
    bool bounded; /* dispersions are at most one half */
} known;

enum { KNOWN = 12 };

static const known known_models[KNOWN] = {
    {"coclus", MODULARITY, .diagonal = true},
    {"splbm-exact", POISSON, .diagonal = true, .likelihood = true},
    {"plbm", POISSON, .likelihood = true},
    {"socc", POISSON, .likelihood = true},
    {"lbm", BERNOULLI, .likelihood = true, .zeros_matter = true},
    {"dlbm1", BERNOULLI, .diagonal = true, .likelihood = true, .zeros_matter = true,
     .bounded = true},
    {"dlbm2", BERNOULLI, .diagonal = true, .likelihood = true, .zeros_matter = true,
     .bounded = true},
    {"dlbm3", WRONG_CELLS, .diagonal = true, .minimised = true, .zeros_matter = true},
    {"block", WRONG_CELLS, .diagonal = true, .minimised = true, .zeros_matter = true},
    {"itcc", INFORMATION, .diagonal = false},
    {"fnmtf", SQUARES, .minimised = true, .zeros_matter = true},
    {"dcc", DIRECTIONAL, .diagonal = true},
};

static inline bool is_model(const known *model, const char *name)
{
    return strcmp(model->name, name) == 0;
}

static inline int columns_for(const known *model, int g, int wanted)
{
    return model->diagonal ? g : is_model(model, "socc") ? g + g * (g - 1) / 2 + 1 : wanted;
}

/* What the entries of a table sum up to, where those that are no counts have the mean 1. */
static inline double natural_total(const table *t)
{
    double total = 0, filled = 0;
    bool counts = true;
    for (int c = 0; c < t->n * t->d; c++) {
        total += t->x[c];
        filled += t->x[c] != 0;
        counts = counts && t->x[c] == floor(t->x[c]);
    }
    return counts ? total : filled;
}

static inline void scale_to(table *t, double total)
{
    double sum = 0;
    for (int c = 0; c < t->n * t->d; c++)
        sum += t->x[c];
    for (int c = 0; c < t->n * t->d; c++)
        t->x[c] *= total / sum;
}

/* The table as the model takes it: zeros and ones, rows of unit length, with its natural total, or
 * as it is. */
static inline table table_for(const known *model, const table *given)
{
    table t = *given;
    for (int i = 0; i < t.n; i++) {
        double length = 0;
        for (int j = 0; j < t.d; j++)
            length += cell(&t, i, j) * cell(&t, i, j);
        for (int j = 0; j < t.d; j++) {
            double *x = &t.x[i * t.d + j];
            if (model->family == BERNOULLI || model->family == WRONG_CELLS)
                *x = *x > 0;
            else if (model->family == DIRECTIONAL && length > 0)
                *x /= sqrt(length);
        }
    }
    if (model->family == POISSON)
        scale_to(&t, natural_total(given));
    if (!t.own_effects)
        take_margins(&t);
    return t;
}

/* Memberships of rows (n by g) and columns (d by m). */
typedef struct parts {
    int g, m;
    double p[MOST_LINES * MOST_CLUSTERS], q[MOST_LINES * MOST_CLUSTERS];
} parts;

static inline void one_hot_parts(parts *s, const table *t, int g, int m, const int32_t *rows,
                                 const int32_t *cols)
{
    s->g = g;
    s->m = m;
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < g; k++)
            s->p[i * g + k] = rows[i] == k;
    for (int j = 0; j < t->d; j++)
        for (int l = 0; l < m; l++)
            s->q[j * m + l] = cols[j] == l;
}

/* Whether rows of cluster k are what columns of cluster l are about: main, second, common. */
static inline bool about(int g, int k, int l)
{
    int at = g;
    if (l < g)
        return k == l;
    for (int a = 0; a < g; a++)
        for (int b = a + 1; b < g; b++)
            if (at++ == l)
                return k == a || k == b;
    return true;
}

/* Blocks with the same number share a parameter. */
static inline int sharing(const known *model, int g, int m, int k, int l)
{
    if (is_model(model, "splbm-exact"))
        return k == l ? k : g;
    if (is_model(model, "socc"))
        return about(g, k, l) ? l : m;
    if (is_model(model, "dlbm2"))
        return k;
    return k * m + l;
}

/* What the parameter of a block is the rate of: the entries themselves, or cells unlike their
 * block. */
static inline double counted(const known *model, double x, int k, int l)
{
    return model->bounded && k == l ? 1 - x : x;
}

/* Whether socc scales the effects of clusters: where they are no more than sums. */
static inline bool scales_effects(const known *model, const table *t)
{
    return is_model(model, "socc") && !t->own_effects;
}

/* How near sums must come: real values are rounded to 2^-32 of the largest. */
static inline double rounding(const table *t, double usual)
{
    for (int c = 0; c < t->n * t->d; c++)
        if (t->x[c] != floor(t->x[c]))
            return fmax(usual, 1e-8);
    return usual;
}

/* How near the engine must come: where factors go to nothing, which only small tables do to them,
 * they take for ever. */
static inline double nearness(const known *model, const table *t, double usual)
{
    return scales_effects(model, t) ? 1e-3 : rounding(t, usual);
}

/* The rates of socc's blocks with effects that are sums: a factor of the row cluster times a rate
 * of the column cluster, the larger of two where the block is what the columns are about. The
 * likelihood is concave in the logarithms: taking the best rows given the columns, and the best
 * columns given the rows, leads to its largest value. */
static inline void fit_scaled(const long double *found, const long double *base, int g, int m,
                              long double *rate)
{
    long double row[MOST_CLUSTERS], change = 1;
    for (int k = 0; k < g; k++)
        row[k] = 1;
    for (int round = 0; round < 20000 && change > 1e-14L; round++) {
        change = 0;
        for (int l = 0; l < m; l++) {
            long double sum[2] = {0, 0}, fitted[2] = {0, 0};
            for (int k = 0; k < g; k++) {
                sum[about(g, k, l)] += found[k * m + l];
                fitted[about(g, k, l)] += base[k * m + l] * row[k];
            }
            long double all = (sum[0] + sum[1]) / (fitted[0] + fitted[1]), own[2] = {all, all};
            for (int part = 0; part < 2 && sum[1] * fitted[0] > sum[0] * fitted[1]; part++)
                own[part] = sum[part] / fitted[part];
            for (int k = 0; k < g; k++) /* soft sections may have nobody at all */
                rate[k * m + l] = fitted[0] + fitted[1] > 0 ? row[k] * own[about(g, k, l)] : 0;
        }
        for (int k = 0; k < g; k++) {
            long double sum = 0, fitted = 0;
            for (int l = 0; l < m; l++) {
                sum += found[k * m + l];
                fitted += base[k * m + l] * rate[k * m + l];
            }
            change = fmaxl(change, fabsl(sum / fitted - 1));
            row[k] *= sum / fitted;
        }
    }
}

/* The rate of every block (k, l), at k m + l. */
static inline void brute_rates(const known *model, const table *t, const parts *s,
                               long double rate[MOST_CLUSTERS * MOST_CLUSTERS])
{
    long double found[MOST_CLUSTERS * MOST_CLUSTERS] = {0},
                                      base[MOST_CLUSTERS * MOST_CLUSTERS] = {0};
    bool scales = scales_effects(model, t);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++)
            for (int k = 0; k < s->g; k++)
                for (int l = 0; l < s->m && s->p[i * s->g + k] > 0; l++) {
                    long double weight = (long double)s->p[i * s->g + k] * s->q[j * s->m + l];
                    int at = scales ? k * s->m + l : sharing(model, s->g, s->m, k, l);
                    found[at] += weight * counted(model, cell(t, i, j), k, l);
                    base[at] += weight * (model->family == POISSON ? t->r[i] * t->c[j] : 1);
                }
    if (scales)
        fit_scaled(found, base, s->g, s->m, rate);
    for (int k = 0; k < s->g && !scales; k++)
        for (int l = 0; l < s->m; l++) {
            int at = sharing(model, s->g, s->m, k, l);
            long double own = base[at] > 0 ? found[at] / base[at] : 0;
            rate[k * s->m + l] = model->bounded && own > 0.5L ? 0.5L : own;
        }
}

/* log of the density of one cell. */
static inline long double log_density(const known *model, double x, long double effect,
                                      long double rate)
{
    if (model->family == POISSON)
        return (x > 0 ? x * logl(effect * rate) - lgammal((long double)x + 1) : 0) - effect * rate;
    return x > 0 ? logl(rate) : logl(1 - rate);
}

/* The expected complete log-likelihood and the entropies, both of the memberships. */
static inline double brute_likelihood(const known *model, const table *t, const parts *s)
{
    static long double rate[MOST_CLUSTERS * MOST_CLUSTERS];
    long double value = 0, size[2][MOST_CLUSTERS] = {{0}};
    brute_rates(model, t, s, rate);
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < s->g; k++)
            size[0][k] += s->p[i * s->g + k];
    for (int j = 0; j < t->d; j++)
        for (int l = 0; l < s->m; l++)
            size[1][l] += s->q[j * s->m + l];
    for (int c = 0; c < t->n * s->g; c++)
        if (s->p[c] > 0)
            value += s->p[c] * (logl(size[0][c % s->g] / t->n) - logl(s->p[c]));
    for (int c = 0; c < t->d * s->m; c++)
        if (s->q[c] > 0)
            value += s->q[c] * (logl(size[1][c % s->m] / t->d) - logl(s->q[c]));
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++)
            for (int k = 0; k < s->g; k++)
                for (int l = 0; l < s->m && s->p[i * s->g + k] > 0; l++) {
                    long double weight = (long double)s->p[i * s->g + k] * s->q[j * s->m + l];
                    if (weight > 0)
                        value += weight * log_density(model, counted(model, cell(t, i, j), k, l),
                                                      (long double)t->r[i] * t->c[j],
                                                      rate[k * s->m + l]);
                }
    return (double)value;
}

/* Criteria that only hard partitions have. */
static inline double brute_hard(const known *model, const table *t, int g, int m,
                                const int32_t *rows, const int32_t *cols)
{
    long double N = 0, value = 0, block[MOST_CLUSTERS][MOST_CLUSTERS] = {{0}};
    long double R[MOST_CLUSTERS] = {0}, C[MOST_CLUSTERS] = {0};
    int z[MOST_CLUSTERS] = {0}, w[MOST_CLUSTERS] = {0};
    for (int i = 0; i < t->n; i++)
        z[rows[i]]++;
    for (int j = 0; j < t->d; j++)
        w[cols[j]]++;
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++) {
            N += cell(t, i, j);
            block[rows[i]][cols[j]] += cell(t, i, j);
            R[rows[i]] += cell(t, i, j);
            C[cols[j]] += cell(t, i, j);
        }
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++) {
            long double x = cell(t, i, j), mean = block[rows[i]][cols[j]] / z[rows[i]] / w[cols[j]];
            bool inside = rows[i] == cols[j];
            if (model->family == MODULARITY && inside)
                value += (x - (long double)t->r[i] * t->c[j] / N) / N;
            else if (model->family == WRONG_CELLS)
                value += inside != (x > 0);
            else if (model->family == SQUARES)
                value += (x - mean) * (x - mean);
            else if (model->family == DIRECTIONAL && inside)
                value += x / sqrtl((long double)z[rows[i]] * w[cols[j]]);
        }
    for (int k = 0; k < g && model->family == INFORMATION; k++)
        for (int l = 0; l < m; l++)
            if (block[k][l] > 0)
                value += block[k][l] / N * logl(block[k][l] * N / (R[k] * C[l]));
    return (double)value;
}

/* The criterion of a pair of partitions, for the table as the model takes it. */
static inline double brute_value(const known *model, const table *t, int g, int m,
                                 const int32_t *rows, const int32_t *cols)
{
    static parts s;
    if (!model->likelihood)
        return brute_hard(model, t, g, m, rows, cols);
    one_hot_parts(&s, t, g, m, rows, cols);
    return brute_likelihood(model, t, &s);
}

static inline void assert_near(double got, double expected, double tolerance, const char *what)
{
    if (!(fabs(got - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%s: got %.17g, expected %.17g", what, got, expected);
}

/* ---- a run of the engine --------------------------------------------------------------------- */

typedef struct bench {
    cobloc_matrix *x;
    table t; /* what x holds; lends its effects to the problem */
    cob_problem problem;
    cob_run *run;
} bench;

/* `given` is taken as it is: see table_for. */
static inline void bench_open(bench *b, const known *model, const table *given, int g, int m,
                              cobloc_inference inference)
{
    cobloc_error err;
    *b = (bench){.x = matrix_of(given), .t = *given};
    b->problem = (cob_problem){.x = b->x,
                               .side = {{.effects = given->own_effects ? b->t.r : NULL},
                                        {.effects = given->own_effects ? b->t.c : NULL}},
                               .model = cob_model_named(model->name),
                               .inference = inference,
                               .max_iterations = 200,
                               .tolerance = 1e-12,
                               .temperature = 0.05,
                               .stochastic = 50,
                               .burn_in = 35,
                               .seed = 1,
                               .watch = {.deadline = INFINITY}};
    assert_non_null(b->problem.model);
    assert_ok(cob_problem_measure(&b->problem, &err), err);
    assert_ok(cob_run_new(&b->problem, g, m, 0, 1, &b->run, &err), err);
}

static inline void bench_close(bench *b)
{
    cob_run_free(b->run);
    cob_problem_free(&b->problem);
    cobloc_matrix_free(b->x);
}

#endif
