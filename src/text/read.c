/* Reading a corpus: every thread counts the pieces it takes, then the counts become a matrix.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/failures.h"
#include "base/parallel.h"
#include "text/assemble.h"
#include "text/corpus.h"
#include "text/read.h"

#include <stdio.h>
#include <string.h>

/* ---- parallel reading ------------------------------------------------------------------------ */

typedef struct reading {
    cob_feed *feed;
    const cobloc_progress *progress;
    int64_t most_words; /* after which a sample ends; 0: no limit */
    bool ended;
    int64_t taken; /* pieces; a failure's place is the number of its piece */
    cob_failures failed;
} reading;

/* Takes the next piece under the lock; 0 at the end or after a failure. */
static int take_piece(reading *r, cob_buffer *room, cob_piece *piece, int64_t *number,
                      cobloc_error *err)
{
    int got = 0;
#pragma omp critical(cob_text_take)
    if (!r->ended) {
        cobloc_status status = cob_feed_next(r->feed, room, piece, &got, err);
        if (status == COBLOC_OK)
            status = cob_report_reading(r->progress, cob_feed_done(r->feed), err);
        *number = r->taken++;
        cob_failures_note(&r->failed, *number, status, err);
        got = got && status == COBLOC_OK;
        r->ended = !got;
    }
    return got;
}

static void stop_taking(reading *r)
{
#pragma omp critical(cob_text_take)
    r->ended = true;
}

static cobloc_status count_all(reading *r, cob_counter *counters, int threads, cobloc_error *err)
{
#pragma omp parallel num_threads(threads)
    {
        cob_buffer room = {0};
        cob_piece piece;
        int64_t number = 0;
        cobloc_error own;
        cob_counter *counter = &counters[cob_thread()];
        while (take_piece(r, &room, &piece, &number, &own)) {
            cobloc_status status = cob_count_piece(counter, r->feed->corpus, &piece, &own);
            cob_failures_note(&r->failed, number, status, &own);
            if (status != COBLOC_OK || (r->most_words > 0 && counter->tokens >= r->most_words))
                stop_taking(r);
        }
        cob_failures_note(&r->failed, INT64_MAX, cob_counter_finish(counter, &own), &own);
        cob_free(room.text);
    }
    return cob_failures_end(&r->failed, err);
}

/* ---- the language ---------------------------------------------------------------------------- */

enum { SAMPLED_FILES = 32 };

/* Counts the beginnings of some files, on one thread. */
static cobloc_status count_sample(const void *context, cob_counter *counter, cobloc_error *err)
{
    const cob_corpus *corpus = context;
    const cobloc_text_options *options = &counter->settings->options;
    cob_feed feed;
    reading r = {.feed = &feed,
                 .progress = &options->progress,
                 .most_words = COB_SAMPLED_WORDS,
                 .failed = COB_NO_FAILURE};
    cob_feed_init(&feed, corpus, options);
    feed.only_starts = true;
    feed.step = 1 + (corpus->paths.count - 1) / SAMPLED_FILES;
    cobloc_status status = count_all(&r, counter, 1, err);
    cob_feed_free(&feed);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void note_invalid(const cob_corpus *corpus, const cob_counter *counters, int threads,
                         cobloc_text_info *info)
{
    int64_t first = -1;
    for (int t = 0; t < threads; t++) {
        int64_t file = counters[t].invalid_file;
        info->invalid_bytes += counters[t].tokenizer.invalid_bytes;
        if (file >= 0 && (first < 0 || file < first))
            first = file;
    }
    if (first >= 0)
        snprintf(info->invalid_where, sizeof info->invalid_where, "%s",
                 cob_names_get(&corpus->paths, first));
}

static cobloc_status count_corpus(cob_text_job *job, const cob_corpus *corpus, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_feed feed;
    reading r = {
        .feed = &feed, .progress = &job->settings.options.progress, .failed = COB_NO_FAILURE};
    cob_feed_init(&feed, corpus, &job->settings.options);
    COB_TRY(count_all(&r, job->counters, job->threads, err));
    cobloc_text_info *info = &job->info;
    info->files =
        (corpus->archive ? feed.entries : corpus->paths.count) - feed.binary - feed.unreadable;
    info->binary = feed.binary;
    info->unreadable = feed.unreadable + corpus->broken;
    info->converted = feed.converted;
    memcpy(info->binary_where, feed.binary_where, sizeof info->binary_where);
    memcpy(info->unreadable_where,
           corpus->broken > 0 ? corpus->broken_where : feed.unreadable_where,
           sizeof info->unreadable_where);
    memcpy(info->converted_where, feed.converted_where, sizeof info->converted_where);
    memcpy(info->encoding, feed.encoding, sizeof info->encoding);
    job->info.corpus = feed.first_kind;
    note_invalid(corpus, job->counters, job->threads, &job->info);
done:
    cob_feed_free(&feed);
    return status;
}

static cobloc_status read_once(const void *documents, const cobloc_text_options *options,
                               cobloc_matrix **out, cobloc_text_info *info, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *path = documents;
    cob_text_job job = {0};
    cob_corpus corpus = {0};
    COB_TRY(cob_text_job_start(&job, options, err));
    COB_TRY(cob_corpus_list(path, &job.settings.options, &corpus, err));
    COB_TRY(cob_text_job_prepare(&job, count_sample, &corpus, err));
    COB_TRY(count_corpus(&job, &corpus, err));
    status = cob_text_job_finish(&job, path, out, info, err);
done:
    cob_text_job_free(&job);
    cob_corpus_free(&corpus);
    return status;
}

cobloc_status cob_text_read(const char *path, const cobloc_text_options *options,
                            cobloc_matrix **out, cobloc_text_info *info, cobloc_error *err)
{
    return cob_with_phrases(read_once, path, options, out, info, err);
}

cobloc_status cobloc_text_read(const char *path, const cobloc_text_options *options,
                               cobloc_matrix **out, cobloc_text_info **info, cobloc_error *err)
{
    return cob_with_info(read_once, path, options, out, info, err);
}
