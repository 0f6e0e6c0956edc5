/* Descriptions: similarity of rows inside and outside of blocs by brute force, and stability.
 *
 * SPDX-License-Identifier: MIT
 */
#include "described.h"

#include <stdlib.h>

/* The rows by TF-IDF (log((1 + n) / (1 + df)) + 1), of unit length. */
static double *unit_rows(const cobloc_matrix *matrix)
{
    double *x = dense_of(matrix);
    for (int j = 0; j < COLS; j++) {
        int rows = 0;
        for (int i = 0; i < ROWS; i++)
            rows += x[i * COLS + j] > 0;
        for (int i = 0; i < ROWS; i++)
            x[i * COLS + j] *= log((1.0 + ROWS) / (1.0 + rows)) + 1;
    }
    for (int i = 0; i < ROWS; i++) {
        double squares = 0;
        for (int j = 0; j < COLS; j++)
            squares += x[i * COLS + j] * x[i * COLS + j];
        for (int j = 0; j < COLS && squares > 0; j++)
            x[i * COLS + j] /= sqrt(squares);
    }
    return x;
}

static void similarity_by_brute_force(void **state)
{
    (void)state;
    cobloc_matrix *matrix = planted(5, 0);
    cobloc_fit_options o = {0};
    cob_fit_options_default(&o);
    o.model = "coclus";
    o.k = K;
    cobloc_result *r = NULL;
    cobloc_description *d = NULL;
    cobloc_error err;
    assert_ok(cobloc_fit(matrix, &o, &r, &err), err);
    assert_ok(cobloc_describe(r, matrix, NULL, &d, &err), err);
    double *x = unit_rows(matrix);
    for (int k = 0; k < K; k++) {
        double inside = 0, outside = 0, pairs = 0, others = 0;
        for (int a = 0; a < ROWS; a++)
            for (int b = 0; b < ROWS; b++) {
                double cosine = 0;
                if (a == b || r->row_labels[a] != k || r->row_labels[b] < 0)
                    continue;
                for (int j = 0; j < COLS; j++)
                    cosine += x[a * COLS + j] * x[b * COLS + j];
                bool same = r->row_labels[b] == k;
                *(same ? &inside : &outside) += cosine;
                *(same ? &pairs : &others) += 1;
            }
        assert_true(fabs(d->blocs[k].isim - inside / pairs) < 1e-12);
        assert_true(fabs(d->blocs[k].esim - outside / others) < 1e-12);
        assert_true(isnan(d->blocs[k].stability));
    }
    free(x);
    cobloc_description_free(d);
    cobloc_result_free(r);
    cobloc_matrix_free(matrix);
}

/* Planted blocs come back in samples; parts of a torn one do not. */
static void stability_of_true_and_torn_blocs(void **state)
{
    (void)state;
    cobloc_matrix *matrix = planted(5, 0);
    cobloc_fit_options o = {0};
    cobloc_describe_options *asked = NULL;
    cobloc_error err;
    cob_fit_options_default(&o);
    o.model = "coclus";
    assert_ok(cobloc_describe_options_new(&asked, &err), err);
    assert_ok(cobloc_set_int(asked, "samples", 6, &err), err);
    for (o.k = K; o.k <= 3 * K; o.k += 2 * K) {
        cobloc_result *r = NULL;
        cobloc_description *d = NULL, *again = NULL;
        double sum = 0;
        assert_ok(cobloc_fit(matrix, &o, &r, &err), err);
        assert_ok(cobloc_describe(r, matrix, asked, &d, &err), err);
        assert_ok(cobloc_describe(r, matrix, asked, &again, &err), err);
        for (int k = 0; k < o.k; k++) {
            assert_true(d->blocs[k].stability >= 0 && d->blocs[k].stability <= 1);
            assert_true(d->blocs[k].stability == again->blocs[k].stability);
            sum += d->blocs[k].stability / o.k;
        }
        if (o.k == K ? sum < 0.8 : sum > 0.75)
            fail_msg("%d blocs have a stability of %g", o.k, sum);
        cobloc_description_free(d);
        cobloc_description_free(again);
        cobloc_result_free(r);
    }
    cobloc_describe_options_free(asked);
    cobloc_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(similarity_by_brute_force),
        cmocka_unit_test(stability_of_true_and_torn_blocs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
