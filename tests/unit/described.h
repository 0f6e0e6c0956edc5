/* Tables and fits that descriptions are made of.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEST_DESCRIBED_H
#define COB_TEST_DESCRIBED_H

#include "support.h"

#include "base/random.h"
#include "describe/describe.h"

#include <math.h>

enum { ROWS = 60, COLS = 45, K = 3 };

/* Blocks of counts on the diagonal, noise beside them, one empty row and column. */
static inline cobloc_matrix *planted(uint64_t seed, int names)
{
    cob_stream stream = cob_stream_at(seed, 0, 0, 0);
    int32_t row[ROWS * COLS], col[ROWS * COLS];
    double value[ROWS * COLS];
    int64_t count = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    for (int c = 0; c < ROWS * COLS; c++) {
        int i = c / COLS, j = c % COLS;
        double chance = i % K == j % K ? 0.5 : 0.12, at = cob_random_uniform(&stream, (uint64_t)c);
        if (i == 17 || j == 20 || at >= chance)
            continue;
        row[count] = i;
        col[count] = j;
        value[count++] = 1 + floor(at / chance * 5);
    }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &matrix, &err), err);
    if (names) {
        cobloc_matrix *nasty = random_matrix(3, ROWS, COLS, 0.5, COBLOC_U8, NAMES_NASTY);
        assert_ok(cob_matrix_copy_names(matrix, nasty, NULL, NULL, &err), err);
        cobloc_matrix_free(nasty);
    }
    return matrix;
}

static inline cobloc_result *must_fit(const cobloc_matrix *matrix, const char *model, int l,
                                      cobloc_inference inference)
{
    cobloc_error err;
    cobloc_result *result = NULL;
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = K;
    o.l = l;
    o.inference = inference;
    o.restarts = 2;
    o.threads = 1;
    assert_ok(cobloc_fit(matrix, &o, &result, &err), err);
    return result;
}

static inline cobloc_description *must_describe(const cobloc_result *r, const cobloc_matrix *matrix,
                                                const cobloc_describe_options *o)
{
    cobloc_error err;
    cobloc_description *d = NULL;
    assert_ok(cobloc_describe(r, matrix, o, &d, &err), err);
    return d;
}

static inline void near(double got, double expected, const char *what)
{
    if (isnan(got) != isnan(expected) || fabs(got - expected) > 1e-9 * (1 + fabs(expected)))
        fail_msg("%s is %.15g, expected %.15g", what, got, expected);
}

#endif
