/* Collecting entries in buckets and copying them into place.
 * SPDX-License-Identifier: MIT
 */
#include "matrix/builder.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "matrix/transpose.h"

#include <string.h>

enum {
    FIRST_CHUNK = 32,        /* entries of a bucket's first chunk; each next is twice as large, */
    MOST_BREAKS = 64,        /* unsorted spots in a bucket; with more, transposing sorts it */
    LAST_CHUNK = 1 << 11,    /* up to this many, */
    MOST_ON_DISK = 1 << 15,  /* or under a budget this many, which are read at once, */
    OPEN_SHARE = 16,         /* as long as this share of it holds a chunk of every bucket */
    WANTED_BUCKETS = 256,    /* if the number of rows is known: enough to share among threads */
    UNKNOWN_ROWS_SHIFT = 12, /* log2 of the rows of a bucket if it is not */
    LARGEST_SHIFT = 16,      /* the rows of a chunk are 16-bit numbers */
};

/* ---- lanes ----------------------------------------------------------------------------------- */

static uint32_t largest_chunk(int lanes)
{
    const double entry = sizeof(double) + sizeof(int32_t) + sizeof(uint16_t);
    double entries = cob_budget_now() / OPEN_SHARE / entry / WANTED_BUCKETS / lanes;
    uint32_t largest = LAST_CHUNK;
    while (largest < MOST_ON_DISK && 2 * largest <= entries)
        largest *= 2;
    return largest;
}

cobloc_status cob_builder_init(cob_builder *builder, int64_t rows, int64_t cols, int64_t base,
                               int lanes, cobloc_missing missing, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *builder = (cob_builder){.policy = missing};
    COB_TRY(cob_check_shape(rows < 0 ? 1 : rows, cols < 0 ? 1 : cols, err));
    builder->rows = rows < 0 ? INT32_MAX : rows;
    builder->cols = cols < 0 ? INT32_MAX : cols;
    builder->base = base;
    builder->shape_unknown = rows < 0 || cols < 0;
    builder->bucket_shift = UNKNOWN_ROWS_SHIFT;
    if (rows >= 0) {
        builder->bucket_shift = 0;
        while (builder->bucket_shift < LARGEST_SHIFT &&
               rows >> builder->bucket_shift > WANTED_BUCKETS)
            builder->bucket_shift++;
    }
    builder->last_chunk = largest_chunk(lanes);
    builder->lane_count = lanes;
    COB_NEW_ZERO(builder->lanes, lanes);
    for (int t = 0; t < lanes; t++) {
        builder->lanes[t].builder = builder;
        builder->lanes[t].max_row = builder->lanes[t].max_col = -1;
    }
    if (missing == COBLOC_MISSING_IGNORE) {
        COB_NEW_ZERO(builder->missing, 1);
        COB_TRY(
            cob_builder_init(builder->missing, rows, cols, base, lanes, COBLOC_MISSING_AUTO, err));
        for (int t = 0; t < lanes; t++)
            builder->lanes[t].missing = &builder->missing->lanes[t];
    }
done:
    return status;
}

void cob_builder_free(cob_builder *builder)
{
    for (int t = 0; builder->lanes && t < builder->lane_count; t++) {
        cob_lane *lane = &builder->lanes[t];
        cob_slabs_free(lane->heads);
        cob_slabs_free(lane->slab);
        cob_free(lane->buckets);
    }
    cob_free(builder->lanes);
    if (builder->missing)
        cob_builder_free(builder->missing);
    cob_free(builder->missing);
    *builder = (cob_builder){0};
}

/* Like a zero, a missing cell counts for the shape. */
static cobloc_status add_missing(cob_lane *lane, int64_t row, int64_t col, cobloc_error *err)
{
    cobloc_status status = cob_lane_add_slow(lane, row, col, 0, err);
    if (status == COBLOC_OK && lane->missing)
        return cob_lane_add_count(lane->missing, row, col, 1, err);
    lane->zeroed++;
    return status;
}

cobloc_status cob_lane_add_odd(cob_lane *lane, int64_t row, int64_t col, double value,
                               cobloc_error *err)
{
    const cob_builder *b = lane->builder;
    if (row < 0 || row >= b->rows)
        return cob_fail(err, COBLOC_BAD_DATA, "row %lld is out of range, expected %lld to %lld",
                        (long long)(row + b->base), (long long)b->base,
                        (long long)(b->rows - 1 + b->base));
    if (col < 0 || col >= b->cols)
        return cob_fail(err, COBLOC_BAD_DATA, "column %lld is out of range, expected %lld to %lld",
                        (long long)(col + b->base), (long long)b->base,
                        (long long)(b->cols - 1 + b->base));
    if (!isnan(value))
        return cob_fail(err, COBLOC_BAD_DATA, "the value is infinite, expected a finite number");
    if (b->policy == COBLOC_MISSING_AUTO)
        return cob_fail(
            err, COBLOC_BAD_DATA,
            "the value is not a number, expected a finite one; '--missing ignore' reads "
            "it as a missing cell, '--missing zero' as 0");
    return add_missing(lane, row, col, err);
}

/* What the entries of a chunk take. */
static size_t chunk_bytes(uint32_t capacity, cobloc_value_kind kind)
{
    return capacity * (cob_entry_bytes(kind) + sizeof(uint16_t));
}

static cob_chunk *new_chunk(cob_lane *lane, cob_chunk *before, cobloc_value_kind kind)
{
    uint32_t capacity = FIRST_CHUNK;
    if (before)
        capacity = before->capacity < lane->builder->last_chunk ? before->capacity * 2
                                                                : lane->builder->last_chunk;
    COB_KNOWN(kind <= COBLOC_F64);
    size_t width = cob_kind_width(kind);
    cob_chunk *chunk = cob_slab_take(&lane->heads, sizeof *chunk);
    char *values = cob_slab_take(&lane->slab, chunk_bytes(capacity, kind));
    if (!chunk || !values)
        return NULL;
    *chunk = (cob_chunk){.next = before,
                         .capacity = capacity,
                         .kind = kind,
                         .values = values,
                         .cols = (int32_t *)(void *)(values + capacity * width)};
    chunk->rows = (uint16_t *)(chunk->cols + capacity);
    return chunk;
}

static int reserve_bucket(cob_lane *lane, size_t bucket)
{
    if (!cob_grow(&lane->buckets, &lane->bucket_capacity, bucket + 1, sizeof *lane->buckets))
        return 0;
    for (size_t b = lane->bucket_count; b <= bucket; b++)
        lane->buckets[b] = NULL;
    if (bucket >= lane->bucket_count)
        lane->bucket_count = bucket + 1;
    return 1;
}

cobloc_status cob_lane_add_slow(cob_lane *lane, int64_t row, int64_t col, double value,
                                cobloc_error *err)
{
    if (row > lane->max_row)
        lane->max_row = row;
    if (col > lane->max_col)
        lane->max_col = col;
    if (value == 0)
        return COBLOC_OK;

    size_t bucket = (size_t)(row >> lane->builder->bucket_shift);
    if (bucket >= lane->bucket_count && !reserve_bucket(lane, bucket))
        return cob_fail_memory(err, bucket, sizeof *lane->buckets);
    cob_chunk *chunk = lane->buckets[bucket];
    if (!chunk || chunk->count == chunk->capacity || !cob_kind_holds(chunk->kind, value)) {
        chunk = new_chunk(lane, chunk, cob_kind_for(value, chunk ? chunk->kind : COBLOC_ONES));
        if (!chunk)
            return cob_fail_memory(err, COB_LARGEST_SLAB, 1);
        lane->buckets[bucket] = chunk;
    }
    uint32_t place = chunk->count++;
    cob_value_set(chunk->kind, chunk->values, place, value);
    chunk->cols[place] = (int32_t)col;
    chunk->rows[place] = (uint16_t)(row & (((int64_t)1 << lane->builder->bucket_shift) - 1));
    cob_tally_add(&lane->tally, value);
    return COBLOC_OK;
}

int64_t cob_builder_entries(const cob_builder *builder)
{
    int64_t entries = 0;
    for (int t = 0; t < builder->lane_count; t++)
        for (size_t b = 0; b < builder->lanes[t].bucket_count; b++)
            for (const cob_chunk *chunk = builder->lanes[t].buckets[b]; chunk; chunk = chunk->next)
                entries += chunk->count;
    return entries;
}

void cob_builder_shift_columns(cob_builder *builder)
{
    for (int t = 0; t < builder->lane_count; t++) {
        cob_lane *lane = &builder->lanes[t];
        if (lane->max_col > 0)
            lane->max_col--;
        for (size_t b = 0; b < lane->bucket_count; b++)
            for (cob_chunk *chunk = lane->buckets[b]; chunk; chunk = chunk->next)
                for (uint32_t e = 0; e < chunk->count; e++)
                    chunk->cols[e]--;
    }
    if (builder->missing)
        cob_builder_shift_columns(builder->missing);
}

/* ---- copying into place ---------------------------------------------------------------------- */

static cob_chunk *bucket_of(const cob_builder *builder, int lane, size_t bucket)
{
    const cob_lane *l = &builder->lanes[lane];
    return bucket < l->bucket_count ? l->buckets[bucket] : NULL;
}

/* The end of the entries of a chunk's next row: in most files, a row's entries are consecutive. */
static uint32_t run_end(const cob_chunk *c, uint32_t e)
{
    uint16_t row = c->rows[e];
    do
        e++;
    while (e < c->count && c->rows[e] == row);
    return e;
}

/* Counts the entries of each row of a bucket in offsets[first + 1 ...]; these are summed later. */
static void count_bucket(const cob_builder *builder, size_t bucket, int64_t *offsets)
{
    int64_t first = (int64_t)bucket << builder->bucket_shift;
    for (int t = 0; t < builder->lane_count; t++)
        for (const cob_chunk *c = bucket_of(builder, t, bucket); c; c = c->next) {
            if (c->next)
                cob_read_ahead(c->next->rows, c->next->count * sizeof *c->next->rows);
            for (uint32_t e = 0, end; e < c->count; e = end) {
                end = run_end(c, e);
                offsets[first + c->rows[e] + 1] += end - e;
            }
        }
}

/* Copies values e to end - 1 of a chunk to `place` and after. */
static void copy_values(const cob_chunk *c, uint32_t e, uint32_t end, cobloc_value_kind kind,
                        void *values, int64_t place)
{
    if (c->kind == COBLOC_U8 && kind == COBLOC_U8)
        for (; e < end; e++, place++)
            ((uint8_t *)values)[place] = ((const uint8_t *)c->values)[e];
    else
        for (; e < end; e++, place++)
            cob_value_set(kind, values, place, cob_value_get(c->kind, c->values, e));
}

/* Copies one chunk to next[row]; returns how many times a column is not larger than the last. */
static int64_t place_chunk(const cob_chunk *c, int64_t *next, const int64_t *starts,
                           cobloc_value_kind kind, cob_side *side)
{
    int64_t breaks = 0;
    for (uint32_t e = 0, end; e < c->count; e = end) {
        end = run_end(c, e);
        int64_t place = next[c->rows[e]];
        next[c->rows[e]] += end - e;
        breaks += place > starts[c->rows[e]] && side->indices[place - 1] >= c->cols[e];
        copy_values(c, e, end, kind, side->values, place);
        side->indices[place] = c->cols[e];
        for (uint32_t i = 1; i < end - e; i++) {
            side->indices[place + i] = c->cols[e + i];
            breaks += c->cols[e + i - 1] >= c->cols[e + i];
        }
    }
    return breaks;
}

/* The newest chunk of a bucket comes first, but entries must keep the order they were added in. */
static cob_chunk *reversed(cob_chunk *chunk)
{
    cob_chunk *turned = NULL;
    while (chunk) {
        cob_chunk *next = chunk->next;
        chunk->next = turned;
        turned = chunk;
        chunk = next;
    }
    return turned;
}

static void swap_entries(cob_side *side, cobloc_value_kind kind, int64_t a, int64_t b)
{
    int32_t col = side->indices[a];
    double value = cob_value_get(kind, side->values, a);
    side->indices[a] = side->indices[b];
    cob_value_set(kind, side->values, a, cob_value_get(kind, side->values, b));
    side->indices[b] = col;
    cob_value_set(kind, side->values, b, value);
}

/* Heap sort: in place, and fast for any order. Returns false if the row has duplicates. */
static int sort_row(cob_side *side, int64_t first, int64_t count, cobloc_value_kind kind)
{
    const int32_t *cols = side->indices + first;
    for (int64_t start = count / 2, end = count; end > 1;) {
        if (start > 0)
            start--;
        else
            swap_entries(side, kind, first, first + --end);
        for (int64_t root = start, child; (child = 2 * root + 1) < end; root = child) {
            child += child + 1 < end && cols[child] < cols[child + 1];
            if (cols[root] >= cols[child])
                break;
            swap_entries(side, kind, first + root, first + child);
        }
    }
    for (int64_t i = 1; i < count; i++)
        if (cols[i - 1] == cols[i])
            return 0;
    return 1;
}

/* Sorts the few unsorted rows of a bucket: in a sorted file, those that span two blocks. */
static int sort_rows(cob_side *side, int64_t first, int64_t span, cobloc_value_kind kind)
{
    int good = 1;
    for (int64_t row = first; row < first + span; row++)
        for (int64_t e = side->offsets[row] + 1; e < side->offsets[row + 1]; e++)
            if (side->indices[e - 1] >= side->indices[e]) {
                good = sort_row(side, side->offsets[row],
                                side->offsets[row + 1] - side->offsets[row], kind) &&
                       good;
                break;
            }
    return good;
}

/* Copies a bucket's entries to their rows; true if the columns of every row increase. `next` has
 * room for the bucket's rows. */
static int place_bucket(cob_builder *builder, size_t bucket, int64_t rows, cobloc_value_kind kind,
                        int64_t *next, cob_side *side)
{
    int64_t breaks = 0;
    int64_t first = (int64_t)bucket << builder->bucket_shift;
    int64_t span = (int64_t)1 << builder->bucket_shift;
    if (span > rows - first)
        span = rows - first;
    memcpy(next, side->offsets + first, (size_t)span * sizeof *next);
    for (int t = 0; t < builder->lane_count; t++) {
        const cob_chunk *chunk = reversed(bucket_of(builder, t, bucket));
        for (; chunk; chunk = chunk->next) {
            const cob_chunk *next_one = chunk->next;
            if (next_one)
                cob_read_ahead(next_one->values, chunk_bytes(next_one->capacity, next_one->kind));
            breaks += place_chunk(chunk, next, side->offsets + first, kind, side);
        }
    }
    if (breaks == 0)
        return 1;
    return breaks <= MOST_BREAKS && sort_rows(side, first, span, kind);
}

cobloc_status cob_builder_place(cob_builder *builder, int64_t rows, cobloc_value_kind kind,
                                cob_side *side, int *sorted, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int threads = builder->lane_count;
    int64_t *next = NULL;
    int64_t span = (int64_t)1 << builder->bucket_shift;
    int64_t buckets = (rows + span - 1) >> builder->bucket_shift;
    int in_order = 1;
    COB_NEW(next, (size_t)threads * (size_t)span);
    memset(side->offsets, 0, (size_t)(rows + 1) * sizeof *side->offsets);

#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t b = 0; b < buckets; b++)
        count_bucket(builder, (size_t)b, side->offsets);
    for (int64_t i = 0; i < rows; i++)
        side->offsets[i + 1] += side->offsets[i];

#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(&& : in_order)
    for (int64_t b = 0; b < buckets; b++)
        in_order = place_bucket(builder, (size_t)b, rows, kind, next + (int64_t)cob_thread() * span,
                                side) &&
                   in_order;
    *sorted = in_order;
done:
    cob_free(next);
    return status;
}

/* ---- the end --------------------------------------------------------------------------------- */

static cobloc_status final_shape(const cob_builder *builder, int64_t *rows, int64_t *cols,
                                 cobloc_error *err)
{
    int64_t max_row = -1, max_col = -1;
    for (int t = 0; t < builder->lane_count; t++) {
        const cob_lane *lane = &builder->lanes[t];
        max_row = lane->max_row > max_row ? lane->max_row : max_row;
        max_col = lane->max_col > max_col ? lane->max_col : max_col;
    }
    if (*rows < 0)
        *rows = builder->rows < INT32_MAX ? builder->rows : max_row + 1;
    if (*cols < 0)
        *cols = builder->cols < INT32_MAX ? builder->cols : max_col + 1;
    if (max_row >= *rows || max_col >= *cols)
        return cob_fail(err, COBLOC_BAD_DATA,
                        "an entry is in row %lld or column %lld, outside %lld rows by %lld columns",
                        (long long)(max_row + builder->base), (long long)(max_col + builder->base),
                        (long long)*rows, (long long)*cols);
    int64_t entries = cob_builder_entries(builder);
    if (builder->missing)
        entries += cob_builder_entries(builder->missing);
    cobloc_status status = cob_check_shape(*rows, *cols, err);
    return status ? status : cob_check_plausible(*rows, *cols, entries, err);
}

static cobloc_status finish_entries(cob_builder *builder, int64_t rows, int64_t cols,
                                    cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_side by_row = {0}, by_col = {0};
    cob_tally tally = {0};
    int threads = builder->lane_count;
    int sorted = 0;
    for (int t = 0; t < builder->lane_count; t++)
        cob_tally_merge(&tally, &builder->lanes[t].tally);
    cobloc_value_kind kind = cob_tally_kind(&tally);
    int64_t entries = cob_builder_entries(builder);

    COB_TRY(cob_side_alloc(&by_row, rows, entries, kind, err));
    COB_TRY(cob_builder_place(builder, rows, kind, &by_row, &sorted, err));
    cob_builder_free(builder);
    if (sorted) {
        COB_TRY(cob_matrix_own(rows, cols, kind, &by_row, threads, out, err));
        goto done;
    }
    /* Transposing twice sorts. */
    COB_TRY(cob_side_alloc(&by_col, cols, entries, kind, err));
    COB_TRY(cob_transpose(&by_row, rows, cols, false, kind, threads, &by_col, err));
    if (cob_has_duplicates(&by_col, cols, threads)) {
        cob_side_free(&by_row);
        COB_TRY(cob_sum_duplicates(&by_col, cols, &kind, err));
        COB_TRY(cob_side_alloc(&by_row, rows, by_col.offsets[cols], kind, err));
    }
    COB_TRY(cob_transpose(&by_col, cols, rows, true, kind, threads, &by_row, err));
    COB_TRY(cob_matrix_own_both(rows, cols, kind, &by_row, &by_col, NULL, NULL, threads, out, err));
done:
    cob_builder_free(builder);
    cob_side_free(&by_row);
    cob_side_free(&by_col);
    return status;
}

cobloc_status cob_builder_finish(cob_builder *builder, int64_t rows, int64_t cols,
                                 cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_matrix *matrix = NULL, *missing = NULL;
    cob_builder *cells = builder->missing;
    int64_t zeroed = 0;
    COB_TRY(final_shape(builder, &rows, &cols, err));
    for (int t = 0; t < builder->lane_count; t++)
        zeroed += builder->lanes[t].zeroed;
    builder->missing = NULL;
    COB_TRY(finish_entries(builder, rows, cols, &matrix, err));
    COB_TRY(cob_matrix_check_range(matrix, err));
    matrix->zeroed = zeroed;
    if (cells && cob_builder_entries(cells) > 0) {
        COB_TRY(finish_entries(cells, rows, cols, &missing, err));
        COB_TRY(cob_matrix_take_missing(matrix, &missing, err));
    }
    *out = matrix;
    matrix = NULL;
done:
    cobloc_matrix_free(matrix);
    cobloc_matrix_free(missing);
    builder->missing = cells;
    cob_builder_free(builder);
    return status;
}
