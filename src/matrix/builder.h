/* From entries in any order to a matrix: every reader makes its cobloc_matrix this way.
 *
 * Each thread adds to its own lane. A lane distributes its entries among buckets of neighbouring
 * rows, with 7 bytes per entry if values are small counts. cob_builder_finish copies bucket after
 * bucket into place by rows and only then makes the columns, so peak memory is little more than the
 * finished matrix, for any order of the entries. No allocation relies on sizes that a file's header
 * claims.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_MATRIX_BUILDER_H
#define COB_MATRIX_BUILDER_H

#include "base/alloc.h"
#include "matrix/matrix.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct cob_builder cob_builder;

typedef struct cob_chunk {
    struct cob_chunk *next;
    uint32_t count;
    uint32_t capacity;
    cobloc_value_kind kind;
    void *values;
    int32_t *cols;
    uint16_t *rows; /* within the bucket */
} cob_chunk;

typedef struct cob_lane {
    const cob_builder *builder;
    cob_chunk **buckets; /* the newest chunk of each bucket, or NULL */
    size_t bucket_count;
    size_t bucket_capacity;
    cob_slab *heads;          /* the newest block of memory for chunks, */
    cob_slab *slab;           /* and for their entries */
    struct cob_lane *missing; /* collects the missing cells; NULL: they are not kept */
    int64_t zeroed;           /* missing cells that were read as 0 */
    int64_t max_row;
    int64_t max_col;
    cob_tally tally;
    char apart[128]; /* keeps the lanes of different threads in different cache lines */
} cob_lane;

struct cob_builder {
    int64_t rows; /* -1: as many as the entries need */
    int64_t cols;
    int64_t base; /* number of the first row in the file, 0 or 1: for messages */
    int bucket_shift;
    uint32_t last_chunk; /* entries of the largest chunk */
    bool shape_unknown;  /* lanes must remember the largest row and column */
    int lane_count;
    cob_lane *lanes;
    cobloc_missing policy;
    cob_builder *missing; /* collects the missing cells, as ones; NULL: they are not kept */
};

/* `rows`, `cols`: the shape, or -1 if it follows from the entries. `base`: 0 or 1, the number of
 * the first row in the file; only messages use it. `missing`: how to treat a value that is not a
 * number; COBLOC_MISSING_AUTO rejects it. */
cobloc_status cob_builder_init(cob_builder *builder, int64_t rows, int64_t cols, int64_t base,
                               int lanes, cobloc_missing missing, cobloc_error *err);
void cob_builder_free(cob_builder *builder);

/* The slow cases of cob_lane_add: the first handles missing cells, and rejects values that are not
 * finite and indices out of range. */
cobloc_status cob_lane_add_odd(cob_lane *lane, int64_t row, int64_t col, double value,
                               cobloc_error *err);
cobloc_status cob_lane_add_slow(cob_lane *lane, int64_t row, int64_t col, double value,
                                cobloc_error *err);

/* Stores a small count if the newest chunk has room; otherwise false: use cob_lane_add_slow. */
static inline bool cob_lane_add_small(cob_lane *lane, int64_t row, int64_t col, uint32_t count)
{
    const cob_builder *builder = lane->builder;
    size_t bucket = (size_t)(row >> builder->bucket_shift);
    cob_chunk *chunk = bucket < lane->bucket_count ? lane->buckets[bucket] : NULL;
    if (!chunk || chunk->count == chunk->capacity || chunk->kind > COBLOC_U8 ||
        (chunk->kind == COBLOC_ONES && count != 1))
        return false;
    uint32_t place = chunk->count++;
    if (chunk->kind == COBLOC_U8)
        ((uint8_t *)chunk->values)[place] = (uint8_t)count;
    chunk->cols[place] = (int32_t)col;
    chunk->rows[place] = (uint16_t)(row & (((int64_t)1 << builder->bucket_shift) - 1));
    lane->tally.count_bits |= count;
    if (builder->shape_unknown) {
        if (row > lane->max_row)
            lane->max_row = row;
        if (col > lane->max_col)
            lane->max_col = col;
    }
    return true;
}

/* Adds one entry, counted from 0. Zeros are checked but not stored; NAN is a missing cell. */
static inline cobloc_status cob_lane_add(cob_lane *lane, int64_t row, int64_t col, double value,
                                         cobloc_error *err)
{
    const cob_builder *builder = lane->builder;
    if ((uint64_t)row >= (uint64_t)builder->rows || (uint64_t)col >= (uint64_t)builder->cols ||
        !(fabs(value) <= DBL_MAX))
        return cob_lane_add_odd(lane, row, col, value, err);
    uint32_t count = value >= 0 && value <= UINT8_MAX ? (uint32_t)value : 0;
    if (count == 0 || (double)count != value || !cob_lane_add_small(lane, row, col, count))
        return cob_lane_add_slow(lane, row, col, value, err);
    return COBLOC_OK;
}

/* The same for a count. */
static inline cobloc_status cob_lane_add_count(cob_lane *lane, int64_t row, int64_t col,
                                               uint32_t count, cobloc_error *err)
{
    const cob_builder *builder = lane->builder;
    if ((uint64_t)row >= (uint64_t)builder->rows || (uint64_t)col >= (uint64_t)builder->cols)
        return cob_lane_add_odd(lane, row, col, count, err);
    if (count - 1 >= UINT8_MAX || !cob_lane_add_small(lane, row, col, count))
        return cob_lane_add_slow(lane, row, col, count, err);
    return COBLOC_OK;
}

/* Subtracts 1 from every column: for files that turn out to count from 1. No entry may be in column
 * 0. */
void cob_builder_shift_columns(cob_builder *builder);

/* The number of entries added so far, zeros not counted. */
int64_t cob_builder_entries(const cob_builder *builder);

/* Copies all entries into `side`, which has room for them and their values, row by row, and within
 * a row lane by lane and as they were added. *sorted: the columns of every row increase. */
cobloc_status cob_builder_place(cob_builder *builder, int64_t rows, cobloc_value_kind kind,
                                cob_side *side, int *sorted, cobloc_error *err);

/* Sums duplicates and makes the matrix, with its missing cells. `rows`, `cols`: the final shape if
 * cob_builder_init was given -1, or -1 again to use the largest index. The builder is empty
 * afterwards, also on failure. */
cobloc_status cob_builder_finish(cob_builder *builder, int64_t rows, int64_t cols,
                                 cobloc_matrix **out, cobloc_error *err);

/* ---- entries that were given more than once (duplicates.c) ------------------------------------
 */

/* Whether any (sorted) line has equal neighbouring indices. */
int cob_has_duplicates(const cob_side *side, int64_t major, int threads);

/* Sums them, in sorted lines; the values may need another kind afterwards. */
cobloc_status cob_sum_duplicates(cob_side *side, int64_t major, cobloc_value_kind *kind,
                                 cobloc_error *err);

#endif
