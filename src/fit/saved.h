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

#endif
