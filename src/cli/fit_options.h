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
        {"checkpoint", 0, "DIR", GROUP "checkpoint",                                               \
         "Keep the state of the computation in this folder, so that --resume can go on with it "   \
         "after it was stopped or killed. The folder is removed when the result is written."},     \
        {"checkpoint-every", 0, "S", GROUP "checkpoint_seconds",                                   \
         "How often it is kept, in seconds."},                                                     \
        {"resume", 0, NULL, GROUP "resume",                                                        \
         "Go on from the checkpoint, if there is one, to the same result."},                       \
        {"device", 0, "WHERE", GROUP "device", NULL},                                              \
        {"share", 0, "WHAT", GROUP "share",                                                        \
         "Under mpirun or srun, what the processes share: starts; the lines (rows and columns) "   \
         "of every start; or groups do both: each has starts of its own, and its processes share " \
         "lines. By default starts or, if a block model is fitted to 10 million entries or more, " \
         "groups where a machine has room for the matrix, else lines. The result is the same."},   \
        {"groups", 0, "N", NULL,                                                                   \
         "Under mpirun or srun: share by so many groups of processes. By default those of one "    \
         "machine are a group."},                                                                  \
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

/* The result is written: removes the checkpoint that the options name at `path`; where the fit was
 * stopped early, says how to go on. */
void cli_end_checkpoint(const void *options, const char *path, int stop);

/* --exact: chooses the exact forms of the models that --model lists, for the option at `path`. */
void cli_take_exact(const cli_args *args, void *options, const char *path);

/* The scores of a result's rows against their known classes; NULL where there are none. */
cobloc_scores *cli_score_rows(const cobloc_labels *truth, const cobloc_result *result);

#endif
