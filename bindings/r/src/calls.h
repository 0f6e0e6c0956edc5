/* The functions that R calls; register.c lists them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_R_CALLS_H
#define COBLOC_R_CALLS_H

#include "bridge.h"

/* A list with these names. */
SEXP answer_new(int count, const char *const *names);

/* The model of a fit from its bytes, held. */
cobloc_status unpack(call *c, SEXP bytes, cobloc_saved **out);

SEXP r_fit(SEXP table, SEXP values, SEXP greedy, SEXP progress);
SEXP r_select(SEXP table, SEXP values, SEXP fit_values, SEXP progress);
SEXP r_ensemble(SEXP table, SEXP values, SEXP progress);
SEXP r_predict(SEXP bytes, SEXP table, SEXP values);
SEXP r_save(SEXP bytes, SEXP table, SEXP folder);
SEXP r_load(SEXP folder, SEXP path);

SEXP r_describe(SEXP bytes, SEXP table, SEXP values);
SEXP r_report(SEXP bytes, SEXP table, SEXP values, SEXP path);
SEXP r_compare(SEXP table, SEXP truth, SEXP methods, SEXP fit_values, SEXP values, SEXP progress);
SEXP r_score(SEXP labels, SEXP truth);
SEXP r_coscore(SEXP row_labels, SEXP row_truth, SEXP col_labels, SEXP col_truth);

SEXP r_read(SEXP path, SEXP io_values, SEXP text_values, SEXP progress);
SEXP r_simulate(SEXP preset, SEXP values, SEXP progress);
SEXP r_models(void);
SEXP r_presets(void);
SEXP r_options(SEXP of);
SEXP r_version(void);

#endif
