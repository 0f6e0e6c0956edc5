/* Drawing the entries of a matrix with given clusters and effects: row by row, each from its own
 * sequence, in time proportional to the non-zeros.
 *
 * In a Bernoulli block the gaps between ones are geometric. In a Poisson block the total of a row
 * is Poisson and is distributed over the columns in proportion to their effects, which gives the
 * same law as a Poisson draw per cell; if the total exceeds the number of cells, each cell is
 * drawn.
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulate/simulate.h"

#include "base/alloc.h"
#include "base/failures.h"
#include "base/parallel.h"
#include "matrix/builder.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { CHUNK_ROWS = 256, CHUNKS_PER_REPORT = 64, FEW = 24, DIGIT_BITS = 11 };

/* The columns by cluster, and how to choose one within a cluster. */
typedef struct plan {
    const cobloc_simulation *simulation;
    const cobloc_truth *truth;
    int32_t *members; /* the columns of cluster 0, of cluster 1, ... */
    int64_t *starts;  /* l + 1 */
    double *weights;  /* sum of the column effects of each cluster; Poisson only, like `choices` */
    cob_alias *choices; /* in the order of the members */
    int column_bits;
} plan;

/* A row being drawn; an entry is column << 32 | count. One per thread. */
typedef struct drawn_row {
    uint64_t *entries;
    uint64_t *spare; /* for sorting */
    size_t count;
    size_t capacity;
    size_t spare_capacity;
} drawn_row;

/* The entries of consecutive rows. */
typedef struct chunk {
    int32_t *cols;
    uint32_t *counts; /* NULL if all are 1 */
    size_t used;
    size_t cols_capacity;
    size_t counts_capacity;
    uint32_t count_bits; /* bitwise OR of all counts */
} chunk;

/* ---- the plan -------------------------------------------------------------------------------- */

static void free_plan(plan *p)
{
    cob_free(p->members);
    cob_free(p->starts);
    cob_free(p->weights);
    cob_free(p->choices);
}

static cobloc_status sort_columns(plan *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_truth *t = p->truth;
    int64_t *next = NULL;
    COB_NEW(p->members, t->cols);
    COB_NEW(p->starts, t->l + 1);
    COB_NEW(next, t->l);
    p->starts[0] = 0;
    for (int l = 0; l < t->l; l++) {
        next[l] = p->starts[l];
        p->starts[l + 1] = p->starts[l] + t->col_sizes[l];
    }
    for (int64_t j = 0; j < t->cols; j++)
        p->members[next[t->col_labels[j]]++] = (int32_t)j;
    while (p->column_bits < 31 && (int64_t)1 << p->column_bits < t->cols)
        p->column_bits++;
done:
    cob_free(next);
    return status;
}

static cobloc_status make_choices(plan *p, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_truth *t = p->truth;
    double *effects = NULL;
    int32_t *room = NULL;
    COB_NEW(effects, t->cols);
    COB_NEW(room, t->cols);
    COB_NEW(p->weights, t->l);
    COB_NEW(p->choices, t->cols);
    for (int64_t m = 0; m < t->cols; m++)
        effects[m] = t->col_effects[p->members[m]];
    for (int l = 0; l < t->l; l++) {
        int64_t first = p->starts[l], last = p->starts[l + 1];
        cob_alias_fill(p->choices + first, last - first, p->members + first, effects + first, room);
        p->weights[l] = 0;
        for (int64_t m = first; m < last; m++)
            p->weights[l] += effects[m];
    }
done:
    cob_free(effects);
    cob_free(room);
    return status;
}

static double largest(const double *values, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, values[i]);
    return most;
}

/* An upper bound on the expected number of non-zeros. */
static double expected_entries(const plan *p)
{
    const cobloc_truth *t = p->truth;
    double sum = 0;
    for (int k = 0; k < t->k; k++)
        for (int l = 0; l < t->l && t->law == COBLOC_BERNOULLI; l++)
            sum += (double)t->row_sizes[k] * (double)t->col_sizes[l] * t->parameters[k * t->l + l];
    for (int64_t i = 0; i < t->rows && t->law == COBLOC_POISSON; i++)
        for (int l = 0; l < t->l; l++)
            sum += fmin((double)t->col_sizes[l], t->row_effects[i] * p->weights[l] *
                                                     t->parameters[t->row_labels[i] * t->l + l]);
    return sum;
}

static cobloc_status check_size(const plan *p, cobloc_error *err)
{
    const cobloc_truth *t = p->truth;
    if (t->law == COBLOC_POISSON) {
        double mean = largest(t->row_effects, t->rows) * largest(t->col_effects, t->cols) *
                      largest(t->parameters, (int64_t)t->k * t->l);
        if (!(mean <= 4e9))
            return cob_fail(err, COBLOC_BAD_ARGUMENT,
                            "effects and parameters multiply to a mean of %.3g in a cell, expected "
                            "at most 4e9",
                            mean);
    }
    return cob_simulation_fits(p->simulation, expected_entries(p), err);
}

/* ---- one row --------------------------------------------------------------------------------- */

static bool push(drawn_row *row, int32_t col, uint64_t count)
{
    if (row->count == row->capacity &&
        !cob_grow(&row->entries, &row->capacity, row->count + 1, sizeof *row->entries))
        return false;
    row->entries[row->count++] = (uint64_t)col << 32 | count;
    return true;
}

static bool draw_ones(const plan *p, int l, double probability, cob_draws *draws, drawn_row *row)
{
    const int32_t *members = p->members + p->starts[l];
    double size = (double)(p->starts[l + 1] - p->starts[l]);
    double scale = probability < 1 ? 1 / log1p(-probability) : 0; /* -0 or 0: no gaps */
    if (probability <= 0)
        return true;
    for (double at = 0;; at++) {
        at += floor(log(cob_draw_uniform(draws)) * scale);
        if (!(at < size))
            return true;
        if (!push(row, members[(int64_t)at], 1))
            return false;
    }
}

/* `mean` is that of a cell before the column's effect. */
static bool draw_counts(const plan *p, int l, double mean, cob_draws *draws, drawn_row *row)
{
    const int32_t *members = p->members + p->starts[l];
    const double *effects = p->truth->col_effects;
    int64_t size = p->starts[l + 1] - p->starts[l];
    double total = mean * p->weights[l];
    if (size == 0 || total <= 0)
        return true;
    if (total < (double)size) {
        for (int64_t left = cob_draw_poisson(draws, total); left > 0; left--)
            if (!push(row, cob_alias_draw(p->choices + p->starts[l], size, draws), 1))
                return false;
        return true;
    }
    for (int64_t m = 0; m < size; m++) {
        int64_t count = cob_draw_poisson(draws, mean * effects[members[m]]);
        if (count > 0 && !push(row, members[m], (uint64_t)count))
            return false;
    }
    return true;
}

static void insertion_sort(uint64_t *entries, size_t count)
{
    for (size_t e = 1; e < count; e++) {
        uint64_t entry = entries[e];
        size_t to = e;
        for (; to > 0 && entries[to - 1] > entry; to--)
            entries[to] = entries[to - 1];
        entries[to] = entry;
    }
}

/* One pass of a radix sort by `bits` bits of the column, starting at `shift`. */
static void deal_out(const uint64_t *from, uint64_t *to, size_t count, int shift, int bits)
{
    size_t place[1 << DIGIT_BITS] = {0}, sum = 0;
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (size_t e = 0; e < count; e++)
        place[from[e] >> shift & mask]++;
    for (size_t d = 0; d <= mask; d++) {
        size_t here = place[d];
        place[d] = sum;
        sum += here;
    }
    for (size_t e = 0; e < count; e++)
        to[place[from[e] >> shift & mask]++] = from[e];
}

static bool sort_entries(drawn_row *row, int column_bits)
{
    size_t sorted = 1;
    while (sorted < row->count && row->entries[sorted - 1] <= row->entries[sorted])
        sorted++;
    if (sorted >= row->count)
        return true;
    if (row->count <= FEW) {
        insertion_sort(row->entries, row->count);
        return true;
    }
    if (!cob_grow(&row->spare, &row->spare_capacity, row->capacity, sizeof *row->spare))
        return false;
    int bits = 4; /* digits with about as many values as there are entries */
    while (bits < DIGIT_BITS && (size_t)1 << (bits + 1) <= row->count)
        bits++;
    int passes = (column_bits + bits - 1) / bits;
    bits = (column_bits + passes - 1) / passes;
    for (int pass = 0; pass < passes; pass++) {
        deal_out(row->entries, row->spare, row->count, 32 + pass * bits, bits);
        uint64_t *swapped = row->entries;
        row->entries = row->spare;
        row->spare = swapped;
        size_t capacity = row->capacity;
        row->capacity = row->spare_capacity;
        row->spare_capacity = capacity;
    }
    return true;
}

/* Appends the row to the chunk, with repeated columns summed; returns its length, or -1 if out of
 * memory. */
static int64_t append(const drawn_row *row, bool ones, chunk *to)
{
    size_t before = to->used, need = to->used + row->count;
    if (!cob_grow(&to->cols, &to->cols_capacity, need, sizeof *to->cols) ||
        (!ones && !cob_grow(&to->counts, &to->counts_capacity, need, sizeof *to->counts)))
        return -1;
    for (size_t e = 0; e < row->count; e++) {
        int32_t col = (int32_t)(row->entries[e] >> 32);
        uint32_t count = (uint32_t)row->entries[e];
        while (e + 1 < row->count && (int32_t)(row->entries[e + 1] >> 32) == col)
            count += (uint32_t)row->entries[++e];
        to->cols[to->used] = col;
        if (!ones)
            to->counts[to->used] = count;
        to->count_bits |= count;
        to->used++;
    }
    return (int64_t)(to->used - before);
}

static int64_t draw_row(const plan *p, int64_t i, drawn_row *row, chunk *to)
{
    const cobloc_truth *t = p->truth;
    const double *parameters = t->parameters + (int64_t)t->row_labels[i] * t->l;
    cob_draws draws = cob_draws_at(p->simulation->seed, COB_DRAW_ENTRIES, i);
    bool ones = t->law == COBLOC_BERNOULLI, good = true;
    row->count = 0;
    for (int l = 0; l < t->l && good; l++)
        good = ones ? draw_ones(p, l, parameters[l], &draws, row)
                    : draw_counts(p, l, t->row_effects[i] * parameters[l], &draws, row);
    return good && sort_entries(row, p->column_bits) ? append(row, ones, to) : -1;
}

/* ---- all rows -------------------------------------------------------------------------------- */

static void free_chunk(chunk *c)
{
    cob_free(c->cols);
    cob_free(c->counts);
    *c = (chunk){.count_bits = c->count_bits};
}

/* Draws chunks first .. last - 1; lengths[i + 1] receives the length of row i. */
static cobloc_status draw_chunks(const plan *p, int64_t first, int64_t last, drawn_row *rows,
                                 chunk *chunks, int64_t *lengths, int threads, cobloc_error *err)
{
    int failed = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(| : failed)
    for (int64_t c = first; c < last; c++) {
        int64_t end = (c + 1) * CHUNK_ROWS < p->truth->rows ? (c + 1) * CHUNK_ROWS : p->truth->rows;
        for (int64_t i = c * CHUNK_ROWS; i < end && !failed; i++) {
            lengths[i + 1] = draw_row(p, i, &rows[cob_thread()], &chunks[c]);
            failed |= lengths[i + 1] < 0;
        }
    }
    return failed ? cob_fail_memory(err, CHUNK_ROWS, sizeof(uint64_t)) : COBLOC_OK;
}

/* Moves the entries of a chunk of rows into a lane of a builder, which keeps them in files. */
static cobloc_status hand_over_chunk(chunk *from, int64_t first, int64_t last,
                                     const int64_t *lengths, cob_lane *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t e = 0;
    for (int64_t i = first; i < last; i++)
        for (int64_t n = 0; n < lengths[i + 1]; n++, e++)
            COB_TRY(
                cob_lane_add_count(to, i, from->cols[e], from->counts ? from->counts[e] : 1, err));
done:
    free_chunk(from);
    return status;
}

static cobloc_status hand_over(chunk *chunks, int64_t first, int64_t last, const int64_t *lengths,
                               int64_t rows, cob_builder *to, cobloc_error *err)
{
    cob_failures failed = COB_NO_FAILURE;
#pragma omp parallel for schedule(dynamic) num_threads(to->lane_count)
    for (int64_t c = first; c < last; c++) {
        cobloc_error own;
        int64_t end = (c + 1) * CHUNK_ROWS < rows ? (c + 1) * CHUNK_ROWS : rows;
        cobloc_status status = hand_over_chunk(&chunks[c], c * CHUNK_ROWS, end, lengths,
                                               &to->lanes[cob_thread()], &own);
        cob_failures_note(&failed, c, status, &own);
    }
    return cob_failures_end(&failed, err);
}

/* `to`, if it has lanes, takes the entries of the chunks. */
static cobloc_status draw_all(const plan *p, int64_t chunk_count, chunk *chunks, int64_t *lengths,
                              int threads, cob_builder *to, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_progress *progress = &p->simulation->progress;
    drawn_row *rows = NULL;
    COB_NEW_ZERO(rows, threads);
    int64_t step = (int64_t)CHUNKS_PER_REPORT * threads;
    for (int64_t first = 0; first < chunk_count; first += step) {
        int64_t last = first + step < chunk_count ? first + step : chunk_count;
        COB_CHECK(!progress->report || progress->report(progress->user, "drawing",
                                                        (double)first / (double)chunk_count) == 0,
                  COBLOC_CANCELLED, "the simulation was cancelled");
        COB_TRY(draw_chunks(p, first, last, rows, chunks, lengths, threads, err));
        if (to->lanes)
            COB_TRY(hand_over(chunks, first, last, lengths, p->truth->rows, to, err));
    }
done:
    for (int r = 0; rows && r < threads; r++) {
        cob_free(rows[r].entries);
        cob_free(rows[r].spare);
    }
    cob_free(rows);
    return status;
}

/* Moves the chunks into one side of a matrix, whose offsets are known, and frees them. */
static void gather(chunk *chunks, int64_t chunk_count, cobloc_value_kind kind, cob_side *side,
                   int threads)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t c = 0; c < chunk_count; c++) {
        int64_t first = side->offsets[c * CHUNK_ROWS];
        if (chunks[c].used > 0)
            memcpy(side->indices + first, chunks[c].cols, chunks[c].used * sizeof *chunks[c].cols);
        for (size_t e = 0; e < chunks[c].used && kind != COBLOC_ONES; e++)
            cob_value_set(kind, side->values, first + (int64_t)e, chunks[c].counts[e]);
        free_chunk(&chunks[c]);
    }
}

static cobloc_status draw_matrix(const plan *p, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_truth *t = p->truth;
    int threads = cob_threads(p->simulation->threads);
    int64_t chunk_count = (t->rows + CHUNK_ROWS - 1) / CHUNK_ROWS;
    chunk *chunks = NULL;
    int64_t *offsets = NULL;
    cob_side side = {0};
    cob_tally tally = {0};
    cob_builder builder = {0};
    int sorted;
    if (cob_budget_now() > 0)
        COB_TRY(cob_builder_init(&builder, t->rows, t->cols, 0, threads, COBLOC_MISSING_AUTO, err));
    COB_NEW_ZERO(chunks, chunk_count);
    COB_NEW_ZERO(offsets, t->rows + 1);
    COB_TRY(draw_all(p, chunk_count, chunks, offsets, threads, &builder, err));
    for (int64_t i = 0; i < t->rows; i++)
        offsets[i + 1] += offsets[i];
    for (int64_t c = 0; c < chunk_count; c++)
        tally.count_bits |= chunks[c].count_bits;
    cobloc_value_kind kind = cob_tally_kind(&tally);
    COB_TRY(cob_side_alloc(&side, t->rows, offsets[t->rows], kind, err));
    if (builder.lanes) {
        COB_TRY(cob_builder_place(&builder, t->rows, kind, &side, &sorted, err));
        cob_builder_free(&builder);
    } else {
        memcpy(side.offsets, offsets, (size_t)(t->rows + 1) * sizeof *offsets);
        gather(chunks, chunk_count, kind, &side, threads);
    }
    COB_TRY(cob_matrix_own(t->rows, t->cols, kind, &side, threads, out, err));
done:
    for (int64_t c = 0; chunks && c < chunk_count; c++)
        free_chunk(&chunks[c]);
    cob_free(chunks);
    cob_free(offsets);
    cob_builder_free(&builder);
    cob_side_free(&side);
    return status;
}

cobloc_status cob_entries_draw(const cobloc_simulation *simulation, const cobloc_truth *truth,
                               cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    plan p = {.simulation = simulation, .truth = truth};
    COB_TRY(sort_columns(&p, err));
    if (truth->law == COBLOC_POISSON)
        COB_TRY(make_choices(&p, err));
    COB_TRY(check_size(&p, err));
    COB_TRY(draw_matrix(&p, out, err));
done:
    free_plan(&p);
    return status;
}
