/* The blocks of a result, and which clusters go together.
 * SPDX-License-Identifier: MIT
 */
#include "describe/describe.h"

#include "base/alloc.h"
#include "matrix/transpose.h"
#include "models/common.h"

#include <stdlib.h>

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_rows(const cobloc_result *r, const cobloc_view *rows, int64_t first, int64_t last,
                     double *sums, double *counts)
{
    int64_t left = rows->offsets[first];
    for (int64_t i = first; i < last; i++) {
        int32_t k = r->row_labels[i];
        for (int64_t e = rows->offsets[i]; k >= 0 && e < rows->offsets[i + 1]; e++) {
            int32_t l = r->col_labels[rows->indices[e]];
            if (l >= 0) {
                sums[(int64_t)k * r->l + l] += cob_value_get(rows->kind, rows->values, e);
                counts[(int64_t)k * r->l + l] += 1;
            }
        }
        left = cob_leave_behind(rows, left, rows->offsets[i + 1], i + 1 == last);
    }
}

/* The rows are taken in a fixed number of chunks, whose tables are added in their order: no sum
 * depends on the number of threads. */
static cobloc_status add_entries(cob_describing *d, cobloc_error *err)
{
    enum { CHUNKS = 64, MOST_CELLS = 1 << 21 };
    cobloc_status status = COBLOC_OK;
    cobloc_view rows = cobloc_matrix_by_rows(d->matrix);
    int64_t blocks = (int64_t)d->r->k * d->r->l;
    int chunks = blocks <= MOST_CELLS / CHUNKS ? CHUNKS : 1;
    double *tables = NULL;
    COB_NEW_ZERO(tables, 2 * chunks * blocks);
#pragma omp parallel for schedule(dynamic) num_threads(d->threads)
    for (int c = 0; c < chunks; c++)
        add_rows(d->r, &rows, cob_chunk_begin(rows.offsets, rows.major, c, chunks),
                 cob_chunk_begin(rows.offsets, rows.major, c + 1, chunks), tables + 2 * c * blocks,
                 tables + (2 * c + 1) * blocks);
    for (int c = 0; c < chunks; c++)
        for (int64_t b = 0; b < blocks; b++) {
            d->sums[b] += tables[2 * c * blocks + b];
            d->counts[b] += tables[(2 * c + 1) * blocks + b];
        }
done:
    cob_free(tables);
    return status;
}

/* How many cells each block has that are not missing. */
static void count_cells(const cobloc_result *r, const cobloc_matrix *missing, double *cells)
{
    for (int64_t b = 0; b < (int64_t)r->k * r->l; b++)
        cells[b] = (double)r->row_sizes[b / r->l] * (double)r->col_sizes[b % r->l];
    cobloc_view gaps = missing ? cobloc_matrix_by_rows(missing) : (cobloc_view){.major = 0};
    for (int64_t i = 0; i < gaps.major; i++)
        for (int64_t e = gaps.offsets[i]; e < gaps.offsets[i + 1]; e++) {
            int32_t k = r->row_labels[i], l = r->col_labels[gaps.indices[e]];
            if (k >= 0 && l >= 0)
                cells[(int64_t)k * r->l + l]--;
        }
}

cobloc_status cob_measure_blocks(cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = d->r;
    int64_t blocks = (int64_t)r->k * r->l;
    double total = 0, all = 0, *cells = NULL;
    COB_NEW(cells, blocks);
    COB_NEW(d->out->means, blocks);
    count_cells(r, d->matrix->missing, cells);
    COB_NEW_ZERO(d->sums, blocks);
    COB_NEW_ZERO(d->counts, blocks);
    COB_NEW_ZERO(d->row_sums, r->k);
    COB_NEW_ZERO(d->col_sums, r->l);
    COB_NEW(d->out->lifts, blocks);
    COB_NEW(d->out->densities, blocks);
    COB_TRY(add_entries(d, err));
    for (int64_t b = 0; b < blocks; b++) {
        d->row_sums[b / r->l] += d->sums[b];
        d->col_sums[b % r->l] += d->sums[b];
        total += d->sums[b];
        all += cells[b];
        d->out->means[b] = cob_ratio(d->sums[b], cells[b]);
    }
    d->mean = cob_ratio(total, all);
    for (int64_t b = 0; b < blocks; b++) {
        int k = (int)(b / r->l), l = (int)(b % r->l);
        d->out->lifts[b] = d->matrix->negative
                               ? (double)NAN /* sums that cancel have no shares */
                               : cob_ratio(d->sums[b] * total, d->row_sums[k] * d->col_sums[l]);
        d->out->densities[b] =
            cob_ratio(d->counts[b], (double)r->row_sizes[k] * (double)r->col_sizes[l]);
    }
done:
    cob_free(cells);
    return status;
}

/* ---- partners -------------------------------------------------------------------------------- */

/* How far the mean of a block is above that of all cells: where sums may cancel, this stands for
 * the lift. */
static double excess_of(const cob_describing *d, int64_t block)
{
    return d->out->means[block] - d->mean;
}

/* Whether row cluster k and column cluster l go together: as the model defines, otherwise if the
 * block holds more than its margins predict. */
static bool go_together(const cob_describing *d, const cob_algorithm *a, int k, int l, bool of_rows)
{
    int64_t block = (int64_t)k * d->r->l + l;
    if (a->structure->together)
        return a->structure->together(d->r->k, k, l, of_rows ? COB_ROWS : COB_COLS);
    return d->matrix->negative ? excess_of(d, block) > 0 : d->out->lifts[block] > 1;
}

typedef struct candidate {
    cobloc_partner partner;
    double strength; /* contribution of the block to the mutual information, or its excess */
} candidate;

static int stronger(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->strength != y->strength)
        return x->strength > y->strength ? -1 : 1;
    return x->partner.cluster - y->partner.cluster;
}

/* The clusters of the other side that go with cluster `own`; if there are none, the strongest. */
static cobloc_status find_partners(const cob_describing *d, const cob_algorithm *a, int own,
                                   bool of_rows, cobloc_bloc *bloc, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int others = of_rows ? d->r->l : d->r->k, together = 0;
    candidate *list = NULL;
    COB_NEW(list, others);
    for (int other = 0; other < others; other++) {
        int k = of_rows ? own : other, l = of_rows ? other : own;
        int64_t block = (int64_t)k * d->r->l + l;
        double lift = d->out->lifts[block];
        candidate one = {{other, lift},
                         d->matrix->negative ? excess_of(d, block)
                                             : cob_xlog(d->sums[block], lift)};
        if (go_together(d, a, k, l, of_rows)) {
            list[other] = list[together];
            list[together++] = one;
        } else {
            list[other] = one;
        }
    }
    qsort(list, (size_t)(together > 0 ? together : others), sizeof *list, stronger);
    bloc->partner_count = together > 0 ? together : 1;
    COB_NEW(bloc->partners, bloc->partner_count);
    for (int i = 0; i < bloc->partner_count; i++)
        bloc->partners[i] = list[i].partner;
done:
    cob_free(list);
    return status;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The clusters of both sides, and their sums. */
static cobloc_status fill_group(const cob_describing *d, int own, bool of_rows, cob_group *g,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_bloc *b = g->bloc;
    double entries = 0;
    g->row_count = of_rows ? 1 : b->partner_count;
    g->col_count = of_rows ? b->partner_count : 1;
    COB_NEW(g->row_clusters, g->row_count);
    COB_NEW(g->col_clusters, g->col_count);
    for (int i = 0; i < g->row_count; i++)
        g->row_clusters[i] = of_rows ? own : b->partners[i].cluster;
    for (int i = 0; i < g->col_count; i++)
        g->col_clusters[i] = of_rows ? b->partners[i].cluster : own;
    for (int i = 0; i < g->row_count; i++) {
        b->rows += d->r->row_sizes[g->row_clusters[i]];
        g->row_sum += d->row_sums[g->row_clusters[i]];
        for (int j = 0; j < g->col_count; j++) {
            int64_t block = (int64_t)g->row_clusters[i] * d->r->l + g->col_clusters[j];
            b->sum += d->sums[block];
            entries += d->counts[block];
        }
    }
    for (int j = 0; j < g->col_count; j++)
        b->cols += d->r->col_sizes[g->col_clusters[j]];
    for (int k = 0; k < d->r->k; k++)
        g->outside_sum += d->row_sums[k];
    g->outside_sum -= g->row_sum;
    b->density = cob_ratio(entries, (double)b->rows * (double)b->cols);
done:
    return status;
}

cobloc_status cob_make_groups(cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_algorithm a;
    COB_TRY(cob_algorithm_find(d->r->model, &a, err));
    d->out->diagonal = a.structure->paired;
    COB_NEW_ZERO(d->out->blocs, d->r->k);
    if (!a.structure->paired)
        COB_NEW_ZERO(d->out->topics, d->r->l);
    COB_NEW_ZERO(d->groups, d->r->k + (a.structure->paired ? 0 : d->r->l));
    d->group_count = d->r->k + (a.structure->paired ? 0 : d->r->l);
    for (int g = 0; g < d->group_count; g++) {
        bool of_rows = g < d->r->k;
        int own = of_rows ? g : g - d->r->k;
        cobloc_bloc *bloc = of_rows ? &d->out->blocs[own] : &d->out->topics[own];
        d->groups[g].bloc = bloc;
        bloc->section = !of_rows && d->r->col_names ? d->r->col_names[own] : NULL;
        COB_TRY(find_partners(d, &a, own, of_rows, bloc, err));
        COB_TRY(fill_group(d, own, of_rows, &d->groups[g], err));
    }
done:
    return status;
}
