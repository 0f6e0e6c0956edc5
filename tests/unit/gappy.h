/* Tables of numbers, codes, or zeros and ones, some of whose cells are missing (NaN).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_GAPPY_H
#define COB_TESTS_GAPPY_H

#include "brute.h"

#include "matrix/matrix.h"

enum { CATEGORIES = 4 };

static inline bool is(const cob_model *model, const char *name)
{
    return strcmp(model->name, name) == 0;
}

/* Numbers of any sign, codes, or zeros and ones; NaN: missing. */
static inline table gappy_table(dice *dc, const cob_model *model, int n, int d, double gaps)
{
    table t = {.n = n, .d = d};
    for (int c = 0; c < n * d; c++) {
        double u = roll(dc);
        t.x[c] = is(model, "glbm")   ? (u < 0.2 ? 0 : 6 * roll(dc) - 2)
                 : is(model, "clbm") ? roll_below(dc, CATEGORIES)
                                     : u < 0.5;
        if (roll(dc) < gaps)
            t.x[c] = NAN;
    }
    t.x[0] = is(model, "clbm") ? CATEGORIES - 1 : 1; /* every category occurs */
    return t;
}

static inline cobloc_matrix *gappy_matrix(const table *t)
{
    cobloc_matrix *x = NULL;
    cobloc_error err;
    assert_ok(cobloc_matrix_from_dense(t->n, t->d, t->x, COBLOC_ARRAY_F64, &x, &err), err);
    return x;
}

/* Row i is of class i % 3, column j of class j % 2. */
static inline table planted_classes(dice *dc, bool codes, double shift, double scale, double gaps)
{
    static const double means[3][2] = {{-3, 1}, {0, 4}, {3, -2}};
    static const int favourites[3][2] = {{0, 1}, {1, 2}, {2, 3}};
    table t = {.n = 45, .d = 32};
    for (int i = 0; i < t.n; i++)
        for (int j = 0; j < t.d; j++) {
            double noise = roll(dc) + roll(dc) + roll(dc) - 1.5, u = roll(dc);
            int any = roll_below(dc, CATEGORIES);
            double x = codes ? (u < 0.7 ? favourites[i % 3][j % 2] : any)
                             : shift + scale * (means[i % 3][j % 2] + 2 * noise);
            t.x[i * t.d + j] = roll(dc) < gaps ? (double)NAN : x;
        }
    return t;
}

#endif
