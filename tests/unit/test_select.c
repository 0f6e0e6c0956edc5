/* cobloc_select: the curve is that of separate fits or better, its values are what the definitions
 * say, and the choice follows from them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute_assess.h"
#include "selecting.h"

static const known *known_as(const char *name)
{
    for (int at = 0; at < KNOWN; at++)
        if (is_model(&known_models[at], name))
            return &known_models[at];
    fail_msg("no model %s", name);
    return NULL;
}

/* ---- the curve and the choice ---------------------------------------------------------------- */

/* ICL or modularity of a fit, from the cells of the table. */
static double brute_choice(const cobloc_result *r, const table *given, cobloc_choice by)
{
    const known *model = known_as(r->model);
    table t = table_for(model, given);
    if (by == COBLOC_BY_MODULARITY)
        return brute_modularity(&t, r->k, model->diagonal, r->row_labels, r->col_labels);
    return brute_log_likelihood(model, &t, r->k, r->l, r->row_labels, r->col_labels) -
           brute_penalty(model, &t, r->k, r->l);
}

/* Which size the values choose, worked out once more. */
static int brute_chosen(const cobloc_selection *s, const double *values)
{
    int best = 0;
    for (int i = 1; i < s->count; i++)
        best = values[i] > values[best] ? i : best;
    if (s->by == COBLOC_BY_MODULARITY)
        for (int i = 0; i < s->count; i++)
            if (values[i] >= 0.98 * values[best] && s->curve[i].k < s->curve[best].k) {
                return i; /* the sizes stand in order */
            }
    return best;
}

static void check_planted(dice *dc, const char *name, cobloc_choice by, int planted)
{
    const known *model = known_as(name);
    table t = planted_table(dc, 48, 40, planted, 0.8, model->family == WRONG_CELLS ? 0.04 : 0.1);
    cobloc_select_options o = options_for(name, 2, 6);
    double values[16];
    o.by = by;
    o.fit.restarts = rounds_of(3);
    cobloc_selection *s = must_select(&t, &o);
    assert_int_equal(s->count, 5);
    for (int i = 0; i < s->count; i++) {
        values[i] = brute_choice(s->curve[i].result, &t, s->by);
        assert_int_equal(s->curve[i].k, 2 + i);
        assert_near(s->curve[i].value, values[i], 1e-9, name);
        assert_true(s->curve[i].smallest == s->curve[i].result->row_sizes[s->curve[i].k - 1]);
    }
    if (s->curve[s->chosen].k != planted)
        fail_msg("%s by %s: %d were planted, but: %s", name, cobloc_choice_name(s->by), planted,
                 s->summary);
    assert_int_equal(s->chosen, brute_chosen(s, values));
    assert_false(s->at_end);
    cobloc_selection_free(s);
}

static void test_planted(void **state)
{
    static const struct {
        const char *model;
        cobloc_choice by;
    } cases[] = {
        {"coclus", COBLOC_BY_MODULARITY}, {"dcc", COBLOC_BY_MODULARITY},
        {"splbm-exact", COBLOC_BY_ICL},   {"plbm", COBLOC_BY_ICL},
        {"lbm", COBLOC_BY_ICL},           {"dlbm1", COBLOC_BY_ICL},
        {"dlbm2", COBLOC_BY_ICL},         {"dlbm3", COBLOC_BY_AUTO},
        {"block", COBLOC_BY_ICL},         {"itcc", COBLOC_BY_MODULARITY},
        {"dlbm3", COBLOC_BY_MODULARITY},  {"plbm", COBLOC_BY_MODULARITY},
        {"fnmtf", COBLOC_BY_MODULARITY},  {"splbm-exact", COBLOC_BY_MODULARITY},
    };
    dice dc = dice_of(71);
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int planted = 3; planted <= 4; planted++)
            check_planted(&dc, cases[c].model, cases[c].by, planted);
}

/* Every size is at least as good as a fit of its own; where a criterion cannot get worse with more
 * clusters, it does not. */
static void check_curve(const table *t, const known *model)
{
    cobloc_select_options o = options_for(model->name, 1, 5);
    cobloc_matrix *x = matrix_of(t);
    cobloc_error err;
    o.fit.restarts = 2;
    if (!model->diagonal && !is_model(model, "socc")) {
        o.l_from = 2;
        o.l_to = 3;
    }
    cobloc_selection *s = must_select(t, &o);
    for (int i = 0; i < s->count; i++) {
        const cobloc_result *own = s->curve[i].result;
        cobloc_result *alone = NULL;
        cobloc_fit_options f = o.fit;
        f.k = s->curve[i].k;
        f.l = s->curve[i].l;
        assert_ok(cobloc_fit(x, &f, &alone, &err), err);
        bool worse = model->minimised ? own->criterion > alone->criterion
                                      : own->criterion < alone->criterion;
        if (own->repaired > 0 && alone->repaired == 0)
            fail_msg("%s: a size had to be held that need not be", model->name);
        if (worse && (own->repaired == 0) == (alone->repaired == 0))
            fail_msg("%s with %d: %.17g, alone %.17g", model->name, f.k, own->criterion,
                     alone->criterion);
        if (s->curve[i].origin == COBLOC_ORIGIN_STARTS)
            assert_memory_equal(&own->criterion, &alone->criterion, sizeof own->criterion);
        assert_true(own->restarts > alone->restarts); /* with those from the neighbours */
        assert_true(own->restart_criteria[own->best_restart] == own->criterion);
        cobloc_result_free(alone);
    }
    cobloc_selection_free(s);
    cobloc_matrix_free(x);
}

static void test_curve(void **state)
{
    dice dc = dice_of(72);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < rounds_of(2); round++) {
            table t = planted_table(&dc, 30, 24, 3, 0.5, 0.25);
            check_curve(&t, &known_models[at]);
        }
}

/* Information and squared error cannot get worse with more clusters, and do not. */
static void test_monotone(void **state)
{
    static const char *const models[] = {"itcc", "fnmtf"};
    dice dc = dice_of(73);
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int round = 0; round < rounds_of(6); round++) {
            table t = distinct_table(&dc, 30, 24, 0.4, round % 2);
            cobloc_select_options o = options_for(models[m], 2, 8);
            o.fit.restarts = 1;
            cobloc_selection *s = must_select(&t, &o);
            for (int i = 1; i < s->count; i++) {
                double before = s->curve[i - 1].result->criterion;
                double gain = s->curve[i].result->criterion - before;
                if (s->curve[i].result->repaired == 0 && (m == 0 ? gain : -gain) < -1e-9)
                    fail_msg("%s: %g, then %g", models[m], before, s->curve[i].result->criterion);
            }
            cobloc_selection_free(s);
        }
}

/* Three kinds of rows over five kinds of columns, of which no two are alike. */
static void test_grid(void **state)
{
    static const double rate[3][5] = {
        {4, 0.2, 0.2, 3, 0.5}, {0.2, 4, 0.2, 3, 3}, {0.2, 0.2, 4, 0.2, 3}};
    dice dc = dice_of(74);
    table t = {.n = 45, .d = 40};
    (void)state;
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++)
            t.x[i * t.d + j] = (int)(rate[i % 3][j % 5] * (0.5 + roll(&dc)) + roll(&dc) * 0.6);
    take_margins(&t);
    cobloc_select_options o = options_for("plbm", 2, 4);
    o.l_from = 3;
    o.l_to = 6;
    cobloc_selection *s = must_select(&t, &o);
    assert_int_equal(s->count, 12);
    assert_int_equal(s->by, COBLOC_BY_ICL);
    assert_int_equal(s->curve[s->chosen].k, 3);
    assert_int_equal(s->curve[s->chosen].l, 5);
    assert_non_null(strstr(s->summary, "ICL is largest for 3 x 5"));
    cobloc_selection_free(s);
}

/* ---- neighbours ------------------------------------------------------------------------------ */

/* The start from a larger size is the best of all ways to merge two clusters. */
static void check_merge(dice *dc, const char *name)
{
    const known *model = known_as(name);
    table t = distinct_table(dc, 20, 20, 0.5, false), u = table_for(model, &t);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_select_options o = options_for(name, 1, 1);
    cobloc_result from = {.k = 4, .l = 4};
    cob_neighbourhood around;
    cob_algorithm algorithm = cob_algorithm_of(name);
    cobloc_error err;
    int32_t rows[MOST_LINES], cols[MOST_LINES], merged_rows[MOST_LINES], merged_cols[MOST_LINES];
    random_partition(dc, t.n, 4, rows);
    random_partition(dc, t.d, 4, cols);
    from.row_labels = rows;
    from.col_labels = cols;
    assert_ok(cob_neighbourhood_open(x, &o.fit, &algorithm, 4, 4, &around, &err), err);
    assert_ok(cob_merged_labels(&around, &from, 3, model->diagonal ? 3 : 4, merged_rows,
                                merged_cols, &err),
              err);
    int m = model->diagonal ? 3 : 4;
    double found = brute_value(model, &u, 3, m, merged_rows, merged_cols), best = NAN;
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++) {
            int32_t r[MOST_LINES], c[MOST_LINES];
            for (int i = 0; i < t.n; i++)
                r[i] = rows[i] == b ? a : rows[i] - (rows[i] > b);
            for (int j = 0; j < t.d; j++)
                c[j] = m == 4 ? cols[j] : cols[j] == b ? a : cols[j] - (cols[j] > b);
            double value = brute_value(model, &u, 3, m, r, c);
            if (isnan(best) || (model->minimised ? value < best : value > best))
                best = value;
        }
    assert_near(found, best, 1e-10, name);
    cob_neighbourhood_close(&around);
    cobloc_matrix_free(x);
}

static void test_merged(void **state)
{
    dice dc = dice_of(76);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < rounds_of(6); round++)
            if (!is_model(&known_models[at], "socc"))
                check_merge(&dc, known_models[at].name);
}

/* ---- the same for any number of threads ------------------------------------------------------ */

static void test_threads(void **state)
{
    static const char *const models[] = {"coclus", "socc", "lbm"};
    dice dc = dice_of(77);
    (void)state;
    for (int m = 0; m < 3; m++) {
        table t = planted_table(&dc, 40, 36, 3, 0.5, 0.2);
        cobloc_selection *one = NULL;
        for (int threads = 1; threads <= 4; threads += 3) {
            cobloc_select_options o = options_for(models[m], 2, 4);
            o.fit.threads = threads;
            o.fit.restarts = rounds_of(6);
            o.fit.inference = m == 1 ? COBLOC_STOCHASTIC : COBLOC_HARD;
            cobloc_selection *s = must_select(&t, &o);
            for (int i = 0; one && i < s->count; i++) {
                const cobloc_result *a = one->curve[i].result, *b = s->curve[i].result;
                assert_memory_equal(&a->criterion, &b->criterion, sizeof a->criterion);
                assert_memory_equal(a->row_labels, b->row_labels,
                                    (size_t)t.n * sizeof *a->row_labels);
                assert_memory_equal(a->col_labels, b->col_labels,
                                    (size_t)t.d * sizeof *a->col_labels);
                assert_int_equal(one->curve[i].origin, s->curve[i].origin);
            }
            if (one) {
                assert_string_equal(one->summary, s->summary);
                cobloc_selection_free(s);
            } else {
                one = s;
            }
        }
        cobloc_selection_free(one);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void must_refuse(const table *t, const cobloc_select_options *o, cobloc_status expected,
                        const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_selection *s = NULL;
    cobloc_matrix *x = matrix_of(t);
    cobloc_status status = cobloc_select(x, o, &s, &err);
    if (status != expected || !strstr(err.message, part))
        fail_msg("got \"%s\": %s, expected \"%s\": ...%s...", cobloc_status_name(status),
                 err.message, cobloc_status_name(expected), part);
    assert_null(s);
    cobloc_matrix_free(x);
}

static void test_refused(void **state)
{
    static const char *const mixed[] = {"lbm", "plbm"}, *const twice[] = {"lbm", "lbm"};
    static const char *const reals[] = {"plbm", "fnmtf"};
    static const char *const unknown[] = {"lbm", "nosuch"}, *const scaled[] = {"coclus", "dcc"};
    dice dc = dice_of(78);
    table t = planted_table(&dc, 12, 10, 2, 0.6, 0.2);
#define REFUSE(part, code, ...)                                                                    \
    do {                                                                                           \
        cobloc_select_options o = options_for("plbm", 2, 3);                                       \
        __VA_ARGS__;                                                                               \
        must_refuse(&t, &o, code, part);                                                           \
    } while (0)
    (void)state;
    REFUSE("sizes are 0 to 3", COBLOC_BAD_ARGUMENT, o.k_from = 0);
    REFUSE("sizes are 3 to 2", COBLOC_BAD_ARGUMENT, o.k_from = 3, o.k_to = 2);
    REFUSE("column sizes are 3 to 2", COBLOC_BAD_ARGUMENT, o.l_from = 3, o.l_to = 2);
    REFUSE("within is 1", COBLOC_BAD_ARGUMENT, o.within = 1);
    REFUSE("within is", COBLOC_BAD_ARGUMENT, o.within = NAN);
    REFUSE("cannot start from labels", COBLOC_BAD_ARGUMENT, o.fit.start = COBLOC_START_LABELS);
    REFUSE("unknown criterion 8", COBLOC_BAD_ARGUMENT, o.by = (cobloc_choice)8);
    REFUSE("no model 'nosuch'", COBLOC_BAD_ARGUMENT, o.fit.model = "nosuch");
    REFUSE("no model 'nosuch'", COBLOC_BAD_ARGUMENT, o.models = unknown, o.model_count = 2);
    REFUSE("no models to choose from", COBLOC_BAD_ARGUMENT, o.models = unknown);
    REFUSE("lbm and plbm cannot be compared", COBLOC_BAD_ARGUMENT, o.models = mixed,
           o.model_count = 2);
    REFUSE("coclus and dcc cannot be compared", COBLOC_BAD_ARGUMENT, o.models = scaled,
           o.model_count = 2);
    REFUSE("plbm and fnmtf cannot be compared by ICL", COBLOC_BAD_ARGUMENT, o.models = reals,
           o.model_count = 2, o.by = COBLOC_BY_ICL);
    REFUSE("lbm is listed twice", COBLOC_BAD_ARGUMENT, o.models = twice, o.model_count = 2);
    REFUSE("coclus has no likelihood", COBLOC_BAD_ARGUMENT, o.fit.model = "coclus",
           o.by = COBLOC_BY_ICL);
    REFUSE("modularity needs equal numbers", COBLOC_BAD_ARGUMENT, o.by = COBLOC_BY_MODULARITY,
           o.l_from = 2, o.l_to = 3);
    REFUSE("modularity needs equal numbers", COBLOC_BAD_ARGUMENT, o.by = COBLOC_BY_MODULARITY,
           o.fit.model = "socc");
    REFUSE("restarts", COBLOC_BAD_ARGUMENT, o.fit.restarts = -1);
    REFUSE("13 clusters were asked for", COBLOC_BAD_DATA, o.k_to = 13);
#undef REFUSE
}

/* ---- limits, files, memory ------------------------------------------------------------------- */

static int stop_late(void *calls, const char *what, double done)
{
    (void)what;
    assert_true(done >= 0 && done <= 1);
    return ++*(int *)calls > 40;
}

static void test_limits(void **state)
{
    dice dc = dice_of(79);
    table t = planted_table(&dc, 40, 30, 3, 0.4, 0.2);
    int calls = 0;
    (void)state;
    cobloc_select_options o = options_for("coclus", 2, 9);
    o.fit.max_seconds = 1e-9;
    cobloc_selection *s = must_select(&t, &o);
    assert_int_equal(s->count, 1);
    assert_int_equal(s->stop, COBLOC_STOP_TIME);
    assert_non_null(strstr(s->summary, "Stopped early (time)"));
    cobloc_selection_free(s);
    o.fit.max_seconds = 0;
    o.fit.progress = (cobloc_progress){stop_late, &calls};
    s = must_select(&t, &o);
    assert_int_equal(s->stop, COBLOC_STOP_CANCELLED);
    assert_true(s->count >= 1 && s->count < 8);
    for (int i = 0; i < s->count; i++)
        assert_non_null(s->curve[i].result);
    cobloc_selection_free(s);
}

static void test_known_labels(void **state)
{
    dice dc = dice_of(80);
    table t = planted_table(&dc, 40, 30, 3, 0.6, 0.1);
    int32_t fixed[MOST_LINES];
    (void)state;
    for (int i = 0; i < t.n; i++)
        fixed[i] = i < 6 ? i % 2 : -1;
    cobloc_select_options o = options_for("coclus", 2, 5);
    o.fit.fix_rows = fixed;
    cobloc_selection *s = must_select(&t, &o);
    for (int at = 0; at < s->count; at++)
        for (int i = 0; i < 6; i++)
            assert_int_equal(s->curve[at].result->row_labels[i], i % 2);
    cobloc_selection_free(s);
}

static void test_written(void **state)
{
    dice dc = dice_of(81);
    table t = planted_table(&dc, 30, 24, 3, 0.7, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    cobloc_select_options o = options_for("splbm-exact", 2, 4);
    cobloc_selection *s = NULL;
    cobloc_error err;
    char line[512], path[512];
    int lines = 0, chosen = 0;
    (void)state;
    assert_ok(cobloc_select(x, &o, &s, &err), err);
    assert_ok(cobloc_selection_write(s, x, &o, test_path("out"), &err), err);
    snprintf(path, sizeof path, "%s/curve.tsv", test_path("out"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char model[32];
        int k, l, tabs = 0;
        double value;
        for (const char *c = line; *c; c++)
            tabs += *c == '\t';
        assert_int_equal(tabs, 12);
        if (lines++ == 0)
            continue;
        assert_int_equal(sscanf(line, "%31s %d %d %lf", model, &k, &l, &value), 4);
        assert_true(value == s->curve[lines - 2].value && k == s->curve[lines - 2].k && l == k);
        chosen += strstr(line, "\t1\t1\t") != NULL;
    }
    fclose(file);
    assert_int_equal(lines, 4);
    assert_int_equal(chosen, 1);
    assert_int_equal(cobloc_selection_write(s, x, &o, "/nonexistent/deep", &err), COBLOC_IO);
    cobloc_selection_free(s);
    cobloc_matrix_free(x);
}

/* Fails every `step`-th allocation in turn. */
static void check_failing(const cobloc_matrix *x, const cobloc_select_options *o, int step)
{
    for (long k = 0, failed = 1; failed; k += step) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_selection *s = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_select(x, o, &s, &err);
        if (status == COBLOC_OK)
            status = cobloc_selection_write(s, x, o, test_path("failing"), &err);
        failed = allocation_failed(k, status, &err, 100);
        cobloc_selection_free(s);
    }
}

static void test_failing_allocations(void **state)
{
    static const char *const models[] = {"coclus", "plbm", "socc"};
    dice dc = dice_of(82);
    table t = planted_table(&dc, 12, 12, 2, 0.7, 0.1);
    cobloc_matrix *x = matrix_of(&t);
    (void)state;
    for (int m = 0; m < 3; m++) {
        cobloc_select_options o = options_for(models[m], 2, 3);
        o.fit.restarts = 1;
        o.l_from = o.l_to = m == 1 ? 2 : 0;
        check_failing(x, &o, m == 0 ? 2 : 7);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_merged),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_known_labels),
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_failing_allocations),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
