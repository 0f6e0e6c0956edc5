/* Shared by reading files and by counting documents in memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_READ_H
#define COB_TEXT_READ_H

#include "text/counter.h"

/* The number of words after which a sample for detecting the language ends. */
enum { COB_SAMPLED_WORDS = 100000 };

/* From text to a matrix, in steps. Zero-initialised. */
typedef struct cob_text_job {
    cob_settings settings;
    cob_counter *counters; /* one per thread */
    int threads;
    double started;
    cobloc_text_info info;
} cob_text_job;

/* Checks the options. */
cobloc_status cob_text_job_start(cob_text_job *job, const cobloc_text_options *options,
                                 cobloc_error *err);

/* Counts a sample of the documents, COB_SAMPLED_WORDS words or slightly more, and finishes the
 * counter. */
typedef cobloc_status (*cob_sample_fn)(const void *documents, cob_counter *counter,
                                       cobloc_error *err);
/* Detects the language from a sample if the options require it, then makes the counters. */
cobloc_status cob_text_job_prepare(cob_text_job *job, cob_sample_fn sample, const void *documents,
                                   cobloc_error *err);
/* Makes the matrix. `info` may be NULL. */
cobloc_status cob_text_job_finish(cob_text_job *job, const char *where, cobloc_matrix **out,
                                  cobloc_text_info *info, cobloc_error *err);
void cob_text_job_free(cob_text_job *job);

#endif
