/* Internals of cobloc_compare: the file that keeps finished runs.
 *
 * Each line holds everything a run depends on, then its results; the first line holds a fingerprint
 * of the matrix and the truth. Lines are added whole, one at a time, so that an interruption loses
 * only the runs in progress.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_COMPARE_COMPARE_H
#define COB_COMPARE_COMPARE_H

#include "compare/comparison.h"

typedef struct cob_runs_file cob_runs_file;

/* Opens or creates the file and reads the runs of `comparison` that it already holds. */
cobloc_status cob_runs_open(const cobloc_matrix *matrix, const int32_t *truth,
                            const cobloc_compare_options *options, cobloc_comparison *comparison,
                            cob_runs_file **out, cobloc_error *err);

/* Adds a finished run of a contender. */
cobloc_status cob_runs_add(cob_runs_file *file, const cobloc_contender *contender,
                           cobloc_weight weight, const cobloc_compared_run *run, cobloc_error *err);

void cob_runs_close(cob_runs_file *file);

/* Reads a method such as "plbm:soft@tfidf": see cobloc_compare_add. Sets the name and the options
 * that it names, the weight only where it is given; the others stay as they are. */
cobloc_status cob_contender_parse(const char *text, cobloc_contender *contender, cobloc_error *err);

#endif
