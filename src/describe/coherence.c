/* How often the terms of a cluster occur together: Jaccard, NPMI, graphs.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "base/intern.h"
#include "describe/describe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ----------------------------------------------------------------------------------- */

static void add_pairs(uint64_t mask, int count, double *pairs)
{
    for (uint64_t a = mask; a; a &= a - 1)
        for (uint64_t b = mask; b; b &= b - 1)
            pairs[__builtin_ctzll(a) * count + __builtin_ctzll(b)] += 1;
}

void cob_count_pairs(const cobloc_view *cols, const int64_t *terms, int count, uint64_t *masks,
                     double *pairs)
{
    memset(pairs, 0, (size_t)count * (size_t)count * sizeof *pairs);
    for (int t = 0; t < count; t++)
        for (int64_t e = terms[t] < 0 ? 0 : cols->offsets[terms[t]];
             terms[t] >= 0 && e < cols->offsets[terms[t] + 1]; e++)
            masks[cols->indices[e]] |= (uint64_t)1 << t;
    for (int t = 0; t < count; t++)
        for (int64_t e = terms[t] < 0 ? 0 : cols->offsets[terms[t]];
             terms[t] >= 0 && e < cols->offsets[terms[t] + 1]; e++) {
            add_pairs(masks[cols->indices[e]], count, pairs);
            masks[cols->indices[e]] = 0; /* count each row once */
        }
}

double cob_npmi(double both, double a, double b, double n)
{
    if (!(a > 0 && b > 0))
        return NAN;
    if (!(both > 0))
        return -1;
    if (both == n) /* both in every row: uninformative */
        return 0;
    return log(both * n / (a * b)) / -log(both / n);
}

static double jaccard_of(double both, double a, double b)
{
    return both / (a + b - both);
}

/* ---- coherence ------------------------------------------------------------------------------- */

/* The corpus in which NPMI is measured, with scratch space. */
typedef struct corpus {
    cobloc_view cols;
    cob_intern names; /* of a reference corpus; empty: the matrix's own columns */
    bool other;
    uint64_t *masks;
} corpus;

static void corpus_free(corpus *c)
{
    cob_intern_free(&c->names);
    cob_free(c->masks);
}

static cobloc_status corpus_open(const cobloc_matrix *matrix, bool other, corpus *c,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    c->cols = cobloc_matrix_by_cols(matrix);
    c->other = other;
    COB_NEW_ZERO(c->masks, matrix->rows);
    for (int64_t j = 0; other && j < matrix->cols; j++) {
        const char *name = cobloc_matrix_col_name(matrix, j);
        int64_t number, next = c->names.names.count;
        COB_TRY(cob_intern_add(&c->names, name, strlen(name), &number, err));
        COB_CHECK(number == next, COBLOC_BAD_DATA,
                  "two columns of the reference have the name '%.60s'", name);
    }
done:
    return status;
}

/* The column of each term in the corpus; -1 if it does not occur. */
static cobloc_status find_columns(corpus *c, const cobloc_matrix *matrix, int64_t *terms, int count,
                                  int64_t *unknown, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int t = 0; c->other && t < count; t++) {
        const char *name = cobloc_matrix_col_name(matrix, terms[t]);
        COB_TRY(cob_intern_add(&c->names, name, strlen(name), &terms[t], err));
        if (terms[t] >= c->cols.major) { /* the name was new */
            terms[t] = -1;
            ++*unknown;
        }
    }
done:
    return status;
}

static int larger_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The mean NPMI of term t with its nearest neighbours among the first `among` terms; NaN if it has
 * none. */
static double mean_of_nearest(const double *pairs, int count, int t, int among, int neighbours,
                              double n)
{
    double values[COB_MOST_TERMS], sum = 0;
    int found = 0;
    for (int u = 0; u < among; u++) {
        double npmi =
            u == t ? NAN
                   : cob_npmi(pairs[t * count + u], pairs[t * count + t], pairs[u * count + u], n);
        if (!isnan(npmi))
            values[found++] = npmi;
    }
    qsort(values, (size_t)found, sizeof *values, larger_first);
    found = found < neighbours ? found : neighbours;
    for (int i = 0; i < found; i++)
        sum += values[i];
    return found > 0 ? sum / found : NAN;
}

/* The mean Jaccard index (n = 0) or NPMI over all pairs of the first `most` terms. */
static double mean_of_pairs(const double *pairs, int count, int most, double n)
{
    double sum = 0;
    int found = 0;
    for (int t = 0; t < most; t++)
        for (int u = 0; u < t; u++) {
            double both = pairs[t * count + u], a = pairs[t * count + t], b = pairs[u * count + u];
            double value = n > 0 ? cob_npmi(both, a, b, n) : jaccard_of(both, a, b);
            if (!isnan(value)) {
                sum += value;
                found++;
            }
        }
    return found > 0 ? sum / found : NAN;
}

static int more_coherent(const void *a, const void *b)
{
    const cobloc_term *x = a, *y = b;
    if (x->npmi != y->npmi)
        return x->npmi > y->npmi ? -1 : 1;
    if (x->sum != y->sum)
        return x->sum > y->sum ? -1 : 1;
    return (x->col > y->col) - (x->col < y->col);
}

/* The `most` most coherent of the terms that have an NPMI. */
static cobloc_status order_terms(const cob_group *g, int pool, int most, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cobloc_bloc *b = g->bloc;
    COB_NEW(b->coherent, pool);
    for (int t = 0; t < pool; t++)
        if (!isnan(g->pool[t].npmi))
            b->coherent[b->coherent_count++] = g->pool[t];
    qsort(b->coherent, (size_t)b->coherent_count, sizeof *b->coherent, more_coherent);
    if (b->coherent_count > most)
        b->coherent_count = most;
done:
    return status;
}

static int fewer(int a, int b)
{
    return a < b ? a : b;
}

/* Copies what was found for the pool to the terms that are shown. */
static void fill_lists(const cob_group *g)
{
    cobloc_bloc *b = g->bloc;
    for (int t = 0; t < b->frequent_count; t++)
        b->frequent[t].npmi = g->pool[t].npmi;
    for (int t = 0; t < b->telling_count; t++)
        for (int u = 0; u < g->pool_count; u++)
            if (g->pool[u].col == b->telling[t].col)
                b->telling[t].npmi = g->pool[u].npmi;
}

static cobloc_status measure_group(const cob_describing *d, corpus *own, corpus *other,
                                   cob_group *g, double *pairs, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int count = fewer(g->pool_count, COB_MOST_TERMS), pool = fewer(count, d->o->pool);
    int shown = fewer(g->bloc->frequent_count, count);
    int64_t terms[COB_MOST_TERMS];
    double n = (double)(other ? other : own)->cols.minor;
    for (int t = 0; t < count; t++)
        terms[t] = g->pool[t].col;
    cob_count_pairs(&own->cols, terms, count, own->masks, pairs);
    g->bloc->jaccard = mean_of_pairs(pairs, count, shown, 0);
    if (other) {
        COB_TRY(find_columns(other, d->matrix, terms, count, &d->out->unknown, err));
        cob_count_pairs(&other->cols, terms, count, other->masks, pairs);
    }
    g->bloc->npmi = mean_of_pairs(pairs, count, shown, n);
    for (int t = 0; t < pool; t++)
        g->pool[t].npmi = mean_of_nearest(pairs, count, t, pool, d->o->neighbours, n);
    COB_TRY(order_terms(g, pool, d->o->terms, err));
    fill_lists(g);
done:
    return status;
}

cobloc_status cob_find_coherence(cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    corpus own = {0}, other = {0};
    double *pairs = NULL;
    bool referred = d->o->reference != NULL;
    COB_NEW(pairs, COB_MOST_TERMS * COB_MOST_TERMS);
    COB_TRY(corpus_open(d->matrix, false, &own, err));
    if (referred)
        COB_TRY(corpus_open(d->o->reference, true, &other, err));
    for (int g = 0; g < d->group_count; g++)
        COB_TRY(measure_group(d, &own, referred ? &other : NULL, &d->groups[g], pairs, err));
done:
    corpus_free(&own);
    corpus_free(&other);
    cob_free(pairs);
    return status;
}
