/* Methods side by side; compare/fields.c says what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_COMPARE_COMPARISON_H
#define COB_COMPARE_COMPARISON_H

#include "fit/result.h"
#include "score/scores.h"

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

#endif
