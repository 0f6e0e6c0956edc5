/* Soft and stochastic inference on a device: every model gives what it gives on the processor.
 * Drawn labels are the same, soft memberships but for the last bits.
 *
 * SPDX-License-Identifier: MIT
 */
#include "on_device.h"

/* A table with blocs: where there are none, clusters are as good as the same, and soft memberships
 * follow the last bits of exponentials to one of many ends. */
static cobloc_matrix *planted(int rows, int cols, int blocs, uint32_t largest)
{
    cob_stream stream = cob_stream_at(6, largest, 0, 0);
    size_t most = (size_t)rows * (size_t)cols;
    int32_t *row = malloc(most * sizeof *row), *col = malloc(most * sizeof *col);
    double *value = malloc(most * sizeof *value);
    int64_t count = 0;
    cobloc_matrix *x = NULL;
    cobloc_error err;
    for (int cell = 0; cell < rows * cols; cell++) {
        int i = cell / cols, j = cell % cols;
        double share = i % blocs == j % blocs ? 0.6 : 0.1;
        if (cob_random_uniform(&stream, (uint64_t)(2 * cell)) > share)
            continue;
        row[count] = i;
        col[count] = j;
        value[count++] = 1 + (double)cob_random_below(&stream, (uint64_t)(2 * cell + 1), largest);
    }
    assert_ok(cobloc_matrix_from_triples(rows, cols, count, row, col, value, &x, &err), err);
    free(row);
    free(col);
    free(value);
    return x;
}

/* Draws and memberships, too: the device has the same random numbers. */
static void every_inference_is_the_same(void **state)
{
    cobloc_matrix *counts = planted(70, 90, 4, 9), *ones = planted(90, 60, 3, 1);
    (void)state;
    for (int m = 0; m < cobloc_model_count(); m++)
        for (int i = COBLOC_SOFT; i <= COBLOC_SVEM; i++)
            if (is_block_model(m) && cobloc_model_takes_inference(m, (cobloc_inference)i)) {
                const char *model = cobloc_model_name(m);
                cobloc_inference inference = (cobloc_inference)i;
                check_inference(ones, model, 3, COBLOC_WEIGHT_AUTO, inference, 3, NEAR);
                if (strcmp(model, "clbm") == 0) /* it takes few categories */
                    continue;
                check_inference(counts, model, 4, COBLOC_WEIGHT_AUTO, inference, 3, NEAR);
                check_inference(counts, model, 4, COBLOC_WEIGHT_TFIDF, inference, 2, NEAR);
            }
    cobloc_matrix_free(counts);
    cobloc_matrix_free(ones);
}

/* Of few and many clusters several threads add up a line, each of them one cluster or more. */
static void any_clusters_are_the_same_softly(void **state)
{
    static const int clusters[] = {2, 12, 70};
    cobloc_matrix *x = random_matrix(8, 120, 100, 0.2, COBLOC_U8, NAMES_NONE);
    cobloc_matrix *reals = random_matrix(9, 80, 100, 0.2, COBLOC_F64, NAMES_NONE);
    cobloc_matrix *long_lines = uneven();
    (void)state;
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++)
        check_inference(x, "plbm", clusters[i], COBLOC_WEIGHT_NONE, COBLOC_SOFT, 2, NEAR);
    check_inference(x, "lbm", 35, COBLOC_WEIGHT_NONE, COBLOC_SOFT, 2, 15000);
    check_inference(x, "plbm", 35, COBLOC_WEIGHT_NONE, COBLOC_STOCHASTIC, 2, 15000);
    check_inference(reals, "plbm", 4, COBLOC_WEIGHT_NONE, COBLOC_SVEM, 2, NEAR);
    check_inference(reals, "glbm", 3, COBLOC_WEIGHT_NONE, COBLOC_SVEM, 2, NEAR);
    check_inference(long_lines, "plbm", 3, COBLOC_WEIGHT_NONE, COBLOC_SVEM, 2, NEAR);
    cobloc_matrix_free(x);
    cobloc_matrix_free(reals);
    cobloc_matrix_free(long_lines);
}

/* Lines with known labels have no probabilities but 0 and 1. */
static void known_labels_stay_softly(void **state)
{
    cobloc_matrix *x = random_matrix(10, 80, 60, 0.2, COBLOC_U8, NAMES_NONE);
    int32_t rows[80];
    (void)state;
    for (int i = 0; i < 80; i++)
        rows[i] = i % 3 == 0 ? i % 4 : -1;
    for (int i = COBLOC_SOFT; i <= COBLOC_SVEM; i++) {
        cobloc_result *results[2];
        for (int there = 0; there < 2; there++) {
            emulated_device device = emulated_open(2, NEAR);
            cobloc_fit_options o = options_of("plbm", 4, COBLOC_WEIGHT_NONE, (cobloc_inference)i,
                                              there ? &device.base : NULL);
            cobloc_error err;
            o.fix_rows = rows;
            assert_ok(cobloc_fit(x, &o, &results[there], &err), err);
        }
        assert_same(results[0], results[1]);
        cobloc_result_free(results[0]);
        cobloc_result_free(results[1]);
    }
    cobloc_matrix_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_inference_is_the_same),
        cmocka_unit_test(any_clusters_are_the_same_softly),
        cmocka_unit_test(known_labels_stay_softly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
