/* Results that were saved in memory: of a fit without a folder, as bytes, and back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "saved_folders.h"

/* ---- tools ----------------------------------------------------------------------------------- */

static cobloc_saved *must_keep(const cobloc_result *r, const cobloc_matrix *matrix,
                               const cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_saved *saved = NULL;
    assert_ok(cobloc_saved_of(r, matrix, o, &saved, &err), err);
    return saved;
}

static cobloc_saved *through_bytes(const cobloc_saved *saved)
{
    cobloc_error err;
    cobloc_saved *again = NULL;
    void *bytes = NULL;
    size_t count = 0;
    assert_ok(cobloc_saved_pack(saved, &bytes, &count, &err), err);
    assert_ok(cobloc_saved_unpack(bytes, count, &again, &err), err);
    cobloc_bytes_free(bytes);
    return again;
}

static cobloc_prediction *must_predict(const cobloc_saved *saved, const cobloc_matrix *matrix)
{
    cobloc_error err;
    cobloc_prediction *p = NULL;
    cobloc_predict_options o;
    cob_predict_options_default(&o);
    o.scores = 1;
    o.threads = 1;
    assert_ok(cobloc_predict(saved, matrix, &o, &p, &err), err);
    return p;
}

/* What rows chose by: the best is the label, and probabilities follow from it. */
static void assert_scores(const cobloc_prediction *p)
{
    for (int64_t i = 0; i < p->n; i++) {
        const double *s = p->scores + i * p->k;
        for (int k = 0; k < p->k; k++) {
            if (p->labels[i] < 0) {
                assert_true(s[k] == 0);
                continue;
            }
            assert_true(s[k] <= s[p->labels[i]]);
            if (!p->probabilities)
                continue;
            double below = 0;
            for (int other = 0; other < p->k; other++)
                below += exp(s[other] - s[k]);
            assert_true(fabs(p->probabilities[i * p->k + k] - 1 / below) < 1e-9);
        }
    }
}

static void assert_same_places(const cobloc_saved *a, const cobloc_saved *b,
                               const cobloc_matrix *matrix)
{
    cobloc_prediction *of_a = must_predict(a, matrix), *of_b = must_predict(b, matrix);
    size_t cells = (size_t)of_a->n * (size_t)of_a->k;
    assert_memory_equal(of_a->labels, of_b->labels, (size_t)of_a->n * sizeof *of_a->labels);
    assert_memory_equal(of_a->scores, of_b->scores, cells * sizeof *of_a->scores);
    assert_int_equal(of_a->probabilities == NULL, of_b->probabilities == NULL);
    if (of_a->probabilities)
        assert_memory_equal(of_a->probabilities, of_b->probabilities,
                            cells * sizeof *of_a->probabilities);
    assert_scores(of_a);
    cobloc_prediction_free(of_a);
    cobloc_prediction_free(of_b);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Every model by every inference: memory, bytes and folder know the same. */
static void as_in_a_folder(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NASTY);
    const char *folder = test_path("all");
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++)
        for (int inference = COBLOC_HARD; inference <= COBLOC_SVEM; inference++) {
            if (!cobloc_model_takes_inference(m, (cobloc_inference)inference))
                continue;
            cobloc_fit_options o = options_for(cobloc_model_name(m));
            o.inference = (cobloc_inference)inference;
            o.max_iterations = 30;
            cobloc_result *r = must_fit(matrix, &o);
            must_write(r, matrix, &o, folder);
            cobloc_saved *read = must_open(folder), *kept = must_keep(r, matrix, &o);
            cobloc_saved *unpacked = through_bytes(kept);
            cobloc_result_free(r);
            assert_same_result(kept->result, read->result);
            assert_same_result(kept->result, unpacked->result);
            assert_names(matrix, kept);
            assert_names(matrix, unpacked);
            assert_null(kept->folder);
            if (cobloc_model_predicts(m) && strcmp(cobloc_model_name(m), "lda") != 0) {
                assert_same_places(read, kept, matrix);
                assert_same_places(kept, unpacked, matrix);
            }
            cobloc_result *again = must_fit(matrix, &unpacked->options);
            assert_same_result(kept->result, again);
            cobloc_result_free(again);
            cobloc_saved_free(read);
            cobloc_saved_free(kept);
            cobloc_saved_free(unpacked);
        }
    cobloc_matrix_free(matrix);
}

/* Nothing is borrowed: the matrix, the options' arrays and the result may go. */
static void it_stands_alone(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE), *same = planted(NAMES_NONE);
    int32_t *fixed = malloc(42 * sizeof *fixed);
    double *effects = malloc(42 * sizeof *effects);
    cobloc_fit_options o = options_for("plbm");
    (void)state;
    for (int i = 0; i < 42; i++) {
        fixed[i] = i < 6 ? i % 3 : -1;
        effects[i] = 1 + i / 7.0;
    }
    o.fix_rows = fixed;
    o.row_effects = effects;
    cobloc_result *r = must_fit(matrix, &o);
    cobloc_saved *kept = must_keep(r, matrix, &o);
    cobloc_matrix_free(matrix);
    free(fixed);
    free(effects);
    cobloc_saved *unpacked = through_bytes(kept);
    cobloc_result *again = must_fit(same, &unpacked->options);
    assert_same_result(r, again);
    assert_int_equal(kept->options.fix_rows[4], 1);
    assert_true(kept->options.row_effects[7] == 2);
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *none = NULL;
    assert_int_equal(cobloc_saved_matrix(kept, NULL, NULL, &none, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "must be given"));
    cobloc_result_free(again);
    cobloc_result_free(r);
    cobloc_saved_free(kept);
    cobloc_saved_free(unpacked);
    cobloc_matrix_free(same);
}

/* The size that was chosen comes along, with what it was chosen from. */
static void a_chosen_size_is_kept(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    cobloc_fit_options o = options_for("auto");
    (void)state;
    o.k = 0;
    cobloc_result *r = must_fit(matrix, &o);
    cobloc_saved *kept = must_keep(r, matrix, &o);
    assert_int_equal(kept->options.k, r->k);
    assert_int_equal(kept->result->size_count, r->size_count);
    assert_int_equal(kept->result->candidate_count, r->candidate_count);
    for (int i = 0; i < r->candidate_count; i++)
        assert_string_equal(kept->result->candidates[i].model, r->candidates[i].model);
    assert_string_equal(kept->result->size_summary, r->size_summary);
    cobloc_result_free(r);
    cobloc_saved_free(kept);
    cobloc_matrix_free(matrix);
}

static void another_matrix_is_refused(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    cobloc_matrix *other = random_matrix(1, 5, 6, 0.5, COBLOC_U8, NAMES_NONE);
    cobloc_fit_options o = options_for("coclus");
    cobloc_result *r = must_fit(matrix, &o);
    cobloc_saved *saved = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    (void)state;
    assert_int_equal(cobloc_saved_of(r, other, &o, &saved, &err), COBLOC_BAD_ARGUMENT);
    assert_non_null(strstr(err.message, "42 by 30"));
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
    cobloc_matrix_free(other);
}

/* Bytes of a soft fit; free with cobloc_bytes_free. */
static char *soft_bytes(size_t *count)
{
    cobloc_matrix *matrix = planted(NAMES_NASTY);
    cobloc_fit_options o = options_for("plbm");
    cobloc_error err;
    void *bytes = NULL;
    o.inference = COBLOC_SOFT;
    o.max_iterations = 5;
    cobloc_result *r = must_fit(matrix, &o);
    cobloc_saved *kept = must_keep(r, matrix, &o);
    assert_ok(cobloc_saved_pack(kept, &bytes, count, &err), err);
    cobloc_saved_free(kept);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
    return bytes;
}

/* Cut short anywhere, it is an error; with another byte, an error or a result as large as before.
 */
static void damaged_bytes_are_refused(void **state)
{
    size_t count;
    char *bytes = soft_bytes(&count);
    (void)state;
    for (size_t length = 0; length < count; length += 1 + length / 40) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_saved *saved = NULL;
        char *cut = malloc(length + 1); /* of its own, so that sanitizers see where it ends */
        memcpy(cut, bytes, length);
        assert_int_equal(cobloc_saved_unpack(cut, length, &saved, &err), COBLOC_BAD_DATA);
        assert_non_null(strstr(err.message, "packed"));
        free(cut);
    }
    for (size_t at = 0; at < count; at += 7) {
        cobloc_saved *saved = NULL;
        char was = bytes[at];
        bytes[at] = (char)('0' + at % 11);
        cobloc_saved_unpack(bytes, count, &saved, NULL);
        cobloc_saved_free(saved);
        bytes[at] = was;
    }
    cobloc_bytes_free(bytes);
}

static void failing_allocations(void **state)
{
    size_t count;
    char *bytes = soft_bytes(&count);
    cobloc_matrix *matrix = planted(NAMES_NASTY);
    cobloc_fit_options o = options_for("skmeans");
    cobloc_result *r = must_fit(matrix, &o);
    (void)state;
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_saved *saved = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_saved_unpack(bytes, count, &saved, &err);
        failed = allocation_failed(k, status, &err, 20);
        cobloc_saved_free(saved);
    }
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_saved *saved = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_saved_of(r, matrix, &o, &saved, &err);
        failed = allocation_failed(k, status, &err, 20);
        cobloc_saved_free(saved);
    }
    cobloc_bytes_free(bytes);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_in_a_folder),
        cmocka_unit_test(it_stands_alone),
        cmocka_unit_test(a_chosen_size_is_kept),
        cmocka_unit_test(another_matrix_is_refused),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
