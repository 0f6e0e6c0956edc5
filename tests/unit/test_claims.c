/* What models say of themselves so that the engine may go a shorter way: held here, on random
 * tables, for every model in the registry. */
#include "support.h"

#include "brute.h"
#include "engine/starts.h"
#include "models/registry.h"

enum { ROUNDS = 20, G = 4, M = 5 };

/* A random table, as the law of the model takes it. */
static table table_of_law(dice *dc, const cob_model *model)
{
    static const known binary = {.family = BERNOULLI}, directional = {.family = DIRECTIONAL},
                       counts = {.family = POISSON};
    table raw = random_table(dc, 24, 20, 0.5, false);
    return table_for(model->law == COB_LAW_BERNOULLI     ? &binary
                     : model->law == COB_LAW_DIRECTIONAL ? &directional
                                                         : &counts,
                     &raw);
}

typedef struct trial {
    cobloc_matrix *x;
    cob_problem problem;
    cob_run *run;
} trial;

static void trial_open(trial *t, const cob_model *model, const cobloc_matrix *x, int g, int m)
{
    cobloc_error err;
    *t = (trial){.problem = {.x = x,
                             .model = model,
                             .max_iterations = 50,
                             .seed = 1,
                             .watch = {.deadline = INFINITY}}};
    assert_ok(cob_problem_measure(&t->problem, &err), err);
    assert_ok(cob_run_new(&t->problem, g, m, 0, 1, &t->run, &err), err);
}

static void trial_close(trial *t)
{
    cob_run_free(t->run);
    cob_problem_free(&t->problem);
}

/* Every model of the registry, and those that they take further starts from. */
static const cob_model *model_at(int index)
{
    int models = 0;
    while (cob_model_at(models))
        models++;
    if (index < models)
        return cob_model_at(index);
    for (int i = 0; i < models; i++)
        if (cob_model_at(i)->further_start && index-- == models)
            return cob_model_at(i)->further_start;
    return NULL;
}

typedef void check(dice *dc, const cob_model *model, const cobloc_matrix *x, cob_run *run);

/* Checks every model on random tables with random labels, measured. */
static void on_random_tables(check *of)
{
    dice dc = {7};
    for (int i = 0; model_at(i); i++)
        for (int round = 0; round < ROUNDS; round++) {
            const cob_model *model = model_at(i);
            table t = table_of_law(&dc, model);
            cobloc_matrix *x = matrix_of(&t);
            trial one;
            trial_open(&one, model, x, G, cob_column_clusters(model->structure, G, M));
            random_partition(&dc, t.n, G, one.run->side[COB_ROWS].labels);
            random_partition(&dc, t.d, one.run->side[COB_COLS].clusters,
                             one.run->side[COB_COLS].labels);
            cob_run_measure(one.run);
            of(&dc, model, x, one.run);
            trial_close(&one);
            cobloc_matrix_free(x);
        }
}

/* of_stats: parameters, whatever they are, do not change the criterion. */
static void check_of_stats(dice *dc, const cob_model *model, const cobloc_matrix *x, cob_run *run)
{
    const cob_theta *theta = &run->theta;
    double before = model->value(&run->stats, theta);
    (void)x;
    for (int i = 0; i < theta->g * theta->m; i++)
        theta->delta[i] = 0.01 + 0.4 * roll(dc);
    for (int k = 0; k < theta->g; k++)
        theta->pi[k] = 0.01 + roll(dc);
    for (int l = 0; l < theta->m; l++)
        theta->rho[l] = 0.01 + roll(dc);
    if (model->of_stats && model->value(&run->stats, theta) != before)
        fail_msg("%s: the criterion is not one of the statistics", model->name);
}

/* by_blocks: merging computes what the merged labels give from scratch. Also where it is not
 * claimed, then by merged statistics. */
static void check_merge(const cob_model *model, const cobloc_matrix *x, const cob_run *run,
                        bool rows, bool cols, int a, int b)
{
    const bool merged[2] = {rows, cols};
    cobloc_error err;
    trial after;
    double value;
    trial_open(&after, model, x, G - rows, run->side[COB_COLS].clusters - cols);
    for (cob_axis side = COB_ROWS; side <= COB_COLS; side++)
        for (int64_t i = 0; i < cob_line_count(run->problem, side); i++) {
            int32_t k = run->side[side].labels[i];
            after.run->side[side].labels[i] = !merged[side] || k < b ? k : k == b ? a : k - 1;
        }
    cob_run_measure(after.run);
    assert_ok(cob_value_of_merge(model, &run->stats, rows, cols, a, b, &value, &err), err);
    assert_near(value, after.run->criterion, 1e-10, model->name);
    trial_close(&after);
}

static void check_by_blocks(dice *dc, const cob_model *model, const cobloc_matrix *x, cob_run *run)
{
    int b = 1 + roll_below(dc, G - 1), a = roll_below(dc, b);
    if (!model->structure->merges)
        return;
    if (model->structure->paired) {
        check_merge(model, x, run, true, true, a, b);
    } else {
        check_merge(model, x, run, true, false, a, b);
        check_merge(model, x, run, false, true, a, b);
    }
}

/* diagonal_rule and structure: co-clusters are what such a rule looks at. */
static void check_diagonal(dice *dc, const cob_model *model, const cobloc_matrix *x, cob_run *run)
{
    (void)dc;
    (void)x;
    (void)run;
    assert_true(!model->diagonal_rule || model->structure->paired);
    assert_true(!model->structure->paired || model->structure->clusters(G) == G);
}

/* ascent: hard iterations do not worsen the criterion, if they are not said to. */
static void check_ascent(dice *dc, const cob_model *model, const cobloc_matrix *x, cob_run *run)
{
    cobloc_error err;
    (void)dc;
    (void)x;
    assert_ok(cob_run_iterate(run, &err), err);
    for (size_t i = 1; model->ascent != COB_WANDERS && i < run->trace_count; i++)
        if (cob_better(model, run->trace[i - 1], run->trace[i]) &&
            fabs(run->trace[i - 1] - run->trace[i]) > 1e-9 * fabs(run->trace[i]))
            fail_msg("%s: %.17g becomes %.17g", model->name, run->trace[i - 1], run->trace[i]);
}

static void test_of_stats(void **state)
{
    (void)state;
    on_random_tables(check_of_stats);
}

static void test_by_blocks(void **state)
{
    (void)state;
    on_random_tables(check_by_blocks);
}

static void test_diagonal(void **state)
{
    (void)state;
    on_random_tables(check_diagonal);
}

static void test_ascent(void **state)
{
    (void)state;
    on_random_tables(check_ascent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_stats),
        cmocka_unit_test(test_by_blocks),
        cmocka_unit_test(test_diagonal),
        cmocka_unit_test(test_ascent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
