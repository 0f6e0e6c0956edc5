/* Sparse k-means++ and Lloyd's algorithm with bounds.
 * SPDX-License-Identifier: MIT
 */
#include "engine/means.h"

#include "base/alloc.h"
#include "base/empty.h"
#include "base/parallel.h"
#include "base/vectors.h"
#include "matrix/values.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* So many products of a line cost about as much as one; and all of them as much as those with one
 * centre in so many. */
enum { AT_ONCE = 4, ALL_AT_ONCE = 8 };

/* Room for k numbers, one desk a thread; SPARE, so that threads share no cache line (and for one
 * more centre). */
enum { SPARE = 16 };
/* Columns that are added side by side, since one has too few numbers. */
enum { LANES = 8 };

typedef struct desk {
    int *near;
    double *products;
} desk;

static inline double value_of(const cobloc_view *view, int64_t e)
{
    return cob_value_get(view->kind, view->values, e);
}

/* ---- room ------------------------------------------------------------------------------------ */

cobloc_status cob_means_alloc(cob_means *m, const cobloc_view *view, const cobloc_view *turned,
                              int k, bool spherical, int threads, int32_t *labels,
                              cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t n = (size_t)view->major, cells = (size_t)view->minor * (size_t)k;
    cob_weighed lines = {.view = *view, .turned = *turned};
    *m = (cob_means){.view = view,
                     .turned = turned,
                     .k = k,
                     .spherical = spherical,
                     .threads = cob_threads(threads),
                     .labels = labels,
                     .total = cob_sum_over_values(view, cob_square, cob_threads(threads), NULL)};
    COB_NEW_ZERO(m->centres, cells);
    COB_NEW(m->sums, cells);
    COB_NEW(m->summed, n);
    COB_NEW(m->squares, k);
    COB_NEW(m->drift, k);
    COB_NEW_ZERO(m->gone, k);
    COB_NEW(m->lengths, n);
    COB_NEW(m->upper, n);
    COB_NEW_ZERO(m->lower, n * (size_t)k);
    COB_NEW(m->products_of, (size_t)m->threads * ((size_t)k + SPARE));
    COB_NEW(m->lanes, 2 * LANES * (size_t)k);
    COB_NEW(m->near, (size_t)m->threads * ((size_t)k + SPARE));
    for (size_t i = 0; i < n; i++) {
        m->upper[i] = INFINITY;
        m->summed[i] = -1;
    }
    cob_line_lengths(&lines, m->lengths);
done:
    return status;
}

void cob_means_free(cob_means *m)
{
    void *const arrays[] = {m->centres, m->sums,  m->summed, m->squares,     m->drift, m->gone,
                            m->lengths, m->upper, m->lower,  m->products_of, m->near,  m->lanes};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        cob_free(arrays[i]);
    *m = (cob_means){0};
}

/* ---- centres --------------------------------------------------------------------------------- */

/* Lines that move take their entries with them; all are summed anew where that is less work, which
 * may run on several threads. */
enum { SUMMED_ANEW = 4 };

static void sum_clusters(cob_means *m)
{
    const cobloc_view *view = m->view;
    int64_t moved = 0;
    for (int64_t i = 0; i < view->major; i++)
        if (m->summed[i] != m->labels[i])
            moved += view->offsets[i + 1] - view->offsets[i];
    if (moved >= view->nnz / SUMMED_ANEW)
        cob_reduce(m->turned, m->labels, m->k, m->threads, m->sums);
    for (int64_t i = 0; i < view->major && moved < view->nnz / SUMMED_ANEW; i++)
        for (int64_t e = view->offsets[i]; m->summed[i] != m->labels[i] && e < view->offsets[i + 1];
             e++) {
            double *sums = m->sums + (int64_t)view->indices[e] * m->k;
            double value = value_of(view, e);
            sums[m->summed[i]] -= value;
            sums[m->labels[i]] += value;
        }
    memcpy(m->summed, m->labels, (size_t)view->major * sizeof *m->labels);
}

/* lanes (LANES by k) becomes sums (k). */
static void fold(const double *lanes, int k, double *sums)
{
    memset(sums, 0, (size_t)k * sizeof *sums);
    for (int64_t i = 0; i < (int64_t)LANES * k; i++)
        sums[i % k] += lanes[i];
}

/* lanes += squares of the numbers, by their place in `width` of them. */
COB_CLONES
static void add_squares(const double *restrict numbers, int64_t count, int64_t width,
                        double *restrict lanes)
{
    for (int64_t first = 0; first < count; first += width) {
        int64_t some = count - first < width ? count - first : width;
        for (int64_t i = 0; i < some; i++)
            lanes[i] += numbers[first + i] * numbers[first + i];
    }
}

/* Centres go to the sums times the scales; lanes += squares of how far each number goes. */
COB_CLONES
static void move_centres(const double *restrict sums, const double *restrict scales, int64_t count,
                         int64_t width, double *restrict centres, double *restrict lanes)
{
    for (int64_t first = 0; first < count; first += width) {
        int64_t some = count - first < width ? count - first : width;
        for (int64_t i = 0; i < some; i++) {
            double now = sums[first + i] * scales[i], step = now - centres[first + i];
            centres[first + i] = now;
            lanes[i] += step * step;
        }
    }
}

/* One over what turns the sums of clusters into centres: their sizes, or the sums' lengths. Also
 * the value of the labels. */
static void measure_scales(cob_means *m, double *scales)
{
    int k = m->k;
    memset(scales, 0, (size_t)k * sizeof *scales);
    memset(m->lanes, 0, LANES * (size_t)k * sizeof *m->lanes);
    add_squares(m->sums, m->turned->major * k, (int64_t)LANES * k, m->lanes);
    fold(m->lanes, k, m->squares);
    for (int64_t i = 0; i < m->view->major && !m->spherical; i++)
        scales[m->labels[i]] += 1;
    m->value = m->spherical ? 0 : m->total;
    for (int c = 0; c < k; c++) {
        if (m->spherical)
            m->value += scales[c] = sqrt(m->squares[c]);
        else if (scales[c] > 0)
            m->value -= m->squares[c] / scales[c];
        scales[c] = scales[c] > 0 ? 1 / scales[c] : 0;
        m->squares[c] *= scales[c] * scales[c];
    }
    if (!m->spherical && m->value < 0)
        m->value = 0; /* rounding */
}

void cob_means_centre(cob_means *m)
{
    int k = m->k;
    int64_t width = (int64_t)LANES * k;
    double *scales = m->lanes + width;
    sum_clusters(m);
    measure_scales(m, scales);
    for (int64_t i = k; i < width; i++)
        scales[i] = scales[i - k];
    memset(m->lanes, 0, (size_t)width * sizeof *m->lanes);
    move_centres(m->sums, scales, m->turned->major * k, width, m->centres, m->lanes);
    fold(m->lanes, k, m->drift);
    for (int c = 0; c < k; c++) {
        m->drift[c] = sqrt(m->drift[c]);
        m->gone[c] += m->drift[c];
    }
}

/* ---- assignment ------------------------------------------------------------------------------ */

/* What a line is measured by. */
typedef struct ruler {
    double square; /* of the line's length */
    double scale;  /* of its products with centres */
    double slack;  /* two distances that are nearer to each other may be so by rounding */
} ruler;

static ruler ruler_of(const cob_means *m, int64_t i, double longest)
{
    double length = m->lengths[i];
    ruler r = {length * length, 1, 0};
    if (m->spherical) {
        r = (ruler){length > 0 ? 1 : 0, length > 0 ? 1 / length : 0, 0};
        length = r.square;
    }
    /* Squared distances are right to about 1e-11 of the squares they are made of. */
    r.slack = 1e-5 * (length + longest);
    return r;
}

static double distance(const cob_means *m, const ruler *r, int c, double product)
{
    double squared = r->square + m->squares[c] - 2 * r->scale * product;
    return squared > 0 ? sqrt(squared) : 0;
}

/* The line's own centre, and all others that can be as near when it is `reach` away; returns how
 * many these are. */
static int list_near(const cob_means *m, int64_t i, double reach, int *restrict near)
{
    const float *lower = m->lower + i * m->k;
    const double *gone = m->gone;
    int count = 1, own = m->labels[i], k = m->k;
    near[0] = own;
    for (int c = 0; c < k; c++) {
        near[count] = c;
        count += (double)lower[c] < reach + gone[c] && c != own;
    }
    return count;
}

/* What a centre is worth to a line, up to a number of the line's: the larger the nearer. */
static double worth(const cob_means *m, int c, double product)
{
    return m->spherical ? product : product - m->squares[c] / 2;
}

/* What is kept as a float is not more than it was. */
static float rounded_down(double away)
{
    double less = away * (1 - 1e-7);
    return (float)(less < FLT_MIN ? 0 : less > FLT_MAX ? FLT_MAX : less);
}

/* The best so far, and the product that makes it so. */
typedef struct choice {
    int32_t centre;
    double product;
} choice;

/* Takes notice of how far all centres are. */
COB_CLONES
static void note_distances(const double *restrict products, const double *restrict squares,
                           const double *restrict gone, double square, double scale, int k,
                           float *restrict lower)
{
    for (int c = 0; c < k; c++) {
        double squared = square + squares[c] - 2 * scale * products[c];
        double away = sqrt(squared > 0 ? squared : 0) + gone[c];
        lower[c] = rounded_down(away);
    }
}

/* The nearest of some centres, all if `count` says so, the first of them the own; of equally near
 * ones the own, else the first. */
static choice nearest_of(cob_means *m, int64_t i, const ruler *r, const int *which, int count,
                         double *products)
{
    float *lower = m->lower + i * m->k;
    choice best = {m->labels[i], 0};
    bool all = count == m->k;
    if (all) {
        cob_line_times(m->view, i, m->centres, m->k, products);
        note_distances(products, m->squares, m->gone, r->square, r->scale, m->k, lower);
    } else {
        cob_line_times_some(m->view, i, m->centres, m->k, which, count, products);
        for (int c = 0; c < count; c++)
            lower[which[c]] =
                rounded_down(distance(m, r, which[c], products[c]) + m->gone[which[c]]);
    }
    best.product = products[all ? best.centre : 0];
    double most = worth(m, best.centre, best.product);
    for (int c = 0; c < count; c++) {
        int centre = all ? c : which[c];
        double here = worth(m, centre, products[c]);
        if (here > most) {
            best = (choice){centre, products[c]};
            most = here;
        }
    }
    return best;
}

/* The label of a line after the centres went. */
static int32_t label_of(cob_means *m, int64_t i, double longest, const desk *d, int64_t *products)
{
    ruler r = ruler_of(m, i, longest);
    int count = m->k;
    m->upper[i] += m->drift[m->labels[i]];
    if (!m->unbounded && isfinite(m->upper[i])) {
        count = list_near(m, i, m->upper[i] + r.slack, d->near);
        /* How far is the own centre really? Where centres are few, all cost no more to ask. */
        if (count > AT_ONCE && m->k > AT_ONCE * ALL_AT_ONCE) {
            cob_line_times_some(m->view, i, m->centres, m->k, d->near, 1, d->products);
            m->upper[i] = distance(m, &r, m->labels[i], d->products[0]);
            *products += 1;
            count = list_near(m, i, m->upper[i] + r.slack, d->near);
        }
        if (count == 1)
            return m->labels[i];
        if (count * ALL_AT_ONCE >= m->k)
            count = m->k;
    }
    choice best = nearest_of(m, i, &r, d->near, count, d->products);
    *products += count;
    m->upper[i] = distance(m, &r, best.centre, best.product);
    return best.centre;
}

/* A cluster without lines gets the one that fits worst where it is. */
static cobloc_status repair(cob_means *m, int *repaired, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int64_t n = m->view->major;
    int32_t *old = NULL;
    double *misfit = NULL;
    COB_NEW(old, n);
    COB_NEW(misfit, n);
    memcpy(old, m->labels, (size_t)n * sizeof *old);
    for (int64_t i = 0; i < n; i++) {
        ruler r = ruler_of(m, i, 0);
        double product;
        int own = old[i];
        cob_line_times_some(m->view, i, m->centres, m->k, &own, 1, &product);
        misfit[i] = distance(m, &r, own, product);
    }
    COB_TRY(cob_repair_empty(m->labels, n, m->k, NULL, cob_loss_by_misfit, misfit, repaired, err));
    for (int64_t i = 0; i < n; i++)
        if (m->labels[i] != old[i])
            m->upper[i] = INFINITY;
done:
    cob_free(old);
    cob_free(misfit);
    return status;
}

static bool has_empty(const cob_means *m, int64_t *sizes)
{
    for (int64_t i = 0; i < m->view->major; i++)
        sizes[m->labels[i]]++;
    for (int c = 0; c < m->k; c++)
        if (sizes[c] == 0)
            return true;
    return false;
}

cobloc_status cob_means_round(void *data, cob_round *found, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_means *m = data;
    int64_t different = 0, products = 0, *sizes = NULL;
    double longest = 0;
    COB_NEW_ZERO(sizes, m->k);
    for (int c = 0; c < m->k; c++)
        longest = fmax(longest, sqrt(m->squares[c]));
#pragma omp parallel for schedule(dynamic, 64) num_threads(m->threads) \
    reduction(+ : different, products)
    for (int64_t i = 0; i < m->view->major; i++) {
        size_t room = (size_t)cob_thread() * ((size_t)m->k + SPARE);
        desk d = {m->near + room, m->products_of + room};
        int32_t to = label_of(m, i, longest, &d, &products);
        different += to != m->labels[i];
        m->labels[i] = to;
    }
    m->products += products;
    if (has_empty(m, sizes))
        COB_TRY(repair(m, &found->repaired, err));
    found->changed = different + found->repaired;
    if (found->changed > 0)
        cob_means_centre(m);
    found->value = m->value;
done:
    cob_free(sizes);
    return status;
}
