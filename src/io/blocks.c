/* Cutting text into blocks and parsing them in parallel.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* memrchr */
#include "io/blocks.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/failures.h"
#include "base/parallel.h"
#include "base/scan.h"

#include <string.h>

enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    BLOCK = 1 << 9, /* inputs of a fuzzer are small, and shall have several blocks */
#else
    BLOCK = 1 << 20,
#endif
    HEADER_PIECE = 1 << 16
};

cob_blocks cob_blocks_of(cob_source *source, const cobloc_io_options *options)
{
    return (cob_blocks){.source = source,
                        .piece = BLOCK,
                        .longest = COB_LONG_RECORD,
                        .threads = cob_threads(options->threads),
                        .progress = options->progress,
                        .first_line = 1};
}

void cob_blocks_free(cob_blocks *blocks)
{
    cob_free(blocks->rest);
    blocks->rest = NULL;
    blocks->rest_start = blocks->rest_size = blocks->rest_capacity = 0;
}

/* Whether a message already has a location. */
static bool has_place(const cobloc_error *err, const char *path)
{
    size_t length = strlen(path);
    return err && strncmp(err->message, path, length) == 0 &&
           (err->message[length] == ':' || err->message[length] == '.');
}

cobloc_status cob_fail_in(cobloc_error *err, cobloc_status code, const char *path)
{
    return has_place(err, path) ? code : cob_fail_at(err, code, "%s: ", path);
}

cobloc_status cob_fail_line(cobloc_error *err, cobloc_status code, const char *path, int64_t line)
{
    return has_place(err, path) ? code : cob_fail_at(err, code, "%s:%lld: ", path, (long long)line);
}

/* Counts in bytes first, as many in parallel as a vector register holds, and adds them up before
 * any can overflow: several times faster than a plain loop. */
static int64_t count_newlines(const char *text, size_t size)
{
    enum { SIDE = 64, ROUNDS = 255 };
    int64_t count = 0;
    size_t at = 0;
    while (size - at >= SIDE) {
        uint8_t counts[SIDE] = {0};
        for (int round = 0; round < ROUNDS && size - at >= SIDE; round++, at += SIDE)
            for (int i = 0; i < SIDE; i++)
                counts[i] = (uint8_t)(counts[i] + (text[at + (size_t)i] == '\n'));
        for (int i = 0; i < SIDE; i++)
            count += counts[i];
    }
    for (; at < size; at++)
        count += text[at] == '\n';
    return count;
}

size_t cob_cut_lines(const char *text, size_t size, int final, int64_t *records, int64_t *lines)
{
    const char *last = memrchr(text, '\n', size);
    size_t whole = final ? size : last ? (size_t)(last - text) + 1 : 0;
    int64_t count = count_newlines(text, whole);
    if (final && whole > 0 && text[whole - 1] != '\n')
        count++;
    *records += count;
    *lines += count;
    return whole;
}

int64_t cob_count_filled_lines(const char *text, size_t size, char comment)
{
    int64_t count = 0;
    for (const char *p = text, *end = text + size; p < end; p++) {
        p = cob_skip_blanks(p);
        if (p >= end || *p == '\n')
            continue;
        count += comment == '\0' || *p != comment;
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p)
            break;
    }
    return count;
}

cobloc_status cob_parse_lines(const cob_text_block *block, const char *path, const char *skipped,
                              cob_line_parse_fn parse, void *context, cobloc_error *err)
{
    int64_t record = block->first_record, line = block->first_line;
    const char *end = block->text + block->size;
    for (const char *p = block->text; p && p < end; line++) {
        p = cob_skip_blanks(p);
        if (*p ? !strchr(skipped, *p) : p < end || !*skipped) {
            cobloc_status status = parse(context, record++, &p, err);
            if (status == COBLOC_OK && *p == '\0' && p < end)
                status = cob_fail(err, COBLOC_BAD_DATA, "holds a NUL byte, expected text");
            if (status != COBLOC_OK)
                return cob_fail_line(err, status, path, line);
        }
        p = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
        p = p ? p + 1 : NULL;
    }
    return COBLOC_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* With the lock. */
static cobloc_status keep_names(cob_name_lists *all, size_t place, cob_names *names,
                                cobloc_error *err)
{
    if (!cob_grow(&all->lists, &all->capacity, place + 1, sizeof *all->lists))
        return cob_fail_memory(err, place + 1, sizeof *all->lists);
    for (; all->count <= place; all->count++)
        all->lists[all->count] = (cob_names){0};
    all->names += names->count;
    cob_names_move(&all->lists[place], names);
    if (all->most > 0 && all->names > all->most)
        return cob_fail(err, COBLOC_BAD_DATA, "holds more than %lld lines", (long long)all->most);
    return COBLOC_OK;
}

cobloc_status cob_name_lists_keep(cob_name_lists *all, int64_t sequence, cob_names *names,
                                  cobloc_error *err)
{
    cobloc_status status;
#pragma omp critical(cob_name_lists)
    status = keep_names(all, (size_t)sequence, names, err);
    return status;
}

cobloc_status cob_name_lists_join(cob_name_lists *all, cob_names *names, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t bytes = 0;
    for (size_t i = 0; i < all->count; i++)
        bytes += all->lists[i].size;
    COB_TRY(cob_names_reserve(names, (size_t)all->names, bytes, err));
    for (size_t i = 0; i < all->count; i++) {
        if (all->lists[i].count > 0)
            COB_TRY(cob_names_append(names, &all->lists[i], 0, all->lists[i].count, err));
        cob_names_free(&all->lists[i]);
    }
done:
    return status;
}

void cob_name_lists_free(cob_name_lists *all)
{
    for (size_t i = 0; i < all->count; i++)
        cob_names_free(&all->lists[i]);
    cob_free(all->lists);
    *all = (cob_name_lists){0};
}

/* ---- one buffer ------------------------------------------------------------------------------ */

static cobloc_status append_source(cob_blocks *blocks, cob_buffer *to, size_t want, int *final,
                                   cobloc_error *err)
{
    size_t got = 0;
    if (!cob_grow(&to->text, &to->capacity, to->size + want + 1 + COB_SCAN_SLACK, 1))
        return cob_fail_memory(err, to->size + want + 1, 1);
    cobloc_status status = cob_source_read(blocks->source, to->text + to->size, want, &got, err);
    to->size += got;
    memset(to->text + to->size, 0, 1 + COB_SCAN_SLACK);
    *final = got < want;
    return status;
}

static cobloc_status take_rest(cob_blocks *blocks, cob_buffer *to, cobloc_error *err)
{
    if (!cob_grow(&to->text, &to->capacity, blocks->rest_size + 1 + COB_SCAN_SLACK, 1))
        return cob_fail_memory(err, blocks->rest_size, 1);
    COB_KNOWN(to->text); /* it has grown */
    if (blocks->rest_size)
        memcpy(to->text, blocks->rest + blocks->rest_start, blocks->rest_size);
    to->size = blocks->rest_size;
    blocks->rest_start = blocks->rest_size = 0;
    return COBLOC_OK;
}

static cobloc_status keep_rest(cob_blocks *blocks, const char *text, size_t size, cobloc_error *err)
{
    if (!cob_grow(&blocks->rest, &blocks->rest_capacity, size + 1, 1))
        return cob_fail_memory(err, size, 1);
    memcpy(blocks->rest, text, size);
    blocks->rest_size = size;
    return COBLOC_OK;
}

cobloc_status cob_blocks_next(cob_blocks *blocks, cob_buffer *to, cob_text_block *block,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_cut_fn cut = blocks->cut ? blocks->cut : cob_cut_lines;
    size_t whole = 0;
    int final = 0;
    block->first_line = blocks->first_line;
    block->first_record = blocks->first_record;
    COB_TRY(take_rest(blocks, to, err));
    for (size_t want = blocks->piece; whole == 0 && !final; want = to->size) {
        COB_TRY(append_source(blocks, to, want, &final, err));
        whole = cut(to->text, to->size, final, &blocks->first_record, &blocks->first_line);
        if (whole == 0 && to->size > blocks->longest) {
            status = cob_fail(err, COBLOC_BAD_DATA, "%s is longer than %zu bytes",
                              blocks->record ? blocks->record : "the line", blocks->longest);
            cob_fail_line(err, status, cob_source_path(blocks->source), block->first_line);
            goto done;
        }
    }
    COB_TRY(keep_rest(blocks, to->text + whole, to->size - whole, err));
    to->text[whole] = '\0';
    block->text = to->text;
    block->size = whole;
done:
    return status;
}

/* Appends a piece of the source to the rest, after moving the rest to the front. */
static cobloc_status extend_rest(cob_blocks *blocks, int *final, cobloc_error *err)
{
    if (blocks->rest_start > 0)
        memmove(blocks->rest, blocks->rest + blocks->rest_start, blocks->rest_size);
    cob_buffer rest = {blocks->rest, blocks->rest_size, blocks->rest_capacity};
    cobloc_status status = append_source(blocks, &rest, HEADER_PIECE, final, err);
    blocks->rest = rest.text;
    blocks->rest_size = rest.size;
    blocks->rest_capacity = rest.capacity;
    blocks->rest_start = 0;
    return status;
}

cobloc_status cob_blocks_line(cob_blocks *blocks, char **line, size_t *capacity, int *got,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char *end = NULL;
    int final = 0;
    *got = 0;
    while (!(blocks->rest_size > 0 &&
             (end = memchr(blocks->rest + blocks->rest_start, '\n', blocks->rest_size))) &&
           !final) {
        COB_CHECK(blocks->rest_size <= blocks->longest, COBLOC_BAD_DATA,
                  "%s:%lld: the line is longer than %zu bytes", cob_source_path(blocks->source),
                  (long long)blocks->first_line, blocks->longest);
        COB_TRY(extend_rest(blocks, &final, err));
    }
    if (blocks->rest_size == 0)
        goto done;
    const char *text = blocks->rest + blocks->rest_start;
    size_t length = end ? (size_t)(end - text) : blocks->rest_size;
    COB_CHECK(!memchr(text, '\0', length), COBLOC_BAD_DATA,
              "%s:%lld: holds a NUL byte, expected text", cob_source_path(blocks->source),
              (long long)blocks->first_line);
    COB_CHECK(cob_grow(line, capacity, length + 1, 1), COBLOC_NO_MEMORY, "out of memory");
    memcpy(*line, text, length);
    blocks->rest_start += end ? length + 1 : length;
    blocks->rest_size -= end ? length + 1 : length;
    if (length > 0 && (*line)[length - 1] == '\r')
        length--;
    (*line)[length] = '\0';
    blocks->first_line++;
    *got = 1;
done:
    return status;
}

/* ---- parallel reading ------------------------------------------------------------------------ */

typedef struct run {
    cob_blocks *blocks;
    int64_t next_sequence;
    int ended;
    cob_failures failed;
} run;

static cobloc_status report(cob_blocks *blocks, cobloc_error *err)
{
    int64_t size = cob_source_stored_bytes(blocks->source);
    double done = size ? (double)cob_source_consumed_bytes(blocks->source) / (double)size : 1;
    return cob_report_reading(&blocks->progress, done, err);
}

/* Takes the next block under the lock; false at the end or after a failure. */
static int take_block(run *r, cob_buffer *to, cob_text_block *block, cobloc_error *err)
{
    int taken = 0;
#pragma omp critical(cob_blocks_take)
    if (!r->ended) {
        block->sequence = r->next_sequence++;
        cobloc_status status = cob_blocks_next(r->blocks, to, block, err);
        if (status == COBLOC_OK)
            status = report(r->blocks, err);
        cob_failures_note(&r->failed, block->sequence, status, err);
        taken = status == COBLOC_OK && block->size > 0;
        r->ended = !taken;
    }
    return taken;
}

static void stop_taking(run *r)
{
#pragma omp critical(cob_blocks_take)
    r->ended = 1;
}

cobloc_status cob_blocks_run(cob_blocks *blocks, cob_block_fn parse, void *context,
                             cobloc_error *err)
{
    run r = {.blocks = blocks, .failed = COB_NO_FAILURE};
#pragma omp parallel num_threads(blocks->threads)
    {
        cob_buffer text = {0};
        cob_text_block block = {0};
        cobloc_error own;
        while (take_block(&r, &text, &block, &own)) {
            cobloc_status status = parse(context, cob_thread(), &block, &own);
            cob_failures_note(&r.failed, block.sequence, status, &own);
            if (status != COBLOC_OK)
                stop_taking(&r);
        }
        cob_free(text.text);
    }
    cob_blocks_free(blocks);
    return cob_failures_end(&r.failed, err);
}
