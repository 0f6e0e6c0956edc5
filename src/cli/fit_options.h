/* The options of a fit, for every command that fits: parsed and described once.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_CLI_FIT_OPTIONS_H
#define COBLOC_CLI_FIT_OPTIONS_H

#include "cli.h"

/* How a fit is made, for the tables of the commands. */
#define CLI_FIT_OPTIONS                                                                            \
    {"inference", 0, "NAME", "hard (default), soft, stochastic or svem; socc: stochastic."},       \
        {"weight", 'w', "NAME",                                                                    \
         "Weigh the entries: none, binary, tfidf or rownorm (default: what the model wants, "      \
         "mostly "                                                                                 \
         "none)."},                                                                                \
        {"restarts", 'r', "R",                                                                     \
         "Start so many times and keep the best (default 6; socc: 20). More than six build on "    \
         "what the six found."},                                                                   \
        {"max-iter", 0, "I", "At most so many iterations a start (default 200)."},                 \
        {"tol", 0, "T", "A relative change of the criterion that counts as none (default 1e-9)."}, \
        {"seed", 's', "S", "Same seed, same answer (default 1)."},                                 \
        {"truth", 0, "FILE",                                                                       \
         "Known classes of the rows, one a line: scores the result against them."},                \
        {"fix-rows", 0, "FILE", "Known row labels, one a line, -1 for unknown: they stay."},       \
        {"fix-cols", 0, "FILE",                                                                    \
         "Known column labels (seed words), one a line, -1 for unknown: they stay."},              \
        {"row-effects", 0, "FILE", "Row margins for the Poisson models, instead of the sums."},    \
        {"col-effects", 0, "FILE", "Column margins for the Poisson models, instead of the sums."}, \
    {                                                                                              \
        "exact", 0, NULL, "splbm: maximise the likelihood exactly, not as published."              \
    }

/* The place of the option's word in a list ended by NULL, 0 where it is not given; false after a
 * complaint (usage). */
bool cli_choose(const cli_args *args, const char *option, const char *const *list, int *choice);

/* A real number from 0; left as it is where the option is not given. */
bool cli_number(const cli_args *args, const char *option, double *value);

/* Bytes: a number, or one with K, M, G or T behind it (of 1024); left as it is where the option is
 * not given. False after a complaint (usage). */
bool cli_bytes(const cli_args *args, const char *option, double *bytes);

/* "none", "binary", ...: --weight; left as it is where not given. False after a complaint. */
bool cli_weight(const cli_args *args, cobloc_weight *weight);

/* False after a complaint (usage). */
bool cli_known_model(const cli_command *command, const char *name);

/* Whether all of the models that an option lists, if it is given, are known; false after a
 * complaint (usage). */
bool cli_known_models(const cli_args *args, const char *option);

/* --exact: chooses the exact forms of the models that --model lists, for the option at `path`;
 * where it lists none, the default is at `model`. False after a complaint (usage) if none has one.
 */
bool cli_take_exact(const cli_args *args, void *options, const char *path, const char *model);

/* Sets all but model, k, l, threads and what is read from files; `group`: "fit.", or "". --init is
 * a start, or, if no start has this name, a file of labels. */
bool cli_fit_options(const cli_args *args, void *options, const char *group);

/* Known classes of the rows: from --truth, or those that text came with; NULL where there are none.
 * False after a complaint. free() them. */
bool cli_read_truth(const cli_args *args, const cobloc_matrix *matrix, int32_t **truth);

/* Sets what stands beside the matrix in files of its own; false after a complaint. */
bool cli_fit_files(const cli_args *args, const cobloc_matrix *matrix, void *options,
                   const char *group);

/* Scores the rows of a result against their known classes; *scores stays NULL where there are
 * none. False after a complaint. */
bool cli_score_rows(const int32_t *truth, const cobloc_result *result, cobloc_scores **scores);

#endif
