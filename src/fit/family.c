/* Restarts that build on others.
 * SPDX-License-Identifier: MIT
 */
#include "fit/family.h"

bool cob_has_families(const cob_task *task)
{
    const cob_problem *p = &task->problem;
    double k = task->k, l = task->l;
    return task->algorithm.model && task->start == COBLOC_START_AUTO &&
           task->restarts > COB_FOUNDERS && p->model->structure->merges &&
           !p->side[COB_ROWS].fixed && !p->side[COB_COLS].fixed &&
           !cob_is_stochastic(task->inference) && k * k <= (double)cob_line_count(p, COB_ROWS) &&
           l * l <= (double)cob_line_count(p, COB_COLS);
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
    cob_labels *place = &family->found[cob_places(family, (int)outcome->restart).first];
    cob_labels_free(place); /* another family's may be there */
    cobloc_status status = cob_labels_alloc(place, &task->problem, err);
    if (status == COBLOC_OK)
        cob_keep_labels(outcome->run, place);
    return status;
}

void cob_family_free(cob_family *family)
{
    for (int i = 0; i < COB_FOUNDERS; i++)
        cob_labels_free(&family->found[i]);
    *family = (cob_family){0};
}
