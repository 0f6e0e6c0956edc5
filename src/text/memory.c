/* Counting the terms of documents in memory.
 * SPDX-License-Identifier: MIT
 */
#include "base/failures.h"
#include "base/parallel.h"
#include "text/assemble.h"
#include "text/read.h"
#include "text/title.h"

#include <string.h>

typedef struct documents {
    const char *const *text;
    const size_t *sizes;
    int64_t count;
} documents;

static cobloc_status count_one(cob_counter *counter, const documents *all, int64_t i,
                               cobloc_error *err)
{
    char title[COB_TITLE_ROOM];
    size_t size = all->sizes ? all->sizes[i] : strlen(all->text[i]);
    cobloc_status status = cob_counter_text(counter, all->text[i], size, err);
    if (status != COBLOC_OK)
        return status;
    size_t length =
        cob_title(title, "", 0, i + 1, counter->beginning.text, counter->beginning.size);
    return cob_counter_end(counter, (cob_place){0, 0, i}, title, length, NULL, err);
}

static cobloc_status count_sample(const void *context, cob_counter *counter, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const documents *all = context;
    int64_t step = 1 + all->count / 1000;
    for (int64_t i = 0; i < all->count && counter->tokens < COB_SAMPLED_WORDS; i += step)
        COB_TRY(count_one(counter, all, i, err));
    COB_TRY(cob_counter_finish(counter, err));
done:
    return status;
}

static cobloc_status count_all(const documents *all, cob_counter *counters, int threads,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_failures failed = COB_NO_FAILURE;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (int64_t i = 0; i < all->count; i++) {
        cobloc_error own;
        if (!cob_failed_before(&failed, i))
            cob_failures_note(&failed, i, count_one(&counters[cob_thread()], all, i, &own), &own);
    }
    COB_TRY(cob_failures_end(&failed, err));
    for (int t = 0; t < threads; t++)
        COB_TRY(cob_counter_finish(&counters[t], err));
done:
    return status;
}

static cobloc_status count_once(const void *context, const cobloc_text_options *options,
                                cobloc_matrix **out, cobloc_text_info *info, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const documents all = *(const documents *)context;
    cob_text_job job = {0};
    COB_TRY(cob_text_job_start(&job, options, err));
    COB_TRY(cob_text_job_prepare(&job, count_sample, &all, err));
    COB_TRY(count_all(&all, job.counters, job.threads, err));
    for (int t = 0; t < job.threads; t++)
        job.info.invalid_bytes += job.counters[t].tokenizer.invalid_bytes;
    status = cob_text_job_finish(&job, "the documents", out, info, err);
done:
    cob_text_job_free(&job);
    return status;
}

cobloc_status cob_text_count(const char *const *texts, const size_t *sizes, int64_t count,
                             const cobloc_text_options *options, cobloc_matrix **out,
                             cobloc_text_info *info, cobloc_error *err)
{
    const documents all = {texts, sizes, count};
    return cob_with_phrases(count_once, &all, options, out, info, err);
}

cobloc_status cobloc_text_count(const char *const *texts, const size_t *sizes, int64_t count,
                                const cobloc_text_options *options, cobloc_matrix **out,
                                cobloc_text_info **info, cobloc_error *err)
{
    const documents all = {texts, sizes, count};
    return cob_with_info(count_once, &all, options, out, info, err);
}
