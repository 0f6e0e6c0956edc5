/* What the tests of new rows share: a matrix with planted blocks, and fits of it that were saved.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_PREDICTING_H
#define COB_TESTS_PREDICTING_H

#include "support.h"

#include "base/random.h"

#include <math.h>

enum { ROWS = 63, COLS = 48, K = 3 };

/* ---- tools ----------------------------------------------------------------------------------- */

/* Blocks of counts on the diagonal, noise beside them, one empty row and column; columns named. */
static inline cobloc_matrix *planted(uint64_t seed)
{
    cob_stream stream = cob_stream_at(seed, 0, 0, 0);
    int32_t row[ROWS * COLS], col[ROWS * COLS];
    double value[ROWS * COLS];
    char names[COLS][8];
    const char *list[COLS];
    int64_t count = 0;
    cobloc_error err;
    cobloc_matrix *matrix = NULL;
    for (int c = 0; c < ROWS * COLS; c++) {
        int i = c / COLS, j = c % COLS;
        double chance = i % K == j % K ? 0.55 : 0.08;
        double at = cob_random_uniform(&stream, (uint64_t)c);
        if (i == 17 || j == 20 || at >= chance)
            continue;
        row[count] = i;
        col[count] = j;
        value[count++] = 1 + floor(at / chance * 4);
    }
    for (int j = 0; j < COLS; j++) {
        snprintf(names[j], sizeof names[j], "t%d", j);
        list[j] = names[j];
    }
    assert_ok(cobloc_matrix_from_triples(ROWS, COLS, count, row, col, value, &matrix, &err), err);
    assert_ok(cobloc_matrix_set_col_names(matrix, list, &err), err);
    return matrix;
}

static inline cobloc_fit_options options_for(const char *model, cobloc_inference inference)
{
    cobloc_fit_options o;
    cob_fit_options_default(&o);
    o.model = model;
    o.k = K;
    o.inference = inference;
    o.restarts = 4;
    o.tolerance = 0;
    o.max_iterations = 300;
    o.threads = 1;
    return o;
}

/* Fits, writes and reads back. */
static inline cobloc_saved *must_save(const cobloc_matrix *matrix, const cobloc_fit_options *o)
{
    cobloc_error err;
    cobloc_result *r = NULL;
    cobloc_saved *saved = NULL;
    assert_ok(cobloc_fit(matrix, o, &r, &err), err);
    assert_ok(cobloc_result_write(r, matrix, o, test_path("folder"), &err), err);
    assert_ok(cobloc_saved_read(test_path("folder"), &saved, &err), err);
    cobloc_result_free(r);
    return saved;
}

/* Options with these row effects, one for each row. */
static inline cobloc_predict_options with_effects(const cobloc_matrix *matrix,
                                                  const double *effects)
{
    cobloc_predict_options o;
    cob_predict_options_default(&o);
    o.row_effects = effects;
    o.row_effect_count = effects ? cobloc_matrix_rows(matrix) : 0;
    return o;
}

static inline cobloc_prediction *must_predict(const cobloc_saved *saved,
                                              const cobloc_matrix *matrix, const double *effects)
{
    cobloc_error err;
    cobloc_prediction *p = NULL;
    cobloc_predict_options o = with_effects(matrix, effects);
    assert_ok(cobloc_predict(saved, matrix, &o, &p, &err), err);
    return p;
}

/* Rows of these come back nearly all of them: topics are drawn; factorisations are never quite
 * settled; spectral methods and ensembles do not choose row by row (see docs/predict.md). */
static inline bool comes_near(const char *model)
{
    static const char *const near[] = {"lda",  "nmf",  "nmf-mu", "nmf-kl", "onmtf",
                                       "spec", "ebco", "coce",   "specco"};
    for (size_t m = 0; m < sizeof near / sizeof *near; m++)
        if (strcmp(near[m], model) == 0)
            return true;
    return false;
}

#endif
