/* Shared by reading files and by counting documents in memory.
 * SPDX-License-Identifier: MIT
 */
#include "text/read.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/watch.h"
#include "text/assemble.h"

cobloc_status cob_text_job_start(cob_text_job *job, const cobloc_text_options *options,
                                 cobloc_error *err)
{
    *job = (cob_text_job){.started = cob_clock(), .info.head.type = &cob_text_info_type};
    return cob_settings_init(&job->settings, options, err);
}

static cobloc_status detect_language(cob_text_job *job, cob_sample_fn sample, const void *documents,
                                     const cob_language **found, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_counter counter = {0};
    job->settings.count_only = true;
    COB_TRY(cob_counter_init(&counter, &job->settings, err));
    COB_TRY(sample(documents, &counter, err));
    COB_TRY(cob_language_guess(&counter.words, found, &job->info.language_share, err));
done:
    job->settings.count_only = false;
    cob_counter_free(&counter);
    return status;
}

cobloc_status cob_text_job_prepare(cob_text_job *job, cob_sample_fn sample, const void *documents,
                                   cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_language *language = NULL;
    if (cob_settings_need_language(&job->settings))
        COB_TRY(detect_language(job, sample, documents, &language, err));
    COB_TRY(cob_settings_decide(&job->settings, language ? language->code : "none", err));
    int threads = cob_threads(job->settings.options.threads);
    COB_NEW_ZERO(job->counters, threads);
    for (; job->threads < threads; job->threads++)
        COB_TRY(cob_counter_init(&job->counters[job->threads], &job->settings, err));
done:
    return status;
}

cobloc_status cob_text_job_finish(cob_text_job *job, const char *where, cobloc_matrix **out,
                                  cobloc_text_info *info, cobloc_error *err)
{
    cobloc_status status =
        cob_assemble(&job->settings, job->counters, job->threads, where, out, &job->info, err);
    job->info.seconds = cob_clock() - job->started;
    if (status == COBLOC_OK && info)
        *info = job->info;
    return status;
}

void cob_text_job_free(cob_text_job *job)
{
    for (int t = 0; t < job->threads; t++)
        cob_counter_free(&job->counters[t]);
    cob_free(job->counters);
    cob_settings_free(&job->settings);
    *job = (cob_text_job){0};
}
