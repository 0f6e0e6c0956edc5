/* Rounds of k-means over lines that are weighed: centres by labels, then labels by centres.
 *
 * Centres are kept as floats, since starts need no more and the table is large; a line is
 * multiplied with all of them at once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "matrix/directions.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vectors.h"

#include <math.h>
#include <string.h>

/* Numbers that a register of the widest processor holds; as many of these as stay in registers; and
 * how many entries ahead centres are asked for, which come from all over the place. */
enum { WIDTH = 16, MOST = 4, AHEAD = 12 };

typedef struct centres {
    int k, stride; /* padded to whole registers */
    float *sums;   /* of the lines of each cluster, indices by stride; times `other` once more */
    double *scales, *offsets; /* k: a line is worth product * scale + offset to a centre */
    double *room;             /* threads by k */
    float *products;          /* threads by stride */
} centres;

static void centres_free(centres *c)
{
    cob_free(c->sums);
    cob_free(c->scales);
    cob_free(c->offsets);
    cob_free(c->room);
    cob_free(c->products);
}

static cobloc_status centres_alloc(centres *c, int64_t minor, int k, int threads, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    *c = (centres){.k = k, .stride = (k + WIDTH - 1) / WIDTH * WIDTH};
    COB_NEW(c->sums, (size_t)minor * (size_t)c->stride);
    COB_NEW(c->scales, k);
    COB_NEW(c->offsets, k);
    COB_NEW(c->room, (size_t)threads * (size_t)k);
    COB_NEW(c->products, (size_t)threads * (size_t)c->stride);
done:
    return status;
}

/* ---- centres by labels ----------------------------------------------------------------------- */

static void sum_index(const cob_weighed *lines, int64_t index, const int32_t *labels,
                      const centres *c, double *restrict room, float *restrict sums)
{
    const cobloc_view *turned = &lines->turned;
    double other = lines->other ? lines->other[index] : 1;
    memset(room, 0, (size_t)c->k * sizeof *room);
    for (int64_t e = turned->offsets[index]; e < turned->offsets[index + 1]; e++) {
        int64_t line = turned->indices[e];
        if (labels[line] >= 0)
            room[labels[line]] += cob_value_get(turned->kind, turned->values, e) *
                                  (lines->own ? lines->own[line] : 1);
    }
    for (int l = 0; l < c->stride; l++)
        sums[l] = l < c->k ? (float)(room[l] * other * other) : 0;
}

/* A centre is the mean of its lines or, on a sphere, has unit length. */
static void scale_centres(const cob_weighed *lines, const int32_t *labels, bool spherical,
                          centres *c)
{
    double *squares = c->offsets, *sizes = c->scales;
    memset(squares, 0, (size_t)c->k * sizeof *squares);
    memset(sizes, 0, (size_t)c->k * sizeof *sizes);
    for (int64_t j = 0; j < lines->view.minor; j++) {
        double other = lines->other ? lines->other[j] : 1;
        for (int l = 0; l < c->k; l++) {
            double sum = (double)c->sums[j * c->stride + l] / other;
            squares[l] += sum * sum;
        }
    }
    for (int64_t i = 0; i < lines->view.major; i++)
        if (labels[i] >= 0)
            sizes[labels[i]]++;
    for (int l = 0; l < c->k; l++) {
        double size = spherical ? sqrt(squares[l]) : sizes[l];
        c->scales[l] = size > 0 ? 1 / size : 0;
        c->offsets[l] = spherical ? 0 : -squares[l] * c->scales[l] * c->scales[l] / 2;
    }
}

/* ---- labels by centres ----------------------------------------------------------------------- */

COB_INLINE void add_entries(const cob_weighed *lines, int64_t line, const float *sums, int stride,
                            int width, float *restrict products)
{
    const cobloc_view *view = &lines->view;
    double own = lines->own ? lines->own[line] : 1;
    int64_t most = view->nnz - AHEAD;
    float added[WIDTH * MOST] = {0};
    for (int64_t e = view->offsets[line]; e < view->offsets[line + 1]; e++) {
        float value = (float)(cob_value_get(view->kind, view->values, e) * own);
        const float *row = sums + (int64_t)view->indices[e] * stride;
        const float *next = sums + (int64_t)view->indices[e < most ? e + AHEAD : e] * stride;
        for (int c = 0; c < width; c += WIDTH)
            COB_PREFETCH(next + c);
        for (int c = 0; c < width; c++)
            added[c] += value * row[c];
    }
    memcpy(products, added, (size_t)width * sizeof *added);
}

/* products (stride) of a line with the sums of all clusters. */
COB_CLONES
static void multiply_line(const cob_weighed *lines, int64_t line, const float *sums, int stride,
                          float *products)
{
    for (int c = 0; c < stride; c += WIDTH * MOST)
        switch ((stride - c) / WIDTH) {
        case 1:
            add_entries(lines, line, sums + c, stride, WIDTH, products + c);
            break;
        case 2:
            add_entries(lines, line, sums + c, stride, 2 * WIDTH, products + c);
            break;
        case 3:
            add_entries(lines, line, sums + c, stride, 3 * WIDTH, products + c);
            break;
        default:
            add_entries(lines, line, sums + c, stride, MOST * WIDTH, products + c);
        }
}

static int32_t best_of(const centres *c, const float *products)
{
    int32_t best = 0;
    double most = -INFINITY;
    for (int l = 0; l < c->k; l++) {
        double worth = (double)products[l] * c->scales[l] + c->offsets[l];
        if (worth > most) {
            most = worth;
            best = l;
        }
    }
    return best;
}

static void one_round(const cob_weighed *lines, bool spherical, int threads, centres *c,
                      int32_t *labels)
{
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (int64_t j = 0; j < lines->view.minor; j++)
        sum_index(lines, j, labels, c, c->room + (int64_t)cob_thread() * c->k,
                  c->sums + j * c->stride);
    scale_centres(lines, labels, spherical, c);
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (int64_t i = 0; i < lines->view.major; i++) {
        float *products = c->products + (int64_t)cob_thread() * c->stride;
        multiply_line(lines, i, c->sums, c->stride, products);
        labels[i] = best_of(c, products);
    }
}

cobloc_status cob_nearest(const cob_weighed *lines, int k, bool spherical, int rounds, int threads,
                          int32_t *labels, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    centres c = {0};
    threads = cob_threads(threads);
    COB_TRY(centres_alloc(&c, lines->view.minor, k, threads, err));
    for (int round = 0; round < rounds; round++)
        one_round(lines, spherical, threads, &c, labels);
done:
    centres_free(&c);
    return status;
}
