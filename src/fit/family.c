/* Restarts that build on others.
 * SPDX-License-Identifier: MIT
 */
#include "fit/family.h"

#include "base/alloc.h"

#include <string.h>

bool cob_has_families(const cob_task *task)
{
    const cob_problem *p = &task->problem;
    double k = task->k, l = task->l;
    return task->algorithm.model && task->start == COBLOC_START_AUTO &&
           task->restarts > COB_FOUNDERS && !p->model->place_column && !p->fix_rows &&
           !p->fix_cols && !cob_is_stochastic(task->inference) && k * k <= (double)p->rows.major &&
           l * l <= (double)p->cols.major;
}

bool cob_is_founder(const cob_family *family, int restart)
{
    return !family->crosses || restart % COB_FAMILY < COB_FOUNDERS;
}

cob_pair cob_places(const cob_family *family, int restart)
{
    int place = restart % COB_FAMILY, pair = place - COB_FOUNDERS, second = 1;
    if (cob_is_founder(family, restart))
        return (cob_pair){place % COB_FOUNDERS, place % COB_FOUNDERS};
    while (pair >= second) /* (0, 1); (0, 2), (1, 2); ... */
        pair -= second++;
    return (cob_pair){pair, second};
}

cobloc_status cob_keep_founder(const cob_task *task, cob_family *family, const cob_outcome *outcome,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t n = (size_t)task->problem.rows.major, d = (size_t)task->problem.cols.major;
    int place = cob_places(family, (int)outcome->restart).first;
    if (!family->found[place].rows) /* another family's may be there */
        COB_NEW(family->found[place].rows, n);
    if (!family->found[place].cols)
        COB_NEW(family->found[place].cols, d);
    memcpy(family->found[place].rows, outcome->row_labels, n * sizeof(int32_t));
    memcpy(family->found[place].cols, outcome->col_labels, d * sizeof(int32_t));
done:
    return status;
}

void cob_family_free(cob_family *family)
{
    for (int i = 0; i < COB_FOUNDERS; i++) {
        cob_free(family->found[i].rows);
        cob_free(family->found[i].cols);
    }
    *family = (cob_family){0};
}
