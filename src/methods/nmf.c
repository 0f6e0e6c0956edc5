/* nmf: non-negative matrix factorisation, X ~ W H', with W of rows by k and H of columns by k, both
 * non-negative. A row or column is assigned to its largest component.
 *
 *     nmf       ||X - W H'||^2, by hierarchical alternating least squares: every number in
 * transpose is set to its best value while all others stay. Cichocki, Phan, "Fast local algorithms
 *               for large scale nonnegative matrix and tensor factorizations", IEICE 2009.
 *     nmf-mu    the same loss, by multiplicative updates: Lee, Seung, "Algorithms for non-negative
 *               matrix factorization", NIPS 2000.
 *     nmf-kl    the divergence sum of x log(x / (W H')) - x + W H', also by multiplicative updates.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vectors.h"
#include "matrix/kernels.h"
#include "matrix/values.h"
#include "methods/factorise.h"
#include "methods/placement.h"
#include "methods/registry.h"
#include "models/common.h"

#include <math.h>
#include <string.h>

/* This many lines are updated side by side, because within a line each sum waits for the one
 * before.
 */
enum { LANES = 8, CHAINS = 4 };

/* Sweeps of coordinate descent per pass over the entries of a line, which costs more than a sweep.
 * Gillis, Glineur, "Accelerated multiplicative updates and hierarchical ALS algorithms for
 * nonnegative matrix factorization", Neural Computation 2012. */
enum { SWEEPS = 3 };

/* Updates the k values of LANES lines while the other factor stays: `products` are the lines of X
 * times that factor, `gram` is that factor's Gram matrix. Arrays are k by LANES; `room` is scratch
 * of that size. */
typedef void (*line_rule)(const double *products, const double *gram, int k, double *values,
                          double *room);

typedef struct nmf {
    cob_factor rows, cols;
    line_rule rule; /* for the squared error; NULL: divergence */
    double size;    /* the sum of X, or of its squares */
    double *row_scales, *col_scales;
    double *scratch; /* for the lines of each thread */
    double *logs;    /* for each row; divergence only */
} nmf;

/* ---- rules for lines ------------------------------------------------------------------------- */

/* to += scale * from, both LANES. */
COB_INLINE void add_lanes(double scale, const double *restrict from, double *restrict to)
{
    COB_SIMD
    for (int t = 0; t < LANES; t++)
        to[t] += scale * from[t];
}

/* sums = row (k) . values (k by LANES). */
COB_INLINE void times_lanes(const double *row, int k, const double *restrict values,
                            double *restrict sums)
{
    double chains[CHAINS][LANES] = {{0}};
    int c = 0;
    for (; c + CHAINS <= k; c += CHAINS)
        for (int of = 0; of < CHAINS; of++)
            add_lanes(row[c + of], values + (c + of) * LANES, chains[of]);
    for (; c < k; c++)
        add_lanes(row[c], values + c * LANES, chains[0]);
    COB_SIMD
    for (int t = 0; t < LANES; t++)
        sums[t] = (chains[0][t] + chains[1][t]) + (chains[2][t] + chains[3][t]);
}

/* Coordinate descent: each value in transpose is set to its best for the squared error. */
COB_CLONES
static void hals(const double *products, const double *gram, int k, double *values, double *room)
{
    (void)room;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int c = 0; c < k; c++) {
            const double *row = gram + (int64_t)c * k;
            double fitted[LANES], scale = cob_ratio(1, row[c]), *own = values + c * LANES;
            times_lanes(row, k, values, fitted);
            COB_SIMD
            for (int t = 0; t < LANES; t++) {
                double better = own[t] + (products[c * LANES + t] - fitted[t]) * scale;
                own[t] = better > 0 ? better : 0;
            }
        }
}

/* Multiplies each value by products / (gram values). */
COB_CLONES
static void multiplied(const double *products, const double *gram, int k, double *values,
                       double *fitted)
{
    for (int c = 0; c < k; c++)
        times_lanes(gram + (int64_t)c * k, k, values, fitted + c * LANES);
    for (int c = 0; c < k * LANES; c++)
        if (fitted[c] > 0)
            values[c] = cob_factor_flush(values[c] * (products[c] / fitted[c]));
}

/* ---- steps ----------------------------------------------------------------------------------- */

static size_t scratch_size(int k)
{
    return 3 * (size_t)k * LANES + 16; /* threads must not share a cache line */
}

/* Transposes lines into lanes, or back. */
static void transpose(double *lines, int k, int count, double *lanes, bool back)
{
    for (int t = 0; t < count; t++)
        for (int c = 0; c < k; c++)
            if (back)
                lines[t * k + c] = lanes[c * LANES + t];
            else
                lanes[c * LANES + t] = lines[t * k + c];
}

static void update_lines(const nmf *m, cob_factor *f, const cob_factor *other, int64_t first,
                         double *scratch)
{
    int k = f->k, count = f->view.major - first < LANES ? (int)(f->view.major - first) : LANES;
    double *products = scratch, *values = scratch + k * LANES, *room = values + k * LANES;
    for (int t = 0; t < count; t++)
        cob_line_times(&f->view, first + t, other->values, k, f->products + (first + t) * k);
    transpose(f->products + first * k, k, count, products, false);
    transpose(f->values + first * k, k, count, values, false);
    m->rule(products, other->gram, k, values, room);
    transpose(f->values + first * k, k, count, values, true);
}

static void update_by_squares(const nmf *m, cob_factor *f, const cob_factor *other)
{
    size_t scratch = scratch_size(f->k);
#pragma omp parallel for schedule(dynamic, 8) num_threads(f->threads)
    for (int64_t first = 0; first < f->view.major; first += LANES)
        update_lines(m, f, other, first, m->scratch + (size_t)cob_thread() * scratch);
    cob_factor_measure(f);
}

/* ||X||^2 - 2 tr(W'XH) + tr(W'W H'H): rounding may take it below 0. */
static double step_by_squares(void *data)
{
    nmf *m = data;
    int64_t k = m->rows.k;
    update_by_squares(m, &m->rows, &m->cols);
    update_by_squares(m, &m->cols, &m->rows);
    double loss = m->size -
                  2 * cob_inner(m->cols.products, m->cols.values, m->cols.view.major * k) +
                  cob_inner(m->rows.gram, m->cols.gram, k * k);
    return loss > 0 ? loss : 0;
}

static void update_by_divergence(cob_factor *f, const double *other_sums, double *sums)
{
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int64_t i = 0; i < f->view.major; i++)
        for (int c = 0; c < f->k; c++) {
            double *value = f->values + i * f->k + c, quotients = f->products[i * f->k + c];
            if (other_sums[c] > 0)
                *value = cob_factor_flush(*value * (quotients / other_sums[c]));
        }
    cob_factor_sums(f, sums);
}

/* Quotients and logarithms for the current factors; returns the divergence. */
static double divergence_by_rows(nmf *m)
{
    double loss = -m->size;
    cob_multiply_quotients(&m->rows.view, m->rows.values, m->cols.values, m->rows.k,
                           m->rows.threads, m->rows.products, m->logs);
    for (int64_t i = 0; i < m->rows.view.major; i++)
        loss += m->logs[i];
    loss += cob_inner(m->row_scales, m->col_scales, m->rows.k);
    return loss > 0 ? loss : 0;
}

/* One pass over the entries serves both the loss and the next update of the rows. */
static double step_by_divergence(void *data)
{
    nmf *m = data;
    update_by_divergence(&m->rows, m->row_scales, m->col_scales);
    cob_multiply_quotients(&m->cols.view, m->cols.values, m->rows.values, m->cols.k,
                           m->cols.threads, m->cols.products, NULL);
    update_by_divergence(&m->cols, m->col_scales, m->row_scales);
    return divergence_by_rows(m);
}

/* ---- one start ------------------------------------------------------------------------------- */

/* Sets the column factor to the means of the rows of each cluster. */
static void columns_of_rows(const cob_method_problem *p, nmf *m)
{
    cob_factor *h = &m->cols;
    cob_multiply(&h->view, m->rows.values, h->k, h->threads, h->values);
    cob_factor_sums(&m->rows, m->col_scales);
    for (int64_t j = 0; j < h->view.major; j++)
        for (int c = 0; c < h->k; c++) {
            double blur = p->start_cols && p->start_cols[j] != c ? COB_FACTOR_BLUR : 1;
            h->values[j * h->k + c] *= blur / m->col_scales[c];
        }
}

static cobloc_status begin(const cob_method_problem *p, nmf *m, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_start start = cob_factor_start(p);
    if (start == COBLOC_START_RANDOM) {
        double cells = (double)p->rows.major * (double)p->cols.major;
        double scale = 2 * sqrt(cobloc_matrix_total(p->x) / cells / p->k);
        cob_factor_draw(p, 0, scale, &m->rows);
        cob_factor_draw(p, 1, scale, &m->cols);
        goto done;
    }
    if (start == COBLOC_START_LABELS)
        memcpy(out->row_labels, p->start_rows, (size_t)p->rows.major * sizeof *p->start_rows);
    else
        COB_TRY(cob_factor_means(p, 0, &m->rows, out->row_labels, err));
    cob_factor_of_labels(out->row_labels, &m->rows);
    columns_of_rows(p, m);
done:
    return status;
}

static cobloc_status nmf_alloc(const cob_method_problem *p, line_rule rule, nmf *m,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int threads = cob_factor_threads(p);
    *m = (nmf){.rule = rule};
    COB_TRY(cob_factor_alloc(&m->rows, p->rows, p->k, p->k, threads, err));
    COB_TRY(cob_factor_alloc(&m->cols, p->cols, p->k, p->k, threads, err));
    COB_NEW(m->row_scales, p->k);
    COB_NEW(m->col_scales, p->k);
    if (rule)
        COB_NEW_ZERO(m->scratch, (size_t)threads * scratch_size(p->k));
    else
        COB_NEW(m->logs, p->rows.major);
done:
    return status;
}

static void nmf_free(nmf *m)
{
    cob_factor_free(&m->rows);
    cob_factor_free(&m->cols);
    cob_free(m->row_scales);
    cob_free(m->col_scales);
    cob_free(m->scratch);
    cob_free(m->logs);
}

/* How much one unit of a component adds to a line: the length of the component on the other side
 * or, for divergence, its sum, so that shares are probabilities. */
static void measure_scales(nmf *m)
{
    for (int c = 0; m->rule && c < m->rows.k; c++) {
        m->row_scales[c] = sqrt(m->cols.gram[(int64_t)c * m->rows.k + c]);
        m->col_scales[c] = sqrt(m->rows.gram[(int64_t)c * m->rows.k + c]);
    }
}

/* The components, scaled so that shares are those of the coefficients. */
static void give_components(nmf *m, cob_outcome *out)
{
    cob_factor *h = &m->cols;
    for (int64_t j = 0; j < h->view.major; j++)
        for (int c = 0; c < h->k; c++)
            h->values[j * h->k + c] = cob_ratio(h->values[j * h->k + c], m->row_scales[c]);
    out->components = h->values;
    h->values = NULL;
}

static cobloc_status fit(const cob_method_problem *p, line_rule rule, cob_outcome *out,
                         cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    nmf m = {.rule = NULL};
    COB_TRY(nmf_alloc(p, rule, &m, err));
    COB_TRY(begin(p, &m, out, err));
    if (rule) {
        m.size = cob_sum_over_values(&p->rows, cob_square, m.rows.threads, NULL);
        cob_factor_measure(&m.cols);
    } else {
        m.size = cobloc_matrix_total(p->x);
        cob_factor_sums(&m.rows, m.col_scales);
        cob_factor_sums(&m.cols, m.row_scales);
        divergence_by_rows(&m);
    }
    COB_TRY(cob_factor_iterate(p, rule ? step_by_squares : step_by_divergence, &m, out, err));
    measure_scales(&m);
    COB_TRY(
        cob_factor_assign(&m.rows, m.row_scales, out->row_labels, &out->row_soft, &out->kept, err));
    COB_TRY(
        cob_factor_assign(&m.cols, m.col_scales, out->col_labels, &out->col_soft, &out->kept, err));
    give_components(&m, out);
done:
    nmf_free(&m);
    return status;
}

/* ---- the methods ----------------------------------------------------------------------------- */

static cobloc_status fit_hals(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    return fit(p, hals, out, err);
}

static cobloc_status fit_mu(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    return fit(p, multiplied, out, err);
}

static cobloc_status fit_kl(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    return fit(p, NULL, out, err);
}

#define NMF(suffix, text, loss, weights, function, folding)                                        \
    {                                                                                              \
        .name = "nmf" suffix, .title = "non-negative matrix factorisation" text ", diagonal",      \
        .criterion = loss, .minimised = true, .diagonal = true, .soft = true,                      \
        .starts = COB_FACTOR_STARTS, .weight = weights, .prepare = cob_method_directions,          \
        .release = cob_method_directions_free, .placement = &(folding), .fit = function,           \
    }

const cob_method cob_method_nmf =
    NMF("", "", "squared error", COBLOC_WEIGHT_TFIDF, fit_hals, cob_fold_by_squares);
const cob_method cob_method_nmf_mu = NMF("-mu", " by multiplicative updates", "squared error",
                                         COBLOC_WEIGHT_TFIDF, fit_mu, cob_fold_by_squares);
const cob_method cob_method_nmf_kl = NMF("-kl", " by Kullback-Leibler divergence", "divergence",
                                         COBLOC_WEIGHT_NONE, fit_kl, cob_fold_by_divergence);
