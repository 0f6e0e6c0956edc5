/* What the commands that fit share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_FIT_OPTIONS_H
#define COBLOC_CLI_FIT_OPTIONS_H

#include "cli.h"

/* How a fit is made, for the tables of the commands; GROUP: "fit.", or "". */
#define CLI_EXACT_OPTION                                                                           \
    {                                                                                              \
        "exact", 0, NULL, NULL, "Use the exact form of the model, NAME-exact, if it has one."      \
    }
#define CLI_SEARCH_OPTIONS(GROUP)                                                                  \
    {"inference", 0, "NAME", GROUP "inference", NULL},                                             \
        {"restarts", 'r', "R", GROUP "restarts", NULL},                                            \
        {"max-iter", 0, "I", GROUP "max_iterations", NULL},                                        \
        {"tol", 0, "T", GROUP "tolerance", NULL},                                                  \
        {"max-seconds", 0, "S", GROUP "max_seconds", NULL},                                        \
        {"device", 0, "WHERE", GROUP "device", NULL},                                              \
    {                                                                                              \
        "seed", 's', "S", GROUP "seed", NULL                                                       \
    }
#define CLI_KNOWN_OPTIONS(GROUP)                                                                   \
    {"truth", 0, "FILE", NULL,                                                                     \
     "Known classes of the rows, to score the result against. By default the labels that the "     \
     "matrix holds, if any."},                                                                     \
        {"fix-rows", 0, "FILE", GROUP "fix_rows", NULL},                                           \
        {"fix-cols", 0, "FILE", GROUP "fix_cols", NULL},                                           \
        {"row-effects", 0, "FILE", GROUP "row_effects", NULL},                                     \
    {                                                                                              \
        "col-effects", 0, "FILE", GROUP "col_effects", NULL                                        \
    }

/* --exact: chooses the exact forms of the models that --model lists, for the option at `path`.
 * False after a complaint (usage) where none has one. */
bool cli_take_exact(const cli_args *args, void *options, const char *path);

/* Scores the rows of a result against their known classes; *scores stays NULL where there are
 * none. False after a complaint. */
bool cli_score_rows(const cobloc_labels *truth, const cobloc_result *result,
                    cobloc_scores **scores);

#endif
