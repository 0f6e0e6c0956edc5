/* Factors: memory, sums, starts, the loop, labels.
 * SPDX-License-Identifier: MIT
 */
#include "methods/factorise.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vectors.h"
#include "engine/means.h"
#include "matrix/scores.h"

#include <math.h>
#include <string.h>

enum { PURPOSE_DRAW = 31, PURPOSE_MEANS = 33 }; /* and the number after each, for columns */
enum { MEANS_ITERATIONS = 10, MOST_CHUNKS = 64 };

/* ---- memory ---------------------------------------------------------------------------------- */

/* The number of parts of the lines that are summed separately: enough for the threads, but few
 * enough that their sums need no more memory than the factor. It must not depend on the number of
 * threads.
 */
static int chunks_of(int64_t lines, int columns)
{
    int64_t fit = lines / columns;
    return fit < 1 ? 1 : fit > MOST_CHUNKS ? MOST_CHUNKS : (int)fit;
}

/* With less work per thread, threads would mostly wait for each other. */
static const double LEAST_PRODUCTS = 1e5;

int cob_factor_threads(const cob_method_problem *p)
{
    double worth = 1 + (double)p->rows.nnz * (p->k > p->l ? p->k : p->l) / LEAST_PRODUCTS;
    int threads = cob_threads(p->threads);
    return threads < worth ? threads : (int)worth;
}

cobloc_status cob_factor_alloc(cob_factor *f, cobloc_view view, int k, int widest, int threads,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t lines = (size_t)view.major, columns = (size_t)k;
    *f = (cob_factor){.view = view, .k = k, .threads = threads};
    f->chunks = chunks_of(view.major, widest);
    COB_NEW(f->values, lines * columns);
    COB_NEW(f->products, lines * columns);
    COB_NEW(f->gram, columns * columns);
    COB_NEW(f->room, (size_t)f->chunks * columns * (size_t)widest);
done:
    return status;
}

void cob_factor_free(cob_factor *f)
{
    cob_free(f->values);
    cob_free(f->products);
    cob_free(f->gram);
    cob_free(f->room);
    *f = (cob_factor){0};
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* out (k by columns) += lines' others, for several lines at a time, so that `out` is loaded less
 * often. */
enum { TOGETHER = 4 };

COB_INLINE void add_products(const double *restrict lines, int k, const double *restrict others,
                             int columns, int count, double *restrict out)
{
    for (int c = 0; c < k; c++)
        for (int to = 0; to < columns; to++) {
            double sum = 0;
            for (int t = 0; t < count; t++)
                sum += lines[(int64_t)t * k + c] * others[(int64_t)t * columns + to];
            out[(int64_t)c * columns + to] += sum;
        }
}

COB_CLONES
static void inner_of_lines(const double *lines, int k, const double *others, int columns,
                           int64_t count, double *out)
{
    int64_t i = 0;
    memset(out, 0, (size_t)k * (size_t)columns * sizeof *out);
    for (; i + TOGETHER <= count; i += TOGETHER)
        add_products(lines + i * k, k, others + i * columns, columns, TOGETHER, out);
    for (; i < count; i++)
        add_products(lines + i * k, k, others + i * columns, columns, 1, out);
}

void cob_factor_inner(cob_factor *f, const double *other, int columns, double *out)
{
    int64_t lines = f->view.major, cells = (int64_t)f->k * columns;
    int chunks = f->chunks;
#pragma omp parallel for schedule(dynamic) num_threads(f->threads)
    for (int c = 0; c < chunks; c++) {
        int64_t first = lines * c / chunks, last = lines * (c + 1) / chunks;
        inner_of_lines(f->values + first * f->k, f->k, other + first * columns, columns,
                       last - first, f->room + c * cells);
    }
    memcpy(out, f->room, (size_t)cells * sizeof *out);
    for (int c = 1; c < chunks; c++)
        for (int64_t cell = 0; cell < cells; cell++)
            out[cell] += f->room[c * cells + cell];
}

void cob_factor_measure(cob_factor *f)
{
    cob_factor_inner(f, f->values, f->k, f->gram);
}

void cob_factor_sums(const cob_factor *f, double *out)
{
    memset(out, 0, (size_t)f->k * sizeof *out);
    for (int64_t i = 0; i < f->view.major; i++)
        for (int k = 0; k < f->k; k++)
            out[k] += f->values[i * f->k + k];
}

/* ---- starts ---------------------------------------------------------------------------------- */

cobloc_start cob_factor_start(const cob_method_problem *p)
{
    return p->start == COBLOC_START_AUTO ? COBLOC_START_SKMEANS : p->start;
}

void cob_factor_draw(const cob_method_problem *p, int side, double scale, cob_factor *f)
{
    cob_stream stream = cob_stream_at(p->seed, p->restart, 0, PURPOSE_DRAW + (uint32_t)side);
    int64_t count = f->view.major * f->k;
    for (int64_t c = 0; c < count; c++)
        f->values[c] = scale * cob_random_uniform(&stream, (uint64_t)c);
}

cobloc_status cob_factor_means(const cob_method_problem *p, int side, const cob_factor *f,
                               int32_t *labels, cobloc_error *err)
{
    cob_stream stream = cob_stream_at(p->seed, p->restart, 0, PURPOSE_MEANS + (uint32_t)side);
    cob_weighed lines = cob_method_directed(p, side);
    lines.deadline = p->watch->deadline;
    return cob_means_start(&lines, f->k, true, MEANS_ITERATIONS, stream, f->threads, labels, err);
}

void cob_factor_of_labels(const int32_t *labels, cob_factor *f)
{
    for (int64_t i = 0; i < f->view.major; i++)
        for (int k = 0; k < f->k; k++)
            f->values[i * f->k + k] = labels[i] == k ? 1 : COB_FACTOR_BLUR;
}

/* ---- iterating ------------------------------------------------------------------------------- */

cobloc_status cob_factor_iterate(const cob_method_problem *p, double (*step)(void *data),
                                 void *data, cob_outcome *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (bool ends = false; !ends;) {
        double before = out->criterion, loss = step(data);
        if (out->iterations > 0 && fabs(before - loss) <= p->tolerance * before) {
            COB_TRY(cob_outcome_note(out, loss, err));
            ends = true;
        } else {
            COB_TRY(cob_method_note(p, loss, &ends, out, err));
        }
    }
done:
    return status;
}

/* ---- labels ---------------------------------------------------------------------------------- */

cobloc_status cob_factor_assign(cob_factor *f, const double *scales, int32_t *labels, double **soft,
                                int *kept, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int repaired;
    for (int64_t i = 0; i < f->view.major; i++) {
        double *shares = f->products + i * f->k;
        for (int c = 0; c < f->k; c++)
            shares[c] = f->values[i * f->k + c] * scales[c];
        labels[i] = cob_to_shares(shares, f->k);
    }
    *soft = f->products;
    f->products = NULL;
    cob_shares shares = {*soft, labels, f->k};
    COB_TRY(cob_repair_empty(labels, f->view.major, f->k, NULL, cob_loss_by_share, &shares,
                             &repaired, err));
    *kept += repaired;
done:
    return status;
}
