/* The folder of a result, read back: everything in it returns, a fit can be repeated from it, also
 * from a folder that was moved.
 *
 * SPDX-License-Identifier: MIT
 */
#include "saved_folders.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- round trips ----------------------------------------------------------------------------- */

/* Every model by every inference: read back, and fitted again by what was read. */
static void all_comes_back(void **state)
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
            cobloc_result *r = must_fit(matrix, &o), *again;
            must_write(r, matrix, &o, folder);
            cobloc_saved *saved = must_open(folder);
            assert_same_result(r, saved->result);
            assert_names(matrix, saved);
            assert_null(saved->input);
            again = must_fit(matrix, &saved->options);
            assert_same_result(r, again);
            cobloc_result_free(again);
            cobloc_result_free(r);
            cobloc_saved_free(saved);
        }
    cobloc_matrix_free(matrix);
}

/* What the user gives for each line comes back, too. */
static void given_lists_come_back(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    int32_t fix_rows[42], fix_cols[30], start_rows[42];
    double row_effects[42], col_effects[30];
    (void)state;
    for (int i = 0; i < 42; i++) {
        fix_rows[i] = i < 6 ? i % 3 : -1;
        start_rows[i] = i == 20 ? -1 : i % 3; /* an empty row needs no label */
        row_effects[i] = 1 + i / 7.0;
    }
    for (int j = 0; j < 30; j++) {
        fix_cols[j] = j == 4 ? 1 : -1;
        col_effects[j] = 2 + j / 3.0;
    }
    cobloc_fit_options o = options_for("plbm");
    o.fix_rows = fix_rows;
    o.fix_cols = fix_cols;
    o.row_effects = row_effects;
    o.col_effects = col_effects;
    o.start = COBLOC_START_LABELS;
    o.start_rows = start_rows;
    cobloc_result *r = must_fit(matrix, &o);
    must_write(r, matrix, &o, test_path("given"));
    cobloc_saved *saved = must_open(test_path("given"));
    assert_memory_equal(saved->options.fix_rows, fix_rows, sizeof fix_rows);
    assert_memory_equal(saved->options.fix_cols, fix_cols, sizeof fix_cols);
    assert_memory_equal(saved->options.start_rows, start_rows, sizeof start_rows);
    assert_memory_equal(saved->options.row_effects, row_effects, sizeof row_effects);
    assert_memory_equal(saved->options.col_effects, col_effects, sizeof col_effects);
    assert_null(saved->options.start_cols);
    assert_null(cobloc_saved_row_name(saved, 0));
    assert_null(cobloc_saved_col_name(saved, 0));
    double effects = 0;
    for (int i = 0; i < 42; i++)
        effects += i == 20 ? 0 : row_effects[i];
    assert_true(fabs(saved->result->effect_scale - effects / matrix->total) < 1e-12);
    cobloc_result *again = must_fit(matrix, &saved->options);
    assert_same_result(r, again);
    cobloc_result_free(again);
    cobloc_result_free(r);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* Frequencies and sums of the columns, counted once more. */
static void columns_are_counted(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    double *dense = dense_of(matrix);
    cobloc_fit_options o = options_for("coclus");
    cobloc_result *r = must_fit(matrix, &o);
    (void)state;
    must_write(r, matrix, &o, test_path("columns"));
    cobloc_saved *saved = must_open(test_path("columns"));
    for (int64_t j = 0; j < matrix->cols; j++) {
        int64_t frequency = 0;
        double sum = 0;
        for (int64_t i = 0; i < matrix->rows; i++) {
            frequency += dense[i * matrix->cols + j] > 0;
            sum += dense[i * matrix->cols + j];
        }
        assert_int_equal(saved->col_frequencies[j], frequency);
        assert_true(saved->col_sums[j] == sum);
    }
    free(dense);
    cobloc_result_free(r);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* The scores of the rule, worked out entry by entry: each row is where it is largest. */
static void rule_places_rows(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    double *dense = dense_of(matrix);
    (void)state;
    static const char *const models[] = {"coclus", "plbm", "splbm", "socc", "itcc"};
    for (int m = 0; m < 5; m++) {
        cobloc_fit_options o = options_for(models[m]);
        cobloc_result *r = must_fit(matrix, &o);
        int width = r->l + 2;
        for (int64_t i = 0; i < r->n; i++) {
            double best = -INFINITY, own = 0;
            for (int k = 0; k < r->k; k++) {
                const double *rule = r->row_rule + (int64_t)k * width;
                double score = matrix->row_sums[i] * rule[r->l] + rule[r->l + 1];
                for (int64_t j = 0; j < r->d; j++)
                    if (r->col_labels[j] >= 0)
                        score += dense[i * r->d + j] * rule[r->col_labels[j]];
                best = score > best ? score : best;
                own = k == r->row_labels[i] ? score : own;
            }
            assert_true(r->row_labels[i] < 0 || own >= best - 1e-9 * fabs(best));
        }
        cobloc_result_free(r);
    }
    free(dense);
    cobloc_matrix_free(matrix);
}

/* A name that is not UTF-8 is no text of JSON. */
static void any_bytes_are_names(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NASTY);
    const char *names[30];
    cobloc_error err;
    (void)state;
    for (int j = 0; j < 30; j++)
        names[j] = j == 7 ? "caf\xe9 \xff" : "same";
    assert_ok(cobloc_matrix_set_col_names(matrix, names, &err), err);
    cobloc_fit_options o = options_for("coclus");
    cobloc_result *r = must_fit(matrix, &o);
    must_write(r, matrix, &o, test_path("bytes"));
    cobloc_saved *saved = must_open(test_path("bytes"));
    assert_names(matrix, saved);
    cobloc_result_free(r);
    cobloc_saved_free(saved);
    cobloc_matrix_free(matrix);
}

/* A hard fit into the folder of a soft one, and of a selection: nothing of those stays. */
static void nothing_old_stays(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    cobloc_fit_options o = options_for("plbm");
    (void)state;
    o.inference = COBLOC_SOFT;
    cobloc_result *soft = must_fit(matrix, &o);
    must_write(soft, matrix, &o, test_path("reused"));
    assert_int_equal(access(test_path("reused/rows.probabilities.tsv"), F_OK), 0);
    put_text(test_path("reused/curve.tsv"), "x", 1);
    o.inference = COBLOC_HARD;
    cobloc_result *hard = must_fit(matrix, &o);
    must_write(hard, matrix, &o, test_path("reused"));
    assert_int_not_equal(access(test_path("reused/rows.probabilities.tsv"), F_OK), 0);
    assert_int_not_equal(access(test_path("reused/curve.tsv"), F_OK), 0);
    cobloc_saved *saved = must_open(test_path("reused"));
    assert_same_result(hard, saved->result);
    cobloc_saved_free(saved);
    cobloc_result_free(soft);
    cobloc_result_free(hard);
    cobloc_matrix_free(matrix);
}

/* The fit that a selection chose, whatever it started from, comes back; a fit by its options ends
 * in the same clusters. */
static void selections_come_back(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NASTY);
    cobloc_select_options o;
    cobloc_selection *selection = NULL;
    cobloc_error err;
    (void)state;
    cob_select_options_default(&o);
    o.fit = options_for("coclus");
    o.k_to = 5;
    assert_ok(cobloc_select(matrix, &o, &selection, &err), err);
    for (int at = 0; at < selection->count; at++) {
        const cobloc_result *r = selection->curve[at].result;
        selection->chosen = at;
        assert_ok(cobloc_selection_write(selection, matrix, &o, test_path("selected"), &err), err);
        cobloc_saved *saved = must_open(test_path("selected"));
        assert_same_result(r, saved->result);
        cobloc_result *again = must_fit(matrix, &saved->options);
        assert_memory_equal(r->row_labels, again->row_labels, (size_t)r->n * sizeof(int32_t));
        cobloc_result_free(again);
        cobloc_saved_free(saved);
    }
    cobloc_selection_free(selection);
    cobloc_matrix_free(matrix);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static void refuse_matrix(const cobloc_saved *saved, const char *path, cobloc_status expected,
                          const char *part)
{
    cobloc_error err = {COBLOC_OK, ""};
    cobloc_matrix *matrix = NULL;
    cobloc_status status = cobloc_saved_matrix(saved, path, NULL, &matrix, &err);
    if (status != expected || !strstr(err.message, part))
        fail_msg("got \"%s\": %s, expected \"%s\": ...%s...", cobloc_status_name(status),
                 err.message, cobloc_status_name(expected), part);
    assert_null(matrix);
}

static void the_matrix_is_found_again(void **state)
{
    cobloc_error err;
    const char *text = ",a,b,c,d\nr1,1,0,2,0\nr2,0,3,0,1\nr3,2,0,1,0\nr4,0,1,0,2\n";
    const char *path = test_text("input.csv", text);
    cobloc_matrix *matrix = must_read(path, NULL), *back = NULL;
    cobloc_fit_options o = options_for("coclus");
    (void)state;
    o.k = 2;
    cobloc_result *r = must_fit(matrix, &o);
    must_write(r, matrix, &o, test_path("found"));
    cobloc_saved *saved = must_open(test_path("found"));
    assert_string_equal(saved->format, "csv");
    assert_int_equal(saved->input[0], '/');
    assert_ok(cobloc_saved_matrix(saved, NULL, NULL, &back, &err), err);
    assert_same_matrix(matrix, back);
    cobloc_matrix_free(back);
    refuse_matrix(saved, test_text("more.csv", ",a,b,c,d\nr1,1,1,1,1\n"), COBLOC_BAD_DATA,
                  "is not the matrix that");
    refuse_matrix(saved, test_text("more.csv", ",a,b,c,d\nr1,1,1,1,1\n"), COBLOC_BAD_DATA,
                  "1 rows, not 4");
    test_text("input.csv", ",a,b,c,d\nr1,1,0,2,0\nr2,0,3,0,1\nr3,2,0,1,0\nr4,0,1,0,3\n");
    refuse_matrix(saved, NULL, COBLOC_BAD_DATA, "sum up to 14, not 13");
    test_text("input.csv", ",a,b,x,d\nr1,1,0,2,0\nr2,0,3,0,1\nr3,2,0,1,0\nr4,0,1,0,2\n");
    refuse_matrix(saved, NULL, COBLOC_BAD_DATA, "its column 3 is 'x', not 'c'");
    unlink(test_path("input.csv"));
    refuse_matrix(saved, NULL, COBLOC_IO, "is not there any more");
    assert_ok(cobloc_matrix_write(matrix, test_path("found/matrix.cbm"), NULL, &err), err);
    assert_ok(cobloc_saved_matrix(saved, NULL, NULL, &back, &err), err);
    assert_same_matrix(matrix, back);
    cobloc_matrix_free(back);
    cobloc_saved_free(saved);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

static void made_in_memory(void **state)
{
    cobloc_matrix *matrix = planted(NAMES_NONE);
    cobloc_fit_options o = options_for("coclus");
    cobloc_result *r = must_fit(matrix, &o);
    (void)state;
    must_write(r, matrix, &o, test_path("memory"));
    cobloc_saved *saved = must_open(test_path("memory"));
    refuse_matrix(saved, NULL, COBLOC_BAD_ARGUMENT, "does not say which file");
    cobloc_saved_free(saved);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void no_memory(void **state)
{
    const char *folder = test_path("memory-soft");
    size_t size;
    (void)state;
    free(soft_folder(folder, "rows.tsv", &size));
    for (long k = 0, failed = 1; failed; k++) {
        cobloc_error err = {COBLOC_OK, ""};
        cobloc_saved *saved = NULL;
        cob_alloc_fail_at(k);
        cobloc_status status = cobloc_saved_read(folder, &saved, &err);
        failed = allocation_failed(k, status, &err, 20);
        cobloc_saved_free(saved);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_comes_back),       cmocka_unit_test(given_lists_come_back),
        cmocka_unit_test(columns_are_counted),  cmocka_unit_test(rule_places_rows),
        cmocka_unit_test(any_bytes_are_names),  cmocka_unit_test(nothing_old_stays),
        cmocka_unit_test(selections_come_back), cmocka_unit_test(the_matrix_is_found_again),
        cmocka_unit_test(made_in_memory),       cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
