/* Shared by reading files and by counting documents in memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_TEXT_READ_H
#define COB_TEXT_READ_H

#include "base/names.h"
#include "text/counter.h"
#include "text/options.h"

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

/* ---- phrases (phrases.c) --------------------------------------------------------------------- */

/* Phrases: pairs of words that stand together far more often than chance would have it. */

/* A pair must occur this often, in this many documents, with this NPMI (Bouma 2009),
 *
 *     log(p(ab) / (p(a) p(b))) / -log p(ab),
 *
 * where p are shares of all words that count. 1: the words only occur together; 0: as by chance. */
enum { COB_PHRASE_COUNT = 10, COB_PHRASE_DOCUMENTS = 3 };
#define COB_PHRASE_NPMI 0.5

/* Counts the documents by these options: cob_text_read or cob_text_count. */
typedef cobloc_status (*cob_text_fn)(const void *documents, const cobloc_text_options *options,
                                     cobloc_matrix **out, cobloc_text_info *info,
                                     cobloc_error *err);

/* As `count`. If the options ask for phrases and do not name them, the documents are counted twice:
 * first to find the phrases. */
cobloc_status cob_with_phrases(cob_text_fn count, const void *documents,
                               const cobloc_text_options *options, cobloc_matrix **out,
                               cobloc_text_info *info, cobloc_error *err);

/* The same, with the facts in an object of their own, unless `info` is NULL. */
cobloc_status cob_with_info(cob_text_fn count, const void *documents,
                            const cobloc_text_options *options, cobloc_matrix **out,
                            cobloc_text_info **info, cobloc_error *err);

/* The phrases among the columns of a matrix that counts words and pairs of words. */
cobloc_status cob_phrases_find(const cobloc_matrix *counts, cob_names *phrases, cobloc_error *err);

#endif
