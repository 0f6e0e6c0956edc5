/* What the starts of a fit came to, and how far their chains of draws agree.
 * SPDX-License-Identifier: MIT
 */
#include "fit/fit.h"

#include "base/alloc.h"

#include <math.h>

cobloc_status cob_restarts_alloc(const cob_task *task, cob_restarts *r, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_model *model = task->algorithm.model;
    size_t cells = (size_t)task->k * (size_t)task->l * (size_t)task->restarts *
                   (size_t)task->problem.operand.depth.parameters;
    *r = (cob_restarts){0};
    COB_NEW(r->criteria, task->restarts);
    for (int i = 0; i < task->restarts; i++)
        r->criteria[i] = NAN;
    if (model && model->likelihood && cob_is_stochastic(task->inference)) {
        COB_NEW(r->means, cells);
        COB_NEW(r->squares, cells);
        COB_NEW_ZERO(r->draws, task->restarts);
    }
done:
    return status;
}

void cob_restarts_free(cob_restarts *r)
{
    cob_free(r->criteria);
    cob_free(r->means);
    cob_free(r->squares);
    cob_free(r->draws);
    *r = (cob_restarts){0};
}

cobloc_status cob_keep_chain(const cob_task *task, const cob_outcome *outcome, cob_restarts *r,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const cob_run *run = outcome->run;
    int *rows = NULL, *cols = NULL;
    size_t table = (size_t)task->k * (size_t)task->l;
    if (!r->means || run->draws == 0)
        return COBLOC_OK;
    COB_NEW(rows, outcome->g);
    COB_NEW(cols, outcome->m);
    COB_TRY(cob_canonical_order(task, outcome, rows, cols, err));
    for (int k = 0; k < outcome->g; k++)
        for (int l = 0; l < outcome->m; l++) {
            size_t to = run->restart * table * (size_t)run->mean.parameters +
                        (size_t)rows[k] * (size_t)outcome->m + (size_t)cols[l];
            for (int p = 0; p < run->mean.parameters; p++, to += table) {
                r->means[to] = *cob_parameter(&run->mean, p, k, l);
                r->squares[to] = *cob_parameter(&run->square, p, k, l);
            }
        }
    r->draws[run->restart] = run->draws;
done:
    cob_free(rows);
    cob_free(cols);
    return status;
}

/* sqrt((W (n-1)/n + B/n) / W) of one parameter: B between the chains' means, W within the chains.
 */
static double r_hat_of(const cob_restarts *r, int count, int cells, int cell)
{
    double chains = 0, draws = 0, mean = 0, within = 0, between = 0;
    for (int i = 0; i < count; i++)
        if (r->draws[i] > 1) {
            double m = r->means[(size_t)i * (size_t)cells + (size_t)cell];
            chains++;
            draws = r->draws[i];
            mean += m;
            within += (r->squares[(size_t)i * (size_t)cells + (size_t)cell] - m * m) * draws /
                      (draws - 1);
        }
    mean /= chains;
    within /= chains;
    for (int i = 0; i < count; i++)
        if (r->draws[i] > 1)
            between +=
                pow(r->means[(size_t)i * (size_t)cells + (size_t)cell] - mean, 2) / (chains - 1);
    if (chains < 2)
        return NAN;
    if (within <=
        1e-24 * mean * mean) /* the chains do not move: do they stand at the same place? */
        return between <= 1e-18 * mean * mean ? 1 : INFINITY;
    return sqrt((within * (draws - 1) / draws + between) / within);
}

double cob_r_hat(const cob_restarts *r, int count, int cells)
{
    double largest = NAN;
    for (int cell = 0; r->means && cell < cells; cell++) {
        double one = r_hat_of(r, count, cells, cell);
        if (isnan(largest) || one > largest)
            largest = one;
    }
    return largest;
}
