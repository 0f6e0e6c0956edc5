/* Which clusters may best be merged.
 * SPDX-License-Identifier: MIT
 */
#include "engine/affinity.h"

#include "base/alloc.h"
#include "base/vectors.h"

#include <math.h>
#include <string.h>

/* ---- products of lines ----------------------------------------------------------------------- */

cobloc_status cob_products_alloc(cob_products *products, int clusters, int others, bool paired,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    products->paired = paired;
    products->room = (size_t)clusters;
    COB_NEW(products->of, products->room * products->room);
    COB_NEW(products->squares, products->room);
    COB_NEW(products->lines, 2 * products->room);
    COB_NEW(products->filled, others);
    if (!paired)
        COB_NEW(products->turned, (size_t)others * products->room);
done:
    return status;
}

void cob_products_free(cob_products *products)
{
    cob_free(products->of);
    cob_free(products->squares);
    cob_free(products->lines);
    cob_free(products->turned);
    cob_free(products->filled);
    *products = (cob_products){0};
}

/* The products of a line with others, x[l] times line l of `lines`, which stand `apart` from each
 * other, for those l of which there is any: of so many clusters, a constant, whose sums stay in
 * registers. Each is in the order of its line. */
COB_INLINE void add_some(const double *restrict x, const double *restrict lines, size_t apart,
                         const int *filled, int count, int clusters, double *restrict own)
{
    enum { MOST = 32 };
    double sums[MOST] = {0};
    for (int f = 0; f < count; f++) {
        size_t at = (size_t)filled[f] * apart;
        for (int i = 0; i < clusters; i++)
            sums[i] += x[at] * lines[at + (size_t)i];
    }
    memcpy(own, sums, (size_t)clusters * sizeof *own);
}

COB_CLONES static void add_products(const double *restrict x, const double *restrict lines,
                                    size_t apart, const int *filled, int count, int from, int until,
                                    double *restrict own)
{
    int b = from;
    for (; b + 32 <= until; b += 32)
        add_some(x, lines + b, apart, filled, count, 32, own + b);
    for (; b + 8 <= until; b += 8)
        add_some(x, lines + b, apart, filled, count, 8, own + b);
    for (; b < until; b++)
        add_some(x, lines + b, apart, filled, count, 1, own + b);
}

/* The table as the other side sees it: what lines hold of a cluster stands side by side. */
static void turn(const cob_products *products, const cob_stats *s)
{
    for (int k = 0; k < s->g; k++)
        for (int l = 0; l < s->m; l++)
            products->turned[(size_t)l * products->room + (size_t)k] = cob_block(s, k, l);
}

/* Where a line has anything; how many places these are. */
static int list_filled(const double *x, size_t apart, int count, int *filled)
{
    int found = 0;
    for (int l = 0; l < count; l++) {
        filled[found] = l;
        found += x[(size_t)l * apart] != 0;
    }
    return found;
}

/* Those of a with itself and the clusters above; lines were turned before. */
static void measure_line(const cob_products *products, const cob_stats *s, int a)
{
    double *restrict own = products->of + (size_t)a * products->room;
    bool turned = s->down == 1;
    for (int b = a; products->paired && b < s->g; b++)
        own[b] = cob_block(s, a, b) + cob_block(s, b, a);
    if (products->paired)
        return;
    const double *lines = turned ? s->block : products->turned;
    size_t apart = turned ? s->across : products->room;
    int count = list_filled(lines + a, apart, s->m, products->filled);
    add_products(lines + a, lines, apart, products->filled, count, a, s->g, own);
}

static void prepare_lines(const cob_products *products, const cob_stats *s)
{
    if (!products->paired && s->down != 1)
        turn(products, s);
}

static void keep_squares(const cob_products *products, int count)
{
    for (int a = 0; a < count; a++)
        products->squares[a] = products->of[(size_t)a * (products->room + 1)];
}

static void mirror_line(const cob_products *products, int a, int count)
{
    for (int b = a; b < count; b++)
        products->of[(size_t)b * products->room + (size_t)a] =
            products->of[(size_t)a * products->room + (size_t)b];
}

void cob_products_measure(cob_products *products, const cob_stats *s)
{
    prepare_lines(products, s);
    for (int a = 0; a < s->g; a++) {
        measure_line(products, s, a);
        mirror_line(products, a, s->g);
    }
    keep_squares(products, s->g);
}

void cob_products_join(cob_products *products, int count, int a, int b)
{
    double *own = products->of + (size_t)a * products->room;
    double *other = products->of + (size_t)b * products->room;
    double itself = own[a] + 2 * own[b] + other[b];
    for (int c = 0; c < count; c++) {
        double *line = products->of + (size_t)c * products->room;
        own[c] += other[c];
        other[c] = 0;
        line[a] = own[c];
        line[b] = 0;
    }
    own[a] = products->squares[a] = itself;
    own[b] = products->squares[b] = 0;
}

void cob_products_close(cob_products *products, int count, const cob_gaps *gaps)
{
    double *to = products->of;
    for (int k = 0; k < count; k++) {
        if (gaps->is[k])
            continue;
        cob_copy_without(gaps, products->of + (size_t)k * products->room, sizeof *to, count, to);
        to += products->room;
    }
    cob_copy_without(gaps, products->squares, sizeof *to, count, products->squares);
}

void cob_products_follow(cob_products *products, const cob_stats *s, int c, int d)
{
    double *restrict x = products->lines, *restrict y = products->lines + products->room;
    for (int a = 0; a < s->g; a++) {
        x[a] = cob_block(s, a, c);
        y[a] = cob_block(s, a, d);
    }
    for (int a = 0; a < s->g; a++) {
        double *restrict own = products->of + (size_t)a * products->room;
        double first = x[a], second = y[a];
        for (int b = 0; b < s->g && (first != 0 || second != 0); b++)
            own[b] += first * y[b] + second * x[b];
    }
    keep_squares(products, s->g);
}

/* ---- partners -------------------------------------------------------------------------------- */

/* How much a belongs together with every co-cluster: the gain of modularity by merging the two, for
 * its size. */
static void pair_affinities(const cob_stats *s, const double *restrict shared, int a,
                            double *restrict to)
{
    const double *restrict rows = s->R, *restrict cols = s->C;
    double R = rows[a], C = cols[a], total = s->total;
    for (int b = 0; b < s->g; b++)
        to[b] = shared[b] - (R * cols[b] + rows[b] * C) / total;
}

/* And every cluster of one side, as that side sees them: the cosine of their lines of the table. */
COB_CLONES static void line_affinities(const double *restrict products,
                                       const double *restrict squares, int a, int count,
                                       double *restrict to)
{
    double own = squares[a];
    for (int b = 0; b < count; b++) {
        double cosine = products[b] / sqrt(own * squares[b]);
        to[b] = own > 0 && squares[b] > 0 ? cosine : 0;
    }
}

/* And where blocks have several layers: how little the squared distance of cells from their means
 * grows when both are one. Of moments the means alone count, of codes all categories do. */
static double nearness(const cob_stats *s, int a, int b)
{
    double grown = 0;
    for (int l = 0; l < s->m; l++) {
        double x = cob_cells(s, a, l), y = cob_cells(s, b, l), squares = 0, rest = 0;
        for (int c = 0; x > 0 && y > 0 && c < (s->codes ? s->values : 1); c++) {
            double away = cob_block_of(s, c, a, l) / x - cob_block_of(s, c, b, l) / y;
            squares += away * away;
            rest += away; /* what the first category lacks */
        }
        grown += x > 0 && y > 0 ? x * y / (x + y) * (squares + (s->codes ? rest * rest : 0)) : 0;
    }
    return -grown;
}

/* How much a and b belong together; the same number as among all those of a. */
double cob_affinity(const cob_stats *s, const cob_products *products, int a, int b)
{
    double shared = products->of ? products->of[(size_t)a * products->room + (size_t)b] : 0;
    double x = products->of ? products->squares[a] : 0, y = products->of ? products->squares[b] : 0;
    if (!products->of)
        return nearness(s, a, b);
    if (products->paired)
        return shared - (s->R[a] * s->C[b] + s->R[b] * s->C[a]) / s->total;
    return x > 0 && y > 0 ? shared / sqrt(x * y) : 0;
}

static void affinities(const cob_stats *s, const cob_products *products, int a, double *to)
{
    const double *own = products->of ? products->of + (size_t)a * products->room : NULL;
    if (!own)
        for (int b = 0; b < s->g; b++)
            to[b] = nearness(s, a, b);
    else if (products->paired)
        pair_affinities(s, own, a, to);
    else
        line_affinities(own, products->squares, a, s->g, to);
}

int cob_find_partners(const cob_stats *s, const cob_products *products, const cob_gaps *gaps, int a,
                      double *room, int partner[COB_PARTNERS])
{
    int found = 0;
    double least = 0; /* of the partners, once there are enough of them */
    affinities(s, products, a, room);
    for (int b = 0; b < s->g; b++) {
        if ((found == COB_PARTNERS && !(least < room[b])) || b == a || gaps->is[b])
            continue;
        found += found < COB_PARTNERS;
        int at = found - 1;
        for (; at > 0 && room[partner[at - 1]] < room[b]; at--)
            partner[at] = partner[at - 1];
        partner[at] = b;
        least = room[partner[found - 1]];
    }
    return found;
}
