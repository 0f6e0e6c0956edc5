/* The models against their definitions: criteria, the best of all partitions, steps that never make
 * things worse, parameters that nothing near them beats.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

/* splbm is splbm-exact with another rule, which need not ascend: all else holds for both. */
static bool describes(const known *model, const char *name)
{
    return is_model(model, strcmp(name, "splbm") == 0 ? "splbm-exact" : name);
}

static void test_list(void **state)
{
    (void)state;
    enum { WITH_LAYERS = 2 }; /* glbm and clbm: test_layers.c is about these */
    assert_null(cob_model_at(KNOWN + 1 + WITH_LAYERS)); /* methods that are not models come after */
    assert_true(cobloc_model_count() > KNOWN + 1 + WITH_LAYERS);
    for (int i = 0; cob_model_at(i); i++) {
        if (cob_model_at(i)->entries != COB_VALUES)
            continue;
        const known *model = NULL;
        const cob_model *found = cob_model_named(cobloc_model_name(i));
        for (int k = 0; k < KNOWN; k++)
            if (describes(&known_models[k], cobloc_model_name(i)))
                model = &known_models[k];
        assert_non_null(model);
        assert_ptr_equal(found, cob_model_at(i));
        assert_int_equal(cobloc_model_is_diagonal(i), model->diagonal);
        assert_int_equal(cobloc_model_has_probabilities(i), model->likelihood);
        assert_int_equal(found->minimised, model->minimised);
        assert_int_equal(cob_zeros_matter(found), model->zeros_matter);
    }
    for (int i = 0; i < cobloc_model_count(); i++)
        assert_int_equal(cobloc_model_find(cobloc_model_name(i)), i);
    assert_int_equal(cobloc_model_find("nosuch"), -1);
    assert_int_equal(cobloc_model_find(NULL), -1);
    assert_null(cobloc_model_name(-1));
    assert_null(cobloc_model_name(cobloc_model_count()));
    assert_null(cob_model_named(""));
}

/* ---- criteria -------------------------------------------------------------------------------- */

/* Columns must be many enough for socc's sections. */
static table small_table(dice *dc, const known *model, int round)
{
    int n = 4 + roll_below(dc, 4), d = 4 + roll_below(dc, 3);
    if (is_model(model, "socc"))
        d = 7 + roll_below(dc, 3);
    table t = random_table(dc, n, d, round % 3 ? 0.6 : 0.9, round % 2 == 1);
    return table_for(model, &t);
}

static void check_blocks(const bench *b, const int32_t *rows, const int32_t *cols)
{
    for (int k = 0; k < b->run->side[COB_ROWS].clusters; k++)
        for (int l = 0; l < b->run->side[COB_COLS].clusters; l++) {
            double sum = 0;
            for (int i = 0; i < b->t.n; i++)
                for (int j = 0; j < b->t.d; j++)
                    sum += rows[i] == k && cols[j] == l ? cell(&b->t, i, j) : 0;
            assert_near(cob_block(&b->run->stats, k, l), sum, rounding(&b->t, 1e-12), "block");
        }
}

static void check_criterion(dice *dc, const known *model, const table *t)
{
    int32_t rows[MOST_LINES], cols[MOST_LINES];
    int g = 2 + roll_below(dc, 2), m = columns_for(model, g, 2 + roll_below(dc, 2));
    bench b;
    bench_open(&b, model, t, g, m, COBLOC_HARD);
    for (int round = 0; round < 5; round++) {
        random_partition(dc, t->n, g, rows);
        random_partition(dc, t->d, m, cols);
        memcpy(b.run->side[COB_ROWS].labels, rows, (size_t)t->n * sizeof *rows);
        memcpy(b.run->side[COB_COLS].labels, cols, (size_t)t->d * sizeof *cols);
        cob_run_measure(b.run);
        assert_near(b.run->criterion, brute_value(model, t, g, m, rows, cols),
                    nearness(model, t, 1e-10), model->name);
        check_blocks(&b, rows, cols);
    }
    bench_close(&b);
}

static void test_criteria(void **state)
{
    dice dc = dice_of(1);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < rounds_of(40); round++) {
            table t = small_table(&dc, &known_models[at], round);
            check_criterion(&dc, &known_models[at], &t);
        }
}

/* Effects that are not the sums. */
static void test_criteria_with_effects(void **state)
{
    dice dc = dice_of(2);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < 20 && known_models[at].family == POISSON; round++) {
            table t = small_table(&dc, &known_models[at], round);
            t.own_effects = true;
            for (int i = 0; i < t.n; i++)
                t.r[i] = 0.1 + 2 * roll(&dc);
            for (int j = 0; j < t.d; j++)
                t.c[j] = 0.1 + 2 * roll(&dc);
            check_criterion(&dc, &known_models[at], &t);
        }
}

/* A few numbers worked by hand: a test of the test, too. */
static void test_by_hand(void **state)
{
    /* 2 1 0 / 0 0 3, rows {0} {1}, columns {0, 1} {2} */
    table t = {.n = 2, .d = 3, .x = {2, 1, 0, 0, 0, 3}};
    static const int32_t rows[] = {0, 1}, cols[] = {0, 0, 1};
    const struct {
        const char *name;
        double expected;
    } answers[] = {
        {"coclus", 0.5}, /* (3 - 9/6 + 3 - 9/6) / 6 */
        {"itcc", 0.69314718055994531},
        {"fnmtf", 0.5},
        {"dlbm3", 0},
        {"block", 0},
        {"dcc", 3 / sqrt(5) / sqrt(2) + 1},
        {"lbm", 2 * log(0.5) + 2 * log(2.0 / 3) + log(1.0 / 3)},
        {"dlbm2", 2 * log(0.5) + 2 * log(2.0 / 3) + log(1.0 / 3)},
        /* rates: 3 * 2 / 3 = 2, 3 * 1 / 3 = 1, 3 * 3 / 9 * 3 = 3; all others 0 */
        {"splbm-exact", 2 * log(0.5) + 2 * log(2.0 / 3) + log(1.0 / 3) + 2 * log(2) - log(2) +
                            3 * log(3) - log(6) - 6},
    };
    (void)state;
    for (size_t a = 0; a < sizeof answers / sizeof *answers; a++)
        for (int at = 0; at < KNOWN; at++)
            if (is_model(&known_models[at], answers[a].name)) {
                table own = table_for(&known_models[at], &t);
                bench b;
                bench_open(&b, &known_models[at], &own, 2, 2, COBLOC_HARD);
                memcpy(b.run->side[COB_ROWS].labels, rows, sizeof rows);
                memcpy(b.run->side[COB_COLS].labels, cols, sizeof cols);
                cob_run_measure(b.run);
                assert_near(b.run->criterion, answers[a].expected, rounding(&own, 1e-12),
                            answers[a].name);
                assert_near(brute_value(&known_models[at], &own, 2, 2, rows, cols),
                            answers[a].expected, 1e-12, "brute force");
                bench_close(&b);
            }
}

/* ---- the best of all partitions -------------------------------------------------------------- */

/* The labels of number `code` in base `clusters`; false if some cluster is empty. With `ordered`,
 * only those whose clusters first appear in their order count. */
static bool decode(int code, int count, int clusters, bool ordered, int32_t *labels)
{
    int seen = 0, next = 0;
    for (int i = 0; i < count; i++) {
        labels[i] = code % clusters;
        code /= clusters;
        if (ordered && labels[i] > next)
            return false;
        next += labels[i] == next;
        seen |= 1 << labels[i];
    }
    return seen == (1 << clusters) - 1;
}

static int power(int base, int exponent)
{
    return exponent > 0 ? base * power(base, exponent - 1) : 1;
}

static double best_of_all(const known *model, const table *t, int g, int m)
{
    int32_t rows[MOST_LINES], cols[MOST_LINES];
    double best = model->minimised ? INFINITY : -INFINITY;
    for (int a = 0; a < power(g, t->n); a++) {
        if (!decode(a, t->n, g, true, rows))
            continue;
        for (int c = 0; c < power(m, t->d); c++) {
            if (!decode(c, t->d, m, !model->diagonal, cols))
                continue;
            double value = brute_value(model, t, g, m, rows, cols);
            best = model->minimised ? fmin(best, value) : fmax(best, value);
        }
    }
    return best;
}

static double best_of_restarts(const known *model, const table *given, int g, int m,
                               cobloc_start start, int restarts)
{
    cobloc_error err;
    cobloc_fit_options o;
    cobloc_result *result = NULL;
    cobloc_matrix *x = matrix_of(given);
    double best = model->minimised ? INFINITY : -INFINITY;
    cob_fit_options_default(&o);
    o.model = model->name;
    o.k = g;
    o.l = model->diagonal ? 0 : m;
    o.start = start;
    o.restarts = restarts;
    o.threads = 1;
    assert_ok(cobloc_fit(x, &o, &result, &err), err);
    for (int r = 0; r < restarts; r++)
        best = model->minimised ? fmin(best, result->restart_criteria[r])
                                : fmax(best, result->restart_criteria[r]);
    cobloc_result_free(result);
    cobloc_matrix_free(x);
    return best;
}

/* True if the best of many restarts is the best there is. Never may it be better. */
static bool finds_best(const known *model, const table *given, int g, int m)
{
    table t = table_for(model, given);
    double best = best_of_all(model, &t, g, m), slack = 1e-9 * fmax(1, fabs(best));
    double found = best_of_restarts(model, given, g, m, COBLOC_START_RANDOM, 100);
    double other = best_of_restarts(model, given, g, m, COBLOC_START_AUTO, 6);
    found = model->minimised ? fmin(found, other) : fmax(found, other);
    if (model->minimised ? found < best - slack : found > best + slack)
        fail_msg("%s: found %.17g, but the best is %.17g", model->name, found, best);
    return fabs(found - best) <= slack;
}

static void test_global_optimum(void **state)
{
    static const int shapes[][4] = {
        {5, 4, 2, 2}, {4, 5, 2, 2}, {6, 5, 2, 2}, {5, 4, 2, 3}, {6, 5, 3, 3}};
    static const int rounds[] = {12, 8, 8, 4, 2};
    dice dc = dice_of(3);
    (void)state;
    for (int at = 0; at < KNOWN; at++) {
        const known *model = &known_models[at];
        int found = 0, tried = 0;
        for (int s = 0; s < 5 && !is_model(model, "socc"); s++)
            for (int round = 0; round < rounds_of(rounds[s]); round++) {
                const int *shape = shapes[s];
                table t = distinct_table(&dc, shape[0], shape[1], 0.65, round % 2 == 1);
                found += finds_best(model, &t, shape[2], model->diagonal ? shape[2] : shape[3]);
                tried++;
            }
        print_message("%s: the best partition found for %d of %d tables\n", model->name, found,
                      tried);
        assert_true(found >= tried - 1 - tried / 10);
    }
}

/* ---- never worse ----------------------------------------------------------------------------- */

static void check_trace(const known *model, const cob_run *run, double before)
{
    double scale = fabs(before);
    for (size_t i = 0; i < run->trace_count; i++) {
        double now = run->trace[i], gain = model->minimised ? before - now : now - before;
        if (!(gain >= -1e-9 * fmax(scale, fabs(now)) - 1e-12))
            fail_msg("%s, %s: iteration %d goes from %.17g to %.17g", model->name,
                     cobloc_inference_name(run->problem->inference), (int)i + 1, before, now);
        before = now;
    }
}

static void check_monotone(dice *dc, const known *model, const table *given,
                           cobloc_inference inference)
{
    cobloc_error err;
    table t = table_for(model, given);
    int g = 1 + roll_below(dc, is_model(model, "socc") ? 3 : 4);
    int m = columns_for(model, g, 1 + roll_below(dc, 4));
    bench b;
    bench_open(&b, model, &t, g, m, inference);
    for (int start = 0; start < 8; start++) {
        random_partition(dc, t.n, g, b.run->side[COB_ROWS].labels);
        random_partition(dc, t.d, m, b.run->side[COB_COLS].labels);
        cob_run_measure(b.run);
        double before = b.run->criterion;
        assert_ok(cob_run_iterate(b.run, &err), err);
        check_trace(model, b.run, before);
        if (inference == COBLOC_HARD)
            assert_near(b.run->criterion,
                        brute_value(model, &t, g, m, b.run->side[COB_ROWS].labels,
                                    b.run->side[COB_COLS].labels),
                        nearness(model, &t, 1e-9), model->name);
    }
    bench_close(&b);
}

static void check_monotone_rounds(uint64_t seed, int rounds, cobloc_inference inference)
{
    dice dc = dice_of(seed);
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < rounds; round++) {
            int n = 8 + roll_below(&dc, 16), d = 8 + roll_below(&dc, 12);
            table t = round % 3 == 2 ? planted_table(&dc, n, d, 3, 0.6, 0.1)
                                     : random_table(&dc, n, d, 0.3, round % 3 == 1);
            if (inference == COBLOC_HARD || known_models[at].likelihood)
                check_monotone(&dc, &known_models[at], &t, inference);
        }
}

static void test_hard_never_worsens(void **state)
{
    (void)state;
    check_monotone_rounds(4, rounds_of(50), COBLOC_HARD);
}

static void test_soft_never_worsens(void **state)
{
    (void)state;
    check_monotone_rounds(5, rounds_of(20), COBLOC_SOFT);
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* The dispersion that a block's parameter stands for, and back: the same function. */
static double turned_round(const known *model, double delta, int k, int l)
{
    return model->bounded && k == l ? 1 - delta : delta;
}

/* Steps along which socc's parameters may be moved where the effects are sums: all of a row
 * cluster, all of a column cluster, or the blocks that these columns are about, by this factor. */
static double value_scaled(const bench *b, int row, int col, bool lift, double factor)
{
    int g = b->run->side[COB_ROWS].clusters, m = b->run->side[COB_COLS].clusters;
    cob_theta *theta = &b->run->theta;
    for (int k = 0; k < g; k++)
        for (int l = 0; l < m; l++)
            if (k == row || (l == col && (!lift || about(g, k, l))))
                *cob_delta(theta, k, l) *= factor;
    double value = b->problem.model->value(&b->run->stats, theta);
    for (int k = 0; k < g; k++)
        for (int l = 0; l < m; l++)
            if (k == row || (l == col && (!lift || about(g, k, l))))
                *cob_delta(theta, k, l) /= factor;
    return value;
}

/* How much more a column cluster holds in what it is about, row clusters being equal. */
static double lift_of(const bench *b, int l)
{
    int g = b->run->side[COB_ROWS].clusters, common = b->run->side[COB_COLS].clusters - 1;
    double rate[2] = {0, 0};
    for (int k = 0; k < g; k++)
        rate[about(g, k, l)] =
            *cob_delta(&b->run->theta, k, l) / *cob_delta(&b->run->theta, k, common);
    return rate[0] > 0 ? rate[1] / rate[0] : INFINITY;
}

static void check_scaled(const bench *b)
{
    int g = b->run->side[COB_ROWS].clusters, m = b->run->side[COB_COLS].clusters;
    double here = value_scaled(b, -1, -1, false, 1), slack = 1e-9 * fabs(here), h = 1e-3;
    for (int k = 0; k < g; k++) {
        assert_true(value_scaled(b, k, -1, false, 1 + h) < here + slack);
        assert_true(value_scaled(b, k, -1, false, 1 - h) < here + slack);
    }
    for (int l = 0; l < m; l++) {
        double lift = lift_of(b, l);
        assert_true(value_scaled(b, -1, l, false, 1 + h) < here + slack);
        assert_true(value_scaled(b, -1, l, false, 1 - h) < here + slack);
        assert_true(value_scaled(b, -1, l, true, 1 + h) < here + slack);
        if (lift > 1 + h)
            assert_true(value_scaled(b, -1, l, true, 1 - h) < here + slack);
        assert_true(lift > 1 - 1e-9);
    }
}

/* The criterion with the parameter that block (k, l) shares set to `rate`. */
static double value_with(const bench *b, const known *model, int k, int l, double rate)
{
    int g = b->run->side[COB_ROWS].clusters, m = b->run->side[COB_COLS].clusters,
        own = sharing(model, g, m, k, l);
    cob_theta changed;
    cobloc_error err;
    assert_ok(cob_theta_alloc(&changed, g, m, &err), err);
    cob_theta_copy(&changed, &b->run->theta);
    for (int a = 0; a < g; a++)
        for (int c = 0; c < m; c++)
            if (sharing(model, g, m, a, c) == own)
                *cob_delta(&changed, a, c) = turned_round(model, rate, a, c);
    double value = b->problem.model->value(&b->run->stats, &changed);
    cob_theta_free(&changed);
    return value;
}

static void check_rate(const bench *b, const known *model, int k, int l)
{
    double rate = turned_round(model, *cob_delta(&b->run->theta, k, l), k, l), h = 1e-4 * rate;
    double here = value_with(b, model, k, l, rate), sign = model->minimised ? -1 : 1;
    double low = value_with(b, model, k, l, rate - h), high = value_with(b, model, k, l, rate + h);
    bool at_bound = model->bounded && rate + h > 0.5;
    if (rate == 0 || (model->family == BERNOULLI && rate + h >= 1))
        return;
    if (sign * low > sign * here || (!at_bound && sign * high > sign * here))
        fail_msg("%s: block %d, %d: %.17g gives %.17g, beside it %.17g and %.17g", model->name, k,
                 l, rate, here, low, high);
    /* The slope, against the curvature: d log-likelihood / d log rate. */
    if (!at_bound && fabs(high - low) > 1e-3 * fabs(2 * here - high - low) + 1e-11 * fabs(here))
        fail_msg("%s: block %d, %d: slope %g at %g", model->name, k, l, (high - low) / (2 * h),
                 rate);
}

/* Moves a bit of one proportion to another. */
static void check_proportions(const bench *b, const known *model, double *p, int count)
{
    double here = b->problem.model->value(&b->run->stats, &b->run->theta), sum = 0;
    for (int k = 0; k < count; k++)
        sum += p[k];
    assert_near(sum, 1, 1e-12, "proportions");
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++) {
            double h = 1e-4 * p[k], keep_k = p[k], keep_l = p[l];
            if (k == l)
                continue;
            p[k] += h, p[l] -= h;
            double there = b->problem.model->value(&b->run->stats, &b->run->theta);
            p[k] = keep_k, p[l] = keep_l;
            if (there >= here)
                fail_msg("%s: proportions %g, %g are not the best", model->name, keep_k, keep_l);
        }
}

static void test_parameters_are_the_best(void **state)
{
    dice dc = dice_of(6);
    cobloc_error err;
    (void)state;
    for (int round = 0; round < 240; round++) {
        const known *model = &known_models[round % KNOWN];
        table raw = random_table(&dc, 12, 14, 0.5, round % 24 < 12), t = table_for(model, &raw);
        int g = 2 + roll_below(&dc, 2), m = columns_for(model, g, 3);
        bool soft = model->likelihood && round % 5 < 2;
        bench b;
        if (!model->likelihood && model->family != SQUARES)
            continue;
        bench_open(&b, model, &t, g, m, soft ? COBLOC_SOFT : COBLOC_HARD);
        random_partition(&dc, t.n, g, b.run->side[COB_ROWS].labels);
        random_partition(&dc, t.d, m, b.run->side[COB_COLS].labels);
        cob_run_measure(b.run);
        b.problem.max_iterations = 2;
        if (soft)
            assert_ok(cob_run_iterate(b.run, &err), err);
        if (scales_effects(model, &t))
            check_scaled(&b);
        for (int k = 0; k < g && !scales_effects(model, &t); k++)
            for (int l = 0; l < m; l++)
                check_rate(&b, model, k, l);
        if (model->likelihood) {
            check_proportions(&b, model, b.run->theta.pi, g);
            check_proportions(&b, model, b.run->theta.rho, m);
        }
        bench_close(&b);
    }
}

/* Dispersions stay within [0, 1/2], also where the table is the mirror image of a diagonal one. */
static void test_dispersions_are_bounded(void **state)
{
    dice dc = dice_of(7);
    (void)state;
    for (int round = 0; round < rounds_of(60); round++)
        for (int at = 0; at < KNOWN; at++) {
            const known *model = &known_models[at];
            if (!model->bounded)
                continue;
            table raw = random_table(&dc, 9, 8, 0.7, false), t = table_for(model, &raw);
            bench b;
            bench_open(&b, model, &t, 3, 3, COBLOC_HARD);
            random_partition(&dc, t.n, 3, b.run->side[COB_ROWS].labels);
            random_partition(&dc, t.d, 3, b.run->side[COB_COLS].labels);
            cob_run_measure(b.run);
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    double eps = turned_round(model, *cob_delta(&b.run->theta, k, l), k, l);
                    assert_true(eps >= 0 && eps <= 0.5);
                }
            bench_close(&b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_criteria),
        cmocka_unit_test(test_criteria_with_effects),
        cmocka_unit_test(test_global_optimum),
        cmocka_unit_test(test_hard_never_worsens),
        cmocka_unit_test(test_soft_never_worsens),
        cmocka_unit_test(test_parameters_are_the_best),
        cmocka_unit_test(test_dispersions_are_bounded),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
