/* The one table of models and weights that are fitted side by side.
 *
 * They make different errors, so what they agree on is in the data: `auto` keeps the result that
 * the others agree with most, and the size is chosen on which they agree most.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fit/panel.h"

#include <string.h>

/* Modularity, likelihood and information, of the counts and of what bursts and common words weigh
 * less in; and splbm as published, for clusters of very different sizes. */
static const cob_member of_counts[COB_MOST_MEMBERS] = {
    {"coclus", COBLOC_WEIGHT_NONE},    {"splbm-exact", COBLOC_WEIGHT_NONE},
    {"itcc", COBLOC_WEIGHT_NONE},      {"splbm", COBLOC_WEIGHT_NONE},
    {"coclus", COBLOC_WEIGHT_BM25IDF}, {"splbm-exact", COBLOC_WEIGHT_BM25IDF},
    {"itcc", COBLOC_WEIGHT_BM25IDF}};

/* The same where column clusters are not paired with row clusters. */
static const cob_member of_unpaired_counts[COB_MOST_MEMBERS] = {{"itcc", COBLOC_WEIGHT_NONE},
                                                                {"plbm", COBLOC_WEIGHT_NONE},
                                                                {"itcc", COBLOC_WEIGHT_BM25IDF},
                                                                {"plbm", COBLOC_WEIGHT_BM25IDF}};

/* Models for which a 0 says as much as a 1, and models for which it says nothing. */
static const cob_member of_ones[COB_MOST_MEMBERS] = {
    {"lbm", COBLOC_WEIGHT_NONE},         {"dlbm1", COBLOC_WEIGHT_NONE},
    {"dlbm3", COBLOC_WEIGHT_NONE},       {"coclus", COBLOC_WEIGHT_NONE},
    {"splbm-exact", COBLOC_WEIGHT_NONE}, {"itcc", COBLOC_WEIGHT_NONE}};
static const cob_member of_unpaired_ones[COB_MOST_MEMBERS] = {
    {"lbm", COBLOC_WEIGHT_NONE}, {"itcc", COBLOC_WEIGHT_NONE}, {"plbm", COBLOC_WEIGHT_NONE}};

static const cob_member of_gaps[COB_MOST_MEMBERS] = {{"lbm", COBLOC_WEIGHT_NONE}};
static const cob_member of_categories[COB_MOST_MEMBERS] = {{"clbm", COBLOC_WEIGHT_NONE}};
static const cob_member of_reals[COB_MOST_MEMBERS] = {{"glbm", COBLOC_WEIGHT_NONE}};

static const cob_member *members_for(const cobloc_matrix *x, const cobloc_fit_options *o)
{
    bool ones = x->kind == COBLOC_ONES || o->weight == COBLOC_WEIGHT_BINARY;
    bool unpaired = o->l > 0 && o->l != o->k;
    if (x->categories.count > 0)
        return of_categories;
    if (x->missing || x->negative)
        return x->missing && ones ? of_gaps : of_reals;
    if (ones)
        return unpaired ? of_unpaired_ones : of_ones;
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
        cob_member one = {from[m].model, o->weight ? o->weight : from[m].weight};
        bool again = false;
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
