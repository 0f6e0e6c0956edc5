/* Numbers other than counts have no unit: a table that is multiplied by any constant has the same
 * clusters, whatever the model, the inference and the weight. Counts keep their scale.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/random.h"
#include "fit/fit.h"

#include <math.h>

enum { ROWS = 60, COLS = 45, K = 3 };

/* Three blocks on the diagonal; `real`: numbers that no power of 2 makes whole. */
static cobloc_matrix *planted(bool real, double times)
{
    cob_stream stream = cob_stream_at(11, 0, 0, 0);
    int32_t row[ROWS * COLS], col[ROWS * COLS];
    double value[ROWS * COLS];
    int64_t count = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    for (int c = 0; c < ROWS * COLS; c++) {
        double chance = c / COLS % K == c % COLS % K ? 0.5 : 0.1;
        double at = cob_random_uniform(&stream, (uint64_t)c) / chance;
        if (at >= 1)
            continue;
        row[count] = c / COLS;
        col[count] = c % COLS;
        value[count++] = times * (real ? 0.2 + exp(2 * at) : 1 + floor(6 * at));
    }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &matrix, &err), err);
    return matrix;
}

static cobloc_result *must_fit(const cobloc_matrix *matrix, int model, cobloc_inference inference,
                               cobloc_weight weight)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = cobloc_model_name(model);
    o.k = K;
    o.inference = inference;
    o.weight = weight;
    o.restarts = 2;
    o.seed = 3;
    o.threads = 1;
    assert_ok(cobloc_fit(matrix, &o, &result, &err), err);
    return result;
}

static void assert_same(const cobloc_result *a, const cobloc_result *b)
{
    for (int64_t i = 0; i < ROWS + COLS; i++) {
        bool row = i < ROWS;
        int32_t one = row ? a->row_labels[i] : a->col_labels[i - ROWS];
        int32_t other = row ? b->row_labels[i] : b->col_labels[i - ROWS];
        if (one != other)
            fail_msg("%s, %s, %s: %s %d is in %d, in another unit in %d", a->model,
                     cobloc_inference_name(a->inference), cobloc_weight_name(a->weight),
                     row ? "row" : "column", (int)(row ? i : i - ROWS), one, other);
    }
}

/* Categories are no numbers, and topics are drawn for counts alone. */
static bool takes_reals(const char *model)
{
    return strcmp(model, "clbm") != 0 && strcmp(model, "lda") != 0;
}

/* Each unit with every model, inference and weight; with sanitizers, one unit with each of them, in
 * turn. */
static void any_unit_gives_the_same(void **state)
{
    /* Powers of 2 change no digit, others change the last ones. */
    const double units[] = {0x1p-20, 0x1p13, 0.3, 1e5 / 7};
    cobloc_matrix *table = planted(true, 1), *other[4];
    int turn = 0;
    (void)state;
    for (int u = 0; u < 4; u++)
        other[u] = planted(true, units[u]);
    for (int m = 0; m < cobloc_model_count(); m++)
        for (int i = COBLOC_HARD; i <= COBLOC_SVEM; i++)
            for (int w = COBLOC_WEIGHT_NONE; w < (int)COB_WEIGHTS; w++) {
                if (!cobloc_model_takes_inference(m, (cobloc_inference)i) ||
                    !takes_reals(cobloc_model_name(m)))
                    continue;
                cobloc_result *first = must_fit(table, m, (cobloc_inference)i, (cobloc_weight)w);
                turn++;
                for (int u = 0; u < 4; u++) {
                    if (TEST_SANITIZED && u != turn % 4)
                        continue;
                    cobloc_result *next =
                        must_fit(other[u], m, (cobloc_inference)i, (cobloc_weight)w);
                    assert_same(first, next);
                    cobloc_result_free(next);
                }
                cobloc_result_free(first);
            }
    for (int u = 0; u < 4; u++)
        cobloc_matrix_free(other[u]);
    cobloc_matrix_free(table);
}

/* What a Poisson model is given has the sum of the counts, or the mean 1; other models are given
 * what the weight makes. */
static void totals_stay(void **state)
{
    (void)state;
    for (int real = 0; real < 2; real++)
        for (int w = COBLOC_WEIGHT_NONE; w < (int)COB_WEIGHTS; w++) {
            cobloc_matrix *matrix = planted(real, 1);
            cob_prepared p;
            cob_algorithm a;
            cobloc_fit_options o;
            cobloc_error err;
            cob_fit_options_default(&o);
            o.weight = (cobloc_weight)w;
            assert_true(cob_algorithm_named("plbm", &a));
            assert_ok(cob_prepare(matrix, NULL, &o, &a, K, K, NULL, &p, &err), err);
            double expected =
                real || w == COBLOC_WEIGHT_BINARY ? (double)matrix->nnz : matrix->total;
            assert_true(fabs(p.x->total - expected) < 1e-12 * expected);
            cob_prepared_free(&p);
            cobloc_matrix_free(matrix);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_unit_gives_the_same),
        cmocka_unit_test(totals_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
