/* Transposition by counting: each thread counts the indices in a run of lines; a prefix sum over
 * (index, thread) then gives the place of each of its entries. The result does not depend on the
 * number of threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "matrix/transpose.h"

#include "base/alloc.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

int64_t cob_chunk_begin(const int64_t *offsets, int64_t major, int c, int chunks)
{
    int64_t low = 0, high = major;
    double until = (double)(offsets[major] - offsets[0] + major) * c / chunks;
    if (c == 0 || c == chunks)
        return c == 0 ? 0 : major;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if ((double)(offsets[middle + 1] - offsets[0] + middle + 1) <= until)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int cob_chunk_count(const cobloc_view *view, int threads)
{
    enum { CHUNKS = 32, MOST_CHUNKS = 1 << 20, PIECES = 8 };
    double bytes = (double)cob_entry_bytes(view->kind) * (double)view->nnz;
    double pieces = PIECES * threads * bytes / cob_budget_block();
    int chunks = threads > 1 ? CHUNKS * threads : 1;
    return pieces > chunks ? (int)fmin(pieces, MOST_CHUNKS) : chunks;
}

void cob_entries_ahead(const cobloc_view *view, int64_t first, int64_t last)
{
    size_t width = cob_kind_width(view->kind);
    last = last < view->nnz ? last : view->nnz;
    if (first >= last)
        return;
    cob_read_ahead(view->indices + first, (size_t)(last - first) * sizeof *view->indices);
    if (width > 0)
        cob_read_ahead((const char *)view->values + (size_t)first * width,
                       (size_t)(last - first) * width);
}

int64_t cob_leave_behind(const cobloc_view *view, int64_t first, int64_t last, bool all)
{
    enum { MANY = 1 << 20, FEW = 1 << 14 };
    size_t width = cob_kind_width(view->kind), entries = (size_t)(last - first);
    if (last - first < (all ? FEW : MANY))
        return first;
    cob_give_back(view->indices + first, entries * sizeof *view->indices);
    if (width > 0)
        cob_give_back((const char *)view->values + (size_t)first * width, entries * width);
    return last;
}

void cob_chunk_ahead(const cobloc_view *view, int c, int chunks)
{
    if (c >= chunks || cob_budget_now() == 0)
        return;
    cob_entries_ahead(view, view->offsets[cob_chunk_begin(view->offsets, view->major, c, chunks)],
                      view->offsets[cob_chunk_begin(view->offsets, view->major, c + 1, chunks)]);
}

/* The scatter appends to all lines of `to` at once; if these are too many for the cache, every
 * write misses. So it goes tile by tile: for a block of lines of `from`, one range of indices after
 * the other. `cursor` holds the position in each line; its target is prefetched a few lines ahead.
 * Lines that are not sorted must be moved in one tile, or the order of `to` would be wrong. */
enum { TILE_LINES = 1 << 13, TILE_INDICES = 1 << 12, AHEAD = 8 };

/* Moves the entries with indices below `limit` of `count` lines from `first` on, starting at their
 * cursors. */
COB_INLINE void scatter_tile(const cob_side *from, int64_t first, int64_t count, int64_t limit,
                             cobloc_value_kind kind, int64_t *cursor, int64_t *next, cob_side *to)
{
    const size_t width = cob_kind_width(kind);
    const char *values = width ? from->values : (const void *)from->indices;
    char *moved = to->values;
    for (int64_t i = 0; i < count; i++) {
        int64_t e = cursor[i], stop = from->offsets[first + i + 1];
        COB_PREFETCH(from->indices + cursor[i + AHEAD]);
        COB_PREFETCH(values + (size_t)cursor[i + AHEAD] * width);
        for (; e < stop && from->indices[e] < limit; e++) {
            int64_t place = next[from->indices[e]]++;
            to->indices[place] = (int32_t)(first + i);
            if (width > 0)
                memcpy(moved + (size_t)place * width, values + (size_t)e * width, width);
        }
        cursor[i] = e;
    }
}

static void scatter(const cob_side *from, int64_t first, int64_t last, int64_t minor, bool sorted,
                    cobloc_value_kind kind, int64_t *next, cob_side *to)
{
    int64_t cursor[TILE_LINES + AHEAD] = {0};
    for (; first < last; first += TILE_LINES) {
        int64_t count = last - first < TILE_LINES ? last - first : TILE_LINES;
        for (int64_t i = 0; i < count; i++)
            cursor[i] = from->offsets[first + i];
        int64_t entries = from->offsets[first + count] - from->offsets[first];
        /* Visiting a line costs as much as moving an entry: a tile should move one on average. */
        int64_t tile = sorted && entries > minor / TILE_INDICES * count ? TILE_INDICES : minor;
        for (int64_t limit = tile; limit < minor + tile; limit += tile)
            COB_FOR_KIND(kind, scatter_tile(from, first, count, limit, KIND, cursor, next, to))
    }
}

/* Turns the counts of each thread into its first positions, and fills to->offsets. */
static void place_counts(int64_t *counts, int64_t minor, int threads, int64_t *offsets)
{
    int64_t place = 0;
    for (int64_t j = 0; j < minor; j++) {
        offsets[j] = place;
        for (int t = 0; t < threads; t++) {
            int64_t count = counts[(int64_t)t * minor + j];
            counts[(int64_t)t * minor + j] = place;
            place += count;
        }
    }
    offsets[minor] = place;
}

cobloc_status cob_transpose(const cob_side *from, int64_t major, int64_t minor, bool sorted,
                            cobloc_value_kind kind, int threads, cob_side *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t nnz = from->offsets[major];
    int64_t *counts = NULL;
    threads = cob_threads(threads);
    if ((double)nnz * (double)cob_entry_bytes(kind) > cob_budget_block())
        return cob_transpose_on_disk(from, major, minor, kind, threads, to, err);
    while (threads > 1 && (int64_t)threads * minor > nnz / 8)
        threads--; /* the counts must stay small compared to the entries */
    COB_NEW(counts, (size_t)threads * (size_t)minor);

#pragma omp parallel num_threads(threads)
#pragma omp for schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        int64_t *own = counts + (int64_t)t * minor;
        int64_t first = from->offsets[cob_chunk_begin(from->offsets, major, t, threads)];
        int64_t last = from->offsets[cob_chunk_begin(from->offsets, major, t + 1, threads)];
        memset(own, 0, (size_t)minor * sizeof *own);
        for (int64_t e = first; e < last; e++)
            own[from->indices[e]]++;
    }

    place_counts(counts, minor, threads, to->offsets);

#pragma omp parallel num_threads(threads)
#pragma omp for schedule(static, 1)
    for (int t = 0; t < threads; t++)
        scatter(from, cob_chunk_begin(from->offsets, major, t, threads),
                cob_chunk_begin(from->offsets, major, t + 1, threads), minor, sorted, kind,
                counts + (int64_t)t * minor, to);
done:
    cob_free(counts);
    return status;
}
