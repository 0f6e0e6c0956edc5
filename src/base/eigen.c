/* Thick-restart Lanczos (Wu and Simon, "Thick-restart Lanczos method for large symmetric eigenvalue
 * problems", SIAM Journal on Matrix Analysis 22, 2000) with full orthogonalisation, done twice.
 * Small operators are turned into dense matrices.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/eigen.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DENSE = 128, LEAST_BASIS = 20, RESTARTS = 3000, BLOCK = 512 };
static const double TOLERANCE = 1e-10; /* relative residual of an eigenvalue */

/* ---- small operators ------------------------------------------------------------------------- */

static cobloc_status write_down(const cob_operator *a, int count, double *vectors,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t size = (size_t)a->size;
    double *matrix = NULL, *values = NULL, *unit = NULL;
    COB_NEW(matrix, size * size);
    COB_NEW(values, size);
    COB_NEW_ZERO(unit, size);
    for (size_t j = 0; j < size; j++) {
        unit[j] = 1;
        COB_TRY(a->apply(a->data, unit, matrix + j * size, err));
        unit[j] = 0;
    }
    COB_TRY(cob_eigen_dense(matrix, a->size, values, err));
    for (size_t t = 0; t < (size_t)count; t++)
        memcpy(vectors + t * size, matrix + (size - 1 - t) * size, size * sizeof *vectors);
done:
    cob_free(matrix);
    cob_free(values);
    cob_free(unit);
    return status;
}

/* ---- large operators ------------------------------------------------------------------------- */

typedef struct lanczos {
    const cob_operator *a;
    int64_t size;
    int basis;      /* largest number of basis vectors; one more is allocated */
    double *v;      /* the basis, vector after vector */
    double *t;      /* basis by basis: V' A V */
    double *ritz;   /* eigenvectors of t, one after the other, */
    double *values; /* and eigenvalues, smallest first */
    double *along;  /* scratch: coefficients of a vector in the basis, */
    double *mixed;  /* and a block of lines of all vectors, for each thread */
    double largest; /* of the diagonal of t so far: less than DBL_EPSILON times it is rounding */
    uint64_t drawn; /* number of random numbers used */
} lanczos;

static void lanczos_free(lanczos *l)
{
    double *const arrays[] = {l->v, l->t, l->ritz, l->values, l->along, l->mixed};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        cob_free(arrays[i]);
}

static cobloc_status lanczos_alloc(lanczos *l, const cob_operator *a, int count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int basis = 2 * count + 1 > LEAST_BASIS ? 2 * count + 1 : LEAST_BASIS;
    *l = (lanczos){.a = a, .size = a->size, .basis = basis < a->size ? basis : a->size};
    size_t kept = (size_t)l->basis;
    COB_NEW(l->v, (size_t)a->size * (kept + 1));
    COB_NEW_ZERO(l->t, kept * kept);
    COB_NEW(l->ritz, kept * kept);
    COB_NEW(l->values, kept);
    COB_NEW(l->along, kept);
    COB_NEW(l->mixed, (size_t)a->threads * kept * BLOCK);
done:
    return status;
}

static double *vector(const lanczos *l, int at)
{
    return l->v + at * l->size;
}

/* w -= V h, for some of the lines. */
COB_CLONES
static void take_away(const double *v, int64_t size, int count, const double *h, int64_t first,
                      int64_t last, double *restrict w)
{
    for (int i = 0; i < count; i++) {
        const double *restrict one = v + i * size;
        double much = h[i];
        for (int64_t k = first; k < last; k++)
            w[k] -= much * one[k];
    }
}

COB_CLONES
static double inner(const double *restrict a, const double *restrict b, int64_t count)
{
    enum { LANES = 16 };
    double sums[LANES] = {0}, sum = 0;
    int64_t k = 0;
    for (; k + LANES <= count; k += LANES)
        for (int t = 0; t < LANES; t++)
            sums[t] += a[k + t] * b[k + t];
    for (; k < count; k++)
        sum += a[k] * b[k];
    for (int t = 0; t < LANES; t++)
        sum += sums[t];
    return sum;
}

/* Makes w orthogonal to the first `count` vectors; `sum`, if not NULL, receives the coefficients.
 * Each number is computed by a single thread. */
static void make_orthogonal(const lanczos *l, int count, double *w, double *sum)
{
    int threads = l->a->threads;
    double *along = l->along;
    for (int time = 0; time < 2; time++) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int i = 0; i < count; i++)
            along[i] = inner(vector(l, i), w, l->size);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int64_t first = 0; first < l->size; first += BLOCK) {
            int64_t last = first + BLOCK < l->size ? first + BLOCK : l->size;
            take_away(l->v, l->size, count, along, first, last, w);
        }
        for (int i = 0; sum && i < count; i++)
            sum[i] += along[i];
    }
}

static double scale_to_unit(double *w, int64_t size)
{
    double length = sqrt(inner(w, w, size));
    for (int64_t k = 0; length > 0 && k < size; k++)
        w[k] /= length;
    return length;
}

static void draw(lanczos *l, cob_stream stream, double *w)
{
    for (int64_t k = 0; k < l->size; k++)
        w[k] = cob_random_uniform(&stream, l->drawn++) - 0.5;
}

/* Extends the basis from vector `from` on: each is A times the one before, made orthogonal to all.
 * *left is the length of the vector after the basis: 0 if A maps the basis into itself. */
static cobloc_status extend(lanczos *l, int from, cob_stream stream, double *left,
                            cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int j = from; j < l->basis; j++) {
        double *next = vector(l, j + 1), *column = l->t + (int64_t)j * l->basis;
        memset(column, 0, (size_t)l->basis * sizeof *column);
        COB_TRY(l->a->apply(l->a->data, vector(l, j), next, err));
        make_orthogonal(l, j + 1, next, column);
        for (int i = 0; i < j; i++)
            l->t[(int64_t)i * l->basis + j] = column[i];
        *left = scale_to_unit(next, l->size);
        l->largest = fmax(l->largest, column[j]);
        if (*left > DBL_EPSILON * l->largest)
            continue;
        *left = 0;
        draw(l, stream, next); /* A maps the basis into itself: continue with a random vector */
        make_orthogonal(l, j + 1, next, NULL);
        scale_to_unit(next, l->size);
    }
done:
    return status;
}

/* mixed += share * one. */
COB_CLONES
static void mix_in(double share, const double *restrict one, int64_t count, double *restrict mixed)
{
    for (int64_t k = 0; k < count; k++)
        mixed[k] += share * one[k];
}

/* Replaces the first vectors by the `count` largest Ritz vectors, largest first; each block of
 * lines is computed on its own. */
static void mix(lanczos *l, int count)
{
    int basis = l->basis;
#pragma omp parallel for schedule(static) num_threads(l->a->threads)
    for (int64_t first = 0; first < l->size; first += BLOCK) {
        int64_t some = l->size - first < BLOCK ? l->size - first : BLOCK;
        double *mixed = l->mixed + (int64_t)cob_thread() * basis * BLOCK;
        memset(mixed, 0, (size_t)basis * BLOCK * sizeof *mixed);
        for (int t = 0; t < count; t++)
            for (int i = 0; i < basis; i++)
                mix_in(l->ritz[(int64_t)(basis - 1 - t) * basis + i], vector(l, i) + first, some,
                       mixed + (int64_t)t * BLOCK);
        for (int t = 0; t < count; t++)
            memcpy(vector(l, t) + first, mixed + (int64_t)t * BLOCK, (size_t)some * sizeof *mixed);
    }
}

/* How many of the `count` largest have converged: the residual of a Ritz vector is `left` times its
 * last coefficient. */
static int count_converged(const lanczos *l, int count, double left)
{
    int found = 0;
    for (int t = 0; t < count; t++) {
        int at = l->basis - 1 - t;
        double residual = left * fabs(l->ritz[(int64_t)at * l->basis + l->basis - 1]);
        found += residual <= fmax(TOLERANCE * l->values[at], DBL_EPSILON * l->largest);
    }
    return found;
}

/* Restarts with the `kept` largest Ritz vectors and the vector after the basis. */
static void restart(lanczos *l, int kept)
{
    mix(l, kept);
    memcpy(vector(l, kept), vector(l, l->basis), (size_t)l->size * sizeof *l->v);
    memset(l->t, 0, (size_t)l->basis * (size_t)l->basis * sizeof *l->t);
    for (int t = 0; t < kept; t++)
        l->t[(int64_t)t * l->basis + t] = l->values[l->basis - 1 - t];
}

static cobloc_status iterate(lanczos *l, int count, cob_stream stream, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int from = 0, found = 0;
    double left = 0;
    draw(l, stream, vector(l, 0));
    scale_to_unit(vector(l, 0), l->size);
    for (int round = 0; round < RESTARTS; round++) {
        COB_TRY(extend(l, from, stream, &left, err));
        memcpy(l->ritz, l->t, (size_t)l->basis * (size_t)l->basis * sizeof *l->t);
        COB_TRY(cob_eigen_dense(l->ritz, l->basis, l->values, err));
        found = count_converged(l, count, left);
        if (found == count)
            break;
        from = count + (l->basis - count) / 2;
        restart(l, from);
    }
    COB_CHECK(found == count, COBLOC_BAD_DATA, "%d singular vectors could not be found", count);
    mix(l, count);
done:
    return status;
}

cobloc_status cob_eigenvectors(const cob_operator *a, int count, cob_stream stream, double *vectors,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    lanczos l = {0};
    if (a->size <= DENSE || 2 * count >= a->size)
        return write_down(a, count, vectors, err);
    COB_TRY(lanczos_alloc(&l, a, count, err));
    COB_TRY(iterate(&l, count, stream, err));
    memcpy(vectors, l.v, (size_t)a->size * (size_t)count * sizeof *vectors);
done:
    lanczos_free(&l);
    return status;
}
