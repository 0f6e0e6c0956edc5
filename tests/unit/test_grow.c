/* Starts of many clusters, which grow from few: every size is reached on either side, planted blocs
 * are found, and who asks for k gets k, whatever there is little of.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/random.h"
#include "engine/starts.h"
#include "fit/fit.h"
#include "score/scores.h"

#include <math.h>

/* Rows i and columns j with i % blocs == j % blocs share more entries than others. */
static cobloc_matrix *planted(int rows, int cols, int blocs)
{
    cob_stream stream = cob_stream_at(81, 0, 0, 0);
    size_t cells = (size_t)rows * (size_t)cols;
    int32_t *row = malloc(cells * sizeof *row), *col = malloc(cells * sizeof *col);
    double *value = malloc(cells * sizeof *value);
    int64_t count = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    assert_true(row && col && value);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            double chance = i % blocs == j % blocs ? 0.7 : 0.03;
            double at = cob_random_uniform(&stream, (uint64_t)i * (uint64_t)cols + (uint64_t)j);
            row[count] = i;
            col[count] = j;
            value[count] = 1 + floor(3 * at / chance);
            count += at < chance;
        }
    assert_ok(cobloc_matrix_from_triples(rows, cols, count, row, col, value, &matrix, &err), err);
    free(row);
    free(col);
    free(value);
    return matrix;
}

static cobloc_result *must_fit(const cobloc_matrix *x, const char *model, int k, int l,
                               double seconds)
{
    cobloc_fit_options o;
    cobloc_error err;
    cobloc_result *result = NULL;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = k;
    o.l = l;
    o.restarts = 1;
    o.max_seconds = seconds;
    assert_ok(cobloc_fit(x, &o, &result, &err), err);
    assert_int_equal(result->k, k);
    for (int c = 0; c < k; c++)
        assert_true(result->row_sizes[c] > 0);
    for (int c = 0; c < result->l; c++)
        assert_true(result->col_sizes[c] > 0);
    return result;
}

static void test_begun_with_few(void **state)
{
    (void)state;
    for (int k = 1; k < 5000; k++) {
        int first = cob_begun_with(k);
        assert_true(k <= COB_FEW ? first == k : 2 * first > COB_FEW && first <= COB_FEW);
    }
}

static void test_planted_blocs_are_found(void **state)
{
    enum { ROWS = 480, COLS = 400, BLOCS = 40 };
    static const char *const models[] = {"plbm", "itcc", "coclus", "splbm-exact"};
    static const double least[] = {0.9, 0.85, 0.95, 0.97};
    cobloc_matrix *x = planted(ROWS, COLS, BLOCS);
    int32_t truth[ROWS];
    (void)state;
    for (int i = 0; i < ROWS; i++)
        truth[i] = i % BLOCS;
    for (int m = 0; m < 4; m++) {
        cobloc_result *r = must_fit(x, models[m], BLOCS, 0, 0);
        cobloc_scores scores;
        assert_int_equal(cob_score(r->row_labels, truth, ROWS, &scores, NULL), COBLOC_OK);
        assert_true(scores.nmi > least[m]);
        cobloc_result_free(r);
    }
    cobloc_matrix_free(x);
}

/* Where there are as many blocs as clusters, all members of auto are fitted; the one that it fits
 * alone elsewhere does worse. */
static void test_many_blocs_by_all_members(void **state)
{
    enum { ROWS = 480, COLS = 400, BLOCS = 40 };
    cobloc_matrix *x = planted(ROWS, COLS, BLOCS);
    cobloc_result *r = must_fit(x, "auto", BLOCS, 0, 0);
    int32_t truth[ROWS];
    cobloc_scores scores;
    (void)state;
    for (int i = 0; i < ROWS; i++)
        truth[i] = i % BLOCS;
    assert_int_equal(cob_score(r->row_labels, truth, ROWS, &scores, NULL), COBLOC_OK);
    assert_true(r->candidate_count > 1 && scores.nmi > 0.97);
    cobloc_result_free(r);
    cobloc_matrix_free(x);
}

static void test_sides_of_different_sizes(void **state)
{
    static const int sizes[][2] = {{60, 40}, {40, 60}, {90, 5}, {5, 90}, {33, 33}, {72, 71}};
    cobloc_matrix *x = planted(240, 200, 20);
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        cobloc_result_free(must_fit(x, "plbm", sizes[s][0], sizes[s][1], 0));
    cobloc_matrix_free(x);
}

/* Few lines for many clusters, and no time for them. */
static void test_little_of_all(void **state)
{
    static const char *const models[] = {"plbm", "coclus", "lbm", "dlbm2"};
    cobloc_matrix *narrow = planted(60, 300, 10), *wide = planted(300, 200, 10);
    (void)state;
    for (int m = 0; m < 4; m++) {
        for (int k = 33; k <= 60; k += 9)
            cobloc_result_free(must_fit(narrow, models[m], k, 0, 0));
        cobloc_result_free(must_fit(wide, models[m], 100, 0, 1e-9));
        cobloc_result_free(must_fit(wide, models[m], 100, 0, 0.02));
    }
    cobloc_matrix_free(narrow);
    cobloc_matrix_free(wide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begun_with_few),
        cmocka_unit_test(test_planted_blocs_are_found),
        cmocka_unit_test(test_many_blocs_by_all_members),
        cmocka_unit_test(test_sides_of_different_sizes),
        cmocka_unit_test(test_little_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
