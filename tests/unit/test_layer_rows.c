/* New rows for models whose entries say several things: placed by what their cells say, with
 * missing cells and with categories by name; and values that a model has no place for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gappy.h"

/* A result that was written and read back. */
static cobloc_saved *fit_and_save(const cobloc_matrix *x, const char *model)
{
    cobloc_error err;
    cobloc_fit_options o;
    cobloc_result *r = NULL;
    cobloc_saved *saved = NULL;
    cob_fit_options_default(&o);
    o.model = model, o.k = 3, o.threads = 1;
    assert_ok(cobloc_fit(x, &o, &r, &err), err);
    assert_ok(cobloc_result_write(r, x, &o, test_path("saved"), &err), err);
    assert_ok(cobloc_saved_read(test_path("saved"), &saved, &err), err);
    assert_int_equal(saved->result->rule_width, r->rule_width);
    assert_memory_equal(saved->result->parameters, r->parameters,
                        (size_t)(r->parameter_count * r->k * r->l) * sizeof *r->parameters);
    cobloc_result_free(r);
    return saved;
}

static cobloc_prediction *predict(const cobloc_saved *saved, const cobloc_matrix *x)
{
    cobloc_prediction *found = NULL;
    cobloc_error err;
    assert_ok(cobloc_predict(saved, x, NULL, &found, &err), err);
    return found;
}

/* The log-probability of a row's cells in a cluster, straight from the parameters. */
static double score_of(const cobloc_result *r, const table *t, int i, int k)
{
    bool gaussian = strcmp(r->model, "glbm") == 0, codes = strcmp(r->model, "clbm") == 0;
    double score = log(r->row_proportions[k]);
    for (int j = 0; j < t->d; j++) {
        const double *own = r->parameters + k * r->l + r->col_labels[j];
        double x = cell(t, i, j), floor = 1e-300;
        if (isnan(x))
            continue;
        score += gaussian ? -(x - own[0]) * (x - own[0]) / (2 * own[r->k * r->l]) -
                                log(2 * acos(-1) * own[r->k * r->l]) / 2
                 : codes ? log(fmax(own[(int)x * r->k * r->l], floor))
                         : log(fmax(x > 0 ? own[0] : 1 - own[0], floor));
    }
    return score;
}

/* New rows are placed by what their cells say, whatever is missing, also if nothing was before. */
static void new_rows_are_placed_by_their_cells(void **state)
{
    static const char *const probable[] = {"glbm", "clbm", "lbm", "dlbm1"};
    (void)state;
    for (int round = 0; round < 16; round++) {
        const cob_model *model = cob_model_named(probable[round % 4]);
        dice dc = dice_of((uint64_t)(70 + round));
        table t = gappy_table(&dc, model, 24, 18, round < 8 ? 0 : 0.2);
        table new = gappy_table(&dc, model, 24, 18, 0.3);
        cobloc_matrix *x = gappy_matrix(&t), *y = gappy_matrix(&new);
        cobloc_saved *saved = fit_and_save(x, model->name);
        cobloc_prediction *p = predict(saved, y);
        for (int i = 0; i < new.n; i++) {
            double scores[3], sum = 0, most = -INFINITY;
            for (int k = 0; k < 3; k++) {
                scores[k] = score_of(saved->result, &new, i, k);
                most = fmax(most, scores[k]);
            }
            for (int k = 0; k < 3; k++)
                sum += exp(scores[k] - most);
            for (int k = 0; k < 3; k++)
                assert_near(p->probabilities[i * 3 + k], exp(scores[k] - most) / sum, 1e-6,
                            model->name);
        }
        cobloc_prediction_free(p);
        cobloc_saved_free(saved);
        cobloc_matrix_free(x);
        cobloc_matrix_free(y);
    }
}

/* Categories of new rows go by their names, the first of them, too; a name that the fit did not
 * have is a missing cell. */
static void categories_are_found_by_name(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d"}, *const others[] = {"c", "new", "a",
                                                                                "b"};
    static const int renumbered[] = {2, 3, 0, 1};
    dice dc = dice_of(90);
    table t = planted_classes(&dc, true, 0, 1, 0.1), new = t, expected = t;
    cobloc_error err;
    (void)state;
    for (int c = 0; c < t.n * t.d; c++) {
        if (!isnan(t.x[c]))
            new.x[c] = renumbered[(int)t.x[c]]; /* d has the number of the new name */
        if (t.x[c] == 3)
            expected.x[c] = NAN;
    }
    cobloc_matrix *x = gappy_matrix(&t), *y = gappy_matrix(&new), *z = gappy_matrix(&expected);
    assert_ok(cobloc_matrix_set_categories(x, names, 4, &err), err);
    assert_ok(cobloc_matrix_set_categories(y, others, 4, &err), err);
    cobloc_saved *saved = fit_and_save(x, "clbm");
    assert_string_equal(saved->result->parameter_names[1], "p(b)");
    cobloc_prediction *a = predict(saved, y), *b = predict(saved, z);
    assert_memory_equal(a->labels, b->labels, (size_t)t.n * sizeof *a->labels);
    assert_memory_equal(a->probabilities, b->probabilities, (size_t)(3 * t.n) * sizeof(double));
    cobloc_prediction_free(a);
    cobloc_prediction_free(b);
    cobloc_saved_free(saved);
    cobloc_matrix_free(x);
    cobloc_matrix_free(y);
    cobloc_matrix_free(z);
}

/* Values that a model has no place for are refused. */
static void others_are_refused(void **state)
{
    static const struct {
        const char *model, *part;
        double cell;
    } cases[] = {{"clbm", "takes categories", 0.5},
                 {"clbm", "takes categories", 300},
                 {"clbm", "takes no negative", -1},
                 {"fnmtf", "takes no negative", -1},
                 {"plbm", "takes no missing", (double)NAN}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        table t = {.n = 3, .d = 3, .x = {1, 0, 1, 0, 1, 1, 1, 1, cases[c].cell}};
        cobloc_matrix *x = gappy_matrix(&t);
        cobloc_fit_options o;
        cobloc_error err;
        cobloc_result *r = NULL;
        cob_fit_options_default(&o);
        o.model = cases[c].model, o.k = 2;
        assert_int_equal(cobloc_fit(x, &o, &r, &err), COBLOC_BAD_DATA);
        assert_non_null(strstr(err.message, cases[c].part));
        cobloc_matrix_free(x);
    }
}

int main(void)
{
    one_thread_by_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_rows_are_placed_by_their_cells),
        cmocka_unit_test(categories_are_found_by_name),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
