/* New rows in old clusters: the rows that were fitted come back to their own, whatever the model
 * and the weight; columns are found by name; what cannot be done ends in a sentence.
 *
 * SPDX-License-Identifier: MIT
 */
#include "predicting.h"

static void must_refuse(const cobloc_saved *saved, const cobloc_matrix *matrix,
                        const double *effects, cobloc_status expected, const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_prediction *p = NULL;
    cobloc_predict_options o = with_effects(matrix, effects);
    cobloc_status status = cobloc_predict(saved, matrix, &o, &p, &err);
    if (status != expected || !strstr(err.message, part))
        fail_msg("got \"%s\": %s, expected \"%s\": ...%s...", cobloc_status_name(status),
                 err.message, cobloc_status_name(expected), part);
    assert_null(p);
}

/* All of them; nearly all of dcc, whose fit takes back a step of all rows together that worsens its
 * criterion, and of splbm, whose steps may run in circles. */
static void assert_own_labels(const cobloc_saved *saved, const cobloc_prediction *p)
{
    const cobloc_result *r = saved->result;
    bool settles = strcmp(r->model, "dcc") != 0 && strcmp(r->model, "splbm") != 0;
    int spare = settles ? 0 : ROWS / 20;
    assert_int_equal(p->n, r->n);
    for (int64_t i = 0; i < r->n; i++)
        if (p->labels[i] != r->row_labels[i] && spare-- <= 0)
            fail_msg("%s, %s, %s, %s, %d repaired: row %d goes to %d, but it was in %d", r->model,
                     cobloc_inference_name(r->inference), cobloc_weight_name(r->weight),
                     cobloc_stop_name(r->stop), r->repaired, (int)i, (int)p->labels[i],
                     (int)r->row_labels[i]);
}

/* ---- the rows that were fitted --------------------------------------------------------------- */

/* Lines that only stay so that no cluster is empty would go elsewhere, of course. */
static void hard_fits_come_back(void **state)
{
    int fits = 0, held = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        cobloc_matrix *matrix = planted(seed);
        for (int m = 0; m < cobloc_model_count(); m++)
            for (int w = COBLOC_WEIGHT_AUTO; w < (int)COB_WEIGHTS; w++) {
                cobloc_fit_options o = options_for(cobloc_model_name(m), COBLOC_HARD);
                o.weight = (cobloc_weight)w;
                if (!cobloc_model_predicts(m) || comes_near(o.model))
                    continue;
                cobloc_saved *saved = must_save(matrix, &o);
                cobloc_prediction *p = must_predict(saved, matrix, NULL);
                assert_int_equal(saved->result->stop, COBLOC_STOP_CONVERGED);
                if (saved->result->repaired == 0)
                    assert_own_labels(saved, p);
                fits++;
                held += saved->result->repaired > 0;
                assert_int_equal(p->unknown_cols + p->missing_cols, 0);
                assert_int_equal(p->unplaced, saved->result->empty_rows);
                cobloc_prediction_free(p);
                cobloc_saved_free(saved);
            }
        cobloc_matrix_free(matrix);
    }
    assert_true(held * 10 < fits);
}

/* Probabilities are those of the last iteration, whose parameters hardly differ from the next. */
static void soft_fits_come_back(void **state)
{
    cobloc_matrix *matrix = planted(4);
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++) {
        if (!cobloc_model_predicts(m) || !cobloc_model_takes_inference(m, COBLOC_SOFT) ||
            comes_near(cobloc_model_name(m)))
            continue;
        cobloc_fit_options o = options_for(cobloc_model_name(m), COBLOC_SOFT);
        cobloc_saved *saved = must_save(matrix, &o);
        cobloc_prediction *p = must_predict(saved, matrix, NULL);
        assert_own_labels(saved, p);
        for (int64_t c = 0; c < p->n * p->k; c++)
            if (fabs(p->probabilities[c] - saved->result->row_probabilities[c]) > 1e-6)
                fail_msg("%s: the probability is %.9g, but it was %.9g", o.model,
                         p->probabilities[c], saved->result->row_probabilities[c]);
        cobloc_prediction_free(p);
        cobloc_saved_free(saved);
    }
    cobloc_matrix_free(matrix);
}

/* Topics are drawn: the mean of the draws is near, not equal. */
static void topics_come_near(void **state)
{
    cobloc_matrix *matrix = planted(5);
    cobloc_fit_options o = options_for("lda", COBLOC_SOFT);
    cobloc_saved *saved = must_save(matrix, &o);
    cobloc_prediction *p = must_predict(saved, matrix, NULL);
    double off = 0;
    (void)state;
    assert_own_labels(saved, p);
    for (int64_t c = 0; c < p->n * p->k; c++)
        off += fabs(p->probabilities[c] - saved->result->row_probabilities[c]);
    assert_true(off / (double)(p->n * p->k) < 0.03);
    cobloc_prediction_free(p);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* Chains, too, end with a rule. */
static void stochastic_fits_come_back(void **state)
{
    static const char *const models[] = {"plbm", "socc", "lbm", "coclus"};
    cobloc_matrix *matrix = planted(6);
    (void)state;
    for (int m = 0; m < 4; m++) {
        cobloc_fit_options o = options_for(models[m], COBLOC_STOCHASTIC);
        cobloc_saved *saved = must_save(matrix, &o);
        cobloc_prediction *p = must_predict(saved, matrix, NULL);
        assert_own_labels(saved, p);
        cobloc_prediction_free(p);
        cobloc_saved_free(saved);
    }
    cobloc_matrix_free(matrix);
}

static void effects_are_taken(void **state)
{
    cobloc_matrix *matrix = planted(7);
    double rows[ROWS], cols[COLS];
    cobloc_fit_options o = options_for("plbm", COBLOC_HARD);
    (void)state;
    for (int i = 0; i < ROWS; i++)
        rows[i] = 3 + i % 5;
    for (int j = 0; j < COLS; j++)
        cols[j] = 2 + j % 7;
    o.row_effects = rows;
    o.col_effects = cols;
    cobloc_saved *saved = must_save(matrix, &o);
    cobloc_prediction *p = must_predict(saved, matrix, rows);
    assert_own_labels(saved, p);
    cobloc_prediction_free(p);
    rows[3] = 0;
    must_refuse(saved, matrix, rows, COBLOC_BAD_ARGUMENT, "line 4");
    cobloc_saved_free(saved);
    o = options_for("coclus", COBLOC_HARD);
    saved = must_save(matrix, &o);
    must_refuse(saved, matrix, rows, COBLOC_BAD_ARGUMENT, "Poisson");
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* ---- new rows -------------------------------------------------------------------------------- */

/* Columns in another order, some missing, some new: the same answer as with what is known alone. */
static void columns_by_name(void **state)
{
    cobloc_matrix *matrix = planted(8), *turned = NULL, *fewer = NULL;
    double *dense = dense_of(matrix);
    int32_t row[2 * ROWS * COLS], col[2 * ROWS * COLS];
    double value[2 * ROWS * COLS], outside = 0, all = 0;
    const char *names[COLS];
    char other[COLS][8];
    int64_t count = 0, kept = 0;
    cobloc_error err;
    (void)state;
    for (int c = 0; c < ROWS * COLS; c++) { /* columns 0 to 4 become others */
        int i = c / COLS, j = c % COLS;
        if (!(dense[c] > 0))
            continue;
        row[count] = i;
        col[count] = COLS - 1 - j;
        value[count++] = dense[c];
        all += dense[c];
        outside += j < 5 ? dense[c] : 0;
    }
    for (int j = 0; j < COLS; j++) {
        snprintf(other[j], sizeof other[j], j < 5 ? "new%d" : "t%d", j);
        names[COLS - 1 - j] = other[j];
    }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &turned, &err), err);
    assert_ok(cobloc_matrix_set_col_names(turned, names, &err), err);
    for (int c = 0; c < ROWS * COLS; c++)
        if (dense[c] > 0 && c % COLS >= 5) {
            row[kept] = c / COLS;
            col[kept] = c % COLS;
            value[kept++] = dense[c];
        }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, kept, row, col, value, &fewer, &err), err);
    static const char *const models[] = {"coclus", "plbm", "skmeans", "bmm"};
    for (int m = 0; m < 4; m++) {
        cobloc_fit_options o = options_for(models[m], COBLOC_HARD);
        o.weight = COBLOC_WEIGHT_TFIDF;
        cobloc_saved *saved = must_save(matrix, &o);
        cobloc_prediction *a = must_predict(saved, turned, NULL);
        cobloc_prediction *b = must_predict(saved, fewer, NULL);
        assert_memory_equal(a->labels, b->labels, ROWS * sizeof *a->labels);
        assert_true(a->by_name && !b->by_name);
        assert_int_equal(a->unknown_cols, 5);
        assert_int_equal(a->missing_cols, 5);
        assert_true(fabs(a->unknown_share - outside / all) < 1e-12);
        cobloc_prediction_free(a);
        cobloc_prediction_free(b);
        cobloc_saved_free(saved);
    }
    free(dense);
    cobloc_matrix_free(turned);
    cobloc_matrix_free(fewer);
    cobloc_matrix_free(matrix);
}

/* One row alone: its TF-IDF weights are those of the fitted matrix, not of itself. */
static void single_rows(void **state)
{
    cobloc_matrix *matrix = planted(9);
    double *dense = dense_of(matrix);
    cobloc_fit_options o = options_for("skmeans", COBLOC_HARD);
    cobloc_saved *saved = must_save(matrix, &o);
    cobloc_error err;
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        int32_t row[COLS], col[COLS];
        double value[COLS];
        int64_t count = 0;
        cobloc_matrix *one = NULL;
        for (int j = 0; j < COLS; j++)
            if (dense[i * COLS + j] > 0) {
                row[count] = 0;
                col[count] = j;
                value[count++] = dense[i * COLS + j];
            }
        assert_ok(cobloc_matrix_from_triples(1, COLS, count, row, col, value, &one, &err), err);
        cobloc_prediction *p = must_predict(saved, one, NULL);
        assert_int_equal(p->labels[0], saved->result->row_labels[i]);
        cobloc_prediction_free(p);
        cobloc_matrix_free(one);
    }
    free(dense);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* ---- what cannot be done --------------------------------------------------------------------- */

static void some_cannot(void **state)
{
    cobloc_matrix *matrix = planted(10), *narrow;
    cobloc_error err;
    int can = 0, cannot = 0;
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++) {
        if (cobloc_model_predicts(m)) {
            can++;
            continue;
        }
        cobloc_fit_options o = options_for(cobloc_model_name(m), COBLOC_HARD);
        o.max_iterations = 20;
        cobloc_saved *saved = must_save(matrix, &o);
        must_refuse(saved, matrix, NULL, COBLOC_UNSUPPORTED, o.model);
        cobloc_saved_free(saved);
        cannot++;
    }
    assert_true(can >= 24 && cannot == 1); /* all but chisim */
    cobloc_fit_options o = options_for("coclus", COBLOC_HARD);
    cobloc_saved *saved = must_save(matrix, &o);
    narrow = random_matrix(1, 5, 7, 0.5, COBLOC_U8, NAMES_NONE);
    must_refuse(saved, narrow, NULL, COBLOC_BAD_DATA, "7 columns, the fit 48");
    const char *same[] = {"a", "b", "c", "a", "d", "e", "f"};
    assert_ok(cobloc_matrix_set_col_names(narrow, same, &err), err);
    must_refuse(saved, narrow, NULL, COBLOC_BAD_DATA, "the name 'a'");
    same[3] = "g";
    assert_ok(cobloc_matrix_set_col_names(narrow, same, &err), err);
    cobloc_prediction *p = must_predict(saved, narrow, NULL); /* nothing of it is known */
    assert_int_equal(p->unplaced, 5);
    assert_int_equal(p->missing_cols, COLS);
    assert_true(p->unknown_share == 1);
    cobloc_prediction_free(p);
    cobloc_matrix_free(narrow);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

static void no_memory(void **state)
{
    static const char *const models[] = {"plbm", "bmm", "lda", "nmf", "spec"};
    cobloc_matrix *matrix = planted(11);
    (void)state;
    for (int m = 0; m < 5; m++) {
        cobloc_fit_options o = options_for(models[m], m < 4 ? COBLOC_SOFT : COBLOC_HARD);
        o.weight = m == 0 ? COBLOC_WEIGHT_TFIDF : COBLOC_WEIGHT_AUTO;
        cobloc_saved *saved = must_save(matrix, &o);
        for (long k = 0, failed = 1; failed; k++) {
            cobloc_error err = {COBLOC_OK, ""};
            cobloc_prediction *p = NULL;
            cob_alloc_fail_at(k);
            cobloc_status status = cobloc_predict(saved, matrix, NULL, &p, &err);
            failed = allocation_failed(k, status, &err, 5);
            cobloc_prediction_free(p);
        }
        cobloc_saved_free(saved);
    }
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_fits_come_back), cmocka_unit_test(soft_fits_come_back),
        cmocka_unit_test(topics_come_near),    cmocka_unit_test(stochastic_fits_come_back),
        cmocka_unit_test(effects_are_taken),   cmocka_unit_test(columns_by_name),
        cmocka_unit_test(single_rows),         cmocka_unit_test(some_cannot),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
