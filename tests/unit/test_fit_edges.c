/* cobloc_fit at its edges: matrices with little in them, labels that are known, options that make
 * no sense, limits, and memory that runs out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute_assess.h"

static cobloc_fit_options options_for(const char *model, int k)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.threads = 1;
    return o;
}

static void must_refuse(const table *t, const cobloc_fit_options *o, cobloc_status expected,
                        const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_result *result = NULL;
    cobloc_matrix *x = matrix_of(t);
    cobloc_status status = cobloc_fit(x, o, &result, &err);
    if (status != expected || !strstr(err.message, part))
        fail_msg("%s: got \"%s\": %s, expected \"%s\": ...%s...", o->model ? o->model : "no model",
                 cobloc_status_name(status), err.message, cobloc_status_name(expected), part);
    assert_null(result);
    cobloc_matrix_free(x);
}

/* All numbers are numbers, all clusters have members. */
static void check_sound(const cobloc_result *r)
{
    if (!isfinite(r->criterion))
        fail_msg("%s, %s: the criterion is %g", r->model, cobloc_inference_name(r->inference),
                 r->criterion);
    for (int i = 0; i < r->trace_count; i++)
        assert_true(isfinite(r->trace[i]));
    for (int c = 0; c < r->k * r->l; c++)
        assert_true(isfinite(r->parameters[c]) && isfinite(r->blocks[c]));
    for (int64_t c = 0; r->row_probabilities && c < r->n * r->k; c++)
        assert_true(r->row_probabilities[c] >= 0 && r->row_probabilities[c] <= 1);
    for (int k = 0; k < r->k; k++)
        assert_true(r->row_sizes[k] > 0 && isfinite(r->row_proportions[k]));
    for (int l = 0; l < r->l; l++)
        assert_true(r->col_sizes[l] > 0 && isfinite(r->col_proportions[l]));
}

static int filled_columns(const table *t)
{
    int filled = 0;
    for (int j = 0; j < t->d; j++)
        for (int i = 0; i < t->n; i++)
            if (cell(t, i, j) > 0) {
                filled++;
                break;
            }
    return filled;
}

/* Every model by every inference that it has. */
static void fit_all(const table *t, int k)
{
    for (int at = 0; at < KNOWN; at++)
        for (int inference = COBLOC_HARD; inference <= COBLOC_SVEM; inference++) {
            const known *model = &known_models[at];
            if (!model->likelihood && inference != COBLOC_HARD && inference != COBLOC_STOCHASTIC)
                continue;
            if (columns_for(model, k, k) > filled_columns(t))
                continue;
            cobloc_fit_options o = options_for(model->name, k);
            o.inference = (cobloc_inference)inference;
            o.restarts = rounds_of(4);
            cobloc_result *result = fit_table(t, &o);
            check_sound(result);
            cobloc_result_free(result);
        }
}

/* ---- matrices with little in them ------------------------------------------------------------ */

static const table plain = {.n = 4, .d = 4, .x = {3, 1, 0, 0, 2, 4, 0, 0, 0, 0, 5, 1, 0, 1, 1, 6}};

static void test_little(void **state)
{
    table one_row = {.n = 1, .d = 3, .x = {1, 2, 3}}, one_col = {.n = 3, .d = 1, .x = {1, 2, 3}};
    table one_cell = {.n = 1, .d = 1, .x = {5}},
          diagonal = {.n = 3, .d = 3, .x = {1, 0, 0, 0, 2, 0, 0, 0, 3}};
    table holes = {
        .n = 4, .d = 5, .x = {0, 0, 0, 0, 0, 0, 7, 1, 0, 0, 0, 2, 9, 0, 4, 0, 0, 0, 0, 0}};
    table huge = {.n = 3, .d = 3, .x = {4e9, 1, 0, 0, 3e9, 2, 5, 0, 4294967295.0}};
    table tiny = {.n = 3, .d = 3, .x = {1e-9, 1e-12, 0, 0, 3e-10, 2e-11, 5e-12, 0, 1e-9}};
    (void)state;
    fit_all(&one_row, 1);
    fit_all(&one_col, 1);
    fit_all(&one_cell, 1);
    fit_all(&plain, 1);
    fit_all(&plain, 2);
    fit_all(&diagonal, 3); /* as many clusters as lines */
    fit_all(&holes, 1);
    fit_all(&holes, 2);
    fit_all(&huge, 2);
    fit_all(&tiny, 2);
}

/* One column that is everywhere, and large. */
static void test_dense_column(void **state)
{
    dice dc = dice_of(61);
    (void)state;
    for (int round = 0; round < rounds_of(3); round++) {
        table t = planted_table(&dc, 30, 20, 3, 0.5, 0.05);
        for (int i = 0; i < t.n; i++)
            t.x[i * t.d + 4] = 1 + roll_below(&dc, 1000);
        take_margins(&t);
        fit_all(&t, 3);
    }
}

/* Columns but one are single entries: most rows are alike. */
static void test_very_sparse(void **state)
{
    table t = {.n = 40, .d = 12};
    (void)state;
    for (int i = 0; i < t.n; i++)
        t.x[i * t.d + i % 12] = 1;
    fit_all(&t, 4);
}

static void test_too_few(void **state)
{
    table same_rows = {.n = 3, .d = 3, .x = {1, 2, 3, 1, 2, 3, 1, 2, 3}};
    table same_cols = {.n = 3, .d = 3, .x = {1, 1, 1, 2, 2, 2, 3, 3, 3}};
    table nothing = {.n = 3, .d = 3, .x = {0}}, counts = {.n = 2, .d = 2, .x = {1, 2, 3, 4}};
    table one_line = {.n = 3, .d = 3, .x = {0, 0, 0, 1, 2, 3, 0, 0, 0}};
    cobloc_fit_options two = options_for("coclus", 2), five = options_for("coclus", 5);
    cobloc_fit_options binary = options_for("lbm", 2), wide = options_for("plbm", 2);
    (void)state;
    must_refuse(&same_rows, &two, COBLOC_BAD_DATA, "only 1 rows are different");
    must_refuse(&same_cols, &two, COBLOC_BAD_DATA, "different from each other");
    must_refuse(&nothing, &two, COBLOC_BAD_DATA, "no entries at all");
    must_refuse(&plain, &five, COBLOC_BAD_DATA,
                "5 clusters were asked for, but there are only 4 rows");
    must_refuse(&one_line, &two, COBLOC_BAD_DATA, "there are only 1 rows with entries");
    must_refuse(&counts, &binary, COBLOC_BAD_DATA, "different"); /* all ones, to lbm */
    wide.l = 5;
    must_refuse(&plain, &wide, COBLOC_BAD_DATA,
                "5 clusters were asked for, but there are only 4 columns");
}

/* ---- options that make no sense -------------------------------------------------------------- */

static void test_options_refused(void **state)
{
    static const int32_t bad_labels[] = {0, 1, 2, 0}, negative[] = {0, -1, 1, 0},
                         unknown[] = {0, -2, 1, 0};
    static const double bad_effects[] = {1, 2, -1, 3}, zero_effects[] = {1, 0, 1, 1},
                        nans[] = {1, 1, 1, NAN};
    static const double infinite[] = {1, 1, 1, INFINITY}, huge[] = {1, 1e300, 1, 1},
                        tiny[] = {1, 1, 1e-300, 1};
#define REFUSE(part, ...)                                                                          \
    do {                                                                                           \
        cobloc_fit_options o = options_for("plbm", 2);                                             \
        __VA_ARGS__;                                                                               \
        must_refuse(&plain, &o, COBLOC_BAD_ARGUMENT, part);                                        \
    } while (0)
    (void)state;
    REFUSE("there is no model 'nosuch'", o.model = "nosuch");
    REFUSE("there is no model ''", o.model = NULL);
    REFUSE("k is 0", o.k = 0);
    REFUSE("k is -3", o.k = -3);
    REFUSE("k is 10001", o.k = 10001);
    REFUSE("l is -1", o.l = -1);
    REFUSE("coclus with 2 row clusters has 2 column clusters, not 3", o.model = "coclus", o.l = 3);
    REFUSE("socc with 2 row clusters has 4 column clusters, not 2", o.model = "socc", o.l = 2);
    REFUSE("restarts", o.restarts = -1);
    REFUSE("iterations", o.max_iterations = 0);
    REFUSE("tolerance", o.tolerance = -1);
    REFUSE("tolerance", o.tolerance = NAN);
    REFUSE("coclus has no probabilities", o.model = "coclus", o.inference = COBLOC_SOFT);
    REFUSE("fnmtf has no probabilities", o.model = "fnmtf", o.inference = COBLOC_SVEM);
    REFUSE("inference number 9", o.inference = (cobloc_inference)9);
    REFUSE("start from labels needs row labels", o.start = COBLOC_START_LABELS);
    REFUSE("row label of line 3 is 2", o.start = COBLOC_START_LABELS, o.start_rows = bad_labels);
    REFUSE("row label of line 2 is -1", o.start = COBLOC_START_LABELS, o.start_rows = negative);
    REFUSE("known row label of line 3 is 2", o.fix_rows = bad_labels);
    REFUSE("known column label of line 2 is -2", o.fix_cols = unknown);
    REFUSE("lbm takes no row or column effects", o.model = "lbm", o.row_effects = zero_effects);
    REFUSE("row effect of line 3 is -1, expected a positive number", o.row_effects = bad_effects);
    REFUSE("column effect of line 2 is 0", o.col_effects = zero_effects);
    REFUSE("row effect of line 4 is", o.row_effects = nans);
    REFUSE("column effect of line 4 is inf", o.col_effects = infinite);
    REFUSE("column effect of line 2 is 1e+300", o.col_effects = huge);
    REFUSE("row effect of line 3 is 1e-300", o.row_effects = tiny);
#undef REFUSE
}

/* ---- known labels ---------------------------------------------------------------------------- */

static void check_fixed(dice *dc, const known *model, cobloc_inference inference)
{
    table t = planted_table(dc, 24, 20, 3, 0.6, 0.1);
    int32_t rows[MOST_LINES], cols[MOST_LINES];
    cobloc_fit_options o = options_for(model->name, 3);
    int m = columns_for(model, 3, 3);
    for (int i = 0; i < t.n; i++)
        rows[i] = roll_below(dc, 3) ? -1 : roll_below(dc, 3);
    for (int j = 0; j < t.d; j++)
        cols[j] = roll_below(dc, 3) ? -1 : roll_below(dc, m);
    o.inference = inference;
    o.restarts = 3;
    o.fix_rows = rows;
    o.fix_cols = roll_below(dc, 2) ? cols : NULL;
    cobloc_result *r = fit_table(&t, &o);
    check_sound(r);
    for (int i = 0; i < t.n; i++)
        if (rows[i] >= 0 && r->row_labels[i] != rows[i])
            fail_msg("%s, %s: row %d is %d, not %d", model->name, cobloc_inference_name(inference),
                     i, (int)r->row_labels[i], (int)rows[i]);
    for (int j = 0; j < t.d && o.fix_cols; j++)
        if (cols[j] >= 0 && r->col_labels[j] != cols[j])
            fail_msg("%s, %s: column %d is %d, not %d", model->name,
                     cobloc_inference_name(inference), j, (int)r->col_labels[j], (int)cols[j]);
    cobloc_result_free(r);
}

static void test_fixed_labels(void **state)
{
    dice dc = dice_of(62);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int inference = COBLOC_HARD; inference <= COBLOC_SVEM; inference++)
            for (int round = 0; round < rounds_of(4); round++)
                if (known_models[at].likelihood || inference == COBLOC_HARD ||
                    inference == COBLOC_STOCHASTIC)
                    check_fixed(&dc, &known_models[at], (cobloc_inference)inference);
}

/* Everything known: the answer is what was known, whatever it costs. */
static void test_all_fixed(void **state)
{
    static const int32_t rows[] = {1, 0, 1, 0}, cols[] = {0, 1, 1, 0};
    (void)state;
    for (int at = 0; at < KNOWN; at++) {
        cobloc_fit_options o = options_for(known_models[at].name, 2);
        if (is_model(&known_models[at], "socc"))
            continue;
        o.fix_rows = rows;
        o.fix_cols = cols;
        cobloc_result *r = fit_table(&plain, &o);
        assert_memory_equal(r->row_labels, rows, sizeof rows);
        assert_memory_equal(r->col_labels, cols, sizeof cols);
        table t = table_for(&known_models[at], &plain);
        assert_near(r->criterion, brute_value(&known_models[at], &t, 2, 2, rows, cols), 1e-10,
                    known_models[at].name);
        cobloc_result_free(r);
    }
}

/* Known labels that leave a cluster without any line. */
static void test_known_labels_leave_none(void **state)
{
    static const int32_t all_first[] = {0, 0, 0, 0};
    (void)state;
    for (int at = 0; at < KNOWN; at++) {
        cobloc_fit_options o = options_for(known_models[at].name, 2);
        o.fix_rows = all_first;
        must_refuse(&plain, &o, COBLOC_BAD_DATA, "row cluster 1 has no member");
        o.fix_rows = NULL;
        o.fix_cols = all_first;
        must_refuse(&plain, &o, COBLOC_BAD_DATA, "column cluster 1 has no member");
    }
}

/* ---- effects --------------------------------------------------------------------------------- */

static void test_effects(void **state)
{
    dice dc = dice_of(63);
    (void)state;
    for (int at = 0; at < KNOWN; at++)
        for (int round = 0; round < 10 && known_models[at].family == POISSON; round++) {
            const known *model = &known_models[at];
            table t = distinct_table(&dc, 12, 14, 0.6, round % 2);
            t.own_effects = true;
            for (int i = 0; i < t.n; i++)
                t.r[i] = 0.5 + roll(&dc);
            for (int j = 0; j < t.d; j++)
                t.c[j] = 0.5 + roll(&dc);
            cobloc_fit_options o = options_for(model->name, 2);
            o.row_effects = t.r;
            o.col_effects = t.c;
            cobloc_result *r = fit_table(&t, &o);
            t = table_for(model, &t);
            assert_near(r->criterion,
                        brute_value(model, &t, r->k, r->l, r->row_labels, r->col_labels),
                        rounding(&t, 1e-10), model->name);
            assert_near(r->icl, r->criterion - brute_penalty(model, &t, r->k, r->l),
                        rounding(&t, 1e-10), "ICL");
            assert_near(r->explained_information, brute_explained(&t, r->row_labels, r->col_labels),
                        rounding(&t, 1e-10), "explained information, which takes no effects");
            if (model->diagonal)
                assert_near(r->modularity,
                            brute_modularity(&t, r->k, true, r->row_labels, r->col_labels),
                            rounding(&t, 1e-11), "modularity, which takes no effects");
            cobloc_result_free(r);
        }
}

/* ---- limits ---------------------------------------------------------------------------------- */

static int stop_at_once(void *user, const char *what, double done)
{
    ++*(int *)user;
    assert_non_null(what);
    assert_true(done >= 0 && done <= 1);
    return 1;
}

static void test_limits(void **state)
{
    dice dc = dice_of(64);
    table t = planted_table(&dc, 40, 30, 3, 0.4, 0.2);
    int calls = 0;
    (void)state;
    for (int at = 0; at < KNOWN; at++) {
        cobloc_fit_options o = options_for(known_models[at].name, 3);
        o.start = COBLOC_START_RANDOM;
        o.restarts = 6;
        o.inference = COBLOC_HARD;
        o.max_iterations = 1;
        cobloc_result *r = fit_table(&t, &o);
        check_sound(r);
        assert_int_equal(r->iterations, r->trace_count);
        assert_true(r->iterations <= 1);
        cobloc_result_free(r);
        o.max_iterations = 200;
        o.max_seconds = 1e-9;
        r = fit_table(&t, &o);
        check_sound(r);
        assert_true(r->stop == COBLOC_STOP_TIME || r->stop == COBLOC_STOP_CONVERGED);
        assert_int_equal(r->restarts, 6);
        assert_true(isnan(r->restart_criteria[5])); /* there was no time for it */
        cobloc_result_free(r);
        o.max_seconds = 0;
        o.progress = (cobloc_progress){stop_at_once, &calls};
        cobloc_error err;
        cobloc_matrix *x = matrix_of(&t);
        r = NULL;
        cobloc_status status = cobloc_fit(x, &o, &r, &err);
        assert_true(status == COBLOC_CANCELLED || status == COBLOC_OK);
        assert_true(status == COBLOC_CANCELLED ? r == NULL : isfinite(r->criterion));
        cobloc_result_free(r);
        cobloc_matrix_free(x);
    }
    assert_true(calls >= KNOWN / 2);
}

/* ---- memory that runs out -------------------------------------------------------------------- */

static void check_failing(const cobloc_matrix *x, const cobloc_fit_options *o)
{
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_result *result = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_fit(x, o, &result, &err);
        failed = allocation_failed(k, status, &err, 30);
        cobloc_result_free(result);
    }
}

static void test_failing_allocations(void **state)
{
    static const struct {
        const char *model;
        cobloc_inference inference;
        cobloc_start start;
        cobloc_weight weight;
    } cases[] = {
        {"coclus", COBLOC_HARD, COBLOC_START_AUTO, COBLOC_WEIGHT_NONE},
        {"plbm", COBLOC_SVEM, COBLOC_START_MERGE, COBLOC_WEIGHT_TFIDF},
        {"socc", COBLOC_STOCHASTIC, COBLOC_START_SKMEANS, COBLOC_WEIGHT_NONE},
        {"dcc", COBLOC_STOCHASTIC, COBLOC_START_RANDOM, COBLOC_WEIGHT_NONE},
        {"dlbm1", COBLOC_SOFT, COBLOC_START_RANDOM, COBLOC_WEIGHT_NONE},
    };
    dice dc = dice_of(65);
    table t = planted_table(&dc, 12, 12, 2, 0.7, 0.1);
    int32_t fixed[MOST_LINES];
    (void)state;
    for (int j = 0; j < t.d; j++)
        fixed[j] = -1;
    for (int i = 0; i < t.n; i++)
        t.x[i * t.d + 3] = 0; /* an empty column, to be left out */
    cobloc_matrix *x = matrix_of(&t);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cobloc_fit_options o = options_for(cases[c].model, 2);
        o.inference = cases[c].inference;
        o.start = cases[c].start;
        o.weight = cases[c].weight;
        o.restarts = rounds_of(2);
        o.fix_cols = c % 2 ? fixed : NULL;
        o.row_effects = strcmp(cases[c].model, "plbm") == 0 ? t.r : NULL;
        check_failing(x, &o);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_little),
        cmocka_unit_test(test_dense_column),
        cmocka_unit_test(test_very_sparse),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_options_refused),
        cmocka_unit_test(test_fixed_labels),
        cmocka_unit_test(test_all_fixed),
        cmocka_unit_test(test_known_labels_leave_none),
        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_failing_allocations),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
