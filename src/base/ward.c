/* Ward's clustering by nearest-neighbour chains (Murtagh 1983). Two clusters that are each other's
 * nearest can be merged at once, even if other pairs are closer; the tree is the same as when the
 * closest pair is always merged first.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/ward.h"

#include "base/alloc.h"

#include <stdlib.h>

typedef struct merge {
    int64_t a, b; /* one point of each */
    double height;
    int64_t order;
} merge;

typedef struct tree {
    double *squares;
    int64_t count;
    double *sizes; /* of the cluster that a point represents; 0: it was merged into another */
    int64_t *chain, length;
    merge *merges;
    int64_t made;
} tree;

static double *row_of(const tree *t, int64_t i)
{
    return t->squares + i * t->count;
}

/* The nearest cluster. On a tie, the one before it in the chain, so that chains end. */
static int64_t nearest(const tree *t, int64_t of, int64_t before)
{
    const double *row = row_of(t, of);
    int64_t best = before;
    for (int64_t j = 0; j < t->count; j++)
        if (t->sizes[j] > 0 && j != of && (best < 0 || row[j] < row[best]))
            best = j;
    return best;
}

/* Merges b into a; a then represents both. */
static void join(tree *t, int64_t a, int64_t b)
{
    double *to = row_of(t, a), *from = row_of(t, b), between = to[b];
    double na = t->sizes[a], nb = t->sizes[b];
    t->merges[t->made] = (merge){a, b, between, t->made};
    t->made++;
    for (int64_t j = 0; j < t->count; j++)
        if (t->sizes[j] > 0 && j != a && j != b) {
            double nj = t->sizes[j];
            double apart =
                ((na + nj) * to[j] + (nb + nj) * from[j] - nj * between) / (na + nb + nj);
            to[j] = row_of(t, j)[a] = apart;
        }
    t->sizes[a] = na + nb;
    t->sizes[b] = 0;
}

static void grow(tree *t)
{
    int64_t first = 0;
    while (t->made < t->count - 1) {
        if (t->length == 0) {
            while (t->sizes[first] <= 0)
                first++;
            t->chain[t->length++] = first;
        }
        int64_t last = t->chain[t->length - 1];
        int64_t before = t->length > 1 ? t->chain[t->length - 2] : -1;
        int64_t next = nearest(t, last, before);
        if (next == before) {
            t->length -= 2;
            join(t, last < next ? last : next, last < next ? next : last);
        } else {
            t->chain[t->length++] = next;
        }
    }
}

static int by_height(const void *a, const void *b)
{
    const merge *x = a, *y = b;
    if (x->height != y->height)
        return x->height < y->height ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* ---- cutting --------------------------------------------------------------------------------- */

static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Carries out the cheapest merges. `labels` holds parents first, then labels. */
static double cut(tree *t, int k, int32_t *labels)
{
    double cost = 0;
    int32_t next = 0;
    qsort(t->merges, (size_t)t->made, sizeof *t->merges, by_height);
    for (int64_t i = 0; i < t->count; i++)
        labels[i] = (int32_t)i;
    for (int64_t m = 0; m < t->count - k; m++) {
        int32_t a = root_of(labels, (int32_t)t->merges[m].a);
        int32_t b = root_of(labels, (int32_t)t->merges[m].b);
        labels[a < b ? b : a] = a < b ? a : b;
        cost += t->merges[m].height;
    }
    for (int64_t i = 0; i < t->count; i++) /* roots come before their descendants */
        if (labels[i] != i)
            labels[i] = root_of(labels, (int32_t)i);
    for (int64_t i = 0; i < t->count; i++)
        labels[i] = labels[i] == i ? -1 - next++ : labels[labels[i]];
    for (int64_t i = 0; i < t->count; i++)
        labels[i] = -1 - labels[i];
    return cost;
}

cobloc_status cob_ward(double *squares, int64_t count, int k, int32_t *labels, double *cost,
                       cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    tree t = {.squares = squares, .count = count};
    COB_NEW(t.sizes, count);
    COB_NEW(t.chain, count + 1);
    COB_NEW(t.merges, count);
    for (int64_t i = 0; i < count; i++)
        t.sizes[i] = 1;
    grow(&t);
    *cost = cut(&t, k, labels);
done:
    cob_free(t.sizes);
    cob_free(t.chain);
    cob_free(t.merges);
    return status;
}
