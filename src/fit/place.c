/* Scores of rows by the rule of a block model.
 * SPDX-License-Identifier: MIT
 */
#include "fit/place.h"

#include "base/alloc.h"
#include "matrix/scores.h"

#include <string.h>

cobloc_status cob_placing_open(cob_placing *p, const cob_model *model, const double *table, int k,
                               int l, int width, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_rule *rule = &p->rule;
    int from = width - 2;
    *rule = (cob_rule){.to = k, .from = from};
    p->l = l;
    p->values = from / l - (model && model->takes_missing);
    p->entries = model ? model->entries : COB_VALUES;
    COB_NEW(rule->A, cob_rule_cells(rule));
    COB_NEW(rule->b, k);
    COB_NEW(rule->e, k);
    for (int to = 0; to < k; to++) {
        const double *line = table + (int64_t)to * width;
        for (int at = 0; at < from; at++)
            rule->A[(int64_t)at * k + to] = line[at];
        rule->b[to] = line[from];
        rule->e[to] = line[from + 1];
    }
done:
    return status;
}

void cob_placing_take(cob_placing *p, const cobloc_matrix *x)
{
    p->rows = cobloc_matrix_by_rows(x);
    if (x->missing)
        p->missing = cobloc_matrix_by_rows(x->missing);
}

void cob_placing_free(cob_placing *p)
{
    cob_free(p->rule.A);
    cob_free(p->rule.b);
    cob_free(p->rule.e);
    *p = (cob_placing){.labels = NULL};
}

/* Adds to the sums of a layer. */
static void add(const cob_placing *p, int layer, int64_t col, double value, double *sums)
{
    sums += layer * p->l;
    for (int to = 0; p->soft && to < p->l; to++)
        sums[to] += value * p->soft[col * p->l + to];
    if (!p->soft && p->labels[col] >= 0)
        sums[p->labels[col]] += value;
}

void cob_score_row(const cob_placing *p, int64_t row, double *sums, double *scores)
{
    const cobloc_view *v = &p->rows, *gaps = &p->missing;
    double effect = 0;
    memset(sums, 0, (size_t)p->rule.from * sizeof *sums);
    for (int64_t e = v->offsets[row]; e < v->offsets[row + 1]; e++) {
        double value = cobloc_view_value(v, e);
        if (p->weigher)
            value = cob_weigh_entry(p->weigher, value, row, v->indices[e]);
        effect += value;
        for (int c = 0; c < p->values; c++)
            add(p, c, v->indices[e], cob_in_layer(p->entries, c, value), sums);
    }
    if (p->effects)
        effect = p->effects[row];
    for (int64_t e = gaps->offsets ? gaps->offsets[row] : 0;
         gaps->offsets && e < gaps->offsets[row + 1]; e++)
        add(p, p->values, gaps->indices[e], 1, sums);
    cob_score_line(&p->rule, sums, effect * p->effect_scale, scores);
}
