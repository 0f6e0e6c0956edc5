/* Models whose entries say several things, and missing cells: glbm, clbm, and the Bernoulli models
 * on tables with gaps. Everything is judged by sums over the cells of a dense table.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gappy.h"

#include "fit/fit.h"
#include "matrix/matrix.h"

static const char *const models[] = {"glbm", "clbm", "lbm", "dlbm1", "dlbm2", "dlbm3", "block"};
enum { MODELS = 7 };

static const cob_model *model_of(int at)
{
    return cob_model_named(models[at]);
}

/* ---- the models, cell by cell ---------------------------------------------------------------- */

typedef struct block {
    long double cells, sum, squares, of[CATEGORIES];
} block;

static void find_blocks(const table *t, const parts *s, block *blocks)
{
    memset(blocks, 0, MOST_CLUSTERS * MOST_CLUSTERS * sizeof *blocks);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++)
            for (int k = 0; k < s->g; k++)
                for (int l = 0; l < s->m; l++) {
                    long double weight = (long double)s->p[i * s->g + k] * s->q[j * s->m + l];
                    block *b = &blocks[k * s->m + l];
                    double x = cell(t, i, j);
                    if (isnan(x))
                        continue;
                    b->cells += weight;
                    b->sum += weight * x;
                    if (x >= 0 && x < CATEGORIES && x == floor(x))
                        b->of[(int)x] += weight;
                }
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->d; j++)
            for (int k = 0; k < s->g; k++)
                for (int l = 0; l < s->m; l++) {
                    block *b = &blocks[k * s->m + l];
                    long double away = cell(t, i, j) - b->sum / b->cells;
                    if (!isnan(cell(t, i, j)))
                        b->squares +=
                            (long double)s->p[i * s->g + k] * s->q[j * s->m + l] * away * away;
                }
}

static long double x_log(long double x, long double y)
{
    return x > 0 ? x * logl(y) : 0;
}

static long double variance_of(const table *t)
{
    long double sum = 0, squares = 0, cells = 0;
    for (int c = 0; c < t->n * t->d; c++)
        if (!isnan(t->x[c])) {
            sum += t->x[c];
            cells++;
        }
    for (int c = 0; c < t->n * t->d; c++)
        if (!isnan(t->x[c]))
            squares += (t->x[c] - sum / cells) * (t->x[c] - sum / cells);
    return squares / cells;
}

/* What one block adds; of dlbm2, `wrong` and `all` are of its row cluster. */
static long double block_value(const cob_model *model, const block *b, bool inside, long double all,
                               long double wrong, long double variance)
{
    long double own = b->sum / b->cells;
    if (b->cells <= 0)
        return 0;
    if (is(model, "glbm")) {
        long double s2 = fmaxl(b->squares / b->cells, 1e-6L * variance);
        return -b->cells / 2 * logl(2 * acosl(-1) * s2) - b->squares / (2 * s2);
    }
    if (is(model, "clbm")) {
        long double value = 0;
        for (int c = 0; c < CATEGORIES; c++)
            value += x_log(b->of[c], b->of[c] / b->cells);
        return value;
    }
    if (is(model, "dlbm2"))
        own = inside ? 1 - fminl(wrong / all, 0.5L) : fminl(wrong / all, 0.5L);
    else if (is(model, "dlbm1"))
        own = inside ? fmaxl(own, 0.5L) : fminl(own, 0.5L);
    return x_log(b->sum, own) + x_log(b->cells - b->sum, 1 - own);
}

/* The criterion of memberships, with their entropies. */
static double value_of(const cob_model *model, const table *t, const parts *s)
{
    static block blocks[MOST_CLUSTERS * MOST_CLUSTERS];
    long double value = 0, size[2][MOST_CLUSTERS] = {{0}}, wrong_cells = 0;
    find_blocks(t, s, blocks);
    for (int k = 0; k < s->g; k++) {
        long double all = 0, wrong = 0;
        for (int l = 0; l < s->m; l++) {
            const block *b = &blocks[k * s->m + l];
            all += b->cells;
            wrong += k == l ? b->cells - b->sum : b->sum;
        }
        wrong_cells += wrong;
        for (int l = 0; l < s->m; l++)
            value += block_value(model, &blocks[k * s->m + l], k == l, all, wrong, variance_of(t));
    }
    if (!model->likelihood)
        return (double)wrong_cells;
    for (int c = 0; c < t->n * s->g; c++)
        size[0][c % s->g] += s->p[c];
    for (int c = 0; c < t->d * s->m; c++)
        size[1][c % s->m] += s->q[c];
    for (int c = 0; c < t->n * s->g; c++)
        value += x_log(s->p[c], size[0][c % s->g] / t->n / (s->p[c] > 0 ? s->p[c] : 1));
    for (int c = 0; c < t->d * s->m; c++)
        value += x_log(s->q[c], size[1][c % s->m] / t->d / (s->q[c] > 0 ? s->q[c] : 1));
    return (double)value;
}

static double hard_value(const cob_model *model, const table *t, int g, int m, const int32_t *rows,
                         const int32_t *cols)
{
    static parts s;
    one_hot_parts(&s, t, g, m, rows, cols);
    return value_of(model, t, &s);
}

/* ---- the engine ------------------------------------------------------------------------------ */

typedef struct trial {
    cobloc_matrix *x;
    cob_problem problem;
    cob_run *run;
} trial;

static void trial_open(trial *b, const cob_model *model, const table *t, int g, int m,
                       cobloc_inference inference)
{
    cobloc_error err;
    *b = (trial){.x = gappy_matrix(t)};
    b->problem = (cob_problem){.x = b->x,
                               .model = model,
                               .inference = inference,
                               .max_iterations = 100,
                               .tolerance = 1e-12,
                               .stochastic = 30,
                               .burn_in = 20,
                               .seed = 1,
                               .watch = {.deadline = INFINITY}};
    assert_ok(cob_problem_measure(&b->problem, &err), err);
    assert_ok(cob_run_new(&b->problem, g, m, 0, 1, &b->run, &err), err);
}

static void trial_close(trial *b)
{
    cob_run_free(b->run);
    cob_problem_free(&b->problem);
    cobloc_matrix_free(b->x);
}

static int columns_of(const cob_model *model, int g, int wanted)
{
    return cob_column_clusters(model->structure, g, wanted);
}

static void label_at_random(dice *dc, const table *t, trial *b)
{
    random_partition(dc, t->n, b->run->side[COB_ROWS].clusters, b->run->side[COB_ROWS].labels);
    random_partition(dc, t->d, b->run->side[COB_COLS].clusters, b->run->side[COB_COLS].labels);
    cob_run_measure(b->run);
}

static double gaps_of(int round)
{
    return round % 3 == 0 ? 0 : round % 3 == 1 ? 0.1 : 0.4;
}

static void criteria_are_sums_over_cells(void **state)
{
    dice dc = dice_of(1);
    (void)state;
    for (int at = 0; at < MODELS; at++)
        for (int round = 0; round < rounds_of(60); round++) {
            const cob_model *model = model_of(at);
            table t = gappy_table(&dc, model, 5 + roll_below(&dc, 8), 5 + roll_below(&dc, 6),
                                  gaps_of(round));
            int g = 1 + roll_below(&dc, 3), m = columns_of(model, g, 1 + roll_below(&dc, 4));
            trial b;
            trial_open(&b, model, &t, g, m, COBLOC_HARD);
            label_at_random(&dc, &t, &b);
            assert_near(b.run->criterion,
                        hard_value(model, &t, g, m, b.run->side[COB_ROWS].labels,
                                   b.run->side[COB_COLS].labels),
                        1e-9, model->name);
            trial_close(&b);
        }
}

static void check_ascent(dice *dc, const cob_model *model, int round, cobloc_inference inference)
{
    static parts s;
    cobloc_error err;
    table t =
        gappy_table(dc, model, 8 + roll_below(dc, 12), 8 + roll_below(dc, 10), gaps_of(round));
    int g = 1 + roll_below(dc, 4), m = columns_of(model, g, 1 + roll_below(dc, 4));
    trial b;
    trial_open(&b, model, &t, g, m, inference);
    label_at_random(dc, &t, &b);
    double before = b.run->criterion;
    assert_ok(cob_run_iterate(b.run, &err), err);
    for (size_t i = 0; i < b.run->trace_count; i++) {
        double now = b.run->trace[i], gain = model->minimised ? before - now : now - before;
        if (!(gain >= -1e-9 * fmax(1, fabs(now))))
            fail_msg("%s: iteration %d goes from %.17g to %.17g", model->name, (int)i, before, now);
        before = now;
    }
    s.g = g, s.m = m;
    if (inference == COBLOC_SOFT) {
        memcpy(s.p, b.run->side[COB_ROWS].soft, (size_t)(t.n * g) * sizeof *s.p);
        memcpy(s.q, b.run->side[COB_COLS].soft, (size_t)(t.d * m) * sizeof *s.q);
    } else {
        one_hot_parts(&s, &t, g, m, b.run->side[COB_ROWS].labels, b.run->side[COB_COLS].labels);
    }
    assert_near(before, value_of(model, &t, &s), 1e-8, model->name);
    trial_close(&b);
}

/* Hard and soft iterations never worsen, and end with what brute force makes of the memberships. */
static void iterations_never_worsen(void **state)
{
    dice dc = dice_of(2);
    (void)state;
    for (int at = 0; at < MODELS; at++)
        for (int round = 0; round < rounds_of(40); round++) {
            check_ascent(&dc, model_of(at), round, COBLOC_HARD);
            if (model_of(at)->likelihood)
                check_ascent(&dc, model_of(at), round, COBLOC_SOFT);
        }
}

/* No parameter near those that are estimated is better; floors aside. */
static void parameters_are_the_best(void **state)
{
    dice dc = dice_of(3);
    (void)state;
    for (int round = 0; round < 60; round++) {
        const cob_model *model = model_of(round % 2);
        table t = gappy_table(&dc, model, 14, 12, gaps_of(round / 2));
        trial b;
        trial_open(&b, model, &t, 2, 3, COBLOC_HARD);
        label_at_random(&dc, &t, &b);
        cob_theta *theta = &b.run->theta;
        for (int k = 0; k < 2; k++)
            for (int l = 0; l < 3; l++)
                for (int p = 0; p < theta->parameters; p++)
                    for (int sign = -1; sign <= 1; sign += 2) {
                        double *own = cob_parameter(theta, p, k, l), keep = *own, h = 1e-3 * keep;
                        double *other = cob_parameter(theta, (p + 1) % theta->parameters, k, l);
                        double kept = *other;
                        *own += sign * h;
                        if (is(model, "clbm"))
                            *other -= sign * h; /* probabilities sum to 1 */
                        double there = model->value(&b.run->stats, theta);
                        if (h != 0 && kept > 2 * fabs(h))
                            assert_true(there < b.run->criterion + 1e-12 * fabs(b.run->criterion));
                        *own = keep, *other = kept;
                    }
        trial_close(&b);
    }
}

/* ---- fits ------------------------------------------------------------------------------------ */

static cobloc_result *fit_gappy(const table *t, const char *model, int k, int l,
                                cobloc_inference inference, int threads)
{
    cobloc_error err;
    cobloc_fit_options o;
    cobloc_result *result = NULL;
    cobloc_matrix *x = gappy_matrix(t);
    cob_fit_options_default(&o);
    o.model = model, o.k = k, o.l = l, o.inference = inference, o.threads = threads;
    o.restarts = 12;
    if (cobloc_fit(x, &o, &result, &err) != COBLOC_OK)
        fail_msg("%s: %s", model, err.message);
    cobloc_matrix_free(x);
    return result;
}

/* Every partition of `count` lines: the next one after `labels`, or false. */
static bool next_partition(int32_t *labels, int count, int clusters)
{
    for (int i = 0; i < count; i++) {
        if (++labels[i] < clusters)
            return true;
        labels[i] = 0;
    }
    return false;
}

static bool has_both(const int32_t *labels, int count)
{
    int ones = 0;
    for (int i = 0; i < count; i++)
        ones += labels[i];
    return ones > 0 && ones < count;
}

/* On tiny tables, fits find the best of all partitions, nearly always, and nothing better. */
static void the_best_partition_is_found(void **state)
{
    dice dc = dice_of(30);
    (void)state;
    for (int at = 0; at < 3; at++) {
        int found = 0, tried = rounds_of(20);
        for (int round = 0; round < tried; round++) {
            const cob_model *model = model_of(at);
            table t = gappy_table(&dc, model, 6, 5, round % 2 * 0.15);
            int32_t rows[6] = {0}, cols[5];
            double best = -INFINITY;
            while (next_partition(rows, 6, 2)) {
                memset(cols, 0, sizeof cols);
                while (has_both(rows, 6) && next_partition(cols, 5, 2))
                    if (has_both(cols, 5))
                        best = fmax(best, hard_value(model, &t, 2, 2, rows, cols));
            }
            cobloc_result *r = fit_gappy(&t, model->name, 2, 2, COBLOC_HARD, 1);
            assert_true(r->criterion <= best + 1e-9 * fabs(best));
            found += r->criterion >= best - 1e-9 * fabs(best);
            cobloc_result_free(r);
        }
        print_message("%s: the best of all for %d of %d tables\n", models[at], found, tried);
        assert_true(found >= tried * 2 / 3);
    }
}

static void check_classes(const cobloc_result *r)
{
    for (int64_t i = 0; i < r->n; i++)
        assert_int_equal(r->row_labels[i], r->row_labels[i % 3]);
    for (int64_t j = 0; j < r->d; j++)
        assert_int_equal(r->col_labels[j], r->col_labels[j % 2]);
    assert_true(r->row_labels[0] != r->row_labels[1] && r->row_labels[1] != r->row_labels[2]);
    assert_true(r->col_labels[0] != r->col_labels[1]);
    assert_true(isnan(r->explained_information) || r->explained_information <= 1 + 1e-9);
    assert_true(isfinite(r->icl) && isfinite(r->criterion));
}

static void planted_blocks_are_found(void **state)
{
    (void)state;
    for (int round = 0; round < 12; round++) {
        dice dc = dice_of((uint64_t)(10 + round));
        bool codes = round % 2;
        table t = planted_classes(&dc, codes, 0, 1, round % 3 * 0.15);
        cobloc_inference inference = (cobloc_inference)(COBLOC_HARD + round % 4);
        cobloc_result *r = fit_gappy(&t, codes ? "clbm" : "glbm", 3, 2, inference, 1);
        cobloc_result *again = fit_gappy(&t, codes ? "clbm" : "glbm", 3, 2, inference, 3);
        check_classes(r);
        assert_true(r->criterion == again->criterion);
        assert_int_equal(r->parameter_count, codes ? CATEGORIES : 2);
        assert_string_equal(r->parameter_names[0], codes ? "p(0)" : "mean");
        cobloc_result_free(r);
        cobloc_result_free(again);
    }
}

/* Another unit and another zero change no label, and parameters follow; with and without cells that
 * hold 0. */
static void units_change_nothing(void **state)
{
    (void)state;
    for (int round = 0; round < 6; round++) {
        double shift = round % 2 ? 1e6 : 20, scale = round % 3 ? 7 : 0.01;
        dice a = dice_of(40), b = a;
        table plain = planted_classes(&a, false, 0, 1, round % 2 * 0.1);
        table other = planted_classes(&b, false, shift, scale, round % 2 * 0.1);
        cobloc_result *x = fit_gappy(&plain, "glbm", 3, 2, COBLOC_HARD, 1);
        cobloc_result *y = fit_gappy(&other, "glbm", 3, 2, COBLOC_HARD, 1);
        assert_memory_equal(x->row_labels, y->row_labels, (size_t)x->n * sizeof *x->row_labels);
        assert_memory_equal(x->col_labels, y->col_labels, (size_t)x->d * sizeof *x->col_labels);
        for (int c = 0; c < 6; c++) {
            assert_near(y->parameters[c], shift + scale * x->parameters[c], 1e-8, "mean");
            assert_near(y->parameters[6 + c] / (scale * scale), x->parameters[6 + c], 1e-4,
                        "variance");
        }
        cobloc_result_free(x);
        cobloc_result_free(y);
    }
}

/* Categories have no order: numbered otherwise they give the same clusters. */
static void names_of_categories_change_nothing(void **state)
{
    static const int renamed[][CATEGORIES] = {{1, 0, 2, 3}, {3, 2, 1, 0}, {2, 3, 0, 1}};
    dice dc = dice_of(50);
    table t = planted_classes(&dc, true, 0, 1, 0.1);
    cobloc_result *x = fit_gappy(&t, "clbm", 3, 2, COBLOC_HARD, 1);
    (void)state;
    for (int r = 0; r < 3; r++) {
        table other = t;
        for (int c = 0; c < t.n * t.d; c++)
            if (!isnan(t.x[c]))
                other.x[c] = renamed[r][(int)t.x[c]];
        cobloc_result *y = fit_gappy(&other, "clbm", 3, 2, COBLOC_HARD, 1);
        assert_near(x->criterion, y->criterion, 1e-9, "criterion");
        assert_memory_equal(x->row_labels, y->row_labels, (size_t)x->n * sizeof *x->row_labels);
        for (int c = 0; c < CATEGORIES * 6; c++)
            assert_near(y->parameters[renamed[r][c / 6] * 6 + c % 6], x->parameters[c], 1e-12,
                        "probability");
        cobloc_result_free(y);
    }
    cobloc_result_free(x);
}

/* With two categories clbm is lbm. */
static void two_categories_are_bernoulli(void **state)
{
    dice dc = dice_of(60);
    (void)state;
    for (int round = 0; round < 20; round++) {
        table t = gappy_table(&dc, cob_model_named("lbm"), 20, 16, gaps_of(round));
        trial a, b;
        trial_open(&a, cob_model_named("lbm"), &t, 2, 3, COBLOC_HARD);
        trial_open(&b, cob_model_named("clbm"), &t, 2, 3, COBLOC_HARD);
        label_at_random(&dc, &t, &a);
        cob_take_labels(b.run, &(cob_labels){{a.run->side[0].labels, a.run->side[1].labels}});
        cobloc_error err;
        assert_ok(cob_run_iterate(a.run, &err), err);
        assert_ok(cob_run_iterate(b.run, &err), err);
        assert_near(a.run->criterion, b.run->criterion, 1e-10, "criterion");
        for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
            assert_memory_equal(a.run->side[side].labels, b.run->side[side].labels,
                                (size_t)cob_line_count(&a.problem, side) * sizeof(int32_t));
        trial_close(&a);
        trial_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(criteria_are_sums_over_cells),
        cmocka_unit_test(iterations_never_worsen),
        cmocka_unit_test(parameters_are_the_best),
        cmocka_unit_test(the_best_partition_is_found),
        cmocka_unit_test(planted_blocks_are_found),
        cmocka_unit_test(units_change_nothing),
        cmocka_unit_test(names_of_categories_change_nothing),
        cmocka_unit_test(two_categories_are_bernoulli),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
