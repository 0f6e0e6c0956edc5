/* A matrix with a fit and all that a report of it is made from.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_FITTED_H
#define COB_TESTS_FITTED_H

#include "support.h"

typedef struct fitted {
    cobloc_matrix *matrix;
    cobloc_result *result;
    cobloc_report report;
} fitted;

static inline fitted some_fit(cobloc_matrix *matrix, const char *model, int k)
{
    fitted f = {.matrix = matrix};
    cobloc_fit_options options;
    cobloc_error err;
    cob_fit_options_default(&options);
    options.model = model;
    options.k = k;
    options.restarts = 2;
    options.threads = 1;
    assert_ok(cobloc_fit(matrix, &options, &f.result, &err), err);
    cob_report_default(&f.report);
    f.report.matrix = matrix;
    f.report.result = f.result;
    return f;
}

static inline void fitted_free(fitted *f)
{
    cobloc_result_free(f->result);
    cobloc_matrix_free(f->matrix);
}

#endif
