/* Eigenvectors of a dense symmetric matrix: Householder reflections make it tridiagonal, then QL
 * iterations with implicit shifts make it diagonal. After Bowdler, Martin, Reinsch and Wilkinson,
 * "The QR and QL algorithms for symmetric matrices", Numerische Mathematik 11, 1968; Golub and Van
 * Loan, "Matrix computations", section 8.3.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/eigen.h"

#include "base/alloc.h"
#include "base/vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* a += factor * b. */
static void add(double *restrict a, double factor, const double *restrict b, int count)
{
    for (int i = 0; i < count; i++)
        a[i] += factor * b[i];
}

/* ---- tridiagonal ----------------------------------------------------------------------------- */

/* Replaces A (n by n) by H A H, for the reflection H = 1 - 2 u u' that clears line `at` except the
 * diagonal and the number before it, which is returned. Only the leading at + 1 lines are used. The
 * first `at` numbers of the line then hold u. */
static double reflect(double *a, int n, int at, double *room)
{
    double *u = a + (int64_t)at * n;
    double length = sqrt(cob_inner(u, u, at));
    double off = u[at - 1] > 0 ? -length : length;
    u[at - 1] -= off;
    double squares = cob_inner(u, u, at);
    for (int i = 0; squares > 0 && i < at; i++)
        u[i] /= sqrt(squares);
    for (int i = 0; i < at; i++)
        room[i] = cob_inner(a + (int64_t)i * n, u, at);
    add(room, -cob_inner(room, u, at), u, at); /* p - (u'p) u, with p = A u */
    for (int i = 0; i < at; i++) {
        add(a + (int64_t)i * n, -2 * u[i], room, at);
        add(a + (int64_t)i * n, -2 * room[i], u, at);
    }
    return off;
}

/* Replaces A, whose lines hold the reflections, by the product of all of them, as rows. */
static void collect(double *a, int n, double *room)
{
    for (int at = 0; at < n; at++) {
        double *u = a + (int64_t)at * n;
        memcpy(room, u, (size_t)at * sizeof *room);
        for (int i = 0; i < at; i++) /* multiplies the rows so far, of length at, by H */
            add(a + (int64_t)i * n, -2 * cob_inner(a + (int64_t)i * n, room, at), room, at);
        for (int i = 0; i < n; i++)
            u[i] = i == at ? 1 : 0;
    }
}

/* ---- diagonal -------------------------------------------------------------------------------- */

/* Rotates two vectors; c and s are the cosine and the sine of the angle. */
static void rotate(double *restrict one, double *restrict other, int n, double c, double s)
{
    for (int k = 0; k < n; k++) {
        double x = one[k], y = other[k];
        one[k] = c * x - s * y;
        other[k] = s * x + c * y;
    }
}

/* One QL step for lines first .. last, a block of the tridiagonal matrix that does not split. */
static void ql_step(double *d, double *e, double *vectors, int n, int first, int last)
{
    double g = (d[first + 1] - d[first]) / (2 * e[first]), r = hypot(g, 1);
    double s = 1, c = 1, p = 0;
    g = d[last] - d[first] + e[first] / (g + (g >= 0 ? r : -r));
    for (int i = last - 1; i >= first; i--) {
        double f = s * e[i], b = c * e[i];
        e[i + 1] = r = hypot(f, g);
        if (r == 0) { /* the block splits here */
            d[i + 1] -= p;
            e[last] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(vectors + (int64_t)i * n, vectors + (int64_t)(i + 1) * n, n, c, s);
    }
    d[first] -= p;
    e[first] = g;
    e[last] = 0;
}

static cobloc_status diagonalise(double *d, double *e, double *vectors, int n, cobloc_error *err)
{
    enum { MOST_STEPS = 60 };
    cobloc_status status = COBLOC_OK;
    for (int first = 0; first < n; first++)
        for (int step = 0;; step++) {
            int last = first;
            while (last < n - 1 &&
                   fabs(e[last]) > DBL_EPSILON / 2 * (fabs(d[last]) + fabs(d[last + 1])))
                last++;
            if (last == first)
                break;
            COB_CHECK(step < MOST_STEPS, COBLOC_BAD_DATA, "the eigenvectors could not be found");
            ql_step(d, e, vectors, n, first, last);
        }
done:
    return status;
}

static void sort(double *values, double *vectors, int n, double *room)
{
    size_t bytes = (size_t)n * sizeof *room;
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            least = values[j] < values[least] ? j : least;
        if (least == i)
            continue;
        double value = values[i];
        values[i] = values[least];
        values[least] = value;
        memcpy(room, vectors + (int64_t)i * n, bytes);
        memcpy(vectors + (int64_t)i * n, vectors + (int64_t)least * n, bytes);
        memcpy(vectors + (int64_t)least * n, room, bytes);
    }
}

cobloc_status cob_eigen_dense(double *a, int n, double *values, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    double *off = NULL, *room = NULL;
    COB_NEW_ZERO(off, n);
    COB_NEW(room, n);
    for (int at = n - 1; at > 0; at--) {
        values[at] = a[(int64_t)at * n + at];
        off[at - 1] = reflect(a, n, at, room);
    }
    values[0] = n > 0 ? a[0] : 0;
    collect(a, n, room);
    COB_TRY(diagonalise(values, off, a, n, err));
    sort(values, a, n, room);
done:
    cob_free(off);
    cob_free(room);
    return status;
}
