/* The folder of a result: what output.c and model_file.c write, and saved.c reads back.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_FIT_SAVED_H
#define COB_FIT_SAVED_H

#include "base/file.h"
#include "fit/fit.h"

/* The files of a folder; the probabilities are there for soft fits alone. */
enum { COB_FOLDER_FILES = 4 };
#define COB_PROBABILITIES "rows.probabilities.tsv"

/* A probability below this is written as 0. */
#define COB_NO_PROBABILITY 1e-12

/* Prepares model.json; the caller commits it. */
cobloc_status cob_model_file_write(const char *path, const cobloc_result *result,
                                   const cobloc_matrix *matrix, const cobloc_fit_options *options,
                                   cob_file **out, cobloc_error *err);

/* What hides behind a cobloc_saved. */
typedef struct cob_saved {
    cobloc_saved open;
    cob_names row_names, col_names;
    int32_t *labels[4];  /* start_rows, start_cols, fix_rows, fix_cols of the options */
    double *effects[2];  /* row_effects, col_effects */
    int missing, values; /* how the file was read: a cobloc_missing and a cobloc_values */
} cob_saved;

#endif
