/* onmtf: orthogonal non-negative matrix tri-factorisation, X ~ F S G', with F of rows by k, S of k
 * by l, G of columns by l, all non-negative, and F'F and G'G close to the identity.
 *
 *     G <- G sqrt(X'F S / G G'X'F S),  F <- F sqrt(X G S' / F F'X G S'),
 *     S <- S sqrt(F'X G / F'F S G'G),  element by element, in this order
 *
 * Ding, Li, Peng, Park, "Orthogonal nonnegative matrix tri-factorizations for clustering", KDD
 * 2006. The error decreases, except that the orthogonality may raise it a little.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "matrix/kernels.h"
#include "matrix/values.h"
#include "methods/factorise.h"
#include "methods/placement.h"
#include "methods/registry.h"
#include "models/common.h"

#include <math.h>
#include <string.h>

typedef struct onmtf {
    cob_factor rows, cols;
    double *middle, *transposed;   /* S: k by l, and S': l by k */
    double *by_rows, *by_cols;     /* X G: rows by l, and X'F: columns by k */
    double *blocks;                /* F'X G */
    double *row_small, *col_small; /* scratch: k by k, l by l */
    double *fitted, *line_room;    /* scratch: k by l; a line for each thread */
    double squares;
} onmtf;

/* ---- small matrices -------------------------------------------------------------------------- */

/* out (columns) = line (count) . matrix (count by columns). */
static void times_small(const double *restrict line, int count, const double *restrict matrix,
                        int columns, double *restrict out)
{
    memset(out, 0, (size_t)columns * sizeof *out);
    for (int c = 0; c < count; c++)
        for (int to = 0; to < columns; to++)
            out[to] += line[c] * matrix[(int64_t)c * columns + to];
}

static double grown(double value, double wanted, double fitted)
{
    return fitted > 0 ? cob_factor_flush(value * sqrt(wanted / fitted)) : value;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void update_line(const double *wanted, const double *small, int k, double *values,
                        double *room)
{
    times_small(values, k, small, k, room);
    for (int c = 0; c < k; c++)
        values[c] = grown(values[c], wanted[c], room[c]);
}

/* Updates one factor. `with`: X times the other factor, lines by `count`; `middle`: count by f->k.
 */
static void update(const onmtf *m, cob_factor *f, const double *with, const double *middle,
                   int count, double *small)
{
    size_t room = (size_t)(m->rows.k > m->cols.k ? m->rows.k : m->cols.k) + 16;
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int64_t i = 0; i < f->view.major; i++)
        times_small(with + i * count, count, middle, f->k, f->products + i * f->k);
    cob_factor_inner(f, f->products, f->k, small);
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int64_t i = 0; i < f->view.major; i++)
        update_line(f->products + i * f->k, small, f->k, f->values + i * f->k,
                    m->line_room + (size_t)cob_thread() * room);
    cob_factor_measure(f);
}

/* fitted = F'F S G'G. */
static void fit_middle(onmtf *m)
{
    int k = m->rows.k, l = m->cols.k;
    for (int c = 0; c < k; c++) {
        times_small(m->rows.gram + (int64_t)c * k, k, m->middle, l, m->line_room);
        times_small(m->line_room, l, m->cols.gram, l, m->fitted + (int64_t)c * l);
    }
}

static void turn_middle(onmtf *m)
{
    for (int c = 0; c < m->rows.k; c++)
        for (int to = 0; to < m->cols.k; to++)
            m->transposed[(int64_t)to * m->rows.k + c] = m->middle[(int64_t)c * m->cols.k + to];
}

static double step(void *data)
{
    onmtf *m = data;
    int k = m->rows.k, l = m->cols.k;
    int64_t cells = (int64_t)k * l;
    cob_multiply(&m->cols.view, m->rows.values, k, m->cols.threads, m->by_cols);
    update(m, &m->cols, m->by_cols, m->middle, k, m->col_small);
    cob_multiply(&m->rows.view, m->cols.values, l, m->rows.threads, m->by_rows);
    update(m, &m->rows, m->by_rows, m->transposed, l, m->row_small);
    cob_factor_inner(&m->rows, m->by_rows, l, m->blocks);
    fit_middle(m);
    for (int64_t c = 0; c < cells; c++)
        m->middle[c] = grown(m->middle[c], m->blocks[c], m->fitted[c]);
    turn_middle(m);
    fit_middle(m);
    double loss = m->squares - 2 * cob_inner(m->blocks, m->middle, cells) +
                  cob_inner(m->fitted, m->middle, cells);
    return loss > 0 ? loss : 0;
}

/* ---- one start ------------------------------------------------------------------------------- */

static double length_of(const cob_factor *f, int cluster)
{
    return sqrt(f->gram[(int64_t)cluster * f->k + cluster]);
}

/* Scales clusters to unit length. */
static void normalise(cob_factor *f)
{
    cob_factor_measure(f);
    for (int64_t i = 0; i < f->view.major; i++)
        for (int c = 0; c < f->k; c++)
            f->values[i * f->k + c] /= length_of(f, c);
}

static cobloc_status begin_side(const cob_method_problem *p, int side, const int32_t *known,
                                cob_factor *f, int32_t *labels, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (cob_factor_start(p) == COBLOC_START_RANDOM) {
        cob_factor_draw(p, side, 1, f);
    } else {
        if (known)
            memcpy(labels, known, (size_t)f->view.major * sizeof *known);
        else
            COB_TRY(cob_factor_means(p, side, f, labels, err));
        cob_factor_of_labels(labels, f);
    }
    normalise(f);
done:
    return status;
}

static cobloc_status begin(const cob_method_problem *p, onmtf *m, cob_outcome *out,
                           cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(begin_side(p, 0, p->start_rows, &m->rows, out->row_labels, err));
    COB_TRY(begin_side(p, 1, p->start_cols, &m->cols, out->col_labels, err));
    m->squares = cob_sum_over_values(&p->rows, cob_square, m->rows.threads, NULL);
    cob_multiply(&p->rows, m->cols.values, m->cols.k, m->rows.threads, m->by_rows);
    cob_factor_inner(&m->rows, m->by_rows, m->cols.k, m->middle);
    turn_middle(m);
done:
    return status;
}

static cobloc_status onmtf_alloc(const cob_method_problem *p, onmtf *m, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int threads = cob_factor_threads(p), widest = p->k > p->l ? p->k : p->l;
    size_t k = (size_t)p->k, l = (size_t)p->l;
    *m = (onmtf){.squares = 0};
    COB_TRY(cob_factor_alloc(&m->rows, p->rows, p->k, widest, threads, err));
    COB_TRY(cob_factor_alloc(&m->cols, p->cols, p->l, widest, threads, err));
    COB_NEW(m->by_rows, (size_t)p->rows.major * l);
    COB_NEW(m->by_cols, (size_t)p->cols.major * k);
    COB_NEW(m->middle, k * l);
    COB_NEW(m->transposed, k * l);
    COB_NEW(m->blocks, k * l);
    COB_NEW(m->fitted, k * l);
    COB_NEW(m->row_small, k * k);
    COB_NEW(m->col_small, l * l);
    COB_NEW(m->line_room, (size_t)threads * ((size_t)widest + 16));
done:
    return status;
}

static void onmtf_free(onmtf *m)
{
    double *const arrays[] = {m->by_rows, m->by_cols,   m->middle,    m->transposed, m->blocks,
                              m->fitted,  m->row_small, m->col_small, m->line_room};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        cob_free(arrays[i]);
    cob_factor_free(&m->rows);
    cob_factor_free(&m->cols);
}

/* Labels, with clusters scaled to unit length. */
static cobloc_status assign(onmtf *m, cob_factor *f, int32_t *labels, double **soft, int *kept,
                            cobloc_error *err)
{
    for (int c = 0; c < f->k; c++)
        m->line_room[c] = cob_ratio(1, length_of(f, c));
    return cob_factor_assign(f, m->line_room, labels, soft, kept, err);
}

/* The components of the rows, S G' for clusters of unit length; `middle` is their S. */
static cobloc_status give_components(const onmtf *m, const double *middle, double **components,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int k = m->rows.k, l = m->cols.k;
    COB_NEW_ZERO(*components, (size_t)m->cols.view.major * (size_t)k);
    for (int to = 0; to < l; to++) {
        double scale = cob_ratio(1, length_of(&m->cols, to));
        for (int64_t j = 0; j < m->cols.view.major; j++)
            for (int c = 0; c < k; c++)
                (*components)[j * k + c] +=
                    m->cols.values[j * l + to] * scale * middle[(int64_t)c * l + to];
    }
done:
    return status;
}

/* The parameters are S, for clusters of unit length. */
static cobloc_status finish(const cob_method_problem *p, onmtf *m, cob_outcome *out,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int c = 0; c < p->k; c++)
        for (int to = 0; to < p->l; to++)
            m->middle[(int64_t)c * p->l + to] *= length_of(&m->rows, c) * length_of(&m->cols, to);
    out->parameters = m->middle;
    m->middle = NULL;
    COB_TRY(give_components(m, out->parameters, &out->components, err));
    COB_TRY(assign(m, &m->rows, out->row_labels, &out->row_soft, &out->kept, err));
    COB_TRY(assign(m, &m->cols, out->col_labels, &out->col_soft, &out->kept, err));
done:
    return status;
}

static cobloc_status fit(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    onmtf m = {.squares = 0};
    COB_TRY(onmtf_alloc(p, &m, err));
    COB_TRY(begin(p, &m, out, err));
    COB_TRY(cob_factor_iterate(p, step, &m, out, err));
    COB_TRY(finish(p, &m, out, err));
done:
    onmtf_free(&m);
    return status;
}

const cob_method cob_method_onmtf = {
    .name = "onmtf",
    .title = "orthogonal non-negative matrix tri-factorisation",
    .criterion = "squared error",
    .minimised = true,
    .soft = true,
    .starts = COB_FACTOR_STARTS,
    .weight = COBLOC_WEIGHT_TFIDF,
    .prepare = cob_method_directions,
    .release = cob_method_directions_free,
    .placement = &cob_fold_by_squares,
    .fit = fit,
};
