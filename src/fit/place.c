/* Scores of rows by the rule of a block model.
 * SPDX-License-Identifier: MIT
 */
#include "fit/place.h"

#include "base/alloc.h"
#include "matrix/scores.h"

#include <string.h>

cobloc_status cob_placing_open(cob_placing *p, const double *table, int k, int l, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_rule *rule = &p->rule;
    *rule = (cob_rule){.to = k, .from = l};
    COB_NEW(rule->A, cob_rule_cells(rule));
    COB_NEW(rule->b, k);
    COB_NEW(rule->e, k);
    for (int to = 0; to < k; to++) {
        const double *line = table + (int64_t)to * (l + 2);
        for (int from = 0; from < l; from++)
            rule->A[(int64_t)from * k + to] = line[from];
        rule->b[to] = line[l];
        rule->e[to] = line[l + 1];
    }
done:
    return status;
}

void cob_placing_free(cob_placing *p)
{
    cob_free(p->rule.A);
    cob_free(p->rule.b);
    cob_free(p->rule.e);
    *p = (cob_placing){.labels = NULL};
}

void cob_score_row(const cob_placing *p, int64_t row, double *sums, double *scores)
{
    const cobloc_view *v = &p->rows;
    int l = p->rule.from;
    memset(sums, 0, (size_t)l * sizeof *sums);
    for (int64_t e = v->offsets[row]; e < v->offsets[row + 1]; e++) {
        int64_t col = v->indices[e];
        double value = cobloc_view_value(v, e);
        for (int to = 0; p->soft && to < l; to++)
            sums[to] += value * p->soft[col * l + to];
        if (!p->soft && p->labels[col] >= 0)
            sums[p->labels[col]] += value;
    }
    cob_score_line(&p->rule, sums, p->effects[row] * p->effect_scale, scores);
}
