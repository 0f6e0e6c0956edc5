/* chisim: similarities of rows and of columns, each computed from the other (Bisson and Hussain
 * 2008, "Chi-Sim: a new similarity measure for the co-clustering task"). Starting with S_R = S_C =
 * 1 it repeats
 *
 *     S_R <- X S_C X' / (r_i r_i')      S_C <- X' S_R X / (c_j c_j')      (diagonals set to 1)
 *
 * four times, both from the previous ones. Rows and columns are then clustered by Ward's criterion
 * with the squared distances 1 - S. Memory grows with the square of the rows and of the columns.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/ward.h"
#include "methods/registry.h"

#include <string.h>

enum { MOST_ITERATIONS = 4 }; /* as in the paper: more change little */

/* Nothing is random: all starts share the answer. */
typedef struct answer {
    int32_t *rows, *cols;
    double criterion;
    int iterations;
    cobloc_stop stop;
} answer;

static void release(void *shared)
{
    answer *a = shared;
    cob_free(a->rows);
    cob_free(a->cols);
    cob_free(a);
}

/* out = V S V' / (margins), line by line: first S s_i, then its products with all lines. `room` is
 * scratch for a line of S for each thread. Lines stay as they are after the deadline. */
static void compare_lines(const cobloc_view *v, const double *sums, const double *other,
                          double deadline, int threads, double *room, double *out)
{
    int64_t n = v->major, d = v->minor;
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
    for (int64_t i = 0; i < n; i++) {
        double *own = room + cob_thread() * d;
        if (cob_clock() > deadline)
            continue;
        memset(own, 0, (size_t)d * sizeof *own);
        for (int64_t e = v->offsets[i]; e < v->offsets[i + 1]; e++) {
            const double *line = other + v->indices[e] * d;
            double share = cobloc_view_value(v, e) / sums[i];
            for (int64_t j = 0; j < d; j++)
                own[j] += share * line[j];
        }
        for (int64_t k = 0; k < n; k++) {
            double sum = 0;
            for (int64_t e = v->offsets[k]; e < v->offsets[k + 1]; e++)
                sum += cobloc_view_value(v, e) * own[v->indices[e]];
            out[i * n + k] = k == i ? 1 : sum / sums[k];
        }
    }
}

static void set_identity(double *s, int64_t n)
{
    memset(s, 0, (size_t)n * (size_t)n * sizeof *s);
    for (int64_t i = 0; i < n; i++)
        s[i * n + i] = 1;
}

/* Turns similarities into squared distances. Rounding leaves them asymmetric, so this averages. */
static void to_distances(double *s, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            s[i * n + j] = s[j * n + i] = 1 - (s[i * n + j] + s[j * n + i]) / 2;
}

/* Both tables of similarities, and a second copy of the smaller one. */
static double memory(const cobloc_matrix *x, int k)
{
    (void)k;
    double n = (double)x->rows, d = (double)x->cols, small = n < d ? n : d;
    return sizeof(double) * (n * n + d * d + small * small);
}

/* The smaller side is stored twice, old and new, so that both sides are computed from the old ones.
 */
static cobloc_status iterate(const cob_method_problem *p, double *rows, double *cols, answer *a,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int threads = cob_threads(p->threads);
    bool rows_small = p->rows.major <= p->cols.major;
    int64_t small = rows_small ? p->rows.major : p->cols.major;
    int64_t large = rows_small ? p->cols.major : p->rows.major;
    const cobloc_view *few = rows_small ? &p->rows : &p->cols,
                      *many = rows_small ? &p->cols : &p->rows;
    const double *row_sums = cobloc_matrix_row_sums(p->x), *col_sums = cobloc_matrix_col_sums(p->x);
    double *of_few = rows_small ? rows : cols, *of_many = rows_small ? cols : rows;
    double *room = NULL, *fresh = NULL;
    COB_NEW(room, (size_t)threads * (size_t)large);
    COB_NEW(fresh, (size_t)small * (size_t)small);
    set_identity(rows, p->rows.major);
    set_identity(cols, p->cols.major);
    while (a->iterations < MOST_ITERATIONS && a->iterations < p->max_iterations) {
        double done = (double)a->iterations / (MOST_ITERATIONS + 1);
        compare_lines(few, rows_small ? row_sums : col_sums, of_many, p->watch->deadline, threads,
                      room, fresh);
        a->stop = cob_must_stop(p->watch, 0, done);
        if (a->stop != COBLOC_STOP_CONVERGED)
            break;
        compare_lines(many, rows_small ? col_sums : row_sums, of_few, p->watch->deadline, threads,
                      room, of_many);
        memcpy(of_few, fresh, (size_t)small * (size_t)small * sizeof *fresh);
        a->iterations++;
        a->stop = cob_must_stop(p->watch, 0, (double)a->iterations / (MOST_ITERATIONS + 1));
        if (a->stop != COBLOC_STOP_CONVERGED)
            break;
    }
done:
    cob_free(room);
    cob_free(fresh);
    return status;
}

static cobloc_status prepare(const cob_method_problem *p, void **shared, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t n = (size_t)p->rows.major, d = (size_t)p->cols.major;
    double *rows = NULL, *cols = NULL, row_cost, col_cost;
    answer *a = NULL;
    COB_NEW_ZERO(a, 1);
    COB_NEW(a->rows, n);
    COB_NEW(a->cols, d);
    COB_NEW(rows, n * n);
    COB_NEW(cols, d * d);
    COB_TRY(iterate(p, rows, cols, a, err));
    to_distances(rows, p->rows.major);
    to_distances(cols, p->cols.major);
    COB_TRY(cob_ward(rows, p->rows.major, p->k, a->rows, &row_cost, err));
    COB_TRY(cob_ward(cols, p->cols.major, p->l, a->cols, &col_cost, err));
    a->criterion = row_cost + col_cost;
    *shared = a;
    a = NULL;
done:
    cob_free(rows);
    cob_free(cols);
    if (a)
        release(a);
    return status;
}

static cobloc_status fit(const cob_method_problem *p, cob_outcome *out, cobloc_error *err)
{
    const answer *a = p->shared;
    memcpy(out->row_labels, a->rows, (size_t)p->rows.major * sizeof *a->rows);
    memcpy(out->col_labels, a->cols, (size_t)p->cols.major * sizeof *a->cols);
    cobloc_status status = cob_outcome_note(out, a->criterion, err);
    out->iterations = a->iterations;
    out->stop = a->stop;
    cob_method_must_end(p, 1, out);
    return status;
}

const cob_method cob_method_chisim = {
    .name = "chisim",
    .title = "similarities of rows and columns by each other, Ward's clustering",
    .criterion = "dissimilarity",
    .minimised = true,
    .certain = true,
    .memory = memory,
    .prepare = prepare,
    .release = release,
    .fit = fit,
};
