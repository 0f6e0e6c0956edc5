/* The terms of the clusters: by frequency, and by how characteristic they are.
 * SPDX-License-Identifier: MIT
 */
#include "describe/describe.h"

#include "base/alloc.h"
#include "base/top.h"
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

static bool more_frequent(const void *a, const void *b)
{
    return ((const cobloc_term *)a)->sum > ((const cobloc_term *)b)->sum;
}

static bool more_telling(const void *a, const void *b)
{
    const cobloc_term *x = a, *y = b;
    return x->weight > y->weight || (x->weight == y->weight && x->sum > y->sum);
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

static cobloc_status make_lists(const cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    for (int g = 0; g < d->group_count; g++) {
        cob_group *group = &d->groups[g];
        cobloc_bloc *b = group->bloc;
        int pool = most_of(most_of(d->o->pool, d->o->graph_terms), d->o->terms);
        group->pool_most = fewest_of(b->cols, pool);
        COB_NEW(group->pool, group->pool_most);
        COB_NEW(b->telling, telling_most(d, b));
    }
done:
    return status;
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
                         const double *sums, const int64_t *counts)
{
    int l = d->r->col_labels[col];
    for (int at = o->first[l]; at < o->first[l + 1]; at++) {
        cob_group *g = &d->groups[o->groups[at]];
        cobloc_term term = term_of(g, col, everywhere, sums, counts);
        if (term.rows == 0)
            continue;
        cob_top_offer(g->pool, &g->pool_count, g->pool_most, sizeof term, &term, more_frequent);
        cob_top_offer(g->bloc->telling, &g->bloc->telling_count, telling_most(d, g->bloc),
                      sizeof term, &term, more_telling);
    }
}

/* The clusters of the rows in bytes, which nearer caches hold, where there are few; NONE for -1. */
enum { NONE = UINT8_MAX };
static cobloc_status labels_as_bytes(const cobloc_result *r, uint8_t **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    if (r->k > NONE)
        return COBLOC_OK;
    COB_NEW(*out, r->n);
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

/* Some columns at a time are summed on all threads, then offered in their order. */
static cobloc_status pass_columns(const cob_describing *d, const owners *o, cobloc_error *err)
{
    enum { AT_ONCE = 2048 };
    cobloc_status status = COBLOC_OK;
    cobloc_view cols = cobloc_matrix_by_cols(d->matrix);
    double *sums = NULL, everywhere[AT_ONCE];
    int64_t *counts = NULL, k = d->r->k, some = cols.major < AT_ONCE ? cols.major : AT_ONCE;
    uint8_t *bytes = NULL;
    COB_TRY(labels_as_bytes(d->r, &bytes, err));
    COB_NEW(sums, k * some);
    COB_NEW(counts, k * some);
    for (int64_t first = 0; first < cols.major; first += AT_ONCE) {
        int64_t last = first + AT_ONCE < cols.major ? first + AT_ONCE : cols.major;
#pragma omp parallel for schedule(dynamic) num_threads(d->threads)
        for (int64_t j = first; j < last; j++) {
            cob_make_room((size_t)(cols.offsets[j + 1] - cols.offsets[j]) *
                          cob_entry_bytes(cols.kind));
            if (d->r->col_labels[j] >= 0)
                everywhere[j - first] = sum_column(d, &cols, bytes, j, sums + (j - first) * k,
                                                   counts + (j - first) * k);
        }
        for (int64_t j = first; j < last; j++)
            if (d->r->col_labels[j] >= 0)
                offer_column(d, o, j, everywhere[j - first], sums + (j - first) * k,
                             counts + (j - first) * k);
    }
done:
    cob_free(bytes);
    cob_free(sums);
    cob_free(counts);
    return status;
}

cobloc_status cob_find_terms(cob_describing *d, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    owners o = {0};
    COB_TRY(make_lists(d, err));
    COB_TRY(find_owners(d, &o, err));
    COB_TRY(pass_columns(d, &o, err));
    for (int g = 0; g < d->group_count; g++) {
        cob_group *group = &d->groups[g];
        cobloc_bloc *b = group->bloc;
        b->frequent_count = fewest_of(group->pool_count, d->o->terms);
        COB_NEW(b->frequent, b->frequent_count);
        memcpy(b->frequent, group->pool, (size_t)b->frequent_count * sizeof *b->frequent);
    }
done:
    cob_free(o.first);
    cob_free(o.groups);
    return status;
}
