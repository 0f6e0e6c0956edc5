/* Selections among sizes and models, for their tests.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TESTS_SELECTING_H
#define COB_TESTS_SELECTING_H

#include "brute.h"

#include "select/select.h"

static inline cobloc_select_options options_for(const char *model, int from, int to)
{
    cobloc_select_options o;
    cob_select_options_default(&o);
    o.fit.model = model;
    o.fit.threads = 1;
    o.k_from = from;
    o.k_to = to;
    return o;
}

static inline cobloc_selection *must_select(const table *t, const cobloc_select_options *o)
{
    cobloc_error err;
    cobloc_selection *s = NULL;
    cobloc_matrix *x = matrix_of(t);
    cobloc_status status = cobloc_select(x, o, &s, &err);
    if (status != COBLOC_OK)
        fail_msg("%s, %d to %d: %s", o->fit.model, o->k_from, o->k_to, err.message);
    cobloc_matrix_free(x);
    return s;
}

#endif
