/* cobloc_cut: a result with fewer clusters, by its hierarchy.
 *
 * The labels are merged and kept fixed in a fit of the same model, which so gets parameters, a rule
 * and a criterion like any other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/alloc.h"

#include <stdlib.h>

/* ---- groups ---------------------------------------------------------------------------------- */

/* A cluster of the hierarchy, for its canonical number: by size, ties by the first member. */
typedef struct group {
    int root; /* its smallest cluster */
    int64_t size, first;
} group;

static int larger_first(const void *a, const void *b)
{
    const group *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* merged[c]: the number that row cluster c has when k are left. */
static cobloc_status merge_down(const cobloc_result *r, int k, int32_t *merged, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    group *groups = NULL;
    int *number = NULL;
    COB_NEW_ZERO(groups, r->k);
    COB_NEW(number, r->k);
    for (int c = 0; c < r->k; c++) {
        merged[c] = c;
        groups[c] = (group){c, 0, r->n};
    }
    for (int s = 0; s < r->k - k; s++)
        for (int c = 0; c < r->k; c++)
            if (merged[c] == r->merges[2 * s + 1])
                merged[c] = r->merges[2 * s];
    for (int64_t i = r->n - 1; i >= 0; i--)
        if (r->row_labels[i] >= 0) {
            groups[merged[r->row_labels[i]]].size++;
            groups[merged[r->row_labels[i]]].first = i;
        }
    qsort(groups, (size_t)r->k, sizeof *groups, larger_first);
    for (int c = 0; c < r->k; c++)
        number[groups[c].root] = c;
    for (int c = 0; c < r->k; c++)
        merged[c] = number[merged[c]];
done:
    cob_free(groups);
    cob_free(number);
    return status;
}

/* ---- options --------------------------------------------------------------------------------- */

static cobloc_status check(const cobloc_result *r, int k, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(k >= 1 && k <= r->k, COBLOC_BAD_ARGUMENT,
              "k is %d, but the result can be cut into 1 to %d clusters", k, r->k);
    COB_CHECK(k == r->k || r->merges, COBLOC_UNSUPPORTED, "%s has no hierarchy that could be cut",
              r->model);
done:
    return status;
}

/* The labels with merged numbers. */
static cobloc_status relabelled(const int32_t *labels, int64_t count, const int32_t *merged,
                                int32_t **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_NEW(*out, count);
    for (int64_t i = 0; i < count; i++)
        (*out)[i] = labels[i] < 0 || !merged ? labels[i] : merged[labels[i]];
done:
    return status;
}

cobloc_status cob_keep_options(const cobloc_result *r, int k, int l, const int32_t *rows,
                               const int32_t *cols, cobloc_fit_options *o, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(cobloc_set_text(o, "model", r->model, err));
    COB_TRY(cobloc_set_int(o, "k", k, err));
    COB_TRY(cobloc_set_int(o, "l", l, err));
    COB_TRY(cobloc_set_text(o, "weight", cobloc_weight_name(r->weight), err));
    COB_TRY(cobloc_set_text(o, "inference", "hard", err));
    COB_TRY(cobloc_set_text(o, "start", "random", err));
    COB_TRY(cobloc_set_int(o, "restarts", 1, err));
    COB_TRY(cobloc_set_int(o, "seed", (int64_t)r->seed, err));
    COB_TRY(cobloc_set_ints(o, "fix_rows", rows, r->n, err));
    COB_TRY(cobloc_set_ints(o, "fix_cols", cols, r->d, err));
done:
    return status;
}

cobloc_status cobloc_cut_options(const cobloc_result *r, int k, cobloc_fit_options *o,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_algorithm a;
    int32_t *merged = NULL, *rows = NULL, *cols = NULL;
    COB_TRY(check(r, k, err));
    COB_TRY(cob_algorithm_find(r->model, &a, err));
    bool paired = a.structure->paired;
    COB_NEW(merged, r->k);
    COB_TRY(merge_down(r, k, merged, err));
    COB_TRY(relabelled(r->row_labels, r->n, merged, &rows, err));
    COB_TRY(relabelled(r->col_labels, r->d, paired ? merged : NULL, &cols, err));
    status = cob_keep_options(r, k, paired ? k : r->l, rows, cols, o, err);
done:
    cob_free(merged);
    cob_free(rows);
    cob_free(cols);
    return status;
}
