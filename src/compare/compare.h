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

#include "fit/result.h"
#include "score/scores.h"

/* ---- options and results --------------------------------------------------------------------- */

typedef struct cobloc_contender {
    char name[64];
    cobloc_fit_options options; /* seed, threads and progress are the comparison's */
} cobloc_contender;

struct cobloc_compare_options {
    cob_object head;
    int count;
    const cobloc_contender *contenders;
    int runs;
    uint64_t seed;
    int threads;
    const char *runs_file;
    cobloc_progress progress;
};

typedef struct cobloc_compared_run {
    int done;
    uint64_t seed;
    double acc, nmi, ari, sdcs, criterion, seconds;
    int iterations, repaired;
} cobloc_compared_run;

typedef struct cobloc_spread {
    double mean, sd, best;
} cobloc_spread;

typedef struct cobloc_compared {
    char name[64];
    const char *model, *criterion_name;
    cobloc_inference inference;
    cobloc_weight weight;
    int done, best_run;
    cobloc_spread acc, nmi, ari, sdcs, criterion, seconds;
    int run_count;
    cobloc_compared_run *runs;
    cobloc_error failure;
} cobloc_compared;

struct cobloc_comparison {
    cob_object head;
    int count, runs;
    cobloc_compared *methods;
    double truth_sdcs;
    int kept, stopped;
    int first, second;
    cobloc_paired_test test;
};

extern const cob_type cob_compare_options_type, cob_comparison_type;

void cob_compare_options_default(cobloc_compare_options *options);

/* ---- runs (runs_file.c, contender.c) --------------------------------------------------------- */

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
