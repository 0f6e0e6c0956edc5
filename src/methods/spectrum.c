/* Singular vectors as eigenvectors of the smaller Gram operator, M'M or MM'.
 * SPDX-License-Identifier: MIT
 */
#include "methods/spectrum.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/eigen.h"
#include "matrix/kernels.h"

#include <math.h>
#include <stdbool.h>

/* Size of the random numbers that are added to the diagonal, so that the stream decides how equal
 * eigenvalues are separated. Vectors change by this divided by the gap to the next eigenvalue. */
static const double JITTER = 1e-13;
/* Squared singular values below this count as 0. */
static const double NEGLIGIBLE = 1e-12;

/* X in one orientation: a matrix, or a product of two with a diagonal matrix between them. */
typedef struct factor_chain {
    cobloc_view last, first; /* X v is last (scale (first v)); a plain matrix: only `last` */
    const double *scale;     /* NULL: a plain matrix */
    double *room;            /* scratch, of the length of `scale`; borrowed */
    int64_t major, minor;
    cob_part part; /* with ranks in it: each of them multiplies its own lines of `last` */
    int side;      /* of the part */
} factor_chain;

/* What the operator is made of. */
typedef struct parts {
    factor_chain by_rows, by_cols;
    const double *row_sums, *col_sums;
    double total;
} parts;

/* M or its transpose, whichever has fewer rows, as `size` by `other`. */
typedef struct gram_operator {
    factor_chain lines, turned;
    double *scale, *other_scale; /* 1 / sqrt(margin), of the lines and of the other side */
    double *root, *other_root;   /* sqrt(margin / N) */
    double *jitter;              /* of the lines */
    double *in, *between;        /* scratch: one number per line, and per line of the other side */
    int size, other;
    int threads;
    const cob_watch *watch;
} gram_operator;

/* ---- the operator ---------------------------------------------------------------------------- */

static void gram_free(gram_operator *m)
{
    double *const arrays[] = {m->scale,  m->other_scale, m->root,   m->other_root,
                              m->jitter, m->in,          m->between};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        cob_free(arrays[i]);
}

/* For empty lines, both are 0. */
static void compute_roots(const double *margins, int count, double total, double *scale,
                          double *root)
{
    for (int i = 0; i < count; i++) {
        scale[i] = margins[i] > 0 ? 1 / sqrt(margins[i]) : 0;
        root[i] = sqrt(margins[i] / total);
    }
}

static bool rows_are_fewer(const parts *x)
{
    return x->by_rows.major <= x->by_cols.major;
}

static cobloc_status gram_make(gram_operator *m, const parts *x, cob_stream stream, int threads,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    bool by_rows = rows_are_fewer(x);
    const double *rows = x->row_sums, *cols = x->col_sums;
    *m = (gram_operator){.lines = by_rows ? x->by_rows : x->by_cols,
                         .turned = by_rows ? x->by_cols : x->by_rows,
                         .threads = threads};
    m->size = (int)m->lines.major;
    m->other = (int)m->lines.minor;
    COB_NEW(m->scale, m->size);
    COB_NEW(m->root, m->size);
    COB_NEW(m->jitter, m->size);
    COB_NEW(m->in, m->size);
    COB_NEW(m->other_scale, m->other);
    COB_NEW(m->other_root, m->other);
    COB_NEW(m->between, m->other);
    compute_roots(by_rows ? rows : cols, m->size, x->total, m->scale, m->root);
    compute_roots(by_rows ? cols : rows, m->other, x->total, m->other_scale, m->other_root);
    for (int i = 0; i < m->size; i++)
        m->jitter[i] = JITTER * cob_random_uniform(&stream, (uint64_t)m->size + (uint64_t)i);
done:
    return status;
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void multiply_chain(const factor_chain *x, const double *in, int threads, double *out)
{
    if (x->scale) {
        cob_multiply_vector(&x->first, in, threads, x->room);
        for (int64_t c = 0; c < x->first.major; c++)
            x->room[c] *= x->scale[c];
    }
    cobloc_view own = x->last;
    cob_between lines = cob_part_lines(&x->part, x->side, x->major);
    cobloc_error kept_by_ranks;
    own.offsets += lines.first;
    own.major = lines.last - lines.first;
    cob_multiply_vector(&own, x->scale ? x->room : in, threads, out + lines.first);
    cob_part_gather(&x->part, x->side, out, sizeof *out, &kept_by_ranks);
}

/* out = D^-1/2 X (D'^-1/2 in) - root (root' in); `scaled` is scratch for the scaled input. */
static void multiply(const factor_chain *x, const double *in, double *scaled,
                     const double *in_scale, const double *in_root, const double *out_scale,
                     const double *out_root, int threads, double *out)
{
    double along = dot(in_root, in, (int)x->minor);
    for (int64_t i = 0; i < x->minor; i++)
        scaled[i] = in[i] * in_scale[i];
    multiply_chain(x, scaled, threads, out);
    for (int64_t i = 0; i < x->major; i++)
        out[i] = out[i] * out_scale[i] - along * out_root[i];
}

/* other = M' x. */
static void to_other(gram_operator *m, const double *x, double *other)
{
    multiply(&m->turned, x, m->in, m->scale, m->root, m->other_scale, m->other_root, m->threads,
             other);
}

/* y = (M M' + jitter) x. */
static void apply_gram(gram_operator *m, const double *x, double *y)
{
    to_other(m, x, m->between);
    multiply(&m->lines, m->between, m->between, m->other_scale, m->other_root, m->scale, m->root,
             m->threads, y);
    for (int i = 0; i < m->size; i++)
        y[i] += m->jitter[i] * x[i];
}

/* Seconds beyond the time limit that are given to them: without singular vectors there is no
 * result. */
static const double GRACE = 0.5;

static cobloc_status apply(void *data, const double *in, double *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    gram_operator *m = data;
    COB_CHECK(cob_must_stop(m->watch, 0, 0) != COBLOC_STOP_CANCELLED, COBLOC_CANCELLED,
              "cancelled before the singular vectors were found");
    COB_CHECK(cob_clock() < m->watch->deadline + GRACE, COBLOC_CANCELLED,
              "the time was over before the singular vectors were found");
    apply_gram(m, in, out);
    COB_TRY(cob_ranks_check(m->lines.part.ranks, err));
done:
    return status;
}

/* ---- both sides ------------------------------------------------------------------------------ */

void cob_spectrum_free(cob_spectrum *s)
{
    cob_free(s->values);
    cob_free(s->left);
    cob_free(s->right);
    *s = (cob_spectrum){0};
}

/* Stores a vector, and its image on the other side, in column t of both. */
static void store_vector(gram_operator *m, const double *vector, int t, double *own, double *other,
                         cob_spectrum *s)
{
    to_other(m, vector, m->between);
    double square = dot(m->between, m->between, m->other);
    double value = square > NEGLIGIBLE ? sqrt(square) : 0;
    s->values[t] = value < 1 ? value : 1;
    for (int64_t i = 0; i < m->size; i++)
        own[i * s->count + t] = value > 0 ? vector[i] : 0;
    for (int64_t i = 0; i < m->other; i++)
        other[i * s->count + t] = value > 0 ? m->between[i] / value : 0;
}

static cobloc_status find(const parts *x, int count, cob_stream stream, int threads,
                          const cob_watch *watch, cob_spectrum *out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    gram_operator m = {0};
    cob_spectrum s = {.count = count};
    double *vectors = NULL;
    bool by_rows = rows_are_fewer(x);
    COB_TRY(gram_make(&m, x, stream, threads, err));
    int found = count < m.size ? count : m.size; /* the others are 0 */
    COB_NEW_ZERO(s.values, count);
    COB_NEW_ZERO(s.left, (size_t)x->by_rows.major * (size_t)count);
    COB_NEW_ZERO(s.right, (size_t)x->by_cols.major * (size_t)count);
    COB_NEW(vectors, (size_t)m.size * (size_t)found);
    m.watch = watch;
    cob_operator gram = {
        .size = m.size, .apply = apply, .data = &m, .threads = cob_threads(threads)};
    if (found > 0)
        COB_TRY(cob_eigenvectors(&gram, found, stream, vectors, err));
    for (int t = 0; t < found; t++)
        store_vector(&m, vectors + (size_t)t * (size_t)m.size, t, by_rows ? s.left : s.right,
                     by_rows ? s.right : s.left, &s);
    COB_TRY(cob_ranks_check(m.lines.part.ranks, err));
    *out = s;
    s = (cob_spectrum){0};
done:
    gram_free(&m);
    cob_spectrum_free(&s);
    cob_free(vectors);
    return status;
}

static factor_chain chain_of(cobloc_view view, const cob_part *part, int side)
{
    return (factor_chain){
        .last = view, .major = view.major, .minor = view.minor, .part = *part, .side = side};
}

cobloc_status cob_spectrum_find(const cobloc_matrix *x, const cob_part *part, int count,
                                cob_stream stream, int threads, const cob_watch *watch,
                                cob_spectrum *out, cobloc_error *err)
{
    parts p = {.by_rows = chain_of(cobloc_matrix_by_rows(x), part, 0),
               .by_cols = chain_of(cobloc_matrix_by_cols(x), part, 1),
               .row_sums = cobloc_matrix_row_sums(x),
               .col_sums = cobloc_matrix_col_sums(x),
               .total = cobloc_matrix_total(x)};
    return find(&p, count, stream, threads, watch, out, err);
}

/* ---- products -------------------------------------------------------------------------------- */

/* X in the orientation of `last`. */
static factor_chain product_chain(const cobloc_matrix *last, const double *scale,
                                  const cobloc_matrix *first, double *room)
{
    return (factor_chain){.last = cobloc_matrix_by_rows(last),
                          .first = cobloc_matrix_by_cols(first),
                          .scale = scale,
                          .room = room,
                          .major = last->rows,
                          .minor = first->rows};
}

cobloc_status cob_spectrum_find_product(const cob_product *x, int count, cob_stream stream,
                                        int threads, const cob_watch *watch, cob_spectrum *out,
                                        cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *room = NULL;
    COB_NEW(room, x->rows->cols);
    parts p = {.by_rows = product_chain(x->rows, x->scale, x->cols, room),
               .by_cols = product_chain(x->cols, x->scale, x->rows, room),
               .row_sums = x->row_sums,
               .col_sums = x->col_sums,
               .total = x->total};
    COB_TRY(find(&p, count, stream, threads, watch, out, err));
done:
    cob_free(room);
    return status;
}

/* sums = lines diag(scale) other' 1. */
static cobloc_status sum_lines(const cobloc_matrix *lines, const double *scale,
                               const cobloc_matrix *other, int threads, double **sums,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_view view = cobloc_matrix_by_rows(lines);
    double *between = NULL;
    COB_NEW(*sums, lines->rows);
    COB_NEW(between, lines->cols);
    for (int64_t c = 0; c < lines->cols; c++)
        between[c] = scale[c] * cobloc_matrix_col_sums(other)[c];
    cob_multiply_vector(&view, between, threads, *sums);
done:
    cob_free(between);
    return status;
}

cobloc_status cob_product_make(const cobloc_matrix *rows, const double *scale,
                               const cobloc_matrix *cols, int threads, cob_product *product,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_product made = {.rows = rows, .cols = cols, .scale = scale};
    COB_TRY(sum_lines(rows, scale, cols, threads, &made.row_sums, err));
    COB_TRY(sum_lines(cols, scale, rows, threads, &made.col_sums, err));
    for (int64_t i = 0; i < rows->rows; i++)
        made.total += made.row_sums[i];
    *product = made;
    made = (cob_product){0};
done:
    cob_product_free(&made);
    return status;
}

void cob_product_free(cob_product *product)
{
    cob_free(product->row_sums);
    cob_free(product->col_sums);
    *product = (cob_product){0};
}
