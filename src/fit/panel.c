/* The one table of models and weights that are fitted side by side.
 *
 * They make different errors, so what they agree on is in the data: `auto` keeps the result that
 * the others agree with most, and the size is chosen on which they agree most.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fit/panel.h"

#include <math.h>
#include <string.h>

/* Five views of blocs, which err in different ways: modularity, information, likelihood of paired
 * and of all blocks, and splbm as published, for clusters of very different sizes. Each sees the
 * counts, and what bursts and common words weigh less in. Models that take long start once. Those
 * that are given the same entries stand together. */
static const cob_member of_counts[COB_MOST_MEMBERS] = {
    {"coclus", COBLOC_WEIGHT_NONE, 2, true},      {"itcc", COBLOC_WEIGHT_NONE, 2, true},
    {"splbm-exact", COBLOC_WEIGHT_NONE, 1, true}, {"plbm", COBLOC_WEIGHT_NONE, 1, true},
    {"splbm", COBLOC_WEIGHT_NONE, 2, true},       {"coclus", COBLOC_WEIGHT_BM25IDF, 2, true},
    {"itcc", COBLOC_WEIGHT_BM25IDF, 2, true},     {"splbm-exact", COBLOC_WEIGHT_BM25IDF, 1, true},
    {"plbm", COBLOC_WEIGHT_BM25IDF, 1, true},     {"splbm", COBLOC_WEIGHT_BM25IDF, 2, false}};

/* The same where column clusters are not paired with row clusters. */
static const cob_member of_unpaired_counts[COB_MOST_MEMBERS] = {
    {"itcc", COBLOC_WEIGHT_NONE, 2, true},
    {"plbm", COBLOC_WEIGHT_NONE, 2, true},
    {"itcc", COBLOC_WEIGHT_BM25IDF, 2, true},
    {"plbm", COBLOC_WEIGHT_BM25IDF, 2, true}};

/* Models for which a 0 says as much as a 1. */
static const cob_member of_cells[COB_MOST_MEMBERS] = {{"lbm", COBLOC_WEIGHT_NONE, 2, true},
                                                      {"dlbm1", COBLOC_WEIGHT_NONE, 2, true},
                                                      {"dlbm2", COBLOC_WEIGHT_NONE, 2, true},
                                                      {"dlbm3", COBLOC_WEIGHT_NONE, 2, true}};
static const cob_member of_unpaired_cells[COB_MOST_MEMBERS] = {
    {"lbm", COBLOC_WEIGHT_NONE, 0, true}};

static const cob_member of_categories[COB_MOST_MEMBERS] = {{"clbm", COBLOC_WEIGHT_NONE, 0, true}};
static const cob_member of_reals[COB_MOST_MEMBERS] = {{"glbm", COBLOC_WEIGHT_NONE, 0, true}};

/* The logarithm of a sum of entries, weighed by it or not, over all lines of a side. */
static double sum_logs(const int64_t *offsets, int64_t lines, bool weighed)
{
    double sum = 0;
    for (int64_t i = 0; i < lines; i++) {
        double entries = (double)(offsets[i + 1] - offsets[i]);
        if (entries > 0)
            sum += (weighed ? entries : 1) * log(entries);
    }
    return sum;
}

/* Whether the zeros of a table of ones say as much as its ones. Without any clusters, either each
 * cell is a 1 with the same probability; or ones are counts that are seldom above 1, of rows and
 * columns that have more or fewer of them. Which of the two is the likelier, less half the
 * logarithm of what each sum of a row or a column is estimated from? */
static bool zeros_matter(const cobloc_matrix *x)
{
    double ones = (double)x->nnz, cells = (double)x->rows * (double)x->cols, share = ones / cells;
    if (x->nnz == 0 || share >= 1)
        return true;
    double same = ones * log(share) + (cells - ones) * log1p(-share);
    double counts = sum_logs(x->by_row.offsets, x->rows, true) +
                    sum_logs(x->by_col.offsets, x->cols, true) - ones * log(ones) - ones;
    double estimated =
        sum_logs(x->by_row.offsets, x->rows, false) + sum_logs(x->by_col.offsets, x->cols, false);
    return same >= counts - estimated / 2;
}

static const cob_member *members_for(const cobloc_matrix *x, const cobloc_fit_options *o)
{
    bool ones = x->kind == COBLOC_ONES || o->weight == COBLOC_WEIGHT_BINARY;
    bool unpaired = o->l > 0 && o->l != o->k;
    if (x->categories.count > 0)
        return of_categories;
    if ((x->missing && !ones) || x->negative)
        return of_reals;
    if (x->missing)
        return of_unpaired_cells;
    if (ones && zeros_matter(x))
        return unpaired ? of_unpaired_cells : of_cells;
    return unpaired ? of_unpaired_counts : of_counts;
}

/* Whether a model can do what the user asks for. */
static bool can(const cob_algorithm *a, const cobloc_fit_options *o)
{
    int columns = cob_algorithm_columns(a, o->k);
    bool effects = o->row_effects || o->col_effects;
    return (o->inference == COBLOC_INFERENCE_AUTO || cob_algorithm_takes(a, o->inference)) &&
           (o->l == 0 || columns == 0 || columns == o->l) && (!effects || a->counts);
}

int cob_panel(const cobloc_matrix *x, const cobloc_fit_options *o, cob_member *chosen)
{
    const cob_member *from = members_for(x, o);
    int count = 0;
    for (int m = 0; m < COB_MOST_MEMBERS && from[m].model; m++) {
        cob_algorithm a;
        cob_member one = from[m];
        bool again = false;
        one.weight = o->weight ? o->weight : one.weight;
        if (!cob_algorithm_named(one.model, &a) || !can(&a, o))
            continue;
        for (int i = 0; i < count; i++)
            again =
                again || (!strcmp(chosen[i].model, one.model) && chosen[i].weight == one.weight);
        if (!again)
            chosen[count++] = one;
    }
    return count;
}
