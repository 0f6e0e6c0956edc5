/* What is not a block model: the fit around a method, with a small method made for this test, and
 * what every method in the list must keep to.
 *
 * SPDX-License-Identifier: MIT
 */
#include "brute.h"

#include "fit/fit.h"
#include "methods/registry.h"

/* ---- a method of our own --------------------------------------------------------------------- */

/* Rows go by their first entry; the criterion only depends on the number of the restart. */
static const double criteria[] = {5, 3, 8, 3, 9, 4};
static int prepared, released;

static cobloc_status toy_prepare(const cob_method_problem *p, void **shared, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int *made = NULL;
    assert_int_equal(p->restart, 0);
    COB_NEW(made, 1);
    *made = p->k;
    *shared = made;
    prepared++;
done:
    return status;
}

static void toy_release(void *shared)
{
    cob_free(shared);
    released++;
}

static cobloc_status toy_fit(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *misfit = NULL;
    const int *shared = p->shared;
    COB_CHECK(*shared == p->k, COBLOC_BAD_DATA, "prepared for another k");
    COB_NEW(misfit, p->rows.major);
    for (int64_t i = 0; i < p->rows.major; i++) {
        out->row_labels[i] = p->rows.indices[p->rows.offsets[i]] % p->k;
        misfit[i] = cobloc_view_value(&p->rows, p->rows.offsets[i]);
    }
    COB_TRY(cob_repair_empty(out->row_labels, p->rows.major, p->k, NULL, cob_loss_by_misfit, misfit,
                             &out->kept, err));
    COB_TRY(cob_outcome_note(out, 100, err));
    COB_TRY(cob_outcome_note(out, criteria[p->restart % 6], err));
    cob_method_must_end(p, 0.5, out);
done:
    cob_free(misfit);
    return status;
}

static const cob_method toy = {.name = "toy",
                               .title = "first entries (rows only)",
                               .criterion = "none",
                               .minimised = true,
                               .one_sided = true,
                               .weight = COBLOC_WEIGHT_BINARY,
                               .prepare = toy_prepare,
                               .release = toy_release,
                               .fit = toy_fit};

static cobloc_fit_options options_for(const char *model, int k)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.threads = 1;
    return o;
}

static cobloc_status fit_toy(const table *t, const cobloc_fit_options *o, cobloc_result **r,
                             cobloc_error *err)
{
    cob_algorithm algorithm = cob_algorithm_of_method(&toy);
    cobloc_matrix *x = matrix_of(t);
    cobloc_status status = cob_fit(x, o, &algorithm, r, err);
    cobloc_matrix_free(x);
    return status;
}

/* Row 3 and column 2 are empty. By their first entries rows 0, 1, 4 are alike, and 2 and 5. */
static const table small = {.n = 6, .d = 5, .x = {0, 4, 0, 1, 0, /**/ 0, 9, 0, 0, 1, /**/
                                                  7, 0, 0, 0, 0, /**/ 0, 0, 0, 0, 0, /**/
                                                  0, 1, 0, 1, 2, /**/ 3, 0, 0, 0, 5}};

/* Worked by hand: rows 0, 1, 4 hold 3, 2, 2 ones in columns 1, 3, 4, rows 2 and 5 hold 2 and 1 in
 * columns 0 and 4; column 4 has 2/7 of the first and 1/3 of the second. */
static void test_around_a_method(void **state)
{
    static const int32_t rows[] = {0, 0, 1, -1, 0, 1}, cols[] = {1, 0, -1, 0, 1};
    static const double blocks[] = {5, 2, 0, 3};
    cobloc_fit_options o = options_for("toy", 2);
    cobloc_result *r = NULL;
    cobloc_error err;
    (void)state;
    prepared = released = 0;
    assert_ok(fit_toy(&small, &o, &r, &err), err);
    assert_int_equal(prepared, 1);
    assert_int_equal(released, 1);
    assert_memory_equal(r->row_labels, rows, sizeof rows);
    assert_memory_equal(r->col_labels, cols, sizeof cols);
    assert_memory_equal(r->blocks, blocks, sizeof blocks);
    assert_int_equal(r->weight, COBLOC_WEIGHT_BINARY);
    assert_int_equal(r->empty_rows, 1);
    assert_int_equal(r->empty_cols, 1);
    assert_int_equal(r->best_restart, 1); /* the smallest criterion, the first of two */
    assert_true(r->criterion == 3 && r->iterations == 2 && r->trace_count == 2);
    assert_true(r->trace[0] == 100 && r->trace[1] == 3);
    assert_true(r->row_proportions[0] == 0.6 && r->col_proportions[1] == 0.5);
    assert_near(r->parameters[0], 5.0 * 10 / (7 * 5), 1e-12, "lift");
    for (int i = 0; i < 6; i++)
        assert_true(r->restart_criteria[i] == criteria[i]);
    assert_string_equal(r->model, "toy");
    assert_null(r->merges);
    assert_near(r->modularity, (5 - 7 * 5 / 10.0 + 3 - 3 * 5 / 10.0) / 10, 1e-12, "modularity");
    assert_true(isnan(r->icl) && r->explained_information > 0 && r->explained_information < 1);
    assert_int_equal(r->repaired, 0);
    cobloc_result_free(r);
}

/* Asked for four clusters: two have no first entries of their own. */
static void test_repair(void **state)
{
    cobloc_fit_options o = options_for("toy", 4);
    cobloc_result *r = NULL;
    cobloc_error err;
    (void)state;
    o.weight = COBLOC_WEIGHT_NONE;
    assert_ok(fit_toy(&small, &o, &r, &err), err);
    assert_int_equal(r->repaired, 2);
    assert_int_equal(r->weight, COBLOC_WEIGHT_NONE);
    for (int k = 0; k < 4; k++)
        assert_true(r->row_sizes[k] > 0 && r->col_sizes[k] > 0);
    /* The farthest went: row 1 with its 9, row 2 with its 7. */
    assert_true(r->row_labels[1] != r->row_labels[0] && r->row_labels[2] != r->row_labels[5]);
    assert_int_equal(r->row_labels[0], r->row_labels[4]);
    cobloc_result_free(r);
}

static void test_empty_clusters(void **state)
{
    int32_t labels[] = {2, 2, 2, 0, 0}, few[] = {1, 1};
    const double misfit[] = {1, 5, 2, 9, 3};
    int repaired;
    cobloc_error err;
    (void)state;
    assert_ok(cob_repair_empty(labels, 5, 4, NULL, cob_loss_by_misfit, misfit, &repaired, &err),
              err);
    assert_int_equal(repaired, 2);
    assert_int_equal(labels[3], 1);
    assert_int_equal(labels[4], 0); /* the last of its cluster stays */
    assert_int_equal(labels[1], 3);
    assert_ok(cob_repair_empty(few, 2, 5, NULL, cob_loss_by_misfit, misfit, &repaired, &err), err);
    assert_int_equal(repaired, 1); /* there are no more lines than that */
}

static void test_refused(void **state)
{
    static const int32_t labels[6] = {0};
    static const double effects[6] = {1, 1, 1, 1, 1, 1};
    cobloc_error err;
    cobloc_result *r = NULL;
    (void)state;
#define REFUSE(part, ...)                                                                          \
    do {                                                                                           \
        cobloc_fit_options o = options_for("toy", 2);                                              \
        __VA_ARGS__;                                                                               \
        assert_int_equal(fit_toy(&small, &o, &r, &err), COBLOC_BAD_ARGUMENT);                      \
        if (!strstr(err.message, part))                                                            \
            fail_msg("%s", err.message);                                                           \
    } while (0)
    REFUSE("toy takes no row or column effects", o.row_effects = effects);
    REFUSE("toy cannot keep to known labels", o.fix_rows = labels);
    REFUSE("toy cannot start there", o.start = COBLOC_START_MERGE);
    REFUSE("its inference is hard", o.inference = COBLOC_SOFT);
    REFUSE("its inference is hard", o.inference = COBLOC_STOCHASTIC);
    REFUSE("toy with 2 row clusters has 2 column clusters, not 3", o.l = 3);
    REFUSE("no weight number 9", o.weight = (cobloc_weight)9);
    REFUSE("no start number 77", o.start = (cobloc_start)77);
#undef REFUSE
}

static int stop_at_once(void *user, const char *what, double done)
{
    ++*(int *)user;
    (void)what;
    return done >= 0;
}

static void test_stopped(void **state)
{
    int calls = 0;
    cobloc_fit_options o = options_for("toy", 2);
    cobloc_result *r = NULL;
    cobloc_error err;
    (void)state;
    o.progress = (cobloc_progress){stop_at_once, &calls};
    assert_ok(fit_toy(&small, &o, &r, &err), err);
    assert_int_equal(r->stop, COBLOC_STOP_CANCELLED);
    assert_int_equal(r->best_restart, 0);
    assert_true(isnan(r->restart_criteria[5]) && calls == 1);
    cobloc_result_free(r);
    o.progress = (cobloc_progress){NULL, NULL};
    o.max_seconds = 1e-9;
    assert_ok(fit_toy(&small, &o, &r, &err), err);
    assert_int_equal(r->stop, COBLOC_STOP_TIME);
    cobloc_result_free(r);
}

/* ---- every method in the list ---------------------------------------------------------------- */

static void check_sound(const cobloc_result *r, int filled)
{
    if (!isfinite(r->criterion))
        fail_msg("%s: the criterion is %g", r->model, r->criterion);
    for (int i = 0; i < r->trace_count; i++)
        assert_true(isfinite(r->trace[i]));
    for (int c = 0; c < r->k * r->l; c++)
        assert_true(isfinite(r->parameters[c]) && isfinite(r->blocks[c]));
    for (int64_t c = 0; r->row_probabilities && c < r->n * r->k; c++)
        assert_true(r->row_probabilities[c] >= 0 && r->row_probabilities[c] <= 1 + 1e-12);
    for (int k = 0; k < r->k; k++)
        if (r->row_sizes[k] == 0)
            fail_msg("%s, k = %d: row cluster %d is empty", r->model, r->k, k);
    for (int l = 0; l < r->l && r->l <= filled; l++)
        if (r->col_sizes[l] == 0)
            fail_msg("%s, l = %d: column cluster %d is empty", r->model, r->l, l);
}

static int filled_columns(const table *t)
{
    int filled = 0;
    for (int j = 0; j < t->d; j++) {
        int i = 0;
        while (i < t->n && cell(t, i, j) <= 0)
            i++;
        filled += i < t->n;
    }
    return filled;
}

/* lda draws a topic for every count: it takes counts, and not too many. */
static bool takes(const char *model, const table *t)
{
    double total = 0;
    for (int c = 0; c < t->n * t->d; c++)
        if (t->x[c] != floor(t->x[c]))
            total = INFINITY;
        else
            total += t->x[c];
    return strcmp(model, "lda") != 0 || total < INT32_MAX;
}

/* Fits every method by every inference that it takes, on one thread and on three. */
static void fit_all(const table *t, int k)
{
    cobloc_error err;
    cobloc_matrix *x = matrix_of(t);
    for (int at = 0; at < cobloc_model_count(); at++)
        for (int inference = COBLOC_HARD; inference <= COBLOC_SVEM; inference++) {
            cobloc_fit_options o = options_for(cobloc_model_name(at), k);
            cobloc_result *r = NULL, *again = NULL;
            o.inference = (cobloc_inference)inference;
            o.restarts = rounds_of(3);
            if (cob_model_named(o.model) || !takes(o.model, t) ||
                !cobloc_model_takes_inference(at, o.inference) ||
                (!cobloc_model_is_one_sided(at) && k > filled_columns(t)))
                continue;
            if (cobloc_fit(x, &o, &r, &err) != COBLOC_OK)
                fail_msg("%s, k = %d: %s", o.model, k, err.message);
            check_sound(r, filled_columns(t));
            o.threads = 3;
            assert_ok(cobloc_fit(x, &o, &again, &err), err);
            assert_memory_equal(r->row_labels, again->row_labels, (size_t)r->n * sizeof(int32_t));
            assert_memory_equal(r->col_labels, again->col_labels, (size_t)r->d * sizeof(int32_t));
            assert_memory_equal(&r->criterion, &again->criterion, sizeof r->criterion);
            cobloc_result_free(r);
            cobloc_result_free(again);
        }
    cobloc_matrix_free(x);
}

static void test_every_method(void **state)
{
    static const table one_row = {.n = 1, .d = 3, .x = {1, 2, 3}},
                       one_col = {.n = 3, .d = 1, .x = {1, 2, 3}},
                       one_cell = {.n = 1, .d = 1, .x = {5}},
                       diagonal = {.n = 3, .d = 3, .x = {1, 0, 0, 0, 2, 0, 0, 0, 3}},
                       huge = {.n = 3, .d = 3, .x = {4e9, 1, 0, 0, 3e9, 2, 5, 0, 4294967295.0}},
                       tiny = {
                           .n = 3, .d = 3, .x = {1e-9, 1e-12, 0, 0, 3e-10, 2e-11, 5e-12, 0, 1e-9}};
    dice dc = dice_of(71);
    table apart = {.n = 40, .d = 12};
    (void)state;
    for (int i = 0; i < apart.n; i++)
        apart.x[i * apart.d + i % 12] = 1;
    fit_all(&one_row, 1);
    fit_all(&one_col, 1);
    fit_all(&one_cell, 1);
    fit_all(&diagonal, 1);
    fit_all(&diagonal, 2);
    fit_all(&diagonal, 3); /* as many clusters as lines */
    fit_all(&small, 1);
    fit_all(&small, 2);
    fit_all(&small, 4);
    fit_all(&huge, 2);
    fit_all(&tiny, 2);
    fit_all(&apart, 4);
    for (int round = 0; round < rounds_of(6); round++) {
        table t = planted_table(&dc, 30, 20, 3, 0.5, 0.1);
        fit_all(&t, 2 + round % 4);
    }
}

/* ---- memory that runs out -------------------------------------------------------------------- */

/* Methods that join co-clusterings get some: test_ensemble fails where they make their own. */
static void check_failing(const table *t, const cob_algorithm *algorithm)
{
    static const int32_t labels[MOST_LINES] = {0, 1, 0, 1, 1};
    static const cobloc_copartition base[] = {
        {.row_labels = labels, .col_labels = labels, .paired = 1},
        {.row_labels = labels, .col_labels = labels}};
    cobloc_fit_options o = options_for(algorithm->name, 2);
    cobloc_matrix *x = matrix_of(t);
    o.restarts = 2;
    o.base = base;
    o.base_count = algorithm->method->members ? 2 : 0;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_result *r = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cob_fit(x, &o, algorithm, &r, &err);
        failed = allocation_failed(k, status, &err, 20);
        cobloc_result_free(r);
    }
    cobloc_matrix_free(x);
}

static void test_failing_allocations(void **state)
{
    dice dc = dice_of(72);
    table t = planted_table(&dc, 12, 12, 2, 0.7, 0.1);
    cob_algorithm algorithm = cob_algorithm_of_method(&toy);
    (void)state;
    check_failing(&small, &algorithm);
    for (int at = 0; cob_method_at(at); at++) {
        algorithm = cob_algorithm_of_method(cob_method_at(at));
        check_failing(&t, &algorithm);
    }
}

/* ---- the list -------------------------------------------------------------------------------- */

static void test_list(void **state)
{
    int models = 0;
    cob_algorithm a;
    (void)state;
    while (cob_model_at(models))
        models++;
    assert_true(models > 0);
    for (int at = 0; at < cobloc_model_count(); at++) {
        assert_true(cob_algorithm_named(cobloc_model_name(at), &a));
        assert_true((a.model != NULL) == (at < models) && (a.model == NULL) == (a.method != NULL));
        assert_string_equal(a.name, cobloc_model_name(at)); /* no name twice */
        assert_true(strlen(cobloc_model_title(at)) > 0 && strlen(cobloc_model_criterion(at)) > 0);
        assert_true(cobloc_model_takes_inference(at, COBLOC_HARD));
        assert_true(cobloc_model_weight(at) != COBLOC_WEIGHT_AUTO);
        if (cobloc_model_is_one_sided(at))
            assert_non_null(strstr(cobloc_model_title(at), "rows only"));
    }
    assert_null(cobloc_model_name(cobloc_model_count()));
    assert_null(cobloc_model_title(-1));
    assert_false(cobloc_model_is_one_sided(-1) || cobloc_model_is_minimised(-1) ||
                 cobloc_model_takes_inference(-1, COBLOC_HARD));
    assert_int_equal(cobloc_model_weight(-1), COBLOC_WEIGHT_NONE);
    assert_string_equal(cobloc_weight_name(COBLOC_WEIGHT_AUTO), "auto");
    assert_string_equal(cobloc_weight_name((cobloc_weight)99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_around_a_method),
        cmocka_unit_test(test_repair),
        cmocka_unit_test(test_empty_clusters),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_every_method),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_list),
    };
    one_thread_by_default();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
