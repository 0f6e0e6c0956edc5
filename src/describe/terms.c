/* The terms of the clusters: by frequency, and by how characteristic they are.
 * SPDX-License-Identifier: MIT
 */
#include "describe/describe.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "base/top.h"
#include "matrix/transpose.h"
#include "models/common.h"

#include <math.h>
#include <string.h>

/* ---- one term -------------------------------------------------------------------------------- */

/* x log(x / expected); 0 if x is 0. */
static double deviance(double x, double expected)
{
    return x > 0 ? x * log(x / expected) : 0;
}

/* The log-likelihood ratio of a 2 x 2 table: entries of the term and all others, inside the group's
 * rows and outside. Negative if the group has less of the term than the rest. */
static double signed_ratio(double inside, double everywhere, const cob_group *g)
{
    double total = g->row_sum + g->outside_sum, rest = total - everywhere;
    double share = g->row_sum / total, outside = everywhere - inside;
    if (!(g->outside_sum > 0) || !(total > 0))
        return 0;
    double sum = deviance(inside, share * everywhere) +
                 deviance(outside, (1 - share) * everywhere) +
                 deviance(g->row_sum - inside, share * rest) +
                 deviance(g->outside_sum - outside, (1 - share) * rest);
    double ratio = sum > 0 ? 2 * sum : 0; /* rounding may make it negative */
    return inside >= share * everywhere ? ratio : -ratio;
}

/* The statistics of a column in a group, from its sums and counts over all row clusters. */
static cobloc_term term_of(const cob_group *g, int64_t col, double everywhere, const double *sums,
                           const int64_t *counts)
{
    cobloc_term term = {.col = col, .npmi = NAN};
    for (int i = 0; i < g->row_count; i++) {
        term.sum += sums[g->row_clusters[i]];
        term.rows += counts[g->row_clusters[i]];
    }
    term.share = cob_ratio(term.sum, everywhere);
    term.weight = signed_ratio(term.sum, everywhere, g);
    return term;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* No two terms are equal: lists do not depend on the order of what is offered. */
static bool more_frequent(const void *a, const void *b)
{
    const cobloc_term *x = a, *y = b;
    return x->sum > y->sum || (x->sum == y->sum && x->col < y->col);
}

static bool more_telling(const void *a, const void *b)
{
    const cobloc_term *x = a, *y = b;
    return x->weight > y->weight || (x->weight == y->weight && more_frequent(x, y));
}

static int most_of(int a, int b)
{
    return a > b ? a : b;
}

static int fewest_of(int64_t a, int b)
{
    return a < b ? (int)a : b;
}

/* Graphs may have more terms than lists: those are cut short when the graphs are made. */
static int telling_most(const cob_describing *d, const cobloc_bloc *b)
{
    return fewest_of(b->cols, most_of(d->o->terms, d->o->graph_terms));
}

/* The best terms of a group, of those that one thread has seen. */
typedef struct lists {
    cobloc_term *pool, *telling;
    int pool_count, telling_count;
} lists;

static cobloc_status make_lists(const cob_describing *d, lists *of_groups, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int g = 0; g < d->group_count; g++) {
        cob_group *group = &d->groups[g];
        int pool = most_of(most_of(d->o->pool, d->o->graph_terms), d->o->terms);
        group->pool_most = fewest_of(group->bloc->cols, pool);
        COB_NEW(of_groups[g].pool, group->pool_most);
        COB_NEW(of_groups[g].telling, telling_most(d, group->bloc));
    }
done:
    return status;
}

static void offer_pool(const cob_describing *d, int g, lists *to, const cobloc_term *term)
{
    cob_top_offer(to[g].pool, &to[g].pool_count, d->groups[g].pool_most, sizeof *term, term,
                  more_frequent);
}

static void offer_telling(const cob_describing *d, int g, lists *to, const cobloc_term *term)
{
    cob_top_offer(to[g].telling, &to[g].telling_count, telling_most(d, d->groups[g].bloc),
                  sizeof *term, term, more_telling);
}

/* Moves the best of what the threads have found to the groups. */
static void join_lists(const cob_describing *d, lists *all)
{
    for (int g = 0; g < d->group_count; g++) {
        cob_group *group = &d->groups[g];
        for (int t = 1; t < d->threads; t++) {
            const lists *one = &all[t * d->group_count + g];
            for (int i = 0; i < one->pool_count; i++)
                offer_pool(d, g, all, &one->pool[i]);
            for (int i = 0; i < one->telling_count; i++)
                offer_telling(d, g, all, &one->telling[i]);
        }
        group->pool = all[g].pool;
        group->pool_count = all[g].pool_count;
        group->bloc->telling = all[g].telling;
        group->bloc->telling_count = all[g].telling_count;
        all[g] = (lists){0};
    }
}

/* ---- the pass over the columns --------------------------------------------------------------- */

/* The groups that each column cluster belongs to: those of cluster l are first[l] to first[l + 1] -
 * 1. */
typedef struct owners {
    int *first, *groups;
} owners;

static cobloc_status find_owners(const cob_describing *d, owners *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    int l = d->r->l, all = 0;
    COB_NEW_ZERO(o->first, l + 2);
    for (int g = 0; g < d->group_count; g++) {
        all += d->groups[g].col_count;
        for (int c = 0; c < d->groups[g].col_count; c++)
            o->first[d->groups[g].col_clusters[c] + 2]++;
    }
    for (int c = 2; c < l + 2; c++)
        o->first[c] += o->first[c - 1];
    COB_NEW(o->groups, all);
    for (int g = 0; g < d->group_count; g++)
        for (int c = 0; c < d->groups[g].col_count; c++)
            o->groups[o->first[d->groups[g].col_clusters[c] + 1]++] = g;
done:
    return status;
}

static void offer_column(const cob_describing *d, const owners *o, int64_t col, double everywhere,
                         const double *sums, const int64_t *counts, lists *to)
{
    int l = d->r->col_labels[col];
    for (int at = o->first[l]; at < o->first[l + 1]; at++) {
        int g = o->groups[at];
        cobloc_term term = term_of(&d->groups[g], col, everywhere, sums, counts);
        if (term.rows == 0)
            continue;
        offer_pool(d, g, to, &term);
        offer_telling(d, g, to, &term);
    }
}

/* The clusters of the rows in bytes, which nearer caches hold, where there are few; NONE for -1. */
enum { NONE = UINT8_MAX };
static cobloc_status labels_as_bytes(const cobloc_result *r, int threads, uint8_t **out,
                                     cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (r->k > NONE)
        return COBLOC_OK;
    COB_NEW(*out, r->n);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < r->n; i++)
        (*out)[i] = (uint8_t)r->row_labels[i];
done:
    return status;
}

/* Sums and counts of a column over the row clusters; returns the sum of all. */
static double sum_column(const cob_describing *d, const cobloc_view *cols, const uint8_t *bytes,
                         int64_t j, double *sums, int64_t *counts)
{
    size_t k = (size_t)d->r->k;
    double everywhere = 0;
    memset(sums, 0, k * sizeof *sums);
    memset(counts, 0, k * sizeof *counts);
    for (int64_t e = cols->offsets[j]; e < cols->offsets[j + 1]; e++) {
        int32_t row = cols->indices[e], row_cluster = bytes ? bytes[row] : d->r->row_labels[row];
        if (row_cluster < 0 || (bytes && row_cluster == NONE))
            continue;
        double value = cob_value_get(cols->kind, cols->values, e);
        sums[row_cluster] += value;
        counts[row_cluster]++;
        everywhere += value;
    }
    return everywhere;
}

/* Some columns, of which one is looked at after the other. */
static void pass_some(const cob_describing *d, const owners *o, const cobloc_view *cols,
                      cob_between some, const uint8_t *bytes, double *sums, int64_t *counts,
                      lists *all)
{
    int64_t left = cols->offsets[some.first];
    for (int64_t j = some.first; j < some.last; j++) {
        if (d->r->col_labels[j] >= 0) {
            cob_make_room((size_t)(cols->offsets[j + 1] - cols->offsets[j]) *
                          cob_entry_bytes(cols->kind));
            double everywhere = sum_column(d, cols, bytes, j, sums, counts);
            offer_column(d, o, j, everywhere, sums, counts, all);
        }
        left = cob_leave_behind(cols, left, cols->offsets[j + 1], j + 1 == some.last);
    }
}

static cobloc_status pass_columns(const cob_describing *d, const owners *o, lists *all,
                                  cobloc_error *err)
{
    enum { APART = COB_APART / sizeof(double) }; /* numbers */
    cobloc_status status = COBLOC_OK;
    cobloc_view cols = cobloc_matrix_by_cols(d->matrix);
    int64_t *counts = NULL, wide = d->r->k + APART;
    double *sums = NULL;
    uint8_t *bytes = NULL;
    COB_TRY(labels_as_bytes(d->r, d->threads, &bytes, err));
    COB_NEW(sums, wide * d->threads);
    COB_NEW(counts, wide * d->threads);
    int chunks = cob_chunk_count(&cols, d->threads);
#pragma omp parallel for schedule(dynamic) num_threads(d->threads)
    for (int c = 0; c < chunks; c++) {
        cob_between some = {cob_chunk_begin(cols.offsets, cols.major, c, chunks),
                            cob_chunk_begin(cols.offsets, cols.major, c + 1, chunks)};
        int t = cob_thread();
        pass_some(d, o, &cols, some, bytes, sums + t * wide, counts + t * wide,
                  all + t * d->group_count);
    }
done:
    cob_free(bytes);
    cob_free(sums);
    cob_free(counts);
    return status;
}

static void free_lists(lists *all, int count)
{
    for (int i = 0; all && i < count; i++) {
        cob_free(all[i].pool);
        cob_free(all[i].telling);
    }
    cob_free(all);
}

cobloc_status cob_find_terms(cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    owners o = {0};
    lists *all = NULL;
    COB_NEW_ZERO(all, d->threads * d->group_count);
    for (int t = 0; t < d->threads; t++)
        COB_TRY(make_lists(d, all + t * d->group_count, err));
    COB_TRY(find_owners(d, &o, err));
    COB_TRY(pass_columns(d, &o, all, err));
    join_lists(d, all);
    for (int g = 0; g < d->group_count; g++) {
        cob_group *group = &d->groups[g];
        cobloc_bloc *b = group->bloc;
        b->frequent_count = fewest_of(group->pool_count, d->o->terms);
        COB_NEW(b->frequent, b->frequent_count);
        memcpy(b->frequent, group->pool, (size_t)b->frequent_count * sizeof *b->frequent);
    }
done:
    free_lists(all, d->threads * d->group_count);
    cob_free(o.first);
    cob_free(o.groups);
    return status;
}
