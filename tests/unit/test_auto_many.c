/* Model auto of many clusters: the model of all blocks is fitted first, with one weight or with
 * each.
 *
 * SPDX-License-Identifier: MIT
 */
#include "support.h"

#include "base/random.h"
#include "fit/auto.h"

#include <math.h>

static cobloc_fit_options usual(int k)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.k = k;
    return o;
}

static cobloc_result *must_fit(const cobloc_matrix *matrix, const cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    assert_ok(cobloc_fit(matrix, o, &result, &err), err);
    return result;
}

/* How many members were fitted. */
static int fitted(const cobloc_matrix *matrix, int k, char model[16])
{
    cobloc_fit_options o = usual(k);
    cobloc_result *r = must_fit(matrix, &o);
    int count = r->candidate_count;
    snprintf(model, 16, "%s", r->model);
    cobloc_result_free(r);
    return count;
}

/* Rows of so many kinds: of which groups of columns a row often has words is drawn for its kind. */
enum { GROUPS = 40, OF_GROUP = 35, WIDTH = 5 };

static cobloc_matrix *many_groups(void)
{
    enum { ALL = GROUPS * OF_GROUP, MOST = ALL * GROUPS * WIDTH };
    cob_stream kinds = cob_stream_at(4, 0, 0, 0), cells = cob_stream_at(4, 0, 0, 1);
    int32_t *row = malloc(MOST * sizeof *row), *col = malloc(MOST * sizeof *col);
    double *value = malloc(MOST * sizeof *value);
    int64_t count = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    for (int32_t c = 0; c < MOST; c++) {
        int32_t i = c / (GROUPS * WIDTH), j = c % (GROUPS * WIDTH);
        int32_t block = i % GROUPS * GROUPS + j % GROUPS;
        bool often = cob_random_uniform(&kinds, (uint64_t)block) < 0.3;
        if (cob_random_uniform(&cells, (uint64_t)c) > (often ? 0.3 : 0.04))
            continue;
        row[count] = i;
        col[count] = j;
        value[count++] = 1 + c % 2;
    }
    assert_ok(
        cobloc_matrix_from_triples(ALL, GROUPS * WIDTH, count, row, col, value, &matrix, &err),
        err);
    free(row);
    free(col);
    free(value);
    return matrix;
}

/* Beyond 32 clusters one weight is enough; with fewer, groups that both weights find ask for all.
 */
static void one_model_for_many_clusters(void **state)
{
    cobloc_matrix *matrix = many_groups();
    char model[16];
    (void)state;
    assert_int_equal(fitted(matrix, 32, model), 10);
    assert_int_equal(fitted(matrix, 33, model), 1);
    assert_string_equal(model, "plbm");
    cobloc_matrix_free(matrix);
}

static double entropy_of(const cobloc_result *r, int64_t rows)
{
    double sum = 0;
    for (int k = 0; k < r->k; k++)
        sum -= (double)r->row_sizes[k] / (double)rows * log((double)r->row_sizes[k] / (double)rows);
    return sum;
}

/* Where there are more blocks than rows, and the model of all blocks finds other groups with each
 * weight, its results are all there are: that one is kept whose clusters differ more in size. */
static void few_rows_for_many_blocks(void **state)
{
    enum { ROWS_NOW = 250, MANY = 17, FEWER = 11 };
    cobloc_matrix *matrix = random_matrix(12, ROWS_NOW, 80, 0.3, COBLOC_U8, 0);
    cobloc_fit_options o = usual(MANY), own;
    char model[16];
    double least = INFINITY;
    (void)state;
    assert_int_equal(fitted(matrix, FEWER, model), 10);
    assert_int_equal(fitted(matrix, MANY, model), 2);
    cobloc_result *chosen = must_fit(matrix, &o);
    for (int m = 0; cob_auto_member(matrix, &o, m, &own); m++)
        if (strcmp(own.model, "plbm") == 0) {
            cobloc_result *one = must_fit(matrix, &own);
            least = fmin(least, entropy_of(one, ROWS_NOW));
            cobloc_result_free(one);
        }
    assert_string_equal(chosen->model, "plbm");
    assert_true(fabs(entropy_of(chosen, ROWS_NOW) - least) < 1e-12);
    assert_true(chosen->agreement < 0.8);
    cobloc_result_free(chosen);
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_model_for_many_clusters),
        cmocka_unit_test(few_rows_for_many_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
