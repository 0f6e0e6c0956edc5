/* How similar the rows of a bloc are to each other and to all others, and whether it is found again
 * in samples of the rows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "describe/describe.h"

#include "base/alloc.h"
#include "base/random.h"
#include "matrix/directions.h"
#include "matrix/transpose.h"

#include <math.h>

/* ---- similarity ------------------------------------------------------------------------------ */

/* With the sum of unit rows s_k of each bloc and that of all, S: rows of a bloc have together
 * |s_k|^2 of similarity, n_k of it with themselves, and s_k (S - s_k) with the others. */
static void add_column(double *sums, int k, double *inside, double *outside)
{
    double all = 0;
    for (int c = 0; c < k; c++)
        all += sums[c];
    for (int c = 0; c < k; c++) {
        inside[c] += sums[c] * sums[c];
        outside[c] += sums[c] * (all - sums[c]);
        sums[c] = 0;
    }
}

/* What columns `first` to `last` - 1 add: `room` holds k sums, and k of each result. */
static void add_columns(const cobloc_result *r, const cob_weighed *cols, int64_t first,
                        int64_t last, double *room)
{
    double *sums = room, *inside = room + r->k, *outside = inside + r->k;
    for (int64_t j = first; j < last; j++) {
        for (int64_t e = cols->view.offsets[j]; e < cols->view.offsets[j + 1]; e++)
            if (r->row_labels[cols->view.indices[e]] >= 0)
                sums[r->row_labels[cols->view.indices[e]]] += cob_weighed_value(cols, j, e);
        add_column(sums, r->k, inside, outside);
    }
}

/* The columns are taken in a fixed number of chunks, which are added in their order. */
cobloc_status cob_find_similarity(cob_describing *d, cobloc_error *err)
{
    enum { CHUNKS = 64 };
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = d->r;
    cob_directions directions = {0};
    double *room = NULL, rows = 0;
    COB_NEW_ZERO(room, 3 * CHUNKS * (size_t)r->k);
    COB_TRY(cob_directions_make(&directions, d->matrix, NULL, err));
    cob_weighed cols = cob_directions_by_cols(&directions);
    const int64_t *offsets = cols.view.offsets, major = cols.view.major;
#pragma omp parallel for schedule(dynamic) num_threads(d->threads)
    for (int c = 0; c < CHUNKS; c++)
        add_columns(r, &cols, cob_chunk_begin(offsets, major, c, CHUNKS),
                    cob_chunk_begin(offsets, major, c + 1, CHUNKS), room + 3 * (int64_t)c * r->k);
    double *inside = room + r->k, *outside = inside + r->k;
    for (int64_t at = 3 * r->k; at < 3 * CHUNKS * (int64_t)r->k; at += 3 * r->k)
        for (int k = 0; k < r->k; k++) {
            inside[k] += inside[at + k];
            outside[k] += outside[at + k];
        }
    for (int k = 0; k < r->k; k++)
        rows += (double)r->row_sizes[k];
    for (int k = 0; k < r->k; k++) {
        double own = (double)r->row_sizes[k], others = rows - own;
        d->out->blocs[k].isim = own > 1 ? (inside[k] - own) / (own * (own - 1)) : NAN;
        d->out->blocs[k].esim = own > 0 && others > 0 ? outside[k] / (own * others) : NAN;
    }
done:
    cob_directions_free(&directions);
    cob_free(room);
    return status;
}

/* ---- stability ------------------------------------------------------------------------------- */

enum { PURPOSE_SAMPLE = 70 };
static const double SHARE = 0.8;

/* The Jaccard similarity of each bloc with the most similar cluster of another fit, over the rows
 * of both, is added to found[k]. */
static cobloc_status compare(const cobloc_result *r, const int32_t *map, const cobloc_result *other,
                             double *found, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t *both = NULL, *own = NULL, *its = NULL;
    COB_NEW_ZERO(both, (size_t)r->k * (size_t)other->k);
    COB_NEW_ZERO(own, r->k);
    COB_NEW_ZERO(its, other->k);
    for (int64_t i = 0; i < r->n; i++) {
        int32_t a = r->row_labels[i], b = map[i] < 0 ? -1 : other->row_labels[map[i]];
        if (a < 0 || b < 0)
            continue;
        both[(int64_t)a * other->k + b]++;
        own[a]++;
        its[b]++;
    }
    for (int a = 0; a < r->k; a++) {
        double best = 0;
        for (int b = 0; b < other->k; b++) {
            double shared = (double)both[(int64_t)a * other->k + b];
            best = fmax(best, shared / fmax(1, (double)(own[a] + its[b]) - shared));
        }
        found[a] += best;
    }
done:
    cob_free(both);
    cob_free(own);
    cob_free(its);
    return status;
}

/* Which rows a sample has: map[i] is their number in it, -1 for the others. */
static void draw(uint64_t seed, int sample, int64_t n, int32_t *map)
{
    cob_stream stream = cob_stream_at(seed, (uint32_t)sample, 0, PURPOSE_SAMPLE);
    int32_t next = 0;
    for (int64_t i = 0; i < n; i++)
        map[i] = cob_random_uniform(&stream, (uint64_t)i) < SHARE ? next++ : -1;
}

/* Fits a sample as the result was fitted. A sample that has too few different rows says nothing:
 * then *fitted stays as it is. */
static cobloc_status fit_sample(const cob_describing *d, int sample, int32_t *map, double *found,
                                int *fitted, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = d->r;
    cobloc_matrix *part = NULL;
    cobloc_result *other = NULL;
    cobloc_fit_options *o = NULL;
    draw(r->seed, sample, r->n, map);
    COB_TRY(cob_matrix_pick(d->matrix, map, NULL, 0, &part, err));
    COB_TRY(cobloc_fit_options_new(&o, err));
    o->model = r->model;
    o->k = r->k;
    o->l = cobloc_model_is_diagonal(cobloc_model_find(r->model)) ? 0 : r->l;
    o->weight = r->weight;
    o->inference = r->inference;
    o->restarts = 2;
    o->seed = r->seed + (uint64_t)sample + 1;
    status = cobloc_fit(part, o, &other, err);
    if (status == COBLOC_BAD_DATA || status == COBLOC_BAD_ARGUMENT) {
        status = COBLOC_OK;
        goto done;
    }
    COB_TRY(status);
    COB_TRY(compare(r, map, other, found, err));
    (*fitted)++;
done:
    if (o)
        o->model = NULL;
    cobloc_fit_options_free(o);
    cobloc_result_free(other);
    cobloc_matrix_free(part);
    return status;
}

cobloc_status cob_find_stability(cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cobloc_result *r = d->r;
    int32_t *map = NULL;
    double *found = NULL;
    int fitted = 0;
    COB_NEW(map, r->n);
    COB_NEW_ZERO(found, r->k);
    for (int sample = 0; sample < d->o->samples; sample++)
        COB_TRY(fit_sample(d, sample, map, found, &fitted, err));
    for (int k = 0; k < r->k; k++)
        d->out->blocs[k].stability = fitted > 0 ? found[k] / fitted : NAN;
done:
    cob_free(map);
    cob_free(found);
    return status;
}
