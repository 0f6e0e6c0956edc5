/* What sizes are chosen by: each formula against one that adds up what it integrates or counts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "selecting.h"

#include "select/rules.h"

enum { G = 2, M = 3 };

static cob_stats stats_of(const table *t, const int32_t *rows, const int32_t *cols)
{
    cob_stats s = {0};
    cobloc_error err;
    cobloc_matrix *x = matrix_of(t);
    assert_int_equal(cob_stats_alloc(&s, G, M, &err), COBLOC_OK);
    assert_int_equal(cob_measure_labels(x, rows, cols, 1, &s, &err), COBLOC_OK);
    cobloc_matrix_free(x);
    return s;
}

/* One label after the other: Polya's urn, which begins with a ball of each cluster. */
static double urn(const int32_t *labels, int count, int clusters)
{
    double balls[M] = {1, 1, 1}, sum = 0;
    for (int i = 0; i < count; i++)
        sum += log(balls[labels[i]]++ / (clusters + i));
    return sum;
}

/* One cell after the other, each by what those before it tell of its block: with the prior
 * Gamma(1, 1) a Poisson count with exposure e is negative binomial; its terms without lambda, which
 * are the same for all partitions, are left out. */
static double cells_in_turn(const table *t, const int32_t *rows, const int32_t *cols,
                            bool bernoulli, double total)
{
    double seen[G][M] = {{0}}, exposure[G][M] = {{0}}, sum = 0;
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++) {
            double *a = &seen[rows[i]][cols[j]], *b = &exposure[rows[i]][cols[j]];
            double x = cell(t, i, j), e = bernoulli ? 1 : t->r[i] * t->c[j] / total;
            if (bernoulli)
                sum += log((x > 0 ? *a + 0.5 : *b - *a + 0.5) / (*b + 1));
            else
                sum += lgamma(1 + *a + x) - lgamma(1 + *a) + (1 + *a) * log(1 + *b) -
                       (1 + *a + x) * log(1 + *b + e);
            *a += x;
            *b += e;
        }
    return sum;
}

static void test_exact_icl(void **state)
{
    dice dc = dice_of(21);
    (void)state;
    for (int bernoulli = 0; bernoulli < 2; bernoulli++) {
        table t = planted_table(&dc, 12, 9, 3, 0.7, 0.3);
        int32_t rows[12], cols[9];
        double total = 0;
        for (int i = 0; bernoulli && i < t.n * t.d; i++)
            t.x[i] = t.x[i] > 0;
        take_margins(&t);
        for (int i = 0; i < t.n; i++)
            total += t.r[i];
        random_partition(&dc, t.n, G, rows);
        random_partition(&dc, t.d, M, cols);
        cob_stats s = stats_of(&t, rows, cols);
        double expected =
            urn(rows, t.n, G) + urn(cols, t.d, M) + cells_in_turn(&t, rows, cols, bernoulli, total);
        assert_near(cob_exact_icl(&s, bernoulli), expected, 1e-9, "exact ICL");
        cob_stats_free(&s);
    }
}

/* Two rows in one cluster, two columns in two, entries 2 1 / 0 1: 4 in all, rows of 3 and 1,
 * columns of 2 and 2, blocks of 2 and 2. labels of rows:     1 x 2! / 2! x 2 ways -> log 2 labels
 * of columns:  1 x 2! / (1! 1!) x 2 ways                             -> log 4 blocks:             4
 * in 2 blocks, 5 ways                                 -> log 5 sums of rows:       4 over 2 rows, 5
 * ways; of columns: 1 way each         -> log 5 matching of ends:   4! of rows, 2! 2! of columns,
 * over 2! 2! of blocks    -> log 24
 */
static void test_length_by_hand(void **state)
{
    table t = {.n = 2, .d = 2, .x = {2, 1, 0, 1}};
    static const int32_t rows[] = {0, 0}, cols[] = {0, 1};
    cob_stats s = {0};
    cobloc_error err;
    (void)state;
    take_margins(&t);
    cobloc_matrix *x = matrix_of(&t);
    assert_int_equal(cob_stats_alloc(&s, 1, 2, &err), COBLOC_OK);
    assert_int_equal(cob_measure_labels(x, rows, cols, 1, &s, &err), COBLOC_OK);
    assert_near(cob_description_length(&s), log(2.0 * 4 * 5 * 5 * 24), 1e-12, "length");
    cob_stats_free(&s);
    cobloc_matrix_free(x);
}

/* Halves add up to the whole, and each is half of it. */
static void test_thin(void **state)
{
    dice dc = dice_of(22);
    table t = random_table(&dc, 60, 60, 0.6, false);
    t.x[5] = 1000;
    take_margins(&t);
    cobloc_matrix *x = matrix_of(&t), *half[2];
    cob_stream stream = cob_stream_at(1, 2, 0, 3);
    cobloc_error err;
    (void)state;
    for (int h = 0; h < 2; h++)
        assert_int_equal(cob_thin(x, stream, h, 1, &half[h], &err), COBLOC_OK);
    table a = table_of(half[0]), b = table_of(half[1]);
    double first = 0, all = 0;
    for (int i = 0; i < t.n * t.d; i++) {
        assert_true(a.x[i] + b.x[i] == t.x[i]);
        first += a.x[i];
        all += t.x[i];
    }
    assert_true(fabs(first - all / 2) < 4 * sqrt(all) / 2);
    assert_true(fabs(a.x[5] - 500) < 4 * sqrt(1000.0) / 2);
    cobloc_matrix_free(half[0]);
    cobloc_matrix_free(half[1]);
    cobloc_matrix_free(x);
}

/* Cell by cell, with the mean of each block's lift after what was fitted. */
static void test_held_out(void **state)
{
    dice dc = dice_of(23);
    table t = planted_table(&dc, 12, 9, 3, 0.7, 0.3), u = planted_table(&dc, 12, 9, 3, 0.7, 0.3);
    int32_t rows[12], cols[9];
    double lift[G][M], mass[G][M] = {{0}}, held[G][M] = {{0}}, n = 0, m = 0, expected = 0;
    (void)state;
    random_partition(&dc, t.n, G, rows);
    random_partition(&dc, t.d, M, cols);
    for (int i = 0; i < t.n; i++) {
        n += t.r[i];
        m += u.r[i];
    }
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++) {
            held[rows[i]][cols[j]] += cell(&t, i, j);
            mass[rows[i]][cols[j]] += t.r[i] * t.c[j] / n;
        }
    for (int k = 0; k < G; k++)
        for (int l = 0; l < M; l++)
            lift[k][l] = (held[k][l] + 1) / (mass[k][l] + 1);
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++) {
            double by = lift[rows[i]][cols[j]];
            expected += (cell(&u, i, j) * log(by) - u.r[i] * u.c[j] / m * by) / m;
        }
    cob_stats fitted = stats_of(&t, rows, cols), other = stats_of(&u, rows, cols);
    assert_near(cob_held_out(&fitted, &other), expected, 1e-9, "held out");
    cob_stats_free(&fitted);
    cob_stats_free(&other);
}

/* Planted blocks are found by every rule; counts that are none are refused where they must be. */
static void test_planted(void **state)
{
    dice dc = dice_of(24);
    table t = planted_table(&dc, 60, 48, 3, 0.8, 0.05);
    (void)state;
    for (int by = COBLOC_BY_AGREEMENT; by <= COBLOC_BY_STABILITY; by++) {
        cobloc_select_options o = options_for("plbm", 2, 5);
        o.by = (cobloc_choice)by;
        o.fit.restarts = 2;
        cobloc_selection *s = must_select(&t, &o);
        if (s->curve[s->chosen].k != 3)
            fail_msg("by %s: %s", cobloc_choice_name(o.by), s->summary);
        cobloc_selection_free(s);
    }
}

static void test_refused(void **state)
{
    static const char *const two[] = {"plbm", "splbm-exact"};
    dice dc = dice_of(25);
    table t = planted_table(&dc, 12, 12, 2, 0.7, 0.2);
    cobloc_select_options o = options_for("coclus", 2, 3);
    cobloc_selection *s = NULL;
    cobloc_error err;
    (void)state;
    t.x[0] = 0.5;
    take_margins(&t);
    cobloc_matrix *x = matrix_of(&t);
    o.by = COBLOC_BY_THINNING;
    assert_int_equal(cobloc_select(x, &o, &s, &err), COBLOC_BAD_DATA);
    assert_non_null(strstr(err.message, "only counts can be split"));
    o.models = two;
    o.model_count = 2;
    assert_int_equal(cobloc_select(x, &o, &s, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "compared by ICL"));
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_icl), cmocka_unit_test(test_length_by_hand),
        cmocka_unit_test(test_thin),      cmocka_unit_test(test_held_out),
        cmocka_unit_test(test_planted),   cmocka_unit_test(test_refused),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
