/* Probabilities: the memberships of one soft iteration against the formula over all cells, in long
 * double; the soft criterion; how often draws fall where.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "matrix/kernels.h"

/* ---- memberships ----------------------------------------------------------------------------- */

/* The engine floors rates at 1e-300, whose logarithm must stay finite. */
static long double floored_log(long double rate)
{
    return logl(rate > 1e-300L ? rate : 1e-300L);
}

static long double cell_score(const known *model, double x, long double effect, long double rate)
{
    if (model->family == POISSON)
        return x * floored_log(rate) - effect * rate;
    return x > 0 ? floored_log(rate) : floored_log(1 - rate);
}

static void normalise(const long double *score, int count, double *out)
{
    long double largest = score[0], sum = 0;
    for (int k = 1; k < count; k++)
        largest = fmaxl(largest, score[k]);
    for (int k = 0; k < count; k++)
        sum += expl(score[k] - largest);
    for (int k = 0; k < count; k++)
        out[k] = (double)(expl(score[k] - largest) / sum);
}

/* p_ik proportional to pi_k times the density of row i in cluster k, by the expectation over
 * columns. */
static void formula_rows(const known *model, const table *t, parts *s)
{
    static long double rate[MOST_CLUSTERS * MOST_CLUSTERS];
    static double fresh[MOST_LINES * MOST_CLUSTERS];
    brute_rates(model, t, s, rate);
    for (int i = 0; i < t->n; i++) {
        long double score[MOST_CLUSTERS];
        for (int k = 0; k < s->g; k++) {
            long double size = 0;
            for (int h = 0; h < t->n; h++)
                size += s->p[h * s->g + k];
            score[k] = floored_log(size / t->n);
            for (int j = 0; j < t->d; j++)
                for (int l = 0; l < s->m; l++)
                    score[k] += s->q[j * s->m + l] *
                                cell_score(model, counted(model, cell(t, i, j), k, l),
                                           (long double)t->r[i] * t->c[j], rate[k * s->m + l]);
        }
        normalise(score, s->g, fresh + i * s->g);
    }
    memcpy(s->p, fresh, sizeof fresh);
}

static void formula_cols(const known *model, const table *t, parts *s)
{
    static long double rate[MOST_CLUSTERS * MOST_CLUSTERS];
    static double fresh[MOST_LINES * MOST_CLUSTERS];
    brute_rates(model, t, s, rate);
    for (int j = 0; j < t->d; j++) {
        long double score[MOST_CLUSTERS];
        for (int l = 0; l < s->m; l++) {
            long double size = 0;
            for (int h = 0; h < t->d; h++)
                size += s->q[h * s->m + l];
            score[l] = floored_log(size / t->d);
            for (int i = 0; i < t->n; i++)
                for (int k = 0; k < s->g; k++)
                    score[l] += s->p[i * s->g + k] *
                                cell_score(model, counted(model, cell(t, i, j), k, l),
                                           (long double)t->r[i] * t->c[j], rate[k * s->m + l]);
        }
        normalise(score, s->m, fresh + j * s->m);
    }
    memcpy(s->q, fresh, sizeof fresh);
}

static void assert_memberships(const known *model, const double *got, const double *expected,
                               int lines, int clusters)
{
    for (int i = 0; i < lines; i++) {
        double sum = 0;
        for (int k = 0; k < clusters; k++) {
            assert_near(got[i * clusters + k], expected[i * clusters + k], 1e-8, model->name);
            sum += got[i * clusters + k];
        }
        assert_near(sum, 1, 1e-13, "sum of memberships");
    }
}

/* Where a Bernoulli rate is all but 1, its distance from 1 has few digits left, and scores no more.
 */
static bool has_digits(const known *model, const table *t, const parts *s)
{
    static long double rate[MOST_CLUSTERS * MOST_CLUSTERS];
    brute_rates(model, t, s, rate);
    for (int k = 0; k < s->g; k++)
        for (int l = 0; l < s->m && model->family == BERNOULLI; l++) {
            long double own = rate[k * s->m + l];
            if ((model->bounded && k == l ? own : 1 - own) < 1e-6L)
                return false;
        }
    return true;
}

/* Up to three iterations, one by one, each from where the engine itself stands; how many were
 * checked. */
static int check_iterations(dice *dc, const known *model, const table *t)
{
    static parts s;
    cobloc_error err;
    int g = 2 + roll_below(dc, 2), m = columns_for(model, g, 3);
    bench b;
    bench_open(&b, model, t, g, m, COBLOC_SOFT);
    random_partition(dc, t->n, g, b.run->side[COB_ROWS].labels);
    random_partition(dc, t->d, m, b.run->side[COB_COLS].labels);
    int32_t rows[MOST_LINES], cols[MOST_LINES];
    memcpy(rows, b.run->side[COB_ROWS].labels, (size_t)t->n * sizeof *rows);
    memcpy(cols, b.run->side[COB_COLS].labels, (size_t)t->d * sizeof *cols);
    one_hot_parts(&s, t, g, m, rows, cols);
    int iterations = 1;
    for (; iterations <= 3; iterations++) {
        b.problem.max_iterations = iterations;
        memcpy(b.run->side[COB_ROWS].labels, rows, (size_t)t->n * sizeof *rows);
        memcpy(b.run->side[COB_COLS].labels, cols, (size_t)t->d * sizeof *cols);
        assert_ok(cob_run_iterate(b.run, &err), err);
        if (!has_digits(model, t, &s))
            break;
        formula_rows(model, t, &s);
        assert_memberships(model, b.run->side[COB_ROWS].soft, s.p, t->n, g);
        memcpy(s.p, b.run->side[COB_ROWS].soft, (size_t)(t->n * g) * sizeof *s.p);
        if (!has_digits(model, t, &s))
            break;
        formula_cols(model, t, &s);
        assert_memberships(model, b.run->side[COB_COLS].soft, s.q, t->d, m);
        memcpy(s.q, b.run->side[COB_COLS].soft, (size_t)(t->d * m) * sizeof *s.q);
        assert_near(b.run->criterion, brute_likelihood(model, t, &s), 1e-10, model->name);
    }
    bench_close(&b);
    return iterations - 1;
}

static void test_soft_iterations(void **state)
{
    dice dc = dice_of(31);
    (void)state;
    for (int at = 0; at < KNOWN; at++) {
        int checked = 0;
        for (int round = 0; round < 20 && known_models[at].likelihood; round++) {
            table raw =
                random_table(&dc, 8 + roll_below(&dc, 6), 9 + roll_below(&dc, 4), 0.5, round % 2);
            table t = table_for(&known_models[at], &raw);
            if (known_models[at].family == POISSON && round % 4 >= 2) {
                t.own_effects = true;
                for (int i = 0; i < t.n; i++)
                    t.r[i] = 0.2 + roll(&dc);
                for (int j = 0; j < t.d; j++)
                    t.c[j] = 0.2 + roll(&dc);
            }
            checked += check_iterations(&dc, &known_models[at], &t);
        }
        assert_true(checked >= 20 || !known_models[at].likelihood);
    }
}

/* ---- draws ----------------------------------------------------------------------------------- */

enum { MANY = 40000 };

/* Lines of one entry each, all with the probabilities p; the counts must be as chance has it. */
static void check_frequencies(double temperature, bool by_effect, uint64_t seed)
{
    static int32_t row[MANY], col[MANY], labels[MANY];
    static double effects[MANY];
    static int32_t other = 0;
    static const double p[] = {0.5, 0.3, 0.15, 0.05};
    double A[4] = {0}, b[4] = {0}, e[4], sizes[4], masses[4], block[4], expected[4], sum = 0,
           chi = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    cob_pass_room *room = NULL;
    int64_t exact[8];
    double effect = 2, power = 1 / (temperature * (by_effect ? effect : 1));
    for (int i = 0; i < MANY; i++)
        row[i] = i, col[i] = 0, labels[i] = i % 4, effects[i] = effect;
    for (int k = 0; k < 4; k++) {
        e[k] = log(p[k]);
        sum += expected[k] = pow(p[k], power);
    }
    assert_ok(cobloc_matrix_from_triples(MANY, 1, MANY, row, col, NULL, &matrix, &err), err);
    cobloc_view view = cobloc_matrix_by_rows(matrix);
    cob_rule rule = {4, 1, false, A, b, e};
    cob_pass pass = {.view = &view,
                     .effects = effects,
                     .to = 4,
                     .from = 1,
                     .other_labels = &other,
                     .assign = COB_ASSIGN_DRAW,
                     .rule = &rule,
                     .temperature = temperature,
                     .temperature_by_effect = by_effect,
                     .stream = cob_stream_at(seed, 0, 1, 1),
                     .labels = labels,
                     .block = block,
                     .down = 1,
                     .across = 1,
                     .sizes = sizes,
                     .masses = masses,
                     .exact_block = exact,
                     .exact_masses = exact + 4};
    assert_ok(cob_pass_room_new(&view, 4, 1, 2, 0, &room, &err), err);
    cob_pass_run(&pass, room);
    for (int k = 0; k < 4; k++) {
        double mean = MANY * expected[k] / sum;
        chi += (sizes[k] - mean) * (sizes[k] - mean) / mean;
    }
    if (chi > 16.3) /* one in a thousand, with three degrees of freedom */
        fail_msg("chi-square %g at temperature %g", chi, temperature);
    cob_pass_room_free(room);
    cobloc_matrix_free(matrix);
}

static void test_frequencies(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 6; seed++) {
        check_frequencies(1, false, seed);
        check_frequencies(0.5, false, seed);
        check_frequencies(1, true, seed);
        check_frequencies(3, true, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_soft_iterations),
        cmocka_unit_test(test_frequencies),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
